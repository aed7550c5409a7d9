"""The command, run in this process: its exit code, and what it said where."""

import json
from typing import NamedTuple

from satsuma.cli import main


class Ran(NamedTuple):
    code: int
    out: str
    err: str

    @property
    def json(self):
        return json.loads(self.out)


def ran(capfd, *words):
    """Run ``satsuma`` with some words; capfd, for rows are written as bytes."""
    capfd.readouterr()
    code = main([str(word) for word in words])
    out, err = capfd.readouterr()
    return Ran(code, out, err)


def ran_well(capfd, *words):
    """The same, for a call that must go well: all that is said is on stdout."""
    found = ran(capfd, *words)
    assert (found.code, found.err) == (0, ""), found
    return found


def refused(capfd, *words):
    """The one line that a call is refused with."""
    found = ran(capfd, *words)
    assert found.code == 1, found
    assert found.out == ""
    assert "Traceback" not in found.err
    assert found.err.startswith("satsuma: ")
    assert found.err.count("\n") == 1, found.err
    assert "that should not" not in found.err
    return found.err.strip()
