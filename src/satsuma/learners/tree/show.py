"""What a tree has learned, for a person to read: as text, as rules, as a drawing."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from satsuma.data.summary import cut
from satsuma.errors import SatsumaError
from satsuma.kernels.tree import depths
from satsuma.learners.informative import missing_note

if TYPE_CHECKING:
    from satsuma.learners.tree.model import Readable
    from satsuma.learners.tree.node import Node

#: Conditions that the rules of a tree may have together.
CONDITIONS = 10_000_000

#: Lines that are printed, and characters of a condition.
LINES, WIDTH = 120, 60


@dataclass(frozen=True)
class Rule:
    """The way to a leaf, and what is answered there.

    Parameters
    ----------
    conditions
        From the root down.
    value
        The class, or the mean.
    support
        What the rows weigh that the rule is made from.
    confidence
        The share of these that are of the class; for numbers, their standard deviation.
    """

    conditions: tuple[str, ...]
    value: str | float
    support: float
    confidence: float

    def __str__(self) -> str:
        told = " and ".join(self.conditions) or "always"
        value = self.value if isinstance(self.value, str) else f"{self.value:.6g}"
        return f"{told} → {value} ({self.support:.6g} rows, {self.confidence:.3g})"


def rules_of(model: "Readable") -> list[Rule]:
    """A rule for each leaf, in reading order."""
    conditions = int(depths(model.flat)[model.column < 0].sum())
    if conditions > CONDITIONS:
        raise SatsumaError(
            f"The rules of this tree have {conditions:,} conditions: too many to be listed. "
            f"Learn a smaller one, with max_depth=."
        )
    made: list[Rule] = []
    waiting: list[tuple[Node, tuple[str, ...]]] = [(model.root, ())]
    while waiting:
        node, way = waiting.pop()
        if node.attribute is None:
            made.append(Rule(way, node.value, node.n, model.trust_at(node.index)))
        pairs = zip(node.conditions, node.groups, strict=True) if node.attribute else ()
        waiting += [(below, (*way, told)) for told, (_, below) in pairs][::-1]
    return made


def show(model: "Readable") -> str:
    """A line for each branch, indented by depth, with what is answered at a leaf.

    Examples
    --------
    >>> import satsuma
    >>> print(show(satsuma.ID3(satsuma.load("tennis"))))
    play
    outlook = sunny
    |  humidity = high: no (3)
    |  humidity = normal: yes (2)
    outlook = overcast: yes (4)
    outlook = rain
    |  wind = weak: yes (3)
    |  wind = strong: no (2)
    """
    root = model.root
    lines = [model.target.name]
    if root.attribute is None:
        lines[0] += f": {_answer(root)}"
    waiting = _below(root)
    while waiting and len(lines) < LINES:
        told, node = waiting.pop()
        end = f": {_answer(node)}" if node.attribute is None else ""
        lines.append("|  " * (node.depth - 1) + cut(told, 4 * WIDTH) + end)
        waiting += _below(node)
    more = model.size - len(lines)
    lines += [f"… and {more} more nodes"] if more else []
    return "\n".join([*lines, *missing_note(model.asked_columns.telling(model.column))])


def _below(node: "Node") -> "list[tuple[str, Node]]":
    if node.attribute is None:
        return []
    return [(t, b) for t, (_, b) in zip(node.conditions, node.groups, strict=True)][::-1]


def _answer(node: "Node") -> str:
    told, trust, n = node.value, node.model.trust_at(node.index), rounded(node.n, 6)
    if not isinstance(told, str):
        return f"{rounded(told, 5)} ± {rounded(trust, 3)} ({n})"
    return f"{told} ({n})" if trust == 1 else f"{told} ({n}, {trust:.0%})"


def rounded(number: float, digits: int) -> str:
    """A number in so many digits, or as a whole number if it has more before the point.

    Examples
    --------
    >>> rounded(2 / 3, 3), rounded(12345.6, 4), rounded(1e20, 3)
    ('0.667', '12346', '1e+20')
    """
    told = f"{number:.{digits}g}"
    return f"{number:.0f}" if 10**digits <= abs(float(told)) < 1e15 else told


def to_dot(model: "Readable") -> str:
    """The tree in the language of Graphviz."""
    lines = ["digraph tree {", "  node [shape=box];"]
    for node in model.root:
        name = node.attribute if node.attribute is not None else _answer(node)
        shape = "" if node.attribute is not None else ", style=rounded"
        lines.append(f"  n{node.index} [label={_quoted(name)}{shape}];")
        for label, below in node.branches.items():
            lines.append(f"  n{node.index} -> n{below.index} [label={_quoted(cut(label, WIDTH))}];")
    return "\n".join([*lines, "}"])


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", " ") + '"'
