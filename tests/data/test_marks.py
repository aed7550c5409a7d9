"""Names mean what they say only when that is asked for, or when a header can be nothing else."""

import pytest

import satsuma
from satsuma import Domain, Table, Variable, read, scan, write
from tests.tables import FILES

MOOT = [name for name in FILES if name.startswith("moot")]

#: Headers of others' files, each with a row.
STRANGERS = {
    "a ward": ("Zip,Country,MAX,CD4+", "007,NA,1,500"),
    "cells counted": ("Age,Weight,CD4+,CD8-", "31,70,500,400"),
    "cells counted, by sample": ("sample,group,Age,CD4+,CD8-", "s1,a,31,500,400"),
    "ions": ("Na+,K+,Ca2+,Cl-", "140,4.1,2.4,101"),
    "receptors": ("id,HER2-,ER+,PR-", "1,0,1,0"),
    "a survey": ("name,Score,Do you agree!", "Ann,3,yes"),
    "one word of a survey": ("name,Score,agree!", "Ann,3,yes"),
    "two words of a survey": ("agree!,really!", "yes,no"),
    "finance": ("date,SPX,INDEX,P&L+", "2024-01-02,4742,11,-3.5"),
    "places": ("mouseX,mouseY,MAX,VIX", "1,2,3,4"),
    "notes": ("C#4,D#4,F#4", "1,0,1"),
    "samples by number": ("S#1,S#2,S#3", "1,2,3"),
    "languages": ("C#,F#,name", "1,0,Ann"),
}


def known(table):
    """What is known of the columns, apart from the order of values."""
    return [(v.name, v.kind, v.role, v.goal) for v in table.domain]


@pytest.mark.parametrize("name", STRANGERS)
def test_names_of_others_change_nothing(tmp_path, name):
    path = tmp_path / "a.csv"
    path.write_text("\n".join(STRANGERS[name]) + "\n")
    table, plain = read(path), read(path, marks=False)
    assert table.equals(plain)
    assert {v.role for v in table.domain} == {"x"}
    assert table.domain.names == tuple(STRANGERS[name][0].split(","))
    assert known(scan(path).head()) == known(table)
    ends = any(each[-1] in "!+-" for each in table.domain.names)
    told = [note for note in table.notes if "marks=True" in note]
    assert len(told) == ends
    assert not any("mark" in note for note in plain.notes)
    assert scan(path).notes == table.notes


def test_zeros_missing_cells_and_columns_survive_a_name_with_a_plus():
    table = read(b"Zip,Country,MAX,CD4+\n007,NA,1,500\n08,DE,2,400\n", format="csv")
    assert [list(row) for row in table] == [["007", None, 1.0, 500.0], ["08", "DE", 2.0, 400.0]]
    note, missing = table.notes
    assert missing.startswith("'NA' was taken as missing in column 'Country'.")
    assert note == (
        "The name 'CD4+' ends like a mark and was taken as any other. Pass marks=True if the ends "
        "of names say roles and their first letters kinds."
    )


