"""Rows as linear models of classes see them: columns by rows, in blocks, symbols kept sparse."""

from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from satsuma.data.columns import refuse_infinite
from satsuma.data.table import Table
from satsuma.kernels.threads import map_tiles
from satsuma.learners.linear.folded_scatter import FOLDS, folds_of
from satsuma.learners.matrix_learner import target_of
from satsuma.numerics.arrays import Array, Bools, Floats, Indices
from satsuma.prepare.encoding import FAR, Encoding
from satsuma.tallies.by_class import weights_of
from satsuma.tallies.features import attributes_of

#: Rows that are looked at together, and cells, so that their matrix stays in the cache.
_ROWS, _FEWEST_ROWS, _CELLS = 4096, 256, 1 << 18

#: Cells of the matrix of a batch that is kept from one round to the next (512 MB), at most.
_KEPT = 1 << 26

#: Symbols of more values than this are kept as codes: most of their columns are 0 in a row.
_FEW_VALUES = 16


class Layout(NamedTuple):
    """Which columns of the matrix are dense, and which are those of symbols of many values.

    Parameters
    ----------
    dense, sparse
        Their places, the constant being the first column of all.
    share
        The mean of each sparse column.
    owner, starts
        Of each sparse column, the symbol that it belongs to; of each such symbol, its first column.
    """

    dense: Indices
    sparse: Indices
    share: Floats
    owner: Indices
    starts: Indices

    def centred(self, slopes: Floats) -> Floats:
        """What values add, beside all values by their shares: (sparse columns, slopes)."""
        mean = np.add.reduceat(slopes * self.share, self.starts, axis=1)
        return np.ascontiguousarray((slopes - mean[:, self.owner]).T)

    def centred_sums(self, sums: Floats) -> Floats:
        """Sums over rows of centred columns, from those of ones: (sums, sparse columns)."""
        total = np.add.reduceat(sums, self.starts, axis=0)
        return (sums - self.share[:, None] * total[self.owner]).T


class Values(NamedTuple):
    """Which values of symbols of many values rows have.

    Parameters
    ----------
    ones
        A sparse matrix (rows, sparse columns).
    known
        (symbols, rows): whether the symbol is not missing.
    layout
        What the columns are.
    """

    ones: Any
    known: Bools
    layout: Layout


class EncodedBlock(NamedTuple):
    """Some rows: their matrix, with a constant in front; the places of their classes; weights.

    Parameters
    ----------
    x
        The columns, by rows; without those of `values`.
    told
        The places of the classes.
    weights
        What rows weigh.
    values
        Those of symbols of many values, if there are such.
    """

    x: Floats
    told: Array
    weights: Floats
    values: Values | None = None

    @property
    def width(self) -> int:
        """How many columns there are, with the constant."""
        return len(self.x) + (0 if self.values is None else len(self.values.layout.sparse))

    def scores(self, at: Floats) -> Floats:
        """Weighted sums of columns: those of each row of `at`, by rows."""
        if self.values is None:
            return at @ self.x
        layout = self.values.layout
        found = at[:, layout.dense] @ self.x
        found += (self.values.ones @ layout.centred(at[:, layout.sparse])).T
        return found

    def sums(self, of: Floats) -> Floats:
        """Sums over rows of columns times each row of `of`."""
        if self.values is None:
            return of @ self.x.T
        layout, found = self.values.layout, np.empty((len(of), self.width))
        found[:, layout.dense] = of @ self.x.T
        sums = self.values.ones.T @ np.ascontiguousarray(of.T)
        found[:, layout.sparse] = layout.centred_sums(sums)
        return found

    def columns(self, places: Indices) -> Floats:
        """Some columns, by rows: those that are there, if it is all of them."""
        if self.values is None:
            return self.x if len(places) == len(self.x) else self.x[places]
        layout = self.values.layout
        at = np.empty(self.width, np.intp)
        at[layout.dense] = np.arange(len(layout.dense))
        at[layout.sparse] = np.arange(len(layout.sparse))
        sparse = np.zeros(self.width, bool)
        sparse[layout.sparse] = True
        sparse, at = sparse[places], at[places]
        found = np.empty((len(places), len(self.told)))
        found[~sparse] = self.x[at[~sparse]]
        some = at[sparse]
        share = layout.share[some, None] * self.values.known[layout.owner[some]]
        found[sparse] = self.values.ones[:, some].toarray().T - share
        return found

    def take(self, rows: Array) -> "EncodedBlock":
        """Some of the rows."""
        values = self.values
        if values is not None:
            values = values._replace(ones=values.ones[rows], known=values.known[:, rows])
        return EncodedBlock(self.x[:, rows], self.told[rows], self.weights[rows], values)


