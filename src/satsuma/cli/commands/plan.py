"""``satsuma plan``: in what the best rows differ, and what to change in a row to be like them."""

from typing import Annotated, Any

import numpy as np
import typer

from satsuma.cli import command_options as o
from satsuma.cli.commands.explain import row_of
from satsuma.cli.table_input import table_input
from satsuma.cli.terminal import as_json, say, show_grid, show_lines
from satsuma.data.table import Table

More = Annotated[
    list[str] | None,
    typer.Option("--more", metavar="NAME", help="A goal to have more of. May be repeated."),
]
Less = Annotated[
    list[str] | None,
    typer.Option("--less", metavar="NAME", help="A goal to have less of. May be repeated."),
]


def plan(
    file: o.File,
    *,
    more: More = None,
    less: Less = None,
    row: Annotated[
        int | None,
        typer.Option("--row", "-r", min=1, help="A row to advise on; the first is 1."),
    ] = None,
    fixed: Annotated[
        list[str] | None,
        typer.Option("--fixed", metavar="NAME", help="A column that cannot be changed."),
    ] = None,
    best: Annotated[
        float, typer.Option("--best", min=0.01, max=0.5, help="Share of rows that are the best.")
    ] = 0.2,
    kind: o.Kind = None,
    ignore: o.Ignore = None,
    read: o.Read = None,
    marks: o.Marks = False,
    json: o.Json = False,
) -> None:
    """Say in what the best rows differ, and what to change in a row: do this, not that.

    Goals are columns to have more or less of. With --marks, names that end in + or - are goals.

    \b
    Examples:
      satsuma plan auto-mpg --more mpg --less weight --ignore car_name
      satsuma plan auto-mpg --more mpg --ignore car_name --row 1 --fixed origin
    """
    from satsuma.measures.ideal_point import distance_to_ideal
    from satsuma.plan.advice import advise
    from satsuma.plan.contrast import contrast

    asked = table_input(
        file, kind=kind, ignore=ignore, read=read, marks=marks, more=more, less=less
    )
    table = asked.table()
    away = distance_to_ideal(table)(table)
    good = away <= np.nanquantile(away, best)
    apart = contrast(table, good)
    advice = None
    if row is not None:
        advice = advise(row_of(table, row), table, fixed=fixed or ())
    told: dict[str, Any] = {
        "goals": [{"name": v.name, "goal": v.goal} for v in table.domain.goals],
        "rows": len(table),
        "best": int(good.sum()),
        "contrasts": [
            {
                "condition": each.condition,
                "of_best": each.shares[0],
                "of_rest": each.shares[1],
                "p": each.corrected,
            }
            for each in apart
        ],
    }
    if advice is not None:
        told["advice"] = {
            "row": row,
            "changes": [str(each) for each in advice.changes],
            "now": advice.now,
            "gain": advice.gain,
        }
    if json:
        as_json(told)
        return
    _show(table, told)
    if advice is not None:
        say(f"\nRow {row}", "bold")
        show_lines(str(advice))


def _show(table: Table, told: dict[str, Any]) -> None:
    goals = ", ".join(
        f"{'more' if g['goal'] == '+' else 'less'} {g['name']}" for g in told["goals"]
    )
    say(f"{table.name or 'Table'}: {goals}", "bold")
    if not told["contrasts"]:
        say(f"The best {told['best']:,} of {told['rows']:,} rows do not differ significantly.")
        return
    say(f"In what the best {told['best']:,} of {told['rows']:,} rows differ from the rest:")
    lines = [
        [each["condition"], f"{each['of_best']:.0%}", f"{each['of_rest']:.0%}", f"{each['p']:.2g}"]
        for each in told["contrasts"][:12]
    ]
    show_grid(["condition", "of the best", "of the rest", "p"], lines)
    if len(told["contrasts"]) > 12:
        say(f"… and {len(told['contrasts']) - 12} more; --json lists all", "dim")
