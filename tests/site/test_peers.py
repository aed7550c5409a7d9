"""The peers' side of the pages for people who come from elsewhere; that of scikit-learn is run."""

import subprocess
import sys

import pytest

from tests.site.conftest import ROOT
from tools.docs.peers import PAGES, PEERS, Peer, run, snippets

PAGE = """
| in x | Satsuma |
|---|---|
| `n + 1`, `n.no_such` | `n - 1` |
| `short…` and `-o` | nothing |

| in y | Satsuma |
|---|---|
| `unknown` | 1 |
"""


def test_what_scikit_learn_is_said_to_do_runs():
    words = [sys.executable, "-m", "tools.docs.peers", "scikit_learn"]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "lines of scikit-learn run" in done.stdout


@pytest.mark.parametrize("name", PEERS)
def test_every_peer_has_its_column(name):
    assert len(snippets((PAGES / f"{name}.md").read_text("utf-8"), PEERS[name].heading)) > 20


def test_a_line_that_fails_is_named():
    failures = run(PAGE, Peer("in x", "n = 1", {"short…": "n"}))
    assert [each.partition(": Attr")[0] for each in failures] == ["line 4: `n.no_such`"]
    assert len(run(PAGE, Peer("in x", "n = 1"))) == 2
