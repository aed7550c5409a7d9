"""Cross-fitting: models of all folds but one, and what they predict for that one (out-of-fold)."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import pairwise
from typing import Any, Protocol, TypeGuard, runtime_checkable

import numpy as np

from satsuma.data.domain import Domain
from satsuma.data.matrix import MatrixColumns
from satsuma.data.table import Table
from satsuma.folds import Folds, sorted_rows, training_tallies
from satsuma.kernels.threads import map_tasks, map_tiles
from satsuma.learners.learner import Learner, TallyLearner, learns_in_one_round
from satsuma.learners.model import Classifier, Model, Regressor
from satsuma.learners.predictions import codes_of, numbers_of, probabilities_of, redefines
from satsuma.learners.queries import fitted
from satsuma.numerics.arrays import Array, Floats, Indices

#: Rows that a model predicts at a time: few enough to stay in the cache.
BLOCK = 8192

#: Learners of one round whose tallies are the same, by name.
Sharing = dict[str, TallyLearner[Any]]


def sharing(learners: Mapping[str, Learner], domain: Domain) -> list[Sharing]:
    """Those that learn such columns in one round, together where they have the same tally."""
    groups: list[tuple[Any, Sharing]] = []
    for name, learner in learners.items():
        if not learns_in_one_round(learner, domain):
            continue
        kind = learner.shared_kind
        same = next((each for known, each in groups if kind is not None and known == kind), None)
        if same is None:
            groups.append((kind, {name: learner}))
        else:
            same[name] = learner
    return [each for _, each in groups]


def fold_tallies(
    learner: TallyLearner[Any], table: Table, folds: Folds, count: int
) -> Sequence[Any]:
    """The tally of the rows of each fold."""
    kind = learner.shared_kind
    if kind is not None:
        return kind.by_fold(table, folds, count)
    order, edges = sorted_rows(folds, count)
    return [learner.checked_tally(table[order[low:high]]) for low, high in pairwise(edges)]


def tallies_of_others(
    learner: TallyLearner[Any], table: Table, folds: Folds, count: int
) -> Iterator[Any]:
    """For each fold the tally of the rows of all other folds: each fold is tallied once."""
    return training_tallies(partial(fold_tallies, learner), table, folds, count)


def out_of_fold(learner: Learner, rows: Table, folds: Folds, count: int) -> Floats:
    """Predictions for each fold by a model of the others, as `prediction_matrix` has them.

    Parameters
    ----------
    learner
        What learns.
    rows
        The rows; each is in a fold.
    folds
        The fold of each row, from 0.
    count
        How many folds there are.

    Examples
    --------
    >>> from satsuma import Mean
    >>> rows = Table.of([(1, 10), (2, 20), (3, 30)], ["x", "y"])
    >>> out_of_fold(Mean(), rows, np.array([0, 1, 1]), 2)[:, 0].tolist()
    [25.0, 10.0, 10.0]
    """
    models: list[Any]
    if learns_in_one_round(learner, rows.domain):
        models = list(map(learner.concluded, tallies_of_others(learner, rows, folds, count)))
    else:
        models = map_tasks(lambda at: learner(rows[np.flatnonzero(folds != at)]), range(count))
    if isinstance(models[0], Classifier):
        return probabilities_by_fold(models, rows, folds)
    return predictions_by_fold(models, rows, folds)[:, None]


def prediction_matrix(model: Any, batch: Table) -> Floats:
    """What a model predicts for each row: probabilities by class, or a number in one column."""
    asked = fitted(batch, model.domain)
    if isinstance(model, Classifier):
        return probabilities_of(model, asked)
    return numbers_of(model, asked)[:, None]


def predictions_by_fold(models: Sequence[Model], table: Table, folds: Folds) -> Array:
    """A code or a number for each row, from the model of its fold."""
    first = models[0]
    if not isinstance(first, Classifier):
        return _fill(np.full(len(table), np.nan), models, table, folds, predictions)
    width = narrow(len(first.classes))
    if _at_once(models, "codes_by_model", "codes", "chosen", "probabilities"):
        codes = models[0].codes_by_model(models, folds, fitted(table, models[0].domain))
        if codes is not None:
            return codes.astype(width, copy=False)
    return _fill(np.zeros(len(table), width), models, table, folds, predictions)


def probabilities_by_fold(models: Sequence[Classifier], table: Table, folds: Folds) -> Floats:
    """Rows by classes, from the model of its fold."""
    classes = len(models[0].classes)
    if _at_once(models, "probabilities_by_model", "probabilities"):
        found = models[0].probabilities_by_model(models, folds, fitted(table, models[0].domain))
        if found is not None:
            return found
    out = np.zeros((len(table), classes))
    return _fill(out, models, table, folds, probabilities_of)


@runtime_checkable
class PredictsTogether(Protocol):
    """A model whose class can have several of them predict in one pass, each row by one.

    Both methods give None where that cannot be done.
    """

    domain: Domain

    @classmethod
    def codes_by_model(cls, models: Sequence[Any], which: Folds, batch: Table) -> Array | None:
        """`codes` of each row, by the model whose number it has."""
        ...

    @classmethod
    def probabilities_by_model(
        cls, models: Sequence[Any], which: Folds, batch: Table
    ) -> Floats | None:
        """`probabilities` of each row, by the model whose number it has."""
        ...


def _at_once(
    models: Sequence[Any], shortcut: str, *methods: str
) -> TypeGuard[Sequence[PredictsTogether]]:
    """Whether a shortcut stands for methods of all models, none of which is defined anew."""
    first = models[0]
    if not isinstance(first, PredictsTogether):
        return False
    alike = all(type(one) is type(first) and one.domain == first.domain for one in models)
    return alike and not any(redefines(first, each, shortcut) for each in methods)


def predictions(model: Any, batch: Table) -> Array:
    """Codes or numbers, as the model has them."""
    if isinstance(model, Regressor):
        return numbers_of(model, batch)
    return codes_of(model, batch)


def narrow(classes: int) -> type[np.signedinteger[Any]]:
    """The smallest type that holds the codes of so many classes."""
    return np.int8 if classes <= 2**7 else np.int16 if classes <= 2**15 else np.int32


class AttributeRows:
    """The attributes of a table, with some rows at a time taken out quickly.

    Columns of one matrix are taken from it row by row: to take them column by column would read
    the whole matrix for each.
    """

    def __init__(self, table: Table) -> None:
        names = [v.name for v in table.domain.attributes]
        self.matrix = table.matrix if names else None
        # Without columns a table would have no rows.
        self.table = table.select(names) if names else table

    def __getitem__(self, rows: Indices) -> Table:
        if self.matrix is None:
            return self.table[rows]
        columns = MatrixColumns(self.matrix.take(rows, axis=0))
        return Table(self.table.domain, columns, check=False)


def _fill(
    out: Array,
    models: Sequence[Any],
    table: Table,
    folds: Folds,
    predict: Callable[[Any, Table], Array],
) -> Array:
    """Stretches of the table, so large that there is a block of rows for every model in each.

    Taken fold by fold over the whole table, memory would be read once for every fold.
    """
    attributes, tile = AttributeRows(table), BLOCK * len(models)
    same = models[0].domain.attributes == table.domain.attributes

    def work(low: int, high: int) -> None:
        order, edges = sorted_rows(folds[low:high], len(models))
        for model, start, end in zip(models, edges, edges[1:], strict=False):
            for at in range(start, end, 2 * BLOCK):
                rows = order[at : min(at + 2 * BLOCK, end)] + low
                batch = attributes[rows]
                out[rows] = predict(
                    model, batch if same else fitted(batch, model.domain, model.unseen)
                )

    map_tiles(work, len(table), tile=tile)
    return out
