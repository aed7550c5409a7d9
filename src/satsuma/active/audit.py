"""Audit: rows drawn at random among those without a label, and the bound on recall they prove."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, cast

import numpy as np
import numpy.typing as npt

from satsuma.numerics.arrays import Floats, Indices

#: Finds before rows are audited, and the latest labels that have then brought none.
FEWEST, LATEST = 10, 50

#: How rich the rest may be beside what is to be ruled out, and the logarithm
#: of the stake on each: most on nothing.
_BETS = np.array([0.0, 0.2, 0.4, 0.6, 0.8])
_STAKES = np.log([0.6, 0.1, 0.1, 0.1, 0.1])


class Draw(NamedTuple):
    """A row that was audited, and how many labels there were before it."""

    row: int
    labels: int


@dataclass(frozen=True)
class AuditPlan:
    """Which questions are audits: a share of them, each about a row drawn at random.

    The order in which rows are audited is drawn beforehand, whatever their cells or labels. A row
    is audited if it is the first of that order without a label, and an audit is due. So it follows
    from the labels, in their order, which of them were audits: nothing else has to be kept.

    Parameters
    ----------
    share
        Of the questions, once audits have begun.
    queue
        All rows in random order.
    """

    share: float
    queue: Indices

    def draws(
        self, labelled: Sequence[int], wanted: npt.NDArray[np.bool_], away: Collection[int]
    ) -> list[Draw]:
        """The audits among some labels.

        Parameters
        ----------
        labelled
            Rows in the order in which they got a label.
        wanted
            Whether audits were wanted when each of them was asked about; see `when_slow`.
        away
            Rows that were never to be asked about.
        """
        when = {row: at for at, row in enumerate(labelled)}
        gone, made, first, asked = set(away), list[Draw](), 0, 0
        for at, row in enumerate(labelled):
            asked += int(wanted[at])
            if not wanted[at] or len(made) + 1 > self.share * asked:
                continue
            while first < len(self.queue) and self._passed(first, at, when, gone):
                first += 1
            if first < len(self.queue) and self.queue[first] == row:
                made.append(Draw(row, at))
        return made

    def _passed(self, first: int, at: int, when: dict[int, int], gone: Collection[int]) -> bool:
        row = int(self.queue[first])
        return row in gone or when.get(row, at) < at

    def due(self, wanted: npt.NDArray[np.bool_], draws: int) -> bool:
        """Whether the next question is an audit; `wanted` has an entry for it, the last."""
        return bool(wanted[-1]) and draws + 1 <= self.share * int(wanted.sum())

    def next(self, free: npt.NDArray[np.bool_]) -> int | None:
        """The row that is to be audited next."""
        found = np.flatnonzero(free[self.queue])
        return int(self.queue[found[0]]) if len(found) else None


def when_slow(found: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """Before each label and before the next: whether finds have slowed down.

    They have if there were ten, and none among the latest fifty labels.

    Examples
    --------
    >>> int(when_slow(np.arange(100) < 10).nonzero()[0][0])
    60
    """
    counts = np.concatenate([[0], np.cumsum(found)])
    before = np.concatenate([np.zeros(LATEST, counts.dtype), counts])[: len(counts)]
    return (counts >= FEWEST) & (counts == before)


@dataclass(frozen=True)
class Audit:
    """What was drawn at random among the rows without a label, and what was known before.

    Parameters
    ----------
    left
        Before each draw, how many rows had no label.
    found
        Before each draw, how many relevant rows had been found.
    relevant
        Whether the row that was drawn was relevant.
    """

    left: Indices
    found: Indices
    relevant: npt.NDArray[np.bool_]

    def most_relevant(self, found: int, left: int, confidence: float) -> int:
        """How many relevant rows there are at most, found or not, with a confidence.

        If there are T in all, a row drawn at random before which F were found and u rows were left
        is relevant with a probability of (T - F) / u, exactly, whatever was asked about between
        draws and why. Whoever bets on fewer at these odds wins nothing on average, and so reaches
        1 / (1 - confidence) times the stake with a probability of no more than 1 - confidence,
        however often he looks (Ville 1939; Waudby-Smith and Ramdas 2020). Every T at whose odds
        that much was won is ruled out, and those above it.

        Parameters
        ----------
        found
            Relevant rows found by now.
        left
            Rows without a label by now.
        confidence
            With which the bound holds at all times at once.

        Examples
        --------
        >>> draws = Audit(np.arange(100, 50, -1), np.full(50, 30), np.zeros(50, np.bool_))
        >>> draws.most_relevant(30, 50, 0.95)
        34
        """
        low, high = found, found + left
        while low < high:
            middle = (low + high + 1) // 2
            ruled_out = self._log_wealth(middle).max(initial=0.0) >= -np.log(1 - confidence)
            low, high = (low, middle - 1) if ruled_out else (middle, high)
        return low

    def _log_wealth(self, total: int) -> Floats:
        """After each draw, the logarithm of what was won against a total."""
        return np.logaddexp.reduce(np.cumsum(self._steps(total), axis=0) + _STAKES, axis=1)

    def _steps(self, total: int) -> Floats:
        """What each draw adds to the logarithm of what each bet has."""
        odds = (total - self.found) / self.left
        with np.errstate(divide="ignore"):
            p = np.clip(odds, 0.0, 1.0)[:, None]
            lost = np.log1p(-p * _BETS) - np.log1p(-p)
            won = np.where(p > 0, np.log(_BETS), 0.0)
        steps = np.where(self.relevant[:, None], won, lost)
        steps[odds > 1] = np.inf  # there cannot be so many
        return steps

    def draws_needed(self, found: int, left: int, recall: float, confidence: float) -> int:
        """How many more draws prove a recall if none of them is relevant; all rows at the most."""
        total = int(np.floor(found / recall + 1e-9)) + 1
        if self._log_wealth(total).max(initial=0.0) >= -np.log(1 - confidence):
            return 0
        has, unfound = self._steps(total).sum(axis=0) + _STAKES, total - found
        low, high = 0, max(left - unfound + 1, 0)  # where so many have no place any more
        while low < high:
            middle = (low + high) // 2
            then = has + _log_won(left, middle, unfound)
            enough = np.logaddexp.reduce(then) >= -np.log(1 - confidence)
            low, high = (low, middle) if enough else (middle + 1, high)
        return low


#: Where no row was drawn.
NO_AUDIT = Audit(np.zeros(0, np.intp), np.zeros(0, np.intp), np.zeros(0, np.bool_))


def _log_won(left: int, draws: int, unfound: int) -> Floats:
    """What draws of which none is relevant add to each bet against so many unfound rows."""
    from scipy import special

    gamma = cast("Any", special).gammaln
    less, end = unfound * _BETS, left - draws
    won = gamma(left + 1 - less) - gamma(end + 1 - less)
    return won - (gamma(left + 1 - unfound) - gamma(end + 1 - unfound))
