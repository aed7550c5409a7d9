"""What others' files taught: the smallest files with the same trouble, written anew.

They run everywhere, with or without the collections.
"""

import bz2
import gzip
import io
import lzma
import zipfile
from dataclasses import dataclass, field
from typing import Literal

#: The table that most files hold.
NAMES = ["day", "city", "amount"]
ROWS = [
    ["2024-01-15", "Rome", "12.5"],
    ["2024-02-03", "Oslo, East", "7"],
    ["2024-02-29", "Lima", "31.25"],
    ["2024-03-01", "Bonn", "4"],
]


@dataclass
class Case:
    """A small file with one trouble.

    Parameters
    ----------
    content
        Its text, or its bytes.
    ends
        How it may end: read at once, or also by the options that a refusal names, or refused only.
    names, rows
        What is in it; no rows if it has to be refused.
    ending
        The ending of its name.
    options
        What the user asks for from the start.
    """

    content: str | bytes
    ends: Literal["at once", "by options", "refused"] = "by options"
    names: list = field(default_factory=lambda: NAMES)
    rows: list = field(default_factory=lambda: ROWS)
    ending: str = "csv"
    options: dict = field(default_factory=dict)


def lines(rows=ROWS, names=NAMES, delimiter=",", end="\n"):
    """A plain file: cells that hold a delimiter or a quote are quoted."""
    return "".join(
        delimiter.join(_quoted(c, delimiter) for c in row) + end for row in [names, *rows]
    )


def _quoted(cell, delimiter):
    return f'"{cell}"' if delimiter in cell or "\n" in cell else cell


def with_line(at, text):
    """A plain file in which one line is another; line 1 has the names."""
    found = lines().splitlines(keepends=True)
    found[at - 1] = text + "\n"
    return "".join(found)


def _zipped(text, name="table.csv"):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr(name, text)
    return out.getvalue()


_NO_COMMA = [[cell.replace(",", "") for cell in row] for row in ROWS]
_TAB = "day\tcity\tamount\nstring\tdiscrete\tcontinuous\n{}\n" + "".join(
    "\t".join(row) + "\n" for row in ROWS
)
_ARFF = "@relation r\n@attribute x numeric\n@attribute y {a,b}\n@data\n"
_BOTH = {"names": ["x", "y"], "rows": [["1", "a"], ["2", "b"]], "ending": "arff"}

FIRST_LINES = {
    "a title, semicolons": Case("Sales report 2024\n" + lines(delimiter=";")),
    "a title, tabs": Case("Sales report 2024\n" + lines(delimiter="\t")),
    "a title, commas": Case("Sales report 2024\n" + lines()),
    "a title and a blank line": Case("Sales report 2024\n\n" + lines(delimiter=";")),
    "a title padded with delimiters": Case("Sales report 2024,,\n" + lines()),
    "a preamble of three lines": Case(
        "Exported by: office\nOn: 2024-03-02\nRows: 4\n" + lines(delimiter=";")
    ),
    "comments in front, semicolons": Case("# made by hand\n# twice\n" + lines(delimiter=";")),
    "comments in front, commas": Case("# made by hand, twice\n" + lines()),
    "a comment in front, one column": Case(
        "# made by hand\nx\n1.5\n2.5\n", names=["x"], rows=[["1.5"], ["2.5"]]
    ),
    "comments among the rows": Case(with_line(3, '# checked\n2024-02-03,"Oslo, East",7')),
    "a comment behind a row": Case(
        "a;b # what\n1;3 # why\n6;7\n", names=["a", "b"], rows=[["1", "3"], ["6", "7"]]
    ),
    "comments, asked for": Case(
        "! made by hand\n" + lines() + "! and read\n", "at once", options={"comment": "!"}
    ),
    "comments of two signs, asked for": Case(
        "// made, by hand\n" + lines(), "at once", options={"comment": "//"}
    ),
    "lines to skip, asked for": Case(
        "made by hand,,,\n\n" + lines(), "at once", options={"skip": 2}
    ),
    "sep= of Excel": Case("sep=;\n" + lines(delimiter=";"), "at once"),
    "units below the names": Case(with_line(1, "day,city,amount\n,,[kg]")),
    "two lines of names": Case(
        "sales,,costs\nday,city,amount\n" + lines().split("\n", 1)[1],
        names=[None] * 3,
    ),
    "rows of dates and no names": Case(lines().split("\n", 1)[1], names=[None] * 3),
    "rows of words and dates and no names": Case(
        "Ann,2013-11-23T02:30:31-08:00,PC\nBob,2014-11-22T16:43:51-08:00,Ltd\nCyd,2015-02-11T12:01:10-08:00,PC\n",
        names=[None] * 3,
        rows=[
            ["Ann", "2013-11-23T02:30:31-08:00", "PC"],
            ["Bob", "2014-11-22T16:43:51-08:00", "Ltd"],
            ["Cyd", "2015-02-11T12:01:10-08:00", "PC"],
        ],
    ),
    "rows of numbers and no names": Case(
        "1,2\n3,4\n5,6\n", names=[None] * 2, rows=[["1", "2"], ["3", "4"], ["5", "6"]]
    ),
    "no name for one column": Case(with_line(1, "day,,amount"), "at once"),
    "a name twice": Case(with_line(1, "day,day,amount"), "at once"),
}

