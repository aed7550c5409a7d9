"""Law 3: a row that weighs 2 is the row twice, and one that weighs 0 is left out."""

import numpy as np

from satsuma.checks.law_broken import must_refuse, on
from satsuma.checks.law_predictions import check_close, predictions, queries
from satsuma.checks.law_tables import tables, with_column
from satsuma.checks.variants import fit_arguments, fresh
from satsuma.data.table import Table
from satsuma.data.variable import Variable
from satsuma.learners.learner import Learner
from satsuma.learners.parameters import parameter_values
from satsuma.numerics.arrays import Floats

_WEIGHT = Variable("weight", "num", role="weight")


def _unweighted(learner: Learner) -> list[Table]:
    return [table for table in tables(learner.takes) if table.weights is None]


def _exact(learner: Learner) -> bool:
    """Whether weights can be compared with rows: not where rows are drawn at random."""
    return learner.takes.weights and "seed" not in parameter_values(learner)


def _check_weights(learner: Learner, table: Table, weights: Floats, doing: str) -> None:
    rows = np.repeat(np.arange(len(table)), weights.astype(np.intp))
    asked = queries(table, learner.takes)
    weighted = with_column(table, _WEIGHT, weights)
    with on(weighted, f"learning from rows of which {doing}"):
        repeated = predictions(learner(table[rows]), asked)
        found = predictions(learner(weighted), asked)
        check_close(repeated, found, f"rows repeated, and {doing}")


def a_weight_of_two_is_the_row_twice(learner: Learner) -> None:
    """Weights of 1, 2 and 3 give the model of rows that are there so many times."""
    for table in _unweighted(learner) if _exact(learner) else ():
        weights = np.arange(len(table)) % 3 + np.ones(len(table))
        _check_weights(learner, table, weights, "some weigh 2 or 3")


def a_weight_of_zero_leaves_out(learner: Learner) -> None:
    """Rows that weigh 0 might as well not be there, even where they are all rows of a class."""
    for table in _unweighted(learner) if _exact(learner) else ():
        some = (np.arange(len(table)) % 4 > 0).astype(np.float64)
        _check_weights(learner, table, some, "some weigh 0")
        target = table.domain.target
        if target is not None and target.kind == "sym" and len(target.values) > 2:
            others = (table.column(target.name) != 1).astype(np.float64)
            _check_weights(learner, table, others, "all of one class weigh 0")


def a_weight_of_one_is_no_weight(learner: Learner) -> None:
    """Weights of 1 give the model of the table without weights."""
    for table in _unweighted(learner) if learner.takes.weights else ():
        _check_weights(learner, table, np.ones(len(table)), "all weigh 1")


def weights_on_the_call_are_a_column(learner: Learner) -> None:
    """``learner(table, weights=w)`` is the learner of the table with ``w`` as its weights."""
    table = _unweighted(learner)[0]
    weights = np.arange(len(table)) % 3 + np.ones(len(table))
    if not learner.takes.weights:
        doing = "weights= on the call of a learner that says it does not take them"
        must_refuse(table, doing, lambda: learner(table, weights=weights), ["weight"])
        return
    asked = queries(table, learner.takes)
    with on(table, "learning with weights= on the call"):
        column = predictions(learner(with_column(table, _WEIGHT, weights)), asked)
        called = predictions(learner(table, weights=weights), asked)
        check_close(column, called, "a column of weights, and weights= on the call")


def fit_takes_weights(learner: Learner) -> None:
    """``sample_weight`` does in ``fit`` what a column of weights does in a table."""
    for table in _unweighted(learner) if _exact(learner) else ():
        times = (np.arange(len(table)) + 1) % 3  # rows with a label count where these are a third
        weights = times * np.ones(len(table))
        rows = table[np.repeat(np.arange(len(table)), times)]
        asked = queries(table, learner.takes)
        with on(table, "fit with sample_weight"):
            fitted = fresh(learner).fit(**fit_arguments(learner, table), sample_weight=weights)
            repeated = fresh(learner).fit(**fit_arguments(learner, rows))
            doing = "fit of rows repeated, and with sample_weight"
            check_close(
                predictions(repeated.model_, asked), predictions(fitted.model_, asked), doing
            )


def fit_takes_fractions_as_relative(learner: Learner) -> None:
    """``sample_weight`` of 1/n for all of n rows is no weight at all, to ``fit``."""
    for table in _unweighted(learner) if learner.takes.weights else ():
        asked = queries(table, learner.takes)
        with on(table, "fit with sample_weight of 1/n"):
            shares = np.full(len(table), 1 / len(table))
            fitted = fresh(learner).fit(**fit_arguments(learner, table), sample_weight=shares)
            plain = fresh(learner).fit(**fit_arguments(learner, table))
            doing = "fit without weights, and with sample_weight of 1/n"
            check_close(predictions(plain.model_, asked), predictions(fitted.model_, asked), doing)


def impossible_weights_are_refused(learner: Learner) -> None:
    """A weight that is negative or missing is refused, and so are all where none is taken."""
    table = tables(learner.takes)[0]
    if not learner.takes.weights:
        doing = "learning from weighted rows, which it says it does not take,"
        weighted = with_column(table, _WEIGHT, 2.0)
        must_refuse(weighted, doing, lambda: learner(weighted), ["weight"])
        return
    for wrong in (-1.0, np.nan, np.inf):
        weights = np.ones(len(table))
        weights[5] = wrong
        weighted = with_column(table, _WEIGHT, weights)
        doing = f"learning from a row that weighs {wrong}"
        must_refuse(weighted, doing, lambda data=weighted: learner(data), ["weight"])


CHECKS = (
    a_weight_of_two_is_the_row_twice,
    a_weight_of_zero_leaves_out,
    a_weight_of_one_is_no_weight,
    weights_on_the_call_are_a_column,
    fit_takes_weights,
    fit_takes_fractions_as_relative,
    impossible_weights_are_refused,
)
