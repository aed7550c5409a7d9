"""Goal tree: a tree of how far rows are from the ideal point, to be read and to be acted on."""

from satsuma.data.domain import Domain
from satsuma.data.table import Table
from satsuma.data.variable import Variable
from satsuma.learners.tree.learner import RegressionTree
from satsuma.learners.tree.model import RegressionTreeModel
from satsuma.numerics.arrays import Floats

#: What the tree predicts.
DISTANCE = "distance to the ideal point"

#: The least rows of a leaf, and the most questions to one: to be read at a glance.
LEAF, DEPTH = 3, 3


def goal_tree(rows: Table, distances: Floats) -> RegressionTreeModel:
    """A small tree that parts rows near the ideal point from those far from it.

    Parameters
    ----------
    rows
        Of which the attributes are asked for.
    distances
        How far each is from the ideal point.

    Examples
    --------
    >>> import numpy as np
    >>> rows = Table.of([(size,) for size in range(8)], ["size"], target=None)
    >>> print(goal_tree(rows, np.repeat([0.1, 0.9], 4)))
    distance to the ideal point
    size ≤ 3.5: 0.1 ± 0 (4)
    size > 3.5: 0.9 ± 0 (4)
    """
    domain, leaf = rows.domain, max(LEAF, round(len(rows) ** 0.5 / 2))
    target = Variable(DISTANCE, role="target")
    columns = [rows.column(v.name) for v in domain.attributes]
    made = Table(Domain([*domain.attributes, target]), [*columns, distances], check=False)
    model = RegressionTree(min_leaf=leaf, min_split=2 * leaf, max_depth=DEPTH)(made)
    assert isinstance(model, RegressionTreeModel)
    return model
