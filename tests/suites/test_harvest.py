"""The troubles of others' files, in the smallest files that have them."""

import pytest

from tests.suites.harvest import CASES
from tests.suites.outcomes import compare_grid, outcome

#: What is not read as it should be yet, and what comes of it at least; the aim is nothing.
NOT_YET = {
    "a title, semicolons": "refused",
    "a title, tabs": "refused",
    "a title, commas": "refused",
    "a title and a blank line": "refused",
    "a preamble of three lines": "refused",
    "comments in front, semicolons": "refused",
    "comments in front, commas": "refused",
    "comments, asked for": "refused",
    "comments of two signs, asked for": "refused",
    "lines to skip, asked for": "refused",
    "a line to leave out below, asked for": "refused",
    "blanks behind a closing quote": "refused",
    "an escape, asked for": "refused",
    "single quotes around every word": "refused",
    "a delimiter behind every row": "refused",
    "two bars, asked for": "refused",
    "a comma and a blank, asked for": "refused",
    "a section sign, asked for": "refused",
    "bzip2": "refused",
    "xz": "refused",
    "zip": "refused",
    "zip, named for what is in it": "refused",
    "ARFF with a comma behind every row": "refused",
    "the role m": "refused",
    "a role with properties": "refused",
    "properties without a role": "refused",
    "several classes": "refused",
    "a title padded with delimiters": "different",
    "a comment in front, one column": "different",
    "a comment behind a row": "different",
    "units below the names": "different",
    "two lines of names": "different",
    "rows of words and dates and no names": "different",
    "a total": "different",
    "a stray quote that hides a lost comma": "different",
    "single quotes in a column alone": "different",
    "a delimiter behind every line": "different",
    "colons": "different",
    "blanks": "different",
    "the type basket": "different",
    "comments among the rows": "but for rows",
    "a remark below": "but for rows",
    "a remark below a blank line": "but for rows",
    "lines of blanks": "but for rows",
    "a quote too many before a quoted cell": "but for rows",
    "a quote too many before a bare cell": "but for rows",
    "a backslash before a quote": "but for rows",
    "a backslash before a comma": "but for rows",
    "single quotes": "but for rows",
    "an empty cell too many": "but for rows",
    "an empty cell too many in front": "but for rows",
    "an empty cell too many at the end": "but for rows",
    "a row cut short": "but for rows",
    "a row of another delimiter": "but for rows",
    "Windows' characters": "by options",
}

#: What comes of a file, from bad to good.
BETTER = "crash", "different", "refused", "but for rows", "by options", "same"

RIGHT = {
    "at once": ("same",),
    "by options": ("same", "by options"),
    "refused": ("refused", "but for rows"),
}


@pytest.mark.parametrize("name", CASES)
def test_troubles_of_others(name, tmp_path):
    case = CASES[name]
    path = tmp_path / f"table.{case.ending}"
    path.write_bytes(case.content if isinstance(case.content, bytes) else case.content.encode())
    compare = compare_grid(case.names, case.rows) if case.rows else lambda _: "not refused"
    word, why = outcome(path, compare, {"target": "amount"}, **case.options)
    if name in NOT_YET:
        assert BETTER.index(word) >= BETTER.index(NOT_YET[name]), f"{word}: {why}"
        assert word not in RIGHT[case.ends], f"take {name!r} out of NOT_YET"
    else:
        assert word in RIGHT[case.ends], f"{word}: {why}"
