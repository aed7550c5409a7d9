"""``satsuma explain``: why a model says what it says of a row."""

from typing import Annotated, Any, NamedTuple

import typer

from satsuma.cli import models
from satsuma.cli import options as o
from satsuma.cli.table_input import given
from satsuma.cli.terminal import as_json, say, show_grid, show_lines
from satsuma.data.row import Row
from satsuma.data.table import Table
from satsuma.errors import DomainError

#: Columns that are told one by one, and what is too little to be told.
MOST, LEAST = 12, 5e-4


def explain(
    model: o.ModelFile,
    file: o.File,
    *,
    row: Annotated[int, typer.Option("--row", "-r", min=1, help="Which row; the first is 1.")] = 1,
    modules: o.Import = None,
    kind: o.Kind = None,
    read: o.Read = None,
    marks: o.Marks = False,
    json: o.Json = False,
) -> None:
    """Say why a model says what it says of a row.

    What is told depends on the model: what each column adds to the log-odds (naive Bayes, words),
    the way down a tree, or else what the answer would lose if a cell were not known.

    \b
    Examples:
      satsuma explain votes.satsuma voting --row 3
      satsuma explain m.satsuma patients.csv --row 17 --json
    """
    found = models.opened(model, modules)
    table = given(file, kind=kind, read=read, marks=marks).table()
    one = row_of(table, row)
    told = _told(found, one)
    if json:
        as_json({"row": row, **told})
        return
    _show(row, told)


def row_of(table: Table, row: int) -> Row:
    """A row, counted from 1."""
    if row > len(table):
        raise DomainError(f"There is no row {row}: the table has {len(table):,} rows.")
    return table[row - 1]


def _told(model: Any, row: Row) -> dict[str, Any]:
    from satsuma.learners.cell_effects import cell_effects
    from satsuma.learners.distribution import GetProbabilities

    target = model.target
    told: dict[str, Any] = {"target": target.name, "value": model(row)}
    if target.kind == "sym":
        told["probabilities"] = dict(model(row, GetProbabilities))
    if target.name in row.table.domain:
        told["truth"] = row[target.name]
    if hasattr(model, "explain") and len(target.values) > 1:
        found = model.explain(row)
        told |= {"by": "log odds", "against": found.against, "threshold": found.threshold}
        return {**told, "decision": found.decision, "parts": found.to_dict()}
    if hasattr(model, "root") and hasattr(model, "rules"):
        found = way(model, row)
        told |= {"by": "way", "way": found.steps}
        return told if found.whole else {**told, "parts": cell_effects(model, row)}
    return {**told, "by": "left out", "parts": cell_effects(model, row)}


class Way(NamedTuple):
    """What a tree asks on the way of a row, and whether it comes to a leaf."""

    steps: list[str]
    whole: bool


def way(model: Any, row: Row) -> Way:
    """The way of a row down a tree."""
    node, told = model.root, list[str]()
    while node.attribute is not None:
        cell = row[node.attribute]
        if cell is None:
            told.append(f"{node.attribute} is missing: all branches have a say from here on")
            return Way(told, False)
        at = _branch(node, cell)
        if at is None:
            told.append(f"{node.attribute} = {cell} was never seen here: this node answers")
            break
        told.append(node.conditions[at])
        node = node.groups[at][1]
    return Way(told, True)


def _branch(node: Any, cell: Any) -> int | None:
    if node.threshold is not None:
        return 0 if cell <= node.threshold else 1
    led = [at for at, (values, _) in enumerate(node.groups) if cell in values]
    return led[0] if led else None


def _show(row: int, told: dict[str, Any]) -> None:
    truth = told.get("truth")
    is_so = "" if truth is None else f" (in the table: {_cell(truth)})"
    say(f"Row {row}: {told['target']} = {_cell(told['value'])}{is_so}", "bold")
    chances = told.get("probabilities", {})
    if chances:
        ranked = sorted(chances.items(), key=lambda each: -each[1])[:5]
        say(", ".join(f"{name} {chance:.1%}" for name, chance in ranked))
    if told["by"] == "way":
        show_lines("\n".join(["", *(f"- {each}" for each in told["way"])]))
    if "parts" not in told:
        return
    parts = [(name, added) for name, added in told["parts"].items() if abs(added) >= LEAST]
    added = "adds"
    if told["by"] == "log odds":
        say(f"\nWhat speaks for {told['value']} against {told['against']}, in log-odds:")
    else:
        added = "less by"
        what = "the probability" if chances else "the answer"
        say(f"\nBy how much {what} would be less if a cell were not known:")
    show_grid(["column", added], [[name, f"{each:+.3f}"] for name, each in parts[:MOST]])
    if len(parts) > MOST:
        rest = sum(added for _, added in parts[MOST:])
        say(f"… and {len(parts) - MOST} more, {rest:+.3f} together", "dim")
    if told.get("decision"):
        total = sum(told["parts"].values())
        say(f"\nThe sum is {total:+.3f}. {told['decision']}")


def _cell(cell: Any) -> str:
    return f"{cell:.6g}" if isinstance(cell, float) else str(cell)
