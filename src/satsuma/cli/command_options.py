"""Options: what every command takes in the same way."""

from typing import Annotated

import typer

_COLUMNS, _OUTPUT = "Columns", "Output"

File = Annotated[
    str,
    typer.Argument(
        metavar="FILE",
        help="A file (.csv .tsv .tab .arff .parquet .feather .jsonl .xlsx), a pattern in quotes "
        "such as 'logs/*.csv', a folder of such files, - for CSV from stdin, an "
        "address such as s3://bucket/sales.csv or https://web.org/sales.csv, a database such as "
        "'sqlite:///shop.db?table=sales', or a shipped table such as iris.",
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
        help="The kind of a column: num (numbers), sym (symbols), text or time. May be repeated.",
        rich_help_panel=_COLUMNS,
    ),
]
Weight = Annotated[
    str | None,
    typer.Option(
        "--weight",
        "-w",
        metavar="NAME",
        help="The column with the weights of the rows.",
        rich_help_panel=_COLUMNS,
    ),
]
Ignore = Annotated[
    list[str] | None,
    typer.Option(
        "--ignore",
        "-i",
        metavar="NAME",
        help="A column to ignore. May be repeated.",
        rich_help_panel=_COLUMNS,
    ),
]
Use = Annotated[
    list[str] | None,
    typer.Option(
        "--use",
        metavar="NAME",
        help="A column to learn from even though it names rows, as keys and addresses do. May be "
        "repeated.",
        rich_help_panel=_COLUMNS,
    ),
]
Read = Annotated[
    list[str] | None,
    typer.Option(
        "--read",
        metavar="NAME=VALUE",
        help="How to read the file: format, delimiter, quote, header, encoding, missing, decimal, "
        "thousands, strip, marks, bad_rows, sheet; of a database: table, query; of a "
        "store such as s3://: endpoint, region, anonymous. May be repeated.",
        rich_help_panel=_COLUMNS,
    ),
]
Marks = Annotated[
    bool,
    typer.Option(
        "--marks",
        help="Marks in the names of columns count: play! is the target, Mpg+ and Lbs- are goals, "
        "HpX is ignored, a first capital is a number.",
        rich_help_panel=_COLUMNS,
    ),
]
More = Annotated[
    list[str] | None,
    typer.Option(
        "--more",
        metavar="NAME",
        help="A goal: a column to have more of. May be repeated.",
        rich_help_panel=_COLUMNS,
    ),
]
Less = Annotated[
    list[str] | None,
    typer.Option(
        "--less",
        metavar="NAME",
        help="A goal: a column to have less of. May be repeated.",
        rich_help_panel=_COLUMNS,
    ),
]
Json = Annotated[
    bool,
    typer.Option("--json", help="Print JSON and nothing else.", rich_help_panel=_OUTPUT),
]
Out = Annotated[
    str | None,
    typer.Option(
        "--output", "-o", metavar="FILE", help="The file to write.", rich_help_panel=_OUTPUT
    ),
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
_TESTING = "Testing"
Folds = Annotated[int, typer.Option("--folds", min=2, help="Folds of the cross-validation.")]
Measure = Annotated[
    str | None,
    typer.Option(
        "--measure",
        metavar="SCORE",
        help="What learners are ranked by: accuracy, log-loss, auc, brier, balanced-accuracy, f1, "
        "mcc; rmse, mae, r2, quantile-0.9. What suits the target unless given.",
        rich_help_panel=_TESTING,
    ),
]
Costs = Annotated[
    list[str] | None,
    typer.Option(
        "--cost",
        metavar="TRUTH:DECISION=NUMBER",
        help="What a decision costs, as in yes:no=10; learners are ranked by the mean cost. May be "
        "repeated.",
        rich_help_panel=_TESTING,
    ),
]
Profits = Annotated[
    list[str] | None,
    typer.Option(
        "--profit",
        metavar="TRUTH:DECISION=NUMBER",
        help="What a decision gains, as in yes:yes=100. May be repeated.",
        rich_help_panel=_TESTING,
    ),
]
FoldsOrColumn = Annotated[
    str | None,
    typer.Option(
        "--folds",
        metavar="NUMBER|NAME",
        help="How many folds there are, or a column that has the fold of each row.",
        rich_help_panel=_TESTING,
    ),
]
Groups = Annotated[
    str | None,
    typer.Option(
        "--groups",
        metavar="NAME",
        help="A column of groups, such as patients: rows of one group stay in one fold.",
        rich_help_panel=_TESTING,
    ),
]
Time = Annotated[
    str | None,
    typer.Option(
        "--time",
        metavar="NAME",
        help="A column of times or numbers: rows are tested with what was learned from earlier "
        "ones.",
        rich_help_panel=_TESTING,
    ),
]
Window = Annotated[
    int | None,
    typer.Option(
        "--window",
        min=1,
        help="With --time: how many stretches of time before it each is learned from; all unless "
        "given.",
        rich_help_panel=_TESTING,
    ),
]
Repeats = Annotated[
    int,
    typer.Option(
        "--repeats", min=1, help="How often to deal folds anew.", rich_help_panel=_TESTING
    ),
]
Seed = Annotated[int, typer.Option("--seed", min=0, help="The seed of everything random.")]
