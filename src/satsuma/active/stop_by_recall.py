"""Stop by recall: whether enough rows of a class were found."""

import numpy as np

from satsuma.active.audit import NO_AUDIT, Audit
from satsuma.active.labelling import Labelling
from satsuma.active.recall import FEWEST, Finds, Unfound
from satsuma.active.stop_advice import StopAdvice

#: Labels that brought little before it is time to stop, in square roots of the number of rows.
_LULL = 4.0


def finds_of(labelling: Labelling, sought: str) -> Finds:
    """The labels in order, without rows that were given, and which were of a class."""
    rows = labelling.answered
    found = labelling.labels[np.array(rows, np.intp)] == labelling.target.code(sought)
    away = labelling.given.union(labelling.unknown).difference(rows)
    return Finds(found, len(labelling.labels) - len(away))


def audit_of(labelling: Labelling, finds: Finds) -> Audit:
    """What the audits among the labels have found, and what was known before each of them."""
    at = np.array([draw.labels for draw in labelling.audited], np.intp)
    counts = np.concatenate([[0], np.cumsum(finds.found)])
    return Audit(finds.rows - at, counts[at], finds.found[at])


def recall_advice(
    finds: Finds,
    recall: float = 0.95,
    confidence: float = 0.95,
    patience: float = 1.9,
    audit: Audit = NO_AUDIT,
) -> StopAdvice:
    """Whether enough relevant rows were found; see `stop_advice`."""
    rest, total, left = finds.rest(confidence), finds.total, finds.rows - len(finds.found)
    needed = _labels_needed(finds, recall, confidence, patience) if total else finds.rows
    stop, why = _recall_reached(finds, rest, recall, needed)
    most_unfound = max(rest.most, finds.most_unfound(confidence))
    unfound = rest.expected, max(most_unfound, rest.expected), min(rest.least, rest.expected)
    ends = [total / max(total + each, 1) for each in unfound]
    bound = total / max(audit.most_relevant(total, left, confidence), 1)
    certified = total > 0 and bound >= recall
    if certified and left:
        stop, why = True, f"a recall of {recall:.0%} is proved."
    return StopAdvice(
        stop, why, "recall", *ends,
        labels=len(finds.found), found=total, unfound=rest.expected, most_unfound=most_unfound,
        audits=len(audit.left), recall_bound=bound, confidence=confidence, certified=certified,
        remaining=_remaining(finds, needed, stop),
        to_certify=audit.draws_needed(total, left, recall, confidence) if total else left,
    )  # fmt: skip


def _remaining(finds: Finds, needed: int, stop: bool) -> int | None:
    """Labels until it is advised to stop, if little more is found."""
    labels = len(finds.found)
    if stop or labels == finds.rows:
        return 0
    return None if finds.total < FEWEST else min(max(needed - labels, 1), finds.rows - labels)


def _recall_reached(finds: Finds, rest: Unfound, recall: float, needed: int) -> tuple[bool, str]:
    """Whether to stop, and why; `needed` are the labels after which it is time to."""
    labels, total = len(finds.found), finds.total
    left = finds.rows - labels
    if not left:
        return True, "every row has a label."
    if not total:
        return False, "nothing relevant was found yet."
    if total < FEWEST:
        rows = "row was" if total == 1 else "rows were"
        what = f"{total} relevant {rows} found"
        return False, f"{what}, and before {FEWEST} nothing is known of the rest."
    if rest.most > max((1 - recall) / recall * total, 0.0):
        return False, f"up to {rest.most:,} relevant rows may be unfound among {left:,}."
    took = finds.labels_for(recall)
    what = f"{recall:.0%} of those found took {took:,} labels"
    if labels < needed:
        return False, f"{what}; after {needed:,} without much more, it is time to stop."
    return True, (
        f"{what}, and the {labels - took:,} since brought little; {rest.expected:.1f} are expected "
        f"among the {left:,} left."
    )


def _labels_needed(finds: Finds, recall: float, confidence: float, patience: float) -> int:
    """Labels, without much more found, after which it is time to stop.

    There are so many since, at the least, that a share of 1 - recall among them would show, and
    four times the square root of all rows: in a large table, a lull says less. While so few were
    found that a single one unfound would be too much, it may be that hardly anything was learned
    yet: then they are a share of 1 - recall of all rows.
    """
    took = finds.labels_for(recall)
    since = max(np.log(1 - confidence) / np.log(recall), _LULL * np.sqrt(finds.rows))
    if finds.total * (1 - recall) < 1:
        since = max(since, (1 - recall) * finds.rows)
    return int(np.ceil(max(patience * took, took + since)))


def stop_point(
    finds: Finds, recall: float = 0.95, confidence: float = 0.95, patience: float = 1.9
) -> int | None:
    """After how many labels it was first advised to stop; None if it has not been.

    Examples
    --------
    >>> stop_point(Finds(np.arange(300) < 40, 2000)), stop_point(Finds(np.arange(60) < 40, 2000))
    (217, None)
    """
    for labels in range(1, len(finds.found) + 1):
        before = finds.up_to(labels)
        if not before.total or (
            labels < min(_labels_needed(before, recall, confidence, patience), finds.rows)
        ):
            continue  # the cheaper of the two conditions first
        if recall_advice(before, recall, confidence, patience).stop:
            return labels
    return None
