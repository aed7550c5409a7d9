"""The section on the model: the best one that can be read, drawn and printed."""

from collections.abc import Iterator

import numpy as np

from satsuma.data.summary import cut
from satsuma.data.table import Table
from satsuma.errors import SatsumaError
from satsuma.evaluate.importances import importances
from satsuma.evaluate.recommendation import BASELINES, score_in_words
from satsuma.learners.additive.effect_shapes import AdditiveModel
from satsuma.learners.linear.ridge import RidgeModel
from satsuma.learners.model import Classifier, Model
from satsuma.learners.tree.model import Readable
from satsuma.plot.additive_shapes import shape
from satsuma.plot.nomogram_chart import nomogram
from satsuma.plot.tree_diagram import tree
from satsuma.report.analysis import Analysis
from satsuma.report.elements import (
    Cell,
    Element,
    Gallery,
    Grid,
    Section,
    Verbatim,
    cells,
    plot_image,
)
from satsuma.report.number_format import format_number

#: Classes that have a nomogram, ends of a tree that is drawn, rows of a table, shapes.
CLASSES, ENDS, COEFFICIENTS, SHAPES = 3, 9, 25, 6

#: Lines and characters of a printed model, and lines of a tree that is not folded away.
LINES, LETTERS, SHORT = 200, 20_000, 40

#: Columns whose importance is measured, rows that it is measured on, and rows that are too few.
COLUMNS, TESTED, FEWEST = 60, 1_000, 20


def model_section(analysis: Analysis) -> Section:
    """What the model believes, in a form that can be followed by hand."""
    section = Section("model", "How the model decides")
    found, name = analysis.comparison, analysis.readable_learner
    if name is None:
        name = analysis.chosen_learner
        section.say("None of the learners that were compared makes a model that can be drawn.")
    elif name != analysis.chosen_learner:
        section.say(
            f"{analysis.chosen_learner} comes first, but its model cannot be read; that of {name} "
            f"can."
        )
    rows = learned_rows(analysis, name)
    model = found.learners[name](rows)
    section.say(_how_good(analysis, name), str(analysis.compared_rows))
    section.say(
        "Compare it with what you know: a column that counts for more than you would think may be "
        "a discovery, or a fault of the table."
    )
    section.elements += _important(analysis)
    section.elements += _drawn(model, rows)
    text, lines = str(model), str(model).splitlines()
    if len(lines) > LINES or len(text) > LETTERS:
        text = "\n".join(lines[:LINES])[:LETTERS] + "\n…"
    short = isinstance(model, Readable) and len(lines) <= SHORT
    section.elements.append(Verbatim(f"The model of {name}, printed", text, short))
    return section


def learned_rows(analysis: Analysis, name: str) -> Table:
    """The rows that were compared on, with the columns that were for a learner."""
    table, text = analysis.compared_rows.table, {}
    if "text" not in analysis.comparison.learners[name].takes.kinds:
        text = {v.name: "meta" for v in table.domain.attributes if v.kind == "text"}
    return table.with_roles(text)


