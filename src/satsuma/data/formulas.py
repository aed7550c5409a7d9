"""Formulas: what a spreadsheet would compute rather than show, and how to stop it."""

import re

#: A cell that begins so may be taken for a formula.
_STARTS = re.compile(r"[=+\-@\t\r\n]")

_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")


def like_formula(text: str) -> bool:
    """Whether a spreadsheet might compute a cell; a plain number is none.

    Examples
    --------
    >>> [like_formula(each) for each in ("=1+1", "@SUM(A1)", "-3.5", "a=b")]
    [True, True, False, False]
    """
    return bool(_STARTS.match(text)) and not _NUMBER.fullmatch(text)


def escaped(text: str) -> str:
    """The same text, with an apostrophe in front of what is like a formula.

    Examples
    --------
    >>> escaped("=1+1"), escaped("-3.5"), escaped("orange")
    ("'=1+1", '-3.5', 'orange')
    """
    return f"'{text}" if like_formula(text) else text


def unchanged(text: str) -> str:
    """The same text."""
    return text
