"""What notes say of how a column is written is true of its cells."""

import random
import re
from ast import literal_eval

import pytest

import satsuma
from tests.cli.running import ran_well
from tests.suites.grids import cells_of

#: Decimal marks, and marks between thousands, that offices use.
CONVENTIONS = [(".", ","), (",", "."), (",", " "), (".", "'"), (",", "\u00a0"), (".", "")]
_CELL = r"""('[^']*'|"[^"]*")"""
_WRITTEN = re.compile(
    rf"Columns? (?P<names>.*?) (?:is|are) written like (?P<cells>{_CELL}(?: and {_CELL})?)"
    r"(?P<rest>[,:] .*)"
)


def number_column(rng, decimal, thousands):
    """Cells of a column as somebody writes them, and their values."""
    before, after = rng.choice([("", ""), ("", ""), ("", " €"), ("$", ""), ("", " %"), ("", " kg")])
    money = {before, after} & {
        "$",
        " €",
    }  # in which thousandths are thousands, if nothing else tells
    places, most = (
        rng.choice([0, 0, 2] if money else [0, 0, 1, 2, 3]),
        rng.choice([9, 500, 10**5, 10**7]),
    )
    negative = rng.choice(["", "", "-{}", "({})", "{}-"])
    grouped, mark = rng.random() < 0.6, rng.choice(["", "-", "n/a"])
    cells, values = [], []
    for _ in range(rng.randrange(2, 9)):
        value = rng.randrange(most * 10**places) / 10**places
        text = f"{value:,.{places}f}" if grouped else f"{value:.{places}f}"
        text = "".join({",": thousands, ".": decimal}.get(sign, sign) for sign in text)
        if negative and rng.random() < 0.4:
            text, value = negative.format(text), -value
        cells.append(f"{before}{text}{after}")
        values.append(value / 100 if after == " %" else value)
    return [*cells, mark], [*values, None]


def table_text(rng, columns):
    """A file of columns, whose rows are in any order, and the columns as it has them."""
    rows = max(len(cells) for cells in columns.values())
    padded = {
        name: rng.sample(full := (cells * rows)[:rows], len(full))
        for name, cells in columns.items()
    }
    lines = [";".join(padded), *(";".join(row) for row in zip(*padded.values(), strict=True))]
    return "\n".join(lines) + "\n", padded


def has_mark(cells, mark):
    blanks = "[ \u00a0\u202f]" if mark in (" ", "\u00a0") else re.escape(mark)
    return any(re.search(blanks, cell) for cell in cells)


def check_note(note, columns):
    """The cells that a note shows are there, and what it says of marks holds for each column."""
    found = _WRITTEN.match(note)
    names = re.findall(r"'(\w+)'", found["names"])
    cells = {re.sub(r"\s", " ", cell) for cell in columns[names[0]]}
    assert {*map(literal_eval, re.findall(_CELL, found["cells"]))} <= cells
    said = re.search(r"without (.*?)(?:, with|, neg|\.)", found["rest"] + ".")
    for name in names:
        cells = columns[name]
        for mark in re.findall(_CELL, said[1]) if said else ():
            assert has_mark(cells, literal_eval(mark)), (note, cells)
        if "decimal commas" in note:
            assert any(re.search(r"\d,\d", cell) for cell in cells), (note, cells)
        if "parentheses" in note:
            assert has_mark(cells, "(")
        if "minus behind" in note:
            assert any(re.search(r"\d\D*-", cell) for cell in cells)
        if "the mark may part" in note:
            assert has_mark(cells, ".") or has_mark(cells, ","), (note, cells)


@pytest.mark.parametrize("seed", range(8))
def test_notes_of_numbers_are_true(seed, tmp_path):
    rng, path = random.Random(seed), tmp_path / "t.csv"
    for _ in range(40):
        marks = rng.choice(CONVENTIONS)
        made = {f"c{k}": number_column(rng, *marks) for k in range(rng.randrange(1, 5))}
        text, columns = table_text(rng, {name: cells for name, (cells, _) in made.items()})
        path.write_text(text, encoding="utf-8")
        table = satsuma.read(path, delimiter=";", encoding="utf-8")
        told = {name: [] for name in columns}
        for note in table.notes:
            if note.code in ("written numbers", "percent") or note.code.startswith("doubtful"):
                check_note(note, columns)
                for name in re.findall(r"'(c\d)'", _WRITTEN.match(note)["names"]):
                    told[name].append(note.code)
        for name, cells in columns.items():
            plain = all(re.fullmatch(r"-?\d+|n/a|-|", cell) for cell in cells)
            assert len(told[name]) <= 1
            assert not (plain and told[name]), (cells, table.notes)
            if table.domain[name].kind == "num":
                spelled = dict(zip(made[name][0], made[name][1], strict=True))
                read = cells_of(table, name)
                marked = any(re.search(r"[^\d.,'\s-]|\d[.,]\d+[.,]", cell) for cell in cells)
                if marked or plain:
                    values = [spelled[cell] for cell in cells]
                    assert read == pytest.approx(values), (text, table.notes)


