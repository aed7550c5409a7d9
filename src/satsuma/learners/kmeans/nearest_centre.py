"""NearestCentreModel: models of clusters each of which has a centre."""

from typing import ClassVar

import numpy as np

from satsuma.data.domain import Domain
from satsuma.data.fields import FloatArray, IntArray, Maybe, Word
from satsuma.data.schema import Schema
from satsuma.data.table import Table
from satsuma.errors import ReadError
from satsuma.kernels import kmeans
from satsuma.kernels.threads import map_tiles
from satsuma.learners.clusterer import Clusterer, ClusterNumbers, check_codes
from satsuma.learners.kmeans.space import Cells, Space
from satsuma.numerics.arrays import Codes, Floats

#: Columns and clusters that are printed.
_COLUMNS, _CLUSTERS = 6, 20


class NearestCentreModel(Clusterer):
    """Clusters that have a centre: a row belongs to the nearest, or to the first of those.

    Parameters
    ----------
    domain
        The columns.
    lo, hi, scale
        The range of each column of numbers, and how it is used; see `Space`.
    at, mode
        The centres, in the units of the table: numbers and codes.
    weight
        What the rows of each cluster weigh.
    """

    schema: ClassVar[Schema] = Schema(
        "clusters",
        scale=Maybe(Word("range")),
        lo=FloatArray("num", missing=True, infinite=True),
        hi=FloatArray("num", missing=True, infinite=True),
        at=FloatArray("clusters", "num", missing=True),
        mode=IntArray("clusters", "sym", low=-1),
        weight=FloatArray("clusters", low=0),
    )

    def check_state(self) -> None:
        """There are clusters, and their modes are values of the columns."""
        super().check_state()
        if not self.k or not self.domain.attributes:
            raise ReadError(f"{type(self).__name__} has no clusters")
        check_codes(self.mode, self.domain)

    def __init__(
        self,
        domain: Domain,
        ranges: tuple[Floats, Floats],
        scale: str | None,
        centres: tuple[Floats, Codes],
        weight: Floats,
    ) -> None:
        self.domain, self.scale = domain, scale
        self.lo, self.hi = ranges
        self.at, self.mode = centres
        self.weight = weight

    @property
    def k(self) -> int:
        """How many clusters there are."""
        return len(self.at)

    @property
    def space(self) -> Space:
        """How rows are seen."""
        return Space(self.domain, self.lo, self.hi, self.scale)

    @property
    def centres(self) -> Table:
        """The centres, as rows with the columns that were learned from."""
        numbers, symbols = iter(self.at.T), iter(self.mode.T)
        attributes = self.domain.attributes
        columns = [
            np.ascontiguousarray(next(numbers if v.kind == "num" else symbols)) for v in attributes
        ]
        return Table(Domain(attributes), columns, name="centres")

    def _scaled(self) -> Cells:
        return Cells(self.space.scaled(self.at), self.mode)

    def clusters(self, batch: Table) -> ClusterNumbers:
        """The cluster of each row: that of the nearest centre."""
        space, centres = self.space, self._scaled()

        def part(lo: int, hi: int) -> ClusterNumbers:
            return kmeans.labels(*space.cells(batch[lo:hi]), *centres)

        # Tile by tile: a copy of all rows would take longer to make room for than to fill.
        return np.concatenate(map_tiles(part, len(batch), kmeans.TILE))

    def distances(self, batch: Table) -> Floats:
        """How far each row is from the centre of its cluster; see the notes of `KMeans`."""
        cells, centres = self.space.cells(batch), self._scaled()
        label = kmeans.labels(*cells, *centres)
        return np.sqrt(kmeans.distances(*cells, *centres, label))

    def squares(self, batch: Table) -> Floats:
        """The squared distance of each row from each centre."""
        cells, centres = self.space.cells(batch), self._scaled()
        found = np.empty((len(batch), self.k))
        for cluster in range(self.k):
            label = np.full(len(batch), cluster, np.int32)
            found[:, cluster] = kmeans.distances(*cells, *centres, label)
        return found

    def _heading(self) -> str:
        return f"{self.k} cluster{'s' if self.k > 1 else ''}"

    def __str__(self) -> str:
        lines = [self._heading()]
        shown = range(min(self.k, _CLUSTERS))
        lines += [f"{c}: {self.weight[c]:.6g} rows at {self._told(c)}" for c in shown]
        if self.k > _CLUSTERS:
            lines.append(f"and {self.k - _CLUSTERS} more")
        return "\n".join(lines)

    def _told(self, c: int) -> str:
        row = self.centres[c]
        parts: list[str] = []
        for v in self.domain.attributes[:_COLUMNS]:
            cell = row[v.name]
            said = f"{cell:.4g}" if isinstance(cell, float) else "?" if cell is None else cell
            parts.append(f"{v.name}={said}")
        more = len(self.domain.attributes) - _COLUMNS
        return ", ".join(parts) + (f" and {more} more" if more > 0 else "")
