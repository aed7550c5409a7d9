"""Question: a row that somebody has in hand, and why."""

from dataclasses import dataclass

from satsuma.app.labelling.explanations import Reasons

#: What can be chosen to be asked, and the kinds of questions that come then.
KINDS = {
    "question": ("question", "second opinion", "second look"),
    "disagreement": ("disagreement",),
    "second look": ("second look",),
}
QUEUES = tuple(KINDS)


@dataclass(frozen=True)
class Question:
    """A row, and all that is shown beside it.

    Parameters
    ----------
    row
        Its number.
    key
        What it is known by.
    kind
        ``question``, ``second opinion``, ``disagreement`` or ``second look``.
    reasons
        Why it is asked about.
    said
        What was said of it, by whom, where that is to be seen.
    comments
        By whom, and what.
    """

    row: int
    key: str
    kind: str
    reasons: Reasons
    said: list[tuple[str, str]]
    comments: list[tuple[str, str]]
