"""First and last lines, dialects and repairs: the same for a table and for a scan."""

import bz2
import gzip
import lzma
import zipfile

import pytest

import satsuma
from satsuma.data.formats.delimited import text_parts
from satsuma.errors import ReadError

ROWS = "day,city,amount\n2024-01-15,Rome,12.5\n2024-02-03,Oslo,7\n2024-02-29,Lima,31.25\n"
NAMES = ("day", "city", "amount")


def both(tmp_path, content, **options):
    """A file read whole, checked to be the same as one that is scanned in parts."""
    path = tmp_path / "a.csv"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    table = satsuma.read(path, **options)
    source = satsuma.scan(path, **options)
    assert source.domain == table.domain
    assert len(source) == len(table)
    assert [note.replace(f"{path}, ", "") for note in source.notes] == [*table.notes]
    return table


def told(table, words):
    assert any(words in note for note in table.notes), table.notes


@pytest.mark.parametrize(
    ("content", "note"),
    [
        (
            "Sales of 2024\n\n" + ROWS,
            "The title in line 1, 'Sales of 2024' and 1 blank line, was left out.",
        ),
        ("Sales of 2024,,\n" + ROWS, "The title in line 1, 'Sales of 2024', was left out."),
        ("# by hand\n# twice\n" + ROWS, "2 lines that begin with '#' were left out"),
        (ROWS.replace("\n", "\n,,[kg]\n", 1), "Line 2, with the units '[kg]', was left out."),
        (ROWS + "Total,,50.75\n", "The last row is a total, and was left out."),
        (ROWS.replace("\n", ",\n"), "The ',' behind every row was left out"),
        (ROWS.replace("Rome", "'Rome, S'").replace("Oslo", "'Oslo'"), "single quotes"),
        (ROWS.replace("Rome", "K\xf6ln").encode("cp1252"), "Read as cp1252, by its bytes."),
        (ROWS.encode("utf-16-be"), "Read as utf-16-be, by its bytes."),
        ("sep=;\n" + ROWS.replace(",", ";"), "the delimiter is ';'"),
    ],
)
def test_what_is_steady_is_taken_and_told(tmp_path, content, note):
    table = both(tmp_path, content)
    assert table.domain.names == NAMES
    assert table["amount"].tolist() == [12.5, 7, 31.25]
    told(table, note)


@pytest.mark.parametrize(
    ("content", "line", "remedy"),
    [
        ("Title\na;b\nx;y\nu;v\n", 1, "skip=1"),
        ("# by hand\n" + ROWS + "# checked\n", 1, "comment='#'"),
        (ROWS + "4 rows\n", 5, "footer=1"),
        (ROWS + "# checked\n", 5, "comment='#'"),
        ("a;b # what\n1;3 # why\n6;7\n", 1, "comment='#'"),
        ("sales,,costs\n" + ROWS, 2, "header=2"),
        (ROWS.split("\n", 1)[1], 1, "header=False"),
        (ROWS.replace(",", ":"), 1, "delimiter=':'"),
        ('a,b\n1,"say \\"no\\", now"\n', 2, "escape='\\\\'"),
        ('a,b,c\n1,x,"p, q"\n2,y"r, s"\n', 3, "quote=None"),
        (ROWS.replace("Rome", ",Rome"), 2, 'bad_rows="mend"'),
    ],
)
def test_what_is_in_doubt_is_refused_with_what_decides_it(tmp_path, content, line, remedy):
    path = tmp_path / "a.csv"
    path.write_text(content)
    for opened in (satsuma.read, lambda path: len(satsuma.scan(path))):
        with pytest.raises(ReadError) as caught:
            opened(path)
        assert caught.value.line == line
        assert remedy in caught.value.remedy


@pytest.mark.parametrize(
    ("content", "options"),
    [
        (ROWS.replace(",", "||"), {"delimiter": "||"}),
        (ROWS.replace(",", "\xa7"), {"delimiter": "\xa7"}),
        ("! by hand\n" + ROWS + "! read\n", {"comment": "!"}),
        ("// by, hand\n" + ROWS, {"comment": "//"}),
        ("by hand\nand again\n" + ROWS, {"skip": 2}),
        (ROWS + "1\n2\n", {"footer": 2}),
        ((ROWS + "1\n2\n").encode("utf-16"), {"footer": 2}),
        (ROWS.replace("Rome", "R\\ome"), {"escape": "\\"}),
        (ROWS.replace("12.5", "12.5 # why"), {"comment": "#"}),
    ],
)
@pytest.mark.parametrize("block", [7, 1 << 21])
def test_what_is_asked_for(tmp_path, monkeypatch, content, options, block):
    monkeypatch.setattr(text_parts, "BLOCK", block)
    table = both(tmp_path, content, **options)
    assert table.domain.names == NAMES
    assert [row["city"] for row in table] == ["Rome", "Oslo", "Lima"]
    assert table["amount"].tolist() == [12.5, 7, 31.25]


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        ("Oslo", '"Oslo', "a quote was taken as an ordinary character in line 3"),
        ("Oslo", ",Oslo", "an empty cell was left out in line 3"),
        ("Oslo", '"Oslo" ', "blanks behind a closing quote were left out in line 3"),
        ("2024-02-03,Oslo,7", "2024-02-03;Oslo;7", "another delimiter was taken in line 3"),
    ],
)
def test_rows_that_are_mended_are_told(tmp_path, old, new, what):
    table = both(tmp_path, ROWS.replace(old, new), bad_rows="mend")
    assert [row["city"].strip('"') for row in table] == ["Rome", "Oslo", "Lima"]
    told(table, f"Mended: {what}")


