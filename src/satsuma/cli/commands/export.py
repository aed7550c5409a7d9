"""``satsuma export``: a saved model as SQL, JSON, ONNX or Python."""

import sys
from enum import StrEnum
from typing import Annotated, Any

import typer

from satsuma.cli import command_options as o
from satsuma.cli import models
from satsuma.cli.table_output import check_output
from satsuma.cli.terminal import as_json, say
from satsuma.data.files import replacing
from satsuma.errors import ParameterError


class Language(StrEnum):
    """What a model can become."""

    SQL = "sql"
    JSON = "json"
    ONNX = "onnx"
    PYTHON = "python"


class Database(StrEnum):
    """Whose SQL."""

    DUCKDB = "duckdb"
    POSTGRESQL = "postgresql"
    SQLITE = "sqlite"


def export(
    model: o.ModelFile,
    *,
    to: Annotated[Language, typer.Option("--to", help="What the model is to become.")],
    dialect: Annotated[
        Database, typer.Option("--dialect", help="Of SQL: the database.")
    ] = Database.DUCKDB,
    table: Annotated[
        str, typer.Option("--table", metavar="NAME", help="Of SQL: the table with the rows.")
    ] = "rows",
    keep: Annotated[
        list[str] | None,
        typer.Option(
            "--keep",
            metavar="NAME",
            help="Of SQL: a column to write before the prediction. May be repeated.",
        ),
    ] = None,
    output: o.Out = None,
    modules: o.Import = None,
    json: o.Json = False,
) -> None:
    """Write a saved model as SQL, JSON, ONNX or Python.

    It goes to stdout, or to a file: ONNX to a file alone.

    \b
    Examples:
      satsuma export votes.satsuma --to sql --dialect postgresql --table votes --keep id
      satsuma export votes.satsuma --to python -o votes_model.py
      satsuma export votes.satsuma --to onnx -o votes.onnx
    """
    check_output(output, model, table=False)
    found: Any = models.open_saved(model, modules)
    if to is Language.ONNX:
        if output is None:
            raise ParameterError("ONNX is no text. Name a file to write: -o model.onnx.")
        content = found.to_onnx().SerializeToString()
    elif to is Language.SQL:
        content = found.to_sql(dialect.value, table, keep or ()).encode()
    elif to is Language.JSON:
        content = (found.to_json(indent=1) + "\n").encode()
    else:
        content = found.to_python().encode()
    if output is not None:
        with replacing(output) as stream:
            stream.write(content)
    if json:
        text = content.decode() if output is None else None
        as_json({"to": to.value, "output": output, "text": text})
    elif output is None:
        sys.stdout.write(content.decode())
    else:
        say(f"Written: {output}", "dim")
