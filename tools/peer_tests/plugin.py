"""For pytest: scikit-learn's classes are ours before a test file of it is imported.

What became of each test that had one of ours learn goes to the file that the environment names in
``PEER_TESTS_RESULTS``, as JSON.
"""

import importlib
import json
import os
import signal
import warnings
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any

import pytest
from sklearn.utils.discovery import all_estimators

from tools.peer_tests.adapter import NotOurs, Swapped, swapped
from tools.peer_tests.causes import ASKS
from tools.peer_tests.swaps import SWAPS

#: Seconds of the processor that a test may take; some learn hundreds of models.
MOST = 20.0

_found: list[dict[str, str]] = []


class TooLongError(BaseException):
    """A test that took more than its time."""


def pytest_configure() -> None:
    """Swap, once all modules of scikit-learn have what they import from each other."""
    all_estimators()
    for swap in SWAPS:
        module = importlib.import_module(f"sklearn.{swap.module}")
        setattr(module, swap.theirs, swapped(swap, getattr(module, swap.theirs)))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None]:
    """Run a test for so long, and keep what came of it if one of ours learned in it."""
    before = Swapped.reached
    signal.signal(signal.SIGPROF, _stop)
    signal.setitimer(signal.ITIMER_PROF, MOST)
    told = {"test": item.nodeid.rpartition("/")[2], "outcome": "passed", "why": ""}
    try:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "Estimator .* does not inherit from")
            yield
    except BaseException as error:
        told["outcome"], told["why"] = _outcome(error)
        raise
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        if Swapped.reached > before:
            _found.append(told)


def pytest_sessionfinish() -> None:
    """Write what was found."""
    Path(os.environ["PEER_TESTS_RESULTS"]).write_text(json.dumps(_found), "utf-8")


def _stop(*_: Any) -> None:
    raise TooLongError(f"more than {MOST:.0f} s")


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


def _outcome(error: BaseException) -> tuple[str, str]:
    """Which sort of end it is, and its own words."""
    if isinstance(error, pytest.skip.Exception):
        return ASKS, str(error)
    for each in _chain(error):
        if isinstance(each, NotOurs):
            return ASKS, f"attribute {str(each).partition(' has no ')[2]}"
    return "failed", f"{type(error).__name__}: {str(error).strip()[:2000]}"
