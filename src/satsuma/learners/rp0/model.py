"""Models of RP0: clusters alone, or with a model in each."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Self, cast

import numpy as np

from satsuma.data.columns import remap
from satsuma.data.domain import Domain
from satsuma.data.fields import Instance, Many
from satsuma.data.schema import Schema
from satsuma.data.table import Table
from satsuma.errors import DomainError, ReadError, SatsumaError
from satsuma.kernels.threads import map_tasks
from satsuma.learners.clusterer import Clusterer
from satsuma.learners.learner import Learner
from satsuma.learners.model import Classifier, Model, Query, Regressor
from satsuma.learners.queries import fitted, one_row
from satsuma.learners.rp0.insertion import IncrementalTree
from satsuma.measures.distance import Distance
from satsuma.numerics.arrays import Array, Floats


class RP0Model(IncrementalTree, Clusterer):
    """Clusters of rows, and the tree that leads to them."""

    def add(self, query: Query | Table) -> Self:
        """Let one more row, or a table of them, fall into their clusters; the model itself grows.

        A cluster that then holds more than 2M rows divides: the first side keeps its number, and
        the other gets a new one. The rows of a table arrive together, so that poles are drawn from
        all of them. The ranges of numbers stay those of the rows that were learned from: what lies
        beyond is taken to be at their end, and a symbol that is new is missing.

        Examples
        --------
        >>> import satsuma
        >>> iris = satsuma.load("iris")
        >>> model = satsuma.RP0(M=25)(iris[::3])
        >>> model.k
        1
        >>> model.add(iris[1]).add(iris[2::3]).k
        3
        """
        batch = self._rows(query)
        number, symbol = self.distance.cells(batch)
        first = self.root.n
        row = np.arange(first, first + len(batch))
        self.take({"number": number, "symbol": symbol, "row": row})
        return self


class _Answering(IncrementalTree):
    """Clusters with a model in each.

    Their rows are held as they are, too: a model is learned anew where they change.
    """

    models: list[Any]

    schema: ClassVar[Schema] = Schema(models=Many(Instance(Model), size="clusters"))

    def check_state(self) -> None:
        """The models predict the same thing, and the rows are held as they are."""
        super().check_state()
        for model in self.models:
            self.check_inside(model)
        if not self.held.keys() >= {f"column {name}" for name in self._columns}:
            raise ReadError("the clusters do not hold the columns of their rows")
        if not isinstance(self.learner.model, Learner):
            raise ReadError("the clusters have no learner for their models")

    def __init__(self, learner: Any, domain: Domain, distance: Distance) -> None:
        super().__init__(learner, domain, distance)
        self.models = []

    @property
    def _columns(self) -> list[str]:
        return [v.name for v in self.domain if v.role in ("x", "target")]

    def begin(self, table: Table, told: Mapping[str, Array] | None = None) -> Self:
        """Take the first rows, and learn from them."""
        super().begin(table, {**(told or {}), **self._told(table)})
        self._learn(range(self.k))
        return self

    def _told(self, table: Table) -> dict[str, Array]:
        return {f"column {name}": table.column(name) for name in self._columns}

    def add(self, query: Query | Table) -> Self:
        """Let one more row, or a table of them, fall into their clusters, and learn anew there.

        Rows whose target is not known, or is a class that was not there in learning, are left out.
        """
        given = query if isinstance(query, Table) else one_row(query, self.domain)
        batch = self._with_target(given)
        number, symbol = self.distance.cells(batch)
        first = self.root.n
        rows = {"number": number, "symbol": symbol, "row": np.arange(first, first + len(batch))}
        self._learn(self.take({**rows, **self._told(batch)}))
        return self

    def _with_target(self, given: Table) -> Table:
        target = self.target
        if target.name not in given.domain or given.domain[target.name].kind != target.kind:
            raise DomainError(
                f"Rows to learn from must have the target {target.name!r}, of kind {target.kind!r}."
            )
        told, batch = given.column(target.name), fitted(given, Domain(self.domain.attributes))
        if target.kind == "sym":
            values = given.domain[target.name].values
            told = remap(told, values, lambda value: target.codes.get(value, -1))
        known = ~np.isnan(told) if target.kind == "num" else told >= 0
        columns = [batch.column(v.name) for v in self.domain.attributes]
        rows = Table(Domain([*self.domain.attributes, target]), [*columns, told], check=False)
        return rows[np.flatnonzero(known)]

    def _learn(self, clusters: Sequence[int]) -> None:
        """Learn a model in each of some clusters."""
        self.models += [None] * (self.k - len(self.models))
        above = self._above()
        if clusters:
            made = map_tasks(lambda each: self._learned(each, above), clusters)
            for cluster, model in zip(clusters, made, strict=True):
                self.models[cluster] = model

    def _above(self) -> dict[int, int]:
        """The division above each division, and above each cluster as -1 - its number."""
        return {side: at for at, sides in enumerate(self.below.tolist()) for side in sides}

    def _learned(self, cluster: int, above: Mapping[int, int]) -> Model:
        """A model of the rows of a cluster, or, as far as need be, of more rows around it."""
        at = -1 - cluster
        while True:
            try:
                return self.learner.model(self._table(at))
            except SatsumaError:
                if at not in above:
                    raise
                at = above[at]

    def _table(self, at: int) -> Table:
        """The rows of a cluster, or of all below a division."""
        waiting, mine = [at], list[Array]()
        while waiting:
            here = waiting.pop()
            if here < 0:
                mine.append(self.members(-1 - here))
            else:
                waiting += self.below[here].tolist()
        rows = np.sort(np.concatenate(mine))
        columns = [self.held[f"column {name}"][rows] for name in self._columns]
        return Table(Domain(self.domain[name] for name in self._columns), columns, check=False)

    def _said(self, batch: Table, width: int) -> Floats:
        """What the model of each row's cluster says of it: rows by `width`."""
        found, clusters = np.empty((len(batch), width)), self.clusters(batch)
        order = np.argsort(clusters, kind="stable")
        present, starts = np.unique(clusters[order], return_index=True)
        parts = np.split(order, starts[1:])

        def ask(at: int) -> None:
            model, rows = self.models[present[at]], parts[at]
            asked = fitted(batch[rows], model.domain)
            if isinstance(model, Classifier):
                found[rows] = model.probabilities(asked)
            else:
                found[rows, 0] = cast("Regressor", model).numbers(asked)

        if len(present):
            map_tasks(ask, range(len(present)))
        return found

    def __str__(self) -> str:
        return f"{self.target.name}, by {self.learner.model!r} in each cluster\n{super().__str__()}"


class RP0Classifier(_Answering, Classifier):
    """Clusters, and a model of classes in each."""

    def probabilities(self, batch: Table) -> Floats:
        """What the model of each row's cluster says."""
        return self._said(batch, len(self.classes))


class RP0Regressor(_Answering, Regressor):
    """Clusters, and a model of numbers in each."""

    def numbers(self, batch: Table) -> Floats:
        """What the model of each row's cluster says."""
        return self._said(batch, 1)[:, 0]
