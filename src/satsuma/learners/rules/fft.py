"""FFT: a fast-and-frugal tree, a few questions each of which has an answer that decides."""

from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, NamedTuple

import numpy as np

from satsuma.data.domain import Domain
from satsuma.data.table import Table
from satsuma.errors import check_choice, check_number
from satsuma.learners.learner import RoundsLearner
from satsuma.learners.rules.condition import Conditions, meets
from satsuma.learners.rules.model import RuleList
from satsuma.learners.rules.questions import Question, best_question
from satsuma.learners.takes import Takes
from satsuma.learners.tree.binning import Binning
from satsuma.learners.tree.decision_tree import Tree
from satsuma.learners.tree.growth import FirstLook
from satsuma.learners.tree.histograms import NodeHistograms
from satsuma.learners.tree.setup import BINS, Setup, rows_of
from satsuma.measures.informative_missing import MISSING
from satsuma.numerics.arrays import Floats
from satsuma.numerics.sums import weighted_bincount
from satsuma.tallies.by_class import left_over

#: Accuracies nearer to each other than this are the same: then the shorter list is taken.
_NEAR = 1e-9

#: The most questions: there are two exits of each, so 255 lists.
_MOST = 8


class Path(NamedTuple):
    """Questions that have been asked, and the rows that none of them decides.

    Parameters
    ----------
    questions
        The condition on which each decides.
    counts
        The weight of each class among the rows that each decides.
    left
        That among the rows that none does.
    """

    questions: Conditions
    counts: tuple[Floats, ...]
    left: Floats

    def then(self, question: Question) -> "Path":
        """One question more."""
        counts = (*self.counts, question.counts)
        left = left_over(self.left, question.counts)
        return Path((*self.questions, question.condition), counts, left)


@dataclass(frozen=True)
class State:
    """Lists of questions between two rounds.

    Parameters
    ----------
    setup
        What rows are learned from, and the columns.
    binning
        The bins of the columns; None before the first round.
    asked
        The paths that get one more question in the next round.
    found
        All paths so far, those of fewer questions first.
    """

    setup: Setup
    binning: Binning | None = None
    asked: tuple[Path, ...] = ()
    found: tuple[Path, ...] = ()

    @property
    def done(self) -> bool:
        """Whether no path gets another question."""
        return self.binning is not None and not self.asked


