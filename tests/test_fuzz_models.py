"""Short runs of the fuzzer of models, so that it stays alive; `make fuzz` gives it its time."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from fuzz import models
from satsuma.learners.model_files import saved_model as saving
from tests.test_fuzz_asan import sanitizers  # noqa: F401 - a fixture

ROOT = Path(__file__).parents[1]
SECONDS = 3


def test_a_short_run_finds_nothing(tmp_path, capfd):
    assert models.main(SECONDS, 1, tmp_path) == 0, capfd.readouterr()
    told = capfd.readouterr().out.splitlines()
    assert told[-1] == "nothing found"
    assert int(told[-2].split()[0]) > 20


def test_it_would_find_something(tmp_path, monkeypatch, capfd):
    """Where nothing is checked on opening, answers are NaN and errors are raw: seen, and kept."""
    monkeypatch.setattr(saving, "check_state", lambda *_: None)
    monkeypatch.setattr(models, "SECONDS_A_FILE", 600.0)
    assert models.work(2, 1, tmp_path, only="Majority|KNN|Logistic")
    assert list(tmp_path.glob("harm-*.satsuma"))
    assert "did harm" in capfd.readouterr().out


@pytest.mark.usefixtures("sanitizers")
def test_a_short_run_under_the_address_sanitizer(tmp_path):
    """The kernel that walks trees, built anew; `make fuzz` builds them all."""
    environment = {
        "PYTHON": sys.executable,
        "ASAN_BUILD": str(tmp_path / "asan"),
        "FUZZ_BUILD": str(tmp_path / "fuzz"),
        "KERNELS": "tree",
        "ONLY": "Tree|RegressionTree|Forest",
        "MESON_OPTIONS": "-Doptimization=0 -Ddebug=false",  # sooner built
    }
    done = subprocess.run(
        ["bash", ROOT / "fuzz" / "models.sh", str(SECONDS)],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.splitlines()[-1] == "nothing found"
