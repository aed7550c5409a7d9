"""Models of trees: for classes and for numbers."""

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from satsuma.data.columns import refuse_infinite
from satsuma.data.domain import Domain
from satsuma.data.fields import LARGE, FloatArray, IntArray, Many, Number, Word
from satsuma.data.schema import Schema
from satsuma.data.table import Table
from satsuma.errors import ReadError
from satsuma.kernels import tree as kernel
from satsuma.kernels.tree import GAIN, GINI, UNSEEN, Flat, depths, flaw
from satsuma.learners.explanation import Explanation
from satsuma.learners.informative import check_informative
from satsuma.learners.model import Model, Query
from satsuma.learners.predictions import Distribution
from satsuma.learners.tree import show
from satsuma.learners.tree.asked_columns import AskedColumns, asked_columns
from satsuma.learners.tree.impurity_decrease import impurity_decrease, shares_by_name
from satsuma.learners.tree.node import Node
from satsuma.learners.tree.shapley_models import ShapleyClassifier, ShapleyRegressor
from satsuma.learners.tree.structure import GREATEST, LEAST, SQUARES, SUM, WEIGHT, TreeArrays
from satsuma.learners.tree.tree_shapley import tree_path, tree_shapley
from satsuma.numerics.arrays import Array, Floats


def refuse_infinite_in(domain: Domain, batch: Table) -> None:
    """Raise if a number of an attribute is infinite, naming column and row."""
    for variable in domain.attributes:
        if variable.kind == "num":
            refuse_infinite(variable.name, batch.column(variable.name))


#: The arrays of a tree, or of several.
TREE = Schema(
    "nodes",
    "firsts",
    "branches",
    column=IntArray("nodes", low=-1),
    threshold=FloatArray("nodes", missing=True),
    first=IntArray("firsts", dtypes=(np.int64,)),
    branches=IntArray("branches", low=-(1 << 31)),
    share=FloatArray("nodes", low=0, high=1 + 1e-9),
)


def check_tree(flat: Flat, domain: Domain) -> None:
    """Raise a `ReadError` unless arrays are a tree of the attributes of a domain."""
    numbers = [v.kind == "num" for v in domain.attributes]
    wrong = flaw(flat, numbers)
    if wrong is not None:
        raise ReadError(wrong)
    asks = np.append([0 if v.kind == "num" else len(v.values) for v in domain.attributes], 0)
    known = np.append(numbers, False)[flat.column]
    if (np.isnan(flat.threshold) == known).any():
        raise ReadError("a node of the tree has a threshold and no number, or none for a number")
    symbol = (flat.column >= 0) & ~known
    if (np.diff(flat.first)[symbol] != asks[flat.column[symbol]]).any():
        raise ReadError("a node of the tree has branches for other values than its column")
    above = np.repeat(np.arange(len(flat.column)), np.diff(flat.first))
    there = flat.branches >= 0
    up = np.full(len(flat.column), -1)
    up[flat.branches[there]] = above[there]
    child = np.flatnonzero(up >= 0)
    if len(child) != len(up) - 1:
        raise ReadError("a node of the tree is not reached from its root")
    total = np.bincount(up[child], flat.share[child], len(flat.column))
    if (np.abs(total - 1)[flat.column >= 0] > 1e-6).any():
        raise ReadError("the shares of the branches of a node of the tree do not sum to 1")