def test_whole_numbers_of_a_file_with_decimal_commas_leave_no_note(tmp_path):
    path = tmp_path / "t.csv"
    rows = ["1;03.04.2024;1.234,50 €;ja", "2;13.04.2024;34,50 €;nein", "3;14.04.2024;5,00 €;ja"]
    path.write_text("\n".join(["id;Datum;Betrag;bezahlt", *rows]) + "\n")
    notes = satsuma.read(path).notes
    assert [note.code for note in notes] == ["times", "written numbers"]
    assert "'id'" not in "".join(notes)


@pytest.mark.parametrize("open_table", [satsuma.read, satsuma.scan])
def test_a_point_among_whole_numbers_parts_thousands_where_the_file_has_commas(
    tmp_path, open_table
):
    """Also late in the file, among 0 and 1, and where numbers were asked for."""
    path = tmp_path / "t.csv"
    rows = [f"1,5;{n % 7};{n % 2};{n}" for n in range(9)]
    path.write_text("\n".join(["p;late;flag;said", *rows, "2,5;1.234;1.000;2.345"]) + "\n")
    table = open_table(path, kinds={"said": "num"})
    notes, table = table.notes, table.head(10)
    assert [cells_of(table, n)[-1] for n in ("late", "flag", "said")] == [1234, 1000, 2345]
    told = "Columns 'late', 'flag' and 'said' are written like '1.234': read as numbers, without"
    assert sum(note.startswith(told) for note in notes) == 1


def test_points_that_part_no_thousands_are_decimal_points(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("p;n;m\n1,5;7;7.5\n2,5;8;8.25\n" + "1,5;9;2.5\n" * 40_000 + "2,5;1.5;3\n")
    table = satsuma.read(path)
    assert cells_of(table, "n")[-1] == 1.5
    assert cells_of(table, "m")[:2] == [7.5, 8.25]
    assert [note.code for note in table.notes] == ["written numbers"]


def test_amounts_of_money_follow_the_file(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("fuel;litres\n1.459 €;30.5\n1.523 €;41.25\n")
    assert cells_of(satsuma.read(path), "fuel") == [1.459, 1.523]
    path.write_text("fuel;litres\n1.459 €;30.5 l\n1.523 €;41.25 l\n")
    assert cells_of(satsuma.read(path), "fuel") == [1.459, 1.523]
    path.write_text("price;pieces\n1.459 €;30\n1.523 €;41\n")
    assert cells_of(satsuma.read(path), "price") == [1459, 1523]


def test_a_column_of_missing_times_is_told_nothing_untrue(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("a;b\n;x\n;y\n")
    table = satsuma.read(path, kinds={"a": "time"}, delimiter=";")
    assert table.domain["a"].kind == "time"
    assert table.notes == ()


def test_what_the_command_tells_of_an_export_in_japanese(capfd, tmp_path):
    """Counters are units, and no wide letter is lost at the end of a line."""
    path = tmp_path / "会員.csv"
    rows = [
        f"{n:04},2011年{n % 12 + 1}月{n % 28 + 1}日,{n * 7 % 31}回,{'有無'[n % 2]}"
        for n in range(40)
    ]
    path.write_text("\n".join(["番号,入会日,参加回数,保険", *rows]) + "\n", encoding="utf-8")
    said = ran_well(capfd, "learn", path, "--target", "保険").out
    assert "…" not in said
    told = "".join(said.split())
    assert re.search(r"'参加回数'iswrittenlike'\d+回':readasnumbers,without'回'", told)
    assert "learnedfrombyfeatures:'入会日:month','入会日:weekday'" in told
    assert told.endswith("use--ignore'入会日'.")


def test_a_prediction_tells_how_its_file_was_read(capfd, tmp_path):
    path, model, out = tmp_path / "t.csv", tmp_path / "m.satsuma", tmp_path / "p.csv"
    rows = [f"K{n};{n},5;{'yn'[n > 20]}" for n in range(40)]
    path.write_text("\n".join(["id;price;y", *rows]) + "\n")
    ran_well(capfd, "learn", path, "--target", "y", "--use", "price", "-o", model)
    said = " ".join(ran_well(capfd, "predict", model, path, "-o", out).out.split())
    assert "'price' is written like '10,5'" in said
    assert "learn from it" not in said
    assert satsuma.read(out)["y predicted"].tolist() == ["yn"[n > 20] for n in range(40)]
