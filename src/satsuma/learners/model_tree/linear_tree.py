"""Models of ModelTree: a tree with an equation at each node."""

from collections.abc import Iterator, Sequence
from typing import ClassVar, NamedTuple, cast

import numpy as np

from satsuma.data.fields import LARGE, FloatArray, IntArray
from satsuma.data.schema import Schema
from satsuma.data.table import Table
from satsuma.errors import ReadError
from satsuma.kernels import posterior
from satsuma.kernels import tree as kernel
from satsuma.kernels.tree import Flat
from satsuma.learners.explanation import PRIOR, Explanation, asked_classes
from satsuma.learners.linear.logistic_model import contrasts
from satsuma.learners.matrix_learner import check_seen
from satsuma.learners.model import Classifier, Query, Regressor, Scale
from satsuma.learners.model_tree.equation_rules import EquationRule, equation_rules, listing
from satsuma.learners.model_tree.equation_terms import matrix_of, standardized, terms_of
from satsuma.learners.predictions import Distribution
from satsuma.learners.tree.model import Readable, refuse_infinite_in
from satsuma.numerics.arrays import Array, Floats
from satsuma.tallies.features import Feature

#: A number, and a cell that it is predicted from, are taken to be no farther from those of a leaf
#: than this part of their range.
_ROOM = 0.5

#: What the equation says of a row as the mean of its leaf is called among the columns, and what the
#: limits of a leaf take away or add.
LEVEL, LIMITS = "(leaf)", "(limits)"

#: Rows that are looked at together.
_ROWS = 1 << 15


class Equations(NamedTuple):
    """What the nodes of a tree say.

    Parameters
    ----------
    used
        The places of the features that have a slope somewhere.
    mean
        Of each of them at each node: (nodes, used).
    scale
        Their standard deviations in all rows; 1 for a value of a symbol.
    level
        What is said of a row that is as the mean of the node: (nodes, scores).
    slopes
        What a standard deviation more of a feature adds: (nodes, scores, used).
    """

    used: Array
    mean: Floats
    scale: Floats
    level: Floats
    slopes: Floats


class NodeRows(NamedTuple):
    """What the rows at the nodes of a tree for numbers come to.

    Parameters
    ----------
    weight
        Of the rows.
    sd
        The standard deviation of what is left over.
    least, most
        The least and the greatest of each feature that has a slope: (nodes, used).
    low, high
        The least and the greatest target.
    """

    weight: Floats
    sd: Floats
    least: Floats
    most: Floats
    low: Floats
    high: Floats


