"""Rules: an ordered list of rules, each taken from a tree of the rows that none before covers."""

from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from satsuma.data.domain import Domain
from satsuma.data.table import Table
from satsuma.engines import Source
from satsuma.errors import check_choice, check_number
from satsuma.kernels import tree as kernel
from satsuma.kernels.tree import Flat
from satsuma.learners.learner import RoundsLearner
from satsuma.learners.rules.condition import Conditions, as_known, meets, way_sizes, way_to
from satsuma.learners.rules.model import RuleList
from satsuma.learners.takes import Takes
from satsuma.learners.tree import growth
from satsuma.learners.tree.asked_columns import AskedColumns, asked_columns
from satsuma.learners.tree.decision_tree import Tree
from satsuma.learners.tree.growth import grow_in_memory
from satsuma.learners.tree.pruning import most_errors
from satsuma.learners.tree.setup import BINS, Setup, rows_of
from satsuma.learners.tree.structure import GrownTree
from satsuma.measures.informative_missing import MISSING
from satsuma.numerics.arrays import Floats
from satsuma.numerics.sums import weighted_bincount

#: Scores nearer to each other than this are the same, but for rounding.
_NEAR = 1e-9

#: Conditions of a rule: no more than an integer has bits.
_MOST = 62

#: Where rows weigh more than this, a tree gives all rules that are so good beside its best.
_MANY, _GOOD = 2_000, 0.5


@dataclass(frozen=True)
class Patterns:
    """Rows by which of some conditions they meet: the weight of each class, by set of conditions.

    Parameters
    ----------
    met
        The sets that there are, as the bits of a number, in order.
    weights
        Sets by classes.
    """

    met: npt.NDArray[np.int64]
    weights: Floats

    def __add__(self, other: "Patterns") -> "Patterns":
        met, at = np.unique(np.concatenate([self.met, other.met]), return_inverse=True)
        sums = np.zeros((len(met), self.weights.shape[1]))
        np.add.at(sums, at, np.concatenate([self.weights, other.weights]))
        return Patterns(met, sums)

    def weights_of(self, bits: int) -> Floats:
        """The weight of each class among rows that meet all conditions of a set."""
        return self.weights[(self.met & bits) == bits].sum(axis=0)


@dataclass(frozen=True)
class State:
    """A list of rules between two rounds.

    Parameters
    ----------
    setup
        What was settled before about trees.
    asked
        What trees can ask for; None before the first has grown, which decides whose missing cells
        tell something.
    tree
        The tree that grows on the rows which no rule covers; None while a rule is taken from it.
    pruned
        The tree that has grown, while the rows at its leaves are counted.
    rule
        The conditions of a good leaf, while it is found out which of them pay.
    others
        Those of other good leaves of the same tree, which are looked at next.
    bar
        How good a leaf of this tree must be.
    rules, counts
        The rules so far, and the weight of each class in each; the last one has no conditions
        once the list is done.
    """

    setup: Setup
    asked: AskedColumns | None = None
    tree: growth.State | None = None
    pruned: Flat | None = None
    rule: Conditions = ()
    others: tuple[Conditions, ...] = ()
    bar: float = 0.0
    rules: tuple[Conditions, ...] = ()
    counts: tuple[Floats, ...] = ()

    @property
    def done(self) -> bool:
        """Whether there is a rule without conditions, the last."""
        return bool(self.rules) and not self.rules[-1]

    def listed(self, rule: Conditions, counts: Floats) -> "State":
        """One more rule on the list; then another leaf, or a tree for the rows that are left."""
        return replace(self, rules=(*self.rules, rule), counts=(*self.counts, counts)).went_on()

    def went_on(self) -> "State":
        """The next leaf, or a new tree for the rows that are left."""
        if self.others:
            return replace(self, rule=self.others[0], others=self.others[1:])
        tree = growth.State(self.setup)
        return State(self.setup, self.asked, tree, rules=self.rules, counts=self.counts)


