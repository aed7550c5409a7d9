"""Nasty CSV files: each is read right, or refused with file, line and remedy; none is altered."""

import gzip
from typing import NamedTuple

import pyarrow as pa
import pytest

from satsuma.data.formats.delimited import text_blocks as blocks
from satsuma.errors import ReadError
from tests.tables import read_delimited


class Good(NamedTuple):
    """A file that can be read, and every cell of it: numbers as floats, symbols as strings."""

    name: str
    content: bytes
    columns: dict
    options: dict = {}  # noqa: RUF012 - nobody writes to it
    note: str = ""


class Bad(NamedTuple):
    """A file that is refused: the line to blame, what is said of it, and what of the remedy."""

    name: str
    content: bytes
    line: int
    what: str
    remedy: str
    options: dict = {}  # noqa: RUF012


LONG = "é" * 3_000_000
MANY = 10_000
SIXTY = 60_000

GOOD = [
    # Encodings
    Good(
        "a byte order mark",
        b"\xef\xbb\xbfa,b\n1,x\n",
        {"a": [1.0], "b": ["x"]},
        note="A byte order mark was left out at the start.",
    ),
    Good(
        "two byte order marks",
        b"\xef\xbb\xbf\xef\xbb\xbfa,b\n1,x\n",
        {"a": [1.0], "b": ["x"]},
        note="2 byte order marks were left out at the start.",
    ),
    Good(
        "a byte order mark and the encoding by another name",
        b"\xef\xbb\xbfa,b\n1,x\n",
        {"a": [1.0], "b": ["x"]},
        {"encoding": "UTF8"},
        note="A byte order mark was left out at the start.",
    ),
    Good(
        "a byte order mark before a quote",
        b'\xef\xbb\xbf"a, b"\nx\n',
        {"a, b": ["x"]},
        {"delimiter": ","},
        note="A byte order mark was left out at the start.",
    ),
    Good("UTF-8 of every length", "ä,b\né,€🍊\n".encode(), {"ä": ["é"], "b": ["€🍊"]}),
    Good(
        "latin-1, said so",
        "à,b\né,1\n".encode("latin-1"),
        {"à": ["é"], "b": [1.0]},
        {"encoding": "latin-1"},
    ),
    Good(
        "latin-1 in a cell",
        "a,b\n1,x\n2,é\n".encode("latin-1"),
        {"a": [1.0, 2.0], "b": ["x", "é"]},
        note="Read as cp1252, by its bytes.",
    ),
    Good(
        "latin-1 in the header",
        "à,b\n1,x\n".encode("latin-1"),
        {"à": [1.0], "b": ["x"]},
        note="Read as cp1252, by its bytes.",
    ),
    Good(
        "UTF-16 without a mark",
        "a,b\n1,x\n".encode("utf-16-le"),
        {"a": [1.0], "b": ["x"]},
        note="Read as utf-16-le, by its bytes.",
    ),
    Good(
        "UTF-16 the other way",
        "a,b\n1,x\n".encode("utf-16-be"),
        {"a": [1.0], "b": ["x"]},
        note="Read as utf-16-be, by its bytes.",
    ),
    Good("cp1252, said so", b"a\n\x80\n", {"a": ["€"]}, {"encoding": "cp1252"}),
    Good(
        "UTF-16 with its mark",
        "a,b\n1,é🍊\n".encode("utf-16"),
        {"a": [1.0], "b": ["é🍊"]},
        note="Read as utf-16, by its byte order mark.",
    ),
    Good(
        "UTF-16 the other way round",
        b"\xfe\xff" + "a,b\n1,é\n".encode("utf-16-be"),
        {"a": [1.0], "b": ["é"]},
        note="Read as utf-16, by its byte order mark.",
    ),
    Good(
        "UTF-16 without a mark, said so",
        "a,b\n1,é\n".encode("utf-16-le"),
        {"a": [1.0], "b": ["é"]},
        {"encoding": "utf-16-le"},
    ),
    Good(
        "UTF-16 with a mark, said twice",
        "\ufeffa,b\n1,é\n".encode("utf-16-be"),
        {"a": [1.0], "b": ["é"]},
        {"encoding": "utf-16-be"},
        note="A byte order mark was left out at the start.",
    ),
    Good(
        "UTF-32",
        "a,b\n1,é\n".encode("utf-32"),
        {"a": [1.0], "b": ["é"]},
        note="Read as utf-32, by its byte order mark.",
    ),
    # Line ends
    Good("CR LF", b"a,b\r\n1,x\r\n2,y\r\n", {"a": [1.0, 2.0], "b": ["x", "y"]}),
    Good("CR alone", b"a,b\r1,x\r2,y\r", {"a": [1.0, 2.0], "b": ["x", "y"]}),
    Good(
        "line ends of all sorts",
        b"a,b\r\n1,x\n2,y\r3,z\r\n4,w",
        {"a": [1.0, 2.0, 3.0, 4.0], "b": ["x", "y", "z", "w"]},
    ),
    Good("no final line end", b"a,b\n1,x", {"a": [1.0], "b": ["x"]}),
    Good(
        "what Unicode but not CSV takes for a line end",
        "a,b\nx\u2028y,p\x85q\nv\x0bw,r\x0cs\n".encode(),
        {"a": ["x\u2028y", "v\x0bw"], "b": ["p\x85q", "r\x0cs"]},
    ),
    # Quotes
    Good(
        "line ends in quotes are kept as they are",
        b'a,b\r\n"x\r\ny",1\r\n"x\ny",2\r\n"x\ry",3\r\n"\r\n",4\r\n',
        {"a": ["x\r\ny", "x\ny", "x\ry", "\r\n"], "b": [1.0, 2.0, 3.0, 4.0]},
    ),
    Good("delimiters in quotes", b'a,b\n"x,y",",,"\n', {"a": ["x,y"], "b": [",,"]}),
    Good('5" pipe', b'a,b\n5" pipe,1\n6" pipe,2\n', {"a": ['5" pipe', '6" pipe'], "b": [1.0, 2.0]}),
    Good('5"" pipe', b'a,b\n5"" pipe,"6"" pipe"\n', {"a": ['5"" pipe'], "b": ['6" pipe']}),
    Good("nothing but a quote", b'a,b\n"""",x\n"""""",y\n', {"a": ['"', '""'], "b": ["x", "y"]}),
    Good("a blank before a quote", b'a,b\n "x",1\n', {"a": [' "x"'], "b": [1.0]}),
    Good("a quoted number is a number", b'a,b\n"1","x"\n2,y\n', {"a": [1.0, 2.0], "b": ["x", "y"]}),
    Good(
        "a quoted nothing is missing",
        b'a,b\n"",1\n"?",2\n',
        {"a": [None, None], "b": [1.0, 2.0]},
        note="'?' was taken as missing in column 'a'. Pass missing=[] to keep such cells.",
    ),
    Good(
        "quotes are ordinary, said so",
        b'a,b\n"x,1\ny",2\n',
        {"a": ['"x', 'y"'], "b": [1.0, 2.0]},
        {"quote": None},
    ),
    Good("another quote", b"a,b\n'x,y',\"\n", {"a": ["x,y"], "b": ['"']}, {"quote": "'"}),
    # Sizes
    Good(
        "10,000 columns",
        ",".join(f"c{k}" for k in range(MANY)).encode() + b"\n" + b",".join([b"1"] * MANY) + b"\n",
        {f"c{k}": [1.0] for k in range(MANY)},
    ),
    Good("a cell of 6 MB", f'a,b\n1,"{LONG}"\n2,x\n'.encode(), {"a": [1.0, 2.0], "b": [LONG, "x"]}),
    Good(
        "a cell of 6 MB in a first line of cells",
        f'"{LONG}",1\nx,2\n'.encode(),
        {"column_1": [LONG, "x"], "column_2": [1.0, 2.0]},
        {"header": False},
    ),
    Good(
        "a word after 60,000 whole numbers",
        b"a,b\n" + b"".join(b"%d,7\n" % k for k in range(SIXTY)) + b"word,7\n",
        {"a": [*map(str, range(SIXTY)), "word"], "b": [7.0] * (SIXTY + 1)},
        note="Column 'a' names the rows",
    ),
    # Numbers and what looks like them
    Good(
        "leading zeros", b"zip,n\n01234,1\n98765,2\n", {"zip": ["01234", "98765"], "n": [1.0, 2.0]}
    ),
    Good(
        "leading zeros at the end only",
        b"zip\n98765\n98764\n01234\n",
        {"zip": ["98765", "98764", "01234"]},
    ),
    Good(
        "whole numbers over 2**64",
        b"id,n\n18446744073709551617,1\n18446744073709551616,2\n",
        {"id": ["18446744073709551617", "18446744073709551616"], "n": [1.0, 2.0]},
    ),
    Good(
        "whole numbers over 2**53",
        b"id\n9007199254740993\n9007199254740992\n",
        {"id": ["9007199254740993", "9007199254740992"]},
    ),
    Good(
        "whole numbers up to 2**53",
        b"id\n-9007199254740992\n9007199254740992\n",
        {"id": [-9007199254740992.0, 9007199254740992.0]},
    ),
    Good(
        "what may be thousands is asked about",
        b'n;s\n1,234;x\n"5,678";y\n',
        {"n": ["1,234", "5,678"], "s": ["x", "y"]},
        note="Pass decimal='.' or decimal=','.",
    ),
    Good(
        "thousands, said so",
        b'n,s\n"1,234",x\n"5,678.5",y\n12,z\n',
        {"n": [1234.0, 5678.5, 12.0], "s": ["x", "y", "z"]},
        {"thousands": ","},
    ),
    Good(
        "decimal commas, said so",
        b"n;s\n1,5;x\n1.234,25;y\n",
        {"n": [1.5, 1234.25], "s": ["x", "y"]},
        {"decimal": ",", "thousands": "."},
    ),
    Good(
        "decimal commas are recognised",
        b"n;s\n1,5;x\n",
        {"n": [1.5], "s": ["x"]},
        note="Column 'n' is written like '1,5': read as numbers, with decimal commas. Pass "
        "kinds={'n': 'sym'} for strings.",
    ),
    Good(
        "telephone numbers keep their plus",
        b"n,s\n+4915112345678,x\n123,y\n",
        {"n": ["+4915112345678", "123"], "s": ["x", "y"]},
        note="Column 'n' holds numbers with a plus and 7 or more digits and was kept as symbols, "
        "so that no plus is lost. Pass kinds={'n': 'num'} to read numbers.",
    ),
    Good(
        "numbers with a plus",
        b"n,s\n+1.5,x\n+123456,y\n+1234567.5,z\n1e+07,w\n",
        {"n": [1.5, 123456.0, 1234567.5, 1e7], "s": ["x", "y", "z", "w"]},
    ),
    # A first line for Excel
    Good(
        "the delimiter in a line of its own",
        b"sep=;\nn;s\n1,5;x\n",
        {"n": [1.5], "s": ["x"]},
        {"decimal": ","},
        note="Line 1, 'sep=;', was left out: the delimiter is ';'.",
    ),
    Good(
        "the delimiter in quotes, behind a byte order mark, with CR LF",
        b'\xef\xbb\xbf"SEP=|"\r\nn|s\r\n1|"x|y"\r\n',
        {"n": [1.0], "s": ["x|y"]},
        note="Line 1, 'sep=|', was left out: the delimiter is '|'.",
    ),
    Good(
        "a delimiter that only its own line names",
        b"sep=:\nn:s\n1:x\n",
        {"n": [1.0], "s": ["x"]},
        note="Line 1, 'sep=:', was left out: the delimiter is ':'.",
    ),
    Good(
        "the delimiter in a line of its own, and no names",
        b"sep=;\n1;x\n",
        {"column_1": [1.0], "column_2": ["x"]},
        {"header": False},
        note="Line 1, 'sep=;', was left out: the delimiter is ';'.",
    ),
    Good("a name that begins like that", b"sep=a,b\n1,x\n", {"sep=a": [1.0], "b": ["x"]}),
    Good("names of numbers in quotes", b'"1","2"\n3,x\n', {"1": [3.0], "2": ["x"]}),
    Good("blanks around numbers", b"n,s\n 1 ,x\n\t2.5,y\n", {"n": [1.0, 2.5], "s": ["x", "y"]}),
    Good(
        "blanks around symbols are kept", b"s,n\n x ,1\nx,2\n", {"s": [" x ", "x"], "n": [1.0, 2.0]}
    ),
    Good(
        "numbers in every dress",
        b"n\n1e3\n-.5\n5.\n+7\n1E-2\n-0\n",
        {"n": [1000.0, -0.5, 5.0, 7.0, 0.01, -0.0]},
    ),
    Good(
        "no numbers, though others take them for such",
        "a,b,c,d,e,f\n0x1F,1_000,١٢,true,2024-02-30,1d5\n".encode(),
        {
            "a": ["0x1F"],
            "b": ["1_000"],
            "c": ["١٢"],
            "d": ["true"],
            "e": ["2024-02-30"],
            "f": ["1d5"],
        },
    ),
    Good(
        "numbers to their last bit",
        b"n\n0.1\n0.30000000000000004\n1.7976931348623157e308\n5e-324\n257.3993152189395630\n",
        {"n": [0.1, 0.1 + 0.2, 1.7976931348623157e308, 5e-324, 257.39931521893953]},
    ),
    Good(
        "infinity as a word among words",
        b"s,n\ninf,1\nInfinity,2\nfoo,3\n",
        {"s": ["inf", "Infinity", "foo"], "n": [1.0, 2.0, 3.0]},
    ),
    Good(
        "every mark of a missing cell",
        b"n,s\n1,x\n,\n?,?\nNA,NA\nNaN,NaN\nnan,nan\nnull,null\nNULL,NULL\n",
        {"n": [1.0] + [None] * 7, "s": ["x"] + [None] * 7},
        note="'?', 'NA' and 4 more marks were taken as missing in columns 'n' and 's'.",
    ),
    Good(
        "what is no mark of a missing cell",
        b"s,t\nna,+\nNone,-\n",
        {"s": ["na", "None"], "t": ["+", "-"]},
    ),
    # Names
    Good(
        "repeated names",
        b"on,on,on_2,on\n1,2,3,4\n",
        {"on": [1.0], "on_3": [2.0], "on_2": [3.0], "on_4": [4.0]},
        note="Column 2 was called 'on' as well; it is now 'on_3'.",
    ),
    Good(
        "empty names",
        b"a,,column_2,\n1,2,3,4\n",
        {"a": [1.0], "column_2_2": [2.0], "column_2": [3.0], "column_4": [4.0]},
        note="Column 4 had no name; it is now 'column_4'.",
    ),
    Good(
        "blanks around names",
        b" a, b b \n1,2\n",
        {"a": [1.0], "b b": [2.0]},
        note="Blanks around ' a', ' b b ' were left out of the names.",
    ),
    Good("a name over two lines", b'"a\nb",c\n1,2\n', {"a\nb": [1.0], "c": [2.0]}),
    Good(
        "no header, said so",
        b"1,x\n2,y\n",
        {"column_1": [1.0, 2.0], "column_2": ["x", "y"]},
        {"header": False},
    ),
    Good(
        "names that are numbers, said so",
        b"2023,2024\n1,2\n",
        {"2023": [1.0], "2024": [2.0]},
        {"header": True},
    ),
    Good("a header alone", b"a,b\n", {"a": [], "b": []}),
    Good("a header alone, without a line end", b"a,b", {"a": [], "b": []}),
    # Blank lines and empty cells
    Good(
        "blank lines in one column are missing cells",
        b"a\n\n1\n\n3\n\n",
        {"a": [None, 1.0, None, 3.0, None]},
    ),
    Good(
        "blank lines before the first cell of one column without a header",
        b"\r\n\r\n1\r\n",
        {"column_1": [None, None, 1.0]},
        {"header": False},
    ),
    Good(
        "blank lines among several columns",
        b"a,b\n1,x\n\n\r\n2,y\n",
        {"a": [1.0, 2.0], "b": ["x", "y"]},
        note="2 blank lines were left out, the first at line 3.",
    ),
    Good(
        "blank lines before the header",
        b"\n\r\na,b\n1,x\n",
        {"a": [1.0], "b": ["x"]},
        note="2 blank lines were left out before the header.",
    ),
    Good("a line of blanks is a cell", b"a\nx\n  \ny\n", {"a": ["x", "  ", "y"]}),
    Good(
        "a delimiter at the end of every line",
        b"a,b,\n1,2,\n3,4,\n",
        {"a": [1.0, 3.0], "b": [2.0, 4.0]},
        note="The ',' behind every row was left out: no column follows it.",
    ),
    Good("nothing but delimiters", b"a,b\n,\n,\n", {"a": [None, None], "b": [None, None]}),
    # Delimiters
    Good("semicolons", b"a;b\n1;x,y\n", {"a": [1.0], "b": ["x,y"]}),
    Good("tabs", b"a\tb\n1\tx\n", {"a": [1.0], "b": ["x"]}),
    Good("bars", b"a|b\n1|x\n", {"a": [1.0], "b": ["x"]}),
]

