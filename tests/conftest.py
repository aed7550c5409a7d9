import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser

SHARED = Path(os.environ.get("SATSUMA_DATA") or Path(__file__).parents[2] / "shared" / "data")


@pytest.fixture(scope="session")
def shared() -> Callable[[str], Path]:
    """Find a file of the shared data, as in shared("orange/iris.tab"), or skip the test."""

    def find(name: str) -> Path:
        path = SHARED / name
        if not path.exists():
            pytest.skip(f"no {name} in {SHARED}: set SATSUMA_DATA to the folder that has it")
        return path

    return find


@pytest.fixture(scope="session")
def browser() -> Iterator["Browser"]:
    """A Chromium for all tests of a process: playwright has one at a time."""
    from tests.browser import opened_browser

    with opened_browser() as found:
        yield found