@dataclass(kw_only=True, eq=False, repr=False)
class Rules(RoundsLearner):
    """A few rules in order, to be read as sentences: the first that applies predicts the class.

    A pruned tree of the rows that no rule covers gives the next rule (as in PART; Frank and Witten
    1998): its leaf with the most rows that can be trusted to be right, for each of its conditions.
    Conditions without which the rule is no less sure are left out. It ends where a tree would have
    no question. A rule does not apply to a row where a value that it asks for is missing, unless a
    test says that a missing value tells something of the target: then a rule can ask for it. As
    long as more than 2,000 rows are left, a tree gives all rules that are at least half as good as
    its best, for the sake of time.

    Parameters
    ----------
    max_rules
        The most rules before the last, which is for all rows that are left; None for no limit.
    min_leaf
        What the rows of a leaf of a tree must weigh, see `Tree`.
    m
        Smooths the probabilities of classes: each rule has so many imaginary rows, in the shares of
        all rows.
    missing
        What a missing value tells: ``ignore``, nothing, and no rule that asks for the column
        applies; ``informative``, it is a value of its own, and goes with the least or the greatest
        numbers, or apart from all; ``auto``, one or the other for each column, by a test of whether
        the target differs where it is missing (`model.informative` has the names).

    Notes
    -----
    The rows of a rule, n with e errors, can be trusted as far as the upper limit of the error by
    Clopper and Pearson, at a confidence of a quarter, as in error-based pruning (Quinlan 1993).
    Every rule takes the rounds of a tree.

    Examples
    --------
    >>> from satsuma import Rules, load
    >>> print(Rules(load("iris")))
    Species (accuracy on the rows learned from: 97.3%)
    If Petal.Length ≤ 2.45: setosa (50 rows, 100%).
    Else if Petal.Width > 1.75: virginica (46 rows, 98%).
    Else if Petal.Length ≤ 4.95: versicolor (48 rows, 98%).
    Else: virginica (6 rows, 67%).
    """

    max_rules: int | None = None
    min_leaf: float = 2
    m: float = field(default=2.0, repr=False)
    missing: str = field(default="auto", repr=False)

    readable: ClassVar[bool] = True
    takes: ClassVar[Takes] = Takes()

    def check(self) -> None:
        """Every parameter has a range."""
        if self.max_rules is not None:
            check_number(self, "max_rules", low=0, whole=True)
        check_number(self, "min_leaf", low=0)
        check_number(self, "m", low=0)
        check_choice(self, "missing", MISSING)

    @property
    def _grower(self) -> Tree:
        return Tree(min_leaf=self.min_leaf, bins=BINS, missing=self.missing)

    def learn(self, data: Table | Source) -> RuleList:
        """Grow each tree at once where all rows are in memory, else in rounds: it is the same."""
        if not isinstance(data, Table) or not data.domain.attributes:
            found: Any = super().learn(data)
            return found
        start = self.start(data.domain)
        state = self._with_leaves(start, grow_in_memory(start.setup, data))
        rest, listed = _rest(state, data), len(state.rules)
        while not state.done:
            rest, listed = _uncovered(rest, state.rules[listed:]), len(state.rules)
            if state.tree is not None:
                state = self._with_leaves(state, grow_in_memory(state.setup, rest))
            else:
                state = self.advance(state, _counts(state, rest))
        return self.conclude(state)

    def start(self, domain: Domain) -> State:
        """No rule, and nothing but the setup of a tree."""
        setup = self._grower.setup(domain)._replace(learner=type(self).__name__)
        return State(setup, tree=growth.State(setup))

    def tally(self, state: State, batch: Table) -> Any:
        """What the tree asks for, or how many rows meet conditions; of rows that no rule covers."""
        rest = _rest(state, batch)
        return _counts(state, rest) if state.tree is None else growth.tally(state.tree, rest)

    def advance(self, state: State, tally: Any) -> State:
        """The tree has grown further, its best leaf is known, or one more rule is."""
        if state.tree is None:
            found = self._with_rule if state.rule else self._with_best_leaf
            return found(state, tally)
        tree = growth.advance(state.tree, tally)
        if not tree.done:
            return replace(state, tree=tree)
        return self._with_leaves(state, tree.outcome)

    def _with_leaves(self, state: State, outcome: GrownTree) -> State:
        """The leaves of the pruned tree, or the last rule where it has but one."""
        tree = self._grower.concluded(outcome)
        if state.asked is None:
            settled = outcome.setup._replace(missing="ignore", asked=None)
            asked = outcome.setup.asked or asked_columns(settled.domain, ())
            state = replace(state, setup=settled, asked=asked)
        if len(tree.counts) == 1 or len(state.rules) == self.max_rules:
            return state.listed((), tree.counts[0])
        return replace(state, tree=None, pruned=tree.flat)

    def _with_best_leaf(self, state: State, tally: Patterns) -> State:
        """The leaf with the most rows to be trusted for each condition; the first of several."""
        assert state.pruned is not None
        counts = np.zeros((len(state.pruned.column), tally.weights.shape[1]))
        counts[tally.met[tally.met >= 0]] = tally.weights[tally.met >= 0]
        sizes = np.maximum(way_sizes(state.pruned), 1)
        score = np.where(sizes > _MOST, 0.0, _trusted(counts, counts.max(axis=1)) / sizes)
        if not score.max() > 0:  # something is missing in all rows
            return state.listed((), tally.weights.sum(axis=0))
        best = int((score >= score.max() * (1 - _NEAR)).argmax())
        more = np.flatnonzero(score >= _GOOD * score.max() * (1 - _NEAR)).tolist()
        more = [each for each in more if each != best] if tally.weights.sum() > _MANY else []
        # The best first; of equals, the first in the tree.
        more = sorted(more, key=lambda each: (-round(float(score[each]), 6), each))
        assert state.asked is not None, "a tree has grown"
        rule, *others = (
            as_known(way_to(state.pruned, each), state.asked) for each in (best, *more)
        )
        bar = _GOOD * float(score.max())
        return replace(state, pruned=None, rule=rule, others=tuple(others), bar=bar)

    def _with_rule(self, state: State, tally: Patterns) -> State:
        """The rule without conditions that do not pay; the last if it leaves no row."""
        met = tally.weights_of(_bits(tuple(range(len(state.rule)))))[np.newaxis]
        if len(state.rules) == self.max_rules:
            return replace(state, others=()).went_on()
        if _trusted(met, met.max(axis=1))[0] / len(state.rule) < state.bar * (1 - _NEAR):
            return state.went_on()  # rules before it have taken its rows
        kept = _paying(state.rule, tally)
        counts, every = tally.weights_of(_bits(kept)), tally.weights_of(0)
        if not (tally.weights[(tally.met & _bits(kept)) != _bits(kept)] > 0).any():
            return state.listed((), every)
        return state.listed(tuple(state.rule[each] for each in kept), counts)

    def conclude(self, state: State) -> RuleList:
        """The rules, and the classes of the rows that each decides."""
        assert state.asked is not None, "a tree has grown"
        informative = state.asked.informative
        return RuleList(state.rules, np.array(state.counts), self.m, informative=informative)


