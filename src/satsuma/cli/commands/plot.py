"""``satsuma plot``: the plots of the library, in a file."""

import os
from pathlib import Path
from typing import Annotated, Any

import typer

from satsuma.cli import command_options as o
from satsuma.cli import models
from satsuma.cli.learner_specs import learner_of
from satsuma.cli.plot_kinds import PLOTS, PlotRequest, draw_plot
from satsuma.cli.table_input import COLUMN_OPTIONS, TableInput, takes_table
from satsuma.cli.table_output import check_output
from satsuma.cli.terminal import as_json, say
from satsuma.data.files import replacing
from satsuma.errors import WriteError

#: What a plot can be written as.
ENDINGS = (".png", ".svg", ".pdf")


def _kinds(start: str) -> list[str]:
    return [each for each in PLOTS if each.startswith(start)]


@takes_table("more", "less", *COLUMN_OPTIONS)
def plot(
    plot_kind: Annotated[
        str,
        typer.Argument(metavar="KIND", help=f"One of: {', '.join(PLOTS)}.", autocompletion=_kinds),
    ],
    asked: TableInput,
    *,
    output: Annotated[
        str,
        typer.Option(
            "--output", "-o", metavar="PLOT", help="The file to write: .png, .svg or .pdf."
        ),
    ] = "plot.png",
    model: Annotated[
        str | None, typer.Option("--model", metavar="MODEL", help="A saved model to draw.")
    ] = None,
    learner: Annotated[
        str | None,
        typer.Option(
            "--learner", "-l", metavar="NAME", help="The learner, where no model is given."
        ),
    ] = None,
    x: Annotated[
        str | None, typer.Option("--x", metavar="NAME", help="The column of the x-axis.")
    ] = None,
    y: Annotated[
        str | None, typer.Option("--y", metavar="NAME", help="The column of the y-axis.")
    ] = None,
    column: Annotated[
        str | None,
        typer.Option("--column", "-c", metavar="NAME", help="The column of a plot of one column."),
    ] = None,
    value: Annotated[str | None, typer.Option("--value", help="The class to draw.")] = None,
    against: Annotated[
        str | None, typer.Option("--against", help="The class to compare it with.")
    ] = None,
    k: Annotated[int | None, typer.Option("--k", min=1, help="How many clusters.")] = None,
    seed: o.Seed = 1,
    modules: o.Import = None,
    json: o.Json = False,
) -> None:
    """Draw a plot of a table or of a model of it, and say what it shows.

    \b
    Examples:
      satsuma plot nomogram titanic --value yes -o nomogram.png
      satsuma plot regions iris --x Petal.Length --y Petal.Width -o regions.svg
      satsuma plot tree voting --model votes.satsuma -o tree.pdf
    """
    os.environ.setdefault("MPLBACKEND", "agg")  # there need not be a screen
    from satsuma.plot import describe

    check_output(output, asked.file, table=False)
    ending = Path(output).suffix.lower()
    if ending not in ENDINGS:
        raise WriteError(f"{output}: plots are written to {', '.join(ENDINGS)}.")
    request = PlotRequest(
        table=models.without_text(asked.table(), _plain())[0],
        model=None if model is None else models.open_saved(model, modules),
        learner=None if learner is None else learner_of(learner),
        x=x, y=y, column=column, value=value, against=against, k=k, seed=seed,
    )  # fmt: skip
    axes = draw_plot(plot_kind, request)
    with replacing(output) as stream:
        axes.figure.savefig(stream, format=ending[1:], bbox_inches="tight", dpi=150)
    shows = _described(axes, describe, PLOTS[plot_kind][1])
    if json:
        as_json({"plot": output, "kind": plot_kind, "shows": shows})
        return
    say(shows)
    say(f"Written: {output}", "dim")


def _plain() -> Any:
    """A learner that takes no text, as none that is drawn does."""
    from satsuma.learners.generative.naive_bayes import NaiveBayes

    return NaiveBayes()


def _described(axes: Any, describe: Any, otherwise: str) -> str:
    from satsuma.errors import SatsumaError

    try:
        return str(describe(axes))
    except SatsumaError:
        return f"The plot shows {otherwise}."
