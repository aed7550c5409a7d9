"""At a real terminal: colours and bars there, none in a pipe, a quiet end when interrupted."""

import os
import pty
import re
import signal
import subprocess
import sys
import time

import pytest

import satsuma

SATSUMA = [sys.executable, "-m", "satsuma"]


def at_a_terminal(*words):
    """What a person would see, with all that steers the terminal."""
    ours, theirs = pty.openpty()
    env = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "80"}
    env.pop("NO_COLOR", None)
    done = subprocess.Popen([*SATSUMA, *words], stdout=theirs, stderr=theirs, env=env)
    os.close(theirs)
    seen = b""
    while True:
        try:
            some = os.read(ours, 65536)
        except OSError:  # the other end is closed
            break
        if not some:
            break
        seen += some
    os.close(ours)
    assert done.wait() == 0
    return seen.decode()


def test_a_bar_moves_and_is_gone_in_the_end():
    seen = at_a_terminal(
        "compare", "adult_sample", "-l", "majority,forest:trees=40", "--folds", "8"
    )
    drawn = seen.rsplit("\x1b[2K", 1)[0]
    shares = [int(each) for each in re.findall(r"(\d+) %", drawn)]
    assert len(set(shares)) > 3
    assert shares == sorted(shares)
    assert "comparing" in seen
    assert "comparing" not in seen.rsplit("\x1b[2K", 1)[1]
    assert "\x1b[1m" in seen


def test_colours_and_bars_are_off_in_a_pipe():
    done = subprocess.run(
        [*SATSUMA, "compare", "iris", "-l", "majority,tree"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert "\x1b" not in done.stdout
    assert done.stderr == ""


@pytest.fixture(scope="module")
def slow(tmp_path_factory):
    """A model that takes long over many rows."""
    folder = tmp_path_factory.mktemp("slow")
    iris = satsuma.load("iris")
    satsuma.Forest(trees=300)(iris).save(folder / "m.satsuma")
    iris.write(folder / "iris.csv")
    head, *lines = (folder / "iris.csv").read_text().splitlines(keepends=True)
    (folder / "iris.csv").write_text("".join([head, *lines * 2000]))
    return folder


def test_an_interrupt_ends_quietly_with_nothing_half_written(slow):
    words = ["predict", slow / "m.satsuma", slow / "iris.csv", "-o", slow / "out.csv"]
    running = subprocess.Popen(
        [*SATSUMA, *map(str, words)], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    until = time.monotonic() + 300
    while not list(slow.glob(".out.csv*.tmp")) and time.monotonic() < until:
        time.sleep(0.01)
    assert running.poll() is None
    running.send_signal(signal.SIGINT)
    out, err = running.communicate(timeout=300)
    assert running.returncode == 130
    assert (out, err) == (b"", b"")
    assert sorted(each.name for each in slow.iterdir()) == ["iris.csv", "m.satsuma"]


def test_whoever_reads_may_stop_reading(slow):
    running = subprocess.Popen(
        [*SATSUMA, "predict", str(slow / "m.satsuma"), str(slow / "iris.csv")],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert running.stdout.readline().startswith(b"Sepal.Length")
    running.stdout.close()
    assert running.stderr.read() == b""
    running.stderr.close()
    assert running.wait(timeout=300) == 0


def test_python_m_and_the_entry_point_are_the_same():
    from importlib.metadata import entry_points

    found = [each for each in entry_points(group="console_scripts") if each.name == "satsuma"]
    if not found:
        pytest.skip("installed before there was a command")
    from satsuma.cli import main

    assert found[0].load() is main


def test_help_does_not_wait_for_what_only_work_needs():
    code = "import sys, satsuma.cli.app; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    heavy = {"scipy", "sklearn", "pyarrow", "matplotlib", "pandas", "jinja2", "starlette"}
    ours = {"satsuma.learners.learner", "satsuma.evaluate.results", "satsuma.report.page"}
    assert not (heavy | ours) & set(done.stdout.split())


def test_a_narrow_terminal_gets_fewer_scores_and_whole_ones():
    def said(width):
        words = ["compare", "iris", "-l", "tree,majority", "--folds", "3"]
        env = {**os.environ, "COLUMNS": str(width)}
        done = subprocess.run(
            [*SATSUMA, *words], capture_output=True, text=True, check=True, env=env
        )
        return done.stdout

    narrow = said(60)
    assert "\N{HORIZONTAL ELLIPSIS}" not in narrow
    assert "log loss" in narrow
    assert "Brier" not in narrow
    assert "Brier" in said(120)
