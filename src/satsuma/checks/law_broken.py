"""LawBroken: what the checks raise, and where it is caught what a learner must not raise."""

import warnings
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from satsuma.data.table import Table
from satsuma.errors import ContractError, SatsumaError


class LawBroken(AssertionError):
    """A learner breaks a law: which one, on which table, and what differed.

    Parameters
    ----------
    what
        What differed, or what was raised.
    table
        The table, to be tried again.
    law
        The number of the law, from 1.

    Examples
    --------
    >>> from satsuma.extend import LawBroken
    >>> LawBroken("the probabilities of row 3 sum to 1.1").what
    'the probabilities of row 3 sum to 1.1'
    """

    def __init__(self, what: str, table: Table | None = None, law: int | None = None) -> None:
        super().__init__(what)
        self.what, self.table, self.law = what, table, law


@contextmanager
def on(table: Table, doing: str) -> Generator[None]:
    """Watch over a learner while it does something: all that it raises breaks the law.

    A warning of a calculation (a division by zero, an overflow) counts as an error.
    """
    try:
        with warnings.catch_warnings(), np.errstate(divide="warn", over="warn", invalid="warn"):
            warnings.simplefilter("error", RuntimeWarning)
            yield
    except LawBroken as broken:
        broken.table = table if broken.table is None else broken.table
        raise
    except ContractError:  # of the class, whatever the law
        raise
    except Exception as error:
        raise LawBroken(f"{doing} raised {type(error).__name__}: {error}", table) from error


def must_refuse(
    table: Table, doing: str, action: Callable[[], Any], words: Sequence[str] = ()
) -> None:
    """Make sure that something is refused with a `SatsumaError` that has one of the words."""
    if not may_refuse(table, doing, action, words):
        raise LawBroken(f"{doing} was not refused with a SatsumaError", table)


def may_refuse(
    table: Table, doing: str, action: Callable[[], Any], words: Sequence[str] = ()
) -> bool:
    """Make sure that something works, or is refused with a `SatsumaError` that has the words.

    Whether it was refused.
    """
    with on(table, doing):
        try:
            action()
        except ContractError:
            raise
        except SatsumaError as error:
            _check_words(doing, error, words)
            return True
    return False


def _check_words(doing: str, error: SatsumaError, words: Sequence[str]) -> None:
    sentence = str(error)
    if words and not any(word in sentence for word in words):
        wanted = " or ".join(map(repr, words))
        raise LawBroken(f"{doing} was refused without naming {wanted}: {sentence}") from error
