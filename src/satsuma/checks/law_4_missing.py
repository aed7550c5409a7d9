"""Law 4: a cell may be missing anywhere, and what is new later never crashes."""

from typing import Any

import numpy as np

from satsuma.checks.law_broken import may_refuse, must_refuse, on
from satsuma.checks.law_predictions import (
    check_close,
    check_legal,
    predictions,
    queries,
    with_unseen,
)
from satsuma.checks.law_tables import attributes_of, table_of, tables, with_hole
from satsuma.checks.variants import fit_arguments, fresh, known_only
from satsuma.data.table import Table
from satsuma.learners.learner import Learner, learns_in_one_round


def holes_in_learning(learner: Learner) -> None:
    """Cells may be missing in every column of the rows that are learned from, or are refused."""
    for table in tables(learner.takes, weighted=False):
        asked = queries(table, learner.takes)
        for variable in table.domain.attributes:
            holed = with_hole(table, variable.name, slice(None, None, 3))
            doing = f"learning with missing values in {variable.name!r}"
            if not learner.takes.missing:
                must_refuse(holed, doing, lambda t=holed: learner(t), [variable.name])
                continue
            with on(holed, doing):
                check_legal(learner(holed), asked, doing)


def rows_without_anything(learner: Learner) -> None:
    """Rows with nothing known, and a column that is never known in one class, are legal."""
    for table in tables(learner.takes, weighted=False) if learner.takes.missing else ():
        first = table.domain.attributes[0].name
        group = np.arange(len(table)) % 2 == 0
        if learner.takes.target == "classes":
            group = table.column("aim") == 0
        hollow = with_hole(table, first, group)
        empty = table
        for variable in table.domain.attributes:
            empty = with_hole(empty, variable.name, slice(None, None, 5))
        for doing, holed in (
            ("learning with rows in which all is missing", empty),
            ("learning with a column that is missing in one class", hollow),
        ):
            with on(holed, doing):
                check_legal(learner(holed), queries(table, learner.takes), doing)


def a_missing_target_leaves_out(learner: Learner) -> None:
    """Rows whose target is missing are left out of learning, unless it says it takes them."""
    if learner.takes.target == "nothing" or learner.takes.unlabelled:
        return
    for table in tables(learner.takes, weighted=False):
        left_out = np.arange(len(table)) % 4 == 1
        holed, rest = with_hole(table, "aim", left_out), table[np.flatnonzero(~left_out)]
        doing = "learning with rows whose target is missing, and without those,"
        with on(holed, doing):
            asked = queries(table, learner.takes)
            check_close(
                predictions(learner(rest), asked), predictions(learner(holed), asked), doing
            )


def holes_in_predicting(learner: Learner) -> None:
    """Cells may be missing in the rows asked about; symbols may be new; also all of them."""
    for table in tables(learner.takes, weighted=False):
        with on(table, "learning"):
            model = learner(table)
        asked = attributes_of(table)[:4]
        empty = asked
        for variable in asked.domain:
            empty = with_hole(empty, variable.name, slice(None))
        for doing, rows in (
            ("asking about rows in which all is missing", empty),
            ("asking about symbols that were not there in learning", with_unseen(asked)),
        ):
            _check_asked(learner, model, rows, doing)


def _check_asked(learner: Learner, model: Any, rows: Table, doing: str) -> None:
    def ask() -> None:
        check_legal(model, rows, doing)
        model(rows[0])
        model(dict(rows[0].items()))

    if learner.takes.missing:
        with on(rows, doing):
            ask()
    else:
        may_refuse(rows, doing, ask, rows.domain.names)


def symbols_first_seen_later(learner: Learner) -> None:
    """A later batch may hold symbols and classes that the ones before it did not know."""
    if not learns_in_one_round(learner):
        return
    base = table_of(learner.takes, "new later", classes=4)
    first = known_only(base[: len(base) // 4])
    later = with_unseen(base[len(base) // 4 :])
    if learner.takes.target == "classes":
        first = known_only(base[base.column("aim") < 2])
    with on(base, "adding a batch with new symbols and classes"):
        model = learner.concluded(learner.tally(first) + learner.tally(later))
        check_legal(model, with_unseen(attributes_of(base)), "asking after new symbols and classes")
    with on(base, "partial_fit with new symbols"):
        chained = fresh(learner)
        classes = base.domain["aim"].values if learner.takes.target == "classes" else None
        for batch in (first, later):
            chained.partial_fit(**fit_arguments(learner, batch), classes=classes)
        model = learner.concluded(chained.tally_)
        check_legal(model, attributes_of(base), "asking after partial_fit")


CHECKS = (
    holes_in_learning,
    rows_without_anything,
    a_missing_target_leaves_out,
    holes_in_predicting,
    symbols_first_seen_later,
)
