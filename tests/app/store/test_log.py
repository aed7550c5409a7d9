"""The log: append-only, harmless when sent twice, whole after a kill, synced before it says so."""

import os
import random
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from threading import Timer

import httpx
import pytest

from satsuma.app.labelling.session import Session
from satsuma.app.refusal import NotSaved
from satsuma.app.store.events import Event
from satsuma.app.store.log import Log
from satsuma.errors import SatsumaError
from tests.app.serving import Labeller, fruit_task, new_id, server_processes


def event(at: int = 0, **more) -> Event:
    return Event(f"event-{at:04}", "0" * 32, "Ada", "label", "sweet", **more)


def test_an_event_sent_twice_is_one_event(tmp_path):
    log = Log(tmp_path / "x.sqlite")
    first, again = log.append(event()), log.append(event())
    assert first.seq == again.seq == 1
    assert len(log.after(0)) == 1
    log.close()


def test_events_come_back_as_they_were(tmp_path):
    log = Log(tmp_path / "x.sqlite")
    given = [
        event(
            0, why={"kind": "question", "guess": {"süß": 0.5}}, took=1200, model=3, shown="a · b"
        ),
        Event("event-0001", "f" * 32, "Bob", "undo", None, "event-0000", 5),
        Event("event-0002", "f" * 32, "Bob", "label", {"Mpg+": 3.5}, None, 6),
    ]
    for each in given:
        log.append(each)
    log.close()
    found = Log(tmp_path / "x.sqlite").after(0)
    assert [Event(**{**vars(e), "seq": 0}) for e in found] == given
    assert [e.seq for e in found] == [1, 2, 3]


@pytest.mark.parametrize("change", ["UPDATE events SET value = '1'", "DELETE FROM events"])
def test_nothing_is_changed_or_taken_out(tmp_path, change):
    log = Log(tmp_path / "x.sqlite")
    log.append(event())
    log.close()
    db = sqlite3.connect(tmp_path / "x.sqlite")
    with pytest.raises(sqlite3.IntegrityError, match="never"):
        db.execute(change)
    db.close()


def test_how_the_file_is_kept(tmp_path):
    log = Log(tmp_path / "x.sqlite")
    log.append(event())
    asked = ("journal_mode", "synchronous", "busy_timeout")
    told = [log._db.execute(f"PRAGMA {each}").fetchone()[0] for each in asked]
    assert told[:2] == ["wal", 2]
    assert told[2] >= 5000
    log.close()


def test_a_file_that_is_no_log_is_left_alone(tmp_path):
    path = tmp_path / "x.sqlite"
    path.write_bytes(b"a letter to my aunt" * 100)
    with pytest.raises(SatsumaError, match="no log of labels"):
        Log(path).append(event())
    assert path.read_bytes().startswith(b"a letter")


