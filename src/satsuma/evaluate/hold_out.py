"""Testing: models of one table asked about the rows of another."""

from functools import partial
from time import perf_counter
from typing import TYPE_CHECKING, cast

import numpy as np

from satsuma.data.columns import Array, Codes, Floats, remap
from satsuma.data.table import Table
from satsuma.data.variable import Variable
from satsuma.errors import DomainError, NoSuchColumn
from satsuma.evaluate.crossing import Learners
from satsuma.evaluate.request import known
from satsuma.evaluate.trial import Answers, Trial
from satsuma.learners import cross_fitting as asking
from satsuma.learners.learner import Learner, TallyLearner
from satsuma.learners.model import Classifier, Model
from satsuma.learners.queries import fitted

if TYPE_CHECKING:
    from collections.abc import Callable

    from satsuma.folds import Folds


def tested(learners: Learners, train: Table, test: Table) -> Trial:
    """What learners say about a table, having learned from another."""
    aim = train.domain.target
    assert aim is not None
    test = _aimed(test, aim)
    rows = known(test, {})
    if not rows.used.any():
        raise DomainError(
            f"There is no row to test on: none has a target {aim.name!r} and a weight above 0."
        )
    target, truth = _unified(aim, rows.target, rows.truth)
    parts: Folds = np.where(rows.used, 0, -1).astype(np.int16)
    training = train[known(train, {}).used]
    ratio = int(rows.used.sum()) / max(len(training), 1)
    trial = Trial(target, truth, rows.weights, parts, 1, ratio)
    each = asking.over_threads(
        lambda one: _answers(
            one, train if one.takes.unlabelled else training, test, len(target.values)
        ),
        learners.values(),
    )
    trial.answers = dict(zip(learners, each, strict=True))
    return trial


def _answers(learner: Learner, train: Table, test: Table, classes: int) -> Answers:
    start = perf_counter()
    model: Model = learner(train)
    batch = fitted(test, model.domain, model.unseen)
    if not isinstance(model, Classifier):
        return Answers(asking.said(model, batch), None, perf_counter() - start)
    later = partial(_chances, model, batch, classes)
    said: Array
    chances: Floats | Callable[[], Floats] = later
    if isinstance(learner, TallyLearner) or type(model).codes is not Classifier.codes:
        said = model.codes(batch)
    else:
        chances = later()
        said = model.chosen(chances)
    said = said.astype(asking.narrow(classes), copy=False)
    return Answers(said, chances, perf_counter() - start)


def _chances(model: Classifier, batch: Table, classes: int) -> Floats:
    """Rows by classes; zeros for classes that were not known in learning."""
    chances = model.probabilities(batch)
    more = classes - chances.shape[1]
    return np.pad(chances, ((0, 0), (0, more))) if more else chances


def _aimed(test: Table, target: Variable) -> Table:
    """The test table, with the column that was learned to be predicted as its target."""
    if target.name not in test.domain:
        raise NoSuchColumn(target.name, test.domain.names)
    found = test.domain[target.name]
    if found.kind != target.kind:
        raise DomainError(
            f"The target {target.name!r} was learned as {target.kind!r}, but in the test table it "
            f"is {found.kind!r}. Use table.with_kinds({{{target.name!r}: {target.kind!r}}})."
        )
    return test if found.role == "target" else test.with_roles(target=target.name)


def _unified(learned: Variable, found: Variable, truth: Array) -> tuple[Variable, Array]:
    """The target with the classes of both tables, and the truth in its codes."""
    if learned.kind != "sym" or learned.values == found.values:
        return learned, truth
    values = tuple(dict.fromkeys((*learned.values, *found.values)))
    both = Variable(learned.name, "sym", values, "target")
    return both, remap(cast("Codes", truth), found.values, both.code)