class LinearTree(Readable):
    """A tree with an equation at each node.

    Parameters
    ----------
    flat
        The tree.
    equations
        What its nodes say; their parts are attributes of the model.
    informative
        The names of the columns whose missing cells tell something.
    """

    schema: ClassVar[Schema] = Schema(
        "used",
        "scores",
        used=IntArray("used"),
        mean=FloatArray("nodes", "used", low=-LARGE, high=LARGE),
        scale=FloatArray("used", low=np.finfo(float).tiny, high=LARGE),
        level=FloatArray("nodes", "scores", low=-LARGE, high=LARGE),
        slopes=FloatArray("nodes", "scores", "used", low=-LARGE, high=LARGE),
    )

    def __init__(self, flat: Flat, equations: Equations, informative: Sequence[str] = ()) -> None:
        super().__init__(flat, informative)
        self.used, self.mean, self.scale, self.level, self.slopes = equations

    def check_state(self) -> None:
        """All features are some of this table, each once."""
        super().check_state()
        if self.used.max(initial=-1) >= len(terms_of(self.domain, tuple(self.informative))):
            raise ReadError("a feature of the equations is not one of the columns")
        if len(np.unique(self.used)) < len(self.used):
            raise ReadError("a feature of the equations is there twice")

    @property
    def features(self) -> tuple[Feature, ...]:
        """The numbers, the values of symbols and the missing cells that equations have slopes for.

        That a cell is missing is there like a value; which these are say `missing_terms`.
        """
        every = terms_of(self.domain, tuple(self.informative))
        return tuple(every[at] for at in cast("list[int]", self.used.tolist()))

    @property
    def missing_terms(self) -> tuple[Feature, ...]:
        """The features which are that a cell is missing, of all informative columns."""
        count = len(self.informative)
        return terms_of(self.domain, tuple(self.informative))[-count:] if count else ()

    def coefficients_at(self, node: int, score: int = 0) -> tuple[float, dict[Feature, float]]:
        """The constant of the equation at a node, and its slopes by unit or value; no zeros."""
        slopes = self.slopes[node, score] / self.scale
        constant = float(self.level[node, score] - slopes @ self.mean[node])
        told = zip(self.features, slopes.tolist(), strict=True)
        return constant, {feature: slope for feature, slope in told if slope != 0}

    def _ends(self, batch: Table) -> Iterator[tuple[int, Array, Floats, Floats]]:
        """Node, rows that end there, how much of each, and their features beside the mean."""
        refuse_infinite_in(self.domain, batch)
        for start in range(0, len(batch), _ROWS):
            tile = batch[start : start + _ROWS]
            row, node, share = kernel.reach(self.flat, self._columns(tile), len(tile))
            x = matrix_of(self.domain, tile, self.used, tuple(self.informative))
            for at in np.unique(node).tolist():
                here = node == at
                z = standardized(self._within(at, x[row[here]]), self.mean[at], self.scale)
                z[np.isnan(z)] = 0.0
                yield at, start + row[here], share[here], z

    def _within(self, node: int, cells: Floats) -> Floats:  # noqa: ARG002 - for subclasses
        """Features of rows that end at a node, as its equation takes them."""
        return cells

    def _parts(self, query: Query) -> tuple[dict[str, Floats], Floats, dict[int, float]]:
        """What each column and the levels add to the scores of a row; the shares of nodes."""
        parts: dict[str, Floats] = {}
        level, shares = np.zeros(self.level.shape[1]), dict[int, float]()
        for node, _, share, z in self._ends(self._rows(query)):
            shares[node] = float(share[0])
            level = level + share[0] * self.level[node]
            for at, (name, _) in enumerate(self.features):
                if not self.slopes[node, :, at].any():
                    continue
                added = share[0] * z[0, at] * self.slopes[node, :, at]
                parts[name] = parts.get(name, 0.0) + added
        return parts, level, shares

    def rules(self) -> list[EquationRule]:  # pyright: ignore[reportIncompatibleMethodOverride]
        """A rule for each leaf, with its equation."""
        return equation_rules(self)

    def __str__(self) -> str:
        return listing(self)


class LinearTreeRegressor(LinearTree, Regressor):
    """A tree with a linear equation for a number at each node.

    Parameters
    ----------
    flat, equations
        The tree, and what its nodes say.
    rows
        What the rows at its nodes come to; its parts are attributes of the model.
    """

    schema: ClassVar[Schema] = Schema(
        weight=FloatArray("nodes", low=0),
        sd=FloatArray("nodes", low=0),
        least=FloatArray("nodes", "used", low=-LARGE, high=LARGE),
        most=FloatArray("nodes", "used", low=-LARGE, high=LARGE),
        low=FloatArray("nodes"),
        high=FloatArray("nodes"),
    )

    def __init__(
        self, flat: Flat, equations: Equations, rows: NodeRows, informative: Sequence[str] = ()
    ) -> None:
        super().__init__(flat, equations, informative)
        self.weight, self.sd, self.least, self.most, self.low, self.high = rows

    def check_state(self) -> None:
        """There is one equation at each node, and its limits are in order."""
        super().check_state()
        if self.level.shape[1] != 1:
            raise ReadError("the model of a number has one equation at each node")
        if (self.low > self.high).any() or (self.least > self.most).any():
            raise ReadError("the least target or cell of a node is above its greatest")

    def limits_at(self, node: int) -> tuple[float, float]:
        """The least and the greatest number that is predicted at a node."""
        low, high = float(self.low[node]), float(self.high[node])
        room = _ROOM * (high - low)
        return low - room, high + room

    def _within(self, node: int, cells: Floats) -> Floats:
        """Features no farther from those of the node than a part of their range."""
        room = _ROOM * (self.most[node] - self.least[node])
        return np.clip(cells, self.least[node] - room, self.most[node] + room)

    def numbers(self, batch: Table) -> Floats:
        """The equation where a row ends; an average where it is spread."""
        found = np.zeros(len(batch))
        for node, row, share, z in self._ends(batch):
            told = self.level[node, 0] + z @ self.slopes[node, 0]
            np.add.at(found, row, share * np.clip(told, *self.limits_at(node)))
        return found

    @property
    def terms_of(self) -> Scale:
        """What the terms of `explain` sum to."""
        return "number"

    def explain(self, query: Query) -> Explanation:
        """What is said where a row ends, and what each column adds to it; they sum up exactly.

        The path has the conditions of each leaf that the row reaches: of one, unless cells are
        missing.
        """
        parts, level, shares = self._parts(query)
        found = {LEVEL: float(level[0]), **{name: float(each[0]) for name, each in parts.items()}}
        predicted = float(self.numbers(self._rows(query))[0])
        beyond = predicted - sum(found.values())
        if abs(beyond) > 1e-9 * max(abs(predicted), float(np.abs(level[0]))):
            found[LIMITS] = beyond
        rules = equation_rules(self, list(shares))
        path = [" and ".join(rule.conditions) for rule in rules if rule.conditions]
        made = Explanation(None, None, found, predicted=predicted, of="number", path=path)
        return made.also(target=self.target.name)

    def weight_at(self, node: int) -> float:
        """What the rows at a node weigh."""
        return float(self.weight[node])

    def value_at(self, node: int) -> float:
        """What is predicted for a row that is as the mean of the node."""
        return float(self.level[node, 0])

    def trust_at(self, node: int) -> float:
        """The standard deviation of what is left over."""
        return float(self.sd[node])

    def distribution_at(self, node: int) -> None:
        """There are no classes."""


