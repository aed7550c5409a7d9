"""Exported: what a model becomes where there is no Python, or no Satsuma."""

from collections.abc import Sequence
from importlib import import_module
from typing import Any, Literal


def _export() -> Any:
    """The room that writes models down; it stands above this one, and is entered when asked for."""
    return import_module("satsuma.export")


class Exported:
    """A part of models: written in other languages."""

    def to_sql(
        self,
        dialect: Literal["duckdb", "postgresql", "sqlite"] = "duckdb",
        table: str | Sequence[str] = "rows",
        keep: Sequence[str] = (),
    ) -> str:
        """One SELECT that predicts each row of a table of a database.

        It gives the predicted class and the probabilities of all classes, or the number, or the
        number of the cluster, as the model does, missing cells and values that were not seen in
        learning included.

        Parameters
        ----------
        dialect
            The database: ``duckdb``, ``postgresql`` or ``sqlite``.
        table
            The name of the table, or of a file of DuckDB's; with its schema, a list:
            ``["public", "rows"]``.
        keep
            Names of columns of the table to write in front of the prediction, such as a key. A
            database has rows in any order.

        Examples
        --------
        >>> import sqlite3, satsuma
        >>> model = satsuma.OneR(satsuma.load("tennis"))
        >>> database = sqlite3.connect(":memory:")
        >>> _ = database.execute("CREATE TABLE rows AS SELECT 'overcast' AS outlook")
        >>> database.execute(model.to_sql("sqlite")).fetchall()
        [('yes', 0.0, 1.0)]
        """
        return _export().to_sql(self, dialect, table, keep)

    def to_json(self, *, indent: int | None = None) -> str:
        """All that the model consists of, as JSON; `json_schema` of `satsuma.export` describes it.

        Parameters
        ----------
        indent
            Spaces by which lines are indented; one line unless given.

        Examples
        --------
        >>> import json, satsuma
        >>> model = satsuma.Mean(satsuma.Table.of([(1, 2), (3, 6)], ["x", "y"]))
        >>> json.loads(model.to_json())["model"]["of"]["mean"]
        4.0
        """
        return _export().to_json(self, indent=indent)

    def to_python(self) -> str:
        """The source of a function ``predict(row)`` that needs Python's own library alone.

        Examples
        --------
        >>> import satsuma
        >>> namespace = {}
        >>> exec(satsuma.NaiveBayes(satsuma.load("tennis")).to_python(), namespace)
        >>> row = {"outlook": "sunny", "temperature": None, "humidity": "high", "wind": "weak"}
        >>> namespace["predict"](row)[0]
        'no'
        """
        return _export().to_python(self)

    def to_onnx(self) -> Any:
        """The model as an ONNX graph, an ``onnx.ModelProto``; needs ``satsuma[onnx]``.

        Each column is an input (rows, 1): floats of 64 bits, where NaN is missing, or strings,
        where an empty one is. Outputs are ``label`` and ``probabilities``, or ``prediction``.

        Examples
        --------
        >>> import satsuma
        >>> model = satsuma.Ridge(satsuma.Table.of([(1, 2), (3, 6)], ["x", "y"]))
        >>> [each.name for each in model.to_onnx().graph.output]
        ['prediction']
        """
        return _export().to_onnx(self)
