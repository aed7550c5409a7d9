"""``satsuma explain``: why a model predicts what it predicts, and what would change it."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from satsuma.cli import command_options as o
from satsuma.cli import models
from satsuma.cli.table_input import TableInput, takes_table
from satsuma.cli.terminal import as_json, say, show_grid, show_lines
from satsuma.data.row import Row
from satsuma.data.table import Table
from satsuma.errors import DomainError, ParameterError

if TYPE_CHECKING:
    from satsuma.learners.explanation import Explanation

#: What the terms sum to, in words.
_SUMS = {
    "log-odds": "Added to the log-odds of {value} against {against}",
    "probability": "Added to the probability of {value}",
    "number": "Added to the prediction",
    "log": "Added to the logarithm of the prediction",
}


@takes_table("kind", "read", "marks")
def explain(
    model: o.ModelFile,
    asked: TableInput,
    *,
    row: Annotated[int, typer.Option("--row", "-r", min=1, help="Which row; the first is 1.")] = 1,
    to: Annotated[
        str | None,
        typer.Option(
            "--to",
            metavar="WHAT",
            help="What a change should lead to: a class, or numbers as in 20:30, 20: or :30.",
        ),
    ] = None,
    change: Annotated[
        list[str] | None,
        typer.Option(
            "--change", metavar="NAME", help="A column that may be changed; all unless named."
        ),
    ] = None,
    fixed: Annotated[
        list[str] | None,
        typer.Option(
            "--fixed", metavar="NAME", help="A column that cannot be changed. May be repeated."
        ),
    ] = None,
    modules: o.Import = None,
    json: o.Json = False,
) -> None:
    """Explain the prediction of a model for one row, and say what would change it.

    Shown are what each column adds to the log-odds, the probability or the number, the path down a
    tree or a list of rules, the nearest neighbours, and the smallest change to the row that the
    model predicts otherwise.

    \b
    Examples:
      satsuma explain votes.satsuma voting --row 3
      satsuma explain m.satsuma patients.csv --row 17 --fixed age --fixed gender
      satsuma explain m.satsuma patients.csv --row 17 --json
    """
    from satsuma.learners.row_explanations import explain as explanation_of

    found = models.open_saved(model, modules)
    table = asked.table()
    one = row_of(table, row)
    background = None if found.has_marginals else table
    wanted = _numbers(to) if to is not None and found.target.kind == "num" else to
    told = explanation_of(found, one, to=wanted, change=change, fixed=fixed or (), table=background)
    facts = _facts(found, one, told)
    if json:
        as_json({"row": row, **facts})
        return
    _show(row, facts, told)


def _numbers(to: str) -> tuple[float | None, float | None]:
    """The least and the greatest of numbers that are wanted, from ``20:30``, ``20:`` or ``:30``."""
    low, _, high = to.partition(":")
    try:
        ends = [float(each) if each.strip() else None for each in (low, high)]
    except ValueError:
        raise ParameterError(
            f"--to must be two numbers of which one may be left out, as in 20:30, 20: or :30. "
            f"Got {to!r}."
        ) from None
    return ends[0], ends[1]


def row_of(table: Table, row: int) -> Row:
    """A row, counted from 1."""
    if row > len(table):
        raise DomainError(f"There is no row {row}: the table has {len(table):,} rows.")
    return table[row - 1]


def _facts(model: Any, row: Row, found: "Explanation") -> dict[str, Any]:
    from satsuma.learners.predictions import GetProbabilities

    target = model.target
    facts: dict[str, Any] = {"target": target.name, "value": found.predicted}
    if target.kind == "sym":
        facts["probabilities"] = dict(model(row, GetProbabilities))
    if target.name in row.table.domain:
        facts["truth"] = row[target.name]
    facts |= {"of": found.of, "exact": found.exact, "explained": found.value}
    facts |= {"against": found.against, "threshold": found.threshold, "decision": found.decision}
    facts |= {"remark": found.remark, "parts": found.to_dict(), "cells": found.cells}
    facts |= {"errors": found.errors, "path": list(found.path)}
    facts["neighbours"] = [each._asdict() for each in found.neighbours]
    change = found.change
    if change is not None:
        cells = {each.column: {"now": each.now, "to": each.to} for each in change.changes}
        facts["change"] = {"cells": cells, "then": change.then if change else None}
    return facts


def _show(row: int, facts: dict[str, Any], found: "Explanation") -> None:
    truth = facts.get("truth")
    is_so = "" if truth is None else f" (in the table: {_cell(truth)})"
    say(f"Row {row}: {facts['target']} = {_cell(facts['value'])}{is_so}", "bold")
    ranked = sorted(facts.get("probabilities", {}).items(), key=lambda each: -each[1])[:5]
    if ranked:
        say(", ".join(f"{name} {probability:.1%}" for name, probability in ranked))
    steps = [f"- {each}" for each in (*found.path, *found.neighbour_lines())]
    if steps:
        show_lines("\n".join(["", *steps]))
    if not found.remark:
        _show_terms(found)
    for each in found.sentences():
        told = f"The sum is {found.total:+.3f}. {each}" if each == found.decision else each
        say(f"\n{told}")


def _show_terms(found: "Explanation") -> None:
    """What the columns add."""
    from satsuma.learners.explanation import signed

    say(f"\n{_SUMS[found.of].format(value=found.value, against=found.against)}:")
    lines = [[name, signed(added)] for name, added, _ in found.terms()]
    show_grid(["column", "adds"], lines)


def _cell(cell: Any) -> str:
    return f"{cell:.6g}" if isinstance(cell, float) else str(cell)
