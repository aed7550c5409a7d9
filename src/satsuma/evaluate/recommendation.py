"""Advice: which learner to take, of those that were compared, and why."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from satsuma.evaluate.paired_tests import Difference, adjusted_p_values
from satsuma.evaluate.results import Measure, Results
from satsuma.evaluate.results_display import number
from satsuma.learners.learner import Learner

#: Learners that look at nothing but the target: the baselines, which others should be better than.
BASELINES = ("Majority", "Mean")

#: Scores by which a learner may be better than the baseline where it is not by the usual one.
JUDGED: dict[str, tuple[str, ...]] = {"sym": ("CA", "log loss", "AUC"), "num": ("RMSE", "MAE")}

#: How often learners that are alike may be told apart: by the measure, and by other scores.
ALPHA, OTHERWISE = 0.05, 0.01

#: From this share of the most common class on, accuracy tells little, and log loss is usual.
UNEQUAL = 0.75

#: How much better the best may be than a model that can be read, so that this one is advised:
#: differences of scores from 0 to 1, and a share of the score of others.
TOLERANCES = {
    "CA": 0.01, "balanced accuracy": 0.01, "AUC": 0.01, "F1": 0.01, "precision": 0.01,
    "recall": 0.01, "MCC": 0.02, "kappa": 0.02, "R2": 0.01,
}  # fmt: skip
SHARE = 0.02

#: Of that, how much may lie between learners that are as good as each other.
ALIKE = 0.1

#: Where no model that can be read is near the best, a stack of several is taken, unless the best is
#: better by more than so many times what matters: the best of many is in part the luckiest of them.
STACK, NEAR = "Stacking", 2.0

#: Scores as they are called in a sentence.
_IN_WORDS = {"CA": "accuracy"}


@dataclass(frozen=True)
class Judgement:
    """Who is significantly better than the baseline, and by what learners are to be ranked.

    Parameters
    ----------
    score
        The score that learners are ranked by: the one asked for or the usual one, or the first of
        the others by which any is better than the baseline where none is by that.
    usual
        The one asked for, or the usual one.
    base
        The best of the baselines that were compared, if any was.
    better
        Who is better than it by the score.
    asked
        Whether the score was asked for.
    """

    score: Measure
    usual: Measure
    base: str | None
    better: Sequence[str] = ()
    asked: bool = False

    @property
    def beaten(self) -> bool:
        """Whether any learner is better than the baseline."""
        return bool(self.better)

    def best(self, ranks: Mapping[str, int]) -> tuple[str, ...]:
        """Those of rank 1; the baseline is among them if nothing is better than it, and only so."""
        first = [name for name, rank in ranks.items() if rank == 1]
        if self.base is None:
            return tuple(first)
        if not self.beaten:
            return tuple(name for name in ranks if name in first or name == self.base)
        return tuple(name for name in first if name != self.base) or self.ahead(ranks)[:1]

    def ahead(self, names: Iterable[str]) -> tuple[str, ...]:
        """Those that are better than the baseline; all, where there is none."""
        return tuple(each for each in names if self.base is None or each in self.better)


def usual_measure(results: Results) -> str:
    """What learners are ranked by unasked: RMSE, accuracy, or log loss where a class is common."""
    if results.target.kind == "num":
        return "RMSE"
    return "log loss" if max(_class_shares(results)) >= UNEQUAL else "CA"


def _class_shares(results: Results) -> Sequence[float]:
    trial = results.trials[0]
    weight = np.bincount(trial.truth[trial.parts >= 0], trial.tested_weights)
    return (weight / weight.sum()).tolist()


def judge(
    learners: Mapping[str, Learner], results: Results, measure: Measure | None = None
) -> Judgement:
    """Compare each learner with the baseline, by the measure; by other scores if none is better.

    All comparisons by a measure hold at once (Holm 1979). No other score is looked at where a
    measure was asked for.
    """
    usual = usual_measure(results) if measure is None else measure
    base = _baseline(learners, results)
    if base is None:
        return Judgement(usual, usual, None, (), measure is not None)
    known = () if measure is not None else JUDGED[results.target.kind]
    others = [each for each in known if each != usual]
    (better,) = _better(results, base, [usual], ALPHA)
    by_others = [] if better else _better(results, base, others, OTHERWISE)
    for score, found in zip(others, by_others, strict=False):
        if found:
            return Judgement(score, usual, base, found)
    return Judgement(usual, usual, base, better, measure is not None)


def _better(
    results: Results, base: str, scores: Sequence[Measure], alpha: float
) -> list[list[str]]:
    """Who is better than the baseline by each score, all comparisons together."""
    found = {
        (str(at), name): each
        for at, score in enumerate(scores)
        for name, each in results.differences(base, score).items()
    }
    p_values = adjusted_p_values({pair: each.p for pair, each in found.items()})
    ahead = [pair for pair, each in found.items() if each.mean > 0 and p_values[pair] < alpha]
    return [[name for by, name in ahead if by == str(at)] for at in range(len(scores))]


def _baseline(learners: Mapping[str, Learner], results: Results) -> str | None:
    scores, sign = results.scores(), 1 if results.rises() else -1
    found = [name for name, each in learners.items() if class_name(each) in BASELINES]
    return max(found, key=lambda name: sign * scores[name], default=None)


def tolerance(results: Results, score: Measure, best: str) -> float:
    """How much better the best may be than a model that can be read, and yet not be taken.

    It is 0.01 of accuracy, AUC and other scores from 0 to 1, and 2 % of other scores of the best.
    With these the advice was measured, see ``benchmarks/advice.py``.
    """
    known = TOLERANCES.get(results.score_name(score))
    return SHARE * abs(results.scores(score)[best]) if known is None else known


def choose(
    learners: Mapping[str, Learner], results: Results, judgement: Judgement, order: Sequence[str]
) -> str:
    """The best learner that can be read, if the best of all is hardly better; else a stack or that.

    Of several that can be read and are as good as each other, the first is taken. Where none that
    can be read is near the best, it is a stack of several learners that is not far from it, or
    the best. Where nothing is significantly better than the baseline it is that one, or one that is
    better than it when the two are compared alone.

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
    """
    known = [name for name in order if name != judgement.base] or list(order)
    if judgement.base is not None and len(learners) > 1 and not judgement.beaten:
        alone = results.differences(judgement.base, judgement.score)
        known = [name for name in known if alone[name].mean > 0 and alone[name].p < ALPHA]
        if not known:
            return judgement.base
    best, scores = known[0], results.scores(judgement.score)
    limit = tolerance(results, judgement.score, best)
    gaps = {name: abs(scores[name] - scores[best]) for name in known if learners[name].readable}
    if not gaps or min(gaps.values()) > limit:
        stacks = [name for name in known if class_name(learners[name]) == STACK]
        near = [name for name in stacks if abs(scores[name] - scores[best]) <= NEAR * limit]
        return near[0] if near else best
    alike = min(gaps.values()) + ALIKE * limit
    return next(name for name in learners if gaps.get(name, np.inf) <= alike)


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
        shares = _class_shares(self.results)
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
        return f" {best} is better by {between(found)}, less than the {number(limit)} that matter."

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
        """That a choice on few rows may be off, where it may be by much."""
        if self.results.score_name(self.score) not in TOLERANCES:
            return ""
        low, high = self.results.intervals(self.score)[self.choice]
        if high - low <= FAR:
            return ""
        return (
            f" On so few rows, its {self._word(self.score)} may be {number(low)} or {number(high)}."
        )


#: An interval of a score from 0 to 1 that is so wide is told.
FAR = 0.1


def between(found: Difference) -> str:
    """A difference and its interval, as in a sentence."""
    low, high = (number(end) for end in found.interval())
    return f"{number(found.mean)} ({low} to {high})"


def _percent(share: float) -> str:
    return f"{min(max(round(100 * share), 1), 99)} %"


def score_in_words(score: str) -> str:
    """What a score is called in a sentence."""
    return _IN_WORDS.get(score, score)


def class_name(learner: Learner) -> str:
    """What the class of a learner is called."""
    return type(learner).__name__
