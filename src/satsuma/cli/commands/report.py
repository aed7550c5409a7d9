"""``satsuma report``: one page about a table and its models."""

from collections.abc import Callable
from dataclasses import replace
from typing import Annotated

import typer

from satsuma.cli import command_options as o
from satsuma.cli.commands.look import sample_table
from satsuma.cli.learner_specs import learners_of
from satsuma.cli.remedies import as_commands
from satsuma.cli.table_input import COLUMN_OPTIONS, TableInput, takes_table
from satsuma.cli.table_output import check_output
from satsuma.cli.terminal import as_json, in_options, progress_bar, say
from satsuma.data.table import Table


@takes_table(*COLUMN_OPTIONS)
def report(
    asked: TableInput,
    *,
    output: Annotated[
        str, typer.Option("--output", "-o", metavar="PAGE", help="Where to write the page.")
    ] = "report.html",
    learners: Annotated[
        list[str] | None,
        typer.Option(
            "--learners", "-l", metavar="NAMES", help="The learners to compare, as in tree,knn."
        ),
    ] = None,
    against: Annotated[
        str | None,
        typer.Option(
            "--against", metavar="FILE", help="Another table to compare with, such as new rows."
        ),
    ] = None,
    folds: o.Folds = None,
    limit: o.Limit = 30.0,
    seed: o.Seed = 1,
    json: o.Json = False,
) -> None:
    """Write a report on a table, one HTML page: columns, data quality, learners, model, errors.

    The page is a single HTML file that asks for nothing from outside, and can be printed. With
    --against, it says which columns differ from those of another table, and by how much.

    \b
    Examples:
      satsuma report voting -o voting.html
      satsuma report patients.csv --target died --ignore id -o patients.html
      satsuma report train.csv --target died --against test.csv
    """
    from satsuma.report.report_file import write_report

    check_output(output, asked.file, table=False)
    table, drawn_from, notes = sample_table(asked)
    chosen = learners_of(learners or [])
    other = None if against is None else _other(asked, against, table)
    with progress_bar("reporting") as progress:
        write_report(
            table, output, learners=chosen, folds=folds, limit=limit, leaks=asked.leaks(table),
            seed=seed, against=other, progress=progress, drawn_from=drawn_from,
            wording=_wording(asked),
        )  # fmt: skip
    if json:
        as_json(
            {
                "page": output,
                "rows": drawn_from or len(table),
                "looked_at": len(table),
                "notes": notes,
            }
        )
    else:
        say(f"Written: {output}")


def _wording(asked: TableInput) -> Callable[[str], str]:
    """How a note or a remedy is worded on the page: with whole commands on the file at hand."""
    return lambda text: as_commands(in_options(text), "report", asked.as_typed)


def _other(asked: TableInput, against: str, table: Table) -> Table:
    """Another table, read as the first one was; its target need not be there."""
    roles = {name: role for name, role in asked.roles.items() if role != "weight"}
    found = replace(asked, file=against, target=None, roles={}, like=table.domain)
    other, drawn_from, _ = sample_table(found)
    if drawn_from is not None:
        other = other.with_name(f"{other.name} (a sample of its {drawn_from:,} rows)")
    there = {name: role for name, role in roles.items() if name in other.domain.names}
    return other.with_roles(there)
