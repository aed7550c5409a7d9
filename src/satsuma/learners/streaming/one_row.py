"""A tally with one more row of numbers, to the bit as if a table of the row had been tallied."""

from typing import Any

import numpy as np

from satsuma.data.domain import Domain
from satsuma.kernels.tally import GroupMoments, merge_moments
from satsuma.learners.streaming.row_batches import OneRow
from satsuma.tallies.composite import Composite
from satsuma.tallies.moments import Moments

#: Numbers beyond it take the way of a table, where their squares are looked after.
GREATEST = 1e100


def with_row(tally: Any, row: OneRow, domain: Domain) -> Composite | None:
    """The tally of a row more; None where that takes a table.

    It takes none where moments by class are all that is tallied of such rows.

    Parameters
    ----------
    tally
        Of the rows before.
    row
        One more row.
    domain
        The columns, values and classes of the stream by now.
    """
    if type(tally) is not Composite or tally.domain is not domain or len(tally.parts) != 1:
        return None
    part = tally.parts[0]
    if type(part) is not Moments or len(part.names) != len(row.cells) or row.weight != 1:
        return None
    moments: GroupMoments = part.held
    x, at = np.array(row.cells), row.label
    known = x == x  # noqa: PLR0124 - not a number is missing
    if not (np.abs(x, where=known, out=np.zeros(len(x))) < GREATEST).all():
        return None
    held = np.zeros((6, *moments.mean.shape))
    held[4], held[5] = np.inf, -np.inf
    held[0, at], held[1, at] = known, np.where(known, x, 0.0)
    held[4, at], held[5, at] = np.where(known, x, np.inf), np.where(known, x, -np.inf)
    total = np.zeros(len(moments.total))
    total[at] = 1.0
    parts: list[Any] = [total, *held]
    return Composite(domain, [Moments(domain, merge_moments([moments, GroupMoments(*parts)]))])