def _important(analysis: Analysis) -> Iterator[Element]:
    """How much worse the chosen learner predicts without what each column says."""
    name = analysis.chosen_learner
    rows, measure = learned_rows(analysis, name), analysis.comparison.measure
    rows = rows[~rows.missing(analysis.comparison.results.target.name)]
    order = np.random.default_rng([analysis.seed, 3]).permutation(len(rows))
    held = min(TESTED, len(rows) // 3)
    if len(rows.domain.attributes) > COLUMNS or held < FEWEST:
        return
    try:
        model = analysis.comparison.learners[name](rows[np.sort(order[held:])])
        found = importances(
            model, rows[np.sort(order[:held])], measure=measure, repeats=3, seed=analysis.seed
        )
    except SatsumaError:  # a class may be missing in what is left
        return
    most = max(1e-9, *found.values())
    lines = [
        [Cell(cut(each, 60)), Cell(format_number(worse, 2), bar=min(1.0, max(0.0, worse / most)))]
        for each, worse in list(found.items())[:COEFFICIENTS]
    ]
    called = "accuracy" if measure == "CA" else measure
    caption = (
        f"How important columns are to {name}: how much worse its {called} gets when a column is "
        f"shuffled, on {held:,} rows that it was not trained on"
    )
    yield Grid(caption, ["column", "worse by"], lines, (0, 1))


def _how_good(analysis: Analysis, name: str) -> str:
    found = analysis.comparison
    scores, score = found.scores(), score_in_words(found.results.score_name(found.measure))
    first = next(iter(found.ranks))
    if type(found.learners[found.choice]).__name__ in BASELINES:
        return (
            f"No learner is significantly better than the baseline {found.choice}: do not rely on "
            f"this model."
        )
    here = f"{name} ({score} {format_number(scores[name], 3)})"
    if name in found.best:
        return f"{here} is not significantly worse than the best." if name != first else (
            f"{here} is the best of those compared.")  # fmt: skip
    beaten = f"{here} is beaten by {first} ({format_number(scores[first], 3)})"
    return f"{beaten}, whose model cannot be read as easily."


def _drawn(model: Model, rows: Table) -> Iterator[Element]:
    if isinstance(model, Readable):
        yield from _tree(model)
    elif isinstance(model, AdditiveModel):
        yield from _shapes(model)
    elif isinstance(model, RidgeModel):
        yield _coefficients(model.coefficients(), model.target.name, _spreads(rows))
    elif isinstance(model, Classifier) and all(v.kind != "text" for v in model.domain.attributes):
        yield from _nomograms(model)


def _tree(model: Readable) -> Iterator[Element]:
    if model.root.attribute is None:  # a single leaf: there is nothing to follow
        return
    # As deep as there is room for side by side.
    depth = 1
    while depth < 6 and _ends(model, depth + 1) <= ENDS:
        depth += 1
    caption = (
        "Begin at the top, and follow the values of the row. The leaf at the end holds the "
        "prediction, and from how many rows it comes."
    )
    yield plot_image(tree(model, depth=depth), caption)


def _ends(model: Readable, depth: int) -> int:
    return sum(
        1
        for node in model.root
        if node.depth == depth or (node.depth < depth and node.attribute is None)
    )


def _nomograms(model: Classifier) -> Iterator[Element]:
    caption = (
        "Look up what each value of a row adds, on the scale on top; add it up; read the "
        "probability below the sum."
    )
    chosen = model.classes[1:] if len(model.classes) == 2 else model.classes[:CLASSES]
    for value in chosen:
        try:
            drawn = nomogram(model, value)
        except SatsumaError:
            return
        yield plot_image(
            drawn, caption if value == chosen[0] else f"The same for {cut(value, 40)}."
        )


def _shapes(model: AdditiveModel) -> Iterator[Element]:
    """What the most important columns add."""
    found = model.importances()
    names = [name for name in found if found[name] > 0 and name in model.domain][:SHAPES]
    if names:
        yield Gallery([plot_image(shape(model, name), "") for name in names])


def _coefficients(found: dict[str, float], target: str, spreads: dict[str, float]) -> Element:
    rest = {name: number for name, number in found.items() if name != "constant" and number}
    order = sorted(rest, key=lambda name: -abs(rest[name]) * spreads.get(name, 0.0))
    lines = [cells(cut(name, 60), format_number(rest[name])) for name in order[:COEFFICIENTS]]
    lines.insert(0, cells("intercept", format_number(found["constant"])))
    more = len(order) - COEFFICIENTS
    what = "Coefficients: what one unit more of a number, or a value of a symbol, adds to"
    note = f"; {more:,} less important ones are left out" if more > 0 else ""
    caption = f"{what} {cut(target, 40)}, the most important first{note}"
    return Grid(caption, ["feature", "coefficient"], lines)


def _spreads(rows: Table) -> dict[str, float]:
    """Standard deviations of the features: of numbers, and of each value of a symbol as 0 or 1."""
    found: dict[str, float] = {}
    for variable in rows.domain.attributes:
        missing = rows.missing(variable.name)
        known = rows.column(variable.name)[~missing]
        found[f"{variable.name} is missing"] = float(missing.std())
        if variable.kind == "num" and len(known):
            unit = float(np.abs(known).max()) or 1.0
            found[variable.name] = float((known / unit).std()) * unit
        elif variable.kind == "sym" and len(known):
            shares = np.bincount(known, minlength=len(variable.values)) / len(known)
            named = (f"{variable.name} = {value}" for value in variable.values)
            found.update(zip(named, np.sqrt(shares * (1 - shares)).tolist(), strict=True))
    return found
