"""The reader of delimited text: what its options do, and what it says of a file."""

import contextlib
import gc
import gzip
import io
import random
import warnings

import numpy as np
import pytest

from satsuma.data.formats.delimited import text_blocks as blocks
from satsuma.errors import NoSuchColumn, ParameterError, ReadError
from tests.tables import read_delimited


def cells(table):
    return {name: [row[name] for row in table] for name in table.domain.names}


def kinds(table):
    return {variable.name: variable.kind for variable in table.domain}


def roles(table):
    return {variable.name: variable.goal or variable.role for variable in table.domain}


def lines(*rows):
    return "\n".join(rows).encode()


# ------------------------------------------------------------------ header=


def test_line_1_holds_names_unless_it_looks_like_cells():
    assert read_delimited(b"a,b\n1,2\n").domain.names == ("a", "b")
    with pytest.raises(ReadError, match="looks like data rather than names"):
        read_delimited(b"3,b\n1,2\n")
    # Words that numbers may be missing by, and infinity, are names like any other.
    assert read_delimited(b"NA,inf\n1,2\n").domain.names == ("NA", "inf")


def test_a_name_of_thousands_of_digits_is_a_name():
    assert read_delimited(b"a," + b"7" * 5000 + b"\n1,2\n").domain.names == ("a", "7" * 5000)


def test_header_said():
    assert cells(read_delimited(b"1,x\n2,y\n", header=True)) == {"1": [2.0], "x": ["y"]}
    assert cells(read_delimited(b"1,x\n", header=False)) == {"column_1": [1.0], "column_2": ["x"]}
    assert cells(read_delimited(b"a,x\n", header=["p", "q"])) == {"p": ["a"], "q": ["x"]}


def test_names_given_are_made_distinct_too():
    table = read_delimited(b"1,2\n", header=["p", "p"])
    assert table.domain.names == ("p", "p_2")
    assert len(table.notes) == 1


def test_as_many_names_as_cells():
    with pytest.raises(ReadError, match="line 1: 2 cells where 1 should be"):
        read_delimited(b"1,2\n", header=["p"])


@pytest.mark.parametrize("header", ["a,b", [], ()])
def test_what_is_no_header(header):
    with pytest.raises(
        ParameterError, match="'header' parameter must be True, False, a number of lines, or a list"
    ):
        read_delimited(b"1,2\n", header=header)


def test_a_tab_file_has_its_own_header():
    with pytest.raises(ParameterError, match="pass format='tsv'"):
        read_delimited(b"a\nc\n\n1\n", layout="tab", header=False)


# ------------------------------------------------------------------ options


def test_a_delimiter_given_is_not_guessed():
    assert cells(read_delimited(b"a;b,c\n1;2,3\n", delimiter=";")) == {"a": [1.0], "b,c": [2.3]}
    assert cells(read_delimited(b"a b\n1 2\n", delimiter=" ")) == {"a": [1.0], "b": [2.0]}


def test_missing_replaces_the_usual_marks():
    text = b"n,s\n1,x\n-9,none\n,?\n"
    table = read_delimited(text, missing=["-9", "none"])
    assert cells(table) == {"n": [1.0, None, None], "s": ["x", None, "?"]}
    assert cells(read_delimited(text, missing=[])) == {
        "n": [1.0, -9.0, None],
        "s": ["x", "none", "?"],
    }


def test_decimal_and_thousands():
    table = read_delimited(b"a;b\n1.234,5;x\n2;y\n", decimal=",", thousands=".")
    assert cells(table) == {"a": [1234.5, 2.0], "b": ["x", "y"]}


def test_strip():
    text = b"a,b\n x,1\nx ,2\n ? ,3\n"
    assert cells(read_delimited(text))["a"] == [" x", "x ", " ? "]
    assert cells(read_delimited(text, strip=True))["a"] == ["x", "x", None]


def test_kinds_are_forced():
    text = b"zip,age,title\n007,1,long\n008,2,short\n"
    assert kinds(read_delimited(text)) == {"zip": "sym", "age": "num", "title": "sym"}
    table = read_delimited(text, kinds={"zip": "num", "age": "sym", "title": "text"})
    assert kinds(table) == {"zip": "num", "age": "sym", "title": "text"}
    assert cells(table) == {"zip": [7.0, 8.0], "age": ["1", "2"], "title": ["long", "short"]}