class Readable(Model):
    """A tree that can be walked, printed and drawn.

    Nodes are numbered in reading order, each before its branches. `column` is the attribute that
    a node asks for, -1 at a leaf; `threshold` where numbers are parted; the branches of node i are
    ``branches[first[i]:first[i + 1]]``, and `share` is how much of what its parent knew a node got.
    """

    #: A value that was not seen in learning ends the way down; one that is missing is spread.
    unseen: ClassVar[int] = UNSEEN

    schema: ClassVar[Schema] = Schema(*TREE.own_sizes, **TREE.fields, informative=Many(Word()))

    def check_state(self) -> None:
        """The arrays are a tree."""
        super().check_state()
        check_informative(self.domain, self.informative)
        check_tree(self.flat, self.asked_columns.domain)

    def __init__(self, flat: Flat, informative: Sequence[str] = ()) -> None:
        self.column, self.threshold, self.first, self.branches, self.share = flat
        #: The names of the columns whose missing cells tell something of the target.
        self.informative = list(informative)

    @property
    def asked_columns(self) -> AskedColumns:
        """What `column` counts: the attributes, and missing cells that tell something."""
        return asked_columns(self.domain, tuple(self.informative))

    @property
    def flat(self) -> Flat:
        """The arrays of the tree."""
        return Flat(self.column, self.threshold, self.first, self.branches, self.share)

    def _average(self, says: Floats, batch: Table) -> Floats:
        found, infinite = kernel.average(self.flat, says, self._columns(batch), len(batch))
        if infinite:
            refuse_infinite_in(self.domain, batch)
        return found

    def _columns(self, batch: Table) -> Sequence[Array]:
        return self.asked_columns.columns(batch)

    @property
    def root(self) -> Node:
        """Where every row begins."""
        return Node(self)

    @property
    def size(self) -> int:
        """How many nodes there are."""
        return len(self.column)

    @property
    def leaves(self) -> int:
        """How many of them are leaves."""
        return int((self.column < 0).sum())

    @property
    def depth(self) -> int:
        """The most questions on a way from the root to a leaf."""
        return int(depths(self.flat).max())

    def importances(self) -> dict[str, float]:
        """The share of each column in what all divisions gained; largest first.

        What a division gains is the decrease of impurity: how much less mixed the rows of its
        branches are than those of the node, times what they weigh (Breiman et al. 1984). Impurity
        is entropy or Gini's, as the measure has it, and variance where numbers are predicted.
        """
        gains = impurity_decrease(self.flat, self.mixed_at(), self.asked_columns)
        return shares_by_name(self.domain, gains)

    def mixed_at(self) -> Floats:
        """How mixed the rows of each node are, times what they weigh."""
        raise NotImplementedError

    def rules(self) -> list[show.Rule]:
        """A rule for each leaf, with its support and its confidence."""
        return show.rules_of(self)

    def with_reasons(self, found: Explanation, batch: Table) -> Explanation:
        """The conditions on the way of a row, each with what the row holds."""
        return found.also(path=tuple(tree_path(self, batch)))

    def to_dot(self) -> str:
        """The tree in the language of Graphviz."""
        return show.to_dot(self)

    def __str__(self) -> str:
        return show.show(self)

    def weight_at(self, node: int) -> float:
        """What the rows at a node weigh."""
        raise NotImplementedError

    def value_at(self, node: int) -> str | float:
        """What is answered at a node."""
        raise NotImplementedError

    def trust_at(self, node: int) -> float:
        """The share of rows at a node that are of its class; for numbers, their spread."""
        raise NotImplementedError

    def distribution_at(self, node: int) -> Distribution | None:
        """How probable each class is at a node."""
        raise NotImplementedError