def test_leading_zeros_survive_marks_and_are_told(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("Zip,Far-\n" + "7,1\n" * 20_000 + "007,2\n")
    table, source = read(path, marks=True), scan(path, marks=True)
    assert table["Zip"][-1] == "007"
    assert (
        known(table)
        == known(source.head(20_001))
        == [
            ("Zip", "sym", "x", None),
            ("Far-", "num", "goal", "-"),
        ]
    )
    assert any("'Zip' is numeric by its name, but line 20002 holds '007'" in n for n in table.notes)
    assert any("'Zip' is numeric by its name" in note for note in source.notes)


def test_what_marks_have_done_is_told():
    table = read(b"HpX,Lbs-,Acc+,Mpg+,kind!\n1,2,3,4,a\n", format="csv", marks=True)
    (note,) = table.notes
    assert note == (
        "By the marks in their names: 'kind!' is the target; 'Acc+', 'Mpg+' are to be large; "
        "'Lbs-' is to be small; 'HpX' is ignored."
    )


@pytest.mark.skipif(not MOOT, reason="no shared data")
@pytest.mark.parametrize("name", MOOT)
def test_tables_with_marks_are_read_back_as_they_were(shared, tmp_path, name):
    table = read(shared(name), marks=True)[:300]
    for ending in ("csv", "tsv.gz"):
        path = tmp_path / f"t.{ending}"
        write(table, path)
        back = read(path)
        assert known(back) == known(table) == known(scan(path).head())
        assert [list(row) for row in back] == [list(row) for row in table]
        assert "taken as such" in back.notes[0]


def test_goals_are_read_back_whatever_their_names(tmp_path):
    domain = Domain(
        [
            Variable("Mpg", role="goal", goal="+"),
            Variable("=cost", role="goal", goal="-"),
            Variable("kind", "sym", ("1", "2"), "target"),
            Variable("told", "text", role="meta"),
            Variable("n", role="weight"),
            Variable("old", role="ignore"),
            Variable("x"),
        ]
    )
    rows = [(1, 2, "1", "a,b", 3, 4, None), (5, 6, "2", None, 7, 8, 9)]
    names = [v.name for v in domain]
    roles = {v.name: v.goal or v.role for v in domain}
    kinds = {v.name: v.kind for v in domain}
    table = Table.of(rows, names, target=None, kinds=kinds, roles=roles)
    for options in ({}, {"escape_formulas": True}):
        write(table, tmp_path / "t.csv", **options)
        head = (tmp_path / "t.csv").read_text().partition("\n")[0]
        assert head == "uC#Mpg,dC#=cost,cD#kind,mS#told,wC#n,iC#old,xC#x"
        back = read(tmp_path / "t.csv")
        assert known(back) == known(table)
        assert [list(row) for row in back] == [list(row) for row in table]
    write(table, tmp_path / "t.csv", marks=False)
    assert {v.role for v in read(tmp_path / "t.csv").domain} == {"x"}


def test_a_table_without_goals_has_plain_names_unless_asked(tmp_path):
    table = Table.of([(1, "7")], ["n", "y"], kinds={"y": "sym"})
    write(table, tmp_path / "t.csv")
    assert (tmp_path / "t.csv").read_text() == "n,y\n1,7\n"
    write(table, tmp_path / "t.csv", marks=True)
    assert (tmp_path / "t.csv").read_text() == "xC#n,cD#y\n1,7\n"
    assert read(tmp_path / "t.csv").equals(table.with_name("t"))


@pytest.mark.parametrize(
    ("names", "cells"),
    [
        (["a", "b"], (1, "Infinity")),
        (["a", "b"], (1, "-inf")),
        (["a", "b"], (1, "\t")),
        (["a", "b"], (1, "  ")),
        (["1", "2"], (1, "x")),
        (["1e5"], (1,)),
        (["1", "2"], ("a,b", "7")),
        (["xC#a", "cD#b"], (1, "x")),
        (["sep=;"], ("x",)),
        (["sep=|"], ("x",)),
    ],
)
def test_what_is_written_is_read(tmp_path, names, cells):
    table = Table.of([cells], names, target=None)
    write(table, tmp_path / "t.csv")
    back = read(tmp_path / "t.csv")
    assert back.domain.names == table.domain.names
    if "7" not in cells:
        assert known(back) == known(table)
    assert back[0][0] == table[0][0]
    source = scan(tmp_path / "t.csv")
    assert [list(row) for row in source.head()] == [list(row) for row in back]


def test_a_header_that_is_written_in_part_is_a_header_of_names():
    table = read(b"xC#a,b\n1,x\n", format="csv")
    assert table.domain.names == ("xC#a", "b")
    assert read(b"xC#a,cD#b\n1,x\n", format="csv", marks=False).domain.names == ("xC#a", "cD#b")


def test_a_source_is_written_with_the_goals_that_it_has(tmp_path):
    (tmp_path / "a.csv").write_text("Mpg+,kind\n1,x\n2,y\n")
    source = satsuma.scan(tmp_path / "a.csv", marks=True)
    source.write(tmp_path / "b.csv")
    assert known(read(tmp_path / "b.csv")) == [
        ("Mpg+", "num", "goal", "+"),
        ("kind", "sym", "x", None),
    ]
