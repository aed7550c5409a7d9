"""Places: which row of the file each answer of the log belongs to, as the file is now."""

from collections import defaultdict
from collections.abc import Iterable

from satsuma.app.store.events import Event, spelled
from satsuma.app.store.row_keys import Keys, Place


class Places:
    """Rows of events: by their keys or, where equal rows have become fewer, as far as is certain.

    Of rows that are the same in every column, nobody can say which one was taken out. If all their
    labels agree, as many stay as must be among the rows that are left; otherwise, and if there
    are more such rows than before, they are set aside.

    Parameters
    ----------
    keys
        Of the file as it is now.
    events
        All of the log.
    """

    def __init__(self, keys: Keys, events: Iterable[Event] = ()) -> None:
        self._keys = keys
        self._moved: dict[str, int] = {}
        groups: defaultdict[str, list[Event]] = defaultdict(list)
        for event in events:
            if self.doubtful(event.row):
                groups[event.row[:32]].append(event)
        for group in groups.values():
            self._moved.update(self._kept(group))

    def doubtful(self, key: str) -> bool:
        """Whether a key means one of some equal rows, whose number is not what it was."""
        return self._keys.find(key) is None and len(self._keys.rows_like(key)[0]) > 0

    def find(self, key: str) -> int | None:
        """The row of a key; None if it is not there, or nobody can say which one it is."""
        row = self._keys.find(key)
        return self._moved.get(key) if row is None else row

    def _kept(self, group: list[Event]) -> dict[str, int]:
        """The rows for keys of one content, which were not as many as they are now."""
        rows, unfilled = self._keys.rows_like(group[0].row)
        before = [Place.of(event.row) for event in group]
        if len({place[1:] for place in before}) > 1:
            return {}  # the rows have become more or fewer more than once
        _, count, open_before = before[0]
        if len(rows) > count or unfilled > open_before or not _of_one_mind(group):
            return {}
        labelled = dict.fromkeys(event.row for event in _in_force(group) if event.what == "label")
        certain = len(labelled) - (open_before - unfilled)
        return dict(zip(list(labelled)[: max(certain, 0)], rows[:unfilled].tolist(), strict=False))


def _in_force(events: list[Event]) -> list[Event]:
    """What was said and not undone; the latest of each person about each row."""
    undone = {event.of for event in events if event.what == "undo"}
    said = (e for e in events if e.what in ("label", "unsure") and e.id not in undone)
    return list({(event.who, event.row): event for event in said}.values())


def _of_one_mind(events: list[Event]) -> bool:
    return len({spelled(e.value) for e in _in_force(events) if e.what == "label"}) <= 1
