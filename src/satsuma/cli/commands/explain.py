"""``satsuma explain``: why a model predicts what it predicts for a row."""

from typing import Annotated, Any, NamedTuple

import typer

from satsuma.cli import command_options as o
from satsuma.cli import models
from satsuma.cli.table_input import TableInput, takes_table
from satsuma.cli.terminal import as_json, say, show_grid, show_lines
from satsuma.data.row import Row
from satsuma.data.table import Table
from satsuma.errors import DomainError
from satsuma.learners.explanation import LEAST

#: Columns that are shown one by one.
MOST = 12


@takes_table("kind", "read", "marks")
def explain(
    model: o.ModelFile,
    asked: TableInput,
    *,
    row: Annotated[int, typer.Option("--row", "-r", min=1, help="Which row; the first is 1.")] = 1,
    modules: o.Import = None,
    json: o.Json = False,
) -> None:
    """Explain the prediction of a model for one row.

    What is shown depends on the model: what each column adds to the log-odds (naive Bayes, text),
    the path down a tree or a list of rules, or else how the prediction would change if a value were
    missing.

    \b
    Examples:
      satsuma explain votes.satsuma voting --row 3
      satsuma explain m.satsuma patients.csv --row 17 --json
    """
    found = models.open_saved(model, modules)
    table = asked.table()
    one = row_of(table, row)
    facts = _explanation(found, one)
    if json:
        as_json({"row": row, **facts})
        return
    _show(row, facts)


def row_of(table: Table, row: int) -> Row:
    """A row, counted from 1."""
    if row > len(table):
        raise DomainError(f"There is no row {row}: the table has {len(table):,} rows.")
    return table[row - 1]


def _explanation(model: Any, row: Row) -> dict[str, Any]:
    from satsuma.learners.explanation import cell_effects
    from satsuma.learners.predictions import GetProbabilities

    target = model.target
    facts: dict[str, Any] = {"target": target.name, "value": model(row)}
    if target.kind == "sym":
        facts["probabilities"] = dict(model(row, GetProbabilities))
    if target.name in row.table.domain:
        facts["truth"] = row[target.name]
    if hasattr(model, "explain") and len(target.values) > 1:
        found = model.explain(row)
        facts |= {"by": "log odds", "against": found.against, "threshold": found.threshold}
        facts |= {"remark": found.remark, "decision": found.decision}
        return {**facts, "parts": found.to_dict()}
    if hasattr(model, "reasons"):
        return {**facts, "by": "path", "path": model.reasons(row)}
    if hasattr(model, "root") and hasattr(model, "rules"):
        found = tree_path(model, row)
        facts |= {"by": "path", "path": found.steps}
        return facts if found.whole else {**facts, "parts": cell_effects(model, row)}
    return {**facts, "by": "left out", "parts": cell_effects(model, row)}


class TreePath(NamedTuple):
    """The conditions on the path of a row, and whether it comes to a leaf."""

    steps: list[str]
    whole: bool


def tree_path(model: Any, row: Row) -> TreePath:
    """The path of a row down a tree."""
    node, steps = model.root, list[str]()
    while node.attribute is not None:
        cell = row[node.attribute]
        cell = node.missing_as if cell is None else cell
        if cell is None:
            steps.append(f"{node.attribute} is missing: all branches are averaged from here on")
            return TreePath(steps, False)
        at = _branch(node, cell)
        if at is None:
            steps.append(f"{node.attribute} = {cell} was never seen here: this node predicts")
            break
        steps.append(node.conditions[at])
        node = node.groups[at][1]
    return TreePath(steps, True)


def _branch(node: Any, cell: Any) -> int | None:
    if node.threshold is not None:
        return 0 if cell <= node.threshold else 1
    led = [at for at, (values, _) in enumerate(node.groups) if cell in values]
    return led[0] if led else None


def _show(row: int, facts: dict[str, Any]) -> None:
    truth = facts.get("truth")
    is_so = "" if truth is None else f" (in the table: {_cell(truth)})"
    say(f"Row {row}: {facts['target']} = {_cell(facts['value'])}{is_so}", "bold")
    ranked = sorted(facts.get("probabilities", {}).items(), key=lambda each: -each[1])[:5]
    if ranked:
        say(", ".join(f"{name} {probability:.1%}" for name, probability in ranked))
    if facts["by"] == "path":
        steps = [f"- {each}" for each in facts["path"]] or ["The tree predicts this of every row."]
        show_lines("\n".join(["", *steps]))
    if "parts" in facts:
        _show_parts(facts)
    if facts.get("decision"):
        total = sum(facts["parts"].values())
        say(f"\nThe sum is {total:+.3f}. {facts['decision']}")


def _show_parts(facts: dict[str, Any]) -> None:
    """What the columns add or change, or that none does."""
    parts = [(name, added) for name, added in facts["parts"].items() if abs(added) >= LEAST]
    what = "probability" if "probabilities" in facts else "prediction"
    if facts["by"] == "log odds":
        head, added = (
            f"Added to the log-odds of {facts['value']} against {facts['against']}",
            "adds",
        )
    else:
        head, added = f"By how much the {what} would fall if a value were missing", "falls by"
    if parts:
        say(f"\n{head}:")
        show_grid(["column", added], [[name, f"{each:+.3f}"] for name, each in parts[:MOST]])
    elif facts["by"] != "log odds":
        say(f"\nNo value decides alone: if one were missing, the {what} would not change.")
    if len(parts) > MOST:
        rest = sum(added for _, added in parts[MOST:])
        say(f"… and {len(parts) - MOST} more, {rest:+.3f} together", "dim")
    if facts.get("remark"):
        say(f"\n{facts['remark']}")


def _cell(cell: Any) -> str:
    return f"{cell:.6g}" if isinstance(cell, float) else str(cell)
