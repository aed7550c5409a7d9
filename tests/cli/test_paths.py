"""Files of every sort as FILE: pipes, names that would steer a terminal, names with marks."""

import os
import subprocess
import sys
import threading

import pytest

import satsuma
from tests.cli.running import ran, ran_well, refused

ROWS = "n,s,y\n" + "".join(f"{k},{'uv'[k % 2]},{'pq'[k % 2]}\n" for k in range(60))

COMMANDS = {
    "look": [],
    "compare": ["-t", "y", "-l", "majority,naive-bayes", "--folds", "2"],
    "learn": ["-t", "y", "-l", "naive-bayes"],
    "cluster": ["--k", "2"],
    "outliers": [],
    "plan": ["--more", "n"],
    "report": ["-t", "y", "-l", "majority", "--folds", "2"],
}


@pytest.fixture
def steering(tmp_path):
    """A folder with a name that would clear a terminal."""
    folder = tmp_path / "\x1b[2J\x1b]0;title\x07"
    folder.mkdir()
    (folder / "\x1b[31ma.csv").write_text(ROWS)
    return folder


def quiet(found):
    assert "\x1b" not in found.out + found.err
    assert "\x07" not in found.out + found.err


@pytest.mark.parametrize("command", COMMANDS)
def test_no_name_of_a_file_steers_a_terminal(capfd, steering, command):
    path = steering / "\x1b[31ma.csv"
    out = [] if command in ("look", "compare", "plan") else ["-o", steering / f"\x1b[1m.{command}"]
    if command in ("cluster", "outliers"):
        out = ["-o", steering / "\x1b[1m.csv"]
    found = ran(capfd, command, path, *COMMANDS[command], *out)
    assert found.code == 0, found
    quiet(found)


@pytest.mark.parametrize(
    "words", [["none.csv"], ["\x1b[31ma.csv", "-t", "z"], ["."], ["b\x1b.xyz"]]
)
def test_no_message_steers_a_terminal(capfd, steering, words):
    name, *rest = words
    (steering / "read.me").touch()  # so that the folder is no table
    found = ran(capfd, "look", steering / name, *rest)
    assert found.code == 1
    assert found.err.count("\n") == 1
    assert r"\x1b[2J" in found.err
    quiet(found)


def test_a_broken_file_with_such_a_name(capfd, steering):
    (steering / "b.csv").write_text("a,b\n1,2\n3\n")
    quiet(ran(capfd, "look", steering / "b.csv"))
    (steering / "c.csv").write_bytes(b"a,b\n1,\xff\n")
    quiet(ran(capfd, "look", steering / "c.csv"))


def test_process_substitution(tmp_path):
    (tmp_path / "x.csv").write_text(ROWS)
    line = f"{sys.executable} -m satsuma look <(cat {tmp_path}/x.csv) --json"
    done = subprocess.run(["bash", "-c", line], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert '"rows": 60' in done.stdout


def test_rows_of_a_pipe_are_predicted(capfd, tmp_path):
    (tmp_path / "x.csv").write_text(ROWS)
    ran_well(capfd, "learn", tmp_path / "x.csv", "-t", "y", "-o", tmp_path / "m.satsuma")
    os.mkfifo(tmp_path / "p.csv")
    thread = threading.Thread(target=(tmp_path / "p.csv").write_text, args=(ROWS,))
    thread.start()
    told = ran_well(capfd, "predict", tmp_path / "m.satsuma", tmp_path / "p.csv").out
    thread.join()
    assert told == ran_well(capfd, "predict", tmp_path / "m.satsuma", tmp_path / "x.csv").out


def test_marks_are_believed_with_the_option_alone(capfd, tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("Zip,Lbs-,kind!\n7,1,x\n8,2,y\n")
    plain = ran_well(capfd, "look", path, "--json").json
    assert [each["role"] for each in plain["columns"]] == ["x", "x", "x"]
    assert "--marks" in ran_well(capfd, "look", path).out
    told = ran_well(capfd, "look", path, "--json", "--marks").json
    assert told["target"] == "kind!"
    assert [each["role"] for each in told["columns"]] == ["x", "goal -", "target"]


@pytest.mark.parametrize("command", ["plan", "outliers", "cluster"])
def test_names_stay_as_they_were_in_what_the_command_writes(capfd, tmp_path, command):
    path, out = tmp_path / "a.csv", tmp_path / "b.csv"
    path.write_text("Far-,kind\n" + "".join(f"{k},{'ab'[k % 2]}\n" for k in range(40)))
    if command == "plan":
        assert "Far-" in ran_well(capfd, "plan", path, "--marks").out
        assert "--more" in refused(capfd, "plan", path)
        return
    ran_well(capfd, command, path, "--marks", "-o", out)
    assert out.read_text().startswith("Far-,kind,")


def test_the_same_option_goes_with_every_command_that_reads_a_file(capfd):
    for command in ("look", "compare", "learn", "predict", "explain", "plot", "cluster", "outliers",
                    "plan", "label", "report"):  # fmt: skip
        assert "--marks" in ran(capfd, command, "--help").out, command


def test_next_steps_keep_the_option(capfd, tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("s,kind!\n" + "".join(f"{'uv'[k % 2]},{'ab'[k % 2]}\n" for k in range(40)))
    told = ran_well(capfd, "compare", path, "--marks", "-l", "majority,tree", "--folds", 2).out
    assert "--marks" in told
    assert satsuma.read(path).domain.target is None
