"""Assessment: how good a learner is on a table, beside the baseline."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from satsuma.data.table import Table
from satsuma.evaluate.comparison import Comparison, compare
from satsuma.evaluate.recommendation import score_in_words, usual_measure
from satsuma.evaluate.results_display import interval, number
from satsuma.evaluate.suspected_leakage import Leaks, with_leaks_in_words
from satsuma.registry.learners import record_of

if TYPE_CHECKING:
    from satsuma.engines.thread_pool import Progress
    from satsuma.learners.learner import Learner

#: What the learner is called in the comparison; its class may be that of the baseline.
LEARNED = "this"


@dataclass(frozen=True)
class Assessment:
    """The score of a learner on rows that it did not learn from, beside that of the baseline.

    Parameters
    ----------
    measure
        The score.
    score, baseline
        Of the learner, and of the baseline.
    interval
        Where the score lies with 95 % confidence.
    base
        What the baseline is called.
    better
        Whether the learner is significantly better than it.
    what
        How it was tested.
    with_leaks
        What the score would seem to be with columns that were left out, as they may know the
        target, as a sentence behind others; empty where there is none.
    """

    measure: str
    score: float
    interval: tuple[float, float]
    baseline: float
    base: str
    better: bool
    what: str
    with_leaks: str = ""

    def __str__(self) -> str:
        chance = "" if self.better else ". It is not significantly better than that"
        return (
            f"{score_in_words(self.measure)} {number(self.score)} ({interval(*self.interval)} with "
            f"95 % confidence) on rows that it did not learn from ({self.what}); the baseline "
            f"{self.base} has {number(self.baseline)}{chance}."
        )

    def facts(self) -> dict[str, Any]:
        """The same for machines."""
        return {
            "measure": self.measure,
            "score": self.score,
            "interval": list(self.interval),
            "baseline": {"learner": self.base, "score": self.baseline},
            "better": self.better,
            "method": self.what,
        }


def assess(
    learner: "Learner",
    table: Table,
    *,
    folds: int | None = None,
    seed: int = 1,
    leaks: Leaks | None = None,
    progress: "Progress | None" = None,
) -> Assessment:
    """Cross-validate a learner and the baseline.

    Parameters
    ----------
    learner
        What is assessed.
    table
        The rows.
    folds, seed, leaks, progress
        As in `compare`.

    Examples
    --------
    >>> from satsuma import Logistic, load
    >>> print(assess(Logistic(), load("voting"), folds=5))
    accuracy 0.96... (0.94...-0.97... with 95 % confidence) on rows that it did not learn from ...
    """
    target = table.domain.target
    base = "Mean" if target is not None and target.kind == "num" else "Majority"
    both = {LEARNED: learner, base: record_of(base).fetch()()}
    found = compare(table, both, folds=folds, seed=seed, leaks=leaks, progress=progress)
    return assessment_of(found, base)


def assessment_of(found: Comparison, base: str) -> Assessment:
    """What a comparison says of a learner and of the baseline."""
    results, measure = found.results, usual_measure(found.results)
    apart = results.difference(LEARNED, base, measure)
    return Assessment(
        measure=results.score_name(measure),
        score=results.scores(measure)[LEARNED],
        interval=results.intervals(measure)[LEARNED],
        baseline=results.scores(measure)[base],
        base=base,
        better=apart.mean > 0 and apart.p < 0.05,
        what=results.what,
        with_leaks=_with_leaks(found, measure),
    )


def _with_leaks(found: Comparison, measure: str) -> str:
    """What the score would seem to be with columns that were left out."""
    if found.with_leaks is None:
        return ""
    whole, honest = (each.scores(measure)[LEARNED] for each in (found.with_leaks, found.results))
    return with_leaks_in_words(found.leaks, score_in_words(measure), whole, honest)
