"""Law 2: one learner, one model, wherever the rows come from."""

from typing import Any, cast

import numpy as np

from satsuma.checks.batches import Batches
from satsuma.checks.law_broken import LawBroken, must_refuse, on
from satsuma.checks.law_predictions import check_close, check_same, predictions, queries
from satsuma.checks.law_tables import attributes_of, table_of, tables
from satsuma.checks.variants import fit_arguments, fresh, sorted_classes, whole_weights
from satsuma.kernels.threads import thread_limit
from satsuma.learners.learner import Learner, learns_in_one_round
from satsuma.learners.parameters import parameter_values

_SIZE = 13


def calls_are_the_same(learner: Learner) -> None:
    """``learner(table)`` and ``Learner(table, **parameters)`` give the same model."""
    table = tables(learner.takes)[0]  # a call is a call, whatever the rows
    asked, parameters = queries(table, learner.takes), parameter_values(learner)
    with on(table, "learning by calling the class"):
        one = predictions(learner(table), asked)
        other = predictions(cast("Any", type(learner))(table, **parameters), asked)
        check_same(one, other, "learning by calling the class")


def fit_is_the_same(learner: Learner) -> None:
    """``fit`` gives the model of ``learner(table)`` to the last bit; ``predict`` its values."""
    for base in tables(learner.takes):
        table = whole_weights(sorted_classes(base))
        asked = queries(table, learner.takes)
        with on(table, "fit"):
            model = learner(table)
            fitted = fresh(learner).fit(**fit_arguments(learner, table))
            check_same(
                predictions(model, asked), predictions(fitted.model_, asked), "learning with fit"
            )
            if learner.takes.target != "nothing":
                check_same(model(asked), fitted.predict(asked), "predicting after fit")
            if learner.takes.target == "classes":
                doing = "predict_proba after fit"
                check_same(predictions(model, asked), fitted.predict_proba(asked), doing)


def arrays_are_the_same(learner: Learner) -> None:
    """Numbers in an array, whatever its order in memory, give the model of the table."""
    if "num" not in learner.takes.kinds or learner.takes.target == "nothing":
        return
    table = sorted_classes(table_of(learner.takes, "numbers", kinds=["num"] * 3))
    arguments = fit_arguments(learner, table)
    X = table.to_numpy(v.name for v in table.domain.attributes)
    wide = np.repeat(X, 2, axis=1)
    orders = {"C": X, "Fortran": np.asfortranarray(X), "every other column": wide[:, ::2]}
    with on(table, "fit"):
        plain = predictions(learner(table), attributes_of(table))
        for order, array in orders.items():
            with on(table, f"fit of an array ({order})"):
                fitted = fresh(learner).fit(**{**arguments, "X": array})
                asking = fitted.predict_proba if plain.ndim > 1 else fitted.predict
                check_close(plain, asking(array), f"learning from an array ({order})")


def partial_fit_is_the_same(learner: Learner) -> None:
    """Batches through ``partial_fit`` give the model of a source in the same batches."""
    for base in tables(learner.takes):
        if not learns_in_one_round(learner, base.domain):
            continue
        table = sorted_classes(base)
        asked = queries(table, learner.takes)
        source = Batches(table, size=_SIZE)
        target = table.domain.target
        classes = np.array(target.values) if target is not None and target.values else None
        with on(table, "partial_fit"):
            chained = fresh(learner)
            for batch in source.batches:
                chained.partial_fit(**fit_arguments(learner, batch), classes=classes)
            chained.predict(asked[:1])  # a model is concluded when it is asked
            found = predictions(chained.model_, asked)
            doing = "learning with partial_fit"
            check_same(predictions(learner(source), asked), found, f"{doing}, beside a source,")
            check_close(
                predictions(learner(table), asked), found, f"{doing}, beside the whole table,"
            )


def threads_change_nothing(learner: Learner) -> None:
    """The same batches give the same model to the last bit, whatever the number of threads."""
    if learner.takes.rounds == "rows":
        return
    for table in tables(learner.takes):
        asked = queries(table, learner.takes)
        with on(table, "learning with threads"):
            one = predictions(learner(Batches(table, size=_SIZE)), asked)
            source = Batches(table, size=_SIZE, threads=3)
            check_same(one, predictions(learner(source), asked), "learning with 3 threads")


def tiles_change_nothing(learner: Learner) -> None:
    """A large table, cut into tiles for threads, gives the same model for any number of them."""
    if learner.takes.rounds != "one" or learner.takes.kinds == ("text",):
        return
    takes = learner.takes
    kinds = [kind for kind in takes.kinds if kind != "text"] * 2
    table = table_of(takes, "large", rows=150_000, kinds=kinds, holes=0.1 * takes.missing)
    with on(table, "learning with threads over tiles"):
        asked = attributes_of(table)[::20]
        with thread_limit(1):
            one = predictions(learner(table), asked)
        for threads in (2, 3):
            with thread_limit(threads):
                found = predictions(learner(table), asked)
            check_same(one, found, f"learning from tiles with 1 and with {threads} threads")


def a_stream_goes_on(learner: Learner) -> None:
    """``partial_fit`` gives the model of all rows, if it is given as many at a time as `fit` is."""
    if learner.takes.rounds != "stream":
        return
    size = parameter_values(learner).get("batch", len(tables(learner.takes)[0]))
    for table in tables(learner.takes):
        asked = queries(table, learner.takes)
        doing = f"learning with partial_fit, {size} rows at a time,"
        with on(table, doing):
            chained: Any = fresh(learner)
            for batch in Batches(table, size=size).batches:
                chained.partial_fit(**fit_arguments(learner, batch))
            check_close(
                predictions(learner(table), asked), predictions(chained.model_, asked), doing
            )


def says_where_rows_must_be(learner: Learner) -> None:
    """A learner that must have all rows refuses a source, and one of many rounds partial_fit."""
    table = tables(learner.takes)[0]
    if learner.takes.rounds == "rows":
        must_refuse(table, "learning from a source", lambda: learner(Batches(table)), ["sample"])
    if learner.takes.rounds != "one":
        if hasattr(learner, "partial_fit") and learner.takes.rounds != "stream":
            arguments, tried = fit_arguments(learner, table), fresh(learner)
            must_refuse(table, "partial_fit", lambda: tried.partial_fit(**arguments))
    elif not hasattr(learner, "tally"):
        raise LawBroken("it says that it learns in one round, but has no tally", table)


CHECKS = (
    calls_are_the_same,
    fit_is_the_same,
    arrays_are_the_same,
    partial_fit_is_the_same,
    threads_change_nothing,
    tiles_change_nothing,
    a_stream_goes_on,
    says_where_rows_must_be,
)
