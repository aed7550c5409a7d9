"""ModelTree: a tree of few leaves, with a linear or a logistic model in each."""

import functools
import operator
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Literal

import numpy as np

from satsuma.data.domain import Domain
from satsuma.data.table import Table
from satsuma.errors import check_choice, check_number
from satsuma.learners.learner import RoundsLearner
from satsuma.learners.model_tree.design import Design, DesignRows, Target, design_of
from satsuma.learners.model_tree.feature_choice import MANY, MOST, by_marginals, by_steps
from satsuma.learners.model_tree.grams import Marginals, bin_grams, node_grams
from satsuma.learners.model_tree.leaf_models import means_of, model_of, start_of_climb
from satsuma.learners.model_tree.level_growth import Growing, Growth, grown, pruned, seedling
from satsuma.learners.model_tree.linear_tree import LinearTree
from satsuma.learners.takes import Takes, nothing_known
from satsuma.learners.target_rows import rows_of
from satsuma.learners.tree.binning import Sample
from satsuma.measures.informative_missing import MISSING, informative_columns
from satsuma.prepare.encoding import Encoding
from satsuma.tallies.class_counts import ClassCounts
from satsuma.tallies.composite import Composite
from satsuma.tallies.content_hashes import training_hashes
from satsuma.tallies.target_tallies import TargetMoments
from satsuma.tallies.target_where_missing import TargetWhereMissing

#: How many times as much a split costs where classes are predicted.
_FOR_CLASSES = 2


@dataclass(frozen=True)
class _Look:
    """What has to be known of the columns before anything can be fitted."""

    sample: Sample
    counted: Composite
    where_missing: TargetWhereMissing
    target: TargetMoments | None

    def __add__(self, other: "_Look") -> "_Look":
        target = None
        if self.target is not None and other.target is not None:
            target = self.target + other.target
        return _Look(
            self.sample + other.sample,
            self.counted + other.counted,
            self.where_missing + other.where_missing,
            target,
        )

    @classmethod
    def of(cls, batch: Table) -> "_Look":
        rows = rows_of(batch)
        sample = Sample.of(rows.batch, training_hashes(rows.batch))
        target = TargetMoments.of(batch) if rows.variable.kind == "num" else None
        where_missing = TargetWhereMissing.of(rows.batch)
        return cls(sample, Encoding.tally(batch), where_missing, target)


@dataclass(frozen=True)
class _State:
    """Where learning has come to.

    Parameters
    ----------
    stage
        What the next round is for: to ``look`` at the columns, to ``screen`` very many features or
        to ``select`` among many, to ``grow`` a level, to ``fit`` equations, or to ``climb`` to the
        greatest likelihood.
    design, growth
        The features and bins, and the tree as it has grown.
    tree
        As it was pruned.
    climb, fitted
        Of classes the coefficients, and of numbers what the nodes come to.
    """

    stage: Literal["look", "screen", "select", "grow", "fit", "climb", "done"] = "look"
    design: Any = None
    growth: Any = None
    tree: Any = None
    climb: Any = None
    fitted: Any = None

    @property
    def done(self) -> bool:
        """Whether no round is left."""
        return self.stage == "done"