ASIDE = 'bad_rows="keep aside"'

BAD = [
    # Encodings
    Bad("a surrogate in UTF-8", b"a\nx\n\xed\xa0\x80\n", 3, "not UTF-8", "encoding="),
    Bad("UTF-8 cut short", b"a\nx\n\xe2\x82\n", 3, "not UTF-8", "encoding="),
    Bad("an overlong slash", b"a\nx\n\xc0\xaf\n", 3, "not UTF-8", "encoding="),
    Bad(
        "UTF-16 without the mark that was promised",
        "a,b\n1,x\n".encode("utf-16-le"),
        1,
        "byte order mark",
        "encoding='utf-16-le'",
        {"encoding": "utf-16"},
    ),
    Bad(
        "half a character of UTF-16",
        "a\r\nx\r\ny".encode("utf-16")[:-1],
        3,
        "utf-16",
        "encoding=",
    ),
    Bad(
        "not the encoding that was said",
        b"a\r\nx\r\n\x81\r\n",
        3,
        "cp1252",
        "encoding=",
        {"encoding": "cp1252"},
    ),
    # Rows
    Bad("a short row", b"a,b\n1,x\n2\n3,z\n", 3, "1 cell where 2 should be", ASIDE),
    Bad("a long row", b"a,b\n1,x\n2,y,z\n", 3, "3 cells where 2 should be", ASIDE),
    Bad("a short last row without a line end", b"a,b\n1,x\n2", 3, "1 cell where 2", ASIDE),
    Bad(
        "a short row behind cells of several lines",
        b'a,b\r\n1,"x\r\n\ny"\r\n\r\n2\r\n',
        6,
        "1 cell",
        ASIDE,
    ),
    Bad("a short row after CR", b"a,b\r1,x\r2\r", 3, "1 cell", ASIDE),
    Bad("a delimiter at the end of rows alone", b"a,b\n1,2,\n", 2, "3 cells", "delimiter="),
    Bad(
        "a delimiter at the end of the header alone",
        b"a,b,\n1,2\n",
        2,
        "2 cells where 3",
        "delimiter=",
    ),
    Bad(
        "a delimiter that is not the one said",
        b"a;b\n1,5;x\n",
        2,
        "2 cells",
        "',' was taken",
        {"delimiter": ","},
    ),
    Bad("NUL in a cell", b"a,b\n1,x\n2,\0\n", 3, "NUL", "take the byte out"),
    Bad("NUL in the header", b"a,\0b\n1,x\n", 1, "NUL", "encoding="),
    # Quotes
    Bad(
        "one quote that is never closed", b'a,b\n1,x\n2,"y\n3,z\n', 3, "never closed", "quote=None"
    ),
    Bad(
        "two quotes that are never closed",
        b'a,b\n1,x\n2,"y\n3,"z\n4,w\n',
        3,
        "closing quote",
        "quote=None",
    ),
    Bad("text behind a closing quote", b'a,b\n1,"5" pipe\n', 2, "closing quote", "twice"),
    Bad("a blank behind a closing quote", b'a,b\n1,"x" \n', 2, "closing quote", "twice"),
    Bad("a quote open at the very end", b'a,b\n1,"', 2, "never closed", "Close it"),
    Bad("an open quote in the header", b'a,"b\n1,x\n', 1, "quote", "quote=None"),
    Bad("text behind a quoted name", b'"a"s,b\n1,x\n', 1, "quote", "twice"),
    # Headers, and nothing
    Bad("no header", b"1,2\n3,4\n", 1, "its cell 1 is '1'", "header=False"),
    Bad("a number among names", b"\na,2.5\n3,4\n", 2, "its cell 2 is '2.5'", "header=True"),
    Bad("an empty file", b"", 1, "empty", "written to its end"),
    Bad("nothing but line ends", b"\n\r\n\n", 1, "nothing but blanks", "written to its end"),
    Bad("a byte order mark alone", b"\xef\xbb\xbf", 1, "empty", "written to its end"),
    # Numbers
    Bad(
        "an infinite number",
        b"a,b\n1,x\n2,y\n-inf,z\n",
        4,
        "'a' holds '-inf'",
        "missing=['-inf', …]",
    ),
    Bad("a number too large", b"a,b\n1,x\n1e400,y\n", 3, "'1e400'", "missing="),
    Bad(
        "a word where numbers were promised",
        b"a,b\n1,x\nmany,y\n",
        3,
        "'a' is to hold numbers, but here it holds 'many'",
        "kinds={'a': 'sym'}",
        {"kinds": {"a": "num"}},
    ),
]

