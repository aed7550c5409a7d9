"""What all learners of trees share: the rounds they learn in, and parameters of growing."""

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar, cast

import numpy as np

from satsuma.data.domain import Domain
from satsuma.data.table import Table
from satsuma.engines import Source
from satsuma.errors import check_choice, check_number
from satsuma.kernels.tree import (
    EITHER,
    GAIN,
    GAIN_RATIO,
    GINI,
    MULTIWAY,
    PLAIN_RATIO,
    SUBSET,
    THRESHOLD,
    VARIANCE,
    Rules,
)
from satsuma.learners.learner import RoundsLearner
from satsuma.learners.tree import fold_growth, growth
from satsuma.learners.tree.fold_growth import grow_folds
from satsuma.learners.tree.growth import grow_in_memory
from satsuma.learners.tree.model import Readable
from satsuma.learners.tree.setup import Setup
from satsuma.learners.tree.structure import GrownTree
from satsuma.measures.informative_missing import MISSING
from satsuma.numerics.arrays import Codes

MEASURES = {
    "gain ratio": GAIN_RATIO,
    "plain gain ratio": PLAIN_RATIO,
    "gain": GAIN,
    "entropy": GAIN,
    "gini": GINI,
}
SPLITS = {"multiway": MULTIWAY, "binary": SUBSET, "auto": EITHER}

#: Deeper than any tree that fits in memory.
NO_LIMIT = 2**31 - 1


class TreeLearner(RoundsLearner):
    """A learner that grows a tree: it says by which setup, and what becomes of a grown one."""

    readable: ClassVar[bool] = True

    finds_infinite: ClassVar[bool] = True

    @abstractmethod
    def setup(self, domain: Domain) -> Setup:
        """What is settled before the first row is seen."""

    @abstractmethod
    def concluded(self, outcome: GrownTree, folds: Sequence[GrownTree] = ()) -> Readable:
        """The model of a tree that has grown; and of trees without a part of the rows each."""

    @property
    def crosses(self) -> bool:
        """Whether trees without a part of the rows are asked for."""
        return False

    def learn(self, data: Table | Source) -> Readable:
        """Grow a tree at once where all rows are in memory, else in rounds: it is the same."""
        if not (isinstance(data, Table) and data.domain.attributes):
            return cast("Readable", super().learn(data))
        setup = self.setup(data.domain)
        if not self.crosses:
            return self.concluded(grow_in_memory(setup, data))
        whole, *folds = grow_folds(setup, data)
        return self.concluded(whole, folds)

    def start(self, domain: Domain) -> Any:
        """Nothing but the setup."""
        setup = self.setup(domain)
        return fold_growth.State.start(setup) if self.crosses else growth.State(setup)

    def tally(self, state: Any, batch: Table) -> Any:
        """A sample, counts, or values inside bins, as the state asks for."""
        if isinstance(state, fold_growth.State):
            return state.tally(batch)
        return growth.tally(state, batch)

    def advance(self, state: Any, tally: Any) -> Any:
        """One level more, or thresholds found exactly."""
        if isinstance(state, fold_growth.State):
            return state.advance(tally)
        return growth.advance(state, tally)

    def conclude(self, state: Any) -> Readable:
        """The tree, pruned if that was asked for."""
        if not isinstance(state, fold_growth.State):
            return self.concluded(state.outcome)
        whole, *folds = state.outcomes
        return self.concluded(whole, folds)


def split_forms(domain: Domain, split: str) -> Codes:
    """How each attribute can divide."""
    of_symbols = SPLITS[split]
    forms = [THRESHOLD if v.kind == "num" else of_symbols for v in domain.attributes]
    return np.array(forms, np.int32)


def check_growth(learner: Any) -> None:
    """Raise if a parameter that all trees have is out of its range."""
    check_choice(learner, "split", SPLITS)
    check_number(learner, "min_leaf", low=0)
    check_number(learner, "min_split", low=0)
    if learner.max_depth is not None:
        check_number(learner, "max_depth", low=0, whole=True)
    if learner.held_out is not None:
        check_number(learner, "held_out", low=0, high=0.9)
    if learner.bins is not None:
        check_number(learner, "bins", low=2, high=65_534, whole=True)
    check_choice(learner, "missing", MISSING)


def setup_of(learner: Any, domain: Domain, measure: int) -> Setup:
    """The setup of a learner that has the parameters of all trees."""
    depth = NO_LIMIT if learner.max_depth is None else int(learner.max_depth)
    rules = Rules(measure, float(learner.min_leaf), float(learner.min_split), depth)
    target = domain.target
    classes = len(target.values) if target is not None and measure != VARIANCE else 0
    held_out = learner.held_out or 0.0
    return Setup(
        domain,
        type(learner).__name__,
        rules,
        split_forms(domain, learner.split),
        classes,
        learner.bins,
        held_out,
        learner.missing,
    )
