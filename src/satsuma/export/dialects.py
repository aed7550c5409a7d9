"""Dialects of SQL: how each database writes numbers, names, texts and tables of numbers."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import frexp


@dataclass(frozen=True)
class Dialect:
    """How a database is written to.

    Parameters
    ----------
    called
        Its name, as people say it.
    depth
        What the stack of its parser holds, roughly.
    columns
        The columns that a SELECT has, at most.
    hint, fence
        What keeps a step from being written into the next one, which would compute it again: in
        front of its SELECT, and behind it.
    greatest
        The function of the greatest of some numbers.
    folds_case
        Whether two columns are one if their names differ by upper and lower case alone.
    """

    called: str
    depth: int
    columns: int
    hint: str
    fence: str
    greatest: str
    folds_case: bool = True

    def name(self, of: str) -> str:
        """The name of a column, or of a table."""
        return '"' + of.replace('"', '""') + '"'

    def text(self, value: str) -> str:
        """A string."""
        return "'" + value.replace("'", "''") + "'"

    def as_text(self, cell: str) -> str:
        """A symbol, whatever it is held as."""
        return f"CAST({cell} AS VARCHAR)"

    def number(self, value: float, *, exact: bool = False) -> str:  # noqa: ARG002 - of SQLite
        """The shortest number that is the same float; 0.1 without exponent would be a decimal."""
        told = repr(float(value))
        return told if "e" in told else f"{told}e0"

    def cell(self, cell: str) -> str:
        """A number of the table as a float; NaN is missing."""
        return f"NULLIF(CAST({cell} AS DOUBLE), 'nan'::DOUBLE)"

    def lookup(self, place: str, values: Sequence[float], otherwise: str) -> str:
        """The number at a place from 0 on; something else where it is missing, or -1."""
        told = ", ".join(map(self.number, values))
        return f"COALESCE(([{told}])[{place} + 1], {otherwise})"


class _PostgreSQL(Dialect):
    """Floats are said to be such: any number that is written is a decimal."""

    def as_text(self, cell: str) -> str:
        """A symbol, whatever it is held as."""
        return f"CAST({cell} AS text)"

    def number(self, value: float, *, exact: bool = False) -> str:  # noqa: ARG002 - of SQLite
        """The shortest number that is the same float."""
        return f"float8 '{value!r}'"

    def cell(self, cell: str) -> str:
        """A number of the table as a float; NaN is missing."""
        return f"NULLIF(CAST({cell} AS float8), float8 'NaN')"

    def lookup(self, place: str, values: Sequence[float], otherwise: str) -> str:
        """The number at a place from 0 on; something else where it is missing, or -1."""
        told = ",".join(map(repr, values))
        return f"COALESCE((CAST('{{{told}}}' AS float8[]))[{place} + 1], {otherwise})"


class _SQLite(Dialect):
    """Numbers that must be exact are quotients: SQLite may miss the last bit of a decimal."""

    def as_text(self, cell: str) -> str:
        """A symbol, whatever it is held as."""
        return f"CAST({cell} AS TEXT)"

    def number(self, value: float, *, exact: bool = False) -> str:
        """A number; as a quotient, or a product, of whole numbers where the last bit matters."""
        if not exact or (abs(value) < 1 << 50 and value == int(value)):
            return repr(float(value))
        over, under = value.as_integer_ratio()
        if abs(over) < 1 << 53 and under < 1 << 53:
            return f"({over}.0 / {under}.0)"
        return _scaled(value)

    def cell(self, cell: str) -> str:
        """A number of the table as a float; a text counts if it looks like a number."""
        is_number = f"typeof({cell}) IN ('integer', 'real')"
        like = f"{cell} GLOB '*[0-9]*' AND {cell} NOT GLOB '*[^-+.0-9eE]*'"
        return f"CASE WHEN {is_number} OR {like} THEN CAST({cell} AS REAL) END"

    def lookup(self, place: str, values: Sequence[float], otherwise: str) -> str:
        """A case for each number: there are no arrays."""
        whens = " ".join(f"WHEN {at} THEN {value!r}" for at, value in enumerate(values))
        return f"CASE {place} {whens} ELSE {otherwise} END"


def _scaled(value: float) -> str:
    """A float as a whole number times or over powers of two, each of which is exact.

    Examples
    --------
    >>> eval(_scaled(1e-30)) == 1e-30, eval(_scaled(-1.7e300)) == -1.7e300
    (True, True)
    """
    share, power = frexp(value)
    told, power = f"{int(share * (1 << 53))}.0", power - 53
    while power:
        step = min(abs(power), 50)
        told += f" {'*' if power > 0 else '/'} {1 << step}.0"
        power -= step if power > 0 else -step
    return f"({told})"


DIALECTS: dict[str, Dialect] = {
    "duckdb": Dialect("DuckDB", 400, 10_000, "", "", "GREATEST"),
    "postgresql": _PostgreSQL(
        "PostgreSQL", 400, 1600, "", "\nOFFSET 0", "GREATEST", folds_case=False
    ),
    "sqlite": _SQLite("SQLite", 75, 2000, "MATERIALIZED ", "", "max"),
}
