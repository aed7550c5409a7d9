"""Models of forests: many trees, whose predictions are averaged."""

from collections.abc import Iterator
from typing import Any, ClassVar

import numpy as np

from satsuma.data.fields import ByName, FloatArray, IntArray, Many, Maybe, Number, Word
from satsuma.data.schema import Schema
from satsuma.data.table import Table
from satsuma.errors import ParameterError, ReadError
from satsuma.kernels import tree as kernel
from satsuma.kernels.tree import UNSEEN, Flat
from satsuma.learners.informative import check_informative, missing_note
from satsuma.learners.model import Query
from satsuma.learners.near_rows import NEAR, AlikeRow
from satsuma.learners.tree.asked_columns import AskedColumns, asked_columns
from satsuma.learners.tree.gathered_trees import GatheredTrees
from satsuma.learners.tree.impurity_decrease import shares_by_name
from satsuma.learners.tree.model import TREE, check_tree, refuse_infinite_in
from satsuma.learners.tree.out_of_bag import OF_CLASSES, OF_NUMBERS
from satsuma.learners.tree.proximity import proximities
from satsuma.learners.tree.shapley_models import (
    ShapleyClassifier,
    ShapleyRegressor,
    ShapleyTrees,
)
from satsuma.learners.tree.tree_shapley import tree_shapley
from satsuma.numerics.arrays import Floats

#: What scores are called in print.
_WORDS = {"CA": "accuracy", "R2": "R²"}

#: Trees that a forest in a file may have.
TREES = 1 << 16


