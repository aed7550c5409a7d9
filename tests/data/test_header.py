"""Headers: what the first lines of delimited text say about its columns."""

import pytest

from satsuma.data.formats.delimited.head_lines import HeadLines, sniff
from satsuma.data.formats.delimited.header import cells_of
from satsuma.data.formats.delimited.heads import (
    Head,
    apply_marks,
    marks_note,
    plain_heads,
)
from satsuma.data.formats.delimited.orange_heads import prefixed, prefixed_heads, tab_heads
from satsuma.errors import ReadError


def heads(*names):
    return [Head(name) for name in names]


# ------------------------------------------------------------------ one record


@pytest.mark.parametrize(
    ("record", "cells"),
    [
        (b"a,b\n", ["a", "b"]),
        (b"a,b", ["a", "b"]),
        (b"a,b,\r\n", ["a", "b", ""]),
        (b'"a,b",""\r', ["a,b", ""]),
        (b'"a\nb","c""d"\n', ["a\nb", 'c"d']),
        (b'5" pipe\n', ['5" pipe']),
        (b"\n", [""]),
        ("é,🍊\n".encode(), ["é", "🍊"]),
        (b'"' + b"x" * 200_000 + b'"\n', ["x" * 200_000]),
    ],
)
def test_cells(record, cells):
    assert cells_of(record, ",", '"', "a.csv", 1) == cells


def test_cells_without_quotes():
    assert cells_of(b'"a,b"\n', ",", None, "a.csv", 1) == ['"a', 'b"']


@pytest.mark.parametrize(
    ("record", "what", "remedy"),
    [
        (b"\xe9\n", "not UTF-8", "encoding='latin-1'"),
        (b"a\0\n", "NUL", "utf-16-le"),
        (b'"a\n', "quote", "Close it"),
        (b'"a"b\n', "quote", "twice"),
    ],
)
def test_cells_that_cannot_be_told(record, what, remedy):
    with pytest.raises(ReadError, match=what) as caught:
        cells_of(record, ",", '"', "a.csv", 7)
    assert (caught.value.file, caught.value.line) == ("a.csv", 7)
    assert remedy in caught.value.remedy


# ------------------------------------------------------------------ delimiters


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_each_delimiter_is_found(delimiter):
    rows = ["name,size", "1", "a;b|c"], ["x", "2", "d\te"]
    text = "\n".join(delimiter.join(f'"{cell}"' for cell in row) for row in rows)
    assert sniff(HeadLines.of(text.encode(), '"')) == delimiter


@pytest.mark.parametrize(
    ("text", "delimiter"),
    [
        (b"a;b\n1,5;2,5\n", ";"),
        (b"a,b;c\n1,2;3\n4,5\n", ","),
        (b"a b|c\n1, 2|3\n", "|"),
        (b"a\tb, c\n1\t2\n", "\t"),
        (b'"a;b",c\n"1;2;3",4\n', ","),
        (b'a;"b\n,,,"\n1;2\n', ";"),
        (b"a\n1\n2\n", ","),
        (b"one column, of words\nand more\n", ","),
        (b"", ","),
        (b"\xff\xfe\n", ","),
        (b"a;b\n\n1;2\n", ";"),
    ],
)
def test_the_delimiter_that_cuts_all_lines_alike(text, delimiter):
    assert sniff(HeadLines.of(text, '"')) == delimiter


def test_a_decimal_comma_is_no_delimiter():
    assert sniff(HeadLines.of(b"1,5;2,5\n", '"'), decimal=",") == ";"
    assert sniff(HeadLines.of(b"a\n1,5\n", '"'), decimal=",") == ";"


def test_a_line_cut_short_by_the_sample_does_not_count():
    assert sniff(HeadLines.of(b"a;b;c\n" + b"1;2;3\n" * 20_000, '"')) == ";"


# ------------------------------------------------------------------ names


def test_names_are_stripped_and_made_distinct():
    found, notes = plain_heads([" a", "b", "b", "", "c"])
    assert [head.name for head in found] == ["a", "b", "b_2", "column_4", "c"]
    assert notes == [
        "Column 3 was called 'b' as well; it is now 'b_2'.",
        "Column 4 had no name; it is now 'column_4'.",
        "Blanks around ' a' were left out of the names.",
    ]


