"""Keys: columns that name rows rather than tell anything about them."""

import numpy as np

from satsuma.data.cell_patterns import Shape, shape_of
from satsuma.data.table import Table

#: A table of fewer rows cannot tell a key from chance.
FEWEST = 20

#: From this share of different values on, symbols name rows.
SHARE = 0.9

#: Rows that are looked at to see whether numbers only count.
_LOOKED_AT = 1000


def key_like(table: Table) -> tuple[str, ...]:
    """The attributes that nearly tell rows apart: symbols that hardly repeat, numbers that count.

    A learner that divides by every value takes such a column for knowledge, and knows nothing of
    the next row.

    Examples
    --------
    >>> rows = [(f"row {k}", k % 3, "yes" if k % 2 else "no") for k in range(30)]
    >>> key_like(Table.of(rows, ["name", "size", "sweet"], kinds={"name": "sym"}))
    ('name',)
    """
    if len(table) < FEWEST:
        return ()
    found = (v.name for v in table.domain.attributes if _names_rows(table, v.name, v.kind))
    return tuple(found)


def _names_rows(table: Table, name: str, kind: str) -> bool:
    column = table.column(name)
    if kind == "num":
        return bool((np.diff(column[:_LOOKED_AT]) == 1).all())
    if kind != "sym" or len(table.domain[name].values) < SHARE * FEWEST:
        return False
    known = column[column >= 0]
    if len(known) < FEWEST or len(table.domain[name].values) < SHARE * len(known):
        return False
    return len(np.unique(known)) >= SHARE * len(known)


def doubts(table: Table) -> tuple[str, ...]:
    """A sentence for each column that is like a key, or that would be read better otherwise."""
    return tuple(_doubt(name, shape_of(table.domain[name].values)) for name in key_like(table))


def _doubt(name: str, shape: Shape | None) -> str:
    if shape is not None:
        return f"Column {name!r} holds {shape.what} as symbols, each by itself. {shape.remedy}"
    return (
        f"Column {name!r} is like a key: it tells rows apart, and nothing of rows to come. "
        f"Leave it out: table.with_roles({{{name!r}: 'meta'}})."
    )
