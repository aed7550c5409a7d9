"""What each column adds to what trees predict, exactly (TreeSHAP); and the way of a row."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from satsuma.data.table import Table
from satsuma.kernels.tree import Flat, branches_of
from satsuma.learners.explanation import spell_cell
from satsuma.learners.leaf_shapley import Leaf, add_leaves
from satsuma.learners.tree.asked_columns import AskedColumns
from satsuma.numerics.arrays import Array, Floats

if TYPE_CHECKING:
    from satsuma.learners.tree.model import Readable

#: Rows that are worked out together.
_TILE = 256


def tree_shapley(trees: Sequence[tuple[Flat, Floats]], asked: AskedColumns, batch: Table) -> Floats:
    """(rows, outputs, attributes and one more): what columns add to the mean of trees.

    The last is what is expected of any row. All together sum to what the trees predict: also where
    cells are missing, which is the same as not to be known, unless that they are missing tells
    something.

    Parameters
    ----------
    trees
        Each tree, and what its nodes say: (nodes, outputs).
    asked
        What nodes ask for.
    batch
        The rows.
    """
    outputs = trees[0][1].shape[1]
    found = np.zeros((len(batch), outputs, len(asked.attributes) + 1))
    for lo in range(0, len(batch), _TILE):
        columns = asked.columns(batch[lo : lo + _TILE])
        for flat, says in trees:
            add_leaves(_leaves(flat, says, asked.source, columns), found[lo : lo + _TILE])
    return found / len(trees)


def _leaves(
    flat: Flat, says: Floats, source: Sequence[int], columns: Sequence[Array]
) -> Iterator[Leaf]:
    """The places where rows may end, and which of them come there."""
    rows = len(columns[0]) if columns else 0
    every = np.ones(rows)
    ways: list[tuple[int, dict[int, tuple[float, Floats]]]] = [(0, {})]
    while ways:
        node, way = ways.pop()
        column = int(flat.column[node])
        if column < 0:
            yield Leaf(says[node], way)
            continue
        attribute = source[column]
        share, passes = way.get(attribute, (1.0, every))
        led, missing = _led(flat, node, columns[column])
        stays = (led < 0) & ~missing
        if stays.any():  # a value that no branch is for ends here
            yield Leaf(says[node], {**way, attribute: (0.0, passes * stays)})
        for child in np.unique(branches_of(flat, node)).tolist():
            if child >= 0:
                part = float(flat.share[child])
                goes = np.where(missing, part, led == child)
                ways.append((child, {**way, attribute: (share * part, passes * goes)}))


def _led(flat: Flat, node: int, cells: Array) -> tuple[Array, Array]:
    """The node that each cell leads to, -1 for none; and which cells are missing."""
    branches = flat.branches[flat.first[node] : flat.first[node + 1]]
    if cells.dtype.kind == "f":
        with np.errstate(invalid="ignore"):
            above = (cells > flat.threshold[node]).astype(np.intp)
        return branches[above], np.isnan(cells)
    known = (cells >= 0) & (cells < len(branches))
    led = (
        np.where(known, branches[np.where(known, cells, 0)], -1) if len(branches) else cells * 0 - 1
    )
    return led, cells == -1


def tree_path(model: "Readable", batch: Table) -> list[str]:
    """The conditions on the way of the first row down a tree, each with what the row holds.

    Examples
    --------
    >>> import satsuma
    >>> iris = satsuma.load("iris")
    >>> for step in tree_path(satsuma.Tree(iris), iris[60:61])[:2]:
    ...     print(step)
    Petal.Length > 2.45: it is 3.5
    Petal.Width ≤ 1.75: it is 1
    """
    node, steps = model.root, list[str]()
    while node.attribute is not None:
        cell: Any = batch.cell(0, node.attribute)
        asked = node.missing_as if cell is None else cell
        if batch.domain[node.attribute].kind == "sym" and batch.column(node.attribute)[0] < -1:
            steps.append(f"{node.attribute} was never seen before: this node predicts")
            break
        if asked is None:
            steps.append(f"{node.attribute} is missing: all branches are averaged from here on")
            break
        if node.threshold is not None:
            at = 0 if asked <= node.threshold else 1
        else:
            led = [at for at, (values, _) in enumerate(node.groups) if asked in values]
            if not led:
                steps.append(f"{node.attribute} = {asked} was never seen here: this node predicts")
                break
            at = led[0]
        condition = node.conditions[at]
        plain = condition in (f"{node.attribute} = {asked}", f"{node.attribute} is missing")
        steps.append(condition if plain else f"{condition}: it is {spell_cell(cell)}")
        node = node.groups[at][1]
    return steps
