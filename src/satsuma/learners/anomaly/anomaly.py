"""Anomaly: outlier detection, an anomaly score of a row against those that were seen."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from satsuma.data.table import Table
from satsuma.errors import check_number
from satsuma.kernels.threads import map_tasks
from satsuma.learners.anomaly.model import AnomalyModel
from satsuma.learners.learner import Learner
from satsuma.learners.rp0.model import RP0Model
from satsuma.learners.rp0.rp0 import RP0
from satsuma.learners.takes import Takes
from satsuma.measures.distance import Distance
from satsuma.numerics.arrays import Array, Floats

#: Rows, evenly spaced, whose scores say what is an outlier.
_SCORED = 10_000


@dataclass(kw_only=True, eq=False)
class Anomaly(Learner):
    """An outlier is farther from the rows around it than these are from each other.

    The rows around it are those of its cluster, by `RP0`, and where these are fewer than M, some of
    the divisions above. How far it is from the nearest k of them, a, is compared with u, the median
    of the same for these rows: its anomaly score is a / (a + u), so that a half is usual, and one
    towards 1 is an outlier's. Scores are averaged over several trees of different poles. A missing
    cell is as far away as can be, as in `satsuma.distance`, from others that are missing, too:
    where missing values are usual they make no row an outlier.

    Parameters
    ----------
    trees
        How many trees.
    M
        A cluster divides once it holds more than 2M rows.
    k
        How many near rows a row is compared with. A row that is the same cell for cell is left out
        once: it may be the row itself.
    rows
        Rows that a tree is learned from, at most; of more, some are drawn at random for each tree.
    share
        The share of rows that are called outliers, by their score: what ``model.limit`` and
        `predict` go by.
    seed
        Where chance starts from.
    p
        The power of the distance, above 0.

    Notes
    -----
    Weights are refused, as rows are counted. As an estimator of scikit-learn this is a detector of
    outliers: `predict` says 1, or -1 for an outlier; `score_samples` is the anomaly score, negated.

    Examples
    --------
    >>> from satsuma import Anomaly, load
    >>> iris = load("iris")
    >>> model = Anomaly()(iris)
    >>> model(iris[0]) < 0.6
    True
    >>> row = {"Sepal.Length": 7.9, "Sepal.Width": 3, "Petal.Length": 1.4, "Petal.Width": 0.2}
    >>> model(row) > model.limit
    True
    >>> next(iter(model.why(row)))
    'Sepal.Length'
    """

    trees: int = 8
    M: int = 64
    k: int = 3
    rows: int = 8_192
    share: float = 0.01
    seed: int = 0
    p: float = 2.0

    takes: ClassVar[Takes] = Takes(target="nothing", weights=False, rounds="rows")
    keeps_labels: ClassVar[bool] = False

    def check(self) -> None:
        """Counts, a share and a power that can be."""
        for name in ("trees", "M", "k"):
            check_number(self, name, low=1, whole=True)
        check_number(self, "rows", low=2, whole=True)
        check_number(self, "share", low=0, high=1)
        check_number(self, "seed", low=0, whole=True)
        check_number(self, "p", low=1e-3, high=1e3)

    def learn(self, data: Table) -> AnomalyModel:
        """Learn the trees, and which scores are usual."""
        distance = Distance.of(data, self.p)

        def tree(at: int) -> RP0Model:
            rng = np.random.default_rng([self.seed, at])
            rows = data
            if len(data) > self.rows:
                rows = data[np.sort(rng.choice(len(data), self.rows, replace=False))]
            learner = RP0(M=self.M, seed=int(rng.integers(1 << 62)), p=self.p)
            return RP0Model(learner, data.domain, distance).begin(rows)

        model = AnomalyModel(map_tasks(tree, range(self.trees)), self.k)
        model.domain = data.domain
        some = np.linspace(0, len(data) - 1, min(len(data), _SCORED)).round().astype(np.intp)
        model.limit = float(np.quantile(model.scores(data[some]), 1 - self.share))
        return model

    def labelled(self, model: Any, table: Table) -> Array:
        """1 for each row, or -1 for outliers."""
        return np.where(model.scores(table) > model.limit, -1, 1)

    @property
    def offset_(self) -> float:
        """What `score_samples` is below for outliers."""
        return -self.model_.limit  # type: ignore[union-attr]

    def score_samples(self, X: Any) -> Floats:
        """The anomaly score with its sign changed: the less, the more of an outlier."""
        model, table = self.asked_rows(X)
        return -model.scores(table)  # type: ignore[attr-defined]

    def decision_function(self, X: Any) -> Floats:
        """Below 0 for outliers."""
        return self.score_samples(X) - self.offset_

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.estimator_type = "outlier_detector"
        return tags
