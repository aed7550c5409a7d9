"""Synonyms: other spellings of a value, as databases and files give them for the same cell.

A truth is True in Python, true in DuckDB and PostgreSQL, t in the files that PostgreSQL writes, and
1 in SQLite. A whole number is 1.0 where the column is held as floats.
"""

from collections.abc import Iterable, Iterator, Sequence

#: What is false and what is true, in the words that people and databases have for it.
_PAIRS = (("0", "1"), ("f", "t"), ("false", "true"), ("n", "y"), ("no", "yes"), ("off", "on"))

#: What a database or a file makes of a boolean.
_FALSE = ("false", "False", "FALSE", "f", "0", "0.0")
_TRUE = ("true", "True", "TRUE", "t", "1", "1.0")


def synonyms(values: Sequence[str]) -> dict[str, int]:
    """Spellings that none of the values of a column has, with the place of the value they mean.

    Examples
    --------
    >>> synonyms(["no", "yes"])["true"], synonyms(["1", "2"]), synonyms(["yes", "perhaps"])
    (1, {'1.0': 0, '2.0': 1}, {})
    """
    taken = set(values)
    return {spelled: code for spelled, code in _spellings(values) if spelled not in taken}


def truths(values: Iterable[str]) -> list[bool]:
    """Which values are true, if all of them are truths; else none.

    Examples
    --------
    >>> truths(["yes", "no"]), truths(["yes", "perhaps"])
    ([True, False], [])
    """
    words = [value.lower() for value in values]
    pairs = (pair for pair in _PAIRS if {*words} <= {*pair})
    pair = next(pairs, None) if len({*words}) == len(words) else None
    return [] if pair is None else [word == pair[1] for word in words]


def _spellings(values: Sequence[str]) -> Iterator[tuple[str, int]]:
    """Each other spelling, with the place of the value."""
    for code, value in enumerate(values):
        if _is_whole(value):
            yield f"{value}.0", code
    for code, truth in enumerate(truths(values)):
        yield from ((spelled, code) for spelled in (_TRUE if truth else _FALSE))


def _is_whole(value: str) -> bool:
    """Whether a value is a whole number, written as a database would write it."""
    digits = value.removeprefix("-")
    return digits.isascii() and digits.isdigit() and (digits[0] != "0" or value == "0")
