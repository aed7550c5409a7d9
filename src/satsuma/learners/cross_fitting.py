"""Asking models about rows: each row is answered once, by the model of its fold."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar, cast

import numpy as np

from satsuma.data.columns import Array, Floats
from satsuma.data.table import Table
from satsuma.folds import Folds, Rows, sorted_rows
from satsuma.kernels.threads import alone, map_tiles
from satsuma.learners.model import Classifier, Model, Regressor
from satsuma.learners.overrides import redefines
from satsuma.learners.queries import fitted

T = TypeVar("T")
S = TypeVar("S")

#: Rows that a model is asked about at a time: few enough to stay in the cache.
BLOCK = 8192


def over_threads(function: Callable[[S], T], given: Iterable[S]) -> list[T]:
    """Results in order; each task may go to a thread of its own."""
    tasks = list(given)
    if not tasks:
        return []
    with alone():
        return map_tiles(lambda at, _: function(tasks[at]), len(tasks), tile=1)


class Asked:
    """The attributes of a table, with some rows at a time taken out quickly.

    Columns that look into one array of rows are taken from it row by row: to take them column
    by column would read the whole array for each.
    """

    def __init__(self, table: Table) -> None:
        names = [v.name for v in table.domain.attributes]
        # Without columns a table would have no rows.
        self.table = table.select(names) if names else table
        self.block = _common_block(self.table)

    def __getitem__(self, rows: Rows) -> Table:
        if self.block is None:
            return self.table[rows]
        taken, places = self.block[0].take(rows, axis=0), self.block[1]
        columns = [
            column[rows] if place is None else taken[:, place]
            for column, place in zip(self.table.columns, places, strict=True)
        ]
        return Table(self.table.domain, columns, check=False)


def _common_block(table: Table) -> tuple[Array, list[int | None]] | None:
    """The array of rows that all columns of numbers look into, and the column of each."""
    numbers = [c for v, c in zip(table.domain, table.columns, strict=True) if v.kind == "num"]
    base: Any = numbers[0].base if len(numbers) > 1 else None
    if not isinstance(base, np.ndarray):
        return None
    block = cast("Array", base)
    right = block.ndim == 2 and block.flags.c_contiguous and block.dtype == np.float64
    if not right or len(block) != len(table) or block.shape[1] > 2 * len(numbers):
        return None
    start, width, step = _address(block), block.shape[1], block.strides[0]
    places: list[int | None] = []
    for variable, column in zip(table.domain, table.columns, strict=True):
        at, odd = divmod(_address(column) - start, block.itemsize)
        inside = column.base is block and column.strides == (step,) and 0 <= at < width
        if variable.kind == "num" and (odd or not inside):
            return None
        places.append(at if variable.kind == "num" else None)
    return block, places


def _address(array: Array) -> int:
    return int(array.__array_interface__["data"][0])


def narrow(classes: int) -> type[np.signedinteger[Any]]:
    """The smallest type that holds the codes of so many classes."""
    return np.int8 if classes <= 2**7 else np.int16 if classes <= 2**15 else np.int32


def said_by_folds(models: Sequence[Model], table: Table, folds: Folds) -> Array:
    """A code or a number for each row, from the model of its fold."""
    first = models[0]
    if not isinstance(first, Classifier):
        return _fill(np.full(len(table), np.nan), models, table, folds, said)
    width = narrow(len(first.classes))
    found = _at_once("codes_by_model", ("codes", "chosen", "probabilities"), models, table, folds)
    if found is not None:
        return found.astype(width, copy=False)
    return _fill(np.zeros(len(table), width), models, table, folds, said)


def chances_by_folds(models: Sequence[Classifier], table: Table, folds: Folds) -> Floats:
    """Rows by classes, from the model of its fold."""
    found = _at_once("probabilities_by_model", ("probabilities",), models, table, folds)
    if found is not None:
        return found
    out = np.zeros((len(table), len(models[0].classes)))
    return _fill(out, models, table, folds, lambda model, batch: model.probabilities(batch))


def _at_once(
    method: str, asked: Sequence[str], models: Sequence[Any], table: Table, folds: Folds
) -> Any:
    """What models answer that can all be asked at once, None where they cannot.

    The method stands for others, which no class may have defined anew.
    """
    first = models[0]
    ask = getattr(first, method, None)
    if ask is None or any(redefines(first, each, method) for each in asked):
        return None
    if any(type(one) is not type(first) or one.domain != first.domain for one in models):
        return None
    return ask(models, folds, fitted(table, first.domain))


def said(model: Any, batch: Table) -> Array:
    """Codes or numbers, as the model has them."""
    if isinstance(model, Regressor):
        return model.numbers(batch)
    return cast("Classifier", model).codes(batch)


def _fill(
    out: Array,
    models: Sequence[Any],
    table: Table,
    folds: Folds,
    ask: Callable[[Any, Table], Array],
) -> Array:
    """Stretches of the table, so large that there is a block of rows for every model in each.

    Taken fold by fold over the whole table, memory would be read once for every fold.
    """
    asked, tile = Asked(table), BLOCK * len(models)
    same = models[0].domain.attributes == table.domain.attributes

    def work(low: int, high: int) -> None:
        order, edges = sorted_rows(folds[low:high], len(models))
        for model, start, end in zip(models, edges, edges[1:], strict=False):
            for at in range(start, end, 2 * BLOCK):
                rows = order[at : min(at + 2 * BLOCK, end)] + low
                batch = asked[rows]
                out[rows] = ask(model, batch if same else fitted(batch, model.domain, model.unseen))

    map_tiles(work, len(table), tile=tile)
    return out
