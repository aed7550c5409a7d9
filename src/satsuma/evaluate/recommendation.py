"""Advice: which learner to take, of those that were compared, and why."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from satsuma.evaluate.paired_tests import Difference, adjusted_p_values
from satsuma.evaluate.results import Results
from satsuma.evaluate.results_display import number
from satsuma.learners.learner import Learner

#: Learners that look at nothing but the target: the baselines, which others should be better than.
BASELINES = ("Majority", "Mean")

#: Scores that a learner may be better in than a baseline; the first that shows it is ranked by.
JUDGED = {"sym": ("CA", "log loss", "AUC"), "num": ("RMSE",)}

#: How often learners that are alike may be told apart.
ALPHA = 0.05

#: Scores as they are called in a sentence.
_IN_WORDS = {"CA": "accuracy"}

#: What rows must be, and so how soon a learner is done: in one pass, in some, or all in memory.
_PASSES = ("one", "stream", "many", "rows")


@dataclass(frozen=True)
class Judgement:
    """Who is significantly better than the baseline, and by what learners are to be ranked.

    Parameters
    ----------
    score
        The score that learners are ranked by: the usual one, or the first of the others by which
        any is better than the baseline where none is by the usual one.
    base
        The best of the baselines that were compared, if any was.
    better
        Who is better than it, by each score.
    """

    score: str
    base: str | None
    better: Mapping[str, Sequence[str]]

    @property
    def beaten(self) -> bool:
        """Whether any learner is better than the baseline, by any score."""
        return any(self.better.values())

    def best(self, ranks: Mapping[str, int]) -> tuple[str, ...]:
        """Those of rank 1; the baseline is among them if nothing is better than it, and only so."""
        first = [name for name, rank in ranks.items() if rank == 1]
        if self.base is None:
            return tuple(first)
        if not self.beaten:
            return tuple(name for name in ranks if name in first or name == self.base)
        return tuple(name for name in first if name != self.base) or self.ahead(ranks)[:1]

    def ahead(self, names: Iterable[str]) -> tuple[str, ...]:
        """Those that are better than the baseline by the score; all, where there is none."""
        return tuple(each for each in names if self.base is None or each in self.better[self.score])


def judge(learners: Mapping[str, Learner], results: Results, alpha: float = ALPHA) -> Judgement:
    """Compare each learner with the baseline, by each score.

    All these comparisons hold at once (Holm 1979).
    """
    usual, base = results.score_name(), _baseline(learners, results)
    if base is None:
        return Judgement(usual, None, {})
    scores = JUDGED[results.target.kind]
    found = {
        (score, name): each
        for score in scores
        for name, each in results.differences(base, score).items()
    }
    p_values = adjusted_p_values({pair: each.p for pair, each in found.items()})
    ahead = [pair for pair, each in found.items() if each.mean > 0 and p_values[pair] < alpha]
    better = {score: [name for by, name in ahead if by == score] for score in scores}
    return Judgement(next((by for by in scores if better[by]), usual), base, better)


def _baseline(learners: Mapping[str, Learner], results: Results) -> str | None:
    scores, sign = results.scores(), 1 if results.rises() else -1
    found = [name for name, each in learners.items() if class_name(each) in BASELINES]
    return max(found, key=lambda name: sign * scores[name], default=None)


def advise(
    learners: Mapping[str, Learner], results: Results, judgement: Judgement, best: Sequence[str]
) -> tuple[str, str]:
    """The learner to take, and sentences that say why.

    Of those that cannot be told from the best, even by a test of the two alone, one that can be
    read comes first, then one that takes fewer passes over the rows, then the one with the
    better score.
    """
    base, score = judgement.base, judgement.score
    if base is not None and len(learners) > 1 and not judgement.beaten:
        return base, _nothing(base, results)
    known = judgement.ahead(best) or judgement.ahead(learners) or best
    choice = min(_alike(results, known, score), key=lambda each: _cost(learners[each]))
    can = "can" if learners[choice].readable else "cannot"
    return choice, (
        f"{_unusual(judgement, results)}Take {choice}: {score_in_words(score)} "
        f"{_of(choice, score, results)}{_against(choice, judgement, results)}"
        f"{_standing(choice, best, results)}; its model {can} be read on a page."
        f"{_other(choice, best, score, results)}{_to_read(choice, best, learners, score, results)}"
    )


def _nothing(base: str, results: Results) -> str:
    *others, last = (score_in_words(each) for each in JUDGED[results.target.kind])
    by = f"{', '.join(others)} or {last}" if others else last
    usual = results.score_name()
    return (
        f"Nothing is significantly better than {base}, by {by} ({score_in_words(usual)} "
        f"{_of(base, usual, results)}): these columns tell little of {results.target.name!r}, or "
        f"these rows are too few."
    )


def _unusual(judgement: Judgement, results: Results) -> str:
    """Why learners are not ranked by the usual score."""
    usual = results.score_name()
    if judgement.score == usual:
        return ""
    return (
        f"Learners are ranked by {score_in_words(judgement.score)}, as by "
        f"{score_in_words(usual)} nothing is significantly better than {judgement.base}. "
    )


def _against(choice: str, judgement: Judgement, results: Results) -> str:
    base = judgement.base
    if base is None or base == choice:
        return ""
    return f" against {_of(base, judgement.score, results)} of the baseline {base}"


def _alike(results: Results, best: Sequence[str], score: str, alpha: float = ALPHA) -> list[str]:
    """Those of the best that the first of them does not beat when the two are compared alone."""
    first, *others = best
    return [first, *(each for each in others if results.difference(first, each, score).p >= alpha)]


def _standing(choice: str, best: Sequence[str], results: Results) -> str:
    """How the chosen one stands among the others."""
    if len(results.learners) == 1:
        return ", and nothing else was compared"
    if len(best) == 1:
        return ", significantly better than all others"
    if choice != best[0]:
        return ""
    others = best[1] if len(best) == 2 else f"{len(best) - 1} others"
    return f", the best, but not significantly better than {others}"


def _to_read(
    choice: str,
    best: Sequence[str],
    learners: Mapping[str, Learner],
    score: str,
    results: Results,
) -> str:
    """What a model that can be read costs, where the chosen one cannot be."""
    named = {name: each for name, each in learners.items() if class_name(each) not in BASELINES}
    some = [name for name in results.rank(score) if name in named and named[name].readable]
    if choice in some or not some:
        return ""
    found = results.difference(choice, some[0], score)
    if found.mean < 0:
        return ""
    by = _by(found, some[0], best, len(learners))
    return f" {some[0]} can be read: it is worse by {by}."


def _other(choice: str, best: Sequence[str], score: str, results: Results) -> str:
    """By how much the best may be better than the chosen one, where that is another."""
    if choice == best[0]:
        return ""
    found = results.difference(best[0], choice, score)
    has = f"{best[0]} has {_of(best[0], score, results)}"
    return f" {has}, better by {_by(found, choice, best, len(results.learners))}."


def _by(found: Difference, worse: str, best: Sequence[str], compared: int) -> str:
    """A difference, and that it may be chance where the worse one is marked among the best.

    The interval is that of the two alone; the marks allow for all that are compared.
    """
    low, high = (number(end) for end in found.interval())
    among = f"among {compared} learners, " if found.p < ALPHA else ""
    chance = f": {among}that may be chance" if worse in best else ""
    return f"{number(found.mean)} ({low} to {high} with 95 % confidence){chance}"


def _of(name: str, score: str, results: Results) -> str:
    return number(results.scores(score)[name])


def score_in_words(score: str) -> str:
    """What a score is called in a sentence."""
    return _IN_WORDS.get(score, score)


def class_name(learner: Learner) -> str:
    """What the class of a learner is called."""
    return type(learner).__name__


def _cost(learner: Learner) -> tuple[bool, int]:
    return not learner.readable, _PASSES.index(learner.takes.rounds)