class Trees(ShapleyTrees):
    """Trees, one after the other in the same arrays."""

    #: A value that was not seen in learning ends the way down; one that is missing is spread.
    unseen: ClassVar[int] = UNSEEN

    #: How much the divisions by each attribute took away of what was mixed.
    gains: Floats

    #: The scores of trees on rows that they were not grown from; None if that was not asked for.
    out_of_bag_scores: dict[str, float] | None = None

    schema: ClassVar[Schema] = Schema(
        *TREE.own_sizes,
        "answers",
        "trees",
        **TREE.fields,
        says=FloatArray("nodes", "answers"),
        sizes=IntArray("trees", 2, dtypes=(np.int64,)),
        informative=Many(Word()),
        gains=FloatArray("attributes", low=0),
        out_of_bag_scores=Maybe(ByName(Number(missing=True)), optional=True),
    )

    def check_state(self) -> None:
        """The trees share out the arrays, and each is one."""
        super().check_state()
        nodes, led = self.sizes.sum(axis=0).tolist() if len(self.sizes) else (0, 0)
        told = len(self.column), len(self.branches), len(self.first)
        if len(self.sizes) > TREES:
            raise ReadError(f"the forest has {len(self.sizes):,} trees, and {TREES:,} are allowed")
        if not len(self.sizes) or told != (nodes, led, nodes + len(self.sizes)):
            raise ReadError("the trees of the forest do not share out its nodes")
        names = OF_CLASSES if self.target.kind == "sym" else OF_NUMBERS
        if self.out_of_bag_scores is not None and tuple(self.out_of_bag_scores) != names:
            raise ReadError("the out-of-bag scores of the forest are others")
        check_informative(self.domain, self.informative)
        for flat, _ in self.trees():
            check_tree(flat, self.asked_columns.domain)

    def __init__(self, trees: GatheredTrees) -> None:
        flat, self.says = trees.close()
        self.column, self.threshold, self.first, self.branches, self.share = flat
        self.sizes, self.gains = np.array(trees.sizes, np.int64), trees.gains
        self.informative: list[str] = []

    @property
    def asked_columns(self) -> AskedColumns:
        """What nodes ask for: the attributes, and missing cells that tell something."""
        return asked_columns(self.domain, tuple(self.informative))

    def trees(self) -> Iterator[tuple[Flat, Floats]]:
        """Each tree, and what its nodes say."""
        node = led = 0
        for k, (size, branches) in enumerate(self.sizes.tolist()):
            here, first = slice(node, node + size), slice(node + k, node + k + size + 1)
            flat = Flat(
                self.column[here],
                self.threshold[here],
                self.first[first],
                self.branches[led : led + branches],
                self.share[here],
            )
            yield flat, self.says[here]
            node, led = node + size, led + branches

    def predictions(self, batch: Table) -> Iterator[Floats]:
        """What each tree says of each row: shares of classes, or one number."""
        columns = self.asked_columns.columns(batch)
        for flat, says in self.trees():
            found, infinite = kernel.average(flat, says, columns, len(batch))
            if infinite:
                refuse_infinite_in(self.domain, batch)
            yield found

    def _average(self, batch: Table) -> Floats:
        total = np.zeros((len(batch), self.says.shape[1]))
        for found in self.predictions(batch):
            total += found
        return total / len(self.sizes)

    @property
    def out_of_bag(self) -> float | None:
        """The accuracy, or R², of trees on rows that they were not grown from.

        Each row is predicted by the trees that it was not drawn for. It is there if
        ``out_of_bag=True`` was given, and `out_of_bag_scores` has the log loss, or RMSE, as well.
        """
        scores = self.out_of_bag_scores
        return None if scores is None else next(iter(scores.values()))

    def importances(self) -> dict[str, float]:
        """The share of each column in what all divisions of all trees gained; largest first.

        What a division gains is the decrease of impurity: how much less mixed the rows of its
        branches are than those of the node, by the measure that divisions were chosen by, times
        what they weigh (Breiman 2001). It is of the rows that were learned from, and columns of
        many values have more of it than they deserve: see `satsuma.importances`.
        """
        return shares_by_name(self.domain, self.gains)

    def proximity(self, query: Query, table: Table) -> Floats:
        """The share of trees in which each row of a table ends at the leaf of another row.

        It is 1 for rows that no tree tells apart (Breiman 2001). Where cells are missing, a row is
        spread over several leaves, and it is how probable it is that both end at the same.

        Parameters
        ----------
        query
            A row.
        table
            Rows to compare it with.
        """
        one, rows = self._rows(query), self._rows(table)
        for batch in (one, rows):
            refuse_infinite_in(self.domain, batch)
        asked, flats = self.asked_columns, (flat for flat, _ in self.trees())
        return proximities(flats, asked.columns(one), asked.columns(rows), len(rows))

    def alike(self, query: Query, table: Table, n: int = 5) -> list[tuple[int, float]]:
        """The rows of a table that are most like another to this forest, the nearest first.

        Parameters
        ----------
        query
            A row.
        table
            Where to look for rows that are like it; its target is not looked at.
        n
            How many rows, at most.

        Returns
        -------
        list
            The number of each row in the table, and its `proximity`. Of equal ones, the first row
            comes first.

        Examples
        --------
        >>> import satsuma
        >>> iris = satsuma.load("iris")
        >>> model = satsuma.Forest(trees=20)(iris)
        >>> [row for row, share in model.alike(iris[0], iris, n=3) if share > 0.5]
        [0, 1, 2]
        """
        if n < 1:
            raise ParameterError(f"Ask for 1, 2, … rows that are alike. Got n={n!r}.")
        near = self.proximity(query, table)
        order = np.argsort(-near, kind="stable")[:n]
        return [(int(row), float(near[row])) for row in order]

    def alike_rows(self, batch: Table) -> list[AlikeRow]:
        """The rows that were learned from and are most like the first row, the nearest first.

        They are looked for among the up to 2,000 that the model keeps; there are none of a model
        that was opened, or that was not learned from a table in memory.
        """
        kept: Table | None = vars(self).get("_sample")
        if kept is None:
            return []
        rows = np.flatnonzero(~kept.missing(self.target.name))
        known = kept[rows]
        found = self.alike(batch[0], known, NEAR) if len(rows) else []
        numbers, told = self._sample_rows[rows].tolist(), known[self.target.name].tolist()
        return [AlikeRow(numbers[row], share, told[row]) for row, share in found if share > 0]

    def contributions(self, data: Table) -> Floats:
        """What each column adds to what is predicted, exactly (TreeSHAP); see `explain`."""
        return tree_shapley(list(self.trees()), self.asked_columns, self._rows(data))

    def __str__(self) -> str:
        shown = list(self.importances().items())[:12]
        width = max(len(name) for name, _ in shown)
        told = [f"{name:<{width}}  {share:.3f}" for name, share in shown]
        nodes = len(self.column) / len(self.sizes)
        head = f"{self.target.name}: {len(self.sizes)} trees of {nodes:.0f} nodes on average"
        scores = self.out_of_bag_scores or {}
        score = ", ".join(f"{_WORDS.get(name, name)} {value:.3g}" for name, value in scores.items())
        notes = missing_note(self.informative)
        return "\n".join(
            [
                head,
                *([f"out of bag: {score}"] if score else []),
                "what columns gained:",
                *told,
                *notes,
            ]
        )


class ForestModel(Trees, ShapleyClassifier):
    """Trees for classes, whose probabilities are averaged."""

    schema: ClassVar[Schema] = Schema(
        says=FloatArray("nodes", "classes", low=0, high=1 + 1e-9, sums_to_one=True)
    )

    def probabilities(self, batch: Table) -> Floats:
        """The average of the shares of the classes where a row ends."""
        return self._average(batch)


class RegressionForestModel(Trees, ShapleyRegressor):
    """Trees for numbers, whose means are averaged."""

    schema: ClassVar[Schema] = Schema(says=FloatArray("nodes", 1))

    def numbers(self, batch: Table) -> Floats:
        """The average of the means where a row ends."""
        return self._average(batch)[:, 0]

    def deviations(self, query: Query | Table) -> Any:
        """How far the trees are apart: the standard deviation of what they say of each row."""
        batch = self._rows(query)
        found = np.std([each[:, 0] for each in self.predictions(batch)], axis=0)
        return found if isinstance(query, Table) else float(found[0])
