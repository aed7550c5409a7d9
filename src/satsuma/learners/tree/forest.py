"""Forest and RegressionForest: random forests, many trees whose predictions are averaged."""

from abc import abstractmethod
from dataclasses import dataclass, field, replace
from functools import partial
from math import isqrt
from typing import ClassVar, cast

import numpy as np

from satsuma.data.domain import Domain
from satsuma.data.table import Table
from satsuma.engines import Source
from satsuma.errors import DomainError, ParameterError, check_choice, check_number
from satsuma.kernels import tree as kernel
from satsuma.kernels.threads import map_tiles, thread_limit
from satsuma.kernels.tree import VARIANCE
from satsuma.learners.bootstrap import Bootstrap
from satsuma.learners.learner import RoundsLearner
from satsuma.learners.parameters import parameter_names
from satsuma.learners.takes import Takes
from satsuma.learners.tree.asked_columns import asked_columns
from satsuma.learners.tree.forest_model import ForestModel, RegressionForestModel
from satsuma.learners.tree.gathered_rows import GatheredRows, Gathering
from satsuma.learners.tree.gathered_trees import GatheredTrees
from satsuma.learners.tree.growth import bin_rows
from satsuma.learners.tree.out_of_bag import out_of_bag_scores
from satsuma.learners.tree.setup import rows_of
from satsuma.learners.tree.structure import SUM, WEIGHT
from satsuma.learners.tree.tree_learner import MEASURES, check_growth, setup_of
from satsuma.numerics.arrays import Floats
from satsuma.numerics.sums import row_sums


