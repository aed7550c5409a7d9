import os
from collections.abc import Callable
from pathlib import Path

import pytest

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
