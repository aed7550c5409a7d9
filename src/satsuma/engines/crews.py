"""Crews: who works on the parts of a source. They know of parts and sums, not of learning."""

from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Any, Protocol

from satsuma.data.parts.plan import Part
from satsuma.engines.merging import total
from satsuma.engines.ordered import Progress, Stop, ordered
from satsuma.kernels.threads import limited


@dataclass(frozen=True)
class Item:
    """A part to be worked on, and what is known of it. It can be sent anywhere: it holds no rows.

    Parameters
    ----------
    at
        Its number.
    part
        Where the rows are.
    first, end
        The numbers of its first row, and of the row behind its last one.
    lines
        Lines of the file that are before it.
    """

    at: int
    part: Part
    first: int = 0
    end: int = 0
    lines: int = 0


#: What is done with a part. It must be the same whenever and wherever it is done.
Work = Callable[[Item, Stop], Any]


class Crew(Protocol):
    """Whoever works on parts: threads here, or workers elsewhere."""

    def total(self, work: Work, items: Sequence[Item], progress: Progress | None) -> Any:
        """What comes of the items, added up as `Tree` has it; None where nothing comes."""
        ...


@dataclass(frozen=True)
class Threads:
    """Threads of this process."""

    threads: int

    def total(self, work: Work, items: Sequence[Item], progress: Progress | None) -> Any:
        """What comes of the items, added up."""
        with closing(ordered(alone(work), items, self.threads, progress)) as results:
            return total(results)


def alone(work: Work) -> Work:
    """The same work by one thread: others are at work on other parts."""

    def limiting(item: Item, stop: Stop) -> Any:
        with limited(1):
            return work(item, stop)

    return limiting
