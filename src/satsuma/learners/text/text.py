"""Text: classes by the words of a row (bag of words), for finding the relevant few among many."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np

from satsuma.data.table import Table
from satsuma.errors import DomainError, ParameterError, check_choice, check_number
from satsuma.learners.learner import Learner
from satsuma.learners.linear.svm_decisions import platt_slope
from satsuma.learners.matrix_learner import target_of
from satsuma.learners.takes import Takes, nothing_known
from satsuma.learners.text.blend import Look, blend_weights, held_out_ranks, standard
from satsuma.learners.text.members import MEMBERS, Fits, Problem, Settings
from satsuma.learners.text.model import TextModel, side_by_side
from satsuma.numerics.arrays import Array, Floats, Indices
from satsuma.prepare.marks import learn_marks
from satsuma.prepare.sentence_encoder import sentence_encoder
from satsuma.prepare.tf_idf import learn_tf_idf

#: The names of the scorers, and of their blend.
_MODELS = ("blend", *MEMBERS)

#: The views of the texts: words, and vectors of sentences, of which one scorer learns.
_WORDS, _SENTENCES = range(2)
_OF_SENTENCES = "margin"

#: Logarithms of how much more each counts beforehand: one explores, and evidence must move it.
_PRIOR = {
    ("margin", _WORDS): 3.0,
    ("squares", _WORDS): 0.0,
    ("bayes", _WORDS): 0.0,
    (_OF_SENTENCES, _SENTENCES): 0.0,
}


#: Rows without a label that are taken for irrelevant where a class is sought: at the most, and of
#: how many one.
_PRESUMED, _EVERY = 100, 10


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

    Where a class is sought, the third scorer takes some rows without a label for irrelevant, others
    with each label (Cormack and Grossman 2015): few are relevant, and labelled rows are all much
    like those that are. Alone, and without these rows, it asks every third question.

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
    embeddings
        A folder with a model of sentences, ``model.onnx`` and ``tokenizer.json``; nothing is
        downloaded. A support vector machine on its vectors is one more scorer.

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
    embeddings: str | None = None

    takes: ClassVar[Takes] = Takes(kinds=("text", "num", "sym"), rounds="rows", unlabelled=True)

    def check(self) -> None:
        """One of the models, and numbers above 0."""
        check_choice(self, "model", _MODELS)
        for name in ("alpha", "penalty", "cost", "ratio"):
            check_number(self, name, low=1e-9)
        check_number(self, "least", low=0)
        check_number(self, "most", low=0, high=1)
        given: Any = self.embeddings
        if given is not None and not isinstance(given, str):
            raise ParameterError(
                f"The 'embeddings' parameter of Text must be the path of a folder, as a string, "
                f"or None. Got {given!r} instead."
            )

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
        encoder = None if self.embeddings is None else sentence_encoder(self.embeddings)
        views = [matrix] if encoder is None else [matrix, encoder.matrix(rows)]
        seen = self._in_order(np.unique(codes[codes >= 0]), rows)
        told = seen[1:] if len(seen) == 2 else seen if len(seen) > 2 else seen[:0]
        width = sum(view.shape[1] for view in views)
        slopes, constants = np.zeros((len(told), width)), np.zeros(len(told))
        presumed = self._presumed(codes, seen, matrix, rows)
        for at, code in enumerate(told.tolist()):
            slopes[at], constants[at] = self._against(views, codes, code, weights, presumed)
        if len(told):
            known = np.flatnonzero(codes >= 0)
            scores = side_by_side(*views)[known] @ slopes.T + constants
            if len(seen) == 2:
                scores = np.column_stack([np.zeros(len(scores)), scores])
            place = np.zeros(int(seen.max()) + 1, np.intp)
            place[seen] = np.arange(len(seen))
            slope = platt_slope(scores, place[codes[known]], weights[known])
            slopes, constants = slopes * slope, constants * slope
        alone = self._explorer(matrix, codes, int(seen[1]), weights) if len(presumed) else None
        return TextModel(words, seen, slopes, constants, cuts, encoder=encoder, explorer=alone)

    def _in_order(self, seen: Array, rows: Table) -> Array:
        """The classes that were seen; of two, the sought one last."""
        target = rows.domain.target
        assert target is not None
        if self.sought is None or len(seen) != 2:
            return seen
        return seen if seen[1] == target.code(self.sought) else seen[::-1].copy()

    def _presumed(self, codes: Array, seen: Array, matrix: Any, rows: Table) -> Array:
        """Rows without a label that are taken for irrelevant, where a class is sought.

        They are drawn by their words and by the number of labels, wherever they stand.
        """
        target, free = rows.domain.target, np.flatnonzero(codes < 0)
        assert target is not None
        if self.sought is None or self.model != "blend" or len(seen) != 2:
            return free[:0]
        if seen[1] != target.code(self.sought):
            return free[:0]
        rng = np.random.default_rng(len(codes) - len(free))
        sums: Any = matrix.dot(rng.random(matrix.shape[1]))
        drawn: Floats = sums[free]
        keys: Floats = np.where(drawn > 0, drawn * 1e6 % 1, 1.0)
        return free[np.argsort(keys, kind="stable")[: min(_PRESUMED, len(free) // _EVERY)]]

    def _explorer(self, matrix: Any, codes: Array, code: int, weights: Floats) -> Floats:
        """What each word adds to the score of `margin` alone, learned from labels alone."""
        known = np.flatnonzero(codes >= 0)
        problem = Problem(matrix[known], codes[known] == code, weights[known])
        return self._settings.margin(problem, []).slopes[0]

    def _against(
        self, views: Sequence[Any], codes: Array, code: int, weights: Floats, presumed: Array
    ) -> tuple[Floats, float]:
        """What words add to the score of a class against all others, and what no word does."""
        known, rest = np.flatnonzero(codes >= 0), codes != code
        mine, heavy = codes[known] == code, weights[known]
        problems = [Problem(view[known], mine, heavy) for view in views]
        members = self._members(views)
        some = problems[_WORDS].part()
        few = problems
        if len(some) < len(known):
            few = [Problem(each.rows[some], mine[some], heavy[some]) for each in problems]
        groups = few[_WORDS].groups if len(members) > 1 else []
        inside = groups if few is problems else []

        def fit(name: str, at: int, known: list[Problem], groups: list[Indices]) -> Fits:
            problem = known[at]
            if name == "margin":
                problem = problem.plus(views[at][presumed], weights[presumed])
            return self._settings.fit(name, problem, groups)

        fits = [fit(*member, problems, inside) for member in members]
        prior = np.array([_PRIOR[member] for member in members])
        shares = blend_weights(prior, lambda _: 0.0)
        if groups:
            tried = fits
            if few is not problems:
                tried = [fit(*member, few, groups) for member in members]
            looks = [
                Look.of(one, few[at].rows, views[at][rest], weights[rest])
                for one, (_, at) in zip(tried, members, strict=True)
            ]
            shares = blend_weights(prior, held_out_ranks(looks, few[_WORDS], weights[rest]))
        slopes = [np.zeros(view.shape[1]) for view in views]
        scores = np.zeros(len(codes))
        for share, one, (_, at) in zip(shares, fits, members, strict=True):
            found: Floats = views[at] @ one.slopes[0]
            _, spread = standard(found, weights)
            slopes[at] += one.slopes[0] * (share / spread)
            scores += found * (share / spread)
        of_classes = codes == code, (codes >= 0) & (codes != code)
        middle = [np.average(scores[of], weights=weights[of]) for of in of_classes]
        return np.concatenate(slopes), -float(np.mean(middle))

    @property
    def _settings(self) -> Settings:
        return Settings(self.alpha, self.penalty, self.cost, self.ratio)

    def _members(self, views: Sequence[Any]) -> list[tuple[str, int]]:
        """The scorers, and which view of the texts each has."""
        names = MEMBERS if self.model == "blend" else (self.model,)
        made = [(name, _WORDS) for name in names]
        return made if len(views) == 1 else [*made, (_OF_SENTENCES, _SENTENCES)]