def test_numbers_that_were_promised_may_be_over_long():
    table = read_delimited(b"id\n9007199254740993\n0001\n", kinds={"id": "num"})
    assert cells(table) == {"id": [9007199254740992.0, 1.0]}


def test_a_word_where_numbers_were_promised():
    with pytest.raises(ReadError, match="line 3: column 'a' is to hold numbers") as caught:
        read_delimited(b"a,b\n1,x\ntwo,y\n", kinds={"a": "num"})
    assert "kinds={'a': 'sym'}" in caught.value.remedy
    assert "missing=['two', …]" in caught.value.remedy


def test_the_first_word_is_told_wherever_the_blocks_end(monkeypatch):
    text = b"a\n" + b"1\n" * 50 + b"two\n" + b"3\n" * 50 + b"four\n"
    for size in (1, 10, 1000):
        monkeypatch.setattr(blocks, "BLOCK", size)
        with pytest.raises(ReadError, match="holds 'two'") as caught:
            read_delimited(text, kinds={"a": "num"})
        assert caught.value.line == 52


def test_target():
    assert roles(read_delimited(b"a,b\n1,x\n", target="b")) == {"a": "x", "b": "target"}
    assert roles(read_delimited(b"a,b\n1,x\n")) == {"a": "x", "b": "x"}
    with pytest.raises(NoSuchColumn, match="Did you mean 'play'"):
        read_delimited(b"a,play\n1,x\n", target="plai")


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"delimiter": ""}, "'delimiter' parameter must be some characters of a line. Got ''"),
        ({"delimiter": "\n"}, "'delimiter' parameter must be some characters of a line"),
        ({"comment": ""}, "'comment' parameter must be some characters of a line"),
        ({"comment": True}, "comment= takes what a comment begins with"),
        ({"escape": "no"}, "'escape' parameter must be one ASCII character"),
        ({"skip": -1}, "'skip' parameter must be a number of lines. Got -1"),
        ({"footer": True}, "'footer' parameter must be a number of lines. Got True"),
        ({"quote": ""}, "'quote' parameter must be one ASCII character"),
        ({"delimiter": '"'}, "delimiter= and quote= are both"),
        ({"thousands": "."}, "decimal= and thousands= are both '.'"),
        ({"decimal": "5"}, "'decimal' parameter must not be a letter, a digit or a sign"),
        ({"thousands": "e"}, "'thousands' parameter must not be a letter, a digit or a sign"),
        ({"thousands": "-"}, "'thousands' parameter must not be a letter, a digit or a sign"),
        ({"kinds": {"a": "number"}}, "must give num, sym, text, time. Got 'number' for 'a'"),
        (
            {"bad_rows": "skip"},
            "must be 'error', 'keep aside' or 'mend'. Got 'skip'",
        ),
        ({"missing": "NA"}, r"'missing' parameter must be a list of spellings.*write \['NA'\]"),
        ({"threads": 0}, "'threads' parameter must be at least 1. Got 0"),
    ],
)
def test_options_that_cannot_be(options, told):
    with pytest.raises(ParameterError, match=told):
        read_delimited(b"a,b\n1,x\n", **options)


def test_a_kind_for_a_column_that_is_not_there():
    with pytest.raises(NoSuchColumn, match="no column 'ag'"):
        read_delimited(b"age,b\n1,x\n", kinds={"ag": "sym"})


# ------------------------------------------------------------------ kinds that are found


def test_kinds_are_decided_over_the_whole_column():
    numbers = b"1,2\n" * 100_000
    assert kinds(read_delimited(b"a,b\n" + numbers)) == {"a": "num", "b": "num"}
    table = read_delimited(b"a,b\n" + numbers + b"1,x\n")
    assert kinds(table) == {"a": "num", "b": "sym"}
    assert table.domain["b"].values == ("2", "x")


