"""Grids: lines of cells in columns, printed and as HTML."""

import html
from collections.abc import Sequence

from satsuma.data.summary import width


def aligned(lines: Sequence[Sequence[str]], left: Sequence[int] = (0,)) -> list[str]:
    r"""Cells in columns: some to the left, the first unless given, and the others to the right.

    Examples
    --------
    >>> print(*aligned([["column", "adds"], ["sky", "+1.250"]]), sep="\n")
    column    adds
    sky     +1.250
    """
    widths = [max(map(width, column)) for column in zip(*lines, strict=True)]
    return [
        "  ".join(
            text + " " * (room - width(text)) if at in left else " " * (room - width(text)) + text
            for at, (text, room) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    ]


def grid_html(text: str, lines: Sequence[Sequence[str]], left: Sequence[int] = (0,)) -> str:
    """A sentence and a table, as HTML. Colours are those of the page, light or dark.

    Examples
    --------
    >>> "&lt;b&gt;" in grid_html("Columns", [["column"], ["<b>"]])
    True
    """
    head, *rest = lines
    rows = [_html_row("th", head, left), *(_html_row("td", line, left) for line in rest)]
    said = [f"<p>{html.escape(text)}</p>"] if text else []
    return "\n".join(["<div>", *said, "<table>", *rows, "</table>", "</div>"])


def _html_row(tag: str, line: Sequence[str], left: Sequence[int]) -> str:
    sides = ("left" if at in left else "right" for at in range(len(line)))
    made = (
        f'<{tag} style="text-align: {side}">{html.escape(text)}</{tag}>'
        for side, text in zip(sides, line, strict=True)
    )
    return f"<tr>{''.join(made)}</tr>"
