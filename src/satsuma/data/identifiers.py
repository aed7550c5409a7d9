"""Keys: columns that name rows rather than tell anything about them."""

import re
from collections.abc import Collection, Iterable, Sequence
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from satsuma.data.domain import Domain
from satsuma.data.notes import column_list, note
from satsuma.data.table import Table
from satsuma.data.time_features import time_of_feature
from satsuma.numerics.arrays import Floats

if TYPE_CHECKING:
    from satsuma.data.cell_patterns import Shape

#: A table of fewer rows cannot tell a key from chance.
FEWEST = 20

#: From this share of different values on, symbols name rows.
SHARE = 0.9

#: From this share on, e-mail addresses and telephone numbers do.
ADDRESSES = 0.5

#: Rows, or values, that are looked at to see whether numbers only count, or are addresses.
LOOKED_AT = 1000

#: Whole numbers in this range that go up by one are years.
_YEARS = 1500, 2200

_ADDRESS = re.compile(r"[^@\s]+@[^@\s]+\.[^@\s]+|\+\d[\d ()/.-]{6,}")


def key_like(table: Table) -> tuple[str, ...]:
    """The attributes that nearly tell rows apart: symbols that hardly repeat, numbers that count.

    A learner that divides by every value takes such a column for knowledge, and knows nothing of
    the next row. The days of a table with a row for each day count rows, too, but say when it was.

    Examples
    --------
    >>> rows = [(f"row {k}", k % 3, "yes" if k % 2 else "no") for k in range(30)]
    >>> key_like(Table.of(rows, ["name", "size", "sweet"], kinds={"name": "sym"}))
    ('name',)
    """
    if len(table) < FEWEST:
        return ()
    asked = [v for v in table.domain.attributes if time_of_feature(v.name) is None]
    return tuple(v.name for v in asked if _names_rows(table, v.name, v.kind))


def _names_rows(table: Table, name: str, kind: str) -> bool:
    column = table.column(name)
    if kind == "num":
        return counts_rows(column)
    values = table.domain[name].values
    if kind != "sym" or len(values) < SHARE * FEWEST / 2:
        return False
    first = column[: 4 * len(values)]
    if len(values) < ADDRESSES * np.count_nonzero(first >= 0):  # most symbols repeat soon
        return False
    known = column[column >= 0]
    used: list[int] = np.unique(known).tolist()
    return symbols_name_rows([values[code] for code in used], len(known))


def counts_rows(column: Floats) -> bool:
    """Whether numbers go up by one from row to row; years may do so and say something."""
    first = column[:LOOKED_AT]
    if len(first) < FEWEST or first[1] - first[0] != 1 or not (np.diff(first) == 1).all():
        return False
    return not (_YEARS[0] <= first[0] and first[-1] <= _YEARS[1])


def symbols_name_rows(values: Collection[str], known: int) -> bool:
    """Whether symbols tell rows apart: they hardly repeat, or are addresses of people.

    Parameters
    ----------
    values
        The symbols that there are.
    known
        How many cells hold one.

    Examples
    --------
    >>> symbols_name_rows([f"row {n}" for n in range(30)], 30)
    True
    >>> people = [f"j.doe{n}@example.org" for n in range(30)]
    >>> symbols_name_rows(people, 50), symbols_name_rows(people, 500)
    (True, False)
    """
    if known < FEWEST or len(values) < ADDRESSES * known:
        return False
    if len(values) >= SHARE * known:
        return True
    return all(map(_ADDRESS.fullmatch, islice(values, LOOKED_AT)))


def set_keys_aside(table: Table, said: Collection[str] = ()) -> Table:
    """The table with keys in the role ``meta``, and a note on each; see `keys_to_set_aside`."""
    names = keys_to_set_aside(table.domain, key_like(table), said)
    if not names:
        return table
    return table.with_roles(dict.fromkeys(names, "meta")).with_notes(*keys_note(names))


def keys_note(names: Sequence[str]) -> list[str]:
    """What to say about keys that are not learned from; nothing where there are none."""
    if not names:
        return []
    say, one = ("says", "it") if len(names) == 1 else ("say", "one")
    return [note("keys", columns=column_list(names, "names"), say=say, one=one, name=names[0])]


def keys_to_set_aside(
    domain: Domain, keys: Iterable[str], said: Collection[str]
) -> tuple[str, ...]:
    """The keys that are not to be learned from unless somebody says so.

    Not those whose role was said, nor those that hold amounts or dates as symbols; and none where
    there would be nothing left to learn from.
    """
    new = [name for name in keys if name not in said]
    found = [name for name in new if _shape(domain, name) is None]
    return tuple(found) if len(found) < len(domain.attributes) else ()


def doubts(table: Table) -> tuple[str, ...]:
    """A sentence for each column that is like a key, or that would be read better otherwise."""
    return tuple(_doubt(name, _shape(table.domain, name)) for name in key_like(table))


def _shape(domain: Domain, name: str) -> "Shape | None":
    """What the values of a column look like, if like amounts or dates."""
    from satsuma.data.cell_patterns import shape_of  # few tables have keys

    return shape_of(domain[name].values)


def _doubt(name: str, shape: "Shape | None") -> str:
    if shape is not None:
        return note("like amounts", name=name, what=shape.what, remedy=shape.remedy(name))
    return note("like a key", name=name)
