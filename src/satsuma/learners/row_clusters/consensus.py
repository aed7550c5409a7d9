"""Consensus: rows that fall together again and again, however chance divides them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from satsuma.data.fields import FloatArray, Instance, Many, Number
from satsuma.data.schema import Schema
from satsuma.data.table import Table
from satsuma.errors import DomainError, ReadError, check_number, refuse
from satsuma.kernels.threads import map_tasks
from satsuma.learners.clusterer import Clusterer, ClusterNumbers
from satsuma.learners.learner import Learner
from satsuma.learners.queries import fitted
from satsuma.learners.row_clusters.agglomerative import chosen_k, joins, labels_at
from satsuma.learners.row_clusters.pair_distances import MOST_ROWS, check_rows, over_pairs
from satsuma.learners.rp0.rp0 import RP0
from satsuma.learners.takes import Takes, TakesBy
from satsuma.numerics.arrays import Codes, Floats


class ConsensusModel(Clusterer):
    """Clusters of rows that several models put together.

    Parameters
    ----------
    models
        The models of clusters.
    shares
        For each of their clusters, one model after the other, what share of each cluster of this
        one it has.
    """

    learner: Any

    schema: ClassVar[Schema] = Schema(
        "parts",
        "clusters",
        models=Many(Instance(Clusterer)),
        shares=FloatArray("parts", "clusters", low=0, high=1),
        rows=Number(low=1, whole=True),
    )

    def check_state(self) -> None:
        """There are models, and shares of the clusters of each."""
        super().check_state()
        if not self.models or not self.k:
            raise ReadError("a consensus has no models, or no clusters")
        if any(model.domain.attributes != self.domain.attributes for model in self.models):
            raise ReadError("the models of a consensus are of other columns")
        if sum(model.k for model in self.models) != len(self.shares):
            raise ReadError("a consensus has shares of clusters that its models do not have")

    def __init__(self, models: Sequence[Any], shares: Floats, rows: int) -> None:
        self.models, self.shares, self.rows = list(models), shares, rows

    @property
    def k(self) -> int:
        """How many clusters there are."""
        return self.shares.shape[1]

    def _labels(self, batch: Table) -> list[ClusterNumbers]:
        return [model.clusters(fitted(batch, model.domain)) for model in self.models]

    def clusters(self, batch: Table) -> ClusterNumbers:
        """The cluster of whose rows each row is with most, over all models."""
        score, first = np.zeros((len(batch), self.k)), 0
        for model, label in zip(self.models, self._labels(batch), strict=True):
            score += self.shares[first + label]
            first += model.k
        return score.argmax(axis=1).astype(np.int32)

    def together(self, rows: Table) -> Floats:
        """How often every two rows are in one cluster, as a share of the models: a square matrix.

        Examples
        --------
        >>> import satsuma
        >>> iris = satsuma.load("iris")
        >>> model = satsuma.Consensus(satsuma.RP0(M=20), t=10)(iris)
        >>> share = model.together(iris[[0, 1, 149]])
        >>> bool(share[0, 1] > share[0, 2])
        True
        """
        if len(rows) > MOST_ROWS:
            raise DomainError(f"{len(rows):,} rows have too many pairs. Ask about some of them.")
        found = np.zeros((len(rows), len(rows)))
        for label in self._labels(self._rows(rows)):
            found += label[:, None] == label
        return found / len(self.models)

    def __str__(self) -> str:
        return (
            f"{self.k} cluster{'s' * (self.k != 1)} of {self.rows:,} rows, by how often they are "
            f"together in {len(self.models)} models of {self.learner.member!r}"
        )


def _takes(learner: Any) -> Takes:
    inside = learner.member
    known = inside.takes if isinstance(inside, Learner) else Takes(target="nothing")
    return replace(known, target="nothing", weights=False, rounds="rows")


@dataclass(kw_only=True, eq=False)
class Consensus(Learner):
    """Rows are of one cluster if they fall together again and again (Strehl and Ghosh 2002).

    The rows are put into clusters several times, each time by another seed. The more often two rows
    are together, the nearer they are; by that nearness they are joined (average linkage). One
    random projection is quick and rough, and several of them agree on what is not chance.

    Parameters
    ----------
    learner
        One of clusters with a `seed`, such as `RP0`, which is taken unless another is given, or
        `KMeans`; it may stand first, without its name.
    t
        How often.
    k
        How many clusters; unless given, up to ten, as `Agglomerative` chooses them.
    seed
        The seed of the first time; the others follow it.

    Notes
    -----
    A row that is asked about belongs to the cluster with whose rows it is most often together.
    Every two rows are compared, of 20,000 at most.

    Examples
    --------
    >>> from satsuma import RP0, Consensus, load
    >>> iris = load("iris")
    >>> model = Consensus(RP0(M=20), t=20)(iris)
    >>> model.k, model(iris[0]) == model(iris[1])
    (5, True)
    """

    learner: Learner | None = None
    t: int = 20
    k: int | None = None
    seed: int = 0

    takes: ClassVar[Any] = TakesBy(_takes)

    @property
    def member(self) -> Any:
        """What finds clusters each time."""
        return RP0() if self.learner is None else self.learner

    def check(self) -> None:
        """A learner of clusters with a seed, how often, how many clusters, and a seed."""
        given: Any = self.member
        if not isinstance(given, Learner) or given.takes.target != "nothing":
            raise refuse(self, "learner", "a learner of clusters, such as RP0() or KMeans()")
        if not hasattr(given, "seed"):
            raise refuse(self, "learner", "a learner with a seed, or all times are the same")
        given.check()
        check_number(self, "t", low=1, whole=True)
        if self.k is not None:
            check_number(self, "k", low=1, whole=True)
        check_number(self, "seed", low=0, whole=True)

    def learn(self, data: Table) -> ConsensusModel:
        """Find clusters again and again, and join the rows that are together."""
        check_rows(data, "Consensus")
        member = self.member
        seeds = range(int(self.seed), int(self.seed) + int(self.t))
        models = map_tasks(lambda seed: replace(member, seed=seed)(data), seeds)
        if not isinstance(models[0], Clusterer):
            raise refuse(self, "learner", "a learner of clusters, such as RP0() or KMeans()")
        labels = np.column_stack([model(data) for model in models])
        apart = over_pairs(len(data), lambda at: (labels[at + 1 :] != labels[at]).mean(axis=1))
        merges = joins(apart, len(data), "average")
        k = chosen_k(merges[:, 2]) if self.k is None else min(int(self.k), len(data))
        label = labels_at(merges, k)
        shares = [_shares(labels[:, at], model.k, label) for at, model in enumerate(models)]
        return ConsensusModel(models, np.concatenate(shares), len(data))


def _shares(theirs: Any, count: int, label: Codes) -> Floats:
    """What share each of their clusters is of each of ours."""
    found = np.zeros((count, int(label.max()) + 1))
    np.add.at(found, (theirs, label), 1.0)
    return found / found.sum(axis=0)