def test_a_number_cut_by_the_sample_is_no_word(monkeypatch):
    """A record that is not whole yet says nothing about its columns."""
    content = lines("s,n", "a long word,-1.5e+10", "another,-2.5e+10")
    for size in range(1, len(content)):
        monkeypatch.setattr(blocks, "BLOCK", size)
        assert kinds(read_delimited(content)) == {"s": "sym", "n": "num"}


def test_a_column_without_a_value_is_numeric():
    table = read_delimited(b"a,b\n,x\n?,y\n")
    assert kinds(table) == {"a": "num", "b": "sym"}
    assert cells(table)["a"] == [None, None]


def test_text_is_long_and_mostly_distinct():
    long = [f"this is sentence number {k}, and it goes on for a while" for k in range(20)]
    short = [f"word {k}" for k in range(20)]
    repeated = [long[k % 3] for k in range(20)]
    rows = [f'"{a}",{b},"{c}"' for a, b, c in zip(long, short, repeated, strict=True)]
    table = read_delimited(lines("long,short,repeated", *rows))
    assert kinds(table) == {"long": "text", "short": "sym", "repeated": "sym"}
    assert cells(table)["long"] == long
    assert (
        kinds(read_delimited(lines("long,short,repeated", *rows), kinds={"long": "sym"}))["long"]
        == "sym"
    )


def test_missing_text_is_none():
    rows = [f"a sentence that is long enough, number {k};{k}" for k in range(5)]
    table = read_delimited(lines("a;b", *rows, ";5"))
    assert kinds(table)["a"] == "text"
    assert cells(table)["a"][-1] is None


def test_values_stand_in_the_order_of_their_first_appearance(monkeypatch):
    monkeypatch.setattr(blocks, "BLOCK", 4)
    table = read_delimited(b"s,t\nb,1x\na,2x\nc,1x\na,0x\n")
    assert table.domain["s"].values == ("b", "a", "c")
    assert table.domain["t"].values == ("1x", "2x", "0x")


@pytest.mark.parametrize("word", ["inf", "-Infinity", "1e999"])
def test_infinite_numbers_are_refused(word):
    with pytest.raises(ReadError, match=f"line 3: column 'a' holds '{word}'") as caught:
        read_delimited(lines("a,b", "1,x", f"{word},y", "inf,z"))
    assert f"missing=['{word}', …]" in caught.value.remedy
    table = read_delimited(lines("a,b", "1,x", f"{word},y"), missing=[word])
    assert cells(table)["a"] == [1.0, None]


def test_the_first_infinite_number_is_told():
    with pytest.raises(ReadError, match="line 3: column 'b'"):
        read_delimited(lines("a,b", "1,2", "1,inf", "inf,2"))


# ------------------------------------------------------------------ marks

MOOT = b"Age, Weight-,Speed+,nameX,color, class!\n1,2,3,n1, red ,yes\n?,4,5,n2,?,no\n"


def test_marks_say_kinds_and_roles():
    table = read_delimited(MOOT, marks=True)
    assert roles(table) == {
        "Age": "x",
        "Weight-": "-",
        "Speed+": "+",
        "nameX": "ignore",
        "color": "x",
        "class!": "target",
    }
    assert cells(table)["color"] == ["red", None]
    assert cells(table)["Age"] == [1.0, None]


def test_marks_can_be_turned_off():
    table = read_delimited(MOOT, marks=False)
    assert set(roles(table).values()) == {"x"}
    assert cells(table)["color"] == [" red ", None]


def test_marks_can_be_forced():
    text = b"age,HpX\n1,2\n"
    assert kinds(read_delimited(text)) == {"age": "num", "HpX": "num"}
    table = read_delimited(text, marks=True)
    assert kinds(table) == {"age": "sym", "HpX": "num"}
    assert roles(table) == {"age": "x", "HpX": "ignore"}


def test_with_marks_only_two_spellings_are_missing():
    assert cells(read_delimited(b"a,b!\nNA,x\n?,y\n,z\n", marks=True))["a"] == ["NA", None, None]


def test_two_marked_targets_ask_for_one():
    text = b"CHAR_FREQ_!,spam!\n1,yes\n"
    with pytest.raises(ReadError, match="2 columns end in '!'") as caught:
        read_delimited(text, marks=True)
    assert "target=" in caught.value.remedy
    table = read_delimited(text, target="spam!", marks=True)
    assert roles(table) == {"CHAR_FREQ_!": "x", "spam!": "target"}
    assert set(roles(read_delimited(text, marks=False)).values()) == {"x"}