def test_where_no_page_is_left_it_says_so_and_goes_on_later(tmp_path):
    log = Log(tmp_path / "x.sqlite")
    log.append(event(0))
    log._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    pages = log._db.execute("PRAGMA page_count").fetchone()[0]
    log._db.execute(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(NotSaved, match="full"):
        log.append(event(1, shown="x" * 50_000))
    assert len(log.after(0)) == 1
    log.append(event(1, shown="x" * 50_000))  # the next try opens the file anew
    assert [e.id for e in log.after(0)] == ["event-0000", "event-0001"]
    log.close()


def test_killed_a_hundred_times_it_loses_nothing_and_has_nothing_twice(tmp_path):
    rng = random.Random(0)
    acknowledged: list[str] = []
    unsure: dict | None = None  # sent, and perhaps stored: the page sends it again
    path = tmp_path / "x.sqlite"
    with server_processes(path) as servers:
        for _ in range(100):
            pid, origin, link = servers.start()
            page = Labeller(origin, link)
            clock = Timer(rng.uniform(0.0, 0.05), os.kill, (pid, signal.SIGKILL))
            try:
                if unsure is not None:
                    reply = page.http.post("/answer", json=unsure)
                    # It may have been stored before the kill: then the row is no longer in hand,
                    # and the answer is taken for what it is, one that is known.
                    assert reply.status_code == 200, reply.text
                    acknowledged.append(unsure["id"])
                    unsure = None
                page.ask()
                clock.start()
                while True:
                    value = rng.choice(["sweet", "sour"])
                    unsure = {"id": new_id(), "row": page.state["row"], "what": "label",
                              "value": value}  # fmt: skip
                    reply = page.http.post("/answer", json=unsure)
                    assert reply.status_code == 200, reply.text
                    acknowledged.append(unsure["id"])
                    unsure, page.state = None, reply.json()
            except httpx.TransportError:
                pass
            finally:
                clock.join() if clock.is_alive() else None
                page.close()
    stored = [e.id for e in Log(path).after(0)]
    assert len(stored) == len(set(stored))
    assert set(acknowledged) <= set(stored)
    assert len(set(stored) - set(acknowledged)) <= 1  # the one in flight at the very end
    assert len(acknowledged) == len(set(acknowledged)) > 100


@pytest.mark.skipif(shutil.which("strace") is None, reason="strace is not installed")
def test_a_sync_reaches_the_disk_before_each_acknowledgement(tmp_path):
    path, told = tmp_path / "x.sqlite", tmp_path / "trace"
    with server_processes(path) as servers:
        pid, origin, link = servers.start()
        page = Labeller(origin, link)
        page.ask()
        tracer = subprocess.Popen(
            ["strace", "-f", "-y", "-tt", "-e", "trace=fdatasync,fsync,sendto,write,sendmsg,writev",
             "-s", "40", "-o", str(told), "-p", str(pid)], stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        assert tracer.stderr is not None
        assert "attached" in tracer.stderr.readline()
        for at in range(20):
            assert page.send("label", ["sweet", "sour"][at % 2]).status_code == 200
        page.close()
        os.kill(pid, signal.SIGKILL)
        tracer.wait()
        tracer.stderr.close()
    events = _traced(told.read_text())
    answered, synced = 0, False
    for each in events:
        if each == "sync":
            synced = True
        else:
            assert synced, "an answer was acknowledged without a sync before it"
            answered, synced = answered + 1, False
    assert answered == 20


def _traced(trace: str) -> list[str]:
    """Syncs of the log that are through, and replies that begin, in their order."""
    found: list[str] = []
    begun: set[str] = set()
    for line in trace.splitlines():
        thread = line.split(maxsplit=1)[0]
        sync = re.search(r"(fdatasync|fsync)\(\d+<[^>]*\.sqlite-wal>", line)
        if sync and "unfinished" in line:
            begun.add(thread)
        elif (sync and line.endswith("= 0")) or (
            thread in begun and re.search(r"(fdatasync|fsync) resumed.*= 0", line)
        ):
            begun.discard(thread)
            found.append("sync")
        elif "HTTP/1.1 200" in line and "resumed" not in line:
            found.append("reply")
    return found


_LABELLER = """
import sys, time
from pathlib import Path
from satsuma.app.store.events import Event
from satsuma.app.labelling.session import Session
from satsuma.app.store.log import Log
from tests.app.serving import fruit_task, new_id, truth
who, log = sys.argv[1], Path(sys.argv[2])
task = fruit_task(600)
session = Session(task, Log(log))
print("ready", flush=True)
sys.stdin.readline()
for at in range(200):
    question = session.ask(who)
    session.take(Event(new_id(), question.key, who, "label", truth(task.table, question.row)))
"""


def test_two_processes_label_at_once(tmp_path):
    path = tmp_path / "x.sqlite"
    processes = [
        subprocess.Popen([sys.executable, "-c", _LABELLER, who, str(path)], text=True,
                         stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        for who in ("Ada", "Bob")
    ]  # fmt: skip
    for each in processes:
        assert each.stdout.readline() == "ready\n"
    for each in processes:
        each.stdin.write("go\n")
        each.stdin.flush()
    for each in processes:
        _, errors = each.communicate()
        assert each.returncode == 0, errors
    session = Session(fruit_task(600), Log(path))
    assert {who: len(p.labelled) for who, p in session.state.people.items()} == {
        "Ada": 200,
        "Bob": 200,
    }
    assert len(session.log.after(0)) == 400
    session.log.close()


def test_a_lease_that_nobody_could_write_down_is_no_trouble(tmp_path):
    log = Log(tmp_path / "absent" / "x.sqlite")
    log.lease("Ada", 3, time.time_ns(), "{}")
    assert log.leases() == []
    with pytest.raises(NotSaved, match="cannot be written to"):
        log.append(event())
