"""Row notes: rows that cannot be told apart, labels without a row, and rows that were edited."""

import numpy as np

from satsuma.app.store.events import Event
from satsuma.app.store.row_keys import RowKeys, RowMatches, row_list

#: Groups of equal rows that are named; there may be many more.
_NAMED = 3


def row_notes(
    keys: RowKeys, matches: RowMatches, set_aside: list[Event], edited: list[int]
) -> list[str]:
    """What whoever labels should know of the rows and their labels, in sentences.

    Parameters
    ----------
    keys, matches
        What rows are known by, and which events found theirs.
    set_aside
        Labels and comments without a row.
    edited
        Rows whose cells are not what they were when they were labelled.
    """
    made = [_equal_rows(keys), _set_aside(matches, set_aside), _edited(keys, edited)]
    return [each for each in made if each]


def _equal_rows(keys: RowKeys) -> str:
    groups = keys.equal_rows
    if not groups:
        return ""
    named = "; ".join(row_list(rows) for rows in groups[:_NAMED])
    if len(groups) > _NAMED:
        named += f"; and {len(groups) - _NAMED:,} more groups"
    return (
        f"Some rows are the same in every column: {named}. Their labels are kept for the first, "
        f"the second … of them, and are set aside if their number changes. If a column tells rows "
        f"apart, name it as the key (--key NAME)."
    )


def _set_aside(matches: RowMatches, events: list[Event]) -> str:
    if not events:
        return ""
    ambiguous = sum(matches.ambiguous(event.row) for event in events)
    are = "answer is" if len(events) == 1 else "answers are"
    reasons = list[str]()
    if len(events) > ambiguous:
        reasons.append(f"{len(events) - ambiguous:,} of rows that are not in the file as it is now")
    if ambiguous:
        reasons.append(
            f"{ambiguous:,} of rows that are the same as others, whose number has changed"
        )
    return (
        f"{len(events):,} {are} set aside: {', '.join(reasons)}. They are kept in the log and in "
        f"unmatched.csv."
    )


def _edited(keys: RowKeys, rows: list[int]) -> str:
    if not rows:
        return ""
    were = "row was" if len(rows) == 1 else "rows were"
    return (
        f"{len(rows):,} {were} edited since labelled: {row_list(np.array(rows))}. The labels stay "
        f"with them, by column {keys.column!r}."
    )
