import io

import numpy as np
import pytest
from scipy.io import arff as scipy_arff

from satsuma import Table, Variable, load, read, write
from satsuma.errors import DomainError, NoSuchColumn, ReadError, WriteError
from satsuma.kernels.csv import TimeFormat


def arff(text, **options):
    return read(text.encode(), format="arff", **options)


def rows(table):
    return [list(row) for row in table]


HEAD = "@relation r\n@attribute n numeric\n@attribute s {yes, no}\n@data\n"


def test_the_words_of_the_format():
    table = arff(
        """% a comment
        @RELATION 'a relation'

        @Attribute 'sepal length' REAL % in cm
        @attribute\tcount\tInteger [0, 10]
        @attribute "petal \\"width\\"" numeric
        @attribute play{yes, 'not now', "it's"}
        @attribute note STRING
        @attribute day date "yyyy-MM-dd"

        @DATA
        % another comment
        5.1, 3, 1e-2, yes, 'a, b', 2024-02-29

        ?,?,?,?,?,?
        -.5,+7,1.,'not now',"say \\"hi\\"",'2024-03-01' % the last
        """
    )
    assert [(v.name, v.kind) for v in table.domain] == [
        ("sepal length", "num"),
        ("count", "num"),
        ('petal "width"', "num"),
        ("play", "sym"),
        ("note", "text"),
        ("day", "time"),
    ]
    assert table.domain["play"].values == ("yes", "not now", "it's")
    assert table.domain.target is None
    assert rows(table) == [
        [5.1, 3.0, 0.01, "yes", "a, b", "2024-02-29"],
        [None] * 6,
        [-0.5, 7.0, 1.0, "not now", 'say "hi"', "2024-03-01"],
    ]
    assert table.name == "a relation"
    assert table.domain["day"].time_format == TimeFormat("%Y-%m-%d")
    assert not table.notes


@pytest.mark.parametrize(
    ("pattern", "cell", "moment"),
    [
        ("", "2024-04-03T12:30:15", "2024-04-03T12:30:15"),
        ("'dd.MM.yyyy HH:mm'", "'03.04.2024 12:30'", "2024-04-03T12:30"),
        ("\"yyyy-MM-dd'T'HH:mm:ss.SSS\"", "2024-04-03T12:30:15.250", "2024-04-03T12:30:15.250"),
        ('"d MMM yyyy"', '"3 Apr 2024"', "2024-04-03"),
        ('"h:mm a"', '"1:05 PM"', "1970-01-01T13:05"),
        ("yyyy-MM-dd'T'HH:mmZ", "2024-04-03T12:30+0200", "2024-04-03T10:30"),
        ("EEE", "2024-04-03", "2024-04-03"),
    ],
)
def test_dates_are_read_by_their_pattern_and_written_with_it(pattern, cell, moment, tmp_path):
    table = arff(f"@attribute day date {pattern}\n@attribute n numeric\n@data\n{cell},1\n?,2\n")
    assert table.column("day")[0] == np.datetime64(moment, "ns")
    assert table.missing("day").tolist() == [False, True]
    table.write(tmp_path / "t.arff")
    again = read(tmp_path / "t.arff")
    assert again.domain["day"] == table.domain["day"]
    assert again.equals(table)


def test_scipy_reads_the_dates_that_are_written(tmp_path):
    table = arff("@attribute day date 'dd.MM.yyyy HH:mm'\n@data\n'03.04.2024 12:30'\n")
    table.write(tmp_path / "t.arff")
    rows, _ = scipy_arff.loadarff(tmp_path / "t.arff")
    assert rows["day"][0] == np.datetime64("2024-04-03T12:30")


def test_a_date_of_another_pattern_is_refused_with_its_line():
    text = "@attribute day date yyyy-MM-dd\n@data\n2024-04-03\nsoon\n"
    with pytest.raises(ReadError, match=r"holds 'soon', which is not written as") as caught:
        arff(text)
    assert caught.value.line == 4
    assert read(text.encode(), format="arff", kinds={"day": "sym"}).domain["day"].kind == "sym"


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_line_ends_and_byte_order_mark(end):
    assert rows(arff("\ufeff" + (HEAD + "1,yes\n").replace("\n", end))) == [[1.0, "yes"]]


@pytest.mark.parametrize("row", ["1 yes", "1\tyes", "1 'yes'", "1 , yes", " '1',\"yes\" "])
def test_cells_are_parted_by_commas_or_blanks(row):
    assert rows(arff(HEAD + row)) == [[1.0, "yes"]]


@pytest.mark.parametrize(
    ("spelled", "meant"),
    [
        (r"'it\'s'", "it's"),
        (r"'a\\b'", "a\\b"),
        (r"'a\nb\tc\rd'", "a\nb\tc\rd"),
        (r"'50\%'", "50%"),
        (r"'\u00e9\041'", "é!"),
        ("'?'", "?"),
        ("''", ""),
        ("'% no comment'", "% no comment"),
        ("New York", "New York"),
        ("5%", "5%"),
        ("O'Brien", "O'Brien"),
    ],
)
def test_quotes_and_escapes(spelled, meant):
    head = "@attribute n numeric\n@attribute t string\n@data\n"
    assert rows(arff(f"{head}1,{spelled}")) == [[1.0, meant]]


