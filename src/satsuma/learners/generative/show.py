"""What a generative model has learned, for a person to read."""

from html import escape
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

from satsuma.data.summary import cut, width
from satsuma.data.variable import Variable
from satsuma.likelihoods.block import Line

if TYPE_CHECKING:
    from satsuma.learners.generative.model import GenerativeModel

#: Classes and columns that are shown, and characters of a name.
CLASSES, COLUMNS, NAME = 12, 40, 32


def show(model: "GenerativeModel") -> str:
    """A column for each class: its share, then what each attribute looks like in it.

    Beside the name of a column stands what its figures are: P(value | class), which sums to 1 over
    the values, or P(class | value), which sums to 1 over the classes.

    Examples
    --------
    >>> from satsuma import NaiveBayes, Table
    >>> rows = [("hot", 30, "no"), ("mild", 20, "yes"), ("hot", 24, "yes")]
    >>> print(show(NaiveBayes(Table.of(rows, ["temp", "degrees", "play"]), calibrate=False)))
    play     no         yes
    share    0.333      0.667
    <BLANKLINE>
    temp: P(value | class)
      hot    0.667      0.500
      mild   0.333      0.500
    degrees  30 ± 1.59  22 ± 2.83
    """
    return "\n".join([*_aligned(_lines(model)), *_more(model)])


def show_html(model: "GenerativeModel") -> str:
    """The same as a table of HTML."""
    rows = [
        f"<tr><th style='text-align:left{_indent(label)}'{'' if cells else ' colspan=100'}>"
        f"{escape(label.strip())}</th>"
        + "".join(f"<td>{escape(cell)}</td>" for cell in cells)
        + "</tr>"
        for label, cells in _lines(model)
        if label
    ]
    more = "".join(f"<p>{escape(line)}</p>" for line in _more(model))
    return f"<table>{''.join(rows)}</table>{more}"


def _indent(label: str) -> str:
    return "; padding-left: 2em; font-weight: normal" if label.startswith(" ") else ""


def _lines(model: "GenerativeModel") -> list[Line]:
    shown = model.classes[:CLASSES]
    lines: list[Line] = [
        (cut(model.target.name, NAME), [cut(value, NAME) for value in shown]),
        ("share", [f"{share:.3f}" for share in model.prior[:CLASSES]]),
        *([(_decision(model), [])] if model.threshold is not None else []),
        ("", []),
    ]
    for variable in model.domain.attributes[:COLUMNS]:
        lines += _told(model.about(variable.name), variable)
    return lines


def _decision(model: "GenerativeModel") -> str:
    """From which probability on the second of two classes is predicted."""
    second = cut(model.classes[1], NAME)
    return f"predicts {second} from P({second}) ≥ {model.threshold:.3g} on (adjusted)"


def _told(evidence: Any, variable: Variable) -> list[Line]:
    if not hasattr(evidence, "lines"):  # evidence of the user's own need not have any
        return [(cut(variable.name, NAME), [f"by {type(evidence).__name__}"])]
    lines = evidence.lines(variable, CLASSES)
    shown = [(cut(label, NAME), cells) for label, cells in lines]
    figures = getattr(evidence, "figures", "")
    if not shown[0][1] and figures:  # a name with lines below it, of which it says what they are
        shown[0] = (f"{shown[0][0]}: {figures}", [])
    return shown


def _aligned(lines: list[Line]) -> list[str]:
    label = max(width(name) for name, row in lines if row)
    cells = [cells for _, cells in lines if cells]
    rooms = [max(map(width, column)) for column in zip_longest(*cells, fillvalue="")]
    out: list[str] = []
    for name, row in lines:
        line = [name + " " * (label - width(name))]
        line += [cell + " " * (room - width(cell)) for cell, room in zip(row, rooms, strict=False)]
        out.append("  ".join(line).rstrip())
    return out


def _more(model: "GenerativeModel") -> list[str]:
    columns, classes = len(model.domain.attributes) - COLUMNS, len(model.classes) - CLASSES
    left = [f"{columns} more columns"] if columns > 0 else []
    left += [f"{classes} more classes"] if classes > 0 else []
    more = [f"… and {' and '.join(left)}"] if left else []
    if model.temperature != 1:
        more += ["", f"Calibrated by a temperature of {model.temperature:.3g}"]
    return more
