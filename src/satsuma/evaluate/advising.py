"""Advising: which learner to take, of those that were compared, and why."""

from collections.abc import Mapping, Sequence

from satsuma.evaluate.ranking import corrected_p
from satsuma.evaluate.results import Results
from satsuma.evaluate.show import number
from satsuma.learners.learner import Learner

#: Learners that look at nothing but the target; to be better than they are is to know something.
BASELINES = ("Majority", "Mean")

#: Learners whose models tell, on a page, what they do.
READABLE = (*BASELINES, "NaiveBayes", "Tree", "ID3", "RegressionTree", "Logistic", "Ridge")

#: What rows must be, and so how soon a learner is done: in one pass, in some, or all in memory.
_PASSES = ("one", "stream", "many", "rows")


def advised(
    learners: Mapping[str, Learner], results: Results, best: Sequence[str]
) -> tuple[str, str]:
    """The learner to take, and a sentence that says why.

    Of those that cannot be told from the best, even by a test of the two alone, one that can be
    read comes first, then one that takes fewer passes over the rows, then the one with the
    better score.
    """
    name, scores = results.score_name(), results.scores()
    base = next((each for each in best if _kind(learners[each]) in BASELINES), None)
    if base is not None and len(learners) > 1:
        return base, (
            f"Nothing is better than {base} beyond chance ({name} {number(scores[base])}): these "
            f"columns tell little of {results.target.name!r}, or these rows are too few."
        )
    choice = min(_alike(results, best), key=lambda each: _cost(learners[each]))
    return choice, (
        f"Take {choice}: {name} {number(scores[choice])}, {_standing(choice, scores, best)}; "
        f"its model {'can' if _readable(learners[choice]) else 'cannot'} be read on a page."
    )


def _alike(results: Results, best: Sequence[str], alpha: float = 0.05) -> list[str]:
    """Those of the best that the first of them does not beat when the two are compared alone."""
    folds, ratio = results.by_fold(), results.trials[0].ratio
    return [each for each in best if corrected_p(folds[best[0]] - folds[each], ratio) >= alpha]


def _standing(choice: str, scores: Mapping[str, float], best: Sequence[str]) -> str:
    """How the chosen one stands among the others."""
    if len(scores) == 1:
        return "and nothing else was compared"
    if len(best) == 1:
        return "better than all others beyond chance"
    if choice != best[0]:
        return f"and {best[0]} ({number(scores[best[0]])}) is not better beyond chance"
    return "the best, if not beyond chance"


def _cost(learner: Learner) -> tuple[bool, int]:
    return not _readable(learner), _PASSES.index(learner.takes.rounds)


def _readable(learner: Learner) -> bool:
    return _kind(learner) in READABLE


def _kind(learner: Learner) -> str:
    return type(learner).__name__