LAST_LINES = {
    "a total": Case(lines(delimiter=";") + "Total;;54.75\n"),
    "a line to leave out below, asked for": Case(
        lines(delimiter=";") + "4 rows selected.\n", "at once", options={"footer": 1}
    ),
    "a remark below": Case(lines(delimiter=";") + "4 rows selected.\n"),
    "a remark below a blank line": Case(lines() + "\n4 rows selected.\n"),
    "blank lines": Case(lines() + "\n\n", "at once"),
    "no line end": Case(lines().rstrip("\n"), "at once"),
    "lines of blanks": Case(lines() + "   \n"),
}

QUOTES = {
    "a stray quote that hides a lost comma": Case(
        'a,b,c\n1,x,"p, q"\n2,y"r, s"\n3,z,t\n', "refused", rows=[]
    ),
    "a quote too many before a quoted cell": Case(
        with_line(3, '2024-02-03,""Oslo, East",7'),
        rows=[ROWS[0], ["2024-02-03", '"Oslo, East', "7"], *ROWS[2:]],
    ),
    "a quote too many before a bare cell": Case(
        with_line(4, '2024-02-29,"Lima,31.25'),
        rows=[*ROWS[:2], ["2024-02-29", '"Lima', "31.25"], ROWS[3]],
    ),
    "a quote alone in the last cell": Case(
        'a,b\n1,x\n2,"\n3,z\n', names=["a", "b"], rows=[["1", "x"], ["2", '"'], ["3", "z"]]
    ),
    "a backslash before a quote": Case(
        'a,b\n1,"say \\"no\\", now"\n2,x\n',
        names=["a", "b"],
        rows=[["1", 'say "no", now'], ["2", "x"]],
    ),
    "a backslash before a comma": Case(
        "a,b\n1,x\\, y\n2,z\n", names=["a", "b"], rows=[["1", "x, y"], ["2", "z"]]
    ),
    "blanks behind a closing quote": Case(
        'a,b,c\nu,"v" ,w\nx,y,"z"  \n',
        names=["a", "b", "c"],
        rows=[["u", "v", "w"], ["x", "y", "z"]],
    ),
    "an escape, asked for": Case(
        'a,b\n1,"say \\"no\\", now"\n2,x\n',
        "at once",
        names=["a", "b"],
        rows=[["1", 'say "no", now'], ["2", "x"]],
        options={"escape": "\\"},
    ),
    "single quotes": Case(lines().replace('"', "'")),
    "single quotes around every word": Case(
        "a;b\n'x';'y'\n'u;v';'w'\n", names=["a", "b"], rows=[["x", "y"], ["u;v", "w"]]
    ),
    "single quotes in a column alone": Case("a\n'x'\n'y'\n", names=["a"], rows=[["x"], ["y"]]),
}

ROWS_AMISS = {
    "an empty cell too many": Case(with_line(4, "2024-02-29,,Lima,31.25")),
    "an empty cell too many in front": Case(with_line(4, ",2024-02-29,Lima,31.25")),
    "an empty cell too many at the end": Case(with_line(4, "2024-02-29,Lima,31.25,")),
    "a delimiter behind every row": Case(lines(end=",\n").replace(",\n", "\n", 1)),
    "a delimiter behind every line": Case(lines(end=",\n")),
    "a row cut short": Case(
        with_line(4, "2024-02-29,Lima"), rows=[*ROWS[:2], ["2024-02-29", "Lima", ""], ROWS[3]]
    ),
    "a row of another delimiter": Case(with_line(4, "2024-02-29;Lima;31.25")),
    "a lost delimiter": Case(with_line(4, "2024-02-29Lima,31.25"), "refused", rows=[]),
}

