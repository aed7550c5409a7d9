"""The section on another table: which columns differ, and whether rows can be told apart."""

from typing import Any, NamedTuple, cast

import numpy as np

from satsuma.data.domain import Domain
from satsuma.data.identifiers import key_like
from satsuma.data.phrases import quantity
from satsuma.data.summary import cut
from satsuma.data.table import Table
from satsuma.data.variable import Variable
from satsuma.errors import DomainError, SatsumaError
from satsuma.evaluate.cross_validation import cross_validate
from satsuma.evaluate.importances import importances
from satsuma.learners.tree.forest import Forest
from satsuma.measures.drift import Drift, drift
from satsuma.numerics.arrays import Array, Floats
from satsuma.report.analysis import Analysis
from satsuma.report.elements import Cell, Grid, Section
from satsuma.report.number_format import format_list, percent

#: Rows of each table that a classifier learns from, columns that are listed, columns it names.
ROWS, LISTED, NAMED = 2_000, 200, 8

#: Half the width of an interval of 95 %, in standard errors.
_Z = 1.959963984540054

#: Areas under the ROC curve from which tables differ a little, and much.
_LITTLE, _MUCH = 0.55, 0.7


def against_section(analysis: Analysis) -> Section:
    """The columns that differ, by tests, and a classifier that tells the two tables apart."""
    table, other = analysis.table, analysis.against
    assert other is not None
    title = cut(other.name or "the other table", 60)
    section = Section("against", f"Compared with {title}")
    shared = _shared(table, other, section)
    found = drift(table.select(shared), other.select(shared))
    apart = _told_apart(table.select(shared), other.select(shared), analysis.seed)
    section.gist = " ".join([_moved(found, title), apart.sentence if apart else ""]).strip()
    section.say(section.gist)
    section.say(
        f"This table has {quantity(len(table), 'row')}, {title} has {len(other):,}. The distance "
        f"goes from 0 to 1: of symbols, it is the share of rows that would have to change their "
        f"value (total variation); of numbers, the greatest difference between the shares of rows "
        f"up to any value (Kolmogorov and Smirnov). A column counts as different where it is "
        f"significant after Holm's correction and the distance is at least {found.least:g}."
    )
    section.elements.append(_grid(found))
    if apart:
        section.elements.append(_columns(apart))
        section.say(apart.how)
    return section


def _shared(table: Table, other: Table, section: Section) -> list[str]:
    """The columns that both have, of the same kind; what only one of them has is said."""
    names, others = table.domain.names, other.domain.names
    shared = [n for n in names if n in others and table.domain[n].kind == other.domain[n].kind]
    for listed, what in (
        ([n for n in names if n not in others], "only in this table"),
        ([n for n in others if n not in names], "only in the other table"),
        ([n for n in names if n in others and n not in shared], "of another kind in the other"),
    ):
        if listed:
            section.say(f"{'Column' if len(listed) == 1 else 'Columns'} {what}: "
                        f"{format_list(listed, 8)}.")  # fmt: skip
    if not shared:
        raise DomainError("The two tables have no column in common, by name and kind.")
    return shared


def _moved(found: Drift, title: str) -> str:
    moved = found.moved
    if not moved:
        return f"No column differs from that of {title} by more than chance explains."
    told = [f"{cut(name, 32)} ({found[name].what})" for name in moved[:3]]
    more = f" and {len(moved) - 3} more" if len(moved) > 3 else ""
    return f"{len(moved)} of {quantity(len(found), 'column')} differ: {', '.join(told)}{more}."


def _grid(found: Drift) -> Grid:
    moved = set(found.moved)
    lines = [
        [
            Cell(cut(name, 40)), Cell("different" if name in moved else "", strong=name in moved),
            Cell(f"{each.distance:.2f}", bar=each.distance), Cell(_p(each.p)),
            Cell(f"{percent(each.missing_before)} → {percent(each.missing_after)}"
                 if each.missing_before or each.missing_after else ""),
            Cell(percent(each.unseen) if each.unseen else ""), Cell(each.what),
        ]
        for name, each in list(found.items())[:LISTED]
    ]  # fmt: skip
    head = ["column", "", "distance", "p", "missing", "new values", "what changed"]
    return Grid("Columns, those that differ most first", head, lines, (0, 1, 2, 4, 6), sorts=True)


def _p(p: float) -> str:
    return "<0.001" if p < 0.001 else f"{p:.3f}"


# A classifier that tells the tables apart


