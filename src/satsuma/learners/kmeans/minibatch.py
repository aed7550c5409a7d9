"""MiniBatchKMeans: centres that move with every batch of rows, of which one is in memory."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self, cast

import numpy as np

from satsuma.data.domain import Domain
from satsuma.data.fields import FloatArray, Number
from satsuma.data.schema import Schema
from satsuma.data.table import Table
from satsuma.data.time_features import more_rows, with_times
from satsuma.engines import Source, is_source
from satsuma.errors import DomainError, check_choice, check_number
from satsuma.kernels.kmeans import nearest_of
from satsuma.learners.checked_source import Checked
from satsuma.learners.clusterer import ClusterNumbers
from satsuma.learners.estimator.training_tables import training_table
from satsuma.learners.kmeans.centre_attributes import CentreAttributes
from satsuma.learners.kmeans.kmeans import SCALES
from satsuma.learners.kmeans.nearest_centre import NearestCentreModel
from satsuma.learners.kmeans.online import OnlineCentres, gather_cells
from satsuma.learners.kmeans.seeding import check_init, given_centres, is_given, savable_init
from satsuma.learners.learner import Learner
from satsuma.learners.stream_batches import batches_of
from satsuma.learners.takes import Takes

#: Rows that are laid out for the kernel at a time, at least; always whole batches.
_AHEAD = 16_384


class MiniBatchModel(NearestCentreModel):
    """Clusters around centres that have moved with every batch; `weight` is what each was given."""

    schema: ClassVar[Schema] = Schema(
        seen=Number(low=0, whole=True), shift=FloatArray("num", missing=True)
    )

    def __init__(self, online: OnlineCentres, domain: Domain) -> None:
        ranges, centres = (online.lo, online.hi), (online.at, online.mode)
        super().__init__(with_times(online.domain, domain), ranges, online.scale, centres, online.z)
        self.seen, self.shift = online.seen, online.shift

    def online(self, seed: int) -> OnlineCentres:
        """The centres, to be moved on; those of this model stay."""
        return OnlineCentres(
            Domain(self.domain.attributes), self.scale, seed, self.at.copy(), self.mode.copy(),
            self.weight.copy(), self.lo.copy(), self.hi.copy(), self.shift, self.seen,
        )  # fmt: skip

    def clusters(self, batch: Table) -> ClusterNumbers:
        """The cluster of each row; where a centre lacks a cell, it is as far away as can be."""
        if not np.isnan(self.at).any() and not (self.mode < 0).any():
            return super().clusters(batch)
        number, symbol = gather_cells(batch)
        shift = None if self.scale else self.shift
        return nearest_of(number, symbol, self.at, self.mode, self.lo, self.hi, shift)

    def _heading(self) -> str:
        return f"{super()._heading()}, from {self.seen} rows"


@dataclass(kw_only=True, eq=False)
class MiniBatchKMeans(CentreAttributes, Learner):
    """K-means in one pass: each batch is assigned to the centres, which then move towards it.

    The z-th row that a centre is given moves its numbers by 1/z of the way, and replaces each of
    its symbols with probability 1/z; the row that founded it was the first (Sculley 2010). A cell
    that the row lacks leaves the centre's as it is; one that the centre lacks is the row's.

    Parameters
    ----------
    k
        How many clusters; fewer come out where there are fewer different rows.
    batch
        Rows that are assigned before centres move.
    init
        Rows of the first batch that found the centres: ``k-means++`` or ``random``, as in
        `KMeans`; or the centres themselves, each of which counts as a row that was given.
    scale
        ``range`` brings each number to 0..1 by the range that its column had so far, for the
        distance alone; None leaves numbers as they are.
    seed
        For drawing, and for replacing symbols.

    Notes
    -----
    One batch is in memory at a time: learn from a table, from a source that has `batches`, or from
    any iterable of tables with the same columns; or call `partial_fit` with some rows after the
    other, which are cut into batches. Rows of a source are dealt into batches anew, so that it does
    not matter how it was cut.

    The order of rows matters, here as in any learner from a stream: law 1 does not hold for it. A
    row that weighs 2 moves a centre as far as two rows; a row that weighs 0 is left out. If the
    first batch has fewer than k different rows, later ones found the other centres. For a row, the
    cells that it lacks are left out of the distance; where only a centre lacks one it is as far
    away as the range allows, or differs.

    Examples
    --------
    >>> from satsuma import MiniBatchKMeans, Table
    >>> start = [{"x": 10}]
    >>> rows = Table.of([(20,), (30,), (0,)], ["x"], target=None)
    >>> MiniBatchKMeans(k=1, batch=2, init=start)(rows).centres["x"].tolist()
    [15.0]
    """

    k: int = 8
    batch: int = 1024
    init: Any = "k-means++"
    scale: str | None = "range"
    seed: int = 0

    takes: ClassVar[Takes] = Takes(target="nothing", rounds="stream")
    finds_infinite: ClassVar[bool] = True

    def check(self) -> None:
        """Every parameter has a range."""
        check_number(self, "k", low=1, whole=True)
        check_number(self, "batch", low=1, whole=True)
        check_init(self)
        check_choice(self, "scale", SCALES)
        check_number(self, "seed", low=0, whole=True)

    def check_data(self, data: Any) -> None:
        """Raise if this cannot be learned from; an iterable of tables can."""
        if isinstance(data, Table | Source) or not isinstance(data, Iterable):
            super().check_data(cast("Any", data))
        else:
            self.check()

    def __call__(self, data: Any, *, weights: Any = None) -> MiniBatchModel:
        """Learn from a table, a source that has batches, or an iterable of tables."""
        data = data if weights is None else self._weighted(data, weights)
        data = self.with_time_features(data)
        if isinstance(data, Table) or not is_source(data):
            self.check_data(data)
        else:
            data = Checked.of(self, data)
        return cast("MiniBatchModel", self._bound(self.learn(data), data))

    def learn(self, data: Any) -> MiniBatchModel:
        """One pass over all batches."""
        online: OnlineCentres | None = None
        first = Domain([])
        for batch in batches_of(data, type(self).__name__):
            rows = self.with_time_features(batch) if online is None else more_rows(batch, first)
            if online is None:
                first, online = rows.domain, self._start(rows.domain)
            self._take(online, rows)
        if online is not None:
            self._finish(online)
        return self._model(online, first)

    def partial_fit(  # pyright: ignore[reportIncompatibleVariableOverride]
        self, X: Any, y: Any = None, classes: Any = None, sample_weight: Any = None
    ) -> Self:
        """Go on with some more rows, cut into batches; the centres move on from where they are."""
        del classes
        before: MiniBatchModel | None = vars(self).get("model_")
        learned = None if before is None else before.domain
        table, _ = training_table(X, y, sample_weight, self, learned=learned)
        self.check_data(table)
        online = self._start(table.domain) if before is None else before.online(int(self.seed))
        self._take(online, table)
        self._finish(online)
        self.model_ = self._bound(self._model(online, table.domain), table)
        self._remember(X, table.domain, None, first=before is None)
        self.labels_ = self.model_(table)
        return self

    def _start(self, domain: Domain) -> OnlineCentres:
        given = given_centres(self, domain) if is_given(self.init) else None
        return OnlineCentres.start(domain, self.scale, int(self.seed), given)

    def _take(self, online: OnlineCentres, rows: Table) -> None:
        """Rows join those that wait; once they fill batches, they are learned from."""
        ahead = max(1, _AHEAD // self.batch) * self.batch
        start = 0
        while start < len(rows):
            stop = start + ahead - online.waiting
            online.wait(rows[start:stop])
            start = stop
            if online.waiting == ahead:
                self._finish(online)

    def _finish(self, online: OnlineCentres) -> None:
        """Learn from all rows that wait, a batch at a time."""
        rows = online.take_waiting()
        while len(rows) and len(online.at) < self.k:
            rest = online.add_centres(rows.of(slice(self.batch)), self.k, self.init)
            online.move(rest, self.batch)
            rows = rows.of(slice(self.batch, None))
        online.move(rows, self.batch)

    def _model(self, online: OnlineCentres | None, domain: Domain) -> MiniBatchModel:
        if online is None or not len(online.at):
            raise DomainError(
                f"{type(self).__name__} was given no row whose weight is not zero to learn from."
            )
        return MiniBatchModel(online, domain)

    def _alike(self) -> Self:
        return replace(super()._alike(), init=savable_init(self.init))