def test_many_stripped_names_are_told_in_short():
    _, notes = plain_heads([f" {name}" for name in "abcde"])
    assert notes == ["Blanks around ' a', ' b', ' c' and 2 more names were left out of the names."]


def test_names_that_differ_in_blanks_alone():
    found, notes = plain_heads(["a", " a"])
    assert [head.name for head in found] == ["a", "a_2"]
    assert len(notes) == 2


# ------------------------------------------------------------------ marks


@pytest.mark.parametrize("names", [["a", "b!"], ["Mpg+"], ["Lbs-"]])
def test_ends_of_names_are_doubted(names):
    (note,) = marks_note(heads(*names))
    assert repr(names[-1]) in note
    assert "marks=True" in note


@pytest.mark.parametrize(
    "names", [["a", "b"], ["!"], ["-", "+"], ["HpX"], ["bruises?"], ["!a", "+b"]]
)
def test_other_names_are_not_doubted(names):
    assert marks_note(heads(*names)) == []


@pytest.mark.parametrize(
    ("name", "kind", "role", "goal"),
    [
        ("age", "sym", "x", None),
        ("Age", "num", "x", None),
        ("class!", "sym", "target", None),
        ("Class!", "num", "target", None),
        ("Mpg+", "num", "goal", "+"),
        ("Lbs-", "num", "goal", "-"),
        ("lbs-", "num", "goal", "-"),
        ("HpX", "num", "ignore", None),
        ("hpX", "sym", "ignore", None),
        ("CPLx", "num", "x", None),
        ("X", "num", "x", None),
        ("-", "sym", "x", None),
        ("Ölpreis", "num", "x", None),
    ],
)
def test_what_a_mark_says(name, kind, role, goal):
    (head,) = apply_marks(heads(name), None, "a.csv")
    assert (head.kind, head.role, head.goal, head.doubtful) == (kind, role, goal, True)


def test_two_targets_ask_which():
    with pytest.raises(ReadError, match=r"2 columns end in '!'.*'a!', 'b!'") as caught:
        apply_marks(heads("a!", "b!", "c"), None, "a.csv")
    assert "target=" in caught.value.remedy
    assert "marks=False" in caught.value.remedy


def test_a_target_that_is_told_beats_the_marks():
    assert [head.role for head in apply_marks(heads("a!", "b!", "c"), "c", "a.csv")] == ["x"] * 3


def test_an_exclamation_mark_alone_is_a_name():
    assert [h.role for h in apply_marks(heads("!", "a!"), None, "a.csv")] == ["x", "target"]


# ------------------------------------------------------------------ prefixes


@pytest.mark.parametrize(
    ("cell", "name", "kind", "role"),
    [
        ("C#age", "age", "num", "x"),
        ("D#wind", "wind", "sym", "x"),
        ("S#title", "title", "text", "x"),
        ("c#play", "play", None, "target"),
        ("cD#play", "play", "sym", "target"),
        ("mS#name", "name", "text", "meta"),
        ("iC#old", "old", "num", "ignore"),
        ("wC#weight", "weight", "num", "weight"),
        ("#plain", "plain", None, "x"),
        ("C#a#b", "a#b", "num", "x"),
        ("plain", "plain", None, "x"),
        ("T#day", "day", "time", "x"),
        ("cN#sum", "sum", "num", "target"),
        ("Q#strange", "Q#strange", None, "x"),
        ("Cc#swapped", "Cc#swapped", None, "x"),
        (" C#blank ", "blank", "num", "x"),
    ],
)
def test_prefixes(cell, name, kind, role):
    found, _ = prefixed_heads([cell])
    assert [(head.name, head.kind, head.role) for head in found] == [(name, kind, role)]
    assert found[0].doubtful == (kind is None)


def test_when_a_line_has_prefixes():
    assert prefixed(["a", "C#b"])
    assert not prefixed(["a", "#b"])
    assert not prefixed(["issue #12", "Q#1"])


# ------------------------------------------------------------------ three lines


def three_lines(names, kinds, roles, known=(), target=None):
    return tab_heads((names, kinds, roles), known, target, "a.tab")


