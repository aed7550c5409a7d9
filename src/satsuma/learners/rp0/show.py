"""What a tree of clusters has found, for a person to read."""

from typing import TYPE_CHECKING

from satsuma.data.summary import cut

if TYPE_CHECKING:
    from satsuma.learners.rp0.cluster_node import ClusterNode
    from satsuma.learners.rp0.tree import ClusterTree

#: Lines that are printed, and characters of what leads to one of them.
LINES, WIDTH = 120, 60


def pole_description(node: "ClusterNode", most: int = 2) -> str:
    """What the rows of a side of a division are like: the cells that tell its pole from the other.

    Examples
    --------
    >>> import satsuma
    >>> root = satsuma.RP0(M=25)(satsuma.load("iris")).root
    >>> [pole_description(side) for side in root.below]
    ['Petal.Length 6.9, Petal.Width 2.3', 'Petal.Length 1.5, Petal.Width 0.4']
    """
    above = node.above
    if above is None:
        return "all rows"
    pole = above.poles[above.below.index(node)]
    told = [f"{name} {_cell(pole[name])}" for name in above.telling(most)]
    return ", ".join(told)


def _cell(value: object) -> str:
    if value is None:
        return "?"
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def show(model: "ClusterTree") -> str:
    """A line for each side of a division: the cells in which its pole differs from the other."""
    sizes = [node.n for node in model.leaves]
    rows = "row" if model.root.n == 1 else "rows"
    many = "1 cluster" if model.k == 1 else f"{model.k} clusters of {min(sizes)} to {max(sizes)}"
    lines = [f"{model.root.n} {rows} in {many}"]
    waiting = list(model.root.below[::-1])
    while waiting and len(lines) < LINES:
        node = waiting.pop()
        end = "" if node.cluster is None else f": cluster {node.cluster} ({node.n})"
        lines.append("|  " * (node.depth - 1) + "like " + cut(pole_description(node), WIDTH) + end)
        waiting += node.below[::-1]
    more = 1 + 2 * len(model.below) - len(lines)
    return "\n".join([*lines, f"… and {more} more nodes"] if more else lines)
