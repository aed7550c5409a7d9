import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.tables import GOLDEN, SHARED, at_hand, find

if TYPE_CHECKING:
    from playwright.sync_api import Browser


def pytest_collection_modifyitems(config, items):
    """Skip one test in the name of all that need tables which are not at hand."""
    absent = [
        item
        for item in items
        if not all(at_hand(name) for mark in item.iter_markers("needs") for name in mark.args)
    ]
    if absent:
        speaker = min(absent, key=lambda item: item.nodeid)
        reason = f"{len(absent)} tests need tables that are not in {SHARED}: set SATSUMA_DATA"
        speaker.add_marker(pytest.mark.skip(reason=reason))
        silent = {item for item in absent if item is not speaker}
        config.hook.pytest_deselected(items=list(silent))
        items[:] = [item for item in items if item not in silent]


@pytest.fixture(scope="session")
def shared(tmp_path_factory) -> Callable[[str], Path]:
    """Find a table, as in shared("orange/iris.tab"); a test marks the larger ones it `needs`."""
    folder = tmp_path_factory.mktemp("tables")

    def found(name: str) -> Path:
        path = find(name, folder)
        if path is None:
            pytest.skip(f"no {name} in {SHARED}: set SATSUMA_DATA to the folder that has it")
        return path

    return found


@pytest.fixture(scope="session")
def cases() -> dict[str, Any]:
    """The golden figures by their ids."""
    known = json.loads((GOLDEN / "cases.json").read_text("utf-8"))["cases"]
    return {case["id"]: case for case in known}


@pytest.fixture(scope="session")
def browser() -> Iterator["Browser"]:
    """A Chromium for all tests of a process: playwright has one at a time."""
    from tests.browser import opened_browser

    with opened_browser() as found:
        yield found
