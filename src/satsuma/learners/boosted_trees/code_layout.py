"""Layout: how the cells of each attribute become codes of one byte."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from satsuma.data.domain import Domain
from satsuma.data.table import Table
from satsuma.kernels.tree import between, code_rows
from satsuma.learners.tree.binning import Sample, bin_edges
from satsuma.numerics.arrays import Array, Codes, Floats, Integers

#: Codes that a column can have, beside that of missing.
MOST = 255


@dataclass(frozen=True)
class Layout:
    """The codes of all columns.

    Parameters
    ----------
    names
        The attributes.
    cuts
        Of a number: where one code ends and the next begins, and at the end the greatest number.
        Of a symbol, nothing.
    places
        Of a symbol: the code of each value, -1 where it has none and counts as missing. Of a
        number, nothing.
    """

    names: tuple[str, ...]
    cuts: tuple[Floats, ...]
    places: tuple[Codes, ...]

    @property
    def levels(self) -> Codes:
        """How many codes each column has; the one behind is that of missing."""
        each = zip(self.cuts, self.places, strict=True)
        found = [len(cuts) or int(places.max(initial=-1)) + 1 for cuts, places in each]
        return np.array(found, np.int32)

    @property
    def offset(self) -> Integers:
        """Where the bins of a column begin."""
        return np.cumsum([0, *(self.levels + 1).tolist()], dtype=np.int64)

    @property
    def symbols(self) -> Array:
        """1 for symbols."""
        return np.array([not len(cuts) for cuts in self.cuts], np.uint8)

    def codes(self, batch: Table, *, across: bool = False) -> tuple[Array, Array]:
        """Rows by columns, and columns by rows if that was asked for."""
        columns: list[Array] = []
        for name, cuts, places in zip(self.names, self.cuts, self.places, strict=True):
            column = batch.column(name)
            if not len(cuts):
                known = (column >= 0) & (column < len(places))
                column = np.where(known, np.append(places, np.int32(-1))[column * known], -1)
            columns.append(column)
        edges = [cuts if len(cuts) else None for cuts in self.cuts]
        records, _, turned = code_rows(columns, edges, self.levels, len(batch), across=across)
        return records, np.zeros((0, 0), np.uint8) if turned is None else turned


def cuts_of(column: Floats, bins: int) -> Floats:
    """Where codes of about as many values each end, half way to the next value; and the greatest.

    Examples
    --------
    >>> cuts_of(np.array([3.0, 1.0, np.nan, 3.0, 7.0]), 4).tolist()
    [2.0, 5.0, 7.0]
    """
    edges = bin_edges(column, bins)
    known = np.sort(column[~np.isnan(column)])
    if len(known):
        after = known[np.minimum(np.searchsorted(known, edges[:-1], "right"), len(known) - 1)]
        middles = [between(low, high) for low, high in zip(edges[:-1], after, strict=True)]
        return np.array([*middles, edges[-1]])
    return edges


def places_of(values: Sequence[str], weight: Floats) -> Codes:
    """The code of each value, in the order of the alphabet; of many, the most frequent have one.

    Examples
    --------
    >>> places_of(["b", "c", "a"], np.array([1.0, 0.0, 2.0])).tolist()
    [1, -1, 0]
    """
    seen = [at for at in range(len(values)) if weight[at] > 0]
    often = sorted(seen, key=lambda at: (-weight[at], values[at]))[:MOST]
    found = np.full(len(values), -1, np.int32)
    for place, at in enumerate(sorted(often, key=lambda at: values[at])):
        found[at] = place
    return found


def layout_of(domain: Domain, sample: Sample, weights: Sequence[Floats], bins: int) -> Layout:
    """The codes of the attributes of a domain.

    Parameters
    ----------
    domain
        The columns.
    sample
        Rows whose numbers are cut.
    weights
        Of symbols, what the rows with each value weigh.
    bins
        Codes of a number, at most.
    """
    cuts: list[Floats] = []
    places: list[Codes] = []
    at = 0
    for variable, weight in zip(domain.attributes, weights, strict=True):
        if variable.kind == "num":
            cuts.append(cuts_of(sample.cells[:, at], bins))
            places.append(np.zeros(0, np.int32))
            at += 1
        else:
            cuts.append(np.zeros(0))
            places.append(places_of(variable.values, weight))
    return Layout(tuple(v.name for v in domain.attributes), tuple(cuts), tuple(places))


def signs_of(names: Sequence[str], monotone: Mapping[str, int]) -> Array:
    """1 for a column that what is predicted may only rise with, -1 where it may only fall."""
    return np.array([monotone.get(name, 0) for name in names], np.int8)
