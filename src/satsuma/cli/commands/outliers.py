"""``satsuma outliers``: rows that are unlike the others, by their anomaly score."""

from typing import Annotated, Any, NamedTuple

import numpy as np
import typer

from satsuma.cli import command_options as o
from satsuma.cli import models
from satsuma.cli.table_input import COLUMN_OPTIONS, TableInput, takes_table
from satsuma.cli.table_output import check_output, write_table
from satsuma.cli.terminal import as_json, note, say, show_grid
from satsuma.data.table import Table
from satsuma.data.variable import Variable
from satsuma.numerics.arrays import Array

#: Columns that explain an outlier, in JSON.
COLUMNS = 3


class _Outlying(NamedTuple):
    """The share of the columns that a row is unlike others in, and what is unusual about it."""

    shares: dict[str, float]
    reasons: list[str]

    def __str__(self) -> str:
        return "; ".join(self.reasons) or "no value by itself, but all of them together"


@takes_table(*COLUMN_OPTIONS)
def outliers(
    asked: TableInput,
    *,
    output: o.Out = None,
    most: Annotated[int, typer.Option("--most", "-n", min=1, help="Rows to show.")] = 10,
    share: Annotated[
        float,
        typer.Option("--share", min=0.0, max=0.5, help="Share of rows that count as outliers."),
    ] = 0.01,
    seed: o.Seed = 1,
    raw: o.Raw = False,
    json: o.Json = False,
) -> None:
    """Find outliers, explain them, and write a copy of the table with anomaly scores.

    The anomaly score is 0.5 for a usual row and at most 1. The target is not used.

    \b
    Examples:
      satsuma outliers housing
      satsuma outliers patients.csv --ignore id --share 0.05 -o checked.csv
    """
    import satsuma
    from satsuma.cli.table_output import with_columns

    check_output(output, asked.file)
    table = asked.table()
    learner = satsuma.Anomaly(share=share, seed=seed)
    timed = satsuma.with_time_features(table, unlabelled=True)
    rows, notes = models.without_text(timed, learner)
    notes = [*table.notes, *notes]
    model = learner(rows)
    scores = np.asarray(model(rows), float)
    order = np.argsort(-scores, kind="stable")
    beyond = [int(at) for at in order if scores[at] > model.limit]
    wanted = sorted({*beyond, *order[:most].tolist()}, key=lambda at: -scores[at])
    why = _reasons(model, rows, wanted)
    if output is not None:
        write_table(with_columns(table, _columns(scores, beyond, why)), output, raw)
    if json:
        highest = _highest(scores, beyond, why)
        as_json({"rows": len(rows), "limit": model.limit, "outliers": len(beyond),
                 "highest": highest, "output": output, "notes": notes})  # fmt: skip
        return
    _show(table.name, scores, beyond, {at: why[at] for at in wanted[:most]})
    for each in notes:
        note(each)
    if output is not None:
        say(f"\nWritten: {output}", "dim")


def _reasons(model: Any, rows: Table, wanted: list[int]) -> dict[int, _Outlying]:
    """Why some rows are unlike the others."""
    from satsuma.report.outlier_reasons import OutlierReasons

    find, found = OutlierReasons(rows), dict[int, _Outlying]()
    for at in wanted:
        shares = {name: share for name, share in model.why(rows[at]).items() if share}
        found[at] = _Outlying(dict(list(shares.items())[:COLUMNS]), find(at, list(shares)))
    return found


def _highest(scores: Array, beyond: list[int], why: dict[int, _Outlying]) -> list[dict[str, Any]]:
    outliers = set(beyond)
    return [
        {"row": at + 1, "score": scores[at], "outlier": at in outliers, "why": found.shares,
         "reasons": found.reasons}
        for at, found in why.items()
    ]  # fmt: skip


def _columns(
    scores: Array, beyond: list[int], why: dict[int, _Outlying]
) -> list[tuple[Variable, Array]]:
    is_outlier = np.zeros(len(scores), np.int32)
    is_outlier[beyond] = 1
    columns = np.full(len(scores), None, object)
    for at in beyond:
        columns[at] = str(why[at])
    return [
        (Variable("anomaly score"), scores),
        (Variable("outlier", "sym", ("no", "yes")), is_outlier),
        (Variable("outlier because of", "text"), columns),
    ]


def _show(name: str, scores: Array, beyond: list[int], why: dict[int, _Outlying]) -> None:
    of = f"{len(beyond):,} of {len(scores):,} rows are outliers"
    say(f"{name or 'Table'}: {of}; the highest anomaly scores:", "bold")
    outliers = set(beyond)
    lines = [
        [f"{at + 1:,}", f"{scores[at]:.3f}", "yes" if at in outliers else "", str(found)]
        for at, found in why.items()
    ]
    show_grid(["row", "score", "outlier", "what is unusual"], lines, left=[2, 3], wide=3)
