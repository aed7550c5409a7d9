"""Text: classes by the words of a row (bag of words), for finding the relevant few among many."""

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np

from satsuma.data.table import Table
from satsuma.errors import DomainError, check_choice, check_number
from satsuma.learners.learner import Learner
from satsuma.learners.linear.svm_decisions import platt_slope
from satsuma.learners.matrix_learner import target_of
from satsuma.learners.takes import Takes, nothing_known
from satsuma.learners.text.model import TextModel
from satsuma.numerics.arrays import Array, Floats
from satsuma.prepare.tf_idf import learn_tf_idf

#: So near does the solver come, beside the size of the answer.
_TOLERANCE = 1e-13

_TINY = np.finfo(float).tiny


@dataclass(kw_only=True, eq=False)
class Text(Learner):
    """Words and pairs of words add up to the log-odds of a class, rare classes counting as much.

    Words are a bag of words, weighed by tf-idf. Naive Bayes compares the words of a class with
    those of the others; a least-squares support vector machine (Suykens and Vandewalle 1999)
    without a constant adds that a row which is like none of a class is not of it. In both, classes
    weigh the same. Rows without a label teach what words there are, and how rare each is. A missing
    cell has no words.

    Parameters
    ----------
    model
        ``bayes``, ``svm``, or ``both``: the mean of the two, each in standard deviations of its
        scores over all rows.
    sought
        The class that rows are searched for, where there are two; the last unless given.
    alpha
        Naive Bayes: how much of each word was seen beforehand, in each class.
    penalty
        The support vector machine: the strength of regularization, what squared coefficients cost.
    pairs
        Whether pairs of neighbouring words (bigrams) count as well.
    least
        In how many rows a word must be to count.
    most
        In what share of the rows it may be: those that are in nearly all say nothing.

    Examples
    --------
    >>> rows = [("cats purr", "pet"), ("dogs bark", "pet"), ("cars rust", "thing"), ("bikes", None)]
    >>> table = Table.of(rows, ["told", "what"], kinds={"told": "text"})
    >>> model = Text(least=1)(table)
    >>> model({"told": "two cars"}), model({"told": "two cats"})
    ('thing', 'pet')
    """

    model: Literal["bayes", "svm", "both"] = "both"
    sought: str | None = None
    alpha: float = 0.01
    penalty: float = 5.0
    pairs: bool = True
    least: float = 2
    most: float = 0.9

    takes: ClassVar[Takes] = Takes(kinds=("text",), rounds="rows", unlabelled=True)

    def check(self) -> None:
        """One of the models, and numbers above 0."""
        check_choice(self, "model", ("bayes", "svm", "both"))
        check_number(self, "alpha", low=1e-9)
        check_number(self, "penalty", low=1e-9)
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
        return TextModel(words, seen, slopes, constants)

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
        parts: list[Floats] = []
        if self.model != "svm":
            parts.append(self._bayes(matrix, codes, code, weights))
        if self.model != "bayes":
            parts.append(self._machine(matrix, codes, code, weights))
        total, scores = np.zeros(matrix.shape[1]), np.zeros(matrix.shape[0])
        for part in parts:
            found: Floats = matrix @ part
            mean = np.average(found, weights=weights)
            spread = float(np.sqrt(np.average((found - mean) ** 2, weights=weights)))
            if spread > 1e-12:
                total += part / (len(parts) * spread)
                scores += found / (len(parts) * spread)
        mine, others = codes == code, (codes >= 0) & (codes != code)
        middle = [np.average(scores[of], weights=weights[of]) for of in (mine, others)]
        return total, -float(np.mean(middle))

    def _bayes(self, matrix: Any, codes: Array, code: int, weights: Floats) -> Floats:
        known = np.flatnonzero(codes >= 0)
        across, mine, heavy = matrix[known].T, codes[known] == code, weights[known]
        words: Floats = across @ (heavy * mine)
        others: Floats = across @ (heavy * ~mine)
        words = words * (others.sum() / max(float(words.sum()), _TINY))
        return np.log(words + self.alpha) - np.log(others + self.alpha)

    def _machine(self, matrix: Any, codes: Array, code: int, weights: Floats) -> Floats:
        from scipy.sparse import linalg

        known = np.flatnonzero(codes >= 0)
        rows, mine, heavy = matrix[known], codes[known] == code, weights[known]
        share = heavy[~mine].sum() / heavy[mine].sum()
        ridge = self.penalty / np.where(mine, heavy * share, heavy)
        across, of = rows.T, (len(known), len(known))

        def system(v: Floats) -> Floats:
            return rows @ (across @ v) + ridge * v

        def easier(v: Floats) -> Floats:
            return v / (1 + ridge)

        solve: Any = linalg
        found, _ = solve.cg(
            solve.LinearOperator(of, matvec=system),
            mine.astype(np.float64),
            rtol=_TOLERANCE,
            M=solve.LinearOperator(of, matvec=easier),
        )
        return across @ found