class TreeModel(Readable, ShapleyClassifier):
    """A tree for classes.

    Parameters
    ----------
    grown
        The tree; `counts` is the weight of each class at each node.
    m
        Imaginary rows at each node, in the shares of all rows.
    informative
        The names of the columns whose missing cells tell something.
    """

    schema: ClassVar[Schema] = Schema(
        counts=FloatArray("nodes", "classes", low=0, high=LARGE), m=Number(low=0, high=LARGE)
    )

    def check_state(self) -> None:
        """Every node has rows."""
        super().check_state()
        if not (self.counts.sum(axis=1) > 0).all():
            raise ReadError("a node of the tree has no rows")

    def __init__(self, grown: TreeArrays, m: float = 0.0, informative: Sequence[str] = ()) -> None:
        super().__init__(grown.flat, informative)
        self.counts, self.m = grown.stats, float(m)

    def estimates(self, counts: Floats) -> Floats:
        """How probable each class is where these are counted, in the last dimension."""
        prior = self.counts[0] / self.counts[0].sum()
        return (counts + self.m * prior) / (counts.sum(axis=-1, keepdims=True) + self.m)

    def mixed_at(self) -> Floats:
        """Entropy or Gini impurity of each node, times its weight."""
        gini = getattr(self.learner, "measure", None) == "gini"
        return kernel.disorder(self.counts, GINI if gini else GAIN)

    def probabilities(self, batch: Table) -> Floats:
        """The m-estimates of the classes where a row ends; an average where it is spread."""
        return self._average(self.estimates(self.counts), batch)

    def contributions(self, data: Table) -> Floats:
        """What each column adds to the probabilities (TreeSHAP)."""
        says = self.estimates(self.counts)
        return tree_shapley([(self.flat, says)], self.asked_columns, self._rows(data))

    def codes(self, batch: Table) -> npt.NDArray[np.integer[Any]]:
        """The most probable class of each row, as a code; ties go to the first."""
        shares = self.estimates(self.counts)
        found, infinite = kernel.most(self.flat, shares, self._columns(batch), len(batch))
        if infinite:
            refuse_infinite_in(self.domain, batch)
        return found

    def weight_at(self, node: int) -> float:
        """What the rows at a node weigh."""
        return float(self.counts[node].sum())

    def value_at(self, node: int) -> str:
        """The most probable class at a node; the first of several."""
        return self.classes[self._code_at(node)]

    def _code_at(self, node: int) -> int:
        return int(self.estimates(self.counts[node]).argmax())

    def trust_at(self, node: int) -> float:
        """The share of rows at a node that are of its class."""
        return float(self.counts[node, self._code_at(node)] / self.counts[node].sum())

    def distribution_at(self, node: int) -> Distribution:
        """How probable each class is at a node."""
        return Distribution(self.classes, self.estimates(self.counts[node]))


def _freedom(weight: Floats) -> Floats:
    """What sums of squares are divided by to get a variance."""
    return np.maximum(weight - 1, weight / 2)


class RegressionTreeModel(Readable, ShapleyRegressor):
    """A tree for numbers.

    Parameters
    ----------
    grown
        The tree; `mean`, `sd`, `weight`, `lo` and `hi` are of the target at each node.
    centre
        What was subtracted from the target while the tree grew.
    informative
        The names of the columns whose missing cells tell something.
    """

    schema: ClassVar[Schema] = Schema(
        weight=FloatArray("nodes", low=0),
        lo=FloatArray("nodes"),
        hi=FloatArray("nodes"),
        mean=FloatArray("nodes"),
        sd=FloatArray("nodes", low=0, infinite=True),
    )

    def __init__(self, grown: TreeArrays, centre: float, informative: Sequence[str] = ()) -> None:
        super().__init__(grown.flat, informative)
        stats = grown.stats
        self.weight = stats[:, WEIGHT].copy()
        away = stats[:, SUM] / self.weight
        self.lo, self.hi = stats[:, LEAST] + centre, stats[:, GREATEST] + centre
        # The mean of equal numbers is that number, whatever rounding makes of it.
        self.mean = np.clip(centre + away, self.lo, self.hi)
        spread = np.maximum(stats[:, SQUARES] - stats[:, SUM] * away, 0.0)
        self.sd = np.where(self.lo < self.hi, np.sqrt(spread / _freedom(self.weight)), 0.0)

    def mixed_at(self) -> Floats:
        """The sum of squares about the mean of each node."""
        return self.sd**2 * _freedom(self.weight)

    def contributions(self, data: Table) -> Floats:
        """What each column adds to the number (TreeSHAP)."""
        says = self.mean[:, None]
        return tree_shapley([(self.flat, says)], self.asked_columns, self._rows(data))

    def numbers(self, batch: Table) -> Floats:
        """The mean where a row ends; an average where it is spread."""
        return self._average(self.mean[:, None], batch)[:, 0]

    def deviations(self, query: Query | Table) -> Any:
        """The standard deviation of the rows of the leaf where a row ends."""
        found = self._average(self.sd[:, None], self._rows(query))[:, 0]
        return found if isinstance(query, Table) else float(found[0])

    def weight_at(self, node: int) -> float:
        """What the rows at a node weigh."""
        return float(self.weight[node])

    def value_at(self, node: int) -> float:
        """The mean of the target at a node."""
        return float(self.mean[node])

    def trust_at(self, node: int) -> float:
        """The standard deviation of the target at a node."""
        return float(self.sd[node])

    def distribution_at(self, node: int) -> None:
        """There are no classes."""