def test_a_numeric_name_over_words():
    table = read_delimited(b"PROPERTY,class!\nhouse,good\n", marks=True)
    assert kinds(table) == {"PROPERTY": "sym", "class!": "sym"}
    assert table.notes == (
        "By the marks in their names: 'class!' is the target.",
        "Column 'PROPERTY' is numeric by its name, but line 2 holds 'house'; read as symbols.",
    )


def test_a_goal_over_words_is_no_goal():
    table = read_delimited(b"Speed+,b\nfast,1\n", marks=True)
    assert roles(table) == {"Speed+": "x", "b": "x"}
    assert (
        "Column 'Speed+' is a goal by its name but holds no numbers; read as no goal."
        in table.notes
    )


def test_leading_zeros_are_kept_with_marks_too():
    table = read_delimited(b"Age,class!\n007,x\n8,y\n", marks=True)
    assert cells(table)["Age"] == ["007", "8"]
    assert "line 2 holds '007'; read as symbols." in table.notes[-1]


def test_kinds_beat_marks():
    assert cells(read_delimited(b"age,class!\n7,x\n", kinds={"age": "num"}, marks=True))["age"] == [
        7.0
    ]


# ------------------------------------------------------------------ .tab


def tab(*rows, **options):
    return read_delimited(
        ("\n".join("\t".join(row) for row in rows)).encode(), layout="tab", **options
    )


def test_tab_with_three_lines():
    table = tab(
        ["age", "wind", "name", "play"],
        ["c", r"weak very\ strong", "s", "d"],
        ["", "", "meta", "class"],
        ["1", "very strong", "n1", "yes"],
        ["?", "", "*", "~"],
    )
    assert kinds(table) == {"age": "num", "wind": "sym", "name": "text", "play": "sym"}
    assert roles(table) == {"age": "x", "wind": "x", "name": "meta", "play": "target"}
    assert table.domain["wind"].values == ("weak", "very strong")
    assert cells(table) == {
        "age": [1.0, None],
        "wind": ["very strong", None],
        "name": ["n1", None],
        "play": ["yes", None],
    }


@pytest.mark.parametrize("mark", ["", "?", ".", "NA", "*", "~"])
def test_tab_marks_of_a_missing_cell(mark):
    assert cells(tab(["a", "b"], ["d", "c"], [""], ["x", "1"], [mark, mark])) == {
        "a": ["x", None],
        "b": [1.0, None],
    }


def test_tab_listed_values_with_escapes():
    table = tab(["a"], [r"a\ b c\\d \c"], [""], [r"c\d"], ["c"], ["a b"])
    assert table.domain["a"].values == ("a b", "c\\d", "c")
    assert cells(table)["a"] == ["c\\d", "c", "a b"]
    assert tab(["a"], [r"\c"], [""], ["c"]).domain["a"].values == ("c",)


def test_tab_values_that_are_not_listed_are_added_and_noted():
    table = tab(["a"], ["x y"], ["class"], ["z"], ["x"], ["w"])
    assert table.domain["a"].values == ("x", "y", "z", "w")
    assert table.notes == ("Column 'a' holds 'z', 'w', which its header does not list; added.",)


def test_tab_many_values_that_are_not_listed():
    table = tab(["a"], ["x y"], ["class"], *([f"v{k}"] for k in range(5)))
    assert table.notes == (
        "Column 'a' holds 'v0', 'v1', 'v2' and others, which its header does not list; added.",
    )


def test_tab_a_word_in_a_continuous_column():
    with pytest.raises(ReadError, match="line 5: column 'a' is to hold numbers"):
        tab(["a"], ["c"], [""], ["1"], ["x"])
    assert cells(tab(["a"], ["c"], [""], ["1"], ["x"], kinds={"a": "sym"})) == {"a": ["1", "x"]}


def test_tab_numbers_in_a_discrete_column_are_symbols():
    assert cells(tab(["a"], ["d"], [""], ["1"], ["2"])) == {"a": ["1", "2"]}