#: What every file of more than some bytes is too slow for.
SMALL = 10_000


def named(cases):
    return [pytest.param(case, id=case.name) for case in cases]


def small(cases):
    return [case for case in cases if len(case.content) <= SMALL]


def cells(table):
    return {name: [row[name] for row in table] for name in table.domain.names}


def assert_read_right(table, case):
    assert table.domain.names == tuple(case.columns)
    assert repr(cells(table)) == repr(case.columns)  # as text, so that -0.0 is not 0.0
    assert table.aside == ()
    assert case.note in "\n".join(table.notes)
    if not case.note:
        assert table.notes == ()


def assert_refused(path, case):
    with pytest.raises(ReadError) as caught:
        read_delimited(path, **case.options)
    assert (caught.value.file, caught.value.line) == (str(path), case.line)
    assert case.what in caught.value.what
    assert case.remedy in caught.value.remedy
    assert str(caught.value).startswith(f"{path}, line {case.line}: ")


@pytest.fixture
def written(tmp_path):
    def write(content, ending=""):
        path = tmp_path / f"nasty.csv{ending}"
        path.write_bytes(content)
        return path

    return write


def test_the_corpus_is_large():
    assert len(GOOD) + len(BAD) >= 26
    names = [case.name for case in GOOD + BAD]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("case", named(GOOD))
