"""The section on single rows: why the model predicts what it predicts for them."""

from typing import cast

import numpy as np

from satsuma.data.summary import cut
from satsuma.data.table import Table
from satsuma.learners.explanation import Explanation, signed
from satsuma.learners.model import Model
from satsuma.learners.predictions import Distribution, GetProbabilities
from satsuma.learners.row_explanations import explain
from satsuma.report.analysis import Analysis
from satsuma.report.elements import Card, CardList, Cell, Grid, Section
from satsuma.report.number_format import MINUS, format_cell, format_number, percent
from satsuma.report.sections.readable_model import learned_rows

#: Rows that are explained, of each sort; cells that are asked for where terms are sampled, and the
#: cells of all rows together for which it is searched for what would change the prediction.
EACH, CELLS, CHANGED = 6, 1_000, 400


def explained_section(analysis: Analysis) -> Section:
    """Some rows to pick from, each with what its values add to the prediction."""
    name = analysis.chosen_learner
    rows = learned_rows(analysis, name)
    model = analysis.comparison.learners[name](rows)
    sorts = _picked(analysis, rows)
    picked = list(dict.fromkeys(row for some in sorts.values() for row in some))
    found, changes = _explained(analysis, model, rows[np.array(picked)])
    why = {row: sort for sort, some in reversed(sorts.items()) for row in some}
    section = Section("explained", "Single rows explained")
    section.say(
        f"Pick a row to see why {name} predicts what it predicts for it: the errors of the largest "
        f"size, rows of which it is least sure, and the first rows. What a value adds says what it "
        f"does in the model, not what it causes.",
        changes,
        str(analysis.compared_rows),
    )
    numbers = analysis.compared_rows.rows
    cards: list[Card] = []
    for row, each in zip(picked, found, strict=True):
        told = f"{_told(rows, row, each, model)}: {why[row]}"
        cards.append(_card(int(numbers[row]) + 1, told, each))
    section.elements.append(CardList("Rows", cards))
    return section


def _explained(analysis: Analysis, model: Model, rows: Table) -> tuple[list[Explanation], str]:
    """Why rows are predicted as they are, and what would change that where there is time."""
    columns = max(1, len(rows.domain.attributes))
    some = min(len(rows), max(1, CHANGED // columns)) if model.target.kind == "sym" else 0
    found = list[Explanation]()
    for part, changes in ((rows[:some], True), (rows[some:], False)):
        if len(part):
            samples = max(10, CELLS // columns)
            found += explain(
                model, part, counterfactuals=changes, samples=samples, seed=analysis.seed
            )
    if not some:
        return found, ""
    of = "the first of them" if some == 1 else f"the first {some} of them"
    which = "each" if some == len(rows) else of
    return found, (
        f"Of {which} it is said what would change the prediction: as few cells as can be. That is "
        f"of the model, too, and no advice what to do."
    )


def _picked(analysis: Analysis, rows: Table) -> dict[str, list[int]]:
    """The rows to pick from, by why they are there."""
    results, name = analysis.comparison.results, analysis.chosen_learner
    target = results.target
    truth = rows.column(target.name)
    if target.kind == "sym":
        probabilities = results.probabilities(name)
        known = np.flatnonzero((truth >= 0) & ~np.isnan(probabilities).any(axis=1))
        best = probabilities[known].max(axis=1)
        wrong = best - probabilities[known, truth[known]]
        order = np.argsort(-wrong, kind="stable")[: np.count_nonzero(wrong > 0)]
        unsure = np.argsort(best, kind="stable")
        sorts = {"wrong in cross-validation": known[order], "least sure": known[unsure]}
    else:
        off = np.abs(truth - results.predictions(name))
        sorts = {
            "largest error in cross-validation": np.argsort(
                -np.nan_to_num(off, nan=-1.0), kind="stable"
            )
        }
    made = {sort: some[:EACH].tolist() for sort, some in sorts.items()}
    return {**made, "one of the first": list(range(min(EACH, len(rows))))}


def _told(rows: Table, row: int, found: Explanation, model: Model) -> str:
    """What is so, and what is predicted."""
    target = model.target
    is_so = format_cell(rows, row, target.name)
    if target.kind == "num":
        predicted = format_number(cast("float", found.predicted))
    else:
        sure = cast("Distribution", model(rows[row], GetProbabilities))[str(found.predicted)]
        predicted = f"{cut(str(found.predicted), 32)} ({percent(sure)})"
    return f"{cut(target.name, 32)} is {is_so}, predicted {predicted}"


def _card(number: int, told: str, found: Explanation) -> Card:
    notes = [*found.path, *found.neighbour_lines(), *found.sentences()]
    grid = _terms(found) if found.parts else None
    return Card(f"row-{number}", f"Row {number:,}", told, grid=grid, notes=notes)


def _terms(found: Explanation) -> Grid:
    """What each column adds, the largest first, and the sum."""
    terms = found.terms()
    most = max((abs(added) for _, added, _ in terms if np.isfinite(added)), default=1.0) or 1.0
    lines = [
        [
            Cell(cut(label, 60)),
            Cell(
                signed(added).replace("-", MINUS),
                bar=float(np.clip(abs(added) / most, 0, 1)) if is_column else None,
            ),
        ]
        for label, added, is_column in terms
    ]
    return Grid("Terms", ["value", f"adds to {cut(found.title, 60)}"], lines, (0, 1), plain=True)
