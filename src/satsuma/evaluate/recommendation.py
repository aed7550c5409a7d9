"""Recommendation: which learner to take, of those that were compared."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from satsuma.evaluate.paired_tests import adjusted_p_values
from satsuma.evaluate.results import Measure, Results
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
    return "log loss" if max(class_shares(results)) >= UNEQUAL else "CA"


def class_shares(results: Results) -> Sequence[float]:
    """How common each class is among the rows that were tested."""
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
    better than it when the two are compared alone, or by twice what matters: on few rows no test
    says so, and the estimate is the better guess.

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
        known = _maybe_better(results, judgement, known)
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


def _maybe_better(results: Results, judgement: Judgement, names: Sequence[str]) -> list[str]:
    """Who is better than the baseline if nobody else had been compared, or by a good deal."""
    assert judgement.base is not None
    alone = results.differences(judgement.base, judgement.score)
    much = NEAR * tolerance(results, judgement.score, judgement.base)
    return [
        name
        for name in names
        if alone[name].mean > 0 and (alone[name].p < ALPHA or alone[name].mean > much)
    ]


def score_in_words(score: str) -> str:
    """What a score is called in a sentence."""
    return _IN_WORDS.get(score, score)


def class_name(learner: Learner) -> str:
    """What the class of a learner is called."""
    return type(learner).__name__
