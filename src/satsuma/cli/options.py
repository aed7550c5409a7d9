"""Options: what is given in the same way to every command."""

from typing import Annotated

import typer

_COLUMNS, _OUTPUT = "Columns", "Output"

File = Annotated[
    str,
    typer.Argument(
        metavar="FILE",
        help="A file (.csv .tsv .tab .arff .parquet .feather .jsonl .xlsx), a pattern in quotes "
        "such as 'logs/*.csv', - for CSV from stdin, or a shipped table such as iris.",
    ),
]
ModelFile = Annotated[
    str, typer.Argument(metavar="MODEL", help="A model that 'satsuma learn' has saved.")
]
Import = Annotated[
    list[str] | None,
    typer.Option(
        "--import",
        metavar="MODULE",
        help="A module of your own, in this folder or installed, that defines the learner of the "
        "model. It is run. May be repeated.",
    ),
]
Target = Annotated[
    str | None,
    typer.Option(
        "--target", "-t", metavar="NAME", help="The column to predict.", rich_help_panel=_COLUMNS
    ),
]
Kind = Annotated[
    list[str] | None,
    typer.Option(
        "--kind",
        "-k",
        metavar="NAME=KIND",
        help="What a column holds: num, sym or text. May be repeated.",
        rich_help_panel=_COLUMNS,
    ),
]
Weight = Annotated[
    str | None,
    typer.Option(
        "--weight",
        "-w",
        metavar="NAME",
        help="The column that says what rows weigh.",
        rich_help_panel=_COLUMNS,
    ),
]
Ignore = Annotated[
    list[str] | None,
    typer.Option(
        "--ignore",
        "-i",
        metavar="NAME",
        help="A column to leave alone. May be repeated.",
        rich_help_panel=_COLUMNS,
    ),
]
Read = Annotated[
    list[str] | None,
    typer.Option(
        "--read",
        metavar="NAME=VALUE",
        help="How to read the file: format, delimiter, quote, header, encoding, missing, decimal, "
        "thousands, strip, marks, bad_rows, sheet. May be repeated.",
        rich_help_panel=_COLUMNS,
    ),
]
Marks = Annotated[
    bool,
    typer.Option(
        "--marks",
        help="Names say what columns are for: play! the target, Mpg+ and Lbs- goals, HpX ignored, "
        "a first capital a number.",
        rich_help_panel=_COLUMNS,
    ),
]
Json = Annotated[
    bool,
    typer.Option("--json", help="Print JSON and nothing else.", rich_help_panel=_OUTPUT),
]
Out = Annotated[
    str | None,
    typer.Option("--output", "-o", metavar="FILE", help="Where to.", rich_help_panel=_OUTPUT),
]
Raw = Annotated[
    bool,
    typer.Option(
        "--raw",
        help="Write cells that look like formulas as they are. Without it they get an apostrophe "
        "in front, so that no spreadsheet computes them.",
        rich_help_panel=_OUTPUT,
    ),
]
Folds = Annotated[int, typer.Option("--folds", min=2, help="Folds of the cross-validation.")]
Seed = Annotated[int, typer.Option("--seed", min=0, help="Where chance starts from.")]
Learner = Annotated[
    str,
    typer.Option(
        "--learner",
        "-l",
        metavar="NAME[:PARAMETER=VALUE,…]",
        help="What to learn with, as in tree:max_depth=3.",
    ),
]
