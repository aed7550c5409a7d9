"""Text: classes by the words of a row (bag of words), for finding the relevant few among many."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np

from satsuma.data.table import Table
from satsuma.errors import DomainError, check_choice, check_number
from satsuma.learners.learner import Learner
from satsuma.learners.linear.svm_decisions import platt_slope
from satsuma.learners.matrix_learner import target_of
from satsuma.learners.takes import Takes, nothing_known
from satsuma.learners.text.blend import blend_weights, log_ranks
from satsuma.learners.text.members import MEMBERS, Fits, Problem, Settings
from satsuma.learners.text.model import TextModel, side_by_side
from satsuma.numerics.arrays import Array, Floats
from satsuma.prepare.marks import learn_marks
from satsuma.prepare.tf_idf import learn_tf_idf

#: The names of the scorers, and of their blend.
_MODELS = ("blend", *MEMBERS)

#: Logarithms of how much more each counts beforehand: one explores, and evidence must move it.
_PRIOR = {"margin": 3.0, "squares": 0.0, "bayes": 0.0}


@dataclass(kw_only=True, eq=False)
class Text(Learner):
    """Words and pairs of words add up to the log-odds of a class, rare classes counting as much.

    Words are a bag of words, weighed by tf-idf. There are three scorers, in all of which classes
    weigh the same or nearly so. Naive Bayes compares the words of a class with those of the others.
    A least-squares support vector machine (Suykens and Vandewalle 1999) without a constant adds
    that a row which is like none of a class is not of it. A support vector machine with the
    settings of ASReview 2 and 3 looks at the hard rows alone. They are blended, and how much each
    weighs follows from the labels: the rows of the class are held out in turn, a group of those
    that are alike at a time, and mixtures that rank them high among all rows not known to be of the
    class count most. Beforehand it is mostly the last. Rows without a label teach what words
    there are, and how rare each is. A missing cell has no words.

    Numbers and symbols beside texts count as words do: each value of a symbol is one, and each of
    five intervals of a number that hold as many rows. All columns of them together weigh as much as
    all texts.

    Parameters
    ----------
    model
        ``blend``, or one scorer alone: ``margin``, ``squares`` or ``bayes``.
    sought
        The class that rows are searched for, where there are two; the last unless given.
    alpha
        ``bayes``: how much of each word was seen beforehand, in each class.
    penalty
        ``squares``: the strength of regularization, what squared coefficients cost.
    cost
        ``margin``: what a squared shortfall of the margin costs.
    ratio
        ``margin``: how many times what all others weigh the class weighs.
    pairs
        Whether pairs of neighbouring words (bigrams) count as well.
    least
        In how many rows a word must be to count by itself; the length of a text has them all.
    most
        In what share of the rows it may be: those that are in nearly all say nothing.

    Examples
    --------
    >>> from satsuma import Table, Text
    >>> rows = [("cats purr", "pet"), ("dogs bark", "pet"), ("cars rust", "thing"), ("bikes", None)]
    >>> table = Table.of(rows, ["told", "what"], kinds={"told": "text"})
    >>> model = Text(least=1)(table)
    >>> model({"told": "cars"}), model({"told": "cats"})
    ('thing', 'pet')
    >>> heavy = [(text, 900.0 if what == "thing" else 9.0, what) for text, what in rows[:3]]
    >>> table = Table.of(heavy, ["told", "kilos", "what"], kinds={"told": "text"})
    >>> Text(least=1)(table)({"told": "bikes", "kilos": 800})
    'thing'
    """

    model: Literal["blend", "margin", "squares", "bayes"] = "blend"
    sought: str | None = None
    alpha: float = 0.1
    penalty: float = 5.0
    cost: float = 0.11
    ratio: float = 9.8
    pairs: bool = True
    least: float = 2
    most: float = 0.95

    takes: ClassVar[Takes] = Takes(kinds=("text", "num", "sym"), rounds="rows", unlabelled=True)

    def check(self) -> None:
        """One of the models, and numbers above 0."""
        check_choice(self, "model", _MODELS)
        for name in ("alpha", "penalty", "cost", "ratio"):
            check_number(self, name, low=1e-9)
        check_number(self, "least", low=0)
        check_number(self, "most", low=0, high=1)

    def learn(self, data: Table) -> TextModel:
        """Find the words, and what they say of each class."""
        weighty = data.weights
        rows = data if weighty is None else data[np.flatnonzero(weighty > 0)]
        codes: Array = target_of(rows)
        if not (codes >= 0).any():
            raise nothing_known("Text")
        if not rows.domain.attributes:
            raise DomainError("Text was given no column to learn from beside the target.")
        weights = np.ones(len(rows)) if rows.weights is None else rows.weights
        words, matrix = learn_tf_idf(rows, pairs=self.pairs, least=self.least, most=self.most)
        marks, cuts = learn_marks(rows)
        if marks.names:
            matrix = side_by_side(matrix, marks.matrix(rows))
        seen = self._in_order(np.unique(codes[codes >= 0]), rows)
        told = seen[1:] if len(seen) == 2 else seen if len(seen) > 2 else seen[:0]
        slopes, constants = np.zeros((len(told), matrix.shape[1])), np.zeros(len(told))
        for at, code in enumerate(told.tolist()):
            slopes[at], constants[at] = self._against(matrix, codes, code, weights)
        if len(told):
            known = np.flatnonzero(codes >= 0)
            scores = matrix[known] @ slopes.T + constants
            if len(seen) == 2:
                scores = np.column_stack([np.zeros(len(scores)), scores])
            place = np.zeros(int(seen.max()) + 1, np.intp)
            place[seen] = np.arange(len(seen))
            slope = platt_slope(scores, place[codes[known]], weights[known])
            slopes, constants = slopes * slope, constants * slope
        return TextModel(words, seen, slopes, constants, cuts)

    def _in_order(self, seen: Array, rows: Table) -> Array:
        """The classes that were seen; of two, the sought one last."""
        target = rows.domain.target
        assert target is not None
        if self.sought is None or len(seen) != 2:
            return seen
        return seen if seen[1] == target.code(self.sought) else seen[::-1].copy()

    def _against(
        self, matrix: Any, codes: Array, code: int, weights: Floats
    ) -> tuple[Floats, float]:
        """What words add to the score of a class against all others, and what no word does."""
        known = np.flatnonzero(codes >= 0)
        problem = Problem(matrix[known], codes[known] == code, weights[known])
        names = MEMBERS if self.model == "blend" else (self.model,)
        settings = Settings(self.alpha, self.penalty, self.cost, self.ratio)
        few = problem.part()
        groups = few.groups if len(names) > 1 else []
        fits = [settings.fit(name, problem, groups if few is problem else []) for name in names]
        prior = np.array([_PRIOR[name] for name in names])
        shares = blend_weights(prior, lambda _: 0.0)
        if groups:
            tried = fits
            if few is not problem:
                tried = [settings.fit(name, few, groups) for name in names]
            rank = _ranking(tried, few, matrix[codes != code], weights[codes != code])
            shares = blend_weights(prior, rank)
        total, scores = np.zeros(matrix.shape[1]), np.zeros(matrix.shape[0])
        for share, fit in zip(shares, fits, strict=True):
            found: Floats = matrix @ fit.slopes[0]
            _, spread = _standard(found, weights)
            total += fit.slopes[0] * (share / spread)
            scores += found * (share / spread)
        mine, others = codes == code, (codes >= 0) & (codes != code)
        middle = [np.average(scores[of], weights=weights[of]) for of in (mine, others)]
        return total, -float(np.mean(middle))


def _ranking(
    fits: list[Fits], problem: Problem, rest: Any, weights: Floats
) -> Callable[[Floats], float]:
    """How well a mixture ranks each group without having seen it: the sum of log ranks."""
    pool: list[Floats] = [(rest @ fit.slopes[1:].T).T for fit in fits]
    held: list[Floats] = [(problem.rows @ fit.slopes[1:].T).T for fit in fits]
    for found, own in zip(pool, held, strict=True):
        for at in range(len(found)):
            mean, spread = _standard(found[at], weights)
            found[at], own[at] = (found[at] - mean) / spread, (own[at] - mean) / spread
    every, of = np.array(pool), np.array(held)

    def worth(mixture: Floats) -> float:
        total = 0.0
        for at, group in enumerate(problem.groups):
            ranks = log_ranks(mixture @ every[:, at], mixture @ of[:, at, group], weights)
            total += float(ranks @ problem.weights[group])
        return total

    return worth


def _standard(scores: Floats, weights: Floats) -> tuple[float, float]:
    """The mean of scores and their standard deviation; infinity where all are the same."""
    mean = float(np.average(scores, weights=weights))
    spread = float(np.sqrt(np.average((scores - mean) ** 2, weights=weights)))
    return mean, spread if spread > 1e-12 else np.inf
