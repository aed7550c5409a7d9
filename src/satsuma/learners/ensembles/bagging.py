"""Bagging: models of samples of the rows (bootstrap samples, or parts of them), which vote."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, cast

import numpy as np

from satsuma.data.fields import Instance, Many, Maybe, Number
from satsuma.data.schema import Schema
from satsuma.data.table import Table
from satsuma.errors import ReadError, SatsumaError, check_choice, check_number, refuse
from satsuma.kernels.threads import TILE, map_tasks
from satsuma.learners.bootstrap import are_whole, counts_without_replacement, weighted_counts
from satsuma.learners.ensembles.ensemble import (
    check_inside,
    summed_predictions,
    takes_of_member,
    with_weights,
)
from satsuma.learners.explanation import Explanation, mean_parts
from satsuma.learners.learner import Learner
from satsuma.learners.model import Classifier, Model, Query, Regressor, Scale
from satsuma.learners.queries import fitted
from satsuma.learners.takes import Takes, TakesBy, training_rows
from satsuma.learners.tree.decision_tree import RegressionTree, Tree
from satsuma.numerics.arrays import Floats, Indices


class _Bagged(Model):
    """Models that were learned from bootstrap samples of the same rows.

    Parameters
    ----------
    models
        One for each sample.
    score
        What they are worth on out-of-bag rows, once that has been asked for.
    """

    learner: Any

    schema: ClassVar[Schema] = Schema(
        learner=Instance(lambda: Bagging),
        models=Many(Instance(Model)),
        score=Maybe(Number(missing=True, infinite=True)),
    )

    def check_state(self) -> None:
        """There are models, which predict the same thing."""
        super().check_state()
        if not self.models:
            raise ReadError(f"{type(self).__name__} has no models")
        for model in self.models:
            self.check_inside(model)

    def __init__(self, models: Sequence[Model]) -> None:
        self.models = list(models)
        self.score: float | None = None

    def _prediction(self, model: Any, batch: Table) -> Floats:
        """The prediction of one model: rows by columns, to be added up."""
        raise NotImplementedError

    def _accuracy(self, sums: Floats, rows: Table, weights: Floats | None) -> float:
        """How good the sums of predictions are, for rows whose target is known."""
        raise NotImplementedError

    @property
    def _width(self) -> int:
        return len(self.target.values) or 1

    def _summed(self, batch: Table) -> Floats:
        models = self.models
        return summed_predictions(
            lambda at, part: self._prediction(models[at], part), len(models), batch, self._width
        )

    def keep_sample(self, table: Table) -> None:
        """Keep some rows for `sample`, and all that were learned from for `out_of_bag`."""
        super().keep_sample(table)
        self._learned = training_rows(table, "Bagging")

    @property
    def out_of_bag(self) -> float:
        """The out-of-bag score: accuracy, or R², of models on rows that are not in their sample.

        Each row is answered by those models whose sample it is not in; a row that is in all
        samples does not count, and where all are, the score is NaN. It is found when it is first
        asked for, and saved with the model from then on.

        Examples
        --------
        >>> import satsuma
        >>> from satsuma import Bagging, NaiveBayes
        >>> model = Bagging(NaiveBayes(), t=20)(satsuma.load("iris"))
        >>> round(model.out_of_bag, 2)
        0.95
        """
        if self.score is None:
            rows: Table | None = vars(self).get("_learned")
            if rows is None:
                raise SatsumaError(
                    "This model has no rows at hand: it was opened from a file or copied before "
                    "its score was asked for. Ask for out_of_bag before saving it."
                )
            self.score = self._scored(rows)
        return self.score

    def _scored(self, rows: Table) -> float:
        absent = [self.learner.counts(rows, at) == 0 for at in range(len(self.models))]
        sums = np.zeros((len(rows), self._width))

        def tile(at: int) -> None:
            for model, missed in zip(self.models, absent, strict=True):
                asked = at * TILE + np.flatnonzero(missed[at * TILE : (at + 1) * TILE])
                if len(asked):
                    sums[asked] += self._prediction(model, rows[asked])

        map_tasks(tile, range(-(-len(rows) // TILE)))
        times = np.sum(absent, axis=0)
        some = np.flatnonzero(times)
        if not len(some):
            return float("nan")
        left = rows[some]
        return self._accuracy(sums[some] / times[some, None], left, left.weights)

    def __str__(self) -> str:
        how = {
            "votes": "each has a vote",
            "probabilities": "the mean of their probabilities counts",
        }[self.learner.vote]
        how = how if self.target.kind == "sym" else "the mean of their numbers counts"
        learner = self.learner
        part = "rows" if learner.share == 1 else f"{learner.share:.4g} of the rows"
        drawn = "drawn with replacement" if learner.replace else "drawn without replacement"
        return (
            f"{self.target.name}, by {len(self.models)} models of {self.models[0].learner!r}, "
            f"each of {part} {drawn}; {how}"
        )


class BaggingClassifier(_Bagged, Classifier):
    """Models of classes that vote."""

    def _prediction(self, model: Classifier, batch: Table) -> Floats:
        asked = fitted(batch, model.domain)
        if self.learner.vote == "probabilities":
            return model.probabilities(asked)
        return np.eye(self._width)[model.codes(asked)]

    def _accuracy(self, sums: Floats, rows: Table, weights: Floats | None) -> float:
        right = sums.argmax(axis=1) == rows.column(self.target.name)
        return float(np.average(right, weights=weights))

    @property
    def terms_of(self) -> Scale | None:
        """A probability, where those of all models inside are; else they are sampled."""
        whole = self.learner.vote == "probabilities"
        inside = {model.terms_of for model in self.models}
        return "probability" if whole and inside == {"probability"} else None

    def explain(
        self, query: Query, value: str | None = None, against: str | None = None
    ) -> Explanation:
        """The mean of what the models inside say each column adds, where that is exact.

        The parameters are those of `Classifier.explain`.
        """
        if self.terms_of is None:
            return super().explain(query, value, against)
        batch = self._rows(query)
        predicted = self.classes[int(self.codes(batch)[0])]
        told = predicted if value is None else value
        models: list[Any] = self.models
        found = [each.explain(fitted(batch, each.domain)[0], told) for each in models]
        parts = mean_parts(found)
        return Explanation(told, None, parts, predicted=predicted, of="probability")

    def probabilities(self, batch: Table) -> Floats:
        """The share of votes, or the mean of the probabilities."""
        return self._summed(batch) / len(self.models)


class BaggingRegressor(_Bagged, Regressor):
    """Models of numbers, and their mean."""

    def _prediction(self, model: Regressor, batch: Table) -> Floats:
        return model.numbers(fitted(batch, model.domain))[:, None]

    def _accuracy(self, sums: Floats, rows: Table, weights: Floats | None) -> float:
        truth = cast("Floats", rows.column(self.target.name))
        error = np.average((truth - sums[:, 0]) ** 2, weights=weights)
        spread = np.average((truth - np.average(truth, weights=weights)) ** 2, weights=weights)
        return float(1 - error / spread) if spread > 0 else float(error == 0)

    @property
    def terms_of(self) -> Scale | None:
        """A number, where those of all models inside are; else they are sampled."""
        return "number" if {model.terms_of for model in self.models} == {"number"} else None

    def explain(self, query: Query) -> Explanation:
        """The mean of what the models inside say each column adds, where that is exact."""
        if self.terms_of is None:
            return super().explain(query)
        batch = self._rows(query)
        models: list[Any] = self.models
        found = [each.explain(fitted(batch, each.domain)[0]) for each in models]
        predicted = float(self.numbers(batch)[0])
        return Explanation(None, None, mean_parts(found), predicted=predicted, of="number")

    def numbers(self, batch: Table) -> Floats:
        """The mean of what the models say."""
        return self._summed(batch)[:, 0] / len(self.models)

    def deviations(self, query: Query | Table) -> Any:
        """How far the models are apart: the standard deviation of what they say of each row."""
        batch = self._rows(query)
        models = cast("list[Regressor]", self.models)
        found = np.std([self._prediction(each, batch)[:, 0] for each in models], axis=0)
        return found if isinstance(query, Table) else float(found[0])


def _takes(learner: Any) -> Takes:
    return takes_of_member(_TREE if learner.learner is None else learner.learner)


#: What is bagged unless a learner is given: trees that are grown out.
_TREE, _NUMBER_TREE = Tree(prune=None), RegressionTree(min_leaf=1, prune=None)


@dataclass(kw_only=True, eq=False)
class Bagging(Learner):
    """Models of bootstrap samples of the rows, which vote (Breiman 1996).

    A bootstrap sample is drawn with replacement and has as many rows as there are, unless `share`
    and `replace` say otherwise. Where rows have weights, one of weight 2 is drawn as two rows would
    be, and as many are drawn as all weigh together. Missing cells are left to the learner; rows
    whose target is missing are left out first.

    Parameters
    ----------
    learner
        Any learner that predicts something; it may stand first, without its name. Unless given,
        a tree that is grown out: `Tree` of classes, binary `RegressionTree` of numbers.
    t
        How many bootstrap samples, each of which makes a model.
    vote
        ``probabilities``: the mean of the probabilities; ``votes``: a class is as probable as its
        share of the votes, and ties go to the first class. Numbers are always averaged.
    seed
        Where chance starts from; the same seed gives the same model for any number of threads.
    share
        How many are drawn, as a share of what all rows weigh; above 0 and up to 1.
    replace
        Whether a row can be drawn several times. If not, a sample is a part of the rows, such as
        nine tenths of them with ``share=.9``; weights that are not whole then stay with their rows.

    Examples
    --------
    >>> import satsuma
    >>> from satsuma import Bagging, NaiveBayes
    >>> iris = satsuma.load("iris")
    >>> model = Bagging(NaiveBayes(), t=5)(iris)
    >>> model(iris[100])
    'virginica'
    >>> print(model)  # doctest: +NORMALIZE_WHITESPACE
    Species, by 5 models of NaiveBayes(...), each of rows drawn with replacement;
    the mean of their probabilities counts
    """

    learner: Learner | None = None
    t: int = 10
    vote: Literal["votes", "probabilities"] = "probabilities"
    seed: int = 0
    share: float = 1.0
    replace: bool = True

    takes: ClassVar[Any] = TakesBy(_takes)

    def check(self) -> None:
        """A learner, a number of samples, a way to vote, a seed, and how samples are drawn."""
        if self.learner is not None:
            check_inside(self, "learner", self.learner)
        check_number(self, "t", low=1, whole=True)
        check_choice(self, "vote", ["votes", "probabilities"])
        check_number(self, "seed", low=0, whole=True)
        check_number(self, "share", low=1e-6, high=1)
        check_choice(self, "replace", [True, False])
        if self.share == 1 and not self.replace:
            raise refuse(self, "share", "below 1 with replace=False, or all samples are the same")

    def counts(self, rows: Table, sample: int) -> Indices:
        """How often each row is in a sample; rows at 0 are out of bag.

        Examples
        --------
        >>> from satsuma import Bagging, NaiveBayes, load
        >>> iris = load("iris")
        >>> drawn = Bagging(NaiveBayes()).counts(iris, 0)
        >>> int(drawn.sum()), round(float((drawn == 0).mean()), 2)
        (150, 0.34)
        """
        rng = np.random.default_rng([self.seed, sample])
        n, weights = len(rows), rows.weights
        if not self.replace:
            return counts_without_replacement(rng, weights, n, self.share)
        if weights is None or (weights == 1).all():
            drawn = (rng.random(max(1, round(self.share * n))) * n).astype(np.intp)
            return np.bincount(drawn, minlength=n)
        return weighted_counts(rng, weights, self.share)

    def learn(self, data: Table) -> BaggingClassifier | BaggingRegressor:
        """A model of each sample."""
        rows = training_rows(data, type(self).__name__)
        target, learner = rows.domain.target, self.learner
        assert target is not None
        if learner is None:
            learner = _TREE if target.kind == "sym" else _NUMBER_TREE
        models = map_tasks(
            lambda at: self._of_sample(learner, rows, self.counts(rows, at)), range(int(self.t))
        )
        classes = isinstance(models[0], Classifier)
        return BaggingClassifier(models) if classes else BaggingRegressor(models)

    def _of_sample(self, learner: Learner, rows: Table, counts: Indices) -> Model:
        if not learner.takes.weights:
            return learner(rows[np.repeat(np.arange(len(rows)), counts)])
        weights = counts.astype(np.float64)
        if self.replace:
            # As many draws as the weights make, rounded: together they weigh their share.
            total = len(rows) if rows.weights is None else float(rows.weights.sum())
            weights *= self.share * total / int(counts.sum())
        elif rows.weights is not None and not are_whole(rows.weights):
            weights *= rows.weights
        return learner(with_weights(rows, weights))
