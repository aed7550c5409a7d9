"""Findings about rows and the target: duplicates, rare classes, missing targets."""

import math
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from satsuma.data.phrases import quantity, quoted, share
from satsuma.data.table import Table
from satsuma.data.variable import Variable
from satsuma.report.findings.finding import Finding

#: A class is rare that has fewer rows, or a smaller share of them.
FEW, SHARE = 10, 0.05


def row_findings(table: Table) -> list[Finding]:
    """The findings about rows and the target."""
    return [*_target(table), *_duplicates(table), *_wide(table)]


def _target(table: Table) -> Iterator[Finding]:
    target = table.domain.target
    if target is None:
        return
    name, missing = target.name, int(table.missing(target.name).sum())
    if missing == len(table):
        what = f"The target {quoted(name)} is missing in all rows: there is nothing to learn from."
        yield Finding(name, "no target", what, "Fill it in for some rows, or take another target.")
        return
    if missing:
        what = f"The target {quoted(name)} is missing in {quantity(missing, 'row')}"
        yield Finding(
            name, "target missing", f"{what} of {len(table):,}: nothing is learned from them.",
            "Fill it in, or leave those rows out.",
        )  # fmt: skip
    known = table.column(name)[~table.missing(name)]
    if target.kind in ("text", "time"):
        what = f"The target {quoted(name)} is {target.kind}, and no learner here predicts that."
        yield Finding(
            name, "no target", what,
            f"Take another target, or have it read as symbols: "
            f"table.with_kinds({{{name!r}: 'sym'}}).",
        )  # fmt: skip
    elif (known == known[0]).all():
        value = quoted(target.values[int(known[0])]) if target.kind == "sym" else f"{known[0]:g}"
        what = f"The target {quoted(name)} is {value} in all rows: there is nothing to predict."
        yield Finding(name, "one class", what, "Add rows of other classes, or take another target.")
    elif target.kind == "sym":
        yield from _rare(table, np.bincount(known, minlength=len(target.values)))


def _rare(table: Table, counts: npt.NDArray[np.intp]) -> Iterator[Finding]:
    target = table.domain.target
    assert target is not None
    name, rows = target.name, int(counts.sum())
    # Of many classes each has a small share; rare is one that has less than half an even one.
    even = rows / np.count_nonzero(counts)
    few = min(max(FEW, SHARE * rows), even / 2)
    rare = [int(c) for c in np.argsort(counts, kind="stable") if counts[c] < few]
    seen = [f"{quoted(target.values[c])} {counts[c]:,}" for c in rare if counts[c]]
    if seen:
        more = "" if len(seen) <= 4 else f" and {len(seen) - 4} more"
        yield Finding(
            name, "rare class",
            f"Some classes of {quoted(name)} are rare among {quantity(rows, 'row')}: "
            f"{', '.join(seen[:4])}{more}.",
            "Do not judge by accuracy alone; gather more rows of these classes.",
        )  # fmt: skip
    if unseen := [quoted(target.values[c]) for c in rare if not counts[c]]:
        more = "" if len(unseen) <= 4 else f" and {len(unseen) - 4} more"
        what = f"No row has {', '.join(unseen[:4])}{more}, which {quoted(name)} may be."
        yield Finding(name, "class not seen", what, "No model can predict it: gather rows of it.")


def _duplicates(table: Table) -> Iterator[Finding]:
    used = compared_columns(table)
    if len(used) < 2:
        return
    distinct = np.unique(row_hashes(table, [v.name for v in used])).size
    again, room = len(table) - distinct, _room(table, [v.name for v in used])
    # Where columns have so few values that rows must meet, that rows are alike says nothing.
    if again and room > math.log(10 * len(table)):
        what = f"{quantity(again, 'row')} of {len(table):,} ({share(again, len(table))})"
        yield Finding(
            None, "duplicate rows",
            f"{what} repeat{'s' if again == 1 else ''} an earlier row in {_compared(table, used)}.",
            "If one thing was recorded twice, keep it once: a model tested on a row that it was "
            "trained on looks better than it is. If they are different things, let them be.",
        )  # fmt: skip


def compared_columns(table: Table) -> list[Variable]:
    """The columns by which rows are called alike."""
    return [v for v in table.domain if v.role in ("x", "target", "goal")]


def _compared(table: Table, used: list[Variable]) -> str:
    """The columns in which rows were compared, in words."""
    left = [quoted(v.name) for v in table.domain if v not in used]
    if not left:
        return "every column"
    more = f" and {len(left) - 1:,} more are" if len(left) > 1 else " is"
    aim = ", and in the target" if table.domain.target else ""
    return f"every attribute{aim} ({left[0]}{more} left out)"


def row_hashes(table: Table, names: list[str]) -> npt.NDArray[np.uint64]:
    """A hash of each row, the same for rows that are alike (and for others next to never)."""
    hashes = np.zeros(len(table), np.uint64)
    for name in names:
        column = table.column(name)
        if table.domain[name].kind == "num":
            cells = np.where(np.isnan(column), np.nan, column + 0.0).view(np.uint64)
        elif table.domain[name].kind == "sym":
            cells = column.astype(np.int64).view(np.uint64)
        elif table.domain[name].kind == "time":
            cells = column.view(np.uint64)
        else:
            codes: dict[str | None, int] = {}
            found = (codes.setdefault(cell, len(codes)) for cell in column)
            cells = np.fromiter(found, np.uint64, len(column))
        hashes = (hashes ^ cells) * np.uint64(0x9E3779B97F4A7C15)
        hashes ^= hashes >> np.uint64(29)
        hashes *= np.uint64(0xBF58476D1CE4E5B9)
        hashes ^= hashes >> np.uint64(32)
    return hashes


def _room(table: Table, names: list[str]) -> float:
    """The logarithm of how many different rows there could be."""
    room = 0.0
    for name in names:
        kind, column = table.domain[name].kind, table.column(name)
        seen = len(set(column)) if kind == "text" else len(np.unique(column))
        room += math.log(max(1, seen))
    return room


def _wide(table: Table) -> Iterator[Finding]:
    columns = len(table.domain.attributes)
    if not columns:
        what = "There is no attribute to learn from."
        remedy = "Give some the role 'x': table.with_roles({…: 'x'})."
        yield Finding(None, "no attributes", what, remedy)
    elif len(table) < columns:
        what = f"There are fewer rows ({len(table):,}) than attributes ({columns:,})"
        yield Finding(
            None, "more columns than rows", f"{what}: some will look predictive by chance.",
            "Trust only what holds in cross-validation, and leave out columns that cannot matter.",
        )  # fmt: skip