MANY = "day,id,what,amount\n" + "".join(
    f'2024-03-{k:02},RI-{2 * k:04},"Boots, {k} eyes",{k}.50\n' for k in range(10, 20)
)


@pytest.mark.parametrize("mark", [",", ";", "\t"])
@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        ("2024-03-12,RI", "2024-03-12RI", "a delimiter that was lost was put back in line 4"),
        ('RI-0024,"', 'RI-0024"', "a delimiter that was lost was put back in line 4"),
        ('12 eyes",12', '12 eyes"12', "a delimiter that was lost was put back in line 4"),
        (
            '2024-03-12,RI-0024,"Boots, 12 eyes",12.50',
            "2024-03-12 RI-0024 Boots, 12 eyes 12.50",
            "another delimiter was taken in line 4",
        ),
    ],
)
def test_what_looks_like_no_other_row_is_put_right(tmp_path, mark, old, new, what):
    clean = MANY.replace(",", mark).replace(f"Boots{mark}", "Boots,")
    old, new = (each.replace(",", mark).replace(f"Boots{mark}", "Boots,") for each in (old, new))
    polluted = clean.replace(old, new)
    assert polluted != clean
    table = both(tmp_path, polluted, bad_rows="mend")
    assert [row["what"] for row in table] == [f"Boots, {k} eyes" for k in range(10, 20)]
    assert table["amount"].tolist() == [k + 0.5 for k in range(10, 20)]
    told(table, f"Mended: {what}")


def test_numbers_that_ran_into_each_other_are_refused(tmp_path):
    (tmp_path / "a.csv").write_text("a,b\n" + "1,22\n33,4\n" * 5 + "567\n")
    with pytest.raises(ReadError, match="line 12"):
        satsuma.read(tmp_path / "a.csv", bad_rows="mend")


@pytest.mark.parametrize("names", ["day,,city,amount", ",day,city,amount", "day,city,amount,"])
def test_an_empty_name_that_no_row_has_a_cell_for_is_left_out(tmp_path, names):
    table = both(tmp_path, ROWS.replace("day,city,amount", names))
    assert table.domain.names == NAMES
    told(table, "an empty name too many")


@pytest.mark.parametrize("mark", [",", ";", "\t"])
def test_apostrophes_in_single_quotes(tmp_path, mark):
    rows = "".join(f"{k}{mark}'Men's{mark} or boys' boots'\n" for k in range(3))
    table = both(tmp_path, f"a{mark}b\n{rows}")
    assert [row["b"] for row in table] == [f"Men's{mark} or boys' boots"] * 3
    told(table, "Cells are enclosed in single quotes, which may hold apostrophes.")


def test_one_name_of_several_lines_is_doubted(tmp_path):
    (tmp_path / "a.csv").write_text('"ann;x\nbob;y"\ncyd;"\n')
    with pytest.raises(ReadError, match="the only name has 2 lines"):
        satsuma.read(tmp_path / "a.csv")
    assert len(satsuma.read(b'"a\nb"\n1\n', format="csv", header=1)) == 1


def test_what_can_be_mended_in_two_ways_is_refused(tmp_path):
    (tmp_path / "a.csv").write_text("a,b,c\nx,,y\n,u,v\n,x,,y\n")
    with pytest.raises(ReadError, match="line 4"):
        satsuma.read(tmp_path / "a.csv", bad_rows="mend")


def test_lines_of_names_are_joined():
    table = satsuma.read(("sales,,costs\n" + ROWS).encode(), format="csv", header=2)
    assert table.domain.names == ("sales day", "sales city", "costs amount")
    told(table, "The names are joined from 2 lines")


def test_nothing_is_looked_for_where_the_user_says():
    table = satsuma.read(b"a,\n1,\n2,\n", format="csv", skip=0)
    assert table.domain.names == ("a", "column_2")
    table = satsuma.read((ROWS + "Total,,50.75\n").encode(), format="csv", footer=0)
    assert len(table) == 4


@pytest.mark.parametrize("ending", ["gz", "bz2", "xz", "zip", "zst"])
def test_archives_come_back(tmp_path, ending):
    table = satsuma.read(ROWS.encode(), format="csv")
    path = tmp_path / f"a.csv.{ending}"
    satsuma.write(table, path)
    assert satsuma.read(path).equals(table)
    assert len(satsuma.scan(path)) == 3


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress])
def test_an_archive_that_is_cut_short_is_refused(tmp_path, pack):
    path = tmp_path / "a.csv"
    path.write_bytes(pack(ROWS.encode() * 100)[:-20])
    with pytest.raises(ReadError, match="cannot be read to its end"):
        satsuma.read(path)


def test_an_archive_of_several_files_is_refused(tmp_path):
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr("a.csv", ROWS)
        archive.writestr("b.csv", ROWS)
    with pytest.raises(ReadError, match=r"2 files: 'a\.csv', 'b\.csv'"):
        satsuma.read(tmp_path / "a.zip", format="csv")


def test_a_basket_is_refused_by_name(tmp_path):
    (tmp_path / "a.basket").write_text("milk, bread\n")
    with pytest.raises(ReadError, match="lists words and no columns"):
        satsuma.read(tmp_path / "a.basket")
