"""From log joints to probabilities and choices, in plain NumPy: the definition of the kernel."""

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]


def normalise(joint: Floats, log_prior: Floats, lo: int, out: Floats) -> int:
    """Put the probabilities of rows from lo on into `out`; how many rows got the prior.

    A row that is impossible for every class, all minus infinity, gets the prior, and so does one
    that is infinite for a class.
    """
    possible: npt.NDArray[np.bool_] = np.logical_or.reduce(joint > -np.inf, axis=1)
    possible &= ~np.logical_or.reduce(joint == np.inf, axis=1)
    if not possible.all():
        joint = np.where(possible[:, None], joint, log_prior)
    # What is not a number, as the difference of two infinities, is impossible too.
    above = joint - np.fmax.reduce(joint, axis=1)[:, None]
    found = np.where(above > -708.0, np.exp(above), 0.0)
    found /= found.sum(axis=1)[:, None]
    out[lo : lo + len(joint)] = found
    return int(len(joint) - possible.sum())


def choose(joint: Floats, log_prior: Floats, lo: int, out: npt.NDArray[np.int32]) -> int:
    """Put the codes of the most probable classes into `out`; how many rows got the prior.

    The first of several that are equally probable.
    """
    found = np.empty_like(joint)
    lost = normalise(joint, log_prior, 0, found)
    out[lo : lo + len(joint)] = found.argmax(axis=1)
    return lost
