"""Law 1: tallies add up, whatever the cuts and the order of the rows."""

from collections.abc import Iterator
from typing import Any, cast

import numpy as np

from satsuma.checks.batches import Batches, Merge, merge_tallies
from satsuma.checks.fingerprints import fingerprint
from satsuma.checks.law_broken import LawBroken, on
from satsuma.checks.law_predictions import check_close, predictions, queries, stack_tables
from satsuma.checks.law_tables import table_of, tables, with_column, with_hole
from satsuma.checks.variants import known_only
from satsuma.data.table import Table
from satsuma.learners.learner import Learner, TallyLearner, learns_in_one_round
from satsuma.tallies.base import Tally

_CUTS: tuple[tuple[int, Merge], ...] = (
    (1, "left"),
    (7, "right"),
    (7, "pairs"),
    (31, "backwards"),
)


def _tallied(learner: Learner) -> Iterator[tuple[TallyLearner[Tally], Table]]:
    """The tables that a learner learns from in one round, on which its tallies can be looked at."""
    for table in tables(learner.takes):
        if learns_in_one_round(learner, table.domain):
            yield learner, table


def _kind(learner: TallyLearner[Tally], tally: Tally) -> Any:
    """What makes the tallies of a learner: what it says, or else the class of one of them."""
    return learner.shared_kind or type(tally)


def cuts_change_nothing(learner: Learner) -> None:
    """Rows in batches of any size, merged in any order, give the model of all rows at once."""
    if learner.takes.rounds == "rows":
        return
    for table in tables(learner.takes):
        asked = queries(table, learner.takes)
        with on(table, "learning from all rows"):
            whole = predictions(learner(table), asked)
        for size, merge in _CUTS:
            doing = f"learning from batches of {size} rows, merged in the order {merge!r},"
            with on(table, doing):
                parts = predictions(learner(Batches(table, size=size, merge=merge)), asked)
                check_close(whole, parts, doing)


def order_changes_nothing(learner: Learner) -> None:
    """The same rows in another order give the same model, unless it is a learner from streams."""
    if learner.takes.rounds in ("rows", "stream"):
        return
    for table in tables(learner.takes):
        asked = queries(table, learner.takes)
        shuffled = table[np.random.default_rng(1).permutation(len(table))]
        with on(table, "learning from the rows in another order"):
            first, second = (
                predictions(learner(table), asked),
                predictions(learner(shuffled), asked),
            )
            check_close(first, second, "learning from the rows in another order")


def zero_adds_nothing(learner: Learner) -> None:
    """The zero of a tally, and the tally of no rows, change nothing when they are added."""
    for one, table in _tallied(learner):
        asked = queries(table, learner.takes)
        with on(table, "adding a tally and zero"):
            tally = one.tally(table)
            plain = predictions(one.concluded(tally), asked)
            zero = _kind(one, tally).zero(tally.domain)
            for doing, added in (
                ("zero + tally", zero + tally),
                ("tally + zero", tally + zero),
                ("the tally of no rows + tally", one.tally(table[:0]) + tally),
                ("tally + the tally of no rows", tally + one.tally(table[:0])),
            ):
                check_close(plain, predictions(one.concluded(added), asked), doing)


def folds_are_tallied_alike(learner: Learner) -> None:
    """What `tally_kind` makes of folds in one pass is what `tally` makes of the rows of each."""
    for one, table in _tallied(learner):
        if one.shared_kind is None:
            return
        asked = queries(table, learner.takes)
        folds = np.arange(len(table)) % 4 - 1  # the rows of fold -1 are in none
        doing = "tallying folds by tally_kind, and their rows by tally,"
        with on(table, doing):
            for fold, tally in enumerate(cast("Any", one).tally_kind.by_fold(table, folds, 3)):
                rows = one.tally(table[np.flatnonzero(folds == fold)])
                first, second = predictions(one.concluded(rows), asked), one.concluded(tally)
                check_close(first, predictions(second, asked), doing)


def adding_makes_a_new_tally(learner: Learner) -> None:
    """A tally is a value: what is added, or concluded from, stays as it was."""
    for one, table in _tallied(learner):
        with on(table, "adding two tallies"):
            left, right = one.tally(table[:20]), one.tally(table[20:])
            before = fingerprint(left.state()), fingerprint(right.state())
            one.concluded(left + right)
            one.concluded(left)
            if before != (fingerprint(left.state()), fingerprint(right.state())):
                raise LawBroken("adding two tallies, or concluding from one, changed one of them")


def categories_unify_by_value(learner: Learner) -> None:
    """Batches that know other symbols, in another order, add up by value and not by code."""
    for one, base in _tallied(learner):
        table = known_only(base)
        asked = queries(table, learner.takes)
        doing = "adding tallies of batches that list their symbols in another order"
        with on(table, doing):
            whole = learner(table)
            parts = [known_only(table[at::3], backwards=at % 2 == 1) for at in range(3)]
            model = one.concluded(merge_tallies([one.tally(part) for part in parts], "left"))
            classes = whole.classes if learner.takes.target == "classes" else None
            check_close(
                predictions(whole, asked, classes), predictions(model, asked, classes), doing
            )


def columns_known_in_part(learner: Learner) -> None:
    """A batch in which a column is missing altogether can be added to one where it is known."""
    for one, table in _tallied(learner) if learner.takes.missing else ():
        name = table.domain.attributes[-1].name
        holed = known_only(with_hole(table[:20], name, slice(None)))
        doing = "adding a batch in which a column is missing altogether"
        with on(table, doing):
            whole = stack_tables(with_hole(table[:20], name, slice(None)), table[20:])
            asked = queries(table, learner.takes)
            found = one.concluded(one.tally(table[20:]) + one.tally(holed))
            check_close(predictions(learner(whole), asked), predictions(found, asked), doing)


def a_variance_far_from_zero(learner: Learner) -> None:
    """Numbers far from zero lose no digits on the way through many small tallies."""
    if learner.takes.rounds == "rows" or "num" not in learner.takes.kinds:
        return
    table = table_of(learner.takes, "far from zero", kinds=["num"] * 3)
    for variable in table.domain.attributes:
        table = with_column(table, variable, table.column(variable.name) + 1e5)
    asked = queries(table, learner.takes)
    doing = "learning from single rows, of numbers around 100,000,"
    with on(table, doing):
        parts = predictions(learner(Batches(table, size=1)), asked)
        check_close(predictions(learner(table), asked), parts, doing)


CHECKS = (
    cuts_change_nothing,
    order_changes_nothing,
    zero_adds_nothing,
    folds_are_tallied_alike,
    adding_makes_a_new_tally,
    categories_unify_by_value,
    columns_known_in_part,
    a_variance_far_from_zero,
)
