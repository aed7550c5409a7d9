"""Drift: which columns of new rows are distributed otherwise than those of earlier rows."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from satsuma.data.grids import aligned, grid_html
from satsuma.data.result_frame import ResultFrame
from satsuma.data.summary import cut, short_number
from satsuma.data.table import Table
from satsuma.data.times import spell_time
from satsuma.data.variable import Variable
from satsuma.errors import DomainError, ParameterError
from satsuma.measures.by_column import ByColumn
from satsuma.measures.contingency import chi_square_test
from satsuma.measures.marginals import Marginal, Marginals, numbers_in
from satsuma.measures.multiple_testing import holm
from satsuma.numerics.arrays import Floats
from satsuma.tallies.by_class import weights_of

if TYPE_CHECKING:
    import pandas as pd

#: Points of each column of numbers at which two tables are compared.
_FINE = 1024

#: Weight that is expected of a value at the least for it to have a place of its own in a test.
_EXPECTED = 5.0

#: Characters of a name that are shown, and columns that a sentence names.
_NAME, _NAMED = 32, 3


@dataclass(frozen=True)
class ColumnDrift:
    """How far one column moved.

    Parameters
    ----------
    name, kind
        The column.
    distance
        Of numbers, texts (their lengths) and times the Kolmogorov-Smirnov distance: the greatest
        difference between the shares of rows up to any value. Of symbols the total variation
        distance: the share of rows that would have to change their value. From 0 to 1.
    p
        The probability of so great a distance, or of so great a change of the share of missing
        values, if nothing had moved; after Holm's correction for all tests on all columns.
    missing_before, missing_after
        The share of missing values.
    unseen
        The share of values that were not there before: other symbols, or numbers out of range.
    what
        What changed most, in a few words.
    """

    name: str
    kind: str
    distance: float
    p: float
    missing_before: float
    missing_after: float
    unseen: float
    what: str

    @property
    def size(self) -> float:
        """The distance, or the change of the share of missing values, whichever is more."""
        return max(self.distance, abs(self.missing_after - self.missing_before))


class Drift(ByColumn[ColumnDrift], ResultFrame):
    """What was found of each column, by name, the ones that moved first.

    Parameters
    ----------
    columns
        One for each column.
    least
        The `size` from which on a column counts as moved, if chance does not explain it.
    level
        The p-value below which chance does not.
    """

    def __init__(self, columns: Sequence[ColumnDrift], least: float, level: float) -> None:
        self.least, self.level = least, level
        super().__init__(sorted(columns, key=lambda each: (not self._has_moved(each), -each.size)))

    def _has_moved(self, column: ColumnDrift) -> bool:
        return column.p < self.level and column.size >= self.least

    @property
    def moved(self) -> tuple[str, ...]:
        """The names of the columns that moved, the one that moved most first."""
        return tuple(name for name, each in self.items() if self._has_moved(each))

    @property
    def sentence(self) -> str:
        """What a person should know of it."""
        moved = self.moved
        if not moved:
            return "No column moved by more than chance explains."
        shown = [f"{cut(name, _NAME)!r} ({self[name].what})" for name in moved[:_NAMED]]
        more = len(moved) - len(shown)
        rest = f", and {more} more" if more else ""
        return f"{len(moved)} of {len(self)} columns moved: {', '.join(shown)}{rest}."

    def _cells(self) -> list[list[str]]:
        lines = [["column", "moved", "distance", "p", "missing", "unseen", "what changed"]]
        for name, each in self.items():
            missing = f"{each.missing_before:.0%} → {each.missing_after:.0%}"
            figures = [f"{each.distance:.3f}", f"{each.p:.2g}", missing, f"{each.unseen:.1%}"]
            is_moved = "yes" if self._has_moved(each) else ""
            lines.append([cut(name, _NAME), is_moved, *figures, each.what])
        return lines

    def __repr__(self) -> str:
        return "\n".join([self.sentence, "", *aligned(self._cells(), (0, 1, 6))])

    def _repr_html_(self) -> str:
        return grid_html(self.sentence, self._cells(), (0, 1, 6))

    def to_pandas(self) -> "pd.DataFrame":
        """A pandas data frame, a row for each column."""
        import pandas as pd

        moved = self.moved
        rows = [vars(each) | {"moved": name in moved} for name, each in self.items()]
        return pd.DataFrame(rows)


def drift(
    before: Table | Marginals, after: Table, *, least: float = 0.1, level: float = 0.05
) -> Drift:
    """Compare the columns of new rows with those of earlier rows, or with their marginals.

    Numbers are compared by the Kolmogorov-Smirnov test, at points of the earlier rows; symbols by
    Pearson's chi-square, values that are expected fewer than five times taken together; shares
    of missing values by chi-square. All p-values are corrected by Holm's method. A column has
    moved where chance does not explain the difference, and it is large enough to matter: with many
    rows, a difference that does not matter is beyond chance, too.

    Parameters
    ----------
    before
        Rows, or the marginals of rows; their columns are compared.
    after
        Rows that have some of these columns, found by name.
    least
        How far a column must have moved to count, from 0 to 1.
    level
        The p-value below which chance does not explain a difference.

    Examples
    --------
    >>> from satsuma import load
    >>> from satsuma.measures import drift
    >>> iris = load("iris")
    >>> drift(iris[:50], iris[50:]).moved[:2]
    ('Petal.Length', 'Petal.Width')
    >>> drift(iris[::2], iris[1::2]).moved
    ()
    """
    for name, value in (("least", least), ("level", level)):
        if not 0 <= value <= 1:
            raise ParameterError(f"{name} must be a number from 0 to 1. Got {value!r}.")
    earlier = Marginals.of(before, points=_FINE) if isinstance(before, Table) else before
    names = [name for name in earlier if name in after.domain]
    if not names:
        raise DomainError(
            f"The rows have none of the {len(earlier)} columns that they are compared with."
        )
    weights = weights_of(after)
    held = np.ones(len(after)) if weights is None else weights
    found = [_compare(earlier[name], after, held) for name in names]
    ps = np.array([[each.p_values, each.p_missing] for each in found])
    corrected = holm(ps.ravel(), ps.size).reshape(ps.shape).min(axis=1).clip(0, 1).tolist()
    pairs = zip(found, corrected, strict=True)
    return Drift([each.column(p) for each, p in pairs], least, level)


@dataclass(frozen=True)
class _Compared:
    """What two tests found, before correction, and what they found it of."""

    earlier: Marginal
    distance: float
    p_values: float
    p_missing: float
    missing: float
    unseen: float
    values_changed: str

    def column(self, p: float) -> ColumnDrift:
        """The same, with a p-value that is corrected."""
        was, what = self.earlier.missing_share, self.values_changed
        if abs(self.missing - was) > self.distance:
            what = f"missing {was:.0%} → {self.missing:.0%}"
        name, kind = self.earlier.name, self.earlier.kind
        return ColumnDrift(name, kind, self.distance, p, was, self.missing, self.unseen, what)


def _compare(earlier: Marginal, after: Table, weights: Floats) -> _Compared:
    variable, missing = after.domain[earlier.name], after.missing(earlier.name)
    if (variable.kind == "sym") != (earlier.kind == "sym"):
        raise DomainError(
            f"Column {earlier.name!r} was of kind {earlier.kind!r}, and is of kind "
            f"{variable.kind!r} now. Use table.with_kinds({{{earlier.name!r}: {earlier.kind!r}}})."
        )
    lost = float(weights[missing].sum())
    rows = float(weights.sum())
    held = np.array([[earlier.known, earlier.missing], [rows - lost, lost]])
    p_missing = chi_square_test(held).p
    share = lost / rows if rows else 0.0
    if earlier.kind == "sym":
        found = _symbols(earlier, after, weights)
    else:
        x, known = numbers_in(after, earlier.name, missing)
        found = _numbers(earlier, x, weights[known], variable)
    distance, p, unseen, what = found
    return _Compared(earlier, distance, p, p_missing, share, unseen, what)


_Found = tuple[float, float, float, str]
_NOTHING: _Found = (0.0, 1.0, 0.0, "")


def _numbers(earlier: Marginal, x: Floats, weights: Floats, variable: Variable) -> _Found:
    n, m = earlier.known, float(weights.sum())
    if n <= 0 or m <= 0:
        return _NOTHING
    order = np.argsort(x, kind="stable")
    x, upto = x[order], np.concatenate(([0.0], np.cumsum(weights[order])))
    now = upto[np.searchsorted(x, earlier.points, side="right")] / m
    below = upto[np.searchsorted(x, earlier.points[0], side="left")] / m
    distance = float(max(np.abs(now - earlier.cdf()).max(), below))
    middle = float(x[min(int(np.searchsorted(upto[1:], m / 2)), len(x) - 1)])
    unseen = float(below + 1 - now[-1])
    was, is_now = _spelled(earlier.quantile(0.5), variable), _spelled(middle, variable)
    what = f"median {was} → {is_now}"
    if variable.kind == "text":
        what = f"median length {was} → {is_now}"
    return distance, kolmogorov_p(distance, n, m), max(unseen, 0.0), what


def kolmogorov_p(distance: float, n: float, m: float) -> float:
    """The p-value of the distance of two samples (Kolmogorov, Smirnov; Stephens 1970).

    Examples
    --------
    >>> round(kolmogorov_p(0.2, 100, 100), 3), kolmogorov_p(0.0, 10, 10)
    (0.031, 1.0)
    """
    from scipy.special import kolmogorov

    root = np.sqrt(n * m / (n + m))
    return float(kolmogorov((root + 0.12 + 0.11 / root) * distance))


def _spelled(number: float, variable: Variable) -> str:
    if variable.kind == "time":
        return str(spell_time(int(number), variable.time_format))
    return short_number(number, 4)


def _symbols(earlier: Marginal, after: Table, weights: Floats) -> _Found:
    variable, codes = after.domain[earlier.name], after.column(earlier.name)
    counts = np.bincount(codes + 1, weights, minlength=len(variable.values) + 1)[1:]
    n, m = earlier.known, float(counts.sum())
    if n <= 0 or m <= 0:
        return _NOTHING
    place = {value: at for at, value in enumerate(earlier.values)}
    new = np.zeros(len(place) + 1)
    for value, count in zip(variable.values, counts.tolist(), strict=True):
        new[place.get(value, -1)] += count
    old = np.append(earlier.counts, earlier.others)
    shares = np.stack([old / n, new / m])
    distance = float(np.abs(shares[0] - shares[1]).sum() / 2)
    unseen = 0.0 if earlier.others else float(shares[1, -1])
    most = int(np.abs(shares[0] - shares[1]).argmax())
    name = cut(earlier.values[most], _NAME) if most < len(place) else "other values"
    what = f"{name} {shares[0, most]:.0%} → {shares[1, most]:.0%}"
    return distance, chi_square_test(_pooled(old, new)).p, unseen, what


def _pooled(old: Floats, new: Floats) -> Floats:
    """Counts by value, those that are expected too seldom in either sample taken together."""
    both = old + new
    fewest = both * min(old.sum(), new.sum()) / both.sum()
    rare = fewest < _EXPECTED
    held = np.stack([old, new])
    return np.column_stack([held[:, ~rare], held[:, rare].sum(axis=1)])