def test_read_right(case, written):
    assert_read_right(read_delimited(written(case.content), **case.options), case)


@pytest.mark.parametrize("case", named(BAD))
def test_refused_with_file_line_and_remedy(case, written):
    assert_refused(written(case.content), case)


# ------------------------------------------------------------------ where the blocks end


@pytest.mark.parametrize("size", [1, 2, 3, 7, 16])
@pytest.mark.parametrize("case", named(small(GOOD)))
def test_read_right_in_blocks_of_a_few_bytes(case, size, monkeypatch):
    monkeypatch.setattr(blocks, "BLOCK", size)
    assert_read_right(read_delimited(case.content, threads=1, **case.options), case)


@pytest.mark.parametrize("size", [1, 2, 3, 7, 16])
@pytest.mark.parametrize("case", named(small(BAD)))
def test_refused_in_blocks_of_a_few_bytes(case, size, monkeypatch, written):
    monkeypatch.setattr(blocks, "BLOCK", size)
    assert_refused(written(case.content), case)


@pytest.mark.parametrize("case", named(case for case in GOOD if len(case.content) > SMALL))
def test_large_ones_read_right_in_small_blocks(case, monkeypatch):
    monkeypatch.setattr(blocks, "BLOCK", 1 << 15)
    assert_read_right(read_delimited(case.content, threads=2, **case.options), case)


