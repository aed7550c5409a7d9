"""What a generative model has learned, for a person to read."""

from typing import TYPE_CHECKING

from satsuma.data.summary import cut, width
from satsuma.likelihoods.evidence import Line

if TYPE_CHECKING:
    from satsuma.learners.generative_model import GenerativeModel

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
    degrees    30 ± 0.000159  22 ± 2.83
    """
    shown = model.classes[:CLASSES]
    lines: list[Line] = [
        (cut(model.target.name, NAME), [cut(value, NAME) for value in shown]),
        ("share", [f"{share:.3f}" for share in model.prior[:CLASSES]]),
        ("", []),
    ]
    for variable in model.domain.attributes[:COLUMNS]:
        told = model.about(variable.name).lines(variable, CLASSES)
        lines += [(cut(label, NAME), cells) for label, cells in told]
    return "\n".join([*_aligned(lines), *_more(model)])


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


def _more(model: "GenerativeModel") -> list[str]:
    columns, classes = len(model.domain.attributes) - COLUMNS, len(model.classes) - CLASSES
    told = [f"{columns} more columns"] if columns > 0 else []
    told += [f"{classes} more classes"] if classes > 0 else []
    return [f"… and {' and '.join(told)}"] if told else []
