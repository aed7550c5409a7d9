"""Leakage: columns that seem to know the target, as if filled in after it."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from satsuma.data.phrases import quantity, quoted, share
from satsuma.data.row_sample import sample_rows
from satsuma.data.table import Table
from satsuma.data.variable import Variable
from satsuma.engines import reduce
from satsuma.measures.attribute_scores import COUNTED, interval_counts
from satsuma.numerics.arrays import Codes, Floats
from satsuma.tallies.class_counts import ClassCounts
from satsuma.tallies.values import Values

#: Leakage is a column that leaves so small a share of rows wrong, and so small a share of the
#: errors that are made without it.
_WRONG, _LEFT = 0.01, 0.05

#: With fewer rows, it may be by chance.
_FEWEST = 30

#: How improbable it must be that only one class lacks a value, over all columns.
_IMPROBABLE = 1e-4


class Leak(NamedTuple):
    """A column that seems to know the target, and why.

    Parameters
    ----------
    column
        Its name.
    sort
        ``leakage``, or ``leakage by missing values``.
    sentence
        What was found.
    """

    column: str
    sort: str
    sentence: str


def find_leakage(table: Table, names: Sequence[str]) -> list[Leak]:
    """The columns that alone predict (nearly) all of the target, by value or by what is missing."""
    target = table.domain.target
    if target is None or target.kind not in ("num", "sym"):
        return []
    known = table[~table.missing(target.name)]
    if len(known) < _FEWEST:
        return []
    find = _of_classes if target.kind == "sym" else _of_numbers
    some = sample_rows(known.select([*names, target.name]))
    found = list(find(some, target))
    if not found or len(some) == len(known):
        return found
    # What is suspected in a sample is inspected again in all rows: its figures are theirs.
    suspects = [each.column for each in found]
    return list(find(known.select([*suspects, target.name]), target))


def _of_classes(table: Table, target: Variable) -> Iterator[Leak]:
    codes: Codes = table.column(target.name)
    without = len(table) - int(np.bincount(codes).max())
    if not without:
        return
    tally = reduce(table, COUNTED.of)
    counts, values = tally[ClassCounts], tally[Values]
    for variable in table.domain.attributes:
        if variable.kind not in ("num", "sym"):
            continue
        name = variable.name
        by = counts[name] if variable.kind == "sym" else interval_counts(values, name)
        found = _by_values(table, name, by, without) if len(by) else None
        found = found or _by_missing(table, variable, codes, target)
        if found:
            yield found


def _by_values(table: Table, name: str, by: Floats, without: int) -> Leak | None:
    """Whether to predict the most frequent class of each value leaves next to no errors."""
    seen = by.sum(axis=1) > 0
    rows = by.sum()
    if rows < len(table) / 2 or seen.sum() > rows / 5:
        return None
    wrong = int(rows - by.max(axis=1).sum())
    if wrong > _WRONG * rows or wrong > _LEFT * without:
        return None
    target = table.domain.target
    assert target is not None
    how = "without an error" if not wrong else f"with {quantity(wrong, 'error')}"
    alone = f"{quoted(name)} alone predicts {quoted(target.name)} {how} in {rows:,.0f} rows"
    return Leak(name, "leakage", f"{alone}; without it, {without:,} would be wrong.")


def _by_missing(table: Table, variable: Variable, codes: Codes, target: Variable) -> Leak | None:
    """Whether a column is missing, or known, in rows of one class only, and not by chance."""
    missing = table.missing(variable.name)
    shares = np.bincount(codes, minlength=len(target.values)) / len(codes)
    for lacking, which in ((True, missing), (False, ~missing)):
        classes = np.unique(codes[which])
        n = int(which.sum())
        if len(classes) != 1 or n == len(codes):
            continue
        if shares[classes[0]] ** n * len(table.domain) < _IMPROBABLE:
            value = quoted(target.values[int(classes[0])])
            where = f"{quoted(variable.name)} is {'missing' if lacking else 'known'} in {n:,} rows"
            rare = share(int((codes == classes[0]).sum()), len(codes))
            why = f"{where}, all of them {value}, which is {rare} of the rows."
            return Leak(variable.name, "leakage by missing values", why)
    return None


def _of_numbers(table: Table, target: Variable) -> Iterator[Leak]:
    aim: Floats = table.column(target.name)
    if not np.isfinite(aim).all() or (aim == aim[0]).all():
        return
    for variable in table.domain.attributes:
        known = ~table.missing(variable.name)
        if variable.kind not in ("num", "sym") or known.sum() < max(_FEWEST, len(table) / 2):
            continue
        cells, wanted = table.column(variable.name)[known], aim[known]
        explained = _in_line(cells, wanted) if variable.kind == "num" else _by_value(cells, wanted)
        if explained > 0.998:
            alone = (
                f"{quoted(variable.name)} alone explains {share(explained, 1)} of the variance of"
            )
            yield Leak(variable.name, "leakage", f"{alone} {quoted(target.name)}.")


def _in_line(cells: Floats, wanted: Floats) -> float:
    """The square of the correlation."""
    one, other = (each / max(np.abs(each).max(), 1e-300) for each in (cells, wanted))
    if not np.isfinite(one).all() or one.std() == 0 or other.std() == 0:
        return 0.0
    return float(np.corrcoef(one, other)[0, 1] ** 2)


def _by_value(codes: Codes, wanted: Floats) -> float:
    """The share of the variance that lies between the means of values, which must repeat."""
    values, groups = np.unique(codes, return_inverse=True)
    if len(values) > len(codes) / 5 or wanted.std() == 0:
        return 0.0
    weight = np.bincount(groups)
    means = np.bincount(groups, wanted) / weight
    return float(1 - ((wanted - means[groups]) ** 2).mean() / wanted.var())
