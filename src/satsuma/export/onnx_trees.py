"""Trees in ONNX: level by level, all trees at once."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from satsuma.export.columns import Columns
from satsuma.export.expressions import Expression, Number, Program, product, total
from satsuma.export.forms.boosted_trees import boosted
from satsuma.export.softmax import classified
from satsuma.export.tree_levels import (
    Level,
    OneTree,
    Table,
    grown_trees,
    levels_of,
    trees_of_boosted,
)
from satsuma.kernels.tree import Flat
from satsuma.learners.boosted_trees.model import BoostedTreesModel
from satsuma.learners.model import Classifier
from satsuma.learners.tree.forest_model import Trees
from satsuma.learners.tree.model import RegressionTreeModel, TreeModel
from satsuma.numerics.arrays import Floats


class Ensemble:
    """Trees whose answers are added up.

    Parameters
    ----------
    columns
        The columns of the model.
    trees
        The trees.
    """

    def __init__(self, columns: Columns, trees: Sequence[OneTree]) -> None:
        self.levels = levels_of(trees)
        self.numbers = list(dict.fromkeys(n[0] for each in self.levels for n in each.numbers))
        symbols = [s[0] for each in self.levels for s in each.symbols]
        kept = [stay[1] for each in self.levels for stay in each.stays]
        self.symbols = list(dict.fromkeys([*symbols, *kept]))
        self.number_cells = [columns.number(name) for name, _ in self.numbers]
        self.symbol_cells = [columns.code_or_unseen(name) for name in self.symbols]


@dataclass(frozen=True, eq=False)
class TreeAnswer(Expression):
    """One of the answers of all trees of an ensemble, added up."""

    of: Ensemble
    answer: int

    @property
    def parts(self) -> tuple[Expression, ...]:
        """The cells that are looked at."""
        return (*self.of.number_cells, *self.of.symbol_cells)


def ensemble_program(model: Any) -> Program | None:
    """What a tree, a forest or boosted trees compute; None of another, and where trees are odd."""
    if isinstance(model, TreeModel):
        return _grown(model, [(model.flat, model.estimates(model.counts))])
    if isinstance(model, RegressionTreeModel):
        return _grown(model, [(model.flat, model.mean[:, None])])
    if isinstance(model, Trees):
        return _grown(model, list(model.trees()))
    if not isinstance(model, BoostedTreesModel) or not (trees := trees_of_boosted(model)):
        return None
    ensemble, starts = Ensemble(Columns(model.domain), trees), model.start.tolist()
    answers = [TreeAnswer(ensemble, at) for at in range(len(starts))]
    scores = [total(Number(start), each) for start, each in zip(starts, answers, strict=True)]
    return boosted(model, scores)


def _grown(model: Any, trees: list[tuple[Flat, Floats]]) -> Program:
    """The average of what trees say."""
    ensemble = Ensemble(Columns(model.domain), grown_trees(model.asked_columns, trees))
    answers = [
        product(1 / len(trees), TreeAnswer(ensemble, at)) for at in range(trees[0][1].shape[1])
    ]
    if isinstance(model, Classifier):
        return classified(model.classes, answers)
    return Program(answers[0])


class TreeTensors:
    """What the trees of an ensemble say together, as tensors (rows, answers).

    Parameters
    ----------
    graph
        What nodes are added to: it has the tensors of cells, and makes constants and operations.
    of
        The ensemble.
    """

    def __init__(self, graph: Any, of: Ensemble) -> None:
        self.graph, self.levels, self.numbers, self.symbols = (
            graph,
            of.levels,
            of.numbers,
            of.symbols,
        )
        numbers = zip(of.numbers, of.number_cells, strict=True)
        self.cells = self._side_by_side([self._seen(gap, cell) for (_, gap), cell in numbers])
        self.codes = self._side_by_side([self._code(cell) for cell in of.symbol_cells])

    def total(self) -> str:
        """The sum of what the trees say."""
        said, weights = list[str](), ""
        for depth, level in enumerate(self.levels):
            if depth:
                weights = self._weights(level, weights, first=depth == 1)
            said += self._said(level, weights)
        return self.graph.node("Sum", *said)

    def _side_by_side(self, tensors: list[str]) -> str:
        return self.graph.node("Concat", *tensors, axis=1) if tensors else ""

    def _seen(self, instead: float, of: Expression) -> str:
        """A number, with what stands for a missing one."""
        cell = self.graph.tensors[id(of)]
        if np.isnan(instead):
            return cell
        return self.graph.node(
            "Where", self.graph.node("IsNaN", cell), self.graph.float(instead), cell
        )

    def _code(self, of: Expression) -> str:
        """A symbol as a place in a table: 0 if missing, 1 if unseen, and then the values."""
        code = self.graph.tensors[id(of)]
        moved = self.graph.node("Add", code, self.graph.float(2.0))
        lost = self.graph.node("IsNaN", code)
        place = self.graph.node("Where", lost, self.graph.float(0.0), moved)
        return self.graph.node("Cast", place, to=7)

    def _weights(self, level: Level, before: str, *, first: bool) -> str:
        """What the nodes of a level get of each row."""
        parts = list[str]()
        if level.numbers:
            parts.append(self._by_number(level))
        if level.symbols:
            parts.append(self._by_symbol(level.symbols))
        factor = parts[0] if len(parts) == 1 else self.graph.node("Concat", *parts, axis=1)
        return factor if first else self._times(self._some(before, level.parent), factor)

    def _by_number(self, level: Level) -> str:
        seen, threshold, above, share = zip(*level.numbers, strict=True)
        places = [self.numbers.index(each) for each in seen]
        cell = self._some(self.cells, places)
        low = self.graph.node("LessOrEqual", cell, self._row(threshold))
        up = np.array(above, float)
        found = self.graph.node("Where", low, self._row(1 - up), self._row(up))
        return self.graph.node("Where", self.graph.node("IsNaN", cell), self._row(share), found)

    def _by_symbol(self, tables: Sequence[tuple[str, Table]]) -> str:
        """What stands in a table of each node for the symbol of a row."""
        cell = self._some(self.codes, [self.symbols.index(name) for name, _ in tables])
        starts = np.cumsum([0, *(len(table) for _, table in tables)])[:-1]
        place = self.graph.node(
            "Add", cell, self.graph.constant(starts.tolist(), [1, len(starts)], 7)
        )
        flat = [cell for _, table in tables for cell in table]
        return self.graph.node("Gather", self.graph.constant(flat, [len(flat)]), place)

    def _said(self, level: Level, weights: str) -> list[str]:
        """What is said of what ends at a level; a root gets all of a row."""
        found = list[str]()
        if level.ends:
            says = np.stack([each for _, each in level.ends])
            places = [place for place, _ in level.ends]
            if weights:
                found.append(self._product(self._some(weights, places), says))
            else:
                found.append(self._row(says.sum(axis=0)))
        if level.stays:
            kept = self._by_symbol([(name, table) for _, name, table, _ in level.stays])
            places = [each[0] for each in level.stays]
            part = self._times(self._some(weights, places), kept) if weights else kept
            found.append(self._product(part, np.stack([each[-1] for each in level.stays])))
        return found

    def _product(self, weights: str, says: Floats) -> str:
        told = self.graph.constant(says.ravel().tolist(), list(says.shape))
        return self.graph.node("MatMul", weights, told)

    def _some(self, tensor: str, places: Sequence[int]) -> str:
        at = self.graph.constant(list(places), [len(places)], 7)
        return self.graph.node("Gather", tensor, at, axis=1)

    def _times(self, one: str, other: str) -> str:
        return self.graph.node("Mul", one, other)

    def _row(self, values: Sequence[float] | Floats) -> str:
        told = [float(each) for each in values]
        return self.graph.constant(told, [1, len(told)])
