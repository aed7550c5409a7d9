"""Comparison: several learners on the same rows, and which of them to take."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from satsuma.data.identifiers import doubts
from satsuma.data.notes import note
from satsuma.data.result_frame import ResultFrame
from satsuma.data.summary import cut
from satsuma.data.table import Table
from satsuma.data.time_features import TimeFeatures
from satsuma.engines import check_rows
from satsuma.errors import SatsumaError
from satsuma.evaluate.advice import Advice
from satsuma.evaluate.candidates import (
    LIMIT,
    MANY,
    Candidates,
    candidates,
    candidates_of_one_pass,
    usual_folds,
)
from satsuma.evaluate.compared_rows import (
    few_numbers,
    held_out_rows,
    leaks_among,
    prepared_rows,
    with_folds,
    without_target,
)
from satsuma.evaluate.cost_scores import measure_of
from satsuma.evaluate.cross_validation import cross_validate
from satsuma.evaluate.fold_plans import FoldRequest
from satsuma.evaluate.recommendation import BASELINES, choose, class_name, judge, score_in_words
from satsuma.evaluate.request import (
    SomeLearners,
    learners_by_name,
    with_features,
)
from satsuma.evaluate.results import Measure, Results
from satsuma.evaluate.results_display import (
    NAME,
    aligned,
    frame,
    grid_html,
    interval,
    number,
    title,
)
from satsuma.evaluate.scores import SHOWN, find_score
from satsuma.evaluate.suspected_leakage import (
    Leaks,
    leakage_note,
    with_leaks_in_words,
    without,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    import pandas as pd

    from satsuma.engines import Source
    from satsuma.engines.thread_pool import Progress
    from satsuma.learners.learner import Learner

#: How the best are marked, and what that means.
MARK, MEANS = "*", "not significantly worse than the best"

#: Rows of a source that are looked at for columns that are like keys.
FIRST = 5_000


class Comparison(ResultFrame):
    """Learners that were tested on the same rows, and advice which to take.

    Parameters
    ----------
    learners
        By name.
    results
        Their predictions, and what was true.
    notes
        What is to be known before the scores are believed.
    """

    def __init__(
        self,
        learners: "Mapping[str, Learner]",
        results: Results,
        notes: Sequence[str] = (),
        measure: Measure | None = None,
    ) -> None:
        self.learners, self.results, self.notes = dict(learners), results, tuple(notes)
        judgement = judge(self.learners, results, measure)
        #: The score that they are ranked by: the one that was asked for, or the usual one.
        self.measure = judgement.score
        #: Ranks from 1, best first; those that cannot be told apart have the same.
        self.ranks = results.rank(self.measure)
        #: Those that cannot be told from the best, the best first.
        self.best = judgement.best(self.ranks)
        order = list(self.ranks)
        #: The one to take.
        self.choice = choose(self.learners, results, judgement, order)
        #: Why, in a few sentences.
        self.advice = str(Advice(self.learners, results, judgement, order, self.choice))
        #: Columns that are left out, as they may know the target, and why.
        self.leaks: dict[str, str] = {}
        #: What `beyond_baseline` predicted with them.
        self.with_leaks: Results | None = None

    @property
    def beyond_baseline(self) -> str:
        """The one to take, or the best that is no baseline; a baseline where there is no other."""
        learned = (
            name
            for name in (self.choice, *self.ranks)
            if class_name(self.learners[name]) not in BASELINES
        )
        return next(learned, self.choice)

    @property
    def legend(self) -> str:
        """What the mark of the best means."""
        return f"{MARK} {MEANS}, by {score_in_words(self.results.score_name(self.measure))}"

    @property
    def seconds(self) -> dict[str, float]:
        """How long each learner took to learn and to predict in all folds."""
        return self.results.seconds

    def scores(self, score: Measure = "") -> dict[str, float]:
        """A score of each learner, best first; the measure if none is named."""
        found = self.results.scores(self._named(score))
        return {name: found[name] for name in self.ranks}

    def intervals(self, score: Measure = "") -> dict[str, tuple[float, float]]:
        """Where a score of each learner lies with 95 % confidence; see `Results.intervals`."""
        found = self.results.intervals(self._named(score))
        return {name: found[name] for name in self.ranks}

    def _named(self, score: Measure) -> Measure:
        return self.measure if isinstance(score, str) and not score else score

    def cells(self) -> list[list[str]]:
        """The head and a line for each learner, best first, as strings."""
        results, first = self.results, self.results.score_name(self.measure)
        others = [each for each in SHOWN[results.target.kind] if each not in (first, "F1")]
        means = [self.scores(), *(self.scores(each) for each in others)]
        between, seconds = self.intervals(), self.seconds
        lines = [["learner", first, "95 %", *others, "seconds", "best"]]
        for name in self.ranks:
            figures = [number(each[name]) for each in means]
            figures.insert(1, interval(*between[name]))
            mark = MARK if name in self.best else ""
            lines.append([cut(name, NAME), *figures, f"{seconds[name]:.3g}", mark])
        return lines

    def __repr__(self) -> str:
        lines = aligned(self.cells())
        notes = ["", *self.notes] if self.notes else []
        return "\n".join([title(self.results), "", *lines, self.legend, "", self.advice, *notes])

    def to_pandas(self) -> "pd.DataFrame":
        """A data frame: a row for each learner, with scores, seconds and rank by the measure."""
        return frame(self.results, self.measure)

    def _repr_html_(self) -> str:
        text = " ".join([f"{title(self.results)}.", self.advice, *self.notes, f"{self.legend}."])
        return grid_html(text, self.cells())


def compare(
    table: "Table | Source",
    learners: SomeLearners | None = None,
    *,
    measure: Measure | None = None,
    folds: Any = None,
    seed: int = 1,
    repeats: int = 1,
    groups: Any = None,
    time: Any = None,
    window: int | None = None,
    limit: float = LIMIT,
    leaks: "Leaks | Iterable[str] | None" = None,
    progress: "Progress | None" = None,
) -> Comparison:
    """Cross-validate learners on the same folds, and say which to take.

    Learners are ranked by a measure. Differences are tested row by row, see `Results.difference`,
    and those that are not significantly worse than the best are marked; they need not be as good.
    The advice weighs differences as they are estimated: it is the best model that can be read,
    if the best of all is better by no more than 0.01 (accuracy, AUC and other scores from 0 to 1)
    or 2 % (RMSE, log loss and others); else a stack of several learners, if the best is better than
    that by no more than twice as much; else the best. Where nothing is significantly better than
    the baseline (`Majority`, `Mean`), that is said, and the baseline taken unless a learner is
    better than it when the two are compared alone.

    Columns of text are set aside, unless they are all there is to learn from. With fewer rows
    than folds there are as many folds as rows. `notes` say what was set aside, and
    which columns are like keys.

    A column of a table that alone predicts nearly all of the target may have been filled in after
    it (leakage). Nothing is learned from it; `notes` say so, and what the score of the advised
    learner would seem to be with it, on the same folds.

    Parameters
    ----------
    table
        The rows: a table, or a source made by `scan`.
    learners
        One, a list, or a dict by name; unless given, those that suit the target and do not take
        too long.
    measure
        What learners are ranked by: the name of a score, see `Results`, or a `Cost` or `Profit`;
        bare amounts, as these take them, are costs.
        Unless given, it is RMSE for numbers, and for classes accuracy, or log loss where one of
        them has three quarters of the rows or more. If nothing is better than the baseline by
        that, one of accuracy, log loss and AUC by which something is.
    folds
        As in `cross_validate`; 10 unless given, 5 of more than 2,000 rows, 3 of more than 50,000.
        Of more than 200,000 rows, 100,000 are held out and tested, unless folds, repeats, groups
        or time are given.
    seed, repeats, groups, time, window
        As in `cross_validate`.
    limit
        Seconds that all learners together may take, where none is named. Of many rows, each is
        timed on a few of them; those that would take longer than an equal share of what the quicker
        ones leave learn from a sample of the rows, or are left out. `notes` tell which, and how
        long they would take.
    leaks
        Columns that are left out of a table, as they may know the target: by name, or with reasons.
        Unless given, those that alone predict nearly all of it; with ``()`` none is.
    progress
        Called with the number of steps that are done and of all steps.

    Examples
    --------
    >>> from satsuma import Majority, NaiveBayes, compare, load
    >>> found = compare(load("iris"), [Majority(), NaiveBayes()])
    >>> found.best, found.choice
    (('NaiveBayes',), 'NaiveBayes')
    >>> print(found.advice)
    Take NaiveBayes: accuracy 0.9533 against 0.3333 of the baseline Majority; its model can be ...
    """
    check_rows("compare takes", table)
    chosen, measure = None if learners is None else learners_by_name(learners), measure_of(measure)
    _check_measure(measure, table)
    asked = FoldRequest(folds, True, repeats, groups, time, window, seed)
    if not isinstance(table, Table):
        return _compare_source(table, chosen, asked, measure, progress)
    given = asked.set_aside(table)
    whole, notes = prepared_rows(given, chosen)
    left_out = leaks_among(leaks, given, whole)
    honest = without(given, left_out)
    rows, notes = prepared_rows(honest, chosen) if left_out else (whole, notes)
    asked = with_folds(rows, asked)
    if asked.by_number and asked.folds < (folds or usual_folds(len(rows))):
        notes.append(note("few folds", count=asked.folds))
    asked.check()
    count = asked.folds if asked.by_number else 10
    what = ""
    if folds is None and repeats == 1 and groups is None and time is None and len(rows) > MANY:
        asked, what = held_out_rows(rows, asked)
        count = 1
    bar = _Bar(progress)
    found = Candidates(chosen, ()) if chosen else candidates(rows, count, limit, bar.first(count))
    results = cross_validate(found.tested(), rows, **asked.arguments(), progress=bar.rest())
    results.what = what or results.what
    notes = [*results.notes, *notes, *without_target(rows), *few_numbers(rows), *found.notes]
    compared = Comparison(found.learners, results, notes, measure)
    if left_out:
        _with_leaks(compared, left_out, found.tested(), whole, asked)
    return compared


def _with_leaks(
    found: Comparison,
    leaks: dict[str, str],
    tested: "Mapping[str, Learner]",
    whole: Table,
    asked: FoldRequest,
) -> None:
    """Note what the score would seem to be with the columns left out, on the same folds."""
    name, said = found.beyond_baseline, ""
    try:
        found.with_leaks = cross_validate({name: tested[name]}, whole, **asked.arguments())
    except SatsumaError:  # it cannot learn from such a column
        pass
    else:
        score = found.with_leaks.scores(found.measure)[name]
        of = f"{score_in_words(found.results.score_name(found.measure))} of {name}"
        said = with_leaks_in_words(leaks, of, score, found.scores()[name])
    found.leaks = leaks
    found.notes = (leakage_note(leaks, said), *found.notes)


class _Bar:
    """One progress of two pieces of work: learners are timed, and then they are tested.

    Parameters
    ----------
    progress
        Called with the number of steps that are done and of all steps.
    """

    def __init__(self, progress: "Progress | None") -> None:
        self.progress, self.done = progress, 0

    def first(self, parts: int) -> "Progress | None":
        """What is to be called while learners are timed, each of which is then tested in parts."""
        progress = self.progress
        if progress is None:
            return None

        def call(done: int, total: int) -> None:
            self.done = done
            progress(done, total * (1 + parts))

        return call

    def rest(self) -> "Progress | None":
        """What is to be called from then on."""
        progress, before = self.progress, self.done
        if progress is None or not before:
            return progress
        return lambda done, total: progress(before + done, before + total) if done else None


def _compare_source(
    source: "Source",
    chosen: "Mapping[str, Learner] | None",
    asked: FoldRequest,
    measure: Measure | None,
    progress: "Progress | None",
) -> Comparison:
    timed = with_features(source, chosen or {}) if source.domain.times else source
    found = Candidates(dict(chosen), ()) if chosen else candidates_of_one_pass(timed.domain)
    asked = replace(asked, folds=10) if asked.folds is None else asked
    results = cross_validate(found.learners, source, **asked.arguments(), progress=progress)
    rows: Any = source  # a scan; cross_validate takes no other source
    features = TimeFeatures.of_domain(timed.domain)
    notes = (*doubts(rows.head(FIRST)), *features.notes(), *found.notes)
    return Comparison(found.learners, results, notes, measure)


def _check_measure(measure: Measure | None, table: "Table | Source") -> None:
    """Raise before anything is learned, if there is no such measure."""
    if measure is not None and table.domain.target is not None:
        find_score(measure, table.domain.target)
