"""Explanations in a notebook: a bar for each column, readable on light and on dark pages."""

import math
from html import escape

from satsuma.learners.explanation import Explanation, signed

#: Bars for, and against: dark enough on white, and bright enough on black.
_FOR, _AGAINST = "#2f7fc1", "#d9662b"


def explanation_html(found: Explanation) -> str:
    """An explanation as a piece of HTML.

    Examples
    --------
    >>> "&lt;b&gt;" in explanation_html(Explanation("<b>", "no", {"(prior)": 1.0}))
    True
    """
    listed = [*found.path, *found.neighbour_lines()]
    steps = "".join(f"<li>{escape(each)}</li>" for each in listed)
    sentences = "".join(f"<p>{escape(each)}</p>" for each in found.sentences())
    return "\n".join(
        [
            "<div>",
            f"<p><b>{escape(found.title)}</b></p>",
            f"<ol>{steps}</ol>" if steps else "",
            _table(found) if found.parts else "",
            sentences,
            "</div>",
        ]
    )


def _table(found: Explanation) -> str:
    terms = found.terms()
    finite = [abs(added) for _, added, drawn in terms if drawn and math.isfinite(added)]
    top = max(finite, default=0.0) or 1.0
    rows = [
        _row(name, signed(added), _bar(added / top) if drawn else "")
        for name, added, drawn in terms
    ]
    return f"<table>{''.join(rows)}</table>"


def _row(name: str, added: str, bar: str) -> str:
    sides = (("left", escape(name)), ("right", added), ("left", bar))
    cells = (f'<td style="text-align: {side}">{cell}</td>' for side, cell in sides)
    return f"<tr>{''.join(cells)}</tr>"


def _bar(share: float) -> str:
    """A bar to the right of the middle, or to its left, as long as the share of half the room."""
    size = min(abs(share), 1.0) * 50 if math.isfinite(share) else 50.0
    left = 50 - size if share < 0 else 50.0
    colour = _FOR if share >= 0 else _AGAINST
    return (
        f'<div style="position: relative; width: 10em; height: .8em">'
        f'<div style="position: absolute; left: {left:.1f}%; width: {size:.1f}%; height: 100%; '
        f'background: {colour}"></div></div>'
    )
