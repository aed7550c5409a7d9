"""``satsuma odd``: rows that are unlike all others."""

from typing import Annotated, Any

import numpy as np
import typer

from satsuma.cli import models
from satsuma.cli import options as o
from satsuma.cli.table_input import given
from satsuma.cli.table_output import check_output, write_table
from satsuma.cli.terminal import as_json, note, say, show_grid
from satsuma.data.table import Table
from satsuma.data.variable import Variable
from satsuma.numerics.arrays import Array

#: Columns that are told of a row.
TOLD = 3


def odd(
    file: o.File,
    *,
    output: o.Out = None,
    most: Annotated[int, typer.Option("--most", "-n", min=1, help="Rows to show.")] = 10,
    share: Annotated[
        float, typer.Option("--share", min=0.0, max=0.5, help="Share of rows to call odd.")
    ] = 0.01,
    seed: o.Seed = 1,
    raw: o.Raw = False,
    target: o.Target = None,
    kind: o.Kind = None,
    weight: o.Weight = None,
    ignore: o.Ignore = None,
    read: o.Read = None,
    marks: o.Marks = False,
    json: o.Json = False,
) -> None:
    """Find odd rows, say why they are, and write a copy of the table that tells.

    The score is 0.5 for a usual row and goes towards 1. The target has no say in it.

    \b
    Examples:
      satsuma odd housing
      satsuma odd patients.csv --ignore id --share 0.05 -o checked.csv
    """
    import satsuma
    from satsuma.cli.adding import with_columns

    check_output(output, file)
    table = given(
        file, target=target, kind=kind, weight=weight, ignore=ignore, read=read, marks=marks
    ).table()
    learner = satsuma.Anomaly(share=share, seed=seed)
    rows, notes = models.without_text(table, learner)
    model = learner(rows)
    scores = np.asarray(model(rows), float)
    order = np.argsort(-scores, kind="stable")
    beyond = [int(at) for at in order if scores[at] > model.limit]
    wanted = sorted({*beyond, *order[:most].tolist()}, key=lambda at: -scores[at])
    why = {at: _why(model, rows, at) for at in wanted}
    if output is not None:
        write_table(with_columns(table, _columns(scores, beyond, why)), output, raw)
    if json:
        told = [
            {"row": at + 1, "score": scores[at], "odd": at in set(beyond), "why": why[at]}
            for at in wanted
        ]
        as_json({"rows": len(rows), "limit": model.limit, "odd": len(beyond), "oddest": told,
                 "output": output, "notes": notes})  # fmt: skip
        return
    _show(table, scores, beyond, {at: why[at] for at in wanted[:most]})
    for each in notes:
        note(each)
    if output is not None:
        say(f"\nWritten: {output}", "dim")


def _why(model: Any, rows: Table, at: int) -> dict[str, float]:
    return dict(list(model.why(rows[at]).items())[:TOLD])


def _columns(
    scores: Array, beyond: list[int], why: dict[int, dict[str, float]]
) -> list[tuple[Variable, Array]]:
    is_odd = np.zeros(len(scores), np.int32)
    is_odd[beyond] = 1
    told = np.full(len(scores), None, object)
    for at in beyond:
        told[at] = ", ".join(why[at]) or None
    return [
        (Variable("oddness"), scores),
        (Variable("odd", "sym", ("no", "yes")), is_odd),
        (Variable("odd in", "text"), told),
    ]


def _show(table: Table, scores: Array, beyond: list[int], why: dict[int, dict[str, float]]) -> None:
    of = f"{len(beyond):,} of {len(table):,} rows are odd"
    say(f"{table.name or 'Table'}: {of}; the oddest:", "bold")
    lines = [
        [
            f"{at + 1:,}",
            f"{scores[at]:.3f}",
            "yes" if at in set(beyond) else "",
            ", ".join(f"{name} = {_cell(table, at, name)}" for name in columns),
        ]
        for at, columns in why.items()
    ]
    show_grid(["row", "score", "odd", "because of"], lines, left=[2, 3], wide=3)


def _cell(table: Table, at: int, name: str) -> str:
    cell = table.cell(at, name)
    return "?" if cell is None else f"{cell:.6g}" if isinstance(cell, float) else str(cell)
