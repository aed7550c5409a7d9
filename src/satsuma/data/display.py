"""What a table looks like to a person: printed, and in a notebook."""

import html
import textwrap
from collections.abc import Iterable
from itertools import islice, repeat

import numpy as np

from satsuma.data.summary import cut, summarise, width
from satsuma.data.table import Table
from satsuma.data.variable import Variable

#: Characters in a line, columns and notes that are shown, characters of a name.
WIDTH, COLUMNS, NOTES, NAME = 100, 40, 10, 32

_HEADER = ("column", "role", "kind", "missing", "values")


def show(table: Table) -> str:
    """A look at a table: its size, then a line for each column, then its notes.

    A column of numbers shows its shape, smallest, largest and mean; one of symbols its most
    common values with their counts; one of text how it begins. Missing cells are counted apart.

    Examples
    --------
    >>> print(show(Table.of([("sunny", 30, "no"), ("rain", None, "no")], ["sky", "heat", "play"])))
    Table: 2 rows, 3 columns, 1 missing value (16.7%)
    <BLANKLINE>
    column  role    kind  missing  values
    sky             sym            2 values, each once: sunny, rain
    heat            num         1  always 30
    play    target  sym            1 value: no (2)
    """
    missing = _missing(table)
    grid = ["", *_grid(table, missing)] if len(table.domain) else []
    return "\n".join([title(table, missing), *grid, *note_lines(table)])


def note_lines(table: Table) -> list[str]:
    """The notes of a table, below an empty line if there are any."""
    notes = [
        textwrap.fill(note, WIDTH, initial_indent="- ", subsequent_indent="  ")
        for note in _notes(table)
    ]
    return ["", *notes] if notes else []


def show_html(table: Table) -> str:
    """The same look at a table as a piece of HTML.

    Examples
    --------
    >>> page = show_html(Table.of([("<b>", 3)], ["sky", "heat"]))
    >>> "<table>" in page, "&lt;b&gt;" in page
    (True, True)
    """
    missing = _missing(table)
    lines: list[str] = []
    if len(table.domain):
        pairs = zip(_labels(table, missing), _values(table, WIDTH), strict=True)
        rows = [html_row("td", (*label, values)) for label, values in pairs]
        lines += ["<table>", html_row("th", _HEADER), *rows, "</table>"]
    return html_lines(table, [*lines, *(f"<p>{more}</p>" for more in _more(table))])


def html_lines(table: Table, lines: Iterable[str], head: str | None = None) -> str:
    """Lines of HTML between the title of a table, or another, and its notes."""
    first = title(table) if head is None else head
    notes = [f"<li>{html.escape(note)}</li>" for note in _notes(table)]
    listed = ["<ul>", *notes, "</ul>"] if notes else []
    return "\n".join(["<div>", f"<p>{html.escape(first)}</p>", *lines, *listed, "</div>"])


def html_row(tag: str, cells: Iterable[str], sides: Iterable[str] = repeat("left")) -> str:
    """A row of cells as HTML, each at its side."""
    # Blanks count: they are the empty places in the shape of a column.
    made = (
        f'<{tag} style="text-align: {side}; white-space: pre">{html.escape(cell)}</{tag}>'
        for cell, side in zip(cells, sides, strict=False)
    )
    return f"<tr>{''.join(made)}</tr>"


def _grid(table: Table, missing: list[int]) -> list[str]:
    labels = [_HEADER[:-1], *_labels(table, missing)]
    widths = [max(map(width, column)) for column in zip(*labels, strict=True)]
    # Roles and missing cells have a column where there are any.
    used = [i for i in range(len(widths)) if any(label[i] for label in labels[1:])]
    values = [_HEADER[-1], *_values(table, WIDTH - sum(widths[i] + 2 for i in used))]
    lines: list[str] = []
    for label, value in zip(labels, values, strict=True):
        cells = [padded(label[i], widths[i], right=_HEADER[i] == "missing") for i in used]
        lines.append("  ".join([*cells, value]).rstrip())
    return [*lines, *_more(table)]


def padded(text: str, room: int, *, right: bool) -> str:
    """A string in as many places as there are, at one side of them."""
    blanks = " " * (room - width(text))
    return blanks + text if right else text + blanks


def title(table: Table, missing: list[int] | None = None) -> str:
    """The name and the size of a table, and how much of it is missing."""
    missing = _missing(table) if missing is None else missing
    rows, columns = table.shape
    size = f"{_count(rows, 'row')}, {_count(columns, 'column')}"
    holes = sum(missing)
    share = holes / max(1, rows * columns)
    told = f"{share:.1%}" if share >= 0.001 else "under 0.1%"
    absent = f"{_count(holes, 'missing value')} ({told})" if holes else "no missing value"
    return f"{cut(table.name, NAME) or 'Table'}: {size}, {absent}"


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def _missing(table: Table) -> list[int]:
    return [int(np.count_nonzero(table.missing(at))) for at in range(len(table.domain))]


def _more(table: Table) -> list[str]:
    more = len(table.domain) - COLUMNS
    return [f"… and {_count(more, 'more column')}"] if more > 0 else []


def _notes(table: Table) -> list[str]:
    notes = [cut(note, 3 * WIDTH) for note in table.notes[:NOTES]]
    if len(table.notes) > NOTES:
        notes.append(f"… and {_count(len(table.notes) - NOTES, 'more note')}: see table.notes")
    if table.aside:
        notes.append(f"{_count(len(table.aside), 'row')} kept aside: see table.aside")
    return notes


def _labels(table: Table, missing: list[int]) -> list[tuple[str, str, str, str]]:
    return [
        (cut(variable.name, NAME), role_of(variable), variable.kind, f"{holes:,}" if holes else "")
        for variable, holes in islice(zip(table.domain, missing, strict=True), COLUMNS)
    ]


def role_of(variable: Variable) -> str:
    """The role of a column as it is shown: nothing for what is learned from."""
    if variable.role == "goal":
        return f"goal {variable.goal}"
    return "" if variable.role == "x" else variable.role


def _values(table: Table, room: int) -> list[str]:
    pairs = zip(table.domain, table.columns, strict=True)
    return [summarise(variable, column, room) for variable, column in islice(pairs, COLUMNS)]
