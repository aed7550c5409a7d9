"""Every decision of the reader is provoked, told in a note, and undone by its remedy."""

import datetime as dt
import pickle
import re
import sqlite3
from contextlib import closing, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace
from unittest import mock

import openpyxl
import pandas as pd
import pyarrow as pa
import pytest

import satsuma
from satsuma import Table
from satsuma.cli.terminal import note as show_note
from satsuma.data import profile
from satsuma.data.decisions import DECISIONS
from satsuma.data.identifiers import doubts
from satsuma.data.notes import Note, note
from satsuma.errors import ReadError
from satsuma.evaluate import candidates
from satsuma.evaluate.time_budget import Timing
from tests.suites.remedies import remedies


def tab(kinds, cells):
    """A .tab file of one column."""
    return f"a\n{kinds}\n\n{cells}\n".encode(), {"format": "tab"}


def declared(kind, cell):
    """A file of SQLite with one cell."""
    with closing(sqlite3.connect(":memory:")) as made:
        made.execute(f"create table t(a {kind})")
        made.execute("insert into t values (?)", [cell])
        made.commit()
        return made.serialize()


class Folder(dict):
    """Files of a folder, by their paths there."""

    def write(self, folder):
        for path, content in self.items():
            (folder / path).parent.mkdir()
            (folder / path).write_bytes(content)
        return folder


class Workbook(dict):
    """Sheets by name, with the cell below the name of the one column of each."""

    def write(self, folder):
        book = openpyxl.Workbook()
        book.remove(book.active)
        for name, cell in self.items():
            sheet = book.create_sheet(name)
            sheet.append(["n"])
            sheet.append([cell])
        book.save(folder / "t.xlsx")
        return folder / "t.xlsx"


SOLD = Table.of([("pear", 3), ("kiwi", 4)], ["fruit", "pieces"], target=None)
PRICES = Table.of([("kiwi", 0.5), ("fig", 0.9)], ["fruit", "price"], target=None)


TEXTS = Table.of(
    [("a b", 1.5, "x"), ("b c", 2.5, "y")] * 2, ["t", "n", "y"], target="y", kinds={"t": "text"}
)


DAYS = Table.of(
    [(f"2024-03-{day:02}", "ny"[day % 2]) for day in range(1, 25)],
    ["due", "y"],
    kinds={"due": "time"},
)


class Told:
    """Notes that are told by something other than a reader, which may take options."""

    def __init__(self, notes):
        self.notes = notes


def slow_candidates():
    """The learners for many rows, of which each would take longer than it may."""
    many = satsuma.Table.of([(n, "ab"[n % 2]) for n in range(5000)], ["x", "y"])

    def timing(learner, _table, _growth, _parting, limit):
        slow = 0.0 if isinstance(learner, satsuma.Majority) else 1.3e-5 * limit
        return Timing(lambda rows: rows * slow)

    measured = mock.patch.object(candidates, "measured", side_effect=timing)
    with measured, mock.patch.object(candidates, "_SURELY", 0.0):
        return candidates.candidates(many, 2)


def compared(**columns):
    """What is told where a baseline is compared on columns."""

    def notes(**options):
        table = satsuma.read(columns, target="y", **options)
        baseline = satsuma.Mean() if table.domain.target.kind == "num" else satsuma.Majority()
        return satsuma.compare(table, baseline).notes

    return Told(notes)


def doubted(*cells):
    """What is told of symbols that are hardly worth learning from."""

    def notes(**options):
        with TemporaryDirectory() as folder:
            path = Path(folder) / "t.csv"
            path.write_text("a,y\n" + "".join(f"{cell},{cell[-1]}\n" for cell in cells))
            return doubts(satsuma.read(path, target="y", **options))

    return Told(notes)