@dataclass(kw_only=True, eq=False, repr=False)
class ModelTree(RoundsLearner):
    """A tree of few leaves, in each of which the target is a weighted sum of the columns (M5).

    For a number the leaves are linear models, for classes logistic ones. A split is made where two
    models leave least over, and stays if that pays for what the search has cost (Quinlan 1992; Wang
    and Witten 1997, who look at the spread of the target instead). The model of a node is drawn
    towards that of the node above, so that predictions change little from leaf to leaf, and differs
    from it in terms that pay.

    A missing cell spreads a row over both branches of a split by their weights, and is the mean of
    the leaf in an equation. Where a test says that it tells something of the target, equations have
    a term for it, and splits a way. A value that was not seen in learning is answered by the node
    it reaches.

    Parameters
    ----------
    smoothing
        The model of a node is learned from its rows and from so many imaginary ones, for which the
        model of the node above is right.
    prune
        What a split costs, in degrees of freedom of the adjusted error, of classes twice as many:
        more for fewer leaves.
    drop
        What a term of an equation must be worth, as a multiple of the variance of what is left
        over: 4 is about two standard errors. More for shorter equations.
    min_leaf
        What a leaf must weigh.
    max_depth
        The most questions to a leaf.
    bins
        The most that a column of numbers is cut into, to look for splits.
    missing
        What a missing value tells: ``ignore``, nothing; ``informative``, in each column with
        missing cells, that a cell is missing has a term of its own in equations, and in a split it
        goes with the least or the greatest numbers, or apart from all; ``auto``, the columns for
        which a test says that the target differs where they are missing (`model.informative` has
        the names).

    Notes
    -----
    All that a round needs of the rows are cross-products by node and bin, which add up: one round
    for each level, then one for the equations of numbers, or about ten for those of classes. A
    number that is predicted, and each cell that it is predicted from, is taken to be no farther
    from those of the leaf than half of their range. Of more than 40 features, one for each number
    and each value of a symbol, equations have the 40 that say most in all rows.

    Examples
    --------
    >>> from satsuma import ModelTree, Table
    >>> rows = [(x, s, 2 * x if x < 10 else 40 - x) for x in range(30) for s in "ab"]
    >>> model = ModelTree()(Table.of(rows, ["x", "s", "y"]))
    >>> model.leaves, round(model({"x": 20, "s": "a"}), 1)
    (2, 20.0)
    """

    smoothing: float = 15.0
    prune: float = 10.0
    drop: float = 2.0
    min_leaf: float = 10
    max_depth: int = 6
    bins: int = 32
    missing: str = field(default="auto", repr=False)

    readable: ClassVar[bool] = True
    finds_infinite: ClassVar[bool] = True
    takes: ClassVar[Takes] = Takes(target="either", rounds="many")

    def check(self) -> None:
        """Numbers in their ranges."""
        check_number(self, "smoothing", low=1e-3)
        for name in ("prune", "drop"):
            check_number(self, name, low=0)
        check_number(self, "min_leaf", low=1)
        check_number(self, "max_depth", low=0, whole=True)
        check_number(self, "bins", low=2, high=255, whole=True)
        check_choice(self, "missing", MISSING)

    def start(self, domain: Domain) -> _State:  # noqa: ARG002 - the first tally has it
        """Nothing is known."""
        return _State()

    def tally(self, state: _State, batch: Table) -> Any:
        """A look at the columns; then cross-products by node and bin, and by leaf."""
        if state.stage == "look":
            return _Look.of(batch)
        design: Design = state.design
        found = (self._tallied(state, rows) for rows in design.blocks(batch))
        return functools.reduce(operator.add, found)

    def _tallied(self, state: _State, rows: DesignRows) -> Any:
        if state.stage == "screen":
            return Marginals.of(rows)
        if state.stage == "climb":
            return state.climb.tally(rows)
        if state.stage in ("grow", "select"):
            growth: Growth = state.growth
            levels = growth.design.levels if state.stage == "grow" else ()
            return bin_grams(growth.tree.flat, rows, growth.chunk, levels)
        return node_grams(state.tree.flat, rows, means_of(state.growth, state.tree))

    def advance(self, state: _State, tally: Any) -> _State:
        """Lay out the features; grow; fit."""
        if state.stage == "look":
            return self._laid_out(tally)
        if state.stage == "screen":
            return self._laid(state.design, state.design.used[by_marginals(tally)])
        if state.stage == "select":
            used = state.design.used
            return self._laid(state.design, used[by_steps(tally.cells[0, 0], len(used))])
        if state.stage == "grow":
            how = self._how(state.design)
            return self._after_growth(replace(state, growth=grown(state.growth, tally, how)))
        if state.stage == "climb":
            climb = state.climb.advance(tally)
            return replace(state, climb=climb, stage="done" if climb.done else "climb")
        return replace(state, stage="done", fitted=tally)

    def conclude(self, state: _State) -> LinearTree:
        """The equations of all nodes."""
        how = self._how(state.design)
        return model_of(state.growth, state.tree, state.fitted, state.climb, how)

    def _how(self, design: Design) -> Growing:
        return Growing(
            float(self.smoothing),
            float(self.drop),
            float(self.prune) * (1 if design.target.seen is None else _FOR_CLASSES),
            float(self.min_leaf),
            int(self.max_depth),
        )

    def _laid_out(self, look: _Look) -> _State:
        counts = look.counted[ClassCounts]
        if look.target is not None:
            num = look.target.num
            total, target = num.n, Target(num.mu, num.sd if num.sd > 0 else 1.0)
        else:
            total = float(counts.class_weight.sum())
            target = Target(0.0, 1.0, np.flatnonzero(counts.class_weight > 0))
        if not total > 0:
            raise nothing_known("ModelTree")
        informative = informative_columns(look.where_missing, self.missing)
        encoding = Encoding.of(look.counted).with_missing(look.where_missing, informative)
        weights = [
            counts[v.name].sum(axis=1) if v.kind == "sym" else np.zeros(0)
            for v in encoding.domain.attributes
        ]
        lost = [total * look.where_missing.share(name) for name in informative]
        weights += [np.array([total - each, each]) for each in lost]
        design = design_of(look.sample, encoding, target, weights, int(self.bins))
        return self._laid(design, design.used)

    def _laid(self, design: Design, used: Any) -> _State:
        """The state after some features were chosen; among many, there is one more choice."""
        design = replace(design, used=used, _kept={})
        stage = "screen" if len(used) > MANY else "select" if len(used) > MOST else "grow"
        return _State(stage, design, seedling(design))

    def _after_growth(self, state: _State) -> _State:
        growth: Growth = state.growth
        if growth.waiting:
            return state
        tree = pruned(growth, self._how(state.design).prune)
        if state.design.target.seen is None:
            return replace(state, tree=tree, stage="fit")
        climb = start_of_climb(growth, tree, float(self.smoothing))
        return replace(state, tree=tree, climb=climb, stage="done" if climb.done else "climb")
