"""Multivariate evidence: the Gaussian of each class, learned (Normals)."""

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from satsuma.data.fields import LARGE, FloatArray, IntArray, Many, Maybe, Number, Word
from satsuma.data.schema import Schema
from satsuma.data.table import Table
from satsuma.data.variable import Variable
from satsuma.errors import ReadError
from satsuma.kernels import normal
from satsuma.kernels.normal import Packed
from satsuma.likelihoods.block import Evidence, Line
from satsuma.likelihoods.categorical import VALUES
from satsuma.likelihoods.whitening import Whitening
from satsuma.numerics.arrays import Array, Codes, Floats, Indices
from satsuma.numerics.one_hot import SideBySide


class Normals(Evidence):
    """A Gaussian of some columns together, in each class.

    Parameters
    ----------
    names
        The columns.
    levels
        How many values each has, each a column of zeros and ones; None for a number.
    varies
        Which of the columns that come of it say something, by place.
    mean
        (classes, columns that vary).
    covariance
        (1 or classes, columns that vary, columns that vary): one for all classes, or one for each.
    middle
        The mean over all classes, which distances are measured from.
    informative
        The columns that have an indicator of missing cells, of zeros and ones: these are the last.
    """

    schema: ClassVar[Schema] = Schema(
        "varies",
        "covariances",
        informative=Many(Word()),
        levels=Many(Maybe(Number(low=0, high=1 << 31, whole=True)), size="names"),
        varies=IntArray("varies", dtypes=(np.int64,)),
        mean=FloatArray("classes", "varies", low=-LARGE, high=LARGE),
        covariance=FloatArray("covariances", "varies", "varies", low=-LARGE, high=LARGE),
        middle=FloatArray("varies", low=-LARGE, high=LARGE),
    )

    def check_state(self) -> None:
        """Columns that vary are in order; a covariance is symmetric and positive definite."""
        known = set(self.names)
        if len(set(self.informative)) < len(self.informative) or not known >= {*self.informative}:
            raise ReadError("Normals.informative must be of its columns, each once")
        width = self.width + len(self.informative)
        if len(self.varies) and (self.varies[-1] >= width or (np.diff(self.varies) <= 0).any()):
            raise ReadError("Normals.varies must be places of columns, in order")
        if len(self.covariance) not in (1, len(self.mean)):
            raise ReadError("Normals.covariance must be of one class or of all")
        try:
            np.linalg.cholesky(self.covariance)
        except np.linalg.LinAlgError:
            raise ReadError("Normals.covariance must be positive definite") from None

    def check_columns(self, variables: Sequence[Variable], classes: int) -> None:
        """Levels are those of the columns, and there is a mean for each class."""
        levels = [len(v.values) if v.kind == "sym" else None for v in variables]
        if levels != self.levels or len(self.mean) != classes:
            raise ReadError("Normals is about other columns or classes")

    def __init__(
        self,
        names: tuple[str, ...],
        *,
        levels: Sequence[int | None],
        varies: npt.NDArray[np.intp],
        mean: Floats,
        covariance: Floats,
        middle: Floats,
        informative: Sequence[str] = (),
    ) -> None:
        self.names, self.levels, self.varies = names, list(levels), varies
        self.mean, self.covariance, self.middle = mean, covariance, middle
        self.informative = list(informative)

    @property
    def width(self) -> int:
        """How many columns there are of numbers and of values, before those of missing cells."""
        return sum(1 if level is None else level for level in self.levels)

    @property
    def owner(self) -> Indices:
        """Of each column that varies, the place of the attribute that it is of."""
        widths = [1 if level is None else level for level in self.levels]
        own = np.repeat(np.arange(len(widths)), widths)
        lost = np.array([self.names.index(name) for name in self.informative], np.intp)
        return np.append(own, lost)[self.varies]

    def log_evidence(self, batch: Table) -> Floats:
        """Rows by classes: the logarithm of the density of what the columns show."""
        return self._scored(batch, self.whitening().densities())

    def log_ratios(self, batch: Table) -> Floats:
        """The same but for what all classes share: with one covariance, linear in the columns."""
        return self._scored(batch, self.whitening().ratios())

    @classmethod
    def chosen_by(
        cls,
        evidence: Sequence[Any],
        log_priors: Sequence[Floats],
        which: Codes | None,
        batch: Table,
    ) -> Codes | None:
        """The most probable class of each row; -1 where it is not clear."""
        first: Normals = evidence[0]
        shape = first.covariance.shape
        if not len(first.varies) or any(each.covariance.shape != shape for each in evidence):
            return None
        if any(not first.looks_as(each) for each in evidence):
            return None
        pairs = zip(evidence, log_priors, strict=True)
        models = [each.whitening().ratios().with_base(prior) for each, prior in pairs]
        columns = first.looked_at(batch)
        found = normal.choices(columns, models, which)
        unclear = found < 0  # most of them have missing cells
        for at, each in enumerate(evidence if which is not None else evidence[:1]):
            rows = np.flatnonzero(unclear if which is None else unclear & (which == at))
            whitening: Whitening = each.whitening()
            if len(rows) and whitening.is_sound:
                found[rows] = normal.choices_with_gaps(columns, models[at], whitening.gaps, rows)
        return found

    def by_column(self, batch: Table) -> Floats:
        """Rows by columns by classes: what each column adds to `log_ratios`.

        With a shared covariance, that is linear in the column. Else the square of a distance is
        split evenly between the two columns of each product, and what does not depend on the row
        evenly among the columns that are known. A cell that is missing adds nothing.
        """
        x, owner = self._columns(batch).rows(0, len(batch))[:, self.varies], self.owner
        found = np.zeros((len(x), len(self.names), len(self.mean)))
        for rows, known in _patterns(x):
            part = self.whitening().within(known)
            shares = part.by_column(x[np.ix_(rows, known)])
            for at, each in zip(owner[known], shares, strict=True):
                found[rows, at] += each
        return found

    def sample(self, classes: Codes, rng: np.random.Generator) -> dict[str, Array]:
        """Cells from the Gaussians of these classes, by column; see `sample_normals`."""
        from satsuma.likelihoods.multivariate_sampling import sample_normals

        return sample_normals(self, classes, rng)

    @property
    def figures(self) -> str:
        """What the figures are that `lines` has below the name of a symbol."""
        return "mean ± sd of 0 and 1"

    def lines(self, variable: Variable, classes: int) -> list[Line]:
        """The mean and the spread in each class; of a symbol, those of each of its values."""
        at = self.names.index(variable.name)
        first = sum(1 if level is None else level for level in self.levels[:at])
        lost: list[Line] = []
        if variable.name in self.informative:
            place = self.width + self.informative.index(variable.name)
            lost = [(f"{variable.name} is missing", self._cells(place, classes))]
        if self.levels[at] is None:
            return [(variable.name, self._cells(first, classes)), *lost]
        rows = [
            (f"  {value}", self._cells(first + k, classes))
            for k, value in enumerate(variable.values)
        ]
        more = len(rows) - VALUES
        rest: list[Line] = [(f"  … and {more} more", [])] if more > 0 else []
        return [(variable.name, []), *rows[:VALUES], *rest, *lost]

    def _cells(self, column: int, classes: int) -> list[str]:
        count = min(classes, len(self.mean))
        if column not in self.varies:
            return ["says nothing"] * count
        at = int(np.searchsorted(self.varies, column))
        sd = np.broadcast_to(np.sqrt(self.covariance[:, at, at]), len(self.mean))
        return [f"{self.mean[c, at]:.4g} ± {sd[c]:.3g}" for c in range(count)]

    def whitening(self) -> Whitening:
        """The same, made ready to be asked."""
        made: Whitening | None = vars(self).get("_made")
        if made is None:
            made = self._made = Whitening(self.mean, self.covariance, self.middle)
        return made

    def _columns(self, batch: Table) -> SideBySide:
        columns: list[Array] = [batch.column(name) for name in self.names]
        for name in self.informative:  # a symbol that was not there in learning is not missing
            number = self.levels[self.names.index(name)] is None
            columns.append(batch.missing(name) if number else batch.column(name) == -1)
        return SideBySide(columns, [*self.levels, *[None] * len(self.informative)])

    def looks_as(self, other: "Normals") -> bool:
        """Whether it looks at the same columns as another."""
        same = np.array_equal(self.varies, other.varies)
        return same and self.informative == other.informative

    def looked_at(self, batch: Table) -> list[Array]:
        """The columns that vary, as the kernel takes them."""
        side = self._columns(batch)
        if side.plain:
            return [side.columns[at] for at in self.varies]
        return list(side.rows(0, len(batch))[:, self.varies].T)

    def _scored(self, batch: Table, model: Packed) -> Floats:
        if not len(self.varies) or not len(batch):
            return np.zeros((len(batch), len(self.mean)))
        columns = self.looked_at(batch)
        found = normal.scores(columns, model)
        odd = np.flatnonzero(~np.isfinite(found).all(axis=1))
        if len(odd):
            found[odd] = self._scored_in_part(columns, odd)
        return found

    def _scored_in_part(self, columns: Sequence[Array], rows: Indices) -> Floats:
        """Rows of which some columns are not known; one with an infinite number is impossible."""
        whitening = self.whitening()
        with np.errstate(over="ignore", invalid="ignore"):
            if whitening.is_sound:
                model = whitening.densities()
                found = normal.scores_with_gaps(columns, model, whitening.gaps, rows)
            else:
                x = np.stack([column[rows] for column in columns], axis=1)
                found = whitening.densities_of(x)
        found[(np.isnan(found) | (found == np.inf)).any(axis=1)] = -np.inf
        return found


def _patterns(x: Floats) -> list[tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]]:
    """The rows that have the same columns known, and these columns."""
    known = ~np.isnan(x)
    if not len(x):
        return []
    # Equal bytes are equal patterns, and sort faster than rows do.
    packed = np.ascontiguousarray(np.packbits(known, axis=1))
    keys = packed.view(np.dtype((np.void, packed.shape[1]))).ravel()
    _, first, member = np.unique(keys, return_index=True, return_inverse=True)
    order = np.argsort(member, kind="stable")
    ends = np.cumsum(np.bincount(member))[:-1]
    return [
        (rows, np.flatnonzero(known[at]))
        for rows, at in zip(np.split(order, ends), first, strict=True)
    ]
