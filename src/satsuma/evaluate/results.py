"""Results: what learners predicted in trials, to be scored, compared, printed and drawn."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from satsuma.data.columns import readable
from satsuma.data.result_frame import ResultFrame
from satsuma.errors import ParameterError, SatsumaError, hint
from satsuma.evaluate.confusion_matrix import ConfusionMatrix
from satsuma.evaluate.paired_tests import (
    Difference,
    losses,
    pairwise_p_values,
    ranks_by,
    score_difference,
)
from satsuma.evaluate.score_intervals import Interval, score_interval
from satsuma.evaluate.scores import Score, find_score
from satsuma.evaluate.trial import Trial
from satsuma.numerics.arrays import Array, Floats

if TYPE_CHECKING:
    import pandas as pd


#: A score by its name, or one that is made of costs: a `Cost`, a `Profit`, or bare amounts.
Measure = Any


class Results(ResultFrame):
    """What learners predicted for rows that they had not learned from.

    The predictions are kept, as codes; probabilities are computed when a score first needs them,
    and kept from then on. So are the small models of learners of one round, which can compute
    them; the probabilities of other learners are computed at once, and their models not kept.

    Scores are ``CA`` (accuracy, the share of right predictions), ``AUC``, ``Brier`` (from 0 to 1
    with two classes; with more it is summed over them, and goes from 0 to 2), ``log loss``,
    ``F1``, ``precision``, ``recall``, ``balanced accuracy``, ``MCC``, ``kappa`` and ``ECE``
    (calibration error); ``MAE``, ``RMSE``, ``R2`` and ``quantile loss 0.9`` (or any other level)
    for numbers; a `Cost` or a `Profit`. All are weighted where rows have weights. `precision`,
    `recall` and `F1` are means over the classes, unless one is named.

    Parameters
    ----------
    learners
        Names of the learners.
    trials
        One for each repeat.
    what
        What was done, in a few words.
    notes
        What is to be known of the table before the scores are believed.

    Examples
    --------
    >>> from satsuma import Majority, cross_validate, load
    >>> results = cross_validate(Majority(), load("iris"))
    >>> results.scores("CA")
    {'Majority': 0.333...}
    """

    def __init__(
        self,
        learners: Sequence[str],
        trials: Sequence[Trial],
        what: str,
        notes: Sequence[str] = (),
    ) -> None:
        self.learners, self.trials, self.what = tuple(learners), tuple(trials), what
        self.notes = tuple(notes)
        self.target = self.trials[0].target

    def scores(self, score: Measure = "", *, target: str | None = None) -> dict[str, float]:
        """A score of each learner: the mean of the scores of the folds.

        A fold where a score is not defined (the AUC where all rows are of one class) is passed
        over; if no fold is left the score is NaN.

        Parameters
        ----------
        score
            Its name; CA if none is given, or RMSE for numbers.
        target
            One class, to be set against the rest.
        """
        folds = self.by_fold(score, target=target)
        return {name: _mean(found) for name, found in folds.items()}

    def intervals(self, score: Measure = "", *, level: float = 0.95) -> dict[str, Interval]:
        """Where the score of each learner lies with 95 % confidence, by chance in the rows.

        Parameters
        ----------
        score
            As in `scores`; NaN for the ECE, which has no interval.
        level
            How often an interval holds the true score.

        Examples
        --------
        >>> from satsuma import Majority, cross_validate, load
        >>> low, high = cross_validate(Majority(), load("voting")).intervals()["Majority"]
        >>> round(low, 3), round(high, 3)
        (0.567, 0.658)
        """
        wanted = self._score(score)
        return {
            name: score_interval(self.trials, wanted, name, found, level)
            for name, found in self.scores(score).items()
        }

    def by_fold(self, score: Measure = "", *, target: str | None = None) -> dict[str, Floats]:
        """A score of each learner in each fold, one repeat after the other."""
        return self._scored(score, target, pooled=False)

    def pooled(self, score: Measure = "", *, target: str | None = None) -> dict[str, float]:
        """A score of each learner over all rows at once; with repeats, the mean over these."""
        return {name: _mean(found) for name, found in self._scored(score, target, True).items()}

    def _scored(self, score: Measure, target: str | None, pooled: bool) -> dict[str, Floats]:
        wanted, code = self._score(score), self._code(target)
        return {
            name: np.concatenate(
                [trial.scores(name, wanted, code, pooled=pooled) for trial in self.trials]
            )
            for name in self.learners
        }

    def _score(self, name: Measure) -> Score:
        usual = "RMSE" if self.target.kind == "num" else "CA"
        unnamed = name is None or (isinstance(name, str) and not name)
        return find_score(usual if unnamed else name, self.target)

    def _code(self, target: str | None) -> int | None:
        if target is not None and self.target.kind == "num":
            raise ParameterError("target= names a class, and these results are about numbers.")
        return None if target is None else self.target.code(target)

    def confusion(self, learner: str | None = None) -> ConfusionMatrix:
        """How often (by weight) each class was taken for which; with repeats, the mean of these."""
        name = self._name(learner)
        if self.target.kind == "num":
            raise SatsumaError("Predicted numbers have no confusion matrix.")
        found = np.mean([trial.matrices(name, pooled=True)[0] for trial in self.trials], axis=0)
        return ConfusionMatrix(self.target, found)

    def predictions(self, learner: str | None = None, repeat: int = 0) -> Array:
        """What a learner predicted for each row: classes (None where not tested) or numbers."""
        trial, name = self.trials[repeat], self._name(learner)
        predicted = trial.predictions[name].predicted
        if self.target.kind == "num":
            return np.where(trial.parts < 0, np.nan, predicted)
        return readable(self.target, np.where(trial.parts < 0, -1, predicted))

    def probabilities(self, learner: str | None = None, repeat: int = 0) -> Floats:
        """Rows by classes; NaN in rows that were not tested."""
        if self.target.kind == "num":
            raise SatsumaError("Numbers were predicted, without probabilities.")
        trial, name = self.trials[repeat], self._name(learner)
        found = trial.predictions[name].probabilities
        return np.where((trial.parts < 0)[:, None], np.nan, found)

    @property
    def seconds(self) -> dict[str, float]:
        """How long each learner took to learn and to predict; see `cross_validate`."""
        return {
            name: sum(trial.predictions[name].seconds for trial in self.trials)
            for name in self.learners
        }

    def _name(self, learner: str | None) -> str:
        if learner is None and len(self.learners) == 1:
            return self.learners[0]
        if learner not in self.learners:
            raise ParameterError(
                f"There is no learner {learner!r} in these results. "
                f"{hint(str(learner), self.learners)}"
            )
        return learner

    def rank(self, score: Measure = "", *, alpha: float = 0.05) -> dict[str, int]:
        """Ranks from 1, best first; learners that cannot be told apart have the same rank.

        Two learners are compared as in `difference`; all comparisons together by the method of
        Holm (1979). Whoever cannot be told from the best has rank 1; the best of the others begins
        rank 2. The ECE, which is no mean over rows, is compared over folds and repeats, of which
        there must be two.

        Parameters
        ----------
        score
            What to rank by; CA if none is given, or RMSE for numbers.
        alpha
            How often learners that are alike may be told apart.
        """
        wanted = self._score(score)
        means = self.scores(score)
        worst = -np.inf if wanted.rising else np.inf
        known = {name: worst if np.isnan(mean) else mean for name, mean in means.items()}
        order = sorted(self.learners, key=lambda name: known[name], reverse=wanted.rising)
        p_values = pairwise_p_values(self.trials, wanted, order, self.by_fold(score))
        return ranks_by(order, p_values, alpha)

    def difference(self, first: str, second: str, score: Measure = "") -> Difference:
        """By how much one learner is better than another, with an interval and a p-value.

        Rows are compared one by one, by a paired t-test whose variance is corrected for the
        training rows that models share (Nadeau and Bengio 2003), so that the number of folds
        hardly matters. Rows of one group count as one, and so does a row in several repeats. The
        AUC is taken apart into what each row adds to it (DeLong et al. 1988), and scores of a
        confusion matrix likewise (Efron 1982); of RMSE, the ratio is tested.

        Parameters
        ----------
        first, second
            Names of learners; the difference is above 0 where the first is better.
        score
            Any but ECE; CA if none is given, or RMSE for numbers.

        Examples
        --------
        >>> from satsuma import Majority, NaiveBayes, cross_validate, load
        >>> results = cross_validate([Majority(), NaiveBayes()], load("iris"), seed=1)
        >>> found = results.difference("NaiveBayes", "Majority")
        >>> round(found.mean, 2), [round(end, 2) for end in found.interval()], found.p < 0.001
        (0.62, [0.51, 0.73], True)
        """
        return self.differences(second, score, [first])[first]

    def differences(
        self, base: str, score: Measure = "", learners: Sequence[str] | None = None
    ) -> dict[str, Difference]:
        """By how much each learner, or each of some, is better than one of them.

        Parameters
        ----------
        base
            The one that the others are compared with.
        score
            As in `difference`.
        learners
            Names of learners; all others unless given.

        Examples
        --------
        >>> from satsuma import Majority, NaiveBayes, cross_validate, load
        >>> results = cross_validate([Majority(), NaiveBayes()], load("iris"), seed=1)
        >>> {name: round(found.mean, 2) for name, found in results.differences("Majority").items()}
        {'NaiveBayes': 0.62}
        """
        wanted, others = self._score(score), [each for each in self.learners if each != base]
        if wanted.each is None:
            raise ParameterError(
                f"{wanted.name} is no mean over rows. Compare by another score, such as log loss."
            )
        against = losses(self.trials, wanted, self._name(base))
        found: dict[str, Difference] = {}
        for name in others if learners is None else learners:
            mine = losses(self.trials, wanted, self._name(name))
            found[name] = score_difference(self.trials, wanted, mine, against)
        return found

    def score_name(self, score: Measure = "") -> str:
        """What a score is called, in full letters; the usual one if none is given."""
        return self._score(score).name

    def rises(self, score: Measure = "") -> bool:
        """Whether more of a score is better."""
        return self._score(score).rising

    def to_pandas(self) -> "pd.DataFrame":
        """A data frame: a row for each learner, with scores, seconds and rank."""
        from satsuma.evaluate.results_display import frame

        return frame(self)

    def plot(self, score: Measure = "", ax: Any = None) -> Any:
        """Draw the fold scores on a matplotlib Axes, which is returned; the best is on top."""
        from satsuma.evaluate.results_display import draw

        return draw(self, score, ax)

    def __repr__(self) -> str:
        from satsuma.evaluate.results_display import show

        return show(self)

    def _repr_html_(self) -> str:
        from satsuma.evaluate.results_display import show_html

        return show_html(self)


def _mean(found: Any) -> float:
    known = found[~np.isnan(found)]
    return float(known.mean()) if known.size else np.nan
