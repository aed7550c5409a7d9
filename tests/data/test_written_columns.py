"""What people write is read as what it is, by all cells of a column, in `read` and `scan` alike."""

import numpy as np
import pytest

import satsuma
from satsuma.data.formats.delimited import text_parts
from satsuma.errors import ParameterError, ReadError
from tests.suites.grids import cells_of

DAY = 86_400 * 10**9

#: Cells of a column, so that the last one is far behind the first look.
MANY = 1_000


def text(*columns):
    """A file of columns; the first string of each is its name."""
    return "".join(";".join(row) + "\n" for row in zip(*columns, strict=True)).encode()


@pytest.fixture(params=["read", "scan"])
def opened(request, short_look, tmp_path, monkeypatch):  # noqa: ARG001 - it is taken
    """How a file is read: at once, or in parts."""
    monkeypatch.setattr(text_parts, "PART", 1 << 12)
    monkeypatch.setattr(text_parts, "BLOCK", 1 << 10)

    def read(content, **options):
        options.setdefault("delimiter", ";")
        path = tmp_path / "t.csv"
        path.write_bytes(content)
        if request.param == "read":
            return satsuma.read(path, **options)
        source = satsuma.scan(path, **options)
        return source.head(len(source)).with_notes(*source.notes)

    return read


def many(first, last, count=MANY):
    """A column of numbers of which only the last cells are of another sort."""
    return ["a", *first * count, *last]


def test_a_format_of_the_first_rows_is_withdrawn_by_a_later_cell(opened):
    days = many(["2024-03-31"], ["soon"])
    table = opened(text(days))
    assert table.domain["a"].values == ("2024-03-31", "soon")
    assert table.notes == ()


def test_a_later_cell_makes_another_format(opened):
    table = opened(text(many(["5 €", "950 €"], ["1.234 €", "1.234,50 €"])))
    assert cells_of(table, "a")[-3:] == [950.0, 1234.0, 1234.5]
    assert cells_of(opened(text(many(["5"], ["$5", "$1,000"]))), "a")[-1] == "$1,000"
    table = opened(text(many(["$5"], ["$1,000.50"])))
    assert cells_of(table, "a")[-2:] == [5.0, 1000.5]
    table = opened(text(many(["$5.50"], ["$1,000.50"])))
    assert cells_of(table, "a")[-2:] == [5.5, 1000.5]
    table = opened(text(many(["5,50"], ["1'000,50"])))
    assert cells_of(table, "a")[-2:] == [5.5, 1000.5]


def test_whole_numbers_in_the_first_rows_make_no_fraction_of_a_later_one(opened):
    """Currencies have no thousandths: what was not seen is looked at."""
    table = opened(text(many(["5 €", "950 €"], ["1.234 €"])))
    assert cells_of(table, "a")[-2:] == [950.0, 1234.0]


def test_a_doubt_is_settled_by_a_later_cell(opened):
    table = opened(text(many(["03/04/2024"], ["13/04/2024"])))
    assert table.domain["a"].time_format.pattern == "%d/%m/%Y"
    assert cells_of(table, "a")[0] // DAY == 19_816


def test_a_doubt_that_stays_is_asked_about(opened):
    days = text(many(["03/04/2024", "05/04/2024"], []))
    table = opened(days)
    assert table.domain["a"].kind == "sym"
    (note,) = table.notes
    assert note.endswith("Pass dates='dmy' or dates='mdy'.")
    assert note.command.endswith("Pass --read dates=dmy or --read dates=mdy.")
    assert cells_of(opened(days, dates="dmy"), "a")[0] // DAY == 19_816
    assert cells_of(opened(days, dates="mdy"), "a")[0] // DAY == 19_786