#: By code what provokes a decision: something to read, and options.
PROVOKED = {
    "times": (b"a\n2024-03-31\n", {}),
    "written numbers": (b"a\n$5\n", {}),
    "percent": (b"a\n5 %\n", {}),
    "flags": (b"a\n0\n1\n", {}),
    "no result": (Table.of([(5,), (0,)], ["a"]).with_column("b", "1 / a"), {}),
    "new flag": (Table.of([(5,), (6,)], ["b"]).with_column("a", [0, 1]), {}),
    "missing marks": (b"a\n5\n-\n", {}),
    "codes": (b"a\nDE\nFR\nUS\nNA\n", {}),
    "likeness": (b"a;b\n1.234;x\n", {"like": satsuma.read(b"a;b\n1,5;x\n", format="csv")}),
    "doubtful numbers": (b"a;b\n1,234;x\n", {}),
    "doubtful dates": (b"a\n03/04/2024\n", {}),
    "doubtful units": (b"a\n12 A\n13 A\n", {}),
    "doubtful times": (b"a\n1:10\n1:25\n", {}),
    "telephone numbers": (b"a\n+4915112345678\n", {}),
    "no numbers": (b"Age,Far-\nold,1\n", {"marks": True}),
    "no goal": (b"Far-,b\nx,1\n", {"marks": True}),
    "values not listed": tab("x y", "z"),
    "too many strings": (b"a\n" + b"x" * 99 + b"\n", {}),
    "numbers and words": ({"a": [1, "x"]}, {}),
    "dates of several sorts": ({"a": [dt.date(2024, 3, 31), dt.time(12, 30)]}, {}),
    "far times": ({"a": [dt.date(1066, 10, 14)]}, {}),
    "far dates": (b"a\n2024-03-31\n9999-12-31\n", {}),
    "no times": (declared("DATE", "soon"), {}),
    "lengths of time": ({"a": [dt.timedelta(days=1)]}, {}),
    "periods": (pd.DataFrame({"a": pd.period_range("2024-01", periods=2, freq="Q")}), {}),
    "large numbers": (pd.DataFrame({"a": [2**60]}), {}),
    "partitions": (Folder({"year=1/t.csv": b"a\nx\n"}), {}),
    "partitions in files": (Folder({"a=1/t.csv": b"a\nx\n"}), {}),
    "encoding": (b"a\nK\xf6ln\n", {}),
    "byte order": ("a\nx\n".encode("utf-16"), {}),
    "byte order mark": (b"\xef\xbb\xbfa\nx\n", {}),
    "separator line": (b"sep=;\na;b\nx;y\n", {}),
    "comment lines": (b"# made by hand\na,b\nx,1\ny,2\n", {}),
    "comments": (b"a,b\nx,y # why\n", {"comment": "#"}),
    "title": (b"Sales of May\na,b\nx,1\ny,2\n", {}),
    "last delimiter": (b"a,b,\nx,1,\ny,2,\nz,3,\n", {}),
    "single quotes": (b"a,b\n'x, y',1\n'z',2\n", {}),
    "total": (b"a,b\nx,1\ny,2\nTotal,3\n", {}),
    "repeated name": (b"a,a\nx,y\n", {}),
    "name too many": (b"a,,b\nx,1\ny,2\n", {}),
    "no name": (b"a,\nx,y\n", {}),
    "blanks in names": (b"a, b\nx,y\n", {}),
    "joined names": (b"a,\nb,c\nx,y\n", {"header": 2}),
    "units": (b"a,b\n[kg],[m]\n1,2\n3,4\n", {}),
    "stripped cells": (b"a\tb\ncontinuous\tcontinuous\n\t\n1\t? \n", {"format": "tab"}),
    "several classes": (
        b"a\tb\nd\td\nmulticlass\tmulticlass\nx\ty\n",
        {"format": "tab"},
    ),
    "no marks": (b"CD4+,b\n1,x\n", {}),
    "marks": (b"Age,play!\n1,x\n", {"marks": True}),
    "roles in names": (b"xC#age,cD#play\n1,x\n", {}),
    "no tab header": (b"a\tb\n1\tx\n2\ty\n3\tz\n", {"format": "tab"}),
    "tab header": (b"a\tb\ncontinuous\tdiscrete\n\tclass\n1\tx\n", {}),
    "tab prefixes": (b"D#sex,age,cC#IQ\nf,1,2\n", {}),
    "other sheets": (Workbook(a=2, b=3), {}),
    "index": (pd.DataFrame({"a": [2]}, index=pd.Index([5], name="id")), {}),
    "damaged metadata": (pa.table({"a": [2]}).replace_schema_metadata({"satsuma": "?"}), {}),
    "only table": (declared("TEXT", "x"), {}),
    "keys": ("id,b\n" + "".join(f"K{n},{n % 3}\n" for n in range(40)), {}),
    "blank lines above": (b"\n\na,b\nx,1\n", {}),
    "blank lines": (b"a,b\n1,2\n\n3,4\n", {}),
    "mended rows": (b"a,b\n1,x\n3,y\n5,z,\n6,w\n", {"bad_rows": "mend"}),
    "rows aside": (b"a,b\n1,2\n3\n", {"bad_rows": "keep aside"}),
    "unmatched rows": Told(lambda how="left": SOLD.join(PRICES, "fruit", how=how).notes),
    "unmatched rows left out": Told(lambda how="inner": SOLD.join(PRICES, "fruit", how=how).notes),
    "unused rows": Told(lambda: SOLD.join(PRICES, "fruit").notes),
    "no text": Told(lambda: satsuma.compare(TEXTS, satsuma.NaiveBayes()).notes),
    "time features": Told(lambda: satsuma.compare(DAYS, satsuma.Majority()).notes),
    "refused learner": Told(lambda: candidates.candidates(TEXTS.with_roles(target="n"), 2).notes),
    "slow learners": Told(lambda: candidates.candidates(satsuma.load("tennis"), 2, 0).notes),
    "sampled learners": Told(lambda: slow_candidates().notes),
    "one pass": Told(lambda: candidates.candidates_of_one_pass(SOLD.domain).notes),
    "few folds": compared(a=[1, 2, 3, 4], y=[*"xyxy"]),
    "no target": compared(a=[1, 2, 3, 4], y=["x", "y", None, "y"]),
    "few numbers": compared(a=[*range(8)], y=[5, 6] * 4),
    "like a key": doubted(*(f"K{n}" for n in range(40))),
    "like amounts": doubted(*(f"{n} €" for n in range(40)), "soon"),
}

