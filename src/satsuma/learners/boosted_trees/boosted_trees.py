"""BoostedTrees: gradient boosting, small trees that each mend what those before left over."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal, NamedTuple, cast

import numpy as np

from satsuma.data.domain import Domain
from satsuma.data.table import Table
from satsuma.engines import Source
from satsuma.errors import DomainError, ParameterError, check_number, refuse
from satsuma.kernels.boost import Rules
from satsuma.learners.boosted_trees.booster import Settings
from satsuma.learners.boosted_trees.code_layout import MOST, layout_of
from satsuma.learners.boosted_trees.model import (
    BoostedTreesClassifier,
    BoostedTreesModel,
    BoostedTreesRegressor,
)
from satsuma.learners.boosted_trees.objective import ExactSum, Objective, exact_sum
from satsuma.learners.boosted_trees.source_passes import Passes
from satsuma.learners.boosted_trees.stopping import Stop, boosted
from satsuma.learners.boosted_trees.training_rows import (
    CodedRows,
    FirstLook,
    training_of,
)
from satsuma.learners.estimator.log_odds import LogOdds
from satsuma.learners.learner import RoundsLearner
from satsuma.learners.takes import Takes, nothing_known
from satsuma.learners.tree.binning import SAMPLE
from satsuma.numerics.arrays import Array, Floats
from satsuma.tallies.quantile_sketch import QuantileSketch

#: Rows up to which trees are small, and the number of rounds is found by cross-validation.
FEW_ROWS = 10_000

_FOLDS = 5

_HELD_OUT = 0.1

#: Rows up to which those held out are learned from in the end: trees are grown twice.
_AGAIN = 100_000

#: Bytes that rows in codes may take; where there are more, each round goes over them anew.
ROOM = 1 << 30

#: Deeper than any tree that fits in memory.
_NO_LIMIT = 2**31 - 1

#: Symbols with more than a few values, in rows: what leaves are shrunk by beside `l2`, what values
#: are shrunk by before they are put in order, and what a value must weigh to be looked at alone.
_SYMBOLS = (10.0, 10.0, 10.0)

#: Rounds without a gain after which learning stops, times the learning rate.
_PATIENCE = 2.0

#: Parameters that may be left to the number of rows, and their ranges; and those that are whole.
_RANGES = (
    ("learning_rate", 1e-6, 1),
    ("leaves", 2, 1 << 15),
    ("max_depth", 0, float("inf")),
    ("min_leaf", 0, float("inf")),
    ("column_sample", 0.01, 1),
    ("quantile", 0.001, 0.999),
)
_WHOLE = ("leaves", "max_depth")


@dataclass(frozen=True)
class _State:
    """Where learning has come to.

    Parameters
    ----------
    stage
        What the next round is for: a ``look`` at the columns; to ``code`` all rows, if they are
        then few enough for memory; else a ``total`` of the target, and to ``grow`` trees.
    here
        Whether the rows are in memory anyway.
    look, layout, seen
        What is known of the columns, their codes, and the classes that weigh something.
    coded
        All rows in codes.
    passes
        Trees that grow from rows which are somewhere else.
    """

    stage: Literal["look", "code", "total", "grow", "done"] = "look"
    here: bool = False
    look: Any = None
    layout: Any = None
    seen: Any = None
    coded: Any = None
    passes: Any = None

    @property
    def done(self) -> bool:
        """Whether no round is left."""
        return self.stage == "done"

    @property
    def unit(self) -> float | None:
        """What weights are multiples of; None where all are 1."""
        return None if self.look.alike else self.look.weight_unit


class _Usual(NamedTuple):
    """Parameters that nobody has given, by the number of rows."""

    learning_rate: float
    leaves: int
    min_leaf: float
    column_sample: float


#: For few rows: small trees, of half of the columns each, and short steps. Chosen by log loss and
#: squared error on small tables, each in turn left out of the choice.
_FEW, _MANY = _Usual(0.05, 8, 2, 0.5), _Usual(0.1, 31, 20, 1.0)

#: Columns that a tree sees unless somebody says otherwise, at least. Chosen likewise.
_COLUMNS = 4


@dataclass(kw_only=True, eq=False)
class BoostedTrees(LogOdds, RoundsLearner):
    """Many small trees, each of which mends what those before it left over (Friedman 2001).

    The scores of rows, log odds of classes or a number, are sums of what trees say. Columns are cut
    into bins, and a tree divides the leaf that gains most first; a symbol is divided into two sets
    of values, without one-hot encoding, where values that few rows have go together. A missing
    value goes to the side where it helps, which is learned at each division; a value that was not
    there in learning counts as missing.

    Parameters
    ----------
    rounds
        Trees, at most; of more than two classes, trees for each class.
    learning_rate
        What the values of leaves are multiplied by. Unless given, 0.05 for up to 10,000 rows, and
        0.1 for more.
    leaves
        Leaves of a tree, at most. Unless given, 8 for up to 10,000 rows, and 31 for more.
    max_depth
        The most questions to a leaf; None for no limit.
    min_leaf
        What the rows in a leaf must weigh, as far as the curvature of the loss tells. Unless given,
        2 for up to 10,000 rows, and 20 for more.
    l2
        Shrinks what leaves say: added to the curvature of the loss in a leaf.
    row_sample
        The share of the rows that a round sees. Which ones depends on what is in them, so that
        equal rows are seen together.
    column_sample
        The share of the columns that a tree sees. Unless given, 0.5 for up to 10,000 rows, but at
        least four columns, which may matter only together; all of them for more rows.
    early_stopping
        Whether to stop where more trees no longer help rows that they have not seen: up to 10,000
        rows by cross-validation in 5 folds, and for more rows by a tenth of them that is held out.
        With the number of rounds known, up to 100,000 rows are learned from once more, all of them.
    monotone
        Columns with which what is predicted may only rise or only fall, as in ``{"age": 1,
        "price": -1}``.
    counts
        Whether the target is a count of things: its logarithm is then a sum (Poisson's loss).
    quantile
        Predict this quantile of a number rather than its mean: 0.5 for the median.
    bins
        How many bins a number is cut into, at most.
    seed
        What rows and columns are sampled by.

    Notes
    -----
    Slopes and curvatures of the loss are rounded to whole numbers, up or down by a hash of the row,
    and sums of whole numbers do not depend on their order: the model is the same to the last bit
    for any number of threads, and from a table, from files cut in any way, and on a cluster. Rows
    that are not in memory are gathered as codes of one byte a cell; where even these take more than
    1 GB, each level of a tree is a pass over the rows.

    Examples
    --------
    >>> from satsuma import BoostedTrees, load
    >>> hearts = load("heart_disease")
    >>> model = BoostedTrees(rounds=30)(hearts)
    >>> model(hearts[0])
    '0'
    >>> list(model.importances())[:3]
    ['thal', 'chest pain', 'major vessels colored']
    """

    rounds: int = 1000
    learning_rate: float | None = None
    leaves: int | None = None
    max_depth: int | None = None
    min_leaf: float | None = None
    l2: float = 1.0
    row_sample: float = 1.0
    column_sample: float | None = None
    early_stopping: bool = True
    monotone: Mapping[str, int] | None = None
    counts: bool = False
    quantile: float | None = None
    bins: int = 255
    seed: int = 0

    takes: ClassVar[Takes] = Takes(target="either", rounds="many")
    finds_infinite: ClassVar[bool] = True

    def check(self) -> None:
        """Every parameter has a range."""
        check_number(self, "rounds", low=0, high=1 << 16, whole=True)
        check_number(self, "l2", low=0)
        check_number(self, "row_sample", low=0.01, high=1)
        check_number(self, "bins", low=2, high=MOST, whole=True)
        check_number(self, "seed", low=0, high=2**31, whole=True)
        for name, low, high in _RANGES:
            if getattr(self, name) is not None:
                check_number(self, name, low=low, high=high, whole=name in _WHOLE)
        for name in ("early_stopping", "counts"):
            if getattr(self, name) not in (False, True):
                raise refuse(self, name, "True or False")
        self._check_monotone()

    def _check_monotone(self) -> None:
        given: Any = {} if self.monotone is None else self.monotone
        if not isinstance(given, Mapping) or not all(
            isinstance(name, str) and sign in (-1, 1)
            for name, sign in cast("Mapping[Any, Any]", given).items()
        ):
            must = "names of columns with 1 (rising) or -1 (falling), as in {'age': 1}"
            raise refuse(self, "monotone", must)
        if self.quantile is not None and self.counts:
            raise ParameterError(
                "BoostedTrees cannot take quantile= and counts= at once. Leave one of them out."
            )

    def _signs(self) -> Mapping[str, int]:
        return self.monotone or {}

    def check_data(self, data: Table | Source) -> None:
        """The columns of `monotone` are numbers, and counts and quantiles are of numbers."""
        super().check_data(data)
        for name in self._signs():
            if data.domain[name].kind != "num" or data.domain[name].role != "x":
                raise DomainError(
                    f"The 'monotone' parameter of BoostedTrees names {name!r}, which is not a "
                    f"column of numbers that is learned from. Leave it out."
                )
        target = data.domain.target
        asked = "counts" if self.counts else "quantile" if self.quantile is not None else None
        if asked and target is not None and target.kind != "num":
            raise DomainError(
                f"The '{asked}' parameter of BoostedTrees is for numbers, and {target.name!r} "
                f"holds symbols. Leave it out to predict classes."
            )

    def start(self, domain: Domain) -> _State:  # noqa: ARG002 - the first tally has it
        """Nothing is known."""
        return _State()

    def learn(self, data: Table | Source) -> BoostedTreesModel:
        """Grow trees; rows that are in memory stay there, whatever their number."""
        if not isinstance(data, Table):
            return cast("BoostedTreesModel", super().learn(data))
        state = _State(here=True)
        while not state.done:
            state = self.advance(state, self.tally(state, data))
        return self.conclude(state)

    def tally(self, state: _State, batch: Table) -> Any:
        """A look at the columns; then the rows in codes, or sums of their slopes."""
        if state.stage == "look":
            return FirstLook.of(batch)
        if state.stage == "grow":
            return state.passes.tally(batch)
        rows = CodedRows.of(batch, state.layout, state.seen, state.unit)
        return rows if state.stage == "code" else self._total(state, rows)

    def _total(self, state: _State, rows: CodedRows) -> ExactSum | QuantileSketch:
        target, weights = rows.target[0], None if rows.weights is None else rows.weights[0]
        if self.quantile is None:
            return exact_sum(target, weights, state.look.low, state.look.high)
        return QuantileSketch.of(target, None if weights is None else weights.astype(np.float64))

    def advance(self, state: _State, tally: Any) -> _State:
        """Lay out the codes; then have all rows, or grow trees pass by pass."""
        if state.stage == "look":
            return self._laid_out(state, tally)
        if state.stage == "code":
            return replace(state, stage="done", coded=tally)
        if state.stage == "total":
            return self._growing(state, self._objective(state.look, state.seen, tally))
        passes: Passes = state.passes
        passes.advance(tally)
        return replace(state, stage="done" if passes.over else "grow")

    def _laid_out(self, state: _State, look: FirstLook) -> _State:
        if not look.rows:
            raise nothing_known("BoostedTrees")
        self._check_target(look)
        layout = layout_of(look.domain, look.sample, look.values, self.bins)
        seen = look.seen
        state = replace(state, look=look, layout=layout, seen=seen)
        if state.here or _fits(look):
            return replace(state, stage="code")
        if not len(look.classes):
            return replace(state, stage="total")
        return self._growing(state, self._objective(look, seen, None))

    def _growing(self, state: _State, objective: Objective) -> _State:
        passes = Passes(
            state.layout,
            state.seen,
            state.unit,
            dict(self._signs()),
            objective,
            self._settings(state.look),
            self._stop(state.look),
            objective.reach,
        )
        passes.begin()
        return replace(state, stage="done" if passes.over else "grow", passes=passes)

    def _check_target(self, look: FirstLook) -> None:
        target = look.domain.target
        if self.counts and look.low < 0 and target is not None:
            raise DomainError(
                f"Counts are never negative, and {target.name!r} holds {look.low:g}. Leave out "
                f"counts=True to predict its mean."
            )

    def conclude(self, state: _State) -> BoostedTreesModel:
        """The model of all trees, which are grown here where the rows are in memory."""
        look, layout, seen = state.look, state.layout, state.seen
        if state.passes is not None:
            objective, trees = state.passes.objective, state.passes.conclude()
        else:
            training = training_of(state.coded, layout, self._signs(), look.weight_unit)
            total = None if len(look.classes) else self._total(state, training.rows)
            objective = self._objective(look, seen, total)
            trees = boosted(training, objective, self._settings(look), self._stop(look))
        if len(look.classes):
            return BoostedTreesClassifier(layout, objective.start, trees, seen)
        return BoostedTreesRegressor(layout, trees, objective)

    def _objective(self, look: FirstLook, seen: Array, total: Any) -> Objective:
        """What scores are of, given the total of the target where it is a number."""
        if len(look.classes):
            return Objective("classes", _log_odds(look.classes[seen]))
        if self.counts:
            mean = total.mean(look.low, look.high)
            return Objective("counts", np.log([max(mean, 1e-9)]), max(look.high, 1.0))
        mean = self.quantile is None
        start = total.mean(look.low, look.high) if mean else float(total.quantile(self.quantile))
        reach = max(look.high - start, start - look.low) or 1.0
        if mean:
            return Objective("numbers", np.array([start]), reach)
        return Objective("quantile", np.array([start]), reach, float(self.quantile or 0.5))

    def _given(self, name: str, look: FirstLook) -> Any:
        """A parameter, or what is usual for so many rows."""
        given = getattr(self, name)
        return getattr(_FEW if look.rows <= FEW_ROWS else _MANY, name) if given is None else given

    def _settings(self, look: FirstLook) -> Settings:
        depth = _NO_LIMIT if self.max_depth is None else int(self.max_depth)
        leaves = max(1, min(int(self._given("leaves", look)), look.rows))
        least = float(self._given("min_leaf", look))
        rules = Rules(leaves, min(depth, _NO_LIMIT), least, float(self.l2), 0.0, *_SYMBOLS)
        rate, columns = (
            float(self._given(name, look)) for name in ("learning_rate", "column_sample")
        )
        if self.column_sample is None:
            columns = min(1.0, max(columns, _COLUMNS / max(1, len(look.domain.attributes))))
        return Settings(rules, rate, float(self.row_sample), columns, int(self.seed))

    def _stop(self, look: FirstLook) -> Stop:
        patience = math.ceil(_PATIENCE / float(self._given("learning_rate", look)))
        folds = _FOLDS if look.rows <= FEW_ROWS else 0
        alike = len(look.sample.hashes) < SAMPLE and _fits(look)
        rounds, patience = int(self.rounds), patience * bool(self.early_stopping)
        return Stop(rounds, patience, folds, _HELD_OUT, alike, look.rows <= _AGAIN)


def _fits(look: FirstLook) -> bool:
    """Whether the rows, in codes and with all that goes with them, have room in memory."""
    width, scores = len(look.domain.attributes), max(1, len(look.classes))
    return look.rows <= FEW_ROWS or look.rows * (2 * width + 48 + 12 * scores) <= ROOM


def _log_odds(weights: Floats) -> Floats:
    """The scores of classes that weigh so much, before the first tree."""
    if len(weights) < 2:
        return np.zeros(0)
    shares = np.log(weights / weights.sum())
    return shares[1:] - shares[:1] if len(weights) == 2 else shares
