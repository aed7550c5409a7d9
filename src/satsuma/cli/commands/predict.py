"""``satsuma predict``: the predictions of a model for the rows of a file, of any size."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any

import typer

from satsuma.cli import command_options as o
from satsuma.cli import models
from satsuma.cli.table_input import TableInput, takes_table
from satsuma.cli.table_output import check_output, escapes_formulas, write_rows
from satsuma.cli.terminal import as_json, note, progress_bar, say
from satsuma.data.table import Table

if TYPE_CHECKING:
    from satsuma.engines.scan import Scan
    from satsuma.engines.thread_pool import Progress


#: Rows of a file that are compared with those that were learned from, and how many are too few.
_LOOKED_AT, _FEWEST = 5000, 20


@takes_table("kind", "read", "marks")
def predict(
    model: o.ModelFile,
    asked: TableInput,
    *,
    output: o.Out = None,
    probabilities: Annotated[
        bool, typer.Option("--probabilities", "-p", help="Also the probability of each class.")
    ] = False,
    keep: Annotated[
        list[str] | None,
        typer.Option(
            "--keep",
            metavar="NAME",
            help="A column to keep before the prediction; all unless named. May be repeated.",
        ),
    ] = None,
    raw: o.Raw = False,
    modules: o.Import = None,
    json: o.Json = False,
) -> None:
    """Predict every row of a file, which may be larger than memory.

    The rows are written with a last column of predictions: as CSV on stdout, or in a
    file whose ending says the format.

    \b
    Examples:
      satsuma predict votes.satsuma new.csv -o scored.csv
      satsuma predict votes.satsuma new.csv --probabilities --keep name
      satsuma predict votes.satsuma 'logs/*.parquet' -o scored.parquet
    """
    from satsuma.learners.predictions import GetBoth, GetValue

    check_output(output, asked.file, model)
    found = models.open_saved(model, modules)
    what = GetBoth if probabilities and found.target.kind == "sym" else GetValue
    asked = replace(asked, like=found)
    if json:
        as_json(_answers(found, asked, probabilities))
        return
    if output is None:
        with progress_bar("reading") as progress:
            rows = _rows(asked, progress)
            notes = [*_notes(rows), *_drift_notes(found, rows)]  # once all rows were gone over
        write_rows(_scored(found, rows, keep, what), raw)
        for each in notes:
            note(each, stderr=True)  # rows alone go to stdout
        return
    with progress_bar("predicting") as progress:
        rows = _rows(asked, progress)
        found.predict(
            rows, output, what=what, keep=keep, escape_formulas=escapes_formulas(output, raw)
        )
    for each in (*_notes(rows), *_drift_notes(found, rows)):
        note(each)
    say(f"Written: {output}", "dim")


def _rows(asked: TableInput, progress: "Progress | None") -> "Table | Scan":
    return asked.scan(progress) if asked.scannable else asked.table()


def _notes(rows: "Table | Scan") -> list[str]:
    """What is to be known about the rows, but for keys: nothing is learned here."""
    return [each for each in rows.notes if getattr(each, "code", "") != "keys"]


def _drift_notes(model: Any, rows: "Table | Scan") -> list[str]:
    """A sentence where columns are distributed otherwise than those that were learned from."""
    if not model.has_marginals:
        return []
    some = rows[:_LOOKED_AT] if isinstance(rows, Table) else rows.head(_LOOKED_AT)
    if len(some) < _FEWEST:
        return []
    found = model.drift(some)
    target = model.domain.target
    if not [name for name in found.moved if target is None or name != target.name]:
        return []
    which = "These rows" if len(some) < _LOOKED_AT else f"The first {len(some):,} rows"
    return [f"{which} are unlike those that were learned from. {found.sentence}"]


def _scored(
    model: Any, rows: "Table | Scan", keep: Sequence[str] | None, what: Any
) -> Iterator[Table]:
    """Rows with their predictions, some thousand at a time; none, if there are none."""
    from satsuma.learners.prediction_files import scored

    if isinstance(rows, Table):
        yield scored(model, keep, what, rows)
        return
    batches = rows.batches()
    first = next(batches, None)
    yield scored(model, keep, what, rows.head(1)[:0] if first is None else first)
    for batch in batches:
        yield scored(model, keep, what, batch)


def _answers(model: Any, asked: TableInput, probabilities: bool) -> dict[str, Any]:
    """What is said of each row, and no more: rows are held in memory here."""
    from satsuma.learners.predictions import GetProbabilities, GetValue

    rows = asked.table()
    told: dict[str, Any] = {
        "target": model.target.name,
        "rows": len(rows),
        "predicted": model(rows, GetValue),
        "notes": [*_notes(rows), *_drift_notes(model, rows)],
    }
    if probabilities and model.target.kind == "sym":
        told["classes"] = list(model.classes)
        told["probabilities"] = model(rows, GetProbabilities)
    return told
