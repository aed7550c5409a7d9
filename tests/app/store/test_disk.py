"""A disk that is full, a folder that is read-only: said, kept, and gone on with."""

import subprocess

import pytest

from satsuma.app.store.log import Log
from tests.app.serving import fruit_task, served


def mounted(place, *options):
    place.mkdir(exist_ok=True)
    done = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", ",".join(options), "tmpfs", str(place)],
        capture_output=True, check=False,
    )  # fmt: skip
    if done.returncode:
        pytest.skip(f"no file system can be mounted here: {done.stderr.decode().strip()}")


@pytest.fixture
def small(tmp_path):
    """A disk of one megabyte."""
    place = tmp_path / "disk"
    mounted(place, "size=1m")
    yield place
    subprocess.run(["umount", "-l", str(place)], check=True)


def fill(place):
    with (place / "filler").open("wb", buffering=0) as file:
        try:
            while True:
                file.write(b"x" * 512)
        except OSError:
            pass


def test_a_full_disk(small):
    with served(fruit_task(), small / "x.sqlite") as server, server.labeller() as page:
        for at in range(5):
            assert page.send("label", ["sweet", "sour"][at % 2]).status_code == 200
        fill(small)
        row, refused = page.state["row"], 0
        for _ in range(30):  # what SQLite has reserved already may still be used up
            reply = page.send("label", "sweet")
            if reply.status_code == 507:
                refused += 1
                assert "full" in reply.json()["message"]
                assert page.ask()["row"] == row  # the page goes on showing the row
            else:
                row = page.state["row"]
        assert refused
        stored = len(server.session.log.after(0))
        assert stored == 35 - refused
        (small / "filler").unlink()
        assert page.send("label", "sweet").status_code == 200
        assert len(server.session.log.after(0)) == stored + 1
    assert len(Log(small / "x.sqlite").after(0)) == stored + 1


def test_a_full_disk_from_the_start(small):
    fill(small)
    with served(fruit_task(), small / "x.sqlite") as server, server.labeller() as page:
        assert page.send("label", "sweet").status_code == 507
        (small / "filler").unlink()
        assert page.send("label", "sweet").status_code == 200
        assert len(server.session.log.after(0)) == 1


def test_a_read_only_folder(small):
    with served(fruit_task(), small / "x.sqlite") as server, server.labeller() as page:
        for at in range(5):
            assert page.send("label", ["sweet", "sour"][at % 2]).status_code == 200
    subprocess.run(["mount", "-o", "remount,ro", str(small)], check=True)
    with served(fruit_task(), small / "x.sqlite") as server, server.labeller() as page:
        assert len(server.session.state.labels) == 5  # what was there can be read
        reply = page.send("label", "sweet")
        assert reply.status_code == 507
        assert "cannot be written to" in reply.json()["message"]
        assert page.ask()["row"]
        subprocess.run(["mount", "-o", "remount,rw", str(small)], check=True)
        assert page.send("label", "sweet").status_code == 200
        assert len(server.session.log.after(0)) == 6


def test_a_read_only_folder_from_the_start(small):
    subprocess.run(["mount", "-o", "remount,ro", str(small)], check=True)
    with served(fruit_task(), small / "x.sqlite") as server, server.labeller() as page:
        assert page.send("label", "sweet").status_code == 507
        subprocess.run(["mount", "-o", "remount,rw", str(small)], check=True)
        assert page.send("label", "sweet").status_code == 200
        assert len(server.session.log.after(0)) == 1
