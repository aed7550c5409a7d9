"""Advice: which learner to take, in sentences, and what few rows leave open."""

from collections.abc import Mapping, Sequence

import numpy as np

from satsuma.evaluate.paired_tests import Difference
from satsuma.evaluate.recommendation import (
    JUDGED,
    TOLERANCES,
    Judgement,
    class_shares,
    score_in_words,
    tolerance,
)
from satsuma.evaluate.results import Measure, Results
from satsuma.evaluate.results_display import number
from satsuma.evaluate.scores import find_score
from satsuma.learners.learner import Learner

#: An interval of a score from 0 to 1 that is so wide is told.
FAR = 0.1

#: That another learner may be better by so much is told: so many times what matters; of errors of
#: numbers, a share of the standard deviation of the target.
MUCH, MUCH_OF_SPREAD = 5.0, 0.05


class Advice:
    """Sentences that say which learner to take, and why.

    Parameters
    ----------
    learners
        By name.
    results
        Their scores.
    judgement
        What they are judged by.
    order
        Their names, the best first.
    choice
        The one to take.
    """

    def __init__(
        self,
        learners: Mapping[str, Learner],
        results: Results,
        judgement: Judgement,
        order: Sequence[str],
        choice: str,
    ) -> None:
        self.learners, self.results, self.judgement = learners, results, judgement
        self.choice, self.score = choice, judgement.score
        self.order = [name for name in order if name != judgement.base] or list(order)

    def __str__(self) -> str:
        base = self.judgement.base
        if base is not None and len(self.learners) > 1 and not self.judgement.beaten:
            return self._nothing(base)
        can = "can" if self.learners[self.choice].readable else "cannot"
        taken = f"Take {self.choice}: {self._word(self.score)} {self._of(self.choice)}"
        beside = f"{self._against()}{self._alone()}; its model {can} be read on a page."
        return f"{self._unusual()}{taken}{beside}{self._best()}{self._to_read()}{self._limits()}"

    def _word(self, score: Measure) -> str:
        return score_in_words(self.results.score_name(score))

    def _of(self, name: str, score: Measure = None) -> str:
        wanted = self.score if score is None else score
        return number(self.results.scores(wanted)[name])

    def _nothing(self, base: str) -> str:
        usual, kind = self.judgement.usual, self.results.target.kind
        looked = [usual] if usual not in JUDGED[kind] else JUDGED[kind]
        *others, last = (self._word(each) for each in looked)
        by = f"{', '.join(others)} or {last}" if others else last
        return (
            f"Nothing is significantly better than {base}, by {by} ({self._word(usual)} "
            f"{self._of(base, usual)}): these columns tell little of "
            f"{self.results.target.name!r}, or these rows are too few.{self._nearest(base)}"
            f"{_few_rows(self._another())}"
        )

    def _nearest(self, base: str) -> str:
        """What came nearest to being better than the baseline."""
        name = self.order[0] if self.choice == base else self.choice
        found = self.results.difference(name, base, self.score)
        if not found.mean > 0:
            return ""
        if self.choice == base:
            return f" {name} came nearest: better by {between(found)}."
        return (
            f" If a model is needed, take {name}: compared with {base} alone, it is better by "
            f"{between(found)}."
        )

    def _unusual(self) -> str:
        """Why learners are not ranked by accuracy."""
        usual, score = self.judgement.usual, self.score
        if score is not usual:
            return (
                f"Learners are ranked by {self._word(score)}, as by {self._word(usual)} nothing is "
                f"significantly better than {self.judgement.base}. "
            )
        if self.judgement.asked or score != "log loss":
            return ""
        shares = class_shares(self.results)
        most = max(range(len(shares)), key=shares.__getitem__)
        return (
            f"Learners are ranked by log loss, as {_percent(shares[most])} of the rows are "
            f"{self.results.target.values[most]!r}. "
        )

    def _against(self) -> str:
        base = self.judgement.base
        if base is None or base == self.choice:
            return ""
        return f" against {self._of(base)} of the baseline {base}"

    def _alone(self) -> str:
        return ", and nothing else was compared" if len(self.results.learners) == 1 else ""

    def _best(self) -> str:
        """By how much the best is better than the chosen one, where that is another."""
        best = self.order[0]
        if best == self.choice:
            return ""
        found = self.results.difference(best, self.choice, self.score)
        limit = tolerance(self.results, self.score, best)
        if not self.learners[self.choice].readable:
            return (
                f" {best} is better by {between(found)} on these rows, but it is the best of "
                f"{len(self.order)}, and so in part the luckiest; a stack of several learners is "
                f"more often right about new rows."
            )
        return (
            f" {best} is better by {between(found)}, less than the {number(limit)} that matter; it "
            f"is better by more than that with a probability of "
            f"{_percent(found.probability_above(limit))}."
        )

    def _to_read(self) -> str:
        """What a model that can be read costs, where the chosen one cannot be."""
        some = [name for name in self.order if self.learners[name].readable]
        if self.choice in some or not some:
            return ""
        found = self.results.difference(self.choice, some[0], self.score)
        sure = found.probability_above(tolerance(self.results, self.score, self.choice))
        return (
            f" {some[0]} can be read: {self.choice} is better by {between(found)}, and by more "
            f"than matters with a probability of {_percent(sure)}."
        )

    def _limits(self) -> str:
        """How good the chosen one may be, and by how much another may be better."""
        return _few_rows(self._own(), self._another())

    def _own(self) -> str:
        """Between what the score of the chosen one may be, where that is much."""
        if self.results.score_name(self.score) not in TOLERANCES:
            return ""
        low, high = self.results.intervals(self.score)[self.choice]
        if high - low <= FAR:
            return ""
        return f"its {self._word(self.score)} may be {number(low)} or {number(high)}"

    def _another(self) -> str:
        """Which learner may be better than the chosen one, and by how much, where that is much."""
        others = [name for name in self.order if name != self.choice]
        if not others or find_score(self.score, self.results.target).each is None:
            return ""
        found = self.results.differences(self.choice, self.score, others)
        highest = {name: each.interval()[1] for name, each in found.items()}
        name = max(others, key=highest.__getitem__)
        if highest[name] < much(self.results, self.score, self.choice):
            return ""
        by = f"by up to {number(highest[name])}" if np.isfinite(highest[name]) else "by any amount"
        return f"{name} may be better {by}"


def much(results: Results, score: Measure, name: str) -> float:
    """By how much another learner may be better than one, and nothing be said of it."""
    if results.score_name(score) in ("RMSE", "MAE"):
        trial = results.trials[0]
        truth, weights = trial.truth[trial.parts >= 0], trial.tested_weights
        mean = np.average(truth, weights=weights)
        return MUCH_OF_SPREAD * float(np.sqrt(np.average((truth - mean) ** 2, weights=weights)))
    return MUCH * tolerance(results, score, name)


def _few_rows(*told: str) -> str:
    """What few rows leave open, as one sentence; empty where that is nothing."""
    some = [each for each in told if each]
    return f" With so few rows, {', and '.join(some)}." if some else ""


def between(found: Difference) -> str:
    """A difference and its interval, as in a sentence."""
    low, high = (number(end) for end in found.interval())
    return f"{number(found.mean)} ({low} to {high})"


def _percent(share: float) -> str:
    return f"{min(max(round(100 * share), 1), 99)} %"
