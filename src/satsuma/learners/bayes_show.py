"""What naive Bayes has learned, for a person to read."""

from typing import TYPE_CHECKING

import numpy as np

from satsuma.data.summary import cut, width
from satsuma.tallies.grouping import numbers_of

if TYPE_CHECKING:
    from satsuma.learners.bayes import NaiveBayesModel

#: Classes, columns and values of a column that are shown, and characters of a name.
CLASSES, COLUMNS, VALUES, NAME = 12, 40, 20, 32

Line = tuple[str, list[str]]


def show(model: "NaiveBayesModel") -> str:
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
    degrees    30 ± 0.000159  22 ± 2.83
    """
    shown = model.classes[:CLASSES]
    lines: list[Line] = [
        (cut(model.target.name, NAME), [cut(value, NAME) for value in shown]),
        ("share", [f"{share:.3f}" for share in model.prior[:CLASSES]]),
        ("", []),
    ]
    for variable in model.domain.attributes[:COLUMNS]:
        made = _symbol if variable.kind == "sym" else _number
        lines += made(model, variable.name)
    return "\n".join([*_aligned(lines), *_more(model)])


def _symbol(model: "NaiveBayesModel", name: str) -> list[Line]:
    values, shares = model.domain[name].values, model.shares[name]
    lines: list[Line] = [(cut(name, NAME), [])]
    for value, row in list(zip(values, shares, strict=True))[:VALUES]:
        lines.append((f"  {cut(value, NAME)}", [f"{share:.3f}" for share in row[:CLASSES]]))
    if len(values) > VALUES:
        lines.append((f"  … and {len(values) - VALUES} more", []))
    return lines


def _number(model: "NaiveBayesModel", name: str) -> list[Line]:
    at = [v.name for v in numbers_of(model.domain)].index(name)
    pairs = zip(model.mean[:CLASSES, at], model.sd[:CLASSES, at], strict=True)
    told = [f"{mean:.4g} ± {sd:.3g}" if np.isfinite(sd) else "says nothing" for mean, sd in pairs]
    return [(cut(name, NAME), told)]


def _aligned(lines: list[Line]) -> list[str]:
    label = max(width(name) for name, _ in lines)
    cells = [cells for _, cells in lines if cells]
    rooms = [max(map(width, column)) for column in zip(*cells, strict=True)]
    out: list[str] = []
    for name, row in lines:
        told = [name + " " * (label - width(name))]
        told += [cell + " " * (room - width(cell)) for cell, room in zip(row, rooms, strict=False)]
        out.append("  ".join(told).rstrip())
    return out


def _more(model: "NaiveBayesModel") -> list[str]:
    columns, classes = len(model.domain.attributes) - COLUMNS, len(model.classes) - CLASSES
    told = [f"{columns} more columns"] if columns > 0 else []
    told += [f"{classes} more classes"] if classes > 0 else []
    return [f"… and {' and '.join(told)}"] if told else []
