"""Damaged, foreign and newer logs: a sentence, no overwrite, and what can be read is saved."""

import os
import shlex
import shutil
import sqlite3
import subprocess
from contextlib import closing

import pytest

import satsuma
from satsuma.app.labelling.session import Session
from satsuma.app.store import log_file
from satsuma.app.store.log import Log
from satsuma.app.store.log_file import LogError
from satsuma.app.store.repair import repair
from tests.app.labelling.test_session import label
from tests.app.serving import fruit_task, fruits
from tests.cli.running import ran_well, refused

EVENTS = 60


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A log of some events, closed."""
    path = tmp_path_factory.mktemp("log") / "fruits.csv.labels.sqlite"
    session = Session(fruit_task(), Log(path))
    for _ in range(EVENTS):
        label(session)
    session.log.close()
    return path


@pytest.fixture
def log(whole, tmp_path):
    return shutil.copy(whole, tmp_path / whole.name)


def run(path, *statements):
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        for each in statements:
            db.execute(each)


def cut(path):
    path.write_bytes(path.read_bytes()[: path.stat().st_size * 8 // 10])


def cut_to_a_page(path):
    path.write_bytes(path.read_bytes()[:4096])


def cut_in_the_header(path):
    path.write_bytes(path.read_bytes()[:50])


def garble(path):
    made = bytearray(path.read_bytes())
    made[:4096] = bytes(at * 7 % 256 for at in range(4096))
    path.write_bytes(made)


def rot(path):
    """A page of events, in the middle, is overwritten."""
    made = bytearray(path.read_bytes())
    middle = len(made) // 4096 // 2 * 4096
    made[middle : middle + 4096] = b"\xff" * 4096
    path.write_bytes(made)


def bad_json(path):
    run(path, "DROP TRIGGER never_changed", "UPDATE events SET value = '{\"x' WHERE seq = 7")


def bad_text(path):
    bad = "UPDATE events SET shown = CAST(x'fffe' AS TEXT) WHERE seq = 7"
    run(path, "DROP TRIGGER never_changed", bad)


def bad_label(path):
    run(path, "DROP TRIGGER never_changed", "UPDATE events SET value = '[1]' WHERE seq = 7")


def newer(path):
    run(path, "PRAGMA user_version = 3", "ALTER TABLE events ADD COLUMN mood TEXT")


def earlier(path):
    run(path, "PRAGMA user_version = 1", "PRAGMA application_id = 0")


def foreign(path):
    path.unlink()
    run(path, "CREATE TABLE recipes (name TEXT)", "INSERT INTO recipes VALUES ('soup')")


def letter(path):
    path.write_bytes(b"a letter to my aunt\n" * 300)


def empty(path):
    path.write_bytes(b"")


#: What is done to a log, what is said of it, and how many answers are saved, at the least.
DAMAGED = {
    cut: ("damaged", 10),
    rot: ("damaged", 30),
    bad_json: ("event 7 cannot be read", EVENTS - 1),
    bad_text: ("decode", EVENTS - 1),
    bad_label: ("event 7 cannot be read", EVENTS - 1),
    newer: ("newer version", EVENTS),
    earlier: ("earlier version", EVENTS),
    cut_to_a_page: ("damaged", None),
    cut_in_the_header: ("damaged", None),
    garble: ("damaged", None),
    foreign: ("no log of labels", None),
    letter: ("no log of labels", None),
    empty: ("is empty", None),
}


@pytest.mark.parametrize("harm", DAMAGED, ids=lambda harm: harm.__name__)
def test_it_is_told_and_left_as_it_is(log, harm):
    harm(log)
    before = log.read_bytes()
    with pytest.raises(LogError, match=DAMAGED[harm][0]):
        Session(fruit_task(), Log(log))
    assert log.read_bytes() == before
    assert [each.name for each in log.parent.iterdir()] == [log.name]


@pytest.mark.parametrize("harm", DAMAGED, ids=lambda harm: harm.__name__)
def test_what_can_be_read_is_saved_beside_it(log, whole, harm):
    harm(log)
    before, least = log.read_bytes(), DAMAGED[harm][1]
    if least is None:
        with pytest.raises(LogError, match="Nothing can be read"):
            repair(log)
        assert [each.name for each in log.parent.iterdir()] == [log.name]
    else:
        found = repair(log)
        assert least <= found.saved <= EVENTS
        assert found.saved + found.lost == EVENTS
        events = {event.seq: event for event in Log(whole).after(0)}
        saved = Log(found.path).after(0)
        if harm is not earlier:
            assert saved == [events[event.seq] for event in saved]
        assert len(saved) == found.saved
        again = repair(log)  # the first is not overwritten
        assert again.path != found.path
        assert again.saved == found.saved
    assert log.read_bytes() == before


def test_what_is_saved_goes_on(log, whole):
    bad_json(log)
    shutil.move(repair(log).path, log)
    session = Session(fruit_task(), Log(log))
    everything = Session(fruit_task(), Log(whole))
    lost = everything.state.find(everything.log.after(6)[0].row)
    known = dict(everything.state.labels)
    assert known.pop(lost)
    assert session.state.labels == known
    assert session.log.settings() == everything.log.settings()
    label(session)
    session.log.close()
    everything.log.close()


def test_what_waits_beside_the_log_is_saved_too(tmp_path):
    session = Session(fruit_task(), Log(tmp_path / "x.sqlite"))
    for _ in range(5):
        label(session)  # in the file beside it, as SQLite does; nobody closes it
    assert repair(tmp_path / "x.sqlite").saved == 5
    session.log.close()


def test_the_command(capfd, tmp_path):
    file = tmp_path / "fruits.csv"
    satsuma.write(fruits(), file)
    assert "no such log" in refused(capfd, "label", file, "--repair")
    session = Session(fruit_task(), Log(f"{file}.labels.sqlite"))
    for _ in range(9):
        label(session)
    session.log.close()
    bad_json(session.log.path)
    told = refused(capfd, "label", file, "--no-browser", "--classes", "sweet,sour")
    assert f"satsuma label {file.name} --repair" in told
    done = ran_well(capfd, "label", file, "--repair")
    assert "8 answers saved" in done.out
    assert "1 lost" in done.out
    for line in done.out.splitlines()[-2:]:  # as told, word by word
        subprocess.run(shlex.split(line), check=True)
    assert len(Log(f"{file}.labels.sqlite").after(0)) == 8


def test_a_log_is_there_whole_or_not_at_all(tmp_path, monkeypatch):
    def killed(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(log_file, "_link_in_place", killed)
    with pytest.raises(KeyboardInterrupt):
        log_file.create(tmp_path / "x.sqlite")
    assert list(tmp_path.iterdir()) == []


def test_on_a_disk_without_links(tmp_path, monkeypatch):
    def refused_link(*_):
        raise PermissionError("no links here")

    monkeypatch.setattr(os, "link", refused_link)
    session = Session(fruit_task(), Log(tmp_path / "x.sqlite"))
    label(session)
    session.log.close()
    assert [each.name for each in tmp_path.iterdir()] == ["x.sqlite"]