def test_three_lines():
    found, notes = three_lines(
        ["age", "wind", "name", "play", "old", "w", "free"],
        ["c", "weak strong", "string", "d", "continuous", "c", ""],
        ["", "", "meta", "class ", "i", "weight"],
    )
    assert [(head.name, head.kind, head.values, head.role) for head in found] == [
        ("age", "num", (), "x"),
        ("wind", "sym", ("weak", "strong"), "x"),
        ("name", "text", (), "meta"),
        ("play", "sym", (), "target"),
        ("old", "num", (), "ignore"),
        ("w", "num", (), "weight"),
        ("free", None, (), "x"),
    ]
    assert [head.doubtful for head in found] == [False] * 6 + [True]
    assert notes == []


@pytest.mark.parametrize(
    ("spelled", "values"),
    [
        ("a b", ("a", "b")),
        (r"left\ vent\ hypertrophy normal", ("left vent hypertrophy", "normal")),
        (r"a\\b", ("a\\b",)),
        (r"\\ x", ("\\", "x")),
        (r"\c", ("c",)),
        (r"\continuous", ("continuous",)),
        (r"c d", ("c", "d")),
        ("b  a b", ("b", "a")),
        (">50K <=50K", (">50K", "<=50K")),
        ("0 1 ?", ("0", "1", "?")),
        ("a\\\tb c", ("a\tb", "c")),
        (" yes no ", ("yes", "no")),
    ],
)
def test_listed_values(spelled, values):
    found, _ = three_lines(["a"], [spelled], [])
    assert (found[0].kind, found[0].values) == ("sym", values)


def test_shorter_lines_are_filled_with_nothing():
    found, _ = three_lines(["a", "b"], ["c"], [""])
    assert [(head.kind, head.role) for head in found] == [("num", "x"), (None, "x")]


@pytest.mark.parametrize(
    ("kinds", "roles", "line", "what"),
    [
        (["c", "c", "c"], [], 2, "3 cells under 2 names"),
        (["c", "c"], ["", "", ""], 3, "3 cells under 2 names"),
        (["c", "d"], ["", "clas"], 3, "'clas' is not a role"),
        (["c", "d"], ["5.1", "yes"], 3, "'5.1' is not a role"),
    ],
)
def test_three_lines_that_are_none(kinds, roles, line, what):
    with pytest.raises(ReadError, match=what) as caught:
        three_lines(["a", "b"], kinds, roles)
    assert (caught.value.file, caught.value.line) == ("a.tab", line)
    assert "format='tsv'" in caught.value.remedy


def test_a_misspelt_role_is_guessed():
    with pytest.raises(ReadError, match=r"Did you mean 'class'\? A \.tab file has three"):
        three_lines(["a"], ["c"], ["clas"])


@pytest.mark.parametrize(
    ("spelled", "role"),
    [
        ("m", "meta"),
        ("c", "target"),
        ("w", "weight"),
        ("meta type=image", "meta"),
        ("a=b", "x"),
        (r"class name=a\ b -ordered", "target"),
    ],
)
def test_short_roles_and_properties(spelled, role):
    (head,), _ = three_lines(["a"], ["c"], [spelled])
    assert head.role == role


def test_one_of_several_classes_is_the_target():
    roles = ["multiclass", "multiclass", ""]
    found, (note,) = three_lines(["a", "b", "c"], ["d", "d", "c"], roles)
    assert [head.role for head in found] == ["target", "meta", "x"]
    assert "2 columns are classes; 'a' is the target" in note
    assert three_lines(["a", "b"], ["d", "d"], ["class", "class"])[1]
    found, _ = three_lines(["a", "b"], ["d", "d"], ["class", "class"], target="b")
    assert [head.role for head in found] == ["meta", "target"]


@pytest.mark.parametrize(
    ("word", "kind"), [("n", "num"), ("numeric", "num"), ("categorical", "sym"), ("text", "text")]
)
def test_newer_words_for_kinds(word, kind):
    (head,), _ = three_lines(["a"], [word], [""])
    assert (head.kind, head.values) == (kind, ())


def test_missing_cells_of_one_column_are_refused():
    with pytest.raises(ReadError, match="column 'a' has missing cells of its own: '-dc X'"):
        three_lines(["a"], ["d"], ["-dc X"])


@pytest.mark.parametrize("kind", ["basket", "python"])
def test_types_that_are_no_kinds(kind):
    with pytest.raises(ReadError, match=f"column 'a' has the type '{kind}'") as caught:
        three_lines(["a"], [kind], [""])
    assert "kinds={'a': 'text'}" in caught.value.remedy
    assert len(three_lines(["a"], [kind], [""], known={"a": "text"})[0]) == 1
