"""Tree, RegressionTree and ID3: decision trees; when to split a node, and when to stop."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

import numpy as np

from satsuma.data.domain import Domain
from satsuma.data.table import Table
from satsuma.engines import Source
from satsuma.errors import DomainError, ParameterError, check_choice, check_number
from satsuma.kernels.tree import (
    GAIN,
    VARIANCE,
    Rules,
)
from satsuma.learners.takes import Takes, TakesBy
from satsuma.learners.tree import pruning
from satsuma.learners.tree.chance import without_chance
from satsuma.learners.tree.model import Readable, RegressionTreeModel, TreeModel
from satsuma.learners.tree.setup import BINS, Setup
from satsuma.learners.tree.structure import GrownTree, TreeArrays
from satsuma.learners.tree.tree_learner import (
    MEASURES,
    NO_LIMIT,
    TreeLearner,
    check_growth,
    setup_of,
    split_forms,
)
from satsuma.numerics.arrays import Floats


@dataclass(kw_only=True, eq=False, repr=False)
class RegressionTree(TreeLearner):
    """Rows divided again and again, so that the numbers in each part lie close together.

    A missing value is spread over all branches by their weights, in learning and in predicting,
    unless a test says that it tells something of the target: then it has a way of its own. In
    learning a row is divided once, and its parts then go where most rows go. A value that was not
    seen in learning is answered by the node it reaches.

    Parameters
    ----------
    split
        How a symbol divides: ``multiway``, a branch for each value; ``binary``, two sets of
        values; ``auto``, whichever lowers the variance more.
    min_leaf
        What a branch must weigh; of several branches, two of them.
    min_split
        What a node must weigh to be divided.
    max_depth
        The most questions to a leaf; None for no limit.
    prune
        Whether to take back questions that do not pay: ``error``, those that gain what the best of
        so many cuts gains by chance, and those that do not take away at least 0.2 % of the variance
        of all rows; ``cross-validation``, a share that is chosen by rows that trees were not grown
        from; or None.
    held_out
        A share of the rows that the tree is pruned with instead, and not grown from (Quinlan 1987).
    bins
        The most that a column of numbers is cut into while divisions are compared; the
        threshold of the best one is then found exactly. Up to so many different numbers in a
        column, all thresholds are compared. None for 255 bins, and for all thresholds of every
        column in tables of up to about 50,000 different rows.
    missing
        What a missing value tells: ``ignore``, nothing, and it is spread over all branches;
        ``informative``, it is a value of its own, and goes with the least or the greatest numbers,
        or apart from all; ``auto``, one or the other for each column, by a test of whether the
        target differs where it is missing (`model.informative` has the names).

    Notes
    -----
    Which rows are held out depends on what is in them: equal rows stay together, and neither
    their order nor the way they are stored matters.

    Examples
    --------
    >>> from satsuma import RegressionTree, Table
    >>> rows = [("small", 1.0), ("small", 1.2), ("large", 9.0), ("large", 9.4)]
    >>> model = RegressionTree(min_leaf=1, max_depth=1)(Table.of(rows, ["size", "weight"]))
    >>> print(model)
    weight
    size = small: 1.1 ± 0.141 (2)
    size = large: 9.2 ± 0.283 (2)
    """

    split: str = "binary"
    min_leaf: float = 3
    min_split: float = 2
    max_depth: int | None = None
    prune: Literal["error", "cross-validation"] | None = "error"
    held_out: float | None = None
    bins: int | None = field(default=None, repr=False)
    missing: str = field(default="auto", repr=False)

    takes: ClassVar[Takes] = Takes(target="number", rounds="many")

    def check(self) -> None:
        """Every parameter has a range."""
        check_growth(self)
        check_choice(self, "prune", ("error", "cross-validation", None))

    def setup(self, domain: Domain) -> Setup:
        """Divide by variance."""
        return setup_of(self, domain, VARIANCE)

    @property
    def crosses(self) -> bool:
        """Whether the strength of pruning is chosen by cross-validation."""
        return self.prune == "cross-validation" and not self.held_out

    def concluded(self, outcome: GrownTree, folds: Sequence[GrownTree] = ()) -> RegressionTreeModel:
        """The tree, pruned unless that is not wanted."""
        grown = outcome.grown
        if outcome.held is not None:
            grown = pruning.by_held_out(outcome)
        elif self.crosses:
            grown = pruning.by_cross_validation(outcome, folds)
        elif self.prune is not None:
            grown = pruning.by_error(without_chance(grown, outcome.setup), classes=0)
        return RegressionTreeModel(grown, outcome.centre, outcome.setup.informative)


def _for_classes(tree: Any) -> list[str]:
    """The parameters that are given and are for classes alone."""
    names = [name for name in ("significance", "m_prune") if getattr(tree, name) is not None]
    return [*names, *(["prune"] if tree.prune == "mdl" else [])]


def _taken(tree: Any) -> Takes:
    """Numbers can be predicted unless something is asked for that is for classes alone."""
    return Takes(target="classes" if _for_classes(tree) else "either", rounds="many")


@dataclass(kw_only=True, eq=False, repr=False)
class Tree(TreeLearner):
    """Rows divided again and again, so that the classes in each part are as pure as they can be.

    A missing value is spread over all branches by their weights, in learning and in predicting,
    unless a test says that it tells something of the target: then it has a way of its own. In
    learning a row is divided once, and its parts then go where most rows go. A value that was not
    seen in learning is answered by the node it reaches. A table whose target is a number gets a
    tree of numbers, as from `RegressionTree`, unless `significance`, `m_prune` or ``prune="mdl"``
    is given: they are for classes.

    Parameters
    ----------
    measure
        What a division is chosen by: ``gain ratio`` (Quinlan 1986: the best ratio of gain and
        split information, among those of at least average gain), ``plain gain ratio`` (the best
        ratio of all, of thresholds too: it likes branches of few rows, and is here to compare
        with), ``gain`` or ``entropy`` (information gain), ``gini``. Numbers are divided by their
        variance.
    split
        How a symbol divides: ``multiway``, a branch for each value; ``binary``, two sets of
        values; ``auto``, whichever the measure prefers.
    min_leaf
        What a branch must weigh; of several branches, two of them.
    min_split
        What a node must weigh to be divided.
    max_depth
        The most questions to a leaf; None for no limit.
    significance
        Divide only where the classes of the branches differ by more than chance, by Pearson's
        chi-square test at this level: 0.05, or less for a smaller tree. None for no test.
    prune
        How questions that do not pay are taken back: ``error``, where they save fewer bits than it
        takes to name them among all cuts at hand, as cuts by chance do, or do not save an error
        each, as far as that can be trusted (error-based pruning; Quinlan 1993),
        ``cross-validation``, where they do not save as many errors as is best for rows that trees
        were not grown from (after Breiman et al. 1984; it takes six times as long), ``mdl``, where
        a leaf is told in fewer bits (Mehta, Rissanen and Agrawal 1995), or None.
    m_prune
        Prune by the m-estimate of the error instead (Cestnik and Bratko 1991), with this m.
    held_out
        A share of the rows that the tree is pruned with instead, and not grown from (Quinlan 1987).
    m
        Smooths the probabilities of classes: each node has so many imaginary rows, in the shares of
        all rows (Cestnik 1990). At 0 a class that a leaf has not seen is impossible there, and the
        log loss is several times as high.
    bins
        The most that a column of numbers is cut into while divisions are compared; the
        threshold of the best one is then found exactly. Up to so many different numbers in a
        column, all thresholds are compared. None for 255 bins, and for all thresholds of every
        column in tables of up to about 50,000 different rows.
    missing
        What a missing value tells: ``ignore``, nothing, and it is spread over all branches;
        ``informative``, it is a value of its own, and goes with the least or the greatest numbers,
        or apart from all; ``auto``, one or the other for each column, by a test of whether the
        target differs where it is missing (`model.informative` has the names).

    Notes
    -----
    The gain of a column with missing values is that of the rows where it is known, times their
    share (Quinlan 1993); in the gain ratio, the missing count as a branch. From the gain of two
    sets of more than two values, that is taken off which so many values gain by chance: a column
    that names rows is no good one. Ties go to the first column and the least threshold. A node is
    divided even if nothing is gained, as in exclusive or.

    Examples
    --------
    >>> from satsuma import Tree, load
    >>> print(Tree(max_depth=2)(load("iris")))
    Species
    Petal.Length ≤ 2.45: setosa (50)
    Petal.Length > 2.45
    |  Petal.Width ≤ 1.75: versicolor (54, 91%)
    |  Petal.Width > 1.75: virginica (46, 98%)
    """

    measure: str = "gain"
    split: str = "binary"
    min_leaf: float = 2
    min_split: float = 2
    max_depth: int | None = None
    significance: float | None = None
    prune: Literal["error", "cross-validation", "mdl"] | None = "error"
    m_prune: float | None = None
    held_out: float | None = None
    m: float = field(default=2.0, repr=False)
    bins: int | None = field(default=None, repr=False)
    missing: str = field(default="auto", repr=False)

    takes: ClassVar[Any] = TakesBy(_taken)

    def check(self) -> None:
        """Every parameter has a range."""
        check_choice(self, "measure", MEASURES)
        check_growth(self)
        if self.significance is not None:
            check_number(self, "significance", low=0, high=0.5)
        if self.m_prune is not None:
            check_number(self, "m_prune", low=0)
        check_number(self, "m", low=0)
        check_choice(self, "prune", ("error", "cross-validation", "mdl", None))

    def check_data(self, data: Table | Source) -> None:
        """Raise if this cannot be learned from, and say which parameter is in the way."""
        domain: Domain | None = getattr(data, "domain", None)
        target = None if domain is None else domain.target
        if target is not None and target.kind == "num" and (names := _for_classes(self)):
            raise ParameterError(
                f"The '{names[0]}' parameter of Tree is for classes, and the target "
                f"{target.name!r} is a number. Use held_out=, min_leaf= or max_depth= instead."
            )
        super().check_data(data)

    def learn(self, data: Table | Source) -> Readable:
        """Grow a tree for classes, or one for numbers if that is what is to be predicted."""
        target = data.domain.target
        if target is not None and target.kind == "num":
            return self.of_numbers().learn(data)
        return super().learn(data)

    def of_numbers(self) -> RegressionTree:
        """The learner with the same parameters that predicts numbers."""
        shared = (
            "split",
            "min_leaf",
            "min_split",
            "max_depth",
            "prune",
            "held_out",
            "bins",
            "missing",
        )
        return RegressionTree(**{name: getattr(self, name) for name in shared})

    def setup(self, domain: Domain) -> Setup:
        """Divide by the measure."""
        setup = setup_of(self, domain, MEASURES[self.measure])
        if self.significance is None:
            return setup
        return setup._replace(
            rules=setup.rules._replace(critical=_critical(setup, self.significance))
        )

    @property
    def crosses(self) -> bool:
        """Whether the strength of pruning is chosen by cross-validation."""
        instead = self.held_out or self.m_prune is not None
        return self.prune == "cross-validation" and not instead

    def concluded(self, outcome: GrownTree, folds: Sequence[GrownTree] = ()) -> TreeModel:
        """The tree, pruned if that was asked for."""
        if self.crosses:
            grown = pruning.same_answers(pruning.by_cross_validation(outcome, folds), self.m)
        else:
            grown = self._pruned(outcome)
        return TreeModel(grown, self.m, outcome.setup.informative)

    def _pruned(self, outcome: GrownTree) -> TreeArrays:
        grown, attributes = pruning.by_held_out(outcome), outcome.setup.domain.attributes
        if self.m_prune is not None:
            grown = pruning.by_m_estimate(grown, self.m_prune)
        if self.prune == "mdl":
            levels = [len(v.values) if v.kind == "sym" else self.bins or BINS for v in attributes]
            return pruning.by_description(grown, np.array([*levels, 2], np.int32))
        if self.prune is None or self.m_prune is not None or outcome.held is not None:
            return grown
        kept = pruning.by_error(without_chance(grown, outcome.setup), outcome.setup.classes)
        return pruning.same_answers(kept, self.m)


@dataclass(kw_only=True, eq=False)
class ID3(TreeLearner):
    """The classic of Quinlan 1986: a branch for each value of the column that gains most.

    Each column is asked for once on a way down, until all rows are of one class or no column is
    left; nothing is pruned. A missing value is spread over all branches by their weights, and a
    value that was not seen in learning is answered by the node it reaches.

    Examples
    --------
    >>> from satsuma import ID3, load
    >>> days = load("tennis")
    >>> model = ID3()(days)
    >>> model(days[0])
    'no'
    >>> print(model.rules()[0])
    outlook = sunny and humidity = high → no (3 rows, 1)
    """

    takes: ClassVar[Takes] = Takes(kinds=("sym",), rounds="many")

    def check_data(self, data: Table | Source) -> None:
        """Raise if this cannot be learned from; numbers are for `Tree`."""
        domain: Domain | None = getattr(data, "domain", None)
        for variable in domain.attributes if domain is not None else ():
            if variable.kind == "num":
                raise DomainError(
                    f"ID3 takes symbols alone, and {variable.name!r} holds numbers. Use Tree, "
                    f"which finds thresholds, or table.with_kinds({{{variable.name!r}: 'sym'}})."
                )
        super().check_data(data)

    def setup(self, domain: Domain) -> Setup:
        """Divide by gain, as long as there are two branches."""
        rules = Rules(GAIN, 0.0, 0.0, NO_LIMIT)
        classes = len(domain.target.values) if domain.target else 0
        return Setup(domain, "ID3", rules, split_forms(domain, "multiway"), classes, 255, 0.0)

    def concluded(self, outcome: GrownTree, folds: Sequence[GrownTree] = ()) -> TreeModel:  # noqa: ARG002
        """The tree as it has grown."""
        return TreeModel(outcome.grown)


def _critical(setup: Setup, level: float) -> Floats:
    """What the chi-square statistic must exceed, by degrees of freedom."""
    from scipy.stats import chi2

    # That a cell is missing may be one value more.
    most = max([2, *(len(v.values) + 1 for v in setup.domain.attributes)])
    freedom = np.arange(1, (most - 1) * max(setup.classes - 1, 1) + 1)
    return np.concatenate([[np.inf], chi2.isf(level, freedom)])
