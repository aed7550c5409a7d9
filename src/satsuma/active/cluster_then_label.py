"""ClusterThenLabel: semi-supervised learning from labels that are spread inside clusters."""

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, ClassVar

import numpy as np

from satsuma.active.semi_supervised import (
    Learned,
    SemiSupervised,
    has_label,
    labels_of,
    takes_unlabelled,
    weights_or_ones,
    with_labels,
)
from satsuma.data.table import Table
from satsuma.errors import check_number, refuse
from satsuma.kernels.threads import map_tasks
from satsuma.learners.ensembles.ensemble import takes_of_member
from satsuma.learners.learner import Learner
from satsuma.learners.rp0.rp0 import RP0
from satsuma.learners.takes import Takes, TakesBy
from satsuma.numerics.arrays import Codes, Floats


def _takes(learner: Any) -> Takes:
    inside = replace(takes_unlabelled(learner), target=takes_of_member(learner.learner).target)
    found = learner.clusterer
    known: Takes = found.takes if isinstance(found, Learner) else Takes()
    kinds = tuple(kind for kind in inside.kinds if kind in known.kinds)
    return replace(inside, kinds=kinds, missing=inside.missing and known.missing)


@dataclass(kw_only=True, eq=False)
class ClusterThenLabel(SemiSupervised):
    """Rows are clustered, and those without a label get the most common one of their clusters.

    Clusters are found several times, from other seeds: what often falls together is alike.
    Each time a row is given the shares of the classes among the labelled rows of its cluster, and
    the class with the largest sum becomes its label, the first of several. A row that never
    falls together with a labelled one gets none. Then the learner learns from all labels. Of labels
    that are numbers, it is the mean of the means of the clusters.

    Parameters
    ----------
    learner
        Any learner of classes or numbers; it may stand first, without its name.
    folds
        Into how many parts known labels are dealt, to be held back in turn and found again.
    seed
        Where chance starts from in dealing.
    clusters
        A learner of clusters; None for ``RP0(M=8)``, of which none has more than 16 rows: with a
        tenth of the labels, one or two of them. It learns from all rows, without their weights.
    t
        How often rows are clustered; once, if the learner of clusters has no seed.

    Examples
    --------
    >>> import satsuma
    >>> from satsuma import ClusterThenLabel, NaiveBayes, Table
    >>> few = [(x, x > 5 if x % 3 == 0 else None) for x in range(12)]
    >>> model = ClusterThenLabel(NaiveBayes(), folds=2, t=5)(Table.of(few, ["x", "big"]))
    >>> model.spread.labelled, model.spread.unlabelled, model({"x": 9})
    (4, 8, 'True')
    """

    clusters: Learner | None = None
    t: int = 20

    takes: ClassVar[Any] = TakesBy(_takes)
    of_numbers: ClassVar[bool] = True

    def check(self) -> None:
        """A learner that predicts, a learner of clusters, and how often these are found."""
        super().check()
        clusterer = self.clusterer
        if not isinstance(clusterer, Learner) or clusterer.takes.target != "nothing":
            raise refuse(self, "clusters", "a learner of clusters")
        clusterer.check()
        check_number(self, "t", low=1, whole=True)

    @property
    def clusterer(self) -> Any:
        """What finds clusters."""
        return RP0(M=8) if self.clusters is None else self.clusters

    def look(self, rows: Table) -> list[Codes]:
        """The cluster of each row, as often as clusters are found."""
        asked = rows.select(v.name for v in rows.domain if v.role != "weight")
        clusterer = self.clusterer
        if not any(each.name == "seed" for each in fields(clusterer)):
            return [clusterer(asked).clusters(asked)]

        def grouped(at: int) -> Codes:
            return replace(clusterer, seed=clusterer.seed + at)(asked).clusters(asked)

        return map_tasks(grouped, range(int(self.t)))

    def spread(self, rows: Table, seen: Sequence[Codes]) -> Learned:
        """Labels by the clusters that were found, and a model of all labels."""
        codes = labels_of(rows).copy()
        bare = np.flatnonzero(~has_label(codes))
        if codes.dtype.kind == "f":
            codes[bare] = _means_around(codes, weights_or_ones(rows), seen)[bare]
            some = np.flatnonzero(has_label(codes))
            return Learned(self.learner(with_labels(rows, codes)[some]), codes)
        sums = sum(_shares_around(codes, weights_or_ones(rows), groups)[bare] for groups in seen)
        found = np.asarray(sums)
        codes[bare] = np.where(found.any(axis=1), found.argmax(axis=1), -1)
        return Learned(self.learner(with_labels(rows, codes)[np.flatnonzero(codes >= 0)]), codes)


def _shares_around(codes: Codes, weights: Floats, groups: Codes) -> Floats:
    """Rows by classes: the share of each class among the labelled rows of a row's group."""
    known = np.flatnonzero(codes >= 0)
    counts = np.zeros((int(groups.max()) + 1, int(codes.max()) + 1))
    np.add.at(counts, (groups[known], codes[known]), weights[known])
    counts /= np.maximum(counts.sum(axis=1, keepdims=True), np.finfo(float).tiny)
    return counts[groups]


def _means_around(numbers: Floats, weights: Floats, seen: Sequence[Codes]) -> Floats:
    """The mean, over clusterings, of the mean label of a row's group; NaN where there is none."""
    known = np.flatnonzero(~np.isnan(numbers))
    total, times = np.zeros((2, len(numbers)))
    for groups in seen:
        many = int(groups.max()) + 1
        mass = np.bincount(groups[known], weights[known], minlength=many)
        sums = np.bincount(groups[known], weights[known] * numbers[known], minlength=many)
        some = mass[groups] > 0
        total[some] += (sums / np.maximum(mass, np.finfo(float).tiny))[groups][some]
        times += some
    return np.where(times > 0, total / np.maximum(times, 1), np.nan)