DIALECTS = {
    "colons": Case(lines(_NO_COMMA, delimiter=":"), rows=_NO_COMMA),
    "blanks": Case(lines(ROWS[:1] + ROWS[2:], delimiter=" "), rows=ROWS[:1] + ROWS[2:]),
    "a caret, asked for": Case(lines(delimiter="^"), "at once", options={"delimiter": "^"}),
    "two bars, asked for": Case(lines(delimiter="||"), "at once", options={"delimiter": "||"}),
    "a comma and a blank, asked for": Case(
        'a, b, "c, d", e\n1, 2, "3, 4", 5\n',
        "at once",
        names=["a", "b", "c, d", "e"],
        rows=[["1", "2", "3, 4", "5"]],
        options={"delimiter": ", "},
    ),
    "a section sign, asked for": Case(lines(delimiter="§"), "at once", options={"delimiter": "§"}),
    "carriage returns": Case(lines(end="\r"), "at once"),
    "line ends of two sorts": Case(lines().replace("\n", "\r\n", 2), "at once"),
    "an ending that is not known": Case(lines(), ending="dat", options={"format": "csv"}),
}

_WEST = lines([["2024-01-15", "Köln", "1.5"], ["2024-01-16", "Nîmes", "2.5"]])
_WEST_ROWS = [["2024-01-15", "Köln", "1.5"], ["2024-01-16", "Nîmes", "2.5"]]
BYTES = {
    "Windows' characters": Case(_WEST.encode("cp1252"), "at once", rows=_WEST_ROWS),
    "UTF-16": Case(_WEST.encode("utf-16"), "at once", rows=_WEST_ROWS),
    "UTF-16 without a mark": Case(_WEST.encode("utf-16-le"), rows=_WEST_ROWS),
    "UTF-8 with a mark": Case(_WEST.encode("utf-8-sig"), "at once", rows=_WEST_ROWS),
    "gzip": Case(gzip.compress(lines().encode()), "at once", ending="csv.gz"),
    "bzip2": Case(bz2.compress(lines().encode()), "at once", ending="csv.bz2"),
    "xz": Case(lzma.compress(lines().encode()), "at once", ending="csv.xz"),
    "zip": Case(_zipped(lines()), "at once", ending="zip"),
    "zip, named for what is in it": Case(_zipped(lines()), "at once", ending="csv.zip"),
}

OTHER_FORMATS = {
    "ARFF with a comma behind every row": Case(_ARFF + "1,a,\n2,b,\n", "at once", **_BOTH),
    "sparse ARFF": Case(_ARFF + "{0 1}\n{0 2, 1 b}\n", "at once", **_BOTH),
    "relational ARFF": Case(
        "@relation r\n@attribute bag relational\n@attribute x numeric\n@end bag\n@data\n'1\\n2'\n",
        "refused",
        rows=[],
        ending="arff",
    ),
    "the role m": Case(_TAB.format("m\t\tclass"), "at once", ending="tab"),
    "a role with properties": Case(
        _TAB.format("meta type=image\t\tclass"), "at once", ending="tab"
    ),
    "properties without a role": Case(_TAB.format("\tlabel=x\tclass"), "at once", ending="tab"),
    "several classes": Case(_TAB.format("\tmulticlass\tmulticlass"), "at once", ending="tab"),
    "two classes": Case(_TAB.format("\tclass\tclass"), "at once", ending="tab"),
    "a property with a blank": Case(_TAB.format("m\ta=b\\ c -ordered\t"), "at once", ending="tab"),
    "names alone in a .tab": Case(lines(delimiter="\t"), "at once", ending="tab"),
    "cells left out at the end of a row of a .tab": Case(
        _TAB.format("") + "2024-03-02\n",
        "at once",
        rows=[*ROWS, ["2024-03-02", "", ""]],
        ending="tab",
    ),
    "a tab behind a row of a .tab": Case(
        _TAB.format("") + "2024-03-02\tRiga\t2\t\t\n",
        "at once",
        rows=[*ROWS, ["2024-03-02", "Riga", "2"]],
        ending="tab",
    ),
    "kinds and roles in a .csv": Case(
        lines().replace("\n", "\nstring,discrete,continuous\nmeta,,class\n", 1), "at once"
    ),
    "kinds and roles in the names of a .csv": Case(
        with_line(1, "mS#day,city,cC#amount"), "at once"
    ),
    "a basket": Case("milk, bread\nbeer=2, milk\n", "refused", rows=[], ending="basket"),
    "the type basket": Case(
        "x\tb\nc\tbasket\n\t\n1\ta b=2\n2\tc\n", "refused", rows=[], ending="tab"
    ),
}

CASES = FIRST_LINES | LAST_LINES | QUOTES | ROWS_AMISS | DIALECTS | BYTES | OTHER_FORMATS
