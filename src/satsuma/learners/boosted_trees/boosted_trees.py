"""BoostedTrees: gradient boosting, small trees that each mend what those before left over."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np

from satsuma.data.domain import Domain
from satsuma.data.table import Table
from satsuma.engines import Source
from satsuma.errors import DomainError, ParameterError, check_number
from satsuma.kernels.boost import Rules
from satsuma.learners.boosted_trees.boosting import Settings
from satsuma.learners.boosted_trees.layout import Layout, layout_of
from satsuma.learners.boosted_trees.model import (
    BoostedTreesClassifier,
    BoostedTreesModel,
    BoostedTreesRegressor,
)
from satsuma.learners.boosted_trees.objective import Objective, exact_mean
from satsuma.learners.boosted_trees.stopping import Stop, boosted
from satsuma.learners.boosted_trees.training_rows import (
    CodedRows,
    FirstLook,
    Training,
    training_of,
)
from satsuma.learners.learner import RoundsLearner
from satsuma.learners.takes import Takes, nothing_known
from satsuma.learners.tree.binning import SAMPLE
from satsuma.numerics.arrays import Array, Floats
from satsuma.tallies.quantile_sketch import QuantileSketch

#: Rows up to which the number of rounds is found by cross-validation.
_FEW_ROWS = 10_000

_FOLDS = 5

_HELD_OUT = 0.1

#: Deeper than any tree that fits in memory.
_NO_LIMIT = 2**31 - 1


@dataclass(frozen=True)
class _State:
    """Where learning has come to.

    Parameters
    ----------
    stage
        What the next round is for: a ``look`` at the columns, or to ``code`` the rows.
    """

    stage: Literal["look", "code", "done"] = "look"
    look: Any = None
    layout: Any = None
    seen: Any = None
    coded: Any = None

    @property
    def done(self) -> bool:
        """Whether no round is left."""
        return self.stage == "done"


@dataclass(kw_only=True, eq=False)
class BoostedTrees(RoundsLearner):
    """Many small trees, each of which mends what those before it left over (Friedman 2001)."""

    rounds: int = 500
    learning_rate: float = 0.1
    leaves: int = 31
    max_depth: int | None = None
    min_leaf: float = 20
    l2: float = 1.0
    row_sample: float = 1.0
    column_sample: float = 1.0
    early_stopping: int | None = 20
    monotone: Mapping[str, int] | None = None
    counts: bool = False
    quantile: float | None = None
    bins: int = 255
    seed: int = 0

    symbol_l2: float = 10.0
    symbol_smooth: float = 10.0
    symbol_group: float = 10.0
    folds: int = _FOLDS

    takes: ClassVar[Takes] = Takes(target="either", rounds="many")
    finds_infinite: ClassVar[bool] = True

    def check(self) -> None:
        """Every parameter has a range."""
        check_number(self, "rounds", low=0, whole=True)
        check_number(self, "learning_rate", low=1e-6, high=1)
        check_number(self, "leaves", low=2, high=1 << 15, whole=True)
        if self.max_depth is not None:
            check_number(self, "max_depth", low=0, whole=True)
        check_number(self, "min_leaf", low=0)
        check_number(self, "l2", low=0)
        check_number(self, "row_sample", low=0.01, high=1)
        check_number(self, "column_sample", low=0.01, high=1)
        if self.early_stopping is not None:
            check_number(self, "early_stopping", low=1, whole=True)
        if self.quantile is not None:
            check_number(self, "quantile", low=0.001, high=0.999)
        check_number(self, "bins", low=2, high=255, whole=True)
        check_number(self, "seed", low=0, high=2**31, whole=True)
        self._check_monotone()

    def _check_monotone(self) -> None:
        given: Any = self.monotone
        if not isinstance(given, Mapping | None) or not set(self._signs().values()) <= {-1, 1}:
            raise ParameterError(
                f"BoostedTrees takes monotone as columns with 1 (rising) or -1 (falling), as in "
                f"monotone={{'age': 1}}. Got {given!r}."
            )
        if self.quantile is not None and (self.counts or self.monotone):
            other = "counts" if self.counts else "monotone"
            raise ParameterError(
                f"BoostedTrees cannot have quantile and {other} at once. Leave one of them out."
            )

    def _signs(self) -> Mapping[str, int]:
        return self.monotone or {}

    def check_data(self, data: Table | Source) -> None:
        """The columns of `monotone` are numbers, and counts and quantiles are of numbers."""
        super().check_data(data)
        for name in self._signs():
            if data.domain[name].kind != "num" or data.domain[name].role != "x":
                raise DomainError(
                    f"BoostedTrees is to make {name!r} monotone, which is no column of numbers "
                    f"that is learned from. Leave it out of monotone=."
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

    def tally(self, state: _State, batch: Table) -> FirstLook | CodedRows:
        """A look at the columns; then the rows in codes."""
        if state.stage == "look":
            return FirstLook.of(batch)
        unit = None if state.look.alike else state.look.weight_unit
        return CodedRows.of(batch, state.layout, state.seen, unit)

    def advance(self, state: _State, tally: Any) -> _State:
        """Lay out the codes; then there is all that trees are grown from."""
        if state.stage == "code":
            return _State("done", state.look, state.layout, state.seen, tally)
        look: FirstLook = tally
        if not look.rows:
            raise nothing_known("BoostedTrees")
        self._check_target(look)
        layout = layout_of(look.domain, look.sample, look.values, self.bins)
        return _State("code", look, layout, np.flatnonzero(look.classes > 0))

    def _check_target(self, look: FirstLook) -> None:
        target = look.domain.target
        if self.counts and look.low < 0 and target is not None:
            raise DomainError(
                f"BoostedTrees is to predict counts, and {target.name!r} holds {look.low:g}. "
                f"Leave out counts=True."
            )

    def conclude(self, state: _State) -> BoostedTreesModel:
        """Grow the trees."""
        look, layout, seen = state.look, state.layout, state.seen
        training = training_of(state.coded, layout, self._signs(), look.weight_unit)
        objective = self._objective(look, seen, training)
        trees = boosted(training, objective, self._settings(training), self._stop(look))
        if len(look.classes):
            return BoostedTreesClassifier(layout, objective.start, trees, seen)
        return BoostedTreesRegressor(layout, trees, objective)

    def _objective(self, look: FirstLook, seen: Array, training: Training) -> Objective:
        if len(look.classes):
            return Objective("classes", _log_odds(look.classes[seen]))
        weights = training.coded.weights
        if self.quantile is not None:
            heavy = None if weights is None else weights.astype(np.float64)
            middle = QuantileSketch.of(training.target, heavy).quantile(self.quantile)
            start, of = float(middle), "quantile"
        else:
            start, of = exact_mean(training.target, weights, look.low, look.high), "numbers"
        if self.counts:
            most = max(look.high, 1.0)
            return Objective("counts", np.log([max(start, 1e-9)]), most)
        reach = max(look.high - start, start - look.low)
        quantile = 0.5 if self.quantile is None else float(self.quantile)
        return Objective(of, np.array([start]), reach or 1.0, quantile)

    def _settings(self, training: Training) -> Settings:
        leaves = max(1, min(int(self.leaves), len(training.target)))
        depth = _NO_LIMIT if self.max_depth is None else int(self.max_depth)
        rules = Rules(
            leaves,
            depth,
            float(self.min_leaf),
            float(self.l2),
            0.0,
            self.symbol_l2,
            self.symbol_smooth,
            self.symbol_group,
        )
        rows, columns = float(self.row_sample), float(self.column_sample)
        return Settings(rules, float(self.learning_rate), rows, columns, int(self.seed))

    def _stop(self, look: FirstLook) -> Stop:
        patience = 0 if self.early_stopping is None else int(self.early_stopping)
        folds = self.folds if look.weight <= _FEW_ROWS else 0
        few = len(look.sample.hashes) < SAMPLE
        return Stop(int(self.rounds), patience, folds, _HELD_OUT, few)


def _log_odds(weights: Floats) -> Floats:
    """The scores of classes that weigh so much, before the first tree."""
    if len(weights) < 2:
        return np.zeros(0)
    shares = np.log(weights / weights.sum())
    return shares[1:] - shares[:1] if len(weights) == 2 else shares