@dataclass(kw_only=True, eq=False, repr=False)
class FFT(RoundsLearner):
    """A fast-and-frugal tree: a few questions on one column each, where one answer decides at once.

    Every question is the condition that the rows of a class meet more often than the others, among
    the rows that no question before decides. Which class is decided on at each question is tried in
    all ways, and the best list on the rows that are learned from is kept (Phillips, Neth, Woike and
    Gaissmaier 2017). A missing value does not decide, unless a test says that it tells something of
    the target: the next question does. Of more than two classes, a question parts the most frequent
    one among the rows left from the others.

    Parameters
    ----------
    questions
        The most questions.
    balanced
        Whether the best list is that of the best balanced accuracy, where each class counts alike
        however rare it is; else of the best accuracy. Probabilities are then as if all classes
        were equally frequent.
    m
        Smooths the probabilities of classes: each exit has so many imaginary rows, in the shares of
        all rows.
    missing
        What a missing value tells: ``ignore``, nothing, and it does not decide; ``informative``, it
        is a value of its own, and goes with the least or the greatest numbers, or apart from all;
        ``auto``, one or the other for each column, by a test of whether the target differs where it
        is missing (`model.informative` has the names).

    Notes
    -----
    A condition is the better, the more the share of the class that meets it exceeds that of the
    others (Youden 1950). Numbers are cut at one of 255 quantiles, or wherever they differ if there
    are no more.

    Examples
    --------
    >>> from satsuma import FFT, load
    >>> print(FFT(questions=3)(load("heart_disease")))
    diameter narrowing (accuracy on the rows learned from: 80.5%)
    If thal = normal: 0 (166 rows, 78%).
    Else if chest pain = asymptomatic: 1 (91 rows, 89%).
    Else if major vessels colored > 0.5: 1 (17 rows, 76%).
    Else: 0 (29 rows, 72%).
    """

    questions: int = 4
    balanced: bool = False
    m: float = field(default=2.0, repr=False)
    missing: str = field(default="auto", repr=False)

    readable: ClassVar[bool] = True
    takes: ClassVar[Takes] = Takes()

    def check(self) -> None:
        """Every parameter has a range."""
        check_number(self, "questions", low=0, high=_MOST, whole=True)
        check_choice(self, "balanced", (True, False))
        check_number(self, "m", low=0)
        check_choice(self, "missing", MISSING)

    def start(self, domain: Domain) -> State:
        """Nothing but the columns."""
        setup = Tree(bins=BINS, missing=self.missing).setup(domain)
        return State(setup._replace(learner=type(self).__name__))

    def tally(self, state: State, batch: Table) -> Any:
        """A sample for the bins, or the classes of the rows of each path by bin."""
        rows, hashes = rows_of(state.setup, batch)
        if state.binning is None:
            return FirstLook.of(state.setup, rows, hashes)
        codes, mixed = state.binning.codes(rows.batch)
        weights = np.ones(len(codes)) if rows.weights is None else rows.weights
        shape = (codes.shape[1], state.binning.width, state.setup.classes)
        cells = np.zeros((len(state.asked), *shape))
        stats = np.zeros((len(state.asked), state.setup.classes))
        for path, cell, stat in zip(state.asked, cells, stats, strict=True):
            left = np.flatnonzero(~_decided(path, rows.batch))
            target, weight = rows.target[left], weights[left]
            stat[:] = weighted_bincount(target, weight, len(stat))
            for j, out in enumerate(cell):
                index = codes[left, j].astype(np.intp) * len(stat) + target
                out[:] = weighted_bincount(index, weight, out.size).reshape(out.shape)
        return NodeHistograms(cells, stats, mixed)

    def advance(self, state: State, tally: Any) -> State:
        """The bins, or for each path the two that have one more question."""
        if isinstance(tally, FirstLook):
            setup, binning = tally.lay_out(state.setup)
            start = Path((), (), np.zeros(setup.classes))
            return replace(state, setup=setup, binning=binning, asked=(start,))
        assert state.binning is not None
        asked, found = state.asked, state.found
        if not found:
            found = asked = (asked[0]._replace(left=tally.stats[0]),)
        new: list[Path] = []
        if len(asked[0].questions) < self.questions:
            for path, cells in zip(asked, tally.cells, strict=True):
                focus = int((path.left >= path.left.max() * (1 - _NEAR)).argmax())
                for side in (1, -1):
                    question = best_question(
                        state.binning, cells, tally.mixed, path.left, focus=focus, side=side
                    )
                    new += [] if question is None else [path.then(question)]
        more = tuple(new) if new and len(new[0].questions) < self.questions else ()
        return replace(state, asked=more, found=(*found, *new))

    def conclude(self, state: State) -> RuleList:
        """The best of all lists; the shorter one of several."""
        weights = state.found[0].left
        seen = weights > 0
        factors = np.ones(len(weights))
        if self.balanced:
            factors[seen] = weights.sum() / (seen.sum() * weights[seen])
        right = [
            sum((factors * counts).max() for counts in (*path.counts, path.left))
            for path in state.found
        ]
        best = state.found[int((np.array(right) >= max(right) - _NEAR * weights.sum()).argmax())]
        rules = [*((condition,) for condition in best.questions), ()]
        counts, informative = np.array([*best.counts, best.left]), state.setup.informative
        return RuleList(rules, counts, self.m, factors, informative=informative)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.poor_score = True  # four questions hardly tell many classes apart
        return tags


def _decided(path: Path, batch: Table) -> Any:
    """Which rows one of the questions decides."""
    found = np.zeros(len(batch), np.bool_)
    for condition in path.questions:
        found |= meets((condition,), batch)
    return found
