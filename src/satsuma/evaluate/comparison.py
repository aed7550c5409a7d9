"""Comparison: several learners on the same rows, and which of them to take."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from satsuma.data.identifiers import doubts
from satsuma.data.notes import note
from satsuma.data.summary import cut, short_number
from satsuma.data.table import Table
from satsuma.data.time_features import TimeFeatures
from satsuma.errors import DomainError
from satsuma.evaluate.candidates import Candidates, candidates, candidates_of_one_pass
from satsuma.evaluate.cross_validation import cross_validate
from satsuma.evaluate.recommendation import advise, judge, score_in_words
from satsuma.evaluate.request import (
    SomeLearners,
    check_whole,
    known_rows,
    learners_by_name,
    with_features,
)
from satsuma.evaluate.results import Results
from satsuma.evaluate.results_display import NAME, aligned, cells, grid_html, title

if TYPE_CHECKING:
    from collections.abc import Mapping

    import pandas as pd

    from satsuma.engines import Source
    from satsuma.engines.thread_pool import Progress
    from satsuma.learners.learner import Learner

#: How the best are marked, and what that means.
MARK, MEANS = "*", "not significantly worse than the best"

#: Rows of a source that are looked at for columns that are like keys.
FIRST = 5_000

#: Numbers that are so few may be the codes of classes.
_FEW = 5


class Comparison:
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
        self, learners: "Mapping[str, Learner]", results: Results, notes: Sequence[str] = ()
    ) -> None:
        self.learners, self.results, self.notes = dict(learners), results, tuple(notes)
        judgement = judge(self.learners, results)
        #: The score that they are ranked by: CA, or RMSE for numbers; log loss or AUC where one is
        #: better than the baseline by that, and none by CA.
        self.measure = judgement.score
        #: Ranks from 1, best first; those that cannot be told apart have the same.
        self.ranks = results.rank(self.measure)
        #: Those that cannot be told from the best, the best first.
        self.best = judgement.best(self.ranks)
        self.choice, self.advice = advise(self.learners, results, judgement, self.best)

    @property
    def legend(self) -> str:
        """What the mark of the best means."""
        return f"{MARK} {MEANS}, by {score_in_words(self.measure)}"

    @property
    def seconds(self) -> dict[str, float]:
        """How long each learner took to learn and to predict in all folds."""
        return self.results.seconds

    def scores(self, score: str = "") -> dict[str, float]:
        """A score of each learner, best first; CA if none is named, or RMSE for numbers."""
        found = self.results.scores(score)
        return {name: found[name] for name in self.ranks}

    def cells(self) -> list[list[str]]:
        """The head and a line for each learner, best first, as strings."""
        head, *lines = cells(self.results, self.measure)
        marks = [MARK if name in self.best else "" for name in self.ranks]
        marked = [[*line[:-1], mark] for line, mark in zip(lines, marks, strict=True)]
        return [[*head[:-1], "best"], *marked]

    def __repr__(self) -> str:
        lines = aligned(self.cells())
        notes = ["", *self.notes] if self.notes else []
        return "\n".join([title(self.results), "", *lines, self.legend, "", self.advice, *notes])

    def to_pandas(self) -> "pd.DataFrame":
        """A data frame: a row for each learner, with scores, seconds and rank."""
        return self.results.to_pandas()

    def _repr_html_(self) -> str:
        text = " ".join([f"{title(self.results)}.", self.advice, *self.notes, f"{self.legend}."])
        return grid_html(text, self.cells())


def compare(
    table: "Table | Source",
    learners: SomeLearners | None = None,
    *,
    folds: int = 10,
    seed: int = 1,
    progress: "Progress | None" = None,
) -> Comparison:
    """Cross-validate learners on the same folds, and say which to take.

    Learners are ranked by CA, or RMSE for numbers. Where none is better than the baseline
    (`Majority`, `Mean`) by that, they are ranked by log loss or AUC if one is better by these.
    Differences are tested row by row, see `Results.difference`.

    Columns of text are set aside, unless they are all there is to learn from. With fewer rows
    than folds there are as many folds as rows. `notes` say what was set aside, and
    which columns are like keys.

    Parameters
    ----------
    table
        The rows: a table, or a source made by `scan`.
    learners
        One, a list, or a dict by name; unless given, those that suit the target and do not take
        too long.
    folds
        How many there are.
    seed
        Where chance starts from; the same seed gives the same folds.
    progress
        Called with the number of steps that are done and of all steps.

    Examples
    --------
    >>> from satsuma import NaiveBayes, Majority, load
    >>> found = compare(load("iris"), [Majority(), NaiveBayes()])
    >>> found.best, found.choice
    (('NaiveBayes',), 'NaiveBayes')
    >>> print(found.advice)
    Take NaiveBayes: accuracy 0.9533 against 0.3333 of the baseline Majority, significantly ...
    """
    chosen = None if learners is None else learners_by_name(learners)
    if not isinstance(table, Table):
        timed = with_features(table, chosen or {}) if table.domain.times else table
        found = Candidates(chosen, ()) if chosen else candidates_of_one_pass(timed.domain)
        results = cross_validate(found.learners, table, folds=folds, seed=seed, progress=progress)
        rows: Any = table  # a scan; cross_validate takes no other source
        features = TimeFeatures.of_domain(timed.domain)
        notes = (*doubts(rows.head(FIRST)), *features.notes(), *found.notes)
        return Comparison(found.learners, results, notes)
    timed = with_features(table, chosen or {})
    rows, notes = set_aside(timed, chosen)
    notes += TimeFeatures.of_domain(timed.domain).notes() if table.domain.times else []
    count = _fewer(rows, folds)
    if count < folds:
        notes.append(note("few folds", count=count))
    found = Candidates(chosen, ()) if chosen else candidates(rows, count)
    results = cross_validate(found.learners, rows, folds=count, seed=seed, progress=progress)
    notes = [*results.notes, *notes, *_no_target(rows), *_few_numbers(rows), *found.notes]
    return Comparison(found.learners, results, notes)


def set_aside(table: Table, chosen: "Mapping[str, Learner] | None") -> tuple[Table, list[str]]:
    """The table without columns of text that no learner takes, and what to say of it."""
    texts = [v.name for v in table.domain.attributes if v.kind == "text"]
    alone = len(texts) == len(table.domain.attributes)
    taken = alone if chosen is None else all("text" in each.takes.kinds for each in chosen.values())
    if not texts or taken:
        return table, []
    listed = ", ".join(repr(cut(each, NAME)) for each in texts[:5])
    more = f" and {len(texts) - 5} more" if len(texts) > 5 else ""
    told = note("no text", names=listed + more)
    return table.with_roles(dict.fromkeys(texts, "meta")), [told]


def _fewer(table: Table, folds: Any) -> int:
    """As many folds as are asked for, or as there are rows."""
    there = int(known_rows(table, {}).used.sum())
    if there < 2:
        raise DomainError(
            f"To compare learners takes at least two rows with a known target and a weight above "
            f"0. There is {there or 'none'}."
        )
    if not table.domain.attributes:
        raise DomainError(
            "There is nothing to learn from: no column is left beside the target. "
            "Give some the role 'x': table.with_roles({…: 'x'})."
        )
    return min(check_whole("compare", "folds", folds, 2), there)


def _no_target(table: Table) -> list[str]:
    """What to say of rows that are not compared, as their target is missing."""
    target = table.domain.target
    missing = 0 if target is None else int(table.missing(target.name).sum())
    if target is None or not missing:
        return []
    rows = f"{len(table):,}"
    return [note("no target", count=f"{missing:,}", rows=rows, name=target.name)]


def _few_numbers(table: Table) -> list[str]:
    """What to say of a target of so few numbers that they may be classes."""
    target = table.domain.target
    if target is None or target.kind != "num":
        return []
    column = table.column(target.name)
    found = np.unique(column[~np.isnan(column)])
    if len(found) > _FEW or len(table) < 4 * len(found):
        return []
    listed = ", ".join(map(short_number, found.tolist()))
    return [note("few numbers", name=target.name, numbers=listed)]
