"""Law 6: nothing that is given is modified, and the same seed gives the same model."""

from collections.abc import Callable
from typing import Any

import numpy as np

from satsuma.checks.fingerprints import fingerprint
from satsuma.checks.law_broken import LawBroken, on
from satsuma.checks.law_predictions import check_same, predictions, queries
from satsuma.checks.law_tables import attributes_of, table_of, tables
from satsuma.checks.variants import fit_arguments, fresh, sorted_classes, with_seed
from satsuma.data.table import Table
from satsuma.learners.learner import Learner


def _prints(table: Table) -> Any:
    return fingerprint([table.columns, table.domain.variables, table.name])


def _tried(action: Callable[[], Any]) -> Any:
    """What comes of an action; None if it fails, which other laws are about."""
    try:
        return action()
    except Exception:  # noqa: BLE001 - whatever it is, the input must be as it was
        return None


def tables_stay_as_they_are(learner: Learner) -> None:
    """Learning from a table and asking about one change neither of them."""
    for table in tables(learner.takes):
        asked = queries(table, learner.takes)
        before, before_asked = _prints(table), _prints(asked)
        model = _tried(lambda table=table: learner(table))
        if _prints(table) != before:
            raise LawBroken("the table that was learned from has been modified", table)
        if model is not None:
            _tried(lambda model=model, asked=asked: model(asked))
            _tried(lambda model=model, asked=asked: model(asked[0]))
        if _prints(asked) != before_asked:
            raise LawBroken("the table that was asked about has been modified", table)


def arrays_stay_as_they_are(learner: Learner) -> None:
    """``fit`` and ``predict`` leave the arrays that they are given as they are."""
    if "num" not in learner.takes.kinds:
        return
    holes, weighted = 0.2 * learner.takes.missing, learner.takes.weights
    table = sorted_classes(
        table_of(learner.takes, "arrays", kinds=["num"] * 3, holes=holes, weighted=weighted)
    )
    arrays = {
        name: np.array(each) for name, each in fit_arguments(learner, table).items() if name != "X"
    }
    arrays["X"] = table.to_numpy(v.name for v in table.domain.attributes)
    before = {name: fingerprint(array) for name, array in arrays.items()}
    fitted = fresh(learner)
    _tried(lambda: fitted.fit(**arrays))
    _tried(lambda: fitted.predict(arrays["X"]))
    changed = [name for name, array in arrays.items() if fingerprint(array) != before[name]]
    if changed:
        raise LawBroken(f"fit or predict has modified {', '.join(changed)}", table)
    if not all(array.flags.writeable for array in arrays.values()):
        raise LawBroken("fit or predict has made an array unwritable", table)


def learners_stay_as_they_are(learner: Learner) -> None:
    """Calling a learner with a table leaves no trace in it."""
    before = fingerprint(vars(learner))
    for table in tables(learner.takes):
        _tried(lambda table=table: learner(table))
        now = fingerprint(vars(learner))
        if now != before:
            held = ", ".join(name for name in vars(learner))
            raise LawBroken(f"learning has modified the learner, which holds {held}", table)


def _plain(learner: Learner) -> list[Table]:
    return tables(learner.takes, holes=False, weighted=False)


def other_tables_do_not_matter(learner: Learner) -> None:
    """What was learned from before has no bearing on what is learned now."""
    table, *_, last = _plain(learner)
    asked = attributes_of(table)
    with on(table, "learning after another table"):
        used, unused = fresh(with_seed(learner)), fresh(with_seed(learner))
        used(last)
        doing = "learning after another table, and first of all"
        check_same(predictions(used(table), asked), predictions(unused(table), asked), doing)


def the_same_seed_gives_the_same_model(learner: Learner) -> None:
    """Learning twice gives the same model to the last bit, and so does asking twice."""
    sure = with_seed(learner)
    for table in _plain(learner):
        asked = attributes_of(table)
        with on(table, "learning twice"):
            model = sure(table)
            first = predictions(model, asked).copy()
            check_same(first, predictions(sure(table), asked), "learning twice")
            check_same(first, predictions(model, asked), "asking twice")


CHECKS = (
    tables_stay_as_they_are,
    arrays_stay_as_they_are,
    learners_stay_as_they_are,
    other_tables_do_not_matter,
    the_same_seed_gives_the_same_model,
)