def _rest(state: State, batch: Table) -> Table:
    """The rows that no rule applies to, with what trees ask for."""
    if state.asked is not None and state.asked.informative:
        batch = state.asked.table(batch)
    return _uncovered(batch, state.rules)


def _uncovered(batch: Table, rules: tuple[Conditions, ...]) -> Table:
    """The rows that no rule applies to."""
    for rule in rules:
        batch = batch[np.flatnonzero(~meets(rule, batch))]
    return batch


def _counts(state: State, batch: Table) -> Patterns:
    """The classes of rows by the leaf where they are, or by the conditions of a rule they meet."""
    rows, _ = rows_of(state.setup, batch)
    met = _leaves(state, rows.batch) if not state.rule else np.zeros(len(rows.batch), np.int64)
    for at, each in enumerate(state.rule):
        met |= meets((each,), rows.batch).astype(np.int64) << at
    classes = state.setup.classes
    kinds, at = np.unique(met, return_inverse=True)
    weights = np.ones(len(met)) if rows.weights is None else rows.weights
    sums = weighted_bincount(at * classes + rows.target, weights, len(kinds) * classes)
    return Patterns(kinds, sums.reshape(-1, classes))


def _leaves(state: State, batch: Table) -> npt.NDArray[np.int64]:
    """The leaf where each row ends; -1 where it is at several, as something is missing."""
    assert state.pruned is not None
    nodes = np.arange(len(state.pruned.column), dtype=np.float64)
    columns = [batch.column(v.name) for v in batch.domain.attributes]
    squares = np.stack([nodes, nodes**2], axis=1)
    found, _ = kernel.average(state.pruned, squares, columns, len(batch))
    one = found[:, 1] == found[:, 0] ** 2  # the numbers of several nodes have a variance
    node = np.where(one, found[:, 0], 0).astype(np.int64)
    return np.where(state.pruned.column[node] < 0, node, -1)


def _trusted(counts: Floats, right: Floats) -> Floats:
    """How many rows are right at least, as far as that can be trusted; 0 where there are none."""
    n = counts.sum(axis=1)
    there = n > 0
    found = np.zeros(len(n))
    found[there] = n[there] - most_errors(n[there], n[there] - right[there])
    return found


def _paying(rule: Conditions, tally: Patterns) -> tuple[int, ...]:
    """The conditions without which the rule would be less sure, by their numbers."""
    kept: tuple[int, ...] = tuple(range(len(rule)))
    code = int(tally.weights_of(_bits(kept)).argmax())
    while kept:
        tried: list[tuple[int, ...]] = [kept]
        tried += [tuple(other for other in kept if other != each) for each in kept]
        counts = np.array([tally.weights_of(_bits(each)) for each in tried])
        sure = _trusted(counts, counts[:, code]) / counts.sum(axis=1)
        best = 1 + int((sure[1:] >= sure[1:].max() - _NEAR).argmax())
        if sure[best] < sure[0] - _NEAR:
            break
        kept = tried[best]
    return kept


def _bits(numbers: tuple[int, ...]) -> int:
    """A set of conditions as the bits of a number."""
    return sum(1 << each for each in numbers)