def test_an_amount_in_doubt_follows_the_other_columns(opened):
    stock = ["stock", "1.234", "12.500"]
    assert cells_of(opened(text(stock, ["p", "1,5", "2,5"])), "stock") == [1234.0, 12500.0]
    assert cells_of(opened(text(stock, ["p", "1.5", "2.5"])), "stock") == [1.234, 12.5]
    stock = ["stock", "1,234", "12,500"]
    assert cells_of(opened(text(stock, ["p", "1,5", "2,5"])), "stock") == [1.234, 12.5]
    assert cells_of(opened(text(stock, ["p", "1.5", "2.5"])), "stock") == [1234.0, 12500.0]
    assert cells_of(opened(text(stock, ["p", "5%", "2.5%"])), "stock") == [1234.0, 12500.0]
    table = opened(text(stock, ["p", "5", "2"]))
    assert cells_of(table, "stock") == ["1,234", "12,500"]
    assert table.notes[0].endswith("Pass decimal='.' or decimal=','.")


def test_a_comma_that_parts_cells_parts_no_fraction(opened):
    table = opened(b'n,s\n"1,234",x\n"5,678",y\n', delimiter=",")
    assert cells_of(table, "n") == [1234.0, 5678.0]
    table = opened(b'n,s\n"1,5",x\n"5,67",y\n', delimiter=",")
    assert cells_of(table, "n") == [1.5, 5.67]


def test_plain_numbers_that_do_not_follow_the_file_are_plain_numbers(opened):
    """One with a point that cannot be between thousands is no such number."""
    price = many(["1,5", "2,5"], ["1,5"])
    table = opened(text(price, ["n", *["7", "8"] * MANY, "1.5"]))
    assert cells_of(table, "n")[-2:] == [8.0, 1.5]
    late = ["p", *["1", "2"] * MANY, "1,5"]
    table = opened(text(late, ["n", *["7", "8"] * MANY, "1.234"]))
    assert cells_of(table, "p")[-1] == 1.5
    assert cells_of(table, "n")[-1] == 1234.0


@pytest.mark.parametrize("mark", ["N/A", "-", "?", "null", "#N/A", "n/a", "NA", "\u2013"])
def test_missing_marks_are_told(opened, mark):
    names = "number", "word", "date", "flag", "text"
    text_cell = "a text that is long enough to be one, number "
    cells = [("1.5", "x", "2024-03-31", "0", f"{text_cell}{k}") for k in range(4)]
    cells += [("2", "y", "2024-03-30", "1", f"{text_cell}5"), (mark,) * 5]
    table = opened(text(*zip(names, *cells, strict=True)))
    kinds = [table.domain[name].kind for name in names]
    assert kinds == ["num", "sym", "time", "sym", "text"]
    assert [cells_of(table, name)[-1] for name in names] == [None] * 5
    assert mark not in table.domain["word"].values
    told = [note for note in table.notes if "taken as missing" in note]
    where = "missing in columns 'number', 'word', 'date' and 2 more"
    assert told == [f"{mark!r} was taken as {where}. Pass missing=[] to keep such cells."]


def test_marks_can_be_kept(opened):
    table = opened(b"n;s\n1;x\n-;-\n", missing=[])
    assert cells_of(table, "n") == ["1", "-"]
    assert cells_of(table, "s") == ["x", "-"]


@pytest.mark.parametrize("at", [1, 2 * MANY])
def test_codes_of_countries(opened, at):
    codes = ["DE", "FR", "US"] * MANY
    codes[at] = "NA"
    table = opened(text(["c", *codes], ["n", *["1"] * len(codes)]))
    assert cells_of(table, "c") == codes
    (note,) = table.notes
    assert note.startswith("'NA' was kept as a value in column 'c'")
    codes[-1] = "none of these"
    assert cells_of(opened(text(["c", *codes])), "c")[at] is None


def test_signs_are_values(opened):
    assert cells_of(opened(b"s;n\n+;1\n-;2\n?;3\n"), "s") == ["+", "-", None]