#: Decisions about what only Python has.
IN_PYTHON = (
    "new flag",
    "no result",
    "periods",
    "unmatched rows",
    "unmatched rows left out",
    "unused rows",
)

#: Decisions that take a server or a large file to provoke, and the tests that do.
ELSEWHERE = {
    "rounds": "tests/data/database/test_sqlite.py",
    "transaction": "tests/data/database/test_postgresql.py",
    "sample": "tests/cli/test_commands.py",
}


def test_every_decision_is_provoked():
    assert not PROVOKED.keys() & ELSEWHERE.keys()
    assert PROVOKED.keys() | ELSEWHERE.keys() == DECISIONS.keys()
    for code, path in ELSEWHERE.items():
        assert f'.code == "{code}"' in Path(path).read_text()


def provoked(code, tmp_path):
    """The note of a decision, and a reading with other options."""
    if isinstance(PROVOKED[code], Told):
        return lambda **more: SimpleNamespace(notes=PROVOKED[code].notes(**more))
    source, options = PROVOKED[code]
    if isinstance(source, str):
        source = source.encode()
    if isinstance(source, Folder | Workbook):
        folder = source.write(tmp_path)
        return lambda **more: satsuma.read(folder, **more)
    if not isinstance(source, bytes):
        return lambda **more: satsuma.read(source, **more)
    ending = "db" if source.startswith(b"SQLite") else options.get("format", "csv")
    path = tmp_path / f"t.{ending}"
    path.write_bytes(source)
    if code == "too many strings":
        return lambda **more: satsuma.scan(path, **options, **more)
    return lambda **more: satsuma.read(path, **(options | more))


@pytest.mark.parametrize("code", PROVOKED)
def test_a_decision_is_told_and_undone(code, tmp_path, monkeypatch):
    monkeypatch.setattr(profile, "MOST_CHARACTERS", 50)
    read = provoked(code, tmp_path)
    told = [each for each in read().notes if getattr(each, "code", "") == code]
    assert len(told) == (8 if code == "refused learner" else 1)
    assert "{" not in re.sub(r"\{'\w+': '\w+'\}", "", told[0])
    for option in remedies(told[0]):
        with suppress(ReadError):  # what was left out may fit no table
            left = [getattr(each, "code", "") for each in read(**option).notes]
            assert code not in left


def test_a_note_is_kept_with_its_remedies():
    told = note("large numbers", name="zip code")
    again = pickle.loads(pickle.dumps(told))
    assert (again, again.code, again.command) == (told, told.code, told.command)
    assert isinstance(again, Note)


def test_the_command_shows_its_own_remedy(capsys):
    show_note(note("flags", columns="Column 'a b' holds", name="a b"))
    assert "Pass --kind 'a b'=num for numbers." in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize("code", DECISIONS)
def test_no_remedy_in_python_is_shown_by_the_command(code):
    command = DECISIONS[code].command
    assert command or not DECISIONS[code].python or code in IN_PYTHON
    assert not re.search(r"\b(kinds|roles)=|with_(kinds|roles)\(|Pass [a-z_]+=", command)
