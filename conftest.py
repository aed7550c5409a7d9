"""What the tests, the doctests and the Markdown pages share."""

import doctest
import os

import pytest
from hypothesis import HealthCheck, settings

from tools.docs.pages import FencedParser

# Tests keep all processors busy: threads for small matrices would wait for each other.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# No deadline and no complaint about slowness: a busy machine is not a bug. The examples are the
# same in every run, so that a change is judged by what it changes, and none is remembered from a
# run before. `make test-random` draws new ones, from a seed that it prints.
settings.register_profile(
    "default",
    max_examples=50,
    deadline=None,
    derandomize=True,
    database=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile("quick", settings.get_profile("default"), max_examples=20)
settings.register_profile(
    "random", settings.get_profile("default"), max_examples=100, derandomize=False
)
settings.load_profile("default")


# A fence that closes a block of Markdown ends the output above it.
doctest.DocTestParser = FencedParser


@pytest.fixture(autouse=True)
def folder_of_its_own(request, monkeypatch):
    """Pages write their files where they run, as a reader would."""
    if request.node.name.endswith(".md"):
        monkeypatch.chdir(request.getfixturevalue("tmp_path"))
