"""Encoding: a table as a matrix; numbers standardized, symbols one-hot, missing cells imputed."""

from collections.abc import Sequence
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from satsuma.data.columns import refuse_infinite
from satsuma.data.domain import Domain
from satsuma.data.table import Table
from satsuma.errors import DomainError
from satsuma.numerics.arrays import Array, Floats
from satsuma.numerics.one_hot import SideBySide
from satsuma.tallies.class_counts import ClassCounts
from satsuma.tallies.composite import Composite
from satsuma.tallies.features import Feature, attributes_of, features_of, levels_of
from satsuma.tallies.moments import Moments
from satsuma.tallies.target_where_missing import TargetWhereMissing

#: What is to be known of the rows.
LOOKED_AT = Composite.of_kinds(Moments, ClassCounts)

#: A share below this is what rounding leaves of none.
_NOTHING = 1e-12

#: No number is taken to lie farther from the mean, in standard deviations: its powers are finite.
FAR = 1e30


class Encoding:
    """Numbers are standardized, symbols become one-hot columns, missing cells are imputed.

    There is a column for each number and for each value of a symbol (one-hot, zeros and ones), less
    the mean of that column (of a value: its share). A number is divided by its standard deviation,
    over n. A missing cell is imputed by the mean, and so 0; a value that was not there in learning
    is missing. A number that never varies, or is never
    known, is 0 throughout, for it says nothing.

    Parameters
    ----------
    domain
        The columns that were learned from.
    mean
        The mean of each number and the share of each value.
    scale
        What the difference from the mean is divided by: the standard deviation of a number, 1 for
        a value, and infinity for what says nothing.
    informative
        The names of columns whose missing cells tell something: at the end, each has a column of
        ones where it is missing and zeros where it is not.

    Examples
    --------
    >>> rows = [(1, "red", "no"), (3, "blue", "yes"), (None, "red", "no"), (2, None, "yes")]
    >>> table = Table.of(rows, ["size", "colour", "sweet"])
    >>> encoding = Encoding.of(Encoding.tally(table))
    >>> encoding.features
    (('size', None), ('colour', 'red'), ('colour', 'blue'))
    >>> encoding.matrix(table).round(2).tolist()
    [[-1.22, 0.33, -0.33], [1.22, -0.67, 0.67], [0.0, 0.33, -0.33], [0.0, 0.0, 0.0]]
    """

    def __init__(
        self, domain: Domain, mean: Floats, scale: Floats, informative: Sequence[str] = ()
    ) -> None:
        self.domain, self.mean, self.scale = domain, mean, scale
        self.informative = tuple(informative)

    @property
    def features(self) -> tuple[Feature, ...]:
        """The columns of the matrix, but for those of missing cells."""
        return features_of(self.domain)

    def with_missing(self, tally: TargetWhereMissing, informative: tuple[str, ...]) -> "Encoding":
        """The same with columns for the missing cells of some columns, given how many there are."""
        if not informative:
            return self
        return self.with_shares(np.array([tally.share(name) for name in informative]), informative)

    def with_shares(self, share: Floats, informative: tuple[str, ...]) -> "Encoding":
        """The same with columns for missing cells, given the share of rows that have them."""
        varies = (share > _NOTHING) & (share < 1 - _NOTHING)
        scale = np.append(self.scale, np.where(varies, 1.0, np.inf))
        return Encoding(self.domain, np.append(self.mean, share), scale, informative)

    @staticmethod
    def tally(batch: Table) -> Composite:
        """What is to be known of a batch of rows; those without a target are left out."""
        target = batch.domain.target
        if target is not None and target.kind == "num":  # classes see to it themselves
            batch = batch[np.flatnonzero(~batch.missing(target.name))]
        return LOOKED_AT.of(batch)

    @classmethod
    def of(cls, tally: Composite) -> Self:
        """The encoding that follows from the tally of all rows."""
        moments, counts = tally[Moments].of_all_classes(), tally[ClassCounts]
        numbers = iter(np.stack([moments.weight, moments.mean, moments.m2], axis=-1)[0])
        parts: list[Any] = []
        for variable in attributes_of(tally.domain):
            if variable.kind == "num":
                parts.append(next(numbers)[:, None])
            else:
                parts.append(_of_values(counts[variable.name].sum(axis=1)))
        known, mean, squares = np.hstack(parts) if parts else np.zeros((3, 0))
        return cls.from_spread(tally.domain, known, mean, squares)

    @classmethod
    def from_spread(cls, domain: Domain, known: Floats, mean: Floats, squares: Floats) -> Self:
        """The encoding for columns whose weight, mean and squares about the mean are these."""
        refuse_endless(features_of(domain), squares)
        number = np.array([value is None for _, value in features_of(domain)], bool)
        spread = np.sqrt(squares / np.where(known > 0, known, 1))
        # What rounding leaves of a column that never varies is no spread.
        says = np.where(number, spread > 1e-14 * np.abs(mean), mean > 0)
        return cls(domain, mean, np.where(says, np.where(number, spread, 1.0), np.inf))

    def matrix(self, batch: Table) -> Floats:
        """Rows by columns; no cell is missing."""
        levels = levels_of(self.domain)
        columns: list[Array] = []
        first = 0
        for variable, level in zip(attributes_of(self.domain), levels, strict=True):
            column, width = batch.column(variable.name), 1 if level is None else level
            if level is None:
                refuse_infinite(variable.name, column)
            else:
                column = self.seen_codes(column, slice(first, first + width))
            columns.append(column)
            first += width
        found = SideBySide(columns, levels).rows(0, len(batch))
        lost = [self.is_missing(batch, name) for name in self.informative]
        found = np.column_stack([found, *lost]) if lost else found
        with np.errstate(over="ignore"):
            found = np.clip((found - self.mean) / self.scale, -FAR, FAR)
        found[np.isnan(found)] = 0.0
        return found

    def spread(self) -> Floats:
        """The variance of each column of the matrix, as if no cell were missing."""
        number, _ = self._columns()
        number[len(self.features) :] = False  # zeros and ones
        return np.where(number | np.isinf(self.scale), 1.0, self.mean * (1 - self.mean))

    def per_unit(self) -> Floats:
        """What turns a constant and slopes by columns of the matrix into such as can be read.

        The slope of a number becomes one per unit, and that of a value what having it adds, beside
        the values by their shares. The constant is then that of rows whose numbers are all 0.
        """
        across = np.diag(np.append(1.0, 1 / self.scale))
        number, column = self._columns()
        across[0, 1:] = np.where(number, -self.mean / self.scale, 0.0)
        across[1:, 1:] -= np.where(~number & (column[:, None] == column), self.mean, 0.0)
        return across

    def in_units(self, constant: float, slopes: Floats) -> Floats:
        """A constant and slopes as `per_unit` turns them, without room for all pairs of columns."""
        number, column = self._columns()
        beside = np.bincount(column, np.where(number, 0.0, self.mean * slopes))
        per = slopes / self.scale
        first = constant - np.where(number, self.mean * per, 0.0).sum()
        return np.append(first, per - beside[column])

    def in_plain_units(self, constant: float, slopes: Floats) -> Floats:
        """A constant and slopes per unit; a slope of 0 stays 0, also that of a value.

        The constant is then that of rows whose numbers are all 0 and whose values all have a slope
        of 0.
        """
        per = slopes / self.scale
        return np.append(constant - np.where(np.isfinite(self.scale), self.mean, 0.0) @ per, per)

    def is_missing(self, batch: Table, name: str) -> Array:
        """Where a column is missing, rather than of a value that was not there in learning."""
        if self.domain[name].kind == "num":
            return batch.missing(name)
        return batch.column(name) == -1

    def _columns(self) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.intp]]:
        """Of each column of the matrix, whether it is a number, and which column of the table."""
        levels = levels_of(self.domain)
        widths = [1 if level is None else level for level in levels]
        widths += [1] * len(self.informative)  # these are read as numbers
        column = np.repeat(np.arange(len(widths)), np.array(widths, np.intp))
        number = [level is None for level in levels] + [True] * len(self.informative)
        return np.array(number, bool)[column], column

    def seen_codes(self, codes: Array, values: slice) -> Array:
        """Codes, with -1 for those of values that were not there in learning."""
        seen = np.append(np.isfinite(self.scale[values]), False)  # the last is of missing cells
        codes = np.maximum(codes, -1)
        return np.where(seen[codes], codes, -1)


def refuse_endless(features: Sequence[Feature], squares: Floats) -> None:
    """Raise where the squares of a column are not finite, by its name."""
    wrong = ~np.isfinite(squares)
    if wrong.any():
        name = features[int(wrong.argmax())][0]
        raise DomainError(
            f"Column {name!r} holds numbers that are infinite, or whose "
            f"squares are beyond the range of floats. Make them missing (None or NaN), or divide "
            f"the column by its largest number."
        )


def _of_values(weight: Floats) -> list[Floats]:
    """The weight, the mean and the squares of the columns of a symbol, by the weight of values."""
    total = weight.sum()
    share = weight / total if total > 0 else weight
    return [np.full(len(weight), total), share, weight * (1 - share)]
