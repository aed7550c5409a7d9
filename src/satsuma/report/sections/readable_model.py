"""The section on the model: the best one that can be read, drawn and printed."""

from collections.abc import Iterator

import numpy as np

from satsuma.data.summary import cut
from satsuma.data.table import Table
from satsuma.errors import SatsumaError
from satsuma.evaluate.advice import BASELINES
from satsuma.learners.linear.ridge import RidgeModel
from satsuma.learners.model import Classifier, Model
from satsuma.learners.tree.model import Readable
from satsuma.plot.nomogram_chart import nomogram
from satsuma.plot.tree_diagram import tree
from satsuma.report.analysis import Story
from satsuma.report.elements import Grid, Part, Section, Verbatim, cells
from satsuma.report.number_format import told
from satsuma.report.plot_images import picture

#: Classes that have a nomogram, ends of a tree that is drawn, coefficients in a table.
CLASSES, ENDS, COEFFICIENTS = 3, 9, 25

#: Lines and characters of a printed model, and lines of a tree that is not folded away.
LINES, LETTERS, SHORT = 200, 20_000, 40


def about_model(story: Story) -> Section:
    """What the model believes, in a form that can be followed by hand."""
    section = Section("model", "The model, to be read")
    found, name = story.comparison, story.readable
    if name is None:
        name = story.subject
        section.say("None of the learners that were compared makes a model that can be drawn.")
    elif name != story.subject:
        section.say(
            f"{story.subject} comes first, but its model cannot be read; that of {name} can."
        )
    rows = _taken(story)
    model = found.learners[name](rows)
    section.say(_how_good(story, name), str(story.asked))
    section.parts += _drawn(model, rows)
    text, lines = str(model), str(model).splitlines()
    if len(lines) > LINES or len(text) > LETTERS:
        text = "\n".join(lines[:LINES])[:LETTERS] + "\n…"
    short = isinstance(model, Readable) and len(lines) <= SHORT
    section.parts.append(Verbatim(f"The model of {name}, printed", text, short))
    return section


def _taken(story: Story) -> Table:
    """The rows that were compared on, with the columns that were."""
    table, text = story.asked.table, {}
    learner = story.comparison.learners[story.readable or story.subject]
    if "text" not in learner.takes.kinds:
        text = {v.name: "meta" for v in table.domain.attributes if v.kind == "text"}
    return table.with_roles(text)


def _how_good(story: Story, name: str) -> str:
    found = story.comparison
    scores, score = found.scores(), found.results.score_name()
    first = next(iter(found.ranks))
    if type(found.learners[found.choice]).__name__ in BASELINES:
        return f"No learner is better than {found.choice} beyond chance: do not rely on this model."
    here = f"{name} ({score} {told(scores[name], 3)})"
    if name in found.best:
        return f"{here} cannot be told from the best beyond chance." if name != first else (
            f"{here} is the best of those compared.")  # fmt: skip
    beaten = f"{here} is beaten by {first} ({told(scores[first], 3)})"
    return f"{beaten}: that is the price of a model to read."


def _drawn(model: Model, rows: Table) -> Iterator[Part]:
    if isinstance(model, Readable):
        yield from _tree(model)
    elif isinstance(model, RidgeModel):
        yield _coefficients(model.coefficients(), model.target.name, _spreads(rows))
    elif isinstance(model, Classifier) and all(v.kind != "text" for v in model.domain.attributes):
        yield from _nomograms(model)


def _tree(model: Readable) -> Iterator[Part]:
    # As deep as there is room for side by side.
    depth = 1
    while depth < 6 and _ends(model, depth + 1) <= ENDS:
        depth += 1
    caption = (
        "Begin at the top, and go where the row belongs. At the end stands the answer, and of how "
        "many rows it is."
    )
    yield picture(tree(model, depth=depth), caption)


def _ends(model: Readable, depth: int) -> int:
    return sum(
        1
        for node in model.root
        if node.depth == depth or (node.depth < depth and node.attribute is None)
    )


def _nomograms(model: Classifier) -> Iterator[Part]:
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
        yield picture(drawn, caption if value == chosen[0] else f"The same for {cut(value, 40)}.")


def _coefficients(found: dict[str, float], target: str, spreads: dict[str, float]) -> Part:
    rest = {name: number for name, number in found.items() if name != "constant" and number}
    order = sorted(rest, key=lambda name: -abs(rest[name]) * spreads.get(name, 0.0))
    lines = [cells(cut(name, 60), told(rest[name])) for name in order[:COEFFICIENTS]]
    lines.insert(0, cells("to begin with", told(found["constant"])))
    more = len(order) - COEFFICIENTS
    caption = f"What one more of a number, or a value of a symbol, adds to {cut(target, 40)}"
    note = f"; {more:,} more matter less" if more > 0 else ""
    return Grid(f"{caption}, what matters most first{note}", ["column", "adds"], lines)


def _spreads(rows: Table) -> dict[str, float]:
    """By how much columns differ from row to row: numbers, and each value of a symbol as 0 or 1."""
    found: dict[str, float] = {}
    for variable in rows.domain.attributes:
        known = rows.column(variable.name)[~rows.missing(variable.name)]
        if variable.kind == "num" and len(known):
            unit = float(np.abs(known).max()) or 1.0
            found[variable.name] = float((known / unit).std()) * unit
        elif variable.kind == "sym" and len(known):
            shares = np.bincount(known, minlength=len(variable.values)) / len(known)
            named = (f"{variable.name} = {value}" for value in variable.values)
            found.update(zip(named, np.sqrt(shares * (1 - shares)).tolist(), strict=True))
    return found
