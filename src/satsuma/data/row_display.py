"""Rows as a person would lay them out: printed, and in a notebook."""

import html
from collections.abc import Callable
from itertools import islice
from typing import TYPE_CHECKING

from satsuma.data.columns import spell
from satsuma.data.display import html_lines, html_row, note_lines, padded, role_of, title
from satsuma.data.row import Cell
from satsuma.data.summary import cut, short_number, width

if TYPE_CHECKING:
    from satsuma.data.table import Table

#: Characters in a line, and rows and columns that are shown.
WIDTH, ROWS, COLUMNS = 120, 40, 40

#: Characters of a name or a string that are shown: fewer where there is no room for all columns.
LIMITS = (24, 16, 12)

#: Characters of a number that are shown; beyond, it is rounded.
_DIGITS = 9

Spelling = Callable[[Cell], str]


def exact(cell: Cell) -> str:
    """A cell as it is, unless it is a number of many digits; a question mark if it is missing."""
    if cell is None:
        return "?"
    spelled = spell(cell)
    many = isinstance(cell, float) and len(spelled) > _DIGITS
    return f"{cell:.6g}" if many else spelled


def brief(cell: Cell) -> str:
    """A cell with few digits; nothing if it is missing."""
    if cell is None:
        return ""
    return short_number(cell, 4) if isinstance(cell, float) else spell(cell)


def show_rows(table: "Table", spelling: Spelling = exact, head: str | None = None) -> str:
    """The rows of a table, as many as a page holds, then its notes.

    Numbers stand to the right and everything else to the left; a missing cell is a question mark.
    Columns for which there is no room are named.

    Parameters
    ----------
    table
        The rows.
    spelling
        How a cell is written.
    head
        The first line; the name and the size of the table if it is not given.

    Examples
    --------
    >>> from satsuma import Table
    >>> print(show_rows(Table.of([("sunny", 30, "no"), ("rain", None, "no")], ["a", "b", "c"])))
    Table: 2 rows, 3 columns, 1 missing value (16.7%)
    <BLANKLINE>
    a       b  c (target)
    sunny  30  no
    rain    ?  no
    """
    whole = _cells(table, spelling)
    columns, widths, fitted = whole, list[int](), 0
    for limit in LIMITS:
        columns = [[cut(cell, limit) for cell in column] for column in whole]
        widths = [max(map(width, column)) for column in columns]
        fitted = _fitted(widths)
        if fitted == len(whole):
            break
    right = [variable.kind == "num" for variable in table.domain]
    lines = [
        "  ".join(padded(line[at], widths[at], right=right[at]) for at in range(fitted)).rstrip()
        for line in zip(*columns[:fitted], strict=True)
    ]
    first = title(table) if head is None else head
    return "\n".join([first, "", *lines, *_more(table, fitted), *note_lines(table)])


def show_rows_html(table: "Table", spelling: Spelling = exact, head: str | None = None) -> str:
    """The same rows as a piece of HTML.

    Examples
    --------
    >>> from satsuma import Table
    >>> "<td" in show_rows_html(Table.of([("<b>", 3)], ["sky", "heat"]))
    True
    """
    columns = [[cut(cell, LIMITS[0]) for cell in column] for column in _cells(table, spelling)]
    sides = ["right" if variable.kind == "num" else "left" for variable in table.domain]
    lines = enumerate(zip(*columns, strict=True))
    rows = [html_row("td" if at else "th", line, sides) for at, line in lines]
    more = [f"<p>{html.escape(line)}</p>" for line in _more(table, len(columns))]
    return html_lines(table, ["<table>", *rows, "</table>", *more], head)


def _cells(table: "Table", spelling: Spelling) -> list[list[str]]:
    """The name and the first cells of each column that may be shown, as they are written."""
    rows = range(min(len(table), ROWS))
    return [
        [_name(table, at), *(spelling(table.cell(row, at)) for row in rows)]
        for at in range(min(len(table.domain), COLUMNS))
    ]


def _name(table: "Table", at: int) -> str:
    role = role_of(table.domain[at])
    return table.domain[at].name + (f" ({role})" if role else "")


def _fitted(widths: list[int]) -> int:
    """How many columns there is room for; the first always has some."""
    end, count = -2, 0
    for each in widths:
        end += each + 2
        if end > WIDTH and count:
            break
        count += 1
    return count


def _more(table: "Table", shown: int) -> list[str]:
    lines: list[str] = []
    if (rows := len(table) - ROWS) > 0:
        lines.append(f"… and {rows:,} more row{'' if rows == 1 else 's'}")
    if (columns := len(table.domain) - shown) > 0:
        names = ", ".join(islice(table.domain.names, shown, shown + 20))
        lines.append(cut(f"… and {columns:,} more column{'s'[: columns > 1]}: {names}", WIDTH))
    return lines
