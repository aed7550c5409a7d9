"""Contrast sets: the few ranges and values in which two groups of rows differ most."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, cast, overload

import numpy as np
import numpy.typing as npt

from satsuma.data.domain import Domain
from satsuma.data.grids import aligned, grid_html
from satsuma.data.summary import cut
from satsuma.data.table import Table
from satsuma.data.time_features import with_times
from satsuma.data.variable import Variable
from satsuma.engines import check_rows
from satsuma.engines.timed_source import with_time_features
from satsuma.errors import DomainError, ParameterError
from satsuma.kernels.cuts import best_cut
from satsuma.learners.queries import fitted
from satsuma.measures.cut_points import halfway, mdl_cuts
from satsuma.measures.multiple_testing import CORRECTIONS
from satsuma.numerics.arrays import Array, Codes, Floats
from satsuma.plan.conjunctions import Condition, conjunctions
from satsuma.prepare.discretizers import MDL
from satsuma.tallies.values import Values

#: Rows of a group: their numbers, a mask, or a table of their own.
Group = Sequence[int] | npt.NDArray[Any] | slice | Table

#: The column that tells the groups apart.
_GROUP = "group of the row"

#: Characters of a condition.
_WIDTH = 48


@dataclass(frozen=True)
class Contrast:
    """A value, a range, or several of them at once, more frequent in one of two groups.

    Parameters
    ----------
    column, value
        What is found there: a symbol, or a range of numbers as it is written.
    is_range
        Whether it is a range.
    best, rest
        Rows of each group that have it, and those in which the column is known.
    p
        How probable so great a difference is by chance (Fisher's exact test, two-sided).
    corrected
        The same, considering how many differences were looked for.
    others
        Conditions on other columns that hold as well.
    """

    column: str
    value: str
    is_range: bool
    best: tuple[int, int]
    rest: tuple[int, int]
    p: float
    corrected: float
    others: tuple[Condition, ...] = ()

    @property
    def shares(self) -> tuple[float, float]:
        """Of the best and of the rest that have it."""
        return self.best[0] / self.best[1], self.rest[0] / self.rest[1]

    @property
    def effect(self) -> float:
        """The share of the best less that of the rest: above 0, do it; below 0, avoid it."""
        one, other = self.shares
        return one - other

    @property
    def support(self) -> int:
        """Rows of both groups that have it."""
        return self.best[0] + self.rest[0]

    @property
    def condition(self) -> str:
        """Columns and values as a person would write them."""
        own = Condition(self.column, self.value, self.is_range)
        return " and ".join(each.text for each in (own, *self.others))


class Contrasts(Sequence[Contrast]):
    """What sets two groups apart, the greatest difference first.

    Parameters
    ----------
    found
        The differences, in order.
    sizes
        Rows of the best and of the rest.
    tests
        How many differences were looked for.
    alpha
        Differences more probable than this by chance, as corrected, were left out.
    size
        The most columns that were looked at together.
    """

    def __init__(
        self,
        found: list[Contrast],
        sizes: tuple[int, int],
        tests: int,
        alpha: float,
        size: int = 1,
    ) -> None:
        self.found, self.sizes, self.tests, self.alpha = found, sizes, tests, alpha
        self.size = size

    def __len__(self) -> int:
        return len(self.found)

    @overload
    def __getitem__(self, at: int) -> Contrast: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[Contrast]: ...
    def __getitem__(self, at: int | slice) -> Contrast | Sequence[Contrast]:
        return self.found[at]

    def __iter__(self) -> Iterator[Contrast]:
        return iter(self.found)

    def __repr__(self) -> str:
        return f"Contrasts({[each.condition for each in self.found]})"

    def _title(self) -> str:
        best, rest = self.sizes
        head = f"{best} rows against {rest}; {self.tests} differences were looked for"
        if self.found:
            return head
        more = "" if self.size > 1 else "; size=2 looks at pairs of columns"
        return f"{head}, and none is significant at {self.alpha:g}{more}"

    def _cells(self) -> list[list[str]]:
        lines = [["", "best", "rest", "difference", "rows", "p", "corrected"]]
        for each in self.found:
            one, other = each.shares
            lines.append([
                cut(each.condition, _WIDTH), f"{one:.0%}", f"{other:.0%}", f"{each.effect:+.0%}",
                str(each.support), f"{each.p:.2g}", f"{each.corrected:.2g}",
            ])  # fmt: skip
        return lines

    def __str__(self) -> str:
        return "\n".join([self._title(), *(["", *aligned(self._cells())] if self.found else [])])

    def _repr_html_(self) -> str:
        return grid_html(self._title(), self._cells())


class _Cuts(MDL):
    """Where a cut pays for itself; if none does, one nonetheless, for the tests to judge."""

    def cuts(self, tally: Values, name: str) -> Floats:
        """At least one, if there are different numbers."""
        value, weight = tally[name].merged()
        found = mdl_cuts(value, weight)
        if len(found) or len(value) < 2:
            return found
        upto = np.concatenate((np.zeros((1, weight.shape[1])), np.cumsum(weight, axis=0)))
        at = best_cut(upto, 0, len(value), np.zeros(0))
        return halfway(value[at - 1 : at], value[at : at + 1])


def contrast(
    table: Table,
    best: Group,
    rest: Group | None = None,
    *,
    alpha: float = 0.05,
    correct: str = "holm",
    size: int = 1,
) -> Contrasts:
    """The values and ranges that are more frequent in one group of rows than in another.

    Numbers are cut into ranges where that tells the groups apart (`MDL`, but at least once). A
    missing cell counts for neither group. Of a column with two values or ranges, the one that the
    best have more often is told.

    Parameters
    ----------
    table
        Its attributes are compared, but for text.
    best, rest
        Two groups: numbers of rows, a mask, or a table with the same columns. The rest is all other
        rows unless given.
    alpha
        How probable a difference may be by chance, after correction, to be told; 1 for all.
    correct
        For many tests: ``holm`` (Holm 1979: the chance that any is wrong), ``fdr`` (Benjamini and
        Hochberg 1995: the share that is wrong), ``none``.
    size
        How many columns are looked at together, at most: 1, 2 or 3. What two columns tell together
        may be told by neither alone.

    Notes
    -----
    The differences are those of contrast sets (STUCCO: Bay and Pazzani 2001): they are
    ranked by the difference of shares, then by the rows that have it. Every threshold at which a
    column of numbers could have been cut counts as a test, since cuts are chosen by the groups.
    In conjunctions, numbers are cut at their quartiles instead, and five rows must have all of it;
    each condition must add to the others (Webb 2007). All conjunctions count as tests. Their number
    grows with the square, or the cube, of the number of columns.

    Examples
    --------
    >>> from satsuma import contrast, load
    >>> iris = load("iris")
    >>> print(contrast(iris, iris["Species"] == "setosa")[0].condition)
    Petal.Length <= 2.45
    """
    if not 0 < alpha <= 1:
        raise ParameterError(f"alpha must be above 0 and at most 1. Got {alpha!r}.")
    if size not in (1, 2, 3):
        raise ParameterError(f"size must be 1, 2 or 3. Got {size!r}.")
    if correct not in CORRECTIONS:
        raise ParameterError(f"correct must be one of {', '.join(CORRECTIONS)}. Got {correct!r}.")
    check_rows("contrast takes", table, sources=False)
    table = with_time_features(table, unlabelled=True)
    one, other = _groups(table, best, rest)
    joined = _joined(one, other)
    found = [
        (Condition(name, value, table.domain[name].kind == "num"), a, b)
        for name, value, a, b in _counted(_Cuts()(joined)(joined), len(one))
    ]
    together, more = conjunctions(joined, len(one), size, _fisher, alpha)
    tests = _tests(joined) + more
    ps = [_fisher(a, b) for _, a, b in found]
    whole = [((condition,), a, b, p) for (condition, a, b), p in zip(found, ps, strict=True)]
    whole += together
    corrected = CORRECTIONS[correct](np.array([p for *_, p in whole]), tests).tolist()
    told = [
        Contrast(*first, a, b, p, q, tuple(others))
        for ((first, *others), a, b, p), q in zip(whole, corrected, strict=True)
        if q <= alpha
    ]
    told.sort(key=lambda each: (-abs(each.effect), -each.support))
    return Contrasts(told, (len(one), len(other)), tests, alpha, size)


def _groups(table: Table, best: Group, rest: Group | None) -> tuple[Table, Table]:
    if rest is None and isinstance(best, Table):
        raise DomainError("If the best rows are a table of their own, say what the rest is: rest=.")
    chosen = None if isinstance(best, Table) else _numbers(table, best)
    if rest is None:
        assert chosen is not None
        others: Group = np.setdiff1d(np.arange(len(table)), chosen)
    else:
        others = rest if isinstance(rest, Table) else _numbers(table, rest)
    both = chosen is not None and not isinstance(others, Table)
    if both and len(twice := np.intersect1d(np.asarray(chosen), np.asarray(others))):
        raise DomainError(f"Row {twice[0]} is in both groups. Groups must be apart.")
    columns = with_times(Domain(table.domain.attributes), table.domain)
    made = [
        fitted(each, columns) if isinstance(each, Table) else table[each]
        for each in (best if chosen is None else chosen, others)
    ]
    for group, name in zip(made, ("best", "rest"), strict=True):
        if not len(group):
            raise DomainError(f"There are no rows in the group of the {name}.")
    return made[0], made[1]


def _numbers(table: Table, rows: Sequence[int] | npt.NDArray[Any] | slice) -> Array:
    """The numbers of rows that are chosen in any of the ways that a table knows."""
    every = Table(Domain([Variable("row")]), [np.arange(len(table), dtype=np.float64)])
    return np.unique(every[rows].column("row")).astype(np.intp)


def _joined(one: Table, other: Table) -> Table:
    """Both groups, with the group as the class."""
    variables = [v for v in one.domain.attributes if v.kind != "text"]
    if not variables:
        raise DomainError("There is nothing to compare: give some columns the role 'x'.")
    columns: list[Array] = [
        np.concatenate([one.column(v.name), other.column(v.name)]) for v in variables
    ]
    codes = np.repeat(np.array([0, 1], np.int32), [len(one), len(other)])
    group = Variable(_GROUP, "sym", ("best", "rest"), "target")
    return Table(Domain([*variables, group]), [*columns, codes], check=False)


_Counts = tuple[str, str, tuple[int, int], tuple[int, int]]


def _counted(cut_up: Table, size: int) -> list[_Counts]:
    """How many rows of each group have each value, of those in which its column is known."""
    found: list[_Counts] = []
    for variable in cut_up.domain.attributes:
        codes: Codes = cut_up.column(variable.name)
        counts = np.array([
            np.bincount(part[part >= 0], minlength=len(variable.values))
            for part in (codes[:size], codes[size:])
        ])  # fmt: skip
        known = counts.sum(axis=1)
        seen = np.flatnonzero(counts.sum(axis=0))
        if len(seen) < 2 or not known.all():
            continue
        if len(seen) == 2:  # either tells of both
            shares = counts / known[:, None]
            seen = seen[[int(np.argmax((shares[0] - shares[1])[seen]))]]
        for code in seen.tolist():
            (a, b), (m, n) = counts[:, code].tolist(), known.tolist()
            found.append((variable.name, variable.values[code], (a, m), (b, n)))
    return found


def _tests(joined: Table) -> int:
    """Differences that could have been found: values, and thresholds of numbers."""
    tests = 0
    for variable in joined.domain.attributes:
        cells = joined.column(variable.name)[~joined.missing(variable.name)]
        different = len(np.unique(cells))
        few = variable.kind == "num" or different == 2
        tests += different - 1 if few else different
    return tests


def _fisher(best: tuple[int, int], rest: tuple[int, int]) -> float:
    from scipy import stats

    table = [[best[0], best[1] - best[0]], [rest[0], rest[1] - rest[0]]]
    return float(cast("Any", stats).fisher_exact(table).pvalue)
