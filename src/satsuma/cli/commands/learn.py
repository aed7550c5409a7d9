"""``satsuma learn``: a model of a file, shown and saved."""

from typing import Annotated, Any

import typer

from satsuma.cli import command_options as o
from satsuma.cli import models
from satsuma.cli.table_input import COLUMN_OPTIONS, TableInput, takes_table
from satsuma.cli.table_output import check_output
from satsuma.cli.terminal import as_json, note, progress_bar, say, show_lines
from satsuma.data.time_features import TimeFeatures

#: Lines of a model that are shown; 'satsuma show' shows all.
LINES = 40


@takes_table(*COLUMN_OPTIONS)
def learn(
    asked: TableInput,
    *,
    output: Annotated[
        str | None,
        typer.Option("--output", "-o", metavar="MODEL", help="Where to save the model."),
    ] = None,
    learner: Annotated[
        str | None,
        typer.Option(
            "--learner",
            "-l",
            metavar="NAME",
            help="The learner, as in forest or tree:max_depth=3. A small tree unless given.",
        ),
    ] = None,
    json: o.Json = False,
) -> None:
    """Learn a model from a table, show it, and save it.

    \b
    Examples:
      satsuma learn voting -o votes.satsuma
      satsuma learn patients.csv --target died --learner naive-bayes -o m.satsuma
      satsuma learn iris --learner tree:max_depth=2
    """
    check_output(output, asked.file, table=False)
    with progress_bar("learning") as progress:
        model, notes = _learned(asked, learner, progress)
    if output is not None:
        model.save(output)
    if json:
        as_json({**models.model_facts(model), "model": output, "notes": notes})
        return
    lines = str(model).splitlines()
    show_lines("\n".join(lines[:LINES]))
    if len(lines) > LINES:
        say(f"… and {len(lines) - LINES:,} more lines", "dim")
    for each in notes:
        note(each)
    if output is not None:
        say(f"\nSaved: {output}", "dim")


def _learned(asked: TableInput, said: str | None, progress: Any) -> tuple[Any, list[str]]:
    if asked.large and asked.scannable:
        learner = models.choose_learner(said, asked.scan().head(1))
        if learner.takes.rounds in ("one", "many"):
            source = asked.scan(progress)
            model = learner(source)
            features = TimeFeatures.of_domain(model.domain)
            return model, [*source.notes, *features.notes()]
    table = asked.table_with_target()
    learner = models.choose_learner(said, table)
    rows, notes = models.without_text(table, learner)
    model = learner(rows)
    return model, [*table.notes, *notes, *TimeFeatures.of_domain(model.domain).notes()]
