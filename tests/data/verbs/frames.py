"""Random tables with holes of every kind, and what polars has of them."""

import polars as pl
from hypothesis import strategies as st

from satsuma.data.table import Table

KINDS = {"n": "num", "m": "num", "s": "sym", "t": "text"}

NUMBERS = st.none() | st.integers(-3, 3).map(float) | st.sampled_from([-0.0, 0.1, 1e300, -1e-300])
WORDS = st.none() | st.sampled_from(["", "a", "b", "B", "aa", "é", "蜜柑", "10", "9"])


def tables(kinds=KINDS, most=12, least=0):
    """Tables with two columns of numbers, one of symbols, one of text."""
    cells = [NUMBERS if kind == "num" else WORDS for kind in kinds.values()]
    rows = st.lists(st.tuples(*cells), min_size=least, max_size=most)
    return rows.map(lambda rows: Table.of(rows, list(kinds), target=None, kinds=kinds))


def frame(table):
    """A polars data frame with the same cells; symbols are strings."""
    types = {v.name: pl.Float64 if v.kind == "num" else pl.String for v in table.domain}
    return pl.DataFrame([tuple(row) for row in table], schema=types, orient="row")


def cells(table):
    """The cells of a table as Python has them."""
    return [tuple(row) for row in table]
