"""Every decision of the reader is provoked, told in a note, and undone by its remedy."""

import datetime as dt
import pickle
import re
import sqlite3
from contextlib import closing

import pandas as pd
import pytest

import satsuma
from satsuma import Table
from satsuma.cli.terminal import note as show_note
from satsuma.data import profile
from satsuma.data.notes import DECISIONS, Note, note
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


#: By code what provokes a decision: something to read, and options.
PROVOKED = {
    "times": (b"a\n2024-03-31\n", {}),
    "written numbers": (b"a\n$5\n", {}),
    "percent": (b"a\n5 %\n", {}),
    "flags": (b"a\n0\n1\n", {}),
    "new flag": (Table.of([(5,), (6,)], ["b"]).with_column("a", [0, 1]), {}),
    "missing marks": (b"a\n5\n-\n", {}),
    "codes": (b"a\nDE\nFR\nUS\nNA\n", {}),
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
    "no times": (declared("DATE", "soon"), {}),
    "lengths of time": ({"a": [dt.timedelta(days=1)]}, {}),
    "periods": (pd.DataFrame({"a": pd.period_range("2024-01", periods=2, freq="Q")}), {}),
    "large numbers": (pd.DataFrame({"a": [2**60]}), {}),
    "partitions": (Folder({"year=1/t.csv": b"a\nx\n"}), {}),
    "partitions in files": (Folder({"a=1/t.csv": b"a\nx\n"}), {}),
    "blank lines": (b"a,b\n1,2\n\n3,4\n", {}),
    "mended rows": (b"a,b\n1,x\n3,y\n5,z,\n6,w\n", {"bad_rows": "mend"}),
    "rows aside": (b"a,b\n1,2\n3\n", {"bad_rows": "keep aside"}),
}


def test_every_decision_is_provoked():
    assert PROVOKED.keys() == DECISIONS.keys()


def provoked(code, tmp_path):
    """The note of a decision, and a reading with other options."""
    source, options = PROVOKED[code]
    if isinstance(source, Folder):
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


@pytest.mark.parametrize("code", DECISIONS)
def test_a_decision_is_told_and_undone(code, tmp_path, monkeypatch):
    monkeypatch.setattr(profile, "MOST_CHARACTERS", 50)
    read = provoked(code, tmp_path)
    told = [each for each in read().notes if getattr(each, "code", "") == code]
    assert len(told) == 1
    assert "{" not in re.sub(r"\{'\w+': '\w+'\}", "", told[0])
    for option in remedies(told[0]):
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
