"""Compared rows: a table as learners get it, what is left out of it, and its folds."""

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from satsuma.data.notes import note
from satsuma.data.summary import cut, short_number
from satsuma.data.table import Table
from satsuma.data.time_features import TimeFeatures
from satsuma.errors import DomainError
from satsuma.evaluate.candidates import parting_of, usual_folds
from satsuma.evaluate.fold_plans import FoldRequest
from satsuma.evaluate.request import is_whole, known_rows, with_features
from satsuma.evaluate.results_display import NAME
from satsuma.evaluate.suspected_leakage import Leaks, leaks_of
from satsuma.folds import even_order

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from satsuma.learners.learner import Learner

#: Numbers that are so few may be the codes of classes.
_FEW = 5


def prepared_rows(table: Table, chosen: "Mapping[str, Learner] | None") -> tuple[Table, list[str]]:
    """The table as learners get it, and what to say of that."""
    timed = with_features(table, chosen or {})
    rows, notes = set_aside(timed, chosen)
    return rows, notes + (
        TimeFeatures.of_domain(timed.domain).notes() if table.domain.times else []
    )


def leaks_among(
    leaks: "Leaks | Iterable[str] | None", given: Table, prepared: Table
) -> dict[str, str]:
    """The columns that may know the target, of those that would be learned from."""
    unused = {v.name for v in given.domain.attributes if v.kind == "text"}
    unused -= {v.name for v in prepared.domain.attributes}
    found = leaks_of(leaks, given)
    return {name: why for name, why in found.items() if name not in unused}


def held_out_rows(table: Table, asked: FoldRequest) -> tuple[FoldRequest, str]:
    """Some rows to test, and all others to learn from; each class has its share of both."""
    known = known_rows(table, {})
    order = even_order(known.strata(stratified=True), np.random.default_rng(asked.seed))
    parting = parting_of(len(order), 1)
    pairs = [(np.sort(order[: parting.learned]), np.sort(order[parting.learned :]))]
    what = f"{parting.learned:,} rows learned from, {parting.tested:,} tested"
    return replace(asked, folds=pairs), what


def set_aside(table: Table, chosen: "Mapping[str, Learner] | None") -> tuple[Table, list[str]]:
    """The table without columns of text that no learner takes, and what to say of it."""
    texts = [v.name for v in table.domain.attributes if v.kind == "text"]
    alone = len(texts) == len(table.domain.attributes)
    taken = alone if chosen is None else all("text" in each.takes.kinds for each in chosen.values())
    if not texts or taken:
        return table, []
    listed = ", ".join(repr(cut(each, NAME)) for each in texts[:5])
    more = f" and {len(texts) - 5} more" if len(texts) > 5 else ""
    told = note("no text", names=listed + more)
    return table.with_roles(dict.fromkeys(texts, "meta")), [told]


def with_folds(table: Table, asked: FoldRequest) -> FoldRequest:
    """As many folds as are asked for or as are usual, or as there are rows."""
    there = int(known_rows(table, {}).used.sum())
    if there < 2:
        raise DomainError(
            f"To compare learners takes at least two rows with a known target and a weight above "
            f"0. There is {there or 'none'}."
        )
    if not table.domain.attributes:
        raise DomainError(
            "There is nothing to learn from: no column is left beside the target. "
            "Give some the role 'x': table.with_roles({…: 'x'})."
        )
    if asked.folds is None:
        return replace(asked, folds=min(usual_folds(there), there))
    return replace(asked, folds=min(asked.folds, there)) if is_whole(asked.folds) else asked


def without_target(table: Table) -> list[str]:
    """What to say of rows that are not compared, as their target is missing."""
    target = table.domain.target
    missing = 0 if target is None else int(table.missing(target.name).sum())
    if target is None or not missing:
        return []
    rows = f"{len(table):,}"
    return [note("no target", count=f"{missing:,}", rows=rows, name=target.name)]


def few_numbers(table: Table) -> list[str]:
    """What to say of a target of so few numbers that they may be classes."""
    target = table.domain.target
    if target is None or target.kind != "num":
        return []
    column = table.column(target.name)
    found = np.unique(column[~np.isnan(column)])
    if len(found) > _FEW or len(table) < 4 * len(found):
        return []
    listed = ", ".join(map(short_number, found.tolist()))
    return [note("few numbers", name=target.name, numbers=listed)]
