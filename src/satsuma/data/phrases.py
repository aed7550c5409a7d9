"""Phrases: names, shares and quantities as they stand in a sentence."""

from satsuma.data.summary import cut

#: Characters of a name or a value in a sentence.
_NAME = 40


def quoted(name: str) -> str:
    """A name or a value as it stands in a sentence.

    Examples
    --------
    >>> quoted("age"), len(quoted("x" * 100))
    ("'age'", 42)
    """
    return f"'{cut(name, _NAME)}'"


def share(part: float, whole: float) -> str:
    """A part of a whole as a percentage that is 0 or 100 only where it is.

    Examples
    --------
    >>> share(1, 3), share(1, 1000), share(9999, 10000), share(2, 2)
    ('33 %', '0.1 %', '99.99 %', '100 %')
    """
    percent = 100 * part / whole if whole else 0.0
    near = min(percent, 100 - percent)
    places = 0 if near == 0 or near >= 1 else 1 if near >= 0.1 else 2 if near >= 0.01 else 3
    return f"{percent:.{places}f} %"


def quantity(n: int, noun: str, plural: str = "") -> str:
    """A number of things, with the noun in the singular or the plural.

    Examples
    --------
    >>> quantity(1, "row"), quantity(1200, "row"), quantity(2, "class", "classes")
    ('1 row', '1,200 rows', '2 classes')
    """
    return f"{n:,} {noun if n == 1 else plural or noun + 's'}"