class LinearTreeClassifier(LinearTree, Classifier):
    """A tree with logistic equations for classes at each node.

    Parameters
    ----------
    flat, equations
        The tree, and what its nodes say of contrasts between classes.
    counts
        The weight of each class at each node.
    seen
        The codes of the classes that were there in learning.
    """

    schema: ClassVar[Schema] = Schema(
        "seen",
        counts=FloatArray("nodes", "classes", low=0, high=LARGE),
        seen=IntArray("seen", below="classes", dtypes=(np.int64,)),
    )

    def __init__(
        self,
        flat: Flat,
        equations: Equations,
        counts: Floats,
        seen: Array,
        informative: Sequence[str] = (),
    ) -> None:
        super().__init__(flat, equations, informative)
        self.counts, self.seen = counts, seen.astype(np.int64)

    def check_state(self) -> None:
        """There is an equation for each class that was seen but one, and rows at each node."""
        super().check_state()
        check_seen(self.seen)
        if self.level.shape[1] != len(self.seen) - 1:
            raise ReadError("the model has the equations of other classes")
        if not (self.counts.sum(axis=1) > 0).all():
            raise ReadError("a node of the tree has no rows")

    def probabilities(self, batch: Table) -> Floats:
        """Those of the equations where a row ends; where it is spread, of their average."""
        scores = np.zeros((len(batch), self.level.shape[1]))
        for node, row, share, z in self._ends(batch):
            told = self.level[node] + z @ self.slopes[node].T
            np.add.at(scores, row, share[:, None] * told)
        by_class = scores @ contrasts(len(self.seen)).T
        found = np.empty_like(by_class)
        posterior.normalise(np.ascontiguousarray(by_class), np.zeros(len(self.seen)), 0, found)
        every = np.zeros((len(batch), len(self.classes)))
        every[:, self.seen] = found
        return every

    @property
    def terms_of(self) -> Scale:
        """What the terms of `explain` sum to."""
        return "log-odds"

    def explain(
        self, query: Query, value: str | None = None, against: str | None = None
    ) -> Explanation:
        """What is said where a row ends, and what each column adds to the log odds of two classes.

        The parameters are those of `Classifier.explain`.
        """
        chances = self.probabilities(self._rows(query))
        this, other = asked_classes(self, chances, value, against)
        parts, level, _ = self._parts(query)
        every = np.zeros((len(self.classes), self.level.shape[1]))
        every[self.seen] = contrasts(len(self.seen))
        between = every[this] - every[other]
        said = {PRIOR: level, **parts}
        told = {name: float(between @ each) for name, each in said.items()}
        predicted = self.classes[int(self.chosen(chances)[0])]
        return Explanation(self.classes[this], self.classes[other], told, predicted=predicted)

    def weight_at(self, node: int) -> float:
        """What the rows at a node weigh."""
        return float(self.counts[node].sum())

    def value_at(self, node: int) -> str:
        """The most frequent class at a node; the first of several."""
        return self.classes[int(self.counts[node].argmax())]

    def trust_at(self, node: int) -> float:
        """The share of rows at a node that are of its class."""
        return float(self.counts[node].max() / self.counts[node].sum())

    def distribution_at(self, node: int) -> Distribution:
        """The shares of the classes at a node."""
        return Distribution(self.classes, self.counts[node] / self.counts[node].sum())
