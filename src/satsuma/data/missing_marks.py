"""Missing marks: what people write into a cell that has nothing in it."""

import re
from collections.abc import Collection

#: Spellings of a missing cell among symbols, where nothing says that they are values.
SYMBOL_MISSING = (
    *(
        "?",
        "NA",
        "N/A",
        "n/a",
        "#N/A",
        "#NA",
        "n.a.",
        "N.A.",
        "k.A.",
        "k. A.",
        "<NA>",
        "NaT",
        "\\N",
    ),
    *("NaN", "nan", "-nan", "null", "NULL", "Null", "(null)", "(blank)"),
    *("-", "--", "---", "\u2013", "\u2014"),
    *("#VALUE!", "#DIV/0!", "#REF!", "#NAME?", "#NUM!", "#NULL!"),
)

#: Those in a column of numbers or times, where more words can be nothing else.
NUMBER_MISSING = (
    *SYMBOL_MISSING,
    *("na", "None", "none", "nil", "NIL", "s.o.", "*", ".", "..", "...", "missing", "unknown"),
)

_MARKS = frozenset(SYMBOL_MISSING)
_DASHES = frozenset(("-", "--", "---", "\u2013", "\u2014"))
_CODE = re.compile(r"[A-Z]{2}")

#: So many codes of two letters make a column of codes.
_CODES = 3


def symbol_marks(values: Collection[str]) -> frozenset[str]:
    """What stands for a missing cell in a column of symbols, given all of its strings.

    ``NA`` is a value among codes of two letters, a dash is one beside other signs such as a plus.

    Examples
    --------
    >>> "NA" in symbol_marks(["yes", "NA"]), "NA" in symbol_marks(["DE", "FR", "NA", "US"])
    (True, False)
    >>> "-" in symbol_marks(["+", "-"])
    False
    """
    marks = _MARKS
    if _are_codes(values):
        marks -= {"NA"}
    if not _DASHES.isdisjoint(values) and any(map(_is_sign, values)):
        marks -= _DASHES
    return marks


def _are_codes(values: Collection[str]) -> bool:
    count = 0
    for value in values:
        if value not in _MARKS:
            if _CODE.fullmatch(value) is None:
                return False
            count += 1
    return count >= _CODES


def _is_sign(value: str) -> bool:
    return value not in _MARKS and not any(map(str.isalnum, value))