def test_a_quoted_line_end_at_the_edge_of_a_block(monkeypatch):
    """Wherever the edge falls, the CR LF in the quotes stays whole."""
    content = b'a,b\r\n1,"x\r\ny"\r\n2,"z"\r\n'
    meant = {"a": [1.0, 2.0], "b": ["x\r\ny", "z"]}
    for size in range(1, len(content) + 1):
        monkeypatch.setattr(blocks, "BLOCK", size)
        assert cells(read_delimited(content)) == meant


# ------------------------------------------------------------------ compressed


@pytest.mark.parametrize("case", named(small(GOOD)))
def test_compressed(case, written):
    for ending, packed in (
        (".gz", gzip.compress(case.content)),
        (".zst", pa.compress(case.content, codec="zstd", asbytes=True)),
    ):
        assert_read_right(read_delimited(written(packed, ending), **case.options), case)


@pytest.mark.parametrize("case", named(small(BAD)))
def test_compressed_and_refused(case, written):
    if case.content:  # there is no empty frame of Zstandard in pyarrow
        packed = pa.compress(case.content, codec="zstd", asbytes=True)
        assert_refused(written(packed, ".csv.zst"), case)
    assert_refused(written(gzip.compress(case.content), ".csv.gz"), case)


@pytest.mark.parametrize(
    "pack", [gzip.compress, lambda raw: pa.compress(raw, codec="zstd", asbytes=True)]
)
def test_a_compressed_file_that_is_cut_short(pack, written):
    content = b"a,b\n" + b"".join(b"%d,%d\n" % (k, k * 7919 % 104729) for k in range(50_000))
    packed = pack(content)
    for share in (0.3, 0.9, 0.999):
        path = written(packed[: int(len(packed) * share)], ".packed")
        with pytest.raises(ReadError, match="cannot be read to its end") as caught:
            read_delimited(path)
        assert caught.value.file == str(path)
        assert "cut short" in caught.value.remedy


