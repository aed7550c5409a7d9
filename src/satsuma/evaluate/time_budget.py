"""Time budget: how long learners take, measured on a few rows, and how many rows there is time for.

Each learner may take as long as it would, or an equal share of the time that the others leave.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import log
from time import thread_time
from typing import NamedTuple

from satsuma.data.table import Table
from satsuma.evaluate.sample_learner import drawn
from satsuma.kernels.threads import available, single_blas_thread, thread_limit
from satsuma.learners.learner import Learner, learns_in_one_round
from satsuma.learners.queries import fitted

#: Rows that a learner is timed on, and rows that it then predicts.
PROBES, PREDICTED = (500, 2_000, 8_000), 1_000

#: Of the limit, how much learning and predicting may take; the rest is for timing and scoring.
_USED = 0.75

#: Of the limit, what need not be known more exactly, and what a single probe may take.
_LITTLE, _PROBE = 0.01, 0.03

#: Where the first probe takes so many times as long as was known beforehand, it is taken again: the
#: first time that a learner learns, it may have to import what it needs.
_UNEXPECTED = 4.0

#: Of what more rows would add in proportion, the least that they are taken to add.
_LEAST = 0.6


class Parting(NamedTuple):
    """How rows are parted for a test.

    Parameters
    ----------
    parts
        How often a learner learns.
    learned
        Rows that it learns from each time.
    tested
        Rows that are predicted in all.
    """

    parts: int
    learned: int
    tested: int


class Probe(NamedTuple):
    """Seconds that so many rows took to learn from, and a row to predict with what was learned."""

    rows: int
    learning: float
    predicting: float


@dataclass(frozen=True)
class Timing:
    """How long a learner takes, on all processors together.

    Parameters
    ----------
    growth
        Seconds by rows, as far as they are known beforehand: how they grow is what counts.
    probes
        What was measured, of fewer rows first; where it is nothing, `growth` is all there is.
    once
        Whether one pass over the rows serves for all parts.

    Examples
    --------
    >>> timing = Timing(lambda rows: rows / 1e3, [Probe(500, 0.7, 0.0), Probe(1000, 1.2, 0.0)])
    >>> round(timing.learning(10_000), 6)  # 0.2 for any number of rows, and one for 1,000 more
    10.2
    """

    growth: Callable[[int], float]
    probes: Sequence[Probe] = ()
    once: bool = False

    def learning(self, rows: int) -> float:
        """Seconds to learn from so many rows."""
        if not self.probes:
            return self.growth(rows)
        last = self.probes[-1]
        by_growth = last.learning / max(self.growth(last.rows), 1e-12)
        if len(self.probes) > 1:
            before = self.probes[-2]
            grown = self.growth(last.rows) - self.growth(before.rows)
            slope = (last.learning - before.learning) / max(grown, 1e-12)
            by_growth = min(max(slope, _LEAST * by_growth), by_growth)
        more = by_growth * (self.growth(rows) - self.growth(last.rows))
        return max(last.learning + more, 0.0)

    def predicting(self, rows: int) -> float:
        """Seconds to predict a row with what was learned from so many."""
        if not self.probes:
            return 0.0
        last = self.probes[-1]
        if len(self.probes) == 1:
            return last.predicting
        before = self.probes[-2]
        ratio = max(last.predicting, 1e-12) / max(before.predicting, 1e-12)
        power = min(max(log(ratio) / log(last.rows / before.rows), 0.0), 1.0)
        return last.predicting * (rows / last.rows) ** power

    def seconds(self, parting: Parting, rows: int | None = None) -> float:
        """Seconds for a whole test, learning from so many rows each time; from all unless given."""
        rows = parting.learned if rows is None else min(rows, parting.learned)
        times = 1 if self.once else parting.parts
        return times * self.learning(rows) + parting.tested * self.predicting(rows)

    def affordable(self, parting: Parting, limit: float) -> int:
        """How many rows a learner can learn from within so many seconds, as a round number."""
        rows = parting.learned
        while rows > 1 and self.seconds(parting, rows) > limit:
            rows = int(rows * 0.9)
        digits = len(str(rows)) - 2
        return rows // 10**digits * 10**digits if digits > 0 else rows


def measured(
    learner: Learner,
    table: Table,
    growth: Callable[[int], float],
    parting: Parting,
    limit: float,
) -> Timing:
    """How long a learner takes: timed on a few rows, and on more where that does not settle it."""
    once = learns_in_one_round(learner, table.domain)
    timing = Timing(growth, (), once)
    if growth(min(PROBES[0], parting.learned)) > limit:
        return timing  # even a few rows would take long
    for rows in PROBES:
        if timing.probes and (
            rows > parting.learned
            or timing.seconds(parting) <= _LITTLE * limit
            or timing.learning(rows) > _PROBE * limit
        ):
            break
        probe = _timed(learner, table, rows)
        if not timing.probes and probe.learning > _UNEXPECTED * growth(probe.rows):
            probe = _timed(learner, table, rows)
        timing = Timing(growth, (*timing.probes, probe), once)
    return timing


def _timed(learner: Learner, table: Table, rows: int) -> Probe:
    train = drawn(table, rows)
    test = table[: min(PREDICTED, len(table))]
    cores = available()
    with single_blas_thread(), thread_limit(1):
        start = thread_time()
        model = learner(train)
        learned = thread_time()
        model(fitted(test, model.domain, model.unseen))
        done = thread_time()
    return Probe(len(train), (learned - start) / cores, (done - learned) / cores / len(test))


def shared_out(expected: Mapping[str, float], limit: float) -> dict[str, float]:
    """Seconds that each may take: as many as it would, or an equal share of what others leave.

    Examples
    --------
    >>> shared_out({"quick": 1.0, "slow": 50.0, "slower": 90.0}, 40.0)  # 30 of 40 are used
    {'quick': 1.0, 'slow': 14.5, 'slower': 14.5}
    """
    found, left = dict[str, float](), _USED * limit
    order = sorted(expected, key=expected.__getitem__)
    for at, name in enumerate(order):
        found[name] = min(expected[name], left / (len(order) - at))
        left -= found[name]
    return {name: found[name] for name in expected}


def in_words(seconds: float) -> str:
    """About how long it is.

    Examples
    --------
    >>> [in_words(seconds) for seconds in (20, 90, 1000, 9000, 1e6)]
    ['about 20 seconds', 'about 2 minutes', 'about 17 minutes', 'about 2 hours', 'days']
    """
    for unit, name in ((1.0, "seconds"), (60.0, "minutes"), (3600.0, "hours")):
        if seconds < 60 * unit:
            return f"about {max(2, round(seconds / unit))} {name}"
    return "days"
