"""The section on what sets groups of rows apart: classes, high numbers, or the best by goals."""

from typing import NamedTuple

import numpy as np

from satsuma.data.summary import cut
from satsuma.data.table import Table
from satsuma.data.variable import Variable
from satsuma.errors import DomainError
from satsuma.measures.ideal_point import disty
from satsuma.numerics.arrays import Array
from satsuma.plan.contrast import Contrast, contrast
from satsuma.report.analysis import APART, Story
from satsuma.report.elements import Cell, Grid, Section
from satsuma.report.findings.finding import counted
from satsuma.report.number_format import listed, percent, spelled, told

#: Classes that are told of, and differences of each.
CLASSES, MOST = 6, 6

_TEST = (
    "Only differences that pass Fisher's exact test after Holm's correction (1979) are listed; of "
    "each column, the greatest."
)


def about_contrasts(story: Story) -> Section:
    """What is more frequent in a group than in the rest."""
    table = story.table
    target = table.domain.target
    if target is not None and target.kind == "sym":
        section, groups = Section("contrasts", "What the classes differ in"), _by_class
    elif target is not None and target.kind == "num":
        section = Section("contrasts", f"What goes with a high {cut(target.name, 40)}")
        groups = _by_number
    elif table.domain.goals:
        section, groups = Section("contrasts", "What the best rows have"), _by_goals
    else:
        section = Section("contrasts", "What groups differ in")
        section.say(
            "There is no target and no goal to tell groups apart; what clusters differ in stands "
            "with the clusters."
        )
        return section
    some = story.some(APART)
    found = groups(some.table)
    section.say(_TEST, str(some))
    first: list[str] = []
    for group in found:
        if group.found:
            section.parts.append(_grid(group))
            first.append(f"of {group.name}, {cut(spelled(group.found[0]), 60)}")
        else:
            section.say(f"Nothing sets {group.name} apart beyond chance.")
    gist = f"Most telling: {listed(first, 3, 100)}." if first else (
        "Nothing sets the groups apart beyond chance.")  # fmt: skip
    section.gist = some.alone(gist)
    return section


class Group(NamedTuple):
    """Rows that are told apart from others, and by what."""

    name: str
    rest: str
    sizes: tuple[int, int]
    found: list[Contrast]


def _by_class(table: Table) -> list[Group]:
    target = table.domain.target
    assert target is not None
    codes = table.column(target.name)
    table, codes = table[codes >= 0], codes[codes >= 0]
    counts = np.bincount(codes, minlength=len(target.values))
    order = [int(c) for c in np.argsort(-counts, kind="stable") if counts[c]]
    if len(order) < 2:
        raise DomainError("There are no two classes to be told apart.")
    # Of two classes, what speaks for the one speaks against the other: the rarer one is told of.
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
    return [_against(table, f"{cut(target.name, 40)} of {told(limit)} or more", high)]


def _by_goals(table: Table) -> list[Group]:
    away = disty(table)(table)
    best = away <= np.quantile(away, 0.2)
    if best.all():
        raise DomainError("All rows are equally good.")
    return [_against(table, "The best fifth", best)]


def _against(table: Table, name: str, mine: Array, rest: str = "the others") -> Group:
    """Of each column, what is more frequent in the group, or else what is less so."""
    first: dict[str, Contrast] = {}
    for each in sorted(contrast(table, mine), key=lambda each: each.effect < 0):
        first.setdefault(each.column, each)
    found = sorted(first.values(), key=lambda each: -abs(each.effect))[:MOST]
    return Group(name, rest, (int(mine.sum()), int((~mine).sum())), found)


def _grid(group: Group) -> Grid:
    one, other = group.sizes
    caption = f"{group.name} ({counted(one, 'row')}) against {group.rest} ({other:,})"
    lines = [
        [
            Cell(cut(spelled(each), 70)),
            Cell(percent(each.shares[0]), bar=each.shares[0]),
            Cell(percent(each.shares[1]), bar=each.shares[1]),
        ]
        for each in group.found
    ]
    return Grid(caption, ["what", group.name, group.rest], lines, (0, 1, 2))