class EncodedRows:
    """What becomes of a batch of rows; that of the last batch is kept, unless it is large.

    Parameters
    ----------
    encoding
        How rows become a matrix.
    seen
        The codes of the classes that weigh something; rows of no such class are left out.
    folded
        Whether the rows of a batch are asked for by the fold that they are in.
    """

    def __init__(self, encoding: Encoding, seen: Array, *, folded: bool = False) -> None:
        self.encoding, self.seen, self.folded = encoding, seen, folded
        self._kept: tuple[Table, list[list[EncodedBlock]]] | None = None

    def of(self, batch: Table) -> list[EncodedBlock]:
        """The rows of a batch, in blocks."""
        return [block for blocks in self.parts(batch) for block in blocks]

    def parts(self, batch: Table) -> list[list[EncodedBlock]]:
        """The rows of a batch that are in each fold, if it is `folded`, in blocks."""
        kept = self._kept
        if kept is not None and kept[0] is batch:
            return kept[1]
        size = min(max(_CELLS // len(self.layout.dense), _FEWEST_ROWS), _ROWS)
        blocks = map_tiles(_Batch(self, batch).blocks, len(batch), size)
        found = [list(part) for part in zip(*blocks, strict=True)]
        if len(batch) * len(self.layout.dense) <= _KEPT:
            self._kept = batch, found
        return found

    @cached_property
    def layout(self) -> Layout:
        """Which columns are dense."""
        encoding = self.encoding
        sizes = [len(v.values) if v.kind == "sym" else 1 for v in attributes_of(encoding.domain)]
        owner = np.repeat(np.arange(len(sizes)), sizes)
        many = np.array(sizes, np.intp)[owner] > _FEW_VALUES
        sparse = 1 + np.flatnonzero(many)
        dense = np.setdiff1d(np.arange(1 + len(encoding.mean)), sparse)
        of, starts, owner = np.unique(owner[many], return_index=True, return_inverse=True)
        del of
        return Layout(dense, sparse, encoding.mean[sparse - 1], owner, starts)

    def __getstate__(self) -> dict[str, Any]:
        return vars(self) | {"_kept": None}


class _Batch:
    """A batch of rows whose blocks are asked for."""

    def __init__(self, rows: EncodedRows, batch: Table) -> None:
        assert batch.domain.target is not None, "classes are looked at only where there are some"
        self.encoding, self.layout = rows.encoding, rows.layout
        place = np.full(len(batch.domain.target.values) + 1, -1)  # the last is of missing ones
        place[rows.seen] = np.arange(len(rows.seen))
        self.told, weights = place[target_of(batch)], weights_of(batch)
        self.weights = np.ones(len(batch)) if weights is None else weights
        self.folds = folds_of(batch) if rows.folded else None
        self.columns = [(v, batch.column(v.name)) for v in attributes_of(self.encoding.domain)]
        self.lost = [self.encoding.is_missing(batch, name) for name in self.encoding.informative]

    def blocks(self, lo: int, hi: int) -> list[EncodedBlock]:
        """Some rows, in one block, or in one for each fold."""
        told, weights = self.told[lo:hi], self.weights[lo:hi]
        with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
            x = self._dense(lo, hi)
        block = EncodedBlock(x, told, weights, self._values(lo, hi))
        used = (told >= 0) & (weights > 0)
        if self.folds is None:
            return [block if used.all() else block.take(np.flatnonzero(used))]
        folds = np.where(used, self.folds[lo:hi], -1)
        return [block.take(np.flatnonzero(folds == fold)) for fold in range(FOLDS)]

    def _dense(self, lo: int, hi: int) -> Floats:
        """The columns of numbers, and of symbols of few values, centred and scaled."""
        mean, scale = self.encoding.mean, self.encoding.scale
        x = np.empty((len(self.layout.dense), hi - lo))
        x[0] = 1.0
        at, first = 1, 0
        for variable, column in self.columns:
            if variable.kind == "num":
                _standardize(variable.name, column[lo:hi], mean[first], scale[first], x[at])
                at, first = at + 1, first + 1
                continue
            size = len(variable.values)
            if size <= _FEW_VALUES:
                values = slice(first, first + size)
                codes = self.encoding.seen_codes(column[lo:hi], values)
                x[at : at + size] = codes == np.arange(size)[:, None]
                x[at : at + size] -= mean[values, None]
                x[at : at + size, codes < 0] = 0.0
                at += size
            first += size
        for lost in self.lost:
            x[at] = lost[lo:hi] - mean[first]
            at, first = at + 1, first + 1
        return x

    def _values(self, lo: int, hi: int) -> Values | None:
        """Which values rows have of symbols of many."""
        if not len(self.layout.sparse):
            return None
        from scipy.sparse import csr_array

        known, columns = list[Bools](), list[Array]()
        first = before = 0
        for variable, column in self.columns:
            size = len(variable.values) if variable.kind == "sym" else 1
            if size > _FEW_VALUES:
                codes = self.encoding.seen_codes(column[lo:hi], slice(first, first + size))
                known.append(codes >= 0)
                columns.append(codes + np.int32(before))
                before += size
            first += size
        there = np.stack(known, axis=1)
        ends = np.zeros(hi - lo + 1, np.int32)
        ends[1:] = np.cumsum(there.sum(axis=1))
        places = np.stack(columns, axis=1)[there].astype(np.int32)
        ones = csr_array((np.ones(len(places)), places, ends), shape=(hi - lo, before))
        return Values(ones, np.ascontiguousarray(there.T), self.layout)


def _standardize(name: str, column: Array, mean: float, scale: float, out: Floats) -> None:
    """Standardize a number; a missing one is 0."""
    np.subtract(column, mean, out=out)
    out *= 1.0 / scale
    if not float(out @ out) <= FAR:  # as it is where a cell is missing
        refuse_infinite(name, column)
        np.clip(out, -FAR, FAR, out=out)
        out[np.isnan(out)] = 0.0