class ForestLearner(RoundsLearner):
    """A learner that grows many trees from rows that are coded once; a source is gathered first."""

    trees: int
    max_depth: int | None
    tried: int | None
    cuts: str
    bootstrap: bool | None
    out_of_bag: bool
    seed: int

    finds_infinite: ClassVar[bool] = True

    #: There is no pruning, so no rows are held out for it.
    held_out: ClassVar[None] = None

    @abstractmethod
    def columns_tried(self, width: int) -> int:
        """How many of so many columns a node looks at, unless that is given."""

    @abstractmethod
    def answers(self, stats: Floats, centre: float) -> Floats:
        """What nodes say, of what their rows come to."""

    @abstractmethod
    def concluded(self, trees: GatheredTrees) -> ForestModel | RegressionForestModel:
        """The model of trees that have grown."""

    @property
    def division_measure(self) -> int:
        """What divisions are chosen by."""
        return VARIANCE

    def check(self) -> None:
        """Every parameter has a range."""
        check_growth(self)
        check_number(self, "bins", low=2, high=65_534, whole=True)
        check_number(self, "trees", low=1, whole=True)
        check_number(self, "seed", low=0, whole=True)
        if self.tried is not None:
            check_number(self, "tried", low=1, whole=True)
        check_choice(self, "cuts", ("best", "random"))
        check_choice(self, "bootstrap", (True, False, None))
        check_choice(self, "out_of_bag", (True, False))
        if self.out_of_bag and not self.draws_rows:
            raise ParameterError(
                f"{type(self).__name__} has no out-of-bag rows where each tree is grown from all "
                f"rows. Give bootstrap=True, or leave out_of_bag= out."
            )

    @property
    def draws_rows(self) -> bool:
        """Whether each tree is grown from rows that are drawn with replacement."""
        return self.cuts == "best" if self.bootstrap is None else self.bootstrap

    def start(self, domain: Domain) -> Gathering:
        """No rows."""
        return Gathering(domain)

    def tally(self, state: Gathering, batch: Table) -> GatheredRows:  # noqa: ARG002 - as of others
        """The rows themselves."""
        return GatheredRows(type(self).__name__, (batch,))

    def advance(self, state: Gathering, tally: GatheredRows) -> Gathering:
        """All rows are there."""
        return replace(state, rows=tally)

    def conclude(self, state: Gathering) -> ForestModel | RegressionForestModel:
        """The forest of all rows."""
        assert state.rows is not None
        return self.learn(state.rows.table(state.domain))

    def learn(self, data: Table | Source) -> ForestModel | RegressionForestModel:
        """Grow the trees, once all rows are in memory."""
        if isinstance(data, Table):
            return self.grown(data)
        return cast("ForestModel | RegressionForestModel", super().learn(data))

    def grown(self, data: Table) -> ForestModel | RegressionForestModel:
        """Code the rows once, and grow all trees from them."""
        if not data.domain.attributes:
            raise DomainError(
                f"{type(self).__name__} draws columns, and there is none beside the target."
            )
        begun = setup_of(self, data.domain, self.division_measure)
        setup, coded, centre = bin_rows(begun, data)
        hashes = rows_of(begun, data)[1]
        samples = Bootstrap.of(hashes, coded.weights, self.seed)
        rules = setup.rules._replace(random=self.cuts == "random")
        if self.draws_rows:
            coded = coded._replace(weights=None)  # rows are drawn by what they weigh
            rules = rules._replace(
                copies=2.0,
                min_leaf=rules.min_leaf / samples.unit,
                min_split=rules.min_split / samples.unit,
            )
        tried = self.tried or self.columns_tried(len(coded.columns))

        growth = kernel.Growth(coded, setup.forms, rules, tried)

        asked = asked_columns(data.domain, setup.informative)
        answers = partial(self.answers, centre=centre)
        gathered = GatheredTrees(answers, rules.measure, asked, self.trees)

        def tree(k: int, _: int) -> None:
            rows = samples.sample(k) if self.draws_rows else None
            with thread_limit(1):
                flat, stats = growth.grow(rows, self._path(k))
            gathered.add(k, flat, stats)

        map_tiles(tree, self.trees, 1)
        model = self.concluded(gathered)
        model.informative = list(setup.informative)
        if self.out_of_bag:
            model.out_of_bag_scores = out_of_bag_scores(model.trees(), coded, centre, samples)
        return model

    def _path(self, k: int) -> int:
        return int(np.random.default_rng([self.seed, k, 1]).integers(0, 2**63))

    @property
    def oob_score_(self) -> float:
        """The out-of-bag score, as scikit-learn calls it: accuracy, or R²."""
        score: float | None = getattr(self.model_, "out_of_bag", None)
        if score is None:
            raise AttributeError(
                f"{type(self).__name__} has no oob_score_: give out_of_bag=True, and fit it."
            )
        return score