class Apart(NamedTuple):
    """How well a classifier tells two tables apart, and by which columns."""

    auc: float
    low: float
    high: float
    rows: int
    drops: dict[str, float]

    @property
    def sentence(self) -> str:
        """What that means."""
        if self.low <= 0.5 or self.auc < _LITTLE:
            return "A classifier cannot tell rows of the two tables apart."
        much = "well" if self.auc >= _MUCH else "to some degree"
        how = f"shown a row of each, it knows in {percent(self.auc)} of all cases which is which"
        first = [name for name, drop in self.drops.items() if drop > 0.005][:3]
        by = f", mainly by {format_list(first, 3)}" if first else ""
        return (
            f"A classifier can tell rows of the two tables apart {much}{by}: {how}, where guessing "
            f"is right in 50 %."
        )

    @property
    def how(self) -> str:
        """How it was found."""
        return (
            f"That share (the AUC) is {self.auc:.3f}, with 95 % confidence {self.low:.3f} to "
            f"{self.high:.3f} (DeLong et al. 1988): 0.5 is guessing, 1 tells every row. A forest "
            f"learned which table a row is from, on {self.rows:,} rows drawn evenly from both, in "
            f"five folds; attributes and the target were used, keys were not. A column counts by "
            f"how much the AUC falls when its values are shuffled in rows that were not learned "
            f"from."
        )


def _told_apart(table: Table, other: Table, seed: int) -> Apart | None:
    """Learn which table a row is from; None where there is nothing to learn from."""
    keys = {*key_like(table), *key_like(other)}
    used = [v for v in table.domain if v.kind != "text" and v.name not in keys
            and v.role in ("x", "target", "goal")]  # fmt: skip
    n = min(len(table), len(other), ROWS)
    if n < 20 or not used:
        return None
    rng = np.random.default_rng([seed, 7])
    rows = [np.sort(rng.choice(len(each), n, replace=False)) for each in (table, other)]
    both = _stacked(table, other, used, rows)
    learner = Forest(trees=60, seed=seed)
    try:
        results = cross_validate(learner, both, folds=5, seed=seed)
    except SatsumaError:
        return None
    truth: Array = both.column("table")
    auc, low, high = auc_interval(results.probabilities("Forest")[:, 1], truth)
    return Apart(auc, low, high, 2 * n, _drops(learner, both, rng))


def _stacked(table: Table, other: Table, used: list[Variable], rows: list[Array]) -> Table:
    """Rows of both tables, below each other, with a class that says which."""
    variables: list[Variable] = []
    columns: list[Array] = []
    for variable in used:
        name, parts = variable.name, list[Array]()
        values = list(variable.values)
        for each, some in zip((table, other), rows, strict=True):
            column = each.column(name)[some]
            if variable.kind == "sym":
                place = {value: at for at, value in enumerate(values)}
                new = [place.setdefault(v, len(place)) for v in each.domain[name].values]
                values = list(place)
                column = np.append(np.array(new, np.int32), np.int32(-1))[column]
            elif variable.kind == "time":
                gaps = np.isnat(column)
                column = np.where(gaps, np.nan, column.view(np.int64).astype(np.float64))
            parts.append(column)
        kind = "sym" if variable.kind == "sym" else "num"
        variables.append(Variable(name, kind, tuple(values) if kind == "sym" else ()))
        columns.append(np.concatenate(parts))
    label = np.repeat(np.arange(2, dtype=np.int32), [len(some) for some in rows])
    domain = Domain([*variables, Variable("table", "sym", ("this", "other"), "target")])
    return Table(domain, [*columns, label])


def auc_interval(scores: Floats, truth: Array) -> tuple[float, float, float]:
    """The area under the ROC curve, and where it lies with 95 % confidence (DeLong et al. 1988).

    Examples
    --------
    >>> auc_interval(np.array([0.1, 0.4, 0.35, 0.8]), np.array([0, 0, 1, 1]))[0]
    0.75
    """
    from scipy import stats

    rankdata = cast("Any", stats).rankdata
    ones, zeros = scores[truth == 1], scores[truth == 0]
    m, n = len(ones), len(zeros)
    every = rankdata(np.concatenate([ones, zeros]))
    above = (every[:m] - rankdata(ones)) / n
    below = 1 - (every[m:] - rankdata(zeros)) / m
    auc = float(above.mean())
    spread = float(above.var(ddof=1) / m + below.var(ddof=1) / n) if min(m, n) > 1 else 0.0
    half = _Z * np.sqrt(spread)
    return auc, max(0.0, auc - half), min(1.0, auc + half)


def _drops(learner: Forest, both: Table, rng: "np.random.Generator") -> dict[str, float]:
    """How much the AUC on a third of the rows falls when a column is shuffled, greatest first."""
    order = rng.permutation(len(both))
    test, rest = both[np.sort(order[: len(both) // 3])], both[np.sort(order[len(both) // 3 :])]
    return dict(importances(learner(rest), test, measure="AUC", repeats=2))


def _columns(apart: Apart) -> Grid:
    most = max(0.01, *apart.drops.values())
    lines = [
        [Cell(cut(name, 40)), Cell(f"{max(drop, 0.0):.3f}", bar=float(np.clip(drop / most, 0, 1)))]
        for name, drop in list(apart.drops.items())[:NAMED]
    ]
    caption = "By which columns rows can be told apart"
    return Grid(caption, ["column", "what it adds to the AUC"], lines, (0, 1))
