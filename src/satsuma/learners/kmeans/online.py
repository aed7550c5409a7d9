"""Online k-means: centres that move with every batch, and rows that wait for a full batch."""

from dataclasses import dataclass, field

import numpy as np

from satsuma.data.domain import Domain
from satsuma.data.table import Table
from satsuma.kernels import kmeans
from satsuma.learners.kmeans.seeding import draw_centres
from satsuma.learners.kmeans.space import Cells, Space, one_matrix, refuse_beyond
from satsuma.learners.queries import fitted
from satsuma.numerics.arrays import Codes, Floats
from satsuma.tallies.base import unify
from satsuma.tallies.by_class import columns_of, numbers_of, symbols_of, weights_of
from satsuma.tallies.content_hashes import hashes_of


def gather_cells(table: Table) -> Cells:
    """The cells of rows as they are; not copied where they lie side by side already."""
    numbers, symbols = columns_of(table, "num"), columns_of(table, "sym")
    together = one_matrix(numbers)
    if together is None:
        together = np.empty((len(table), len(numbers)))
        for at, column in enumerate(numbers):
            together[:, at] = column
    symbol = np.empty((len(table), len(symbols)), np.int32)
    for at, column in enumerate(symbols):
        symbol[:, at] = column
    return Cells(np.ascontiguousarray(together), symbol)


@dataclass(frozen=True)
class Rows:
    """Rows to be learned from: numbers as they are, codes, and what each weighs."""

    number: Floats
    symbol: Codes
    weight: Floats | None

    def __len__(self) -> int:
        return len(self.number)

    def of(self, which: slice | np.ndarray) -> "Rows":
        """Some of them."""
        weight = None if self.weight is None else self.weight[which]
        return Rows(self.number[which], self.symbol[which], weight)

    def __add__(self, other: "Rows") -> "Rows":
        weight = None
        if self.weight is not None or other.weight is not None:
            both = [np.ones(len(r)) if r.weight is None else r.weight for r in (self, other)]
            weight = np.concatenate(both)
        number = np.concatenate([self.number, other.number])
        return Rows(number, np.concatenate([self.symbol, other.symbol]), weight)


@dataclass
class OnlineCentres:
    """Centres in the units of the table, what each was given, and the range of columns so far.

    Parameters
    ----------
    domain
        The attributes; values of symbols may be added.
    scale
        As in `Space`.
    seed
        For replacing symbols.
    at, mode, z
        The centres, NaN and -1 for missing, and what each has been given.
    lo, hi
        The range of columns so far.
    shift
        What is subtracted before distances are found, without a scale: squares lose fewer digits.
    seen
        How many rows there were.
    """

    domain: Domain
    scale: str | None
    seed: int
    at: Floats
    mode: Codes
    z: Floats
    lo: Floats
    hi: Floats
    shift: Floats
    seen: int = 0
    _waiting: Rows | None = field(default=None, repr=False)

    @classmethod
    def start(
        cls, domain: Domain, scale: str | None, seed: int, given: Cells | None
    ) -> "OnlineCentres":
        """Before the first row; with the centres that were given, if any were."""
        attributes = Domain(domain.attributes)
        width, symbols = len(numbers_of(attributes)), len(symbols_of(attributes))
        at = np.empty((0, width)) if given is None else given.number.copy()
        mode = np.empty((0, symbols), np.int32) if given is None else given.symbol.copy()
        far = np.full(width, np.inf)
        shift = np.zeros(width) if given is None else np.nan_to_num(given.number[0])
        return cls(
            attributes, scale, seed, at, mode, np.ones(len(at)), far, -far, shift
        )  # fmt: skip

    @property
    def waiting(self) -> int:
        """How many rows wait."""
        return 0 if self._waiting is None else len(self._waiting)

    def wait(self, table: Table) -> None:
        """Rows that are to be learned from; values that are new are added to the domain."""
        attributes = Domain(table.domain.attributes)
        if attributes != self.domain:
            self.domain = Domain(unify(self.domain, attributes).attributes)
        rows = Rows(*gather_cells(fitted(table, self.domain)), weights_of(table))
        self._waiting = rows if self._waiting is None else self._waiting + rows

    def take_waiting(self) -> Rows:
        """The rows that wait, which do so no longer."""
        empty = np.empty((0, len(self.lo))), np.empty((0, self.mode.shape[1]), np.int32)
        rows, self._waiting = self._waiting, None
        return Rows(*empty, None) if rows is None else rows

    def move(self, rows: Rows, batch: int) -> None:
        """Assign the rows of each batch, then move the centres."""
        if not len(rows) or not len(self.at):
            return
        shift = None if self.scale else self.shift
        kmeans.batches(
            rows.number, rows.symbol, rows.weight, batch, self.at, self.mode, self.z, self.lo,
            self.hi, shift, self.seed, self.seen,
        )  # fmt: skip
        refuse_beyond(self.domain, self.lo, self.hi, list(rows.number.T))
        self.seen += len(rows)

    def add_centres(self, rows: Rows, k: int, init: str) -> Rows:
        """Rows found the centres that are lacking, the first row of each; the others are left."""
        some = slice(None) if rows.weight is None else rows.weight > 0
        known = rows.number[some]
        np.fmin(self.lo, np.fmin.reduce(known, axis=0, initial=np.inf), out=self.lo)
        np.fmax(self.hi, np.fmax.reduce(known, axis=0, initial=-np.inf), out=self.hi)
        refuse_beyond(self.domain, self.lo, self.hi, list(rows.number.T))
        chosen = self._drawn_rows(rows, k, init)
        if not len(self.at) and len(chosen):
            self.shift = np.nan_to_num(rows.number[chosen[0]])
        weight = np.ones(len(rows)) if rows.weight is None else rows.weight
        self.at = np.concatenate([self.at, rows.number[chosen]])
        self.mode = np.concatenate([self.mode, rows.symbol[chosen]])
        self.z = np.concatenate([self.z, weight[chosen]])
        self.seen += len(chosen)
        return rows.of(np.delete(np.arange(len(rows)), chosen))

    def _drawn_rows(self, rows: Rows, k: int, init: str) -> np.ndarray:
        """The numbers of rows that are drawn to be centres."""
        numbers, symbols = iter(list(rows.number.T)), iter(rows.symbol.T)
        columns = [next(numbers if v.kind == "num" else symbols) for v in self.domain]
        table = Table(self.domain, columns, check=False)
        space = Space(self.domain, self.lo, self.hi, self.scale)
        cells, hashes = space.cells(table), hashes_of(table, self.domain.attributes)
        middle = Cells(np.full((1, len(self.lo)), 0.0), np.zeros((1, self.mode.shape[1]), np.int32))
        held = Cells(space.scaled(self.at), self.mode) if len(self.at) else None
        _, found = draw_centres(
            cells, hashes, rows.weight, middle, k, init, self.seed, held=held
        )  # fmt: skip
        return np.array([int(np.flatnonzero(hashes == one)[0]) for one in found], np.intp)
