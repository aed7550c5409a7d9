"""What a generative model has learned, for a person to read."""

from html import escape
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

from satsuma.data.summary import cut, width
from satsuma.data.variable import Variable
from satsuma.likelihoods.evidence import Line

if TYPE_CHECKING:
    from satsuma.learners.generative.model import GenerativeModel

#: Classes and columns that are shown, and characters of a name.
CLASSES, COLUMNS, NAME = 12, 40, 32


def show(model: "GenerativeModel") -> str:
    """A column for each class: its share, then what each attribute looks like in it.

    Examples
    --------
    >>> from satsuma import NaiveBayes, Table
    >>> rows = [("hot", 30, "no"), ("mild", 20, "yes"), ("hot", 24, "yes")]
    >>> print(show(NaiveBayes(Table.of(rows, ["temp", "degrees", "play"]))))
    play       no         yes
    share      0.333      0.667
    <BLANKLINE>
    temp
      hot      0.667      0.500
      mild     0.333      0.500
    degrees    30 ± 1.59  22 ± 2.83
    """
    return "\n".join([*_aligned(_lines(model)), *_more(model)])


def show_html(model: "GenerativeModel") -> str:
    """The same as a table of HTML."""
    rows = [
        f"<tr><th style='text-align:left'>{escape(label)}</th>"
        + "".join(f"<td>{escape(cell)}</td>" for cell in cells)
        + "</tr>"
        for label, cells in _lines(model)
        if label
    ]
    more = "".join(f"<p>{escape(line)}</p>" for line in _more(model))
    return f"<table>{''.join(rows)}</table>{more}"


def _lines(model: "GenerativeModel") -> list[Line]:
    shown = model.classes[:CLASSES]
    lines: list[Line] = [
        (cut(model.target.name, NAME), [cut(value, NAME) for value in shown]),
        ("share", [f"{share:.3f}" for share in model.prior[:CLASSES]]),
        ("", []),
    ]
    for variable in model.domain.attributes[:COLUMNS]:
        told = _told(model.about(variable.name), variable)
        lines += [(cut(label, NAME), cells) for label, cells in told]
    return lines


def _told(evidence: Any, variable: Variable) -> list[Line]:
    if not hasattr(evidence, "lines"):  # evidence of the user's own need not have any
        return [(variable.name, [f"by {type(evidence).__name__}"])]
    return evidence.lines(variable, CLASSES)


def _aligned(lines: list[Line]) -> list[str]:
    label = max(width(name) for name, _ in lines)
    cells = [cells for _, cells in lines if cells]
    rooms = [max(map(width, column)) for column in zip_longest(*cells, fillvalue="")]
    out: list[str] = []
    for name, row in lines:
        told = [name + " " * (label - width(name))]
        told += [cell + " " * (room - width(cell)) for cell, room in zip(row, rooms, strict=False)]
        out.append("  ".join(told).rstrip())
    return out


def _more(model: "GenerativeModel") -> list[str]:
    columns, classes = len(model.domain.attributes) - COLUMNS, len(model.classes) - CLASSES
    told = [f"{columns} more columns"] if columns > 0 else []
    told += [f"{classes} more classes"] if classes > 0 else []
    return [f"… and {' and '.join(told)}"] if told else []