def test_tab_an_empty_type_is_found():
    assert kinds(tab(["a", "b"], ["", ""], [""], ["1", "x"])) == {"a": "num", "b": "sym"}


def test_tab_cells_may_be_quoted():
    assert cells(tab(["a"], ["d"], [""], ['"x\ty"'], ['"p\nq"'])) == {"a": ["x\ty", "p\nq"]}


def test_tab_cells_are_not_stripped():
    assert cells(tab(["a"], ["d"], [""], [" x"], ["x"])) == {"a": [" x", "x"]}


def test_tab_with_prefixes():
    table = tab(
        ["C#age", "cD#play", "mS#name", "iD#old", "wC#w", "free"],
        ["1", "yes", "n1", "o", "0.5", "7"],
    )
    assert kinds(table) == {
        "age": "num",
        "play": "sym",
        "name": "text",
        "old": "sym",
        "w": "num",
        "free": "num",
    }
    assert list(roles(table).values()) == ["x", "target", "meta", "ignore", "weight", "x"]


def test_tab_names_that_end_in_marks_are_names():
    assert roles(tab(["Mpg+", "a!"], ["c", "d"], [""], ["1", "x"])) == {"Mpg+": "x", "a!": "x"}


@pytest.mark.parametrize(
    ("content", "line"),
    [(b"a\tb\n", 2), (b"a\tb\nc\td\n", 3), (b"a\nc\td\n\n", 2)],
)
def test_tab_without_three_lines(content, line):
    with pytest.raises(ReadError, match=r"has three header lines.*pass format='tsv'") as caught:
        read_delimited(content, layout="tab")
    assert caught.value.line == line


def test_tab_whose_names_stand_above_rows():
    table = read_delimited(b"a\tb\n1\tx\n2\ty\n", layout="tab")
    assert (table["a"].tolist(), table["b"].tolist()) == ([1, 2], ["x", "y"])
    assert "hold no kinds and no roles, and were taken as rows" in table.notes[0]


def test_tab_lines_are_counted_from_the_top_of_the_file():
    with pytest.raises(ReadError, match="line 5: 3 cells where 2 should be"):
        tab(["a", "b"], ["c", "d"], ["", "class"], ["1", "x"], ["2", "y", "z"])
    table = tab(["a", "b"], ["c", "d"], ["", "class"], ["1", "x"], ["2"])
    assert table["b"].tolist() == ["x", None]
    assert table.notes == ("Mended: cells that are missing at the end were added in line 5.",)


# ------------------------------------------------------------------ blocks, threads, two passes


def mixed(rows):
    """Numbers, symbols, text, missing cells, and columns whose kind changes late."""
    out = ["n,s,t,late,zip"]
    for k in range(rows):
        late = "word" if k == rows - 3 else k % 7
        out.append(
            f"{k * 0.37 if k % 5 else ''},{'abc'[k * k % 3]}{k % 11},"
            f'"a text, number {k}, of more than thirty\r\nletters",{late},{k:05d}'
        )
    return "\n".join(out).encode()


def test_threads_and_blocks_change_nothing(monkeypatch, tmp_path):
    content = mixed(3000)
    path = tmp_path / "mixed.csv"
    path.write_bytes(content)
    whole = read_delimited(content, threads=1)
    assert kinds(whole) == {"n": "num", "s": "sym", "t": "text", "late": "sym", "zip": "sym"}
    assert len(whole) == 3000
    for size in (1000, 4096, 1 << 16):
        monkeypatch.setattr(blocks, "BLOCK", size)
        for threads in (1, 2, 5):
            for source in (path, content, gzip.compress(content)):
                table = read_delimited(source, threads=threads)
                assert table.equals(whole)
                assert table.notes == whole.notes
                for one, other in zip(table.columns, whole.columns, strict=True):
                    assert one.dtype == other.dtype
                    if one.dtype != object:
                        assert one.tobytes() == other.tobytes()


