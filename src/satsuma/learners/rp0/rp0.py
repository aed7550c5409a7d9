"""RP0: clusters by random projections."""

from copy import copy
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, ClassVar, Literal

import numpy as np

from satsuma.data.table import Table
from satsuma.engines import Source
from satsuma.errors import check_choice, check_number
from satsuma.learners.ensembles.ensemble import check_inside, takes_of_member
from satsuma.learners.estimator.available_if import available_if
from satsuma.learners.estimator.training_tables import training_table
from satsuma.learners.learner import Learner
from satsuma.learners.rp0.model import RP0Classifier, RP0Model, RP0Regressor
from satsuma.learners.stream_batches import batches_of, recut
from satsuma.learners.takes import Takes, TakesBy, training_rows
from satsuma.measures.distance import Distance


def _takes(learner: Any) -> Takes:
    if learner.model is None:
        rounds = "rows" if learner.boring is None else "stream"
        return Takes(target="nothing", weights=False, rounds=rounds)
    return replace(takes_of_member(learner.model), kinds=("num", "sym"), weights=False)


@dataclass(kw_only=True, eq=False)
class RP0(Learner):
    """Rows are divided by which of two far rows they are nearer to, and so on (Menzies).

    While more than 2M rows are together, P pairs of them are drawn at random, and the pair that is
    farthest apart become poles: each row goes to the nearer one, ties to the first. The distance is
    that of `satsuma.distance`: numbers and symbols, and a missing cell as far away as it can be.
    Rows that no pair parts, such as those that are all the same, stay together.

    The model is a tree that can be walked (`root`), printed, drawn (`plot.cluster_tree`), asked for
    the cluster of a row in as many steps as it is deep (`leaf`), and given more rows (`add`).

    Parameters
    ----------
    M
        A cluster divides once it holds more than 2M rows.
    P
        How many pairs are drawn to find poles.
    seed
        Where chance starts from. It goes on by the place in the tree, so that the same seed gives
        the same clusters for any number of threads.
    keep
        The share of the rows that goes on from a division to both sides of it; the others are
        counted there, and not kept.
    spread
        Which ones go on: some at ``random``, or evenly spread between the ``poles``.
    boring
        A row that arrives is counted and not kept where a row of its cluster is nearer than so many
        times the median distance of the rows in it. Then rows arrive 2M at a time, in their order,
        and may come from files larger than memory, of which those are kept that are not boring
        (two passes: the first finds the range of each column). None keeps all.
    model
        A learner: a model of its own is learned in each cluster, and answers for the rows that fall
        into it. Rows without a target are then left out. Where a cluster's rows are not enough for
        it, those of the divisions above are taken.
    p
        The power of the distance, above 0; 2 is Euclid's, 1 that of city blocks.

    Notes
    -----
    Weights are refused: rows are counted. A row with a missing cell may be farther from itself than
    from another row, so that all rows are nearer to one pole: then the next farthest pair is taken.

    Examples
    --------
    >>> from satsuma import RP0, NaiveBayes, load
    >>> iris = load("iris")
    >>> model = RP0(M=30, seed=3)(iris)
    >>> model(iris[0])
    0
    >>> print(model)
    150 rows in 3 clusters of 40 to 59
    like Petal.Width 0.2, Petal.Length 1.4: cluster 0 (59)
    like Petal.Width 2.1, Petal.Length 5.9
    |  like Petal.Width 1.3, Sepal.Length 5.5: cluster 1 (51)
    |  like Petal.Width 2.5, Sepal.Length 6.7: cluster 2 (40)
    >>> RP0(M=30, model=NaiveBayes())(iris)(iris[0])
    'setosa'
    """

    M: int = 32
    P: int = 10
    seed: int = 0
    keep: float = 1.0
    spread: Literal["random", "poles"] = "random"
    boring: float | None = None
    model: Learner | None = None
    p: float = 2.0

    takes: ClassVar[Any] = TakesBy(_takes)

    def check(self) -> None:
        """Counts, shares and powers that can be, and a learner that predicts something."""
        check_number(self, "M", low=1, whole=True)
        check_number(self, "P", low=1, high=1e6, whole=True)
        check_number(self, "seed", low=0, whole=True)
        check_number(self, "keep", low=1e-3, high=1)
        check_choice(self, "spread", ["random", "poles"])
        check_number(self, "p", low=1e-3, high=1e3)
        if self.boring is not None:
            check_number(self, "boring", low=0)
        if self.model is not None:
            check_inside(self, "model", self.model)

    def learn(self, data: Table | Source) -> RP0Model | RP0Classifier | RP0Regressor:
        """Divide the rows, and learn a model in each cluster if one is asked for."""
        if not isinstance(data, Table):
            return self._arriving(data)
        if self.model is None:
            return RP0Model(self._alike(), data.domain, Distance.of(data, self.p)).begin(data)
        rows, target = training_rows(data, "RP0"), data.domain.target
        assert target is not None
        kind = RP0Classifier if target.kind == "sym" else RP0Regressor
        return kind(self._alike(), data.domain, Distance.of(rows, self.p)).begin(rows)

    def _arriving(self, data: Source) -> RP0Model:
        """The tree of rows that come in batches, of which one is in memory."""
        ranges: _Ranges = data.reduce(partial(_Ranges.of, self.p))
        model = RP0Model(self._alike(), data.domain, ranges.distance)
        batches = map(model.rows_of, batches_of(data, "RP0"))
        for rows in recut(batches, 2 * int(self.M)):
            model.add(rows)
        return model

    @available_if(lambda one: one.takes.rounds == "stream", "it keeps all rows; give it `boring`")
    def partial_fit(
        self, X: Any, y: Any = None, classes: Any = None, sample_weight: Any = None
    ) -> Any:
        """Let some more rows fall into their clusters; ranges stay those of the first ones."""
        del classes
        before: RP0Model | None = vars(self).get("model_")
        if before is None:
            return self.fit(X, y, sample_weight)
        table, _ = training_table(X, y, sample_weight, self, learned=before.domain)
        self.check_data(table)
        self.model_ = copy(before).add(table)
        self._remember(X, table.domain, None, first=False)
        self.labels_ = self.model_(table)
        return self


@dataclass(frozen=True)
class _Ranges:
    """The distance by the range of each number, as a tally that adds up."""

    distance: Distance

    @classmethod
    def of(cls, p: float, batch: Table) -> "_Ranges":
        return cls(Distance.of(batch, p))

    def __add__(self, other: "_Ranges") -> "_Ranges":
        a, b = self.distance, other.distance
        return _Ranges(Distance(a.names, np.fmin(a.lo, b.lo), np.fmax(a.hi, b.hi), a.p))
