"""``satsuma label``: the real command in a process of its own, ended as people end it."""

import json
import re
import signal
import subprocess
import sys

import pytest

import satsuma
from satsuma.app.store.log import Log
from tests.app.serving import Labeller, fruits
from tests.cli.running import refused


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "fruits.csv"
    satsuma.write(fruits(40), path)
    return path


def test_a_file_is_labelled_and_gone_on_with(file):
    said = []
    for number in range(2):
        process = subprocess.Popen(
            [sys.executable, "-m", "satsuma", "label", str(file), "--no-browser", "--name", "Ada",
             "--target", "taste", "--classes", "sweet,sour", "--ignore", "seeds"],
            stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        assert process.stdout is not None
        found = re.search(r"(http://127\.0\.0\.1:\d+)/\?token=\S+", process.stdout.readline())
        assert found is not None
        assert "fruits.csv.labels.sqlite" in process.stdout.readline()
        page = Labeller(found.group(1), found.group())
        assert len(Log(f"{file}.labels.sqlite").after(0)) == number
        page.ask()
        assert "seeds" not in page.state["question"]
        assert page.send("label", "sweet").status_code == 200
        said.append(page.state["row"])
        page.close()
        process.send_signal(signal.SIGINT)
        rest, _ = process.communicate()
        assert process.returncode == 0
        assert "Another browser: http" in rest
    events = Log(f"{file}.labels.sqlite").after(0)
    assert [(e.who, e.what, e.value) for e in events] == [("Ada", "label", "sweet")] * 2
    assert events[0].row != events[1].row


def test_what_cannot_be_labelled(capfd, file, monkeypatch):
    monkeypatch.chdir(file.parent)
    assert "no such file" in refused(capfd, "label", "fruit.csv", "--no-browser")
    assert "one file" in refused(capfd, "label", "-", "--no-browser")
    assert "one file" in refused(capfd, "label", "*.csv", "--no-browser")
    many = ["label", file, "--target", "size", "--no-browser"]
    satsuma.write(fruits(300), file)
    assert "too many to choose among" in refused(capfd, *many)
    assert not (file.parent / "fruits.csv.labels.sqlite").exists()


def test_a_port_that_is_taken(capfd, file):
    from satsuma.app.server import listening_socket

    taken = listening_socket("127.0.0.1", 0)
    port = taken.getsockname()[1]
    told = refused(capfd, "label", file, "--no-browser", "--port", port)
    assert f"port {port}" in told
    taken.close()


def test_the_link_as_json(file):
    words = ["label", str(file), "--no-browser", "--json", "--classes", "sweet,sour"]
    process = subprocess.Popen(
        [sys.executable, "-m", "satsuma", *words], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    told = json.loads("".join(process.stdout.readline() for _ in range(4)))
    page = Labeller(told["link"].partition("/?")[0], told["link"])
    assert page.ask()["classes"] == ["sweet", "sour"]
    page.close()
    process.send_signal(signal.SIGINT)
    assert process.communicate()[0] == ""
    assert told["log"] == f"{file}.labels.sqlite"


def test_options_are_remembered_and_told(file, tmp_path):
    words = ["label", str(file), "--no-browser", "--name", "Ada"]
    (tmp_path / "told.md").write_text("- **sweet**: like *sugar*")
    first = ["--target", "taste", "--classes", "sweet,sour", "--ignore", "seeds",
             "--guidelines", str(tmp_path / "told.md"), "--hide-prediction"]  # fmt: skip
    said = []
    for more in (first, []):
        process = subprocess.Popen(
            [sys.executable, "-m", "satsuma", *words, *more], stdout=subprocess.PIPE, text=True
        )
        assert process.stdout is not None
        found = re.search(r"(http://127\.0\.0\.1:\d+)/\?token=\S+", process.stdout.readline())
        assert found is not None
        page = Labeller(found.group(1), found.group())
        page.ask()
        assert "seeds" not in page.state["question"]
        assert page.state["classes"] == ["sweet", "sour"]
        assert "like *sugar*" in page.state["answers"]
        assert page.state["hidden"]
        assert "<em>sugar</em>" in page.http.get("/").text
        assert page.send("label", "sweet").status_code == 200
        page.close()
        process.send_signal(signal.SIGINT)
        said.append(" ".join(process.communicate()[0].split()))
    assert "As before" not in said[0]
    for told in ("predictions are hidden", "guidelines are shown", "seeds=ignore"):
        assert told in said[1]
