"""What columns say about the class of each row, in plain NumPy: the definition of the kernel."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from satsuma.numerics.arrays import Array, Bools, Codes, Floats, Indices, Integers

Columns = Sequence[Array]


@dataclass(frozen=True)
class Packed:
    """What is known of each column and class, laid out for the loops.

    Parameters
    ----------
    mean, scale, peak
        (columns, classes): a number x adds ``peak - ((x - mean) * scale) ** 2`` to the log joint.
    base
        (columns + 1, classes): the logarithm of the prior, and of it with the peaks so far.
    table
        What each symbol adds, one column after the other: (values + 1, padded) each. Row 0, for
        a missing one, is zero.
    starts
        Where in `table` each column starts, and the end.
    padded
        The number of classes, rounded up to a multiple of 4.
    heat
        What each known cell but the first adds to the temperature of a row, which is 1 where one
        is known. Log joints are divided by it before they become probabilities.
    """

    mean: Floats
    scale: Floats
    peak: Floats
    base: Floats
    table: Floats
    starts: Integers
    padded: int
    heat: float


def lay_out(
    log_prior: Floats,
    gaussians: tuple[Floats, Floats, Floats],
    half_log: float,
    out: tuple[Floats, Floats, Floats, Floats],
) -> None:
    """Write the mean, scale, peak and base of `Packed`.

    Parameters
    ----------
    log_prior
        By class.
    gaussians
        Mean, spread and its logarithm: (classes, columns). A spread of infinity says nothing.
    half_log
        Half the logarithm of 2 pi.
    out
        Where to write.
    """
    mean, sd, log_sd = gaussians
    says = np.isfinite(sd)
    with np.errstate(divide="ignore"):
        out[0][:] = np.where(says, mean, 0.0).T
        out[1][:] = np.where(says, np.sqrt(0.5) / sd, 0.0).T
    out[2][:] = np.where(says, -log_sd - half_log, 0.0).T
    out[3][:] = np.cumsum(np.vstack([log_prior, out[2]]), axis=0)


class Asked:
    """Columns that are asked about, and what is known of their likes."""

    def __init__(self, numbers: Columns, codes: Columns, packed: Packed) -> None:
        if (len(numbers), len(codes)) != (len(packed.mean), len(packed.starts) - 1):
            raise ValueError("other columns were asked about than are known")
        self.numbers, self.codes, self.packed = numbers, codes, packed

    def fill(self, lo: int, hi: int, out: Floats, normalise: bool) -> int:
        """Log joints, or probabilities, of rows lo to hi; how many rows got the prior.

        A row that is impossible for every class, all minus infinity, gets the prior.
        """
        out[lo:hi], lost = self.answers(slice(lo, hi), normalise)
        return lost

    def answers(self, rows: slice | Indices, normalise: bool) -> tuple[Floats, int]:
        """The same of some rows, as an array of its own."""
        joint, known = self._joint(rows)
        lost = 0
        if normalise:
            hopeless = ~(joint > -np.inf).any(axis=1)
            lost = int(hopeless.sum())
            joint[hopeless], known[hopeless] = self.packed.base[0], 0
            above = joint - np.fmax.reduce(joint, axis=1)[:, None]
            if self.packed.heat:
                above /= temperatures(known, self.packed.heat)[:, None]
            joint = np.where(above > -708.0, np.exp(above), 0.0)
            joint /= joint.sum(axis=1)[:, None]
        return joint, lost

    def choose(self, lo: int, hi: int, out: Codes) -> int:
        """The codes of the most probable classes of rows lo to hi; how many rows got the prior.

        The first of several that are equally probable.
        """
        found, lost = self.answers(slice(lo, hi), True)
        out[lo:hi] = found.argmax(axis=1)
        return lost

    def _joint(self, rows: slice | Indices) -> tuple[Floats, Integers]:
        """Log joints, and how many cells of each row are known."""
        known = self.packed
        count = rows.stop - rows.start if isinstance(rows, slice) else len(rows)
        base = np.repeat(known.base[:1], count, axis=0)
        away, cells = np.zeros_like(base), np.zeros(count, np.int64)
        # Beyond the range of floats, what a number says is minus infinity.
        with np.errstate(over="ignore", invalid="ignore"):
            for j, column in enumerate(self.numbers):
                x = column[rows, None]
                cells += ~np.isnan(x[:, 0])
                base += np.where(np.isnan(x), 0.0, known.peak[j])
                away += np.where(np.isnan(x), 0.0, ((x - known.mean[j]) * known.scale[j]) ** 2)
        said = np.zeros_like(base)
        for j, column in enumerate(self.codes):
            table = known.table[known.starts[j] : known.starts[j + 1]].reshape(-1, known.padded)
            at = column[rows].astype(np.int64) + 1
            at[(at < 0) | (at >= len(table))] = 0
            said += table[at, : base.shape[1]]
            cells += at > 0
        return base - away + said, cells


def temperatures(known: Integers, heat: float) -> Floats:
    """The temperature of rows, by how many of their cells are known.

    Examples
    --------
    >>> temperatures(np.array([0, 1, 2, 5]), 0.5).tolist()
    [1.0, 1.0, 1.5, 3.0]
    """
    return 1.0 + heat * np.maximum(known - 1.0, 0.0)


class Each:
    """Several models that are asked about the same columns; each row is answered by one of them."""

    def __init__(self, asked: Sequence[Asked], which: Codes) -> None:
        shapes = {(a.packed.base.shape, len(a.packed.starts)) for a in asked}
        if len(shapes) != 1:
            raise ValueError("models of different classes or columns")
        self.asked, self.which = asked, which

    def fill(self, lo: int, hi: int, out: Floats, normalise: bool) -> int:
        """Log joints, or probabilities, of rows lo to hi; how many rows got the prior."""
        lost = 0
        for at, one in enumerate(self.asked):
            rows = np.flatnonzero(self.which[lo:hi] == at) + lo
            out[rows], more = one.answers(rows, normalise)
            lost += more
        return lost

    def choose(self, lo: int, hi: int, out: Codes) -> int:
        """The codes of the most probable classes of rows lo to hi; how many rows got the prior."""
        found = np.zeros((hi, len(self.asked[0].packed.base[0])))
        lost = self.fill(lo, hi, found, True)
        answered = np.flatnonzero(self.which[lo:hi] >= 0) + lo
        out[answered] = found[answered].argmax(axis=1)
        return lost


def normalise(joint: Floats, log_prior: Floats, lo: int, out: Floats) -> int:
    """Put the probabilities of rows from lo on into `out`; how many rows got the prior.

    A row that is impossible for every class, all minus infinity, gets the prior, and so does one
    that is infinite for a class.
    """
    possible: Bools = np.logical_or.reduce(joint > -np.inf, axis=1)
    possible &= ~np.logical_or.reduce(joint == np.inf, axis=1)
    if not possible.all():
        joint = np.where(possible[:, None], joint, log_prior)
    # What is not a number, as the difference of two infinities, is impossible too.
    above = joint - np.fmax.reduce(joint, axis=1)[:, None]
    found = np.where(above > -708.0, np.exp(above), 0.0)
    found /= found.sum(axis=1)[:, None]
    out[lo : lo + len(joint)] = found
    return int(len(joint) - possible.sum())


def choose(joint: Floats, log_prior: Floats, lo: int, out: Codes) -> int:
    """Put the codes of the most probable classes into `out`; how many rows got the prior.

    The first of several that are equally probable.
    """
    found = np.empty_like(joint)
    lost = normalise(joint, log_prior, 0, found)
    out[lo : lo + len(joint)] = found.argmax(axis=1)
    return lost
