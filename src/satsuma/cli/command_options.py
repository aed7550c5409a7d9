"""Options: what every command takes in the same way."""

from functools import partial
from typing import Annotated

import typer

# Options are listed by what they are about.
_column_option = partial(typer.Option, rich_help_panel="Columns")
_output_option = partial(typer.Option, rich_help_panel="Output")
_testing_option = partial(typer.Option, rich_help_panel="Testing")

File = Annotated[
    str,
    typer.Argument(
        metavar="FILE",
        help="A file (.csv .tsv .tab .arff .parquet .feather .jsonl .xlsx .ris .nbib .bib), a "
        "pattern in quotes such as 'logs/*.csv', a folder of such files, - for CSV from stdin, an "
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
    _column_option("--target", "-t", metavar="NAME", help="The column to predict."),
]
Kind = Annotated[
    list[str] | None,
    _column_option(
        "--kind",
        "-k",
        metavar="NAME=KIND",
        help="The kind of a column: num (numbers), sym (symbols), text or time. May be repeated.",
    ),
]
Weight = Annotated[
    str | None,
    _column_option(
        "--weight", "-w", metavar="NAME", help="The column with the weights of the rows."
    ),
]
Ignore = Annotated[
    list[str] | None,
    _column_option("--ignore", "-i", metavar="NAME", help="A column to ignore. May be repeated."),
]
Use = Annotated[
    list[str] | None,
    _column_option(
        "--use",
        metavar="NAME",
        help="A column to learn from even though it names rows, as keys and addresses do. May be "
        "repeated.",
    ),
]
Read = Annotated[
    list[str] | None,
    _column_option(
        "--read",
        metavar="NAME=VALUE",
        help="How to read the file: format, delimiter, quote, header, encoding, missing, decimal, "
        "thousands, strip, marks, bad_rows, sheet; of a database: table, query; of a "
        "store such as s3://: endpoint, region, anonymous. May be repeated.",
    ),
]
Marks = Annotated[
    bool,
    _column_option(
        "--marks",
        help="Marks in the names of columns count: play! is the target, Mpg+ and Lbs- are goals, "
        "HpX is ignored, a first capital is a number.",
    ),
]
More = Annotated[
    list[str] | None,
    _column_option(
        "--more", metavar="NAME", help="A goal: a column to have more of. May be repeated."
    ),
]
Less = Annotated[
    list[str] | None,
    _column_option(
        "--less", metavar="NAME", help="A goal: a column to have less of. May be repeated."
    ),
]
Json = Annotated[
    bool,
    _output_option("--json", help="Print JSON and nothing else."),
]
Out = Annotated[
    str | None,
    _output_option("--output", "-o", metavar="FILE", help="The file to write."),
]
Raw = Annotated[
    bool,
    _output_option(
        "--raw",
        help="Write cells that look like formulas as they are. Without it they get an apostrophe "
        "in front, so that no spreadsheet computes them.",
    ),
]
Folds = Annotated[
    int | None,
    typer.Option(
        "--folds", min=2, help="Folds of the cross-validation; fewer of many rows unless given."
    ),
]
Measure = Annotated[
    str | None,
    _testing_option(
        "--measure",
        metavar="SCORE",
        help="What learners are ranked by: accuracy, log-loss, auc, brier, balanced-accuracy, f1, "
        "mcc; rmse, mae, r2, quantile-0.9. What suits the target unless given.",
    ),
]
Costs = Annotated[
    list[str] | None,
    _testing_option(
        "--cost",
        metavar="TRUTH:DECISION=NUMBER",
        help="What a decision costs, as in yes:no=10; learners are ranked by the mean cost. May be "
        "repeated.",
    ),
]
Profits = Annotated[
    list[str] | None,
    _testing_option(
        "--profit",
        metavar="TRUTH:DECISION=NUMBER",
        help="What a decision gains, as in yes:yes=100. May be repeated.",
    ),
]
FoldsOrColumn = Annotated[
    str | None,
    _testing_option(
        "--folds",
        metavar="NUMBER|NAME",
        help="How many folds there are, or a column that has the fold of each row.",
    ),
]
Limit = Annotated[
    float,
    _testing_option(
        "--limit",
        metavar="SECONDS",
        min=0,
        help="How long all learners together may take, unless they are named; what would take "
        "longer learns from a sample of the rows, or is left out.",
    ),
]
Groups = Annotated[
    str | None,
    _testing_option(
        "--groups",
        metavar="NAME",
        help="A column of groups, such as patients: rows of one group stay in one fold.",
    ),
]
Time = Annotated[
    str | None,
    _testing_option(
        "--time",
        metavar="NAME",
        help="A column of times or numbers: rows are tested with what was learned from earlier "
        "ones.",
    ),
]
Window = Annotated[
    int | None,
    _testing_option(
        "--window",
        min=1,
        help="With --time: how many stretches of time before it each is learned from; all unless "
        "given.",
    ),
]
Repeats = Annotated[
    int,
    _testing_option("--repeats", min=1, help="How often to deal folds anew."),
]
Seed = Annotated[int, typer.Option("--seed", min=0, help="The seed of everything random.")]
