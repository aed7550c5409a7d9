"""Notes: what whoever labels should know of the rows and their labels, in sentences."""

import numpy as np

from satsuma.app.labelling.session import Desk
from satsuma.app.store.row_keys import listed

#: Groups of equal rows that are named; there may be many more.
_NAMED = 3


def notes(desk: Desk) -> list[str]:
    """Rows that cannot be told apart, labels that were set aside, and rows that were edited."""
    with desk.lock:
        made = [_twins(desk), _set_aside(desk), _edited(desk)]
    return [each for each in made if each]


def _twins(desk: Desk) -> str:
    groups = desk.keys.twins
    if not groups:
        return ""
    told = "; ".join(listed(rows) for rows in groups[:_NAMED])
    if len(groups) > _NAMED:
        told += f"; and {len(groups) - _NAMED:,} more groups"
    return (
        f"Some rows are the same in every column: {told}. Their labels are kept for the first, "
        f"the second … of them, and are set aside if their number changes. If a column tells rows "
        f"apart, name it as the key (--key NAME)."
    )


def _set_aside(desk: Desk) -> str:
    events = desk.state.set_aside
    if not events:
        return ""
    unsure = sum(desk.places.doubtful(event.row) for event in events)
    are = "answer is" if len(events) == 1 else "answers are"
    told = f"{len(events):,} {are} set aside: "
    reasons = list[str]()
    if len(events) > unsure:
        reasons.append(f"{len(events) - unsure:,} of rows that are not in the file as it is now")
    if unsure:
        reasons.append(f"{unsure:,} of rows that are the same as others, whose number has changed")
    return f"{told}{', '.join(reasons)}. They are kept in the log and in unmatched.csv."


def _edited(desk: Desk) -> str:
    rows = desk.edited if desk.keys.column is not None else []
    if not rows:
        return ""
    were = "row was" if len(rows) == 1 else "rows were"
    return (
        f"{len(rows):,} {were} edited since labelled: {listed(np.array(rows))}. The labels stay "
        f"with them, by column {desk.keys.column!r}."
    )
