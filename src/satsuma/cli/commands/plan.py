"""``satsuma plan``: in what the best rows differ, and what to change in a row to be like them."""

from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
import typer

from satsuma.cli import command_options as o
from satsuma.cli.commands.explain import row_of
from satsuma.cli.table_input import GOAL_OPTIONS, TableInput, takes_table
from satsuma.cli.terminal import as_json, say, show_grid, show_lines
from satsuma.data.table import Table

if TYPE_CHECKING:
    from satsuma.plan.advice import Advice
    from satsuma.plan.contrast import Contrasts


@takes_table(*GOAL_OPTIONS)
def plan(
    asked: TableInput,
    *,
    row: Annotated[
        int | None,
        typer.Option("--row", "-r", min=1, help="A row to advise on; the first is 1."),
    ] = None,
    fixed: Annotated[
        list[str] | None,
        typer.Option(
            "--fixed", metavar="NAME", help="A column that cannot be changed. May be repeated."
        ),
    ] = None,
    best: Annotated[
        float,
        typer.Option("--best", min=0.01, max=0.5, help="The share of rows that count as best."),
    ] = 0.2,
    size: Annotated[
        int,
        typer.Option("--size", min=1, max=3, help="The most columns to look at together."),
    ] = 1,
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

    table = asked.table()
    away = distance_to_ideal(table)(table)
    good = away <= np.nanquantile(away, best)
    facts = _facts(table, int(good.sum()), contrast(table, good, size=size))
    advice = None if row is None else advise(row_of(table, row), table, fixed=fixed or ())
    if json:
        as_json({**facts, **({} if advice is None else {"advice": _advice_facts(row, advice)})})
        return
    _show(table, facts)
    if advice is not None:
        say(f"\nRow {row}", "bold")
        show_lines(str(advice))


def _facts(table: Table, best: int, contrasts: "Contrasts") -> dict[str, Any]:
    return {
        "goals": [{"name": v.name, "goal": v.goal} for v in table.domain.goals],
        "rows": len(table),
        "best": best,
        "contrasts": [
            {
                "condition": each.condition,
                "of_best": each.shares[0],
                "of_rest": each.shares[1],
                "p": each.corrected,
            }
            for each in contrasts
        ],
    }


def _advice_facts(row: int | None, advice: "Advice") -> dict[str, Any]:
    changes = [str(each) for each in advice.changes]
    told = {"row": row, "changes": changes, "now": advice.now, "gain": advice.gain}
    return {**told, "interval": [None if np.isinf(end) else end for end in advice.interval]}


def _show(table: Table, facts: dict[str, Any]) -> None:
    goals = ", ".join(
        f"{'more' if g['goal'] == '+' else 'less'} {g['name']}" for g in facts["goals"]
    )
    say(f"{table.name or 'Table'}: {goals}", "bold")
    if not facts["contrasts"]:
        say(f"The best {facts['best']:,} of {facts['rows']:,} rows do not differ significantly.")
        return
    say(f"In what the best {facts['best']:,} of {facts['rows']:,} rows differ from the rest:")
    lines = [
        [each["condition"], f"{each['of_best']:.0%}", f"{each['of_rest']:.0%}", f"{each['p']:.2g}"]
        for each in facts["contrasts"][:12]
    ]
    show_grid(["condition", "of the best", "of the rest", "p"], lines)
    if len(facts["contrasts"]) > 12:
        say(f"… and {len(facts['contrasts']) - 12} more; --json lists all", "dim")
