"""Assessment: how good a learner is on a table, beside the baseline."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from satsuma.data.table import Table
from satsuma.errors import SatsumaError
from satsuma.evaluate.advice import between
from satsuma.evaluate.candidates import expected_seconds
from satsuma.evaluate.comparison import Comparison, compare
from satsuma.evaluate.paired_tests import Difference
from satsuma.evaluate.recommendation import (
    JUDGED,
    OTHERWISE,
    score_in_words,
    usual_measure,
)
from satsuma.evaluate.results import Results
from satsuma.evaluate.results_display import interval, number
from satsuma.evaluate.suspected_leakage import Leaks, with_leaks_in_words
from satsuma.registry.learners import record_of

if TYPE_CHECKING:
    from satsuma.engines.thread_pool import Progress
    from satsuma.learners.learner import Learner

#: What the learner is called in the comparison; its class may be that of the baseline.
LEARNED = "this"


#: What a model that can be read is held against, and up to how many seconds that may take.
RIVAL, QUICK = "Forest", 3.0


class Rival(NamedTuple):
    """A learner whose models cannot be read, and by how much it is better than one that can be.

    Parameters
    ----------
    name
        What it is called.
    difference
        By how much it is better, row by row.

    Examples
    --------
    >>> print(Rival("Forest", Difference(0.05, 0.01, 300)))
    Forest, which cannot be read, is better by 0.0500 (0.0303 to 0.0697)
    """

    name: str
    difference: Difference

    @property
    def better(self) -> bool:
        """Whether it is significantly better."""
        return self.difference.mean > 0 and self.difference.p < 0.05

    def __str__(self) -> str:
        by = f"better by {between(self.difference)}" if self.better else "not significantly better"
        return f"{self.name}, which cannot be read, is {by}"

    def facts(self) -> dict[str, Any]:
        """The same for machines."""
        low, high = self.difference.interval()
        gained = {"difference": self.difference.mean, "interval": [low, high]}
        return {"learner": self.name, **gained, "better": self.better}


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
    rival
        A learner whose models cannot be read, where one was tested beside it.
    otherwise
        Another score by which the learner is significantly better than the baseline, where it is
        not by the measure, as words and figures; empty where there is none.
    """

    measure: str
    score: float
    interval: tuple[float, float]
    baseline: float
    base: str
    better: bool
    what: str
    with_leaks: str = ""
    rival: Rival | None = None
    otherwise: str = ""

    def __str__(self) -> str:
        chance = "" if self.better else ". It is not significantly better than that"
        chance += f", but it is by {self.otherwise}" if self.otherwise else ""
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
            "otherwise": self.otherwise,
            "method": self.what,
            "rival": None if self.rival is None else self.rival.facts(),
        }


def quick_rival(learner: "Learner", table: Table, folds: int) -> "Learner | None":
    """A forest to hold a model against that can be read, where that takes little time.

    Examples
    --------
    >>> from satsuma import Forest, Rules, load
    >>> voting = load("voting")
    >>> type(quick_rival(Rules(), voting, 10)).__name__, quick_rival(Forest(), voting, 10)
    ('Forest', None)
    """
    kinds = {v.kind for v in table.domain.attributes}
    if not learner.readable or "text" in kinds or not kinds:
        return None
    return record_of(RIVAL).fetch()() if expected_seconds(RIVAL, table, folds) <= QUICK else None


def assess(
    learner: "Learner",
    table: Table,
    *,
    folds: int | None = None,
    seed: int = 1,
    leaks: Leaks | None = None,
    rival: "Learner | None" = None,
    progress: "Progress | None" = None,
) -> Assessment:
    """Cross-validate a learner and the baseline, and another to hold it against if it is given.

    Parameters
    ----------
    learner
        What is assessed.
    table
        The rows.
    folds, seed, leaks, progress
        As in `compare`.
    rival
        The other, see `quick_rival`.

    Examples
    --------
    >>> from satsuma import Logistic, load
    >>> print(assess(Logistic(), load("voting"), folds=5))
    accuracy 0.96... (0.94...-0.97... with 95 % confidence) on rows that it did not learn from ...
    """
    target = table.domain.target
    base = "Mean" if target is not None and target.kind == "num" else "Majority"
    tested = {LEARNED: learner, base: record_of(base).fetch()()}
    if rival is not None:
        tested[RIVAL] = rival
    found = compare(table, tested, folds=folds, seed=seed, leaks=leaks, progress=progress)
    if found.with_leaks is not None and LEARNED not in found.with_leaks.learners:
        # The rival is the better one, and only its score with the suspected columns is known yet.
        found.with_leaks = _with_leaks(learner, table, folds, seed)
    return assessment_of(found, base)


def _with_leaks(learner: "Learner", table: Table, folds: int | None, seed: int) -> Results | None:
    """What a learner predicts with all columns, on the same folds, if it can learn from them."""
    try:
        return compare(table, {LEARNED: learner}, folds=folds, seed=seed, leaks=()).results
    except SatsumaError:
        return None


def assessment_of(found: Comparison, base: str) -> Assessment:
    """What a comparison says of a learner, of the baseline, and of a rival if there is one."""
    results, measure = found.results, usual_measure(found.results)
    rival = RIVAL in results.learners
    apart = results.difference(LEARNED, base, measure)
    better = apart.mean > 0 and apart.p < 0.05
    return Assessment(
        measure=results.score_name(measure),
        score=results.scores(measure)[LEARNED],
        interval=results.intervals(measure)[LEARNED],
        baseline=results.scores(measure)[base],
        base=base,
        better=better,
        what=results.what,
        with_leaks=_leaks_in_words(found, measure),
        rival=Rival(RIVAL, results.difference(RIVAL, LEARNED, measure)) if rival else None,
        otherwise="" if better else _otherwise(results, base, measure),
    )


def _otherwise(results: Results, base: str, measure: str) -> str:
    """The first other score by which the learner is better than the baseline, with both figures."""
    others = [each for each in JUDGED[results.target.kind] if each != measure]
    for score in others:
        apart = results.difference(LEARNED, base, score)
        if apart.mean > 0 and apart.p * len(others) < OTHERWISE:
            of = results.scores(score)
            return f"{score_in_words(score)}: {number(of[LEARNED])} against {number(of[base])}"
    return ""


def _leaks_in_words(found: Comparison, measure: str) -> str:
    """What the score would seem to be with columns that were left out."""
    if found.with_leaks is None:
        return ""
    whole, honest = (each.scores(measure)[LEARNED] for each in (found.with_leaks, found.results))
    return with_leaks_in_words(found.leaks, score_in_words(measure), whole, honest)
