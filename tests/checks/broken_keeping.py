"""Learners that cannot be written down, or not as they are."""

import threading
from dataclasses import dataclass

import numpy as np

from tests.checks.counting import Counting, CountingModel


@dataclass(kw_only=True, eq=False)
class Lies(Counting):
    def __repr__(self):
        return "Lies(m=1.0)"


@dataclass(kw_only=True, eq=False)
class Unreadable(Counting):
    def __repr__(self):
        return "<a learner>"


class LockedModel(CountingModel):
    def __init__(self, prior, tables):
        super().__init__(prior, tables)
        self.lock = threading.Lock()


@dataclass(kw_only=True, eq=False)
class Locked(Counting):
    def conclude(self, tally):
        plain = super().conclude(tally)
        return LockedModel(plain.prior, plain.tables)


class SlottedModel(CountingModel):
    """What is in a slot is not saved."""

    __slots__ = ("flat",)

    def __init__(self, prior, tables):
        super().__init__(prior, tables)
        self.flat = True

    def probabilities(self, batch):
        found = super().probabilities(batch)
        return np.full_like(found, 1 / found.shape[1]) if getattr(self, "flat", False) else found


@dataclass(kw_only=True, eq=False)
class Slotted(Counting):
    def conclude(self, tally):
        plain = super().conclude(tally)
        return SlottedModel(plain.prior, plain.tables)


@dataclass(kw_only=True, eq=False)
class Unpickled(Counting):
    def __reduce__(self):
        raise TypeError("no pickle")


@dataclass(kw_only=True, eq=False)
class Rounds(Counting):
    """Replaces its parameter in the making, be it by an equal one: clone refuses that."""

    def __post_init__(self):
        self.m = self.m + 0.0


BROKEN = [
    (Lies(), 7, "m=1.0 instead of 2.0"),
    (Unreadable(), 7, "SyntaxError"),
    (Locked(), 7, "cannot be saved"),
    (Slotted(), 7, "saved and opened"),
    (Unpickled(), 7, "no pickle"),
    (Rounds(), 7, "clone raised RuntimeError"),
]
