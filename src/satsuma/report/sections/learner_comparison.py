"""The section on learners: how they compare, and which to take."""

import numpy as np

from satsuma.data.summary import cut
from satsuma.evaluate.comparison import Comparison
from satsuma.evaluate.recommendation import BASELINES
from satsuma.evaluate.scores import SHOWN
from satsuma.numerics.arrays import Floats
from satsuma.report.analysis import Analysis
from satsuma.report.charts import Strip, strip
from satsuma.report.elements import Cell, Grid, Section
from satsuma.report.number_format import MINUS, format_number, percent

#: What scores mean, in a few words.
_MEANS = {
    "sym": "Accuracy is the share of right predictions. AUC says how well the classes are told "
    "apart, where 0.5 is guessing and 1 is perfect. The Brier score and log loss judge "
    "probabilities: less is better.",
    "num": "MAE and RMSE are errors, in the units of the target: less is better. R2 is the share "
    "of its variance that is explained: 1 is perfect.",
}


def comparison_section(analysis: Analysis) -> Section:
    """Scores on rows that were not learned from, and advice."""
    found = analysis.comparison
    section = Section("comparison", "Which learner to use", f"{found.advice}{_beside(found)}")
    section.say(found.advice)
    section.say(
        f"By {found.results.what}: each row is predicted by a model that was not trained on it.",
        _MEANS[found.results.target.kind], _limit(analysis), str(analysis.compared_rows),
    )  # fmt: skip
    section.elements.append(_grid(found))
    for note in found.notes:
        section.say(analysis.wording(note))
    return section


def _limit(analysis: Analysis) -> str:
    """How long learners may take, where that decides which of them are here."""
    if analysis.learners is not None:
        return ""
    return f"All learners together were given {analysis.limit:g} seconds."


def _called(measure: str) -> str:
    return "accuracy" if measure == "CA" else measure


def _beside(found: Comparison) -> str:
    """The accuracy of the baseline, for a scale."""
    base = found.scores().get("Majority")
    return (
        ""
        if base is None or "baseline" in found.advice
        else f" The baseline, always the most frequent class, has an accuracy of {percent(base)}."
    )


def _grid(found: Comparison) -> Grid:
    results = found.results
    main = found.measure
    # The main score first, so that it is seen on a narrow screen, too.
    shown = sorted(SHOWN[results.target.kind], key=lambda score: score != main)
    folds, means = results.by_fold(main), {score: results.scores(score) for score in shown}
    span = _span(found)
    lines: list[list[Cell]] = []
    for at, name in enumerate(found.ranks):
        best = name in found.best
        drawn = _strip(folds[name], means[main][name], span, name, main)
        figures = [
            Cell(_score(means[score][name]), strong=not at and score == main) for score in shown
        ]
        took = Cell(_seconds(found.seconds[name]))
        mark = Cell(("not clearly worse" if at else "best") if best else "", strong=best and not at)
        lines.append([Cell(cut(name, 48)), mark, figures[0], Cell("", drawn), *figures[1:], took])
    by_fold = f"{_called(main)} by fold: {format_number(span[0], 3)} to {format_number(span[1], 3)}"
    caption = (
        "Learners, the best first; those that are not clearly worse may be as good as the best"
    )
    head = ["learner", "", _called(main), by_fold, *map(_called, shown[1:]), "seconds"]
    return Grid(caption, head, lines, (0, 1, 3))


def _span(found: Comparison) -> tuple[float, float]:
    """From the least to the greatest score of a fold; a baseline, often far off, has no say."""
    folds = found.results.by_fold(found.measure)
    names = [n for n in folds if type(found.learners[n]).__name__ not in BASELINES] or list(folds)
    every = np.concatenate([folds[name] for name in names])
    every = every[np.isfinite(every)]
    return (float(every.min()), float(every.max())) if len(every) else (0.0, 1.0)


def _strip(
    scores: Floats, mean: float, span: tuple[float, float], name: str, score: str
) -> Strip | None:
    known = scores[np.isfinite(scores)]
    if not len(known):
        return None
    what = f"{_called(score)} of {cut(name, 48)} in {len(known)} folds"
    text = f"{what}: {format_number(known.min(), 3)} to "
    return strip(
        known,
        mean,
        span,
        f"{text}{format_number(known.max(), 3)}, {format_number(mean, 3)} on average.",
    )


def _score(score: float) -> str:
    if np.isnan(score):
        return "?"
    return f"{score:.3f}".replace("-", MINUS) if abs(score) < 100 else format_number(score)


def _seconds(seconds: float) -> str:
    return "<0.1" if seconds < 0.1 else f"{seconds:.1f}"
