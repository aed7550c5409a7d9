"""The calls on the page about the command go well, in the order in which they stand there."""

import re
import shlex
from pathlib import Path

import numpy as np

from satsuma.cli.app import COMMANDS
from tests.cli.running import ran

PAGE = Path(__file__).parents[2] / "docs" / "command.md"


def calls():
    blocks = re.findall(r"```sh\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    return [line for block in blocks for line in block.splitlines()]


def patients(path):
    """The file that the page speaks of."""
    rng = np.random.default_rng(1)
    rows = ["id,age,ward,pulse,times,died"]
    for k in range(120):
        age, pulse = rng.integers(20, 90), rng.integers(50, 120)
        died = "yes" if age + pulse + rng.normal(0, 20) > 165 else "no"
        rows.append(f"p{k},{age},{rng.integers(1, 5)},{pulse},{rng.integers(1, 3)},{died}")
    path.write_text("\n".join(rows) + "\n")


def test_the_calls_on_the_page(capfd, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    patients(tmp_path / "patients.csv")
    for call in calls():
        name, *words = shlex.split(call)
        assert name == "satsuma"
        found = ran(capfd, *words)
        assert (found.code, found.err) == (0, ""), (call, found)
        assert found.out


def test_every_command_is_on_the_page():
    said = {shlex.split(call)[1] for call in calls()}
    assert said >= {each.__name__ for each in COMMANDS} - {"label"}  # that one does not end
