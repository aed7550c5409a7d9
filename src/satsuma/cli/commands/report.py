"""``satsuma report``: one page about a table and its models."""

from typing import Annotated

import typer

from satsuma.cli import command_options as o
from satsuma.cli.commands.look import sample_table
from satsuma.cli.learner_specs import learners_of
from satsuma.cli.table_input import COLUMN_OPTIONS, TableInput, takes_table
from satsuma.cli.table_output import check_output
from satsuma.cli.terminal import as_json, in_options, progress_bar, say


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
    folds: o.Folds = 10,
    seed: o.Seed = 1,
    json: o.Json = False,
) -> None:
    """Write a report on a table, one HTML page: columns, data quality, learners, model, errors.

    The page is a single HTML file that asks for nothing from outside, and can be printed.

    \b
    Examples:
      satsuma report voting -o voting.html
      satsuma report patients.csv --target died --ignore id -o patients.html
    """
    from satsuma.report.page import write_report

    check_output(output, asked.file, table=False)
    table, drawn_from, notes = sample_table(asked)
    chosen = learners_of(learners or [])
    with progress_bar("reporting") as progress:
        write_report(
            table, output, learners=chosen, folds=folds, seed=seed, progress=progress,
            drawn_from=drawn_from, wording=in_options,
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
