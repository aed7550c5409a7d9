"""What a Gaussian of several columns would say of each row, had it not been learned from the row.

Without a row, a covariance loses a product of the row's deviations with themselves. So its
inverse and its determinant follow from those of all rows (Sherman and Morrison 1950).
"""

from typing import cast

import numpy as np

from satsuma.data.table import Table
from satsuma.likelihoods.multivariate_evidence import Normals
from satsuma.measures.covariance import FLOOR, over_degrees
from satsuma.numerics.arrays import Bools, Codes, Floats
from satsuma.tallies.scatter import Scatter

#: What is left of a determinant, as a share, for its digits to mean anything.
_DIGITS = 1e-6


def normals_left_out(
    tally: Scatter, evidence: Normals, rows: Table, label: Codes, weight: Floats
) -> tuple[Floats, Bools] | None:
    """Log densities, rows by classes, and rows of which they are not sure.

    None where cells are missing, or a covariance is not the one of the rows but was regularized.

    Parameters
    ----------
    tally, evidence
        Of all rows, and what follows from it.
    rows, label, weight
        The rows, their classes, and what they weigh.
    """
    if tally.others is not None or not len(evidence.varies):
        return None
    total, shared = tally.class_weight, len(evidence.covariance) == 1
    there = total > 0
    width, groups = len(evidence.varies), int(there.sum()) if shared else 1
    every = np.ix_(evidence.varies, evidence.varies)
    cross = np.stack([each[every] for each in tally.cross])
    cross = cross.sum(axis=0)[None] if shared else cross
    held = np.array([total.sum()]) if shared else total
    plain = over_degrees(cross, held[:, None, None], groups)
    same = _same(plain, evidence.covariance)
    if not (same.all() if shared else same[there].any()):
        return None
    of = np.zeros(len(label), np.intp) if shared else label.astype(np.intp)
    # Rows of a class whose covariance was regularized, or of one that is gone or would be.
    unsure = ~same[of] | (total[label] - weight < 1) | (held[of] - weight < width + groups)
    x = np.stack(evidence.looked_at(rows), axis=1)
    away = x[:, None] - evidence.mean
    lower = np.linalg.cholesky(evidence.covariance)
    own = np.arange(len(x)), label
    # By how much more a row is away from its class that has lost it.
    grown = total[label] / np.where(unsure, 1.0, total[label] - weight)
    part = _degrees(held, groups)[of]
    rest = _degrees(held[of] - weight, groups)
    found = np.empty(away.shape[:2])
    for at, triangle in enumerate(lower):
        mine = slice(None) if shared else slice(at, at + 1)
        flat = np.moveaxis(away[:, mine], 2, 0).reshape(width, -1)
        white = cast("Floats", np.linalg.solve(triangle, flat)).reshape(width, len(x), -1)
        volume = 2 * np.log(np.diagonal(triangle)).sum()
        here = of == at
        deviation = white[:, np.arange(len(x)), label if shared else np.zeros(len(x), np.intp)]
        share = weight * grown / np.where(here, part, 1.0)
        length = (deviation**2).sum(axis=0)
        lost = np.where(here, 1 - share * length, 1.0)
        unsure |= here & (lost * _least(plain[at]) < max(_DIGITS, 2 * FLOOR))
        lost = np.where(unsure, 1.0, lost)
        square = (white**2).sum(axis=0)
        along = np.einsum("ijk,ij->jk", white, deviation)
        if shared:
            along[own] *= grown
            square[own] *= grown**2
        else:
            along[here, 0] *= grown[here]
            square[here, 0] *= grown[here] ** 2
        square = square + np.where(here, share / lost, 0.0)[:, None] * along**2
        # The covariance is over fewer degrees of freedom.
        less = np.where(here & ~unsure, rest / part, 1.0)
        size = volume + np.log(lost) - width * np.log(less)
        found[:, mine] = -0.5 * (square * less[:, None] + size[:, None] + width * np.log(2 * np.pi))
    return found, unsure


def _degrees(weight: Floats, groups: int) -> Floats:
    """What cross-products are divided by, see `over_degrees`."""
    return np.maximum(weight - groups, weight / 2)


def _same(plain: Floats, learned: Floats) -> Bools:
    """Which covariances are those of the rows, as they are."""
    size = np.sqrt(np.diagonal(plain, axis1=1, axis2=2))
    near = np.abs(plain - learned) <= 1e-12 * size[:, :, None] * size[:, None, :]
    varies: Bools = np.logical_and.reduce(size > 0, axis=1)
    return varies & np.logical_and.reduce(near, axis=(1, 2))


def _least(covariance: Floats) -> float:
    """The least eigenvalue of the correlations."""
    size = np.sqrt(np.diagonal(covariance))
    if not (size > 0).all():
        return 0.0
    return float(np.linalg.eigvalsh(covariance / np.outer(size, size))[0])