@dataclass(kw_only=True, eq=False, repr=False)
class RegressionForest(ForestLearner):
    """A random forest for numbers: trees of bootstrap samples, whose means are averaged.

    Nodes look at a few random columns each (Breiman 2001). Missing and unseen values are treated
    as by `RegressionTree`. A row that weighs 2 is drawn as two rows would be.

    Parameters
    ----------
    trees, cuts, bootstrap, seed
        As for `Forest`.
    split, min_leaf, min_split, max_depth, bins, missing
        As for `RegressionTree`.
    tried
        How many columns a node looks at; half of them unless said, and at least four.
    out_of_bag
        As for `Forest`; `model.out_of_bag` is the out-of-bag R², and `model.out_of_bag_scores` has
        the RMSE as well.

    Examples
    --------
    >>> from satsuma import RegressionForest, load
    >>> houses = load("housing")
    >>> model = RegressionForest(trees=20, out_of_bag=True)(houses)
    >>> model.out_of_bag > 0.8
    True
    >>> list(model.importances())[:2]
    ['RM', 'LSTAT']
    """

    trees: int = 100
    split: str = "binary"
    min_leaf: float = 1
    min_split: float = 2
    max_depth: int | None = None
    tried: int | None = None
    bins: int = 255
    missing: str = field(default="auto", repr=False)
    cuts: str = field(default="best", repr=False)
    bootstrap: bool | None = field(default=None, repr=False)
    out_of_bag: bool = False
    seed: int = 0

    takes: ClassVar[Takes] = Takes(target="number", rounds="many")

    def columns_tried(self, width: int) -> int:
        """Half of the columns, and at least four."""
        return min(width, max(4, -(-width // 2)))

    def answers(self, stats: Floats, centre: float) -> Floats:
        """Means, about what was subtracted."""
        return np.asarray(centre + stats[:, [SUM]] / stats[:, [WEIGHT]])

    def concluded(self, trees: GatheredTrees) -> RegressionForestModel:
        """Trees for numbers."""
        return RegressionForestModel(trees)


@dataclass(kw_only=True, eq=False, repr=False)
class Forest(ForestLearner):
    """A random forest: trees of bootstrap samples, whose nodes look at a few random columns each.

    Their probabilities are averaged (Breiman 2001). Missing and unseen values are treated as by
    `Tree`. A row that weighs 2 is drawn as two rows would be. A table whose target is a number gets
    a forest of numbers, as from `RegressionForest`.

    Parameters
    ----------
    trees
        How many trees.
    measure, split, min_leaf, min_split, max_depth, bins, missing
        As for `Tree`.
    tried
        How many columns a node looks at; the root of their number unless said.
    cuts
        Where a node cuts a column: ``best``, where that gains most; ``random``, anywhere between
        its least and its greatest number, or into two sets of values that are drawn, and the best
        of the columns is taken: extremely randomised trees (Geurts, Ernst and Wehenkel 2006).
    bootstrap
        Whether each tree is grown from rows drawn with replacement, and not from all rows; unless
        said, with ``cuts="best"`` alone.
    out_of_bag
        Whether to ask each tree about the rows it was not grown from, for `model.out_of_bag`: the
        out-of-bag accuracy; `model.out_of_bag_scores` has the log loss as well.
    seed
        What bootstrap samples and columns are drawn by.

    Examples
    --------
    >>> from satsuma import Forest, load
    >>> iris = load("iris")
    >>> model = Forest(trees=20, out_of_bag=True)(iris)
    >>> model(iris[0]), model.out_of_bag > 0.9
    ('setosa', True)
    >>> list(model.importances())[:2]
    ['Petal.Length', 'Petal.Width']
    """

    trees: int = 100
    measure: str = "gini"
    split: str = "binary"
    min_leaf: float = 1
    min_split: float = 2
    max_depth: int | None = None
    tried: int | None = None
    bins: int = 255
    missing: str = field(default="auto", repr=False)
    cuts: str = field(default="best", repr=False)
    bootstrap: bool | None = field(default=None, repr=False)
    out_of_bag: bool = False
    seed: int = 0

    takes: ClassVar[Takes] = Takes(target="either", rounds="many")

    def check(self) -> None:
        """Every parameter has a range."""
        check_choice(self, "measure", MEASURES)
        super().check()

    @property
    def division_measure(self) -> int:
        """What divisions are chosen by."""
        return MEASURES[self.measure]

    def grown(self, data: Table) -> ForestModel | RegressionForestModel:
        """Grow a forest for classes, or one for numbers if that is what is to be predicted."""
        target = data.domain.target
        if target is not None and target.kind == "num":
            return self.of_numbers().grown(data)
        return super().grown(data)

    def of_numbers(self) -> RegressionForest:
        """The learner with the same parameters that predicts numbers."""
        shared = parameter_names(RegressionForest)
        return RegressionForest(**{name: getattr(self, name) for name in shared})

    def columns_tried(self, width: int) -> int:
        """The root of their number."""
        return isqrt(width)

    def answers(self, stats: Floats, centre: float) -> Floats:  # noqa: ARG002 - as of numbers
        """Shares of classes."""
        return stats / row_sums(stats)[:, None]

    def concluded(self, trees: GatheredTrees) -> ForestModel:
        """Trees for classes."""
        return ForestModel(trees)
