"""The section on contrast sets: in what classes, high numbers, or the best rows by goals differ."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from satsuma.data.phrases import quantity
from satsuma.data.summary import cut
from satsuma.data.table import Table
from satsuma.data.variable import Variable
from satsuma.errors import DomainError
from satsuma.measures.ideal_point import distance_to_ideal
from satsuma.numerics.arrays import Array
from satsuma.plan.contrast import Contrast, contrast
from satsuma.report.analysis import APART, Analysis, Sample
from satsuma.report.elements import Cell, Grid, Section
from satsuma.report.number_format import format_condition, format_list, format_number, percent

#: Classes that are shown, and differences of each.
CLASSES, MOST = 6, 6

#: What rows nearest to the ideal point are called.
BEST = "The best fifth"

_TEST = (
    "Of each column, the greatest difference is listed, if it is more than chance explains "
    "(Fisher's exact test, corrected after Holm 1979). It need not be the cause: before you act on "
    "one, ask somebody who knows why it is there."
)


def contrast_section(analysis: Analysis) -> Section:
    """What is more frequent in a group than in the rest."""
    table = analysis.table
    target = table.domain.target
    if target is not None and target.kind == "sym":
        section, groups = Section("contrasts", "How the classes differ"), _by_class
    elif target is not None and target.kind == "num":
        section = Section("contrasts", f"What goes with a high {cut(target.name, 40)}")
        groups = _by_number
    elif table.domain.goals:
        section, groups = Section("contrasts", "What the best rows have"), _by_goals
    else:
        section = Section("contrasts", "What rows differ in")
        section.say(
            "There is no target and no goal to compare rows by. The section on clusters says what "
            "the clusters differ in."
        )
        return section
    _compare(section, analysis.sample(APART), groups)
    return section


def _compare(section: Section, some: Sample, groups: Callable[[Table], "list[Group]"]) -> None:
    """Add what each group differs in, and the greatest differences as the gist."""
    section.say(_TEST, str(some))
    first: list[str] = []
    for group in groups(some.table):
        if group.found:
            section.elements.append(_grid(group))
            most = group.found[0]
            often = "more" if most.effect > 0 else "less"
            first.append(f"{cut(format_condition(most), 60)} ({often} frequent in {group.called})")
        else:
            section.say(f"{group.name}: no significant difference.")
    gist = f"The greatest differences: {format_list(first, 3, 100)}." if first else (
        "There is no significant difference.")  # fmt: skip
    section.gist = some.with_size(gist)


class Group(NamedTuple):
    """Rows that are compared with the others, and in what they differ."""

    name: str
    rest: str
    sizes: tuple[int, int]
    found: list[Contrast]

    @property
    def called(self) -> str:
        """What it is called within a sentence."""
        return self.name.replace("The ", "the ", 1) if self.name == BEST else self.name


def _by_class(table: Table) -> list[Group]:
    target = table.domain.target
    assert target is not None
    codes = table.column(target.name)
    table, codes = table[codes >= 0], codes[codes >= 0]
    counts = np.bincount(codes, minlength=len(target.values))
    order = [int(c) for c in np.argsort(-counts, kind="stable") if counts[c]]
    if len(order) < 2:
        raise DomainError("There are no two classes to compare.")
    # Of two classes, what speaks for the one speaks against the other: the rarer one is shown.
    chosen = order[1:] if len(order) == 2 else order[:CLASSES]
    rest = _called(target, order[0]) if len(order) == 2 else "the others"
    return [_against(table, _called(target, c), codes == c, rest) for c in chosen]


def _called(target: Variable, code: int) -> str:
    """A class by its name; one that is a mere number or sign, by that of the target too."""
    value = cut(target.values[code], 40)
    return value if any(c.isalpha() for c in value) else f"{cut(target.name, 30)} {value}"


def _by_number(table: Table) -> list[Group]:
    target = table.domain.target
    assert target is not None
    column = table.column(target.name)
    table, column = table[~np.isnan(column)], column[~np.isnan(column)]
    if not len(column) or column.min() == column.max():
        raise DomainError("The target is always the same: there is no high one.")
    limit = float(np.quantile(column, 0.75))
    high = column >= limit if (column < limit).any() else column > limit
    return [_against(table, f"{cut(target.name, 40)} of {format_number(limit)} or more", high)]


def _by_goals(table: Table) -> list[Group]:
    away = distance_to_ideal(table)(table)
    best = away <= np.quantile(away, 0.2)
    if best.all():
        raise DomainError("All rows are equally good.")
    return [_against(table, BEST, best)]


def _against(table: Table, name: str, mine: Array, rest: str = "the others") -> Group:
    """Of each column, what is more frequent in the group, or else what is less so."""
    first: dict[str, Contrast] = {}
    for each in sorted(contrast(table, mine), key=lambda each: each.effect < 0):
        first.setdefault(each.column, each)
    found = sorted(first.values(), key=lambda each: -abs(each.effect))[:MOST]
    return Group(name, rest, (int(mine.sum()), int((~mine).sum())), found)


def _grid(group: Group) -> Grid:
    one, other = group.sizes
    caption = f"{group.name} ({quantity(one, 'row')}) against {group.rest} ({other:,})"
    lines = [
        [
            Cell(cut(format_condition(each), 70)),
            Cell(percent(each.shares[0]), bar=each.shares[0]),
            Cell(percent(each.shares[1]), bar=each.shares[1]),
        ]
        for each in group.found
    ]
    return Grid(caption, ["condition", group.name, group.rest], lines, (0, 1, 2))
