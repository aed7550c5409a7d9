"""Gaussians that share a covariance: linear in the columns that a row has."""

import numpy as np

from satsuma.errors import SatsumaError
from satsuma.export.columns import Columns
from satsuma.export.expressions import (
    Bits,
    Expression,
    Known,
    Number,
    Operation,
    Place,
    Whole,
    case,
    compared,
    difference,
    is_known,
    is_missing,
    lookup,
    product,
    total,
)
from satsuma.likelihoods.multivariate_evidence import Normals
from satsuma.numerics.arrays import Floats

#: Numbers that may be written down: a score for each set of known columns takes some.
MOST = 100_000


def terms_of_normals(evidence: Normals, columns: Columns) -> list[list[Expression]]:
    """By class, what a row's columns say: for each set of known columns there are other slopes."""
    classes = len(evidence.mean)
    if not len(evidence.varies) or classes == 1:
        return [[] for _ in range(classes)]
    own = evidence.varies < evidence.width
    used = sorted(set(evidence.owner[own].tolist()))
    if (len(evidence.varies) + 1) * classes << len(used) > MOST:
        raise SatsumaError(
            f"A Gaussian of {len(used)} columns together has other slopes for each of the "
            f"{1 << len(used):,} sets of columns that may be missing, and that is too much to be "
            f"written down. Select fewer columns: Select(LDA(), n=8)."
        )
    return _Written(evidence, columns, used).terms()


class _Written:
    """The scores of all sets of known columns.

    Parameters
    ----------
    evidence, columns
        Of what, and of which columns.
    used
        The columns that have a place in a row's vector.
    """

    def __init__(self, evidence: Normals, columns: Columns, used: list[int]) -> None:
        self.evidence, self.columns, self.used = evidence, columns, used
        #: The column of each place; none of those of missing cells, which are always known.
        self.owner = np.where(evidence.varies < evidence.width, evidence.owner, -1)
        self.cells = [columns.cell(evidence.names[at]) for at in used]
        self.lost = [(at, self._lost(at)) for at in np.flatnonzero(self.owner < 0).tolist()]
        count = 1 << len(used)
        #: By set of known columns and class: the constant, and a slope for each place.
        self.base = np.zeros((count, len(evidence.mean)))
        self.slopes = np.zeros((count, len(evidence.mean), len(self.owner)))
        for bits in range(count):
            there = [at for place, at in enumerate(used) if bits >> place & 1]
            known = np.flatnonzero(np.isin(self.owner, [-1, *there]))
            if len(known):
                self.base[bits], self.slopes[bits][:, known] = _linear(evidence, known)

    def terms(self) -> list[list[Expression]]:
        """By class."""
        known = Bits(tuple(is_known(each) for each in self.cells))
        full = compared(known, "=", Whole(len(self.base) - 1))
        return [
            [case((full, self._complete(c)), otherwise=self._partial(c, known))]
            for c in range(len(self.evidence.mean))
        ]

    def _complete(self, c: int) -> Expression:
        """The score of rows that lack nothing."""
        terms: list[Expression] = [Number(float(self.base[-1, c]))]
        for at, cell in zip(self.used, self.cells, strict=True):
            mine = np.flatnonzero(self.owner == at)
            if self.evidence.levels[at] is None:
                slope = float(self.slopes[-1, c, mine[0]])
                terms.append(product(slope, self._away(int(mine[0]), cell)))
            else:
                terms.append(lookup(cell, self._by_value(at, mine)[-1, c].tolist()))
        for place, lost in self.lost:
            terms.append(product(float(self.slopes[-1, c, place]), self._away(place, lost)))
        return total(*terms)

    def _partial(self, c: int, known: Expression) -> Expression:
        terms = [lookup(known, self.base[:, c].tolist())]
        for at, cell in zip(self.used, self.cells, strict=True):
            mine, count = np.flatnonzero(self.owner == at), len(self.base)
            if self.evidence.levels[at] is None:
                slope = lookup(known, self.slopes[:, c, mine[0]].tolist())
                away = self._away(int(mine[0]), cell)
                terms.append(Known(Operation("product", (slope, away)), 0.0))
            else:
                by_value = self._by_value(at, mine)[:, c]
                place = Place((known, cell), (count, by_value.shape[1]))
                terms.append(lookup(place, by_value.ravel().tolist()))
        for at, lost in self.lost:
            slope = lookup(known, self.slopes[:, c, at].tolist())
            terms.append(Operation("product", (slope, self._away(at, lost))))
        return total(*terms)

    def _lost(self, place: int) -> Expression:
        """1 where a column is missing, rather than of a value that was not seen; else 0."""
        at = int(self.evidence.varies[place]) - self.evidence.width
        name = self.evidence.informative[at]
        numeric = self.evidence.levels[self.evidence.names.index(name)] is None
        cell = self.columns.number(name) if numeric else self.columns.code_or_unseen(name)
        return case((is_missing(cell), Number(1.0)), otherwise=Number(0.0))

    def _away(self, place: int, cell: Expression) -> Expression:
        return difference(cell, Number(float(self.evidence.middle[place])))

    def _by_value(self, at: int, mine: np.ndarray) -> Floats:
        """(sets, classes, values): what each value of a symbol adds, one-hot."""
        level = self.evidence.levels[at]
        first = sum(1 if each is None else each for each in self.evidence.levels[:at])
        hot = np.zeros((level or 0, len(mine)))
        hot[self.evidence.varies[mine] - first, np.arange(len(mine))] = 1.0
        return self.slopes[:, :, mine] @ (hot - self.evidence.middle[mine]).T


def _linear(evidence: Normals, known: np.ndarray) -> tuple[Floats, Floats]:
    """By class, the score at the middle of all, and what a unit of each known place adds."""
    packed = evidence.whitening().within(known).ratios()
    rows = packed.matrix.swapaxes(2, 3).reshape(-1, len(known))
    return packed.base, rows[: len(evidence.mean)]