def test_words_that_are_missing_among_numbers_are_words_alone(opened):
    assert cells_of(opened(b"s;n\nnone;none\nunknown;1\n"), "s") == ["none", "unknown"]
    assert cells_of(opened(b"s;n\nnone;none\nunknown;1\n"), "n") == [None, 1.0]


@pytest.mark.parametrize("cells", [["0", "1"], ["1", "0", ""], ["0.0", "1.0", "-"]])
def test_flags(opened, cells):
    table = opened(text(["flag", *cells], ["n", *["5"] * len(cells)]), target="flag")
    assert table.domain["flag"].values == ("0", "1")
    assert cells_of(table, "flag")[:2] == [cell[0] for cell in cells[:2]]
    assert "Pass kinds={'flag': 'num'} for numbers." in table.notes[0]
    numbers = opened(text(["flag", *cells]), kinds={"flag": "num"})
    assert cells_of(numbers, "flag")[0] == float(cells[0])


def test_flags_are_told_by_all_cells(opened):
    assert cells_of(opened(text(many(["0", "1"], ["2"]))), "a")[-2:] == [1.0, 2.0]
    assert cells_of(opened(text(many(["0"], ["1"]))), "a")[-2:] == ["0", "1"]
    assert cells_of(opened(text(many(["0", "1"], ["x"]))), "a")[-1] == "x"
    assert opened(text(many(["0"], []))).domain["a"].kind == "num"


@pytest.mark.parametrize("role", ["weight", "+"])
def test_a_weight_and_a_goal_are_numbers(opened, role):
    table = opened(b"w;y\n0;a\n1;b\n", roles={"w": role})
    assert table.domain["w"].kind == "num"
    assert not any("symbols" in note for note in table.notes)


def test_ids_and_telephone_numbers_keep_their_digits(opened):
    rows = ["007", "+4915112345678", "12345678901234567890", "00123.5"]
    for cell in rows:
        assert cells_of(opened(text(["a", "5", cell])), "a") == ["5", cell]


def test_kinds_that_are_asked_for(opened):
    money = text(["a", "$5", "$1,000"], ["d", "2024-03-31", "2024-03-30"])
    table = opened(money, kinds={"a": "num", "d": "time"})
    assert cells_of(table, "a") == [5.0, 1000.0]
    assert table.domain["d"].kind == "time"
    table = opened(money, kinds={"a": "sym", "d": "text"})
    assert cells_of(table, "a") == ["$5", "$1,000"]
    assert cells_of(table, "d") == ["2024-03-31", "2024-03-30"]


@pytest.mark.parametrize(
    ("cells", "kind", "what", "remedy"),
    [
        (["03/04/2024"], "time", "may be read in several ways", "dates='dmy' or dates='mdy'"),
        (["soon"], "time", "cells like 'soon'", "kinds={'a': 'sym'}"),
        (["5"], "time", "cells like '5'", "kinds={'a': 'sym'}"),
        (["1,234"], "num", "may be read in several ways", "decimal='.' or decimal=','"),
        (["2024-03-31"] * MANY + ["soon"], "time", "here it holds 'soon'", "'a': 'sym'"),
    ],
)
def test_kinds_that_cannot_be_had(opened, cells, kind, what, remedy):
    with pytest.raises(ReadError) as caught:
        opened(text(["a", *cells]), kinds={"a": kind})
    assert what in str(caught.value)
    assert remedy in str(caught.value)


def test_times_that_are_asked_for_may_all_be_missing(opened):
    table = opened(b"a;b\n;1\n-;2\n", kinds={"a": "time"})
    assert table.domain["a"].kind == "time"
    assert np.isnat(table.column("a")).all()


def test_an_order_of_dates_that_is_none():
    with pytest.raises(ParameterError, match="'dates' parameter must be 'dmy', 'mdy', 'ymd'"):
        satsuma.read(b"a\n1\n", format="csv", dates="day first")