def test_large_columns_are_whole(monkeypatch):
    """Their memory is laid out in another way, and made larger where the first rows are longest."""
    monkeypatch.setattr(blocks, "BLOCK", 1 << 14)
    rows = [f"{k},{'long' * (k < 3000)}{k % 7},{k % 5}z" for k in range(300_000)]
    table = read_delimited("\n".join(["a,b,c", *rows]).encode(), threads=2)
    assert np.array_equal(table["a"], np.arange(300_000))
    assert table.domain["b"].values == (*(f"long{k}" for k in range(7)), *"4560123")
    assert table.domain["c"].values == ("0z", "1z", "2z", "3z", "4z")
    assert list(table["b"]) == [row.split(",")[1] for row in rows]
    assert np.array_equal(table.columns[2], np.arange(300_000) % 5)


def test_symbols_that_come_late_have_the_codes_of_their_first_appearance(monkeypatch):
    monkeypatch.setattr(blocks, "BLOCK", 1 << 12)
    rng = random.Random(3)
    words = [f"w{rng.randrange(1 + k // 10)}" for k in range(30_000)]
    words[7::1000] = [""] * 30
    table = read_delimited(("a,b\n" + "".join(f"{w},1\n" for w in words)).encode(), threads=3)
    values = list(dict.fromkeys(word for word in words if word))
    assert list(table.domain["a"].values) == values
    at = {"": -1, **{value: code for code, value in enumerate(values)}}
    assert table.columns[0].tolist() == [at[word] for word in words]


def test_an_error_in_the_middle_is_the_same_with_threads(monkeypatch):
    content = b"a,b\n" + b"1,x\n" * 5000 + b"2\n" + b"1,x\n" * 5000 + b"3\n"
    monkeypatch.setattr(blocks, "BLOCK", 512)
    for threads in (1, 2, 5):
        with pytest.raises(ReadError) as caught:
            read_delimited(content, threads=threads)
        assert caught.value.line == 5002


def test_lines_are_right_in_every_block(monkeypatch):
    content = b"a,b\n" + b'1,"x\ny"\n\n2\n' * 500
    monkeypatch.setattr(blocks, "BLOCK", 100)
    table = read_delimited(content, bad_rows="keep aside", threads=3)
    assert len(table) == 500
    assert [bad.line for bad in table.aside] == list(range(5, 2002, 4))
    assert table.notes == (
        "500 blank lines were left out, the first at line 4.",
        "500 rows were kept aside, the first at line 5.",
    )


def test_the_table_has_room_for_no_more_than_its_rows():
    table = read_delimited(mixed(3000))
    for column in table.columns:
        assert column.base is None or column.base.nbytes == column.nbytes


# ------------------------------------------------------------------ sources


def test_open_files_keep_their_name_in_messages(tmp_path):
    path = tmp_path / "short.csv"
    path.write_bytes(b"a,b\n1\n")
    with path.open("rb") as file, pytest.raises(ReadError, match=r"short\.csv, line 2: "):
        read_delimited(file)


def test_a_stream_is_read_from_where_it_stands_and_twice_if_need_be():
    stream = io.BytesIO(b"skip this\na,b\n1,2\nx,3\n")
    stream.readline()
    assert cells(read_delimited(stream)) == {"a": ["1", "x"], "b": [2.0, 3.0]}


def test_a_missing_file(tmp_path):
    (tmp_path / "voting.csv").write_bytes(b"a\n")
    with pytest.raises(ReadError, match=r"Did you mean 'voting\.csv'\?"):
        read_delimited(tmp_path / "votin.csv")


@pytest.mark.parametrize(
    "content", [b"a,b\n1,x\n", b"1,2\n", b"a,b\n1\n", b"a\n\xff", b"", b"a\nx\n1\n"]
)
@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_files_are_closed_whatever_happens(tmp_path, content, pack):
    path = tmp_path / "some.csv"
    path.write_bytes(pack(content))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        with contextlib.suppress(ReadError):
            read_delimited(path)
        gc.collect()
    assert [str(warning.message) for warning in caught] == []


def test_the_columns_of_a_table_cannot_be_written_to():
    table = read_delimited(b"a,b\n1,x\n")
    for column in table.columns:
        with pytest.raises(ValueError, match="read-only"):
            column[:] = 0
    assert np.array_equal(table["a"], [1.0])