# ------------------------------------------------------------------ kept aside

FAULTY = b'a,b\n1,x\n2\n\n3,"y\r\nz"\n4,5,6\n7,"8" inches\n8,\0\n9,caf\xe9\n10,w\n11,"open\n12,v\n'


@pytest.mark.parametrize("size", [1, 5, 12, 1 << 20])
def test_bad_rows_are_kept_aside_with_their_lines(size, monkeypatch):
    monkeypatch.setattr(blocks, "BLOCK", size)
    table = read_delimited(FAULTY, bad_rows="keep aside")
    assert cells(table) == {"a": [1.0, 3.0, 10.0], "b": ["x", "y\r\nz", "w"]}
    assert [(bad.line, bad.text, bad.why) for bad in table.aside] == [
        (3, "2", "1 cell where 2 should be"),
        (7, "4,5,6", "3 cells where 2 should be"),
        (8, '7,"8" inches', "a quoted cell has text behind its closing quote"),
        (9, "8,\0", "a NUL byte"),
        (10, "9,caf\\xe9", "bytes that are not UTF-8"),
        (12, '11,"open\n12,v', "a quote is opened and never closed"),
    ]
    assert table.notes == (
        "1 blank line was left out, the first at line 4.",
        "6 rows were kept aside, the first at line 3.",
    )


def test_bad_rows_do_not_decide_the_kind_of_a_column():
    table = read_delimited(b"a,b\n1,2\nword\n3,4\n", bad_rows="keep aside")
    assert cells(table) == {"a": [1.0, 3.0], "b": [2.0, 4.0]}


def test_nothing_but_bad_rows():
    table = read_delimited(b"a,b\n1\n2\n", bad_rows="keep aside")
    assert table.shape == (0, 2)
    assert [bad.line for bad in table.aside] == [2, 3]


def test_what_is_wrong_with_the_file_as_a_whole_is_refused_even_so():
    for case in BAD:
        if case.line == 1:
            with pytest.raises(ReadError):
                read_delimited(case.content, bad_rows="keep aside", **case.options)
