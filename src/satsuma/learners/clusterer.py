"""Clusterer: the contract of models that say which cluster a row belongs to."""

from abc import abstractmethod
from typing import Any

import numpy as np
import numpy.typing as npt

from satsuma.data.domain import Domain
from satsuma.data.table import Table
from satsuma.errors import ReadError, SatsumaError
from satsuma.learners.model import Model, Query
from satsuma.learners.predictions import Get, GetValue, clusters_of
from satsuma.numerics.arrays import Array

ClusterNumbers = npt.NDArray[np.int32]


def check_codes(codes: Array, domain: Domain) -> None:
    """Raise a `ReadError` unless codes (…, symbols) are those of values, or -1."""
    counts = [len(v.values) for v in domain.attributes if v.kind == "sym"]
    if (codes >= np.array(counts, np.int64)).any():
        raise ReadError("a code is of no value of its column")


class Clusterer(Model):
    """A model of clusters. They are numbered from 0; every row belongs to one of them."""

    @property
    @abstractmethod
    def k(self) -> int:
        """How many clusters there are."""

    @abstractmethod
    def clusters(self, batch: Table) -> ClusterNumbers:
        """The cluster of each row. The batch has the columns of this model."""

    def __call__(self, query: Query | Table, what: Get = GetValue) -> Any:
        """The number of a row's cluster; for a table, a column of them."""
        if what is not GetValue:
            raise SatsumaError(
                f"{type(self).__name__} says which cluster a row belongs to, without probabilities."
            )
        found = clusters_of(self, self._rows(query))
        return found if isinstance(query, Table) else int(found[0])