def test_sparse_rows():
    head = "@attribute a numeric\n@attribute s {no, 'y, es'}\n@attribute b real\n@data\n"
    table = arff(head + "{0 5, 1 'y, es'}\n{}\n{2 ?,1 ?}\n{ 2 -1.5 }\n")
    assert rows(table) == [[5, "y, es", 0], [0, "no", 0], [0, None, None], [0, "no", -1.5]]


@pytest.mark.parametrize(
    ("text", "line", "told"),
    [
        ("", None, "no @data"),
        ("@relation r\n@attribute a numeric\n", None, "no @data"),
        ("@relation r\n@data\n1", 2, "'@data' where a declaration is expected"),
        ("a,b\n1,2\n", 1, "'a,b' where a declaration"),
        ("@attribute a relational\n@data\n", 1, "a relational attribute, which holds tables"),
        ("@attribute 'a numeric\n@data\n", 1, "is not understood"),
        ("@attribute s {a, 'b}\n@data\n", 1, "is not understood"),
        (HEAD + "1,yes,3\n", 5, "3 cells where 2 attributes"),
        (HEAD + "1,yes\n\n1\n", 7, "1 cells where 2"),
        (HEAD + "1,'yes\n", 5, "quotes that do not fit"),
        (HEAD + "1, 'yes\n", 5, "quotes that do not fit"),
        (HEAD + "{0 1, 1 'yes}\n", 5, "sparse row that is not understood"),
        (HEAD + "1,'yes'x\n", 5, "quotes that do not fit"),
        (HEAD + "1,yes\n1,maybe\n", 6, "'s' holds 'maybe'.*'yes', 'no'"),
        (HEAD + "x,yes\n", 5, "'n' is to hold numbers, but here it holds 'x'.*kinds="),
        (HEAD + "inf,yes\n", 5, "finite"),
        (HEAD + "1e999,yes\n", 5, "finite"),
        (HEAD + "1_000,yes\n", 5, "holds '1_000'"),
        (HEAD + "{2 1}\n", 5, "sparse row that is not understood"),
        (HEAD + "{0 1, 0 2}\n", 5, "sparse row that is not understood"),
        (HEAD + "{0 1\n", 5, "sparse row that is not understood"),
        ("@attribute t string\n@data\n{}\n", 3, "without 't'"),
    ],
)
def test_errors_name_file_and_line(tmp_path, text, line, told):
    path = tmp_path / "bad.arff"
    path.write_text(text)
    with pytest.raises(ReadError, match=told) as caught:
        read(path)
    assert caught.value.line == line
    assert caught.value.file == str(path)


def test_encodings():
    text = "@attribute s {é}\n@data\né\n".encode("latin-1")
    with pytest.raises(ReadError, match=r"line 1: bytes that are not utf-8.*encoding='latin-1'"):
        read(text, format="arff")
    assert rows(read(text, format="arff", encoding="latin-1")) == [["é"]]
    with pytest.raises(ReadError, match="no encoding called 'latin-0'"):
        read(text, format="arff", encoding="latin-0")


def test_kinds_are_settled_before_anything_is_lost():
    table = arff(HEAD + "007,yes\n?,no\n", kinds={"n": "sym", "s": "text"}, target="n")
    assert table.domain["n"] == Variable("n", "sym", ("007",), "target")
    assert rows(table) == [["007", "yes"], [None, "no"]]
    with pytest.raises(NoSuchColumn):
        arff(HEAD, kinds={"z": "sym"})
    with pytest.raises(DomainError):
        arff(HEAD + "1,yes\n", kinds={"s": "num"})


def test_numbers_beyond_2_53_become_symbols():
    table = arff(HEAD + "9007199254740993,yes\n1,no\n")
    assert table.domain["n"].values == ("9007199254740993", "1")
    assert "2**53" in table.notes[0]
    assert rows(arff(HEAD + "9e15,yes\n9007199254740992,yes\n"))[1][0] == 2.0**53
    assert rows(arff(HEAD + "9007199254740993,yes\n", kinds={"n": "num"})) == [[2.0**53, "yes"]]


def test_repeated_names_and_values():
    table = arff("@attribute a {x, x, y}\n@attribute a real\n@data\ny,1\n")
    assert table.domain.names == ("a", "a_2")
    assert table.domain["a"].values == ("x", "y")
    assert len(table.notes) == 1


def test_what_is_written_reads_the_same_in_scipy(tmp_path):
    iris = load("iris")
    write(iris, tmp_path / "iris.arff")
    data, meta = scipy_arff.loadarff(tmp_path / "iris.arff")
    for variable in iris.domain:
        column = data[variable.name]
        if variable.kind == "num":
            assert np.array_equal(column, iris.column(variable.name))
        else:
            assert meta[variable.name] == ("nominal", variable.values)
            assert column.astype(str).tolist() == list(iris[variable.name])


def test_what_is_written():
    table = Table.of([(1.5, "it's", "a\nb"), (None, None, None)], ["n", "two words", "t"])
    path = io.BytesIO()
    from satsuma.data.formats.arff.writer import arff_put

    arff_put(table.with_kinds({"t": "text"}))(path)
    assert path.getvalue().decode().splitlines() == [
        "@relation table",
        "",
        "@attribute n numeric",
        "@attribute 'two words' {'it\\'s'}",
        "@attribute t string",
        "",
        "@data",
        "1.5,'it\\'s','a\\nb'",
        "?,?,?",
    ]


def test_no_columns(tmp_path):
    with pytest.raises(WriteError, match="without columns"):
        write(Table.of([], []), tmp_path / "x.arff")
