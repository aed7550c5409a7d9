"""Counting: how much of a long work is done, told to whoever wants to hear of it."""

from threading import Lock

from satsuma.engines.thread_pool import Progress, unheard


class Counting:
    """Steps that are done, told as they are counted; several threads may count.

    Parameters
    ----------
    total
        How many steps there are.
    tell
        Called with the number of steps that are done and of all steps.

    Examples
    --------
    >>> told = []
    >>> steps = Counting(5, lambda done, total: told.append((done, total)))
    >>> steps.add()
    >>> steps.add(4)
    >>> told
    [(0, 5), (1, 5), (5, 5)]
    """

    def __init__(self, total: int, tell: Progress | None = None) -> None:
        self.total, self.done = total, 0
        self._tell: Progress = tell or unheard
        self._lock = Lock()
        self._tell(0, total)

    def add(self, steps: int = 1) -> None:
        """Count some more."""
        with self._lock:
            self.done += steps
            self._tell(self.done, self.total)
