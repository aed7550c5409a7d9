"""Stopping rule: what is still to be gained by more labels, and whether to go on."""

from dataclasses import dataclass, replace
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from satsuma.active.audit import NO_AUDIT, Audit
from satsuma.active.labelling import Labelling
from satsuma.active.recall import FEWEST, Finds, Unfound
from satsuma.data.table import Table
from satsuma.errors import ParameterError, SatsumaError
from satsuma.learners.model import Classifier

#: Labels, and classes as often, before anything is said of accuracy.
_FEWEST = 20

#: Models agree if kappa is above this (Bloodgood and Vijay-Shanker 2009).
_AGREE = 0.99

#: The share of the labels, the latest, that must have made no difference.
_LATEST = 0.2

#: People agree if kappa is at least this ("moderate": Landis and Koch 1977).
_OF_ONE_MIND = 0.4

#: By chance alone, a model beats the most frequent class on the labelled rows no more often.
_BY_CHANCE = 0.05

#: Labels that brought little before it is time to stop, in square roots of the number of rows.
_LULL = 4.0

#: Audited rows before they say anything of accuracy.
_FEWEST_AUDITED = 5


@dataclass(frozen=True)
class StopAdvice:
    """Whether to stop, and what is known of it.

    Parameters
    ----------
    stop
        Whether no more labels are needed.
    why
        The reason.
    measure
        ``recall``, the share of the relevant rows that was found, or ``accuracy``.
    value, least, most
        What it is estimated to be, NaN if nothing can be said, and the interval that it is in:
        from 0 to 1 where none is known. Accuracy is that of cross-validation, on rows that were
        drawn at random if there are some; only then it has an interval.
    labels
        How many labels there are; for recall, without the rows that were given.
    found
        Relevant rows among them; None for accuracy.
    unfound, most_unfound
        Relevant rows that are expected among the others, and how many there may be; None for
        accuracy.
    audits
        How many of the labels are of rows drawn at random among those that had none.
    recall_bound
        Recall is at least this, with a probability of `confidence`, by the audits alone and
        however often one looks: no assumption is made of what was asked about and why. It is 0
        where nothing is proved, and None for accuracy.
    confidence
        Of the bound and of the interval.
    certified
        Whether the bound reaches the recall that was asked for: then it is proved.
    remaining
        Labels until it is advised to stop, if little more is found; None where that is not known.
    to_certify
        Rows drawn at random that would prove it, if none of them is relevant; None for accuracy.

    Examples
    --------
    >>> print(StopAdvice(False, "too early to tell.", "accuracy", 0.9, 0.8, 0.95, labels=20))
    Go on: too early to tell.
    20 labels; accuracy 90.0% (between 80.0% and 95.0%).
    """

    stop: bool
    why: str
    measure: str
    value: float
    least: float
    most: float
    labels: int
    found: int | None = None
    unfound: float | None = None
    most_unfound: int | None = None
    audits: int = 0
    recall_bound: float | None = None
    confidence: float = 0.95
    certified: bool = False
    remaining: int | None = None
    to_certify: int | None = None

    def minutes(self, seconds: float) -> float | None:
        """How long the remaining labels take at so many seconds each; None if nobody knows.

        Examples
        --------
        >>> StopAdvice(False, "", "recall", 0.9, 0.5, 1.0, labels=200, remaining=60).minutes(15)
        15.0
        """
        return None if self.remaining is None else self.remaining * seconds / 60

    @property
    def proof(self) -> str:
        """What is proved of recall by rows drawn at random, in a sentence; or that it is a guess.

        Examples
        --------
        >>> StopAdvice(False, "", "recall", 0.9, 0.5, 1.0, labels=200, recall_bound=0.0).proof
        'No row was drawn at random to check this: it is a guess, not a proof.'
        """
        if not self.audits:
            return "No row was drawn at random to check this: it is a guess, not a proof."
        if self.recall_bound is None:
            return f"The interval is by {self.audits:,} rows drawn at random."
        told = (
            f"By {self.audits:,} rows drawn at random, recall is at least {self.recall_bound:.1%} "
            f"with {self.confidence:.0%} confidence."
        )
        if self.certified or self.to_certify is None:
            return told
        return f"{told} A proof takes {self.to_certify:,} more of them, none relevant."

    @property
    def bounded(self) -> bool:
        """Whether an interval is known."""
        return self.least > 0 or self.most < 1

    def __str__(self) -> str:
        known = f"{self.labels:,} labels"
        if self.found is not None:
            known += f", {self.found:,} relevant"
        told = "not known yet" if np.isnan(self.value) else f"{self.value:.1%}"
        if self.bounded:
            told += f" (between {self.least:.1%} and {self.most:.1%})"
        elif not np.isnan(self.value):
            told += " among them, by cross-validation"
        told = f"{known}; {self.measure} {told}."
        lines = [f"{'Stop' if self.stop else 'Go on'}: {self.why}", told]
        if self.found is not None or self.audits:
            lines.append(self.proof)
        return "\n".join(lines)


def stop_advice(
    labelling: Labelling,
    *,
    sought: str | None = None,
    recall: float = 0.95,
    confidence: float = 0.95,
    patience: float = 1.9,
    kappa: float | None = None,
) -> StopAdvice:
    """A stopping rule: what more labels would bring, and whether to give them.

    Where a class is sought, recall counts, and two things must hold to stop, after ten finds at
    the least; rows that were given, with a label or by `start`, are no finds. The rate at which
    relevant rows were found, taken to fall exponentially, leaves few enough to be found. And
    there are `patience` times the labels that it took to find a share `recall` of what has been
    found: nearly all came early, and much reading since brought next to nothing. With a patience
    up to 2, the second alone never asks for more than twice the labels that the share `recall` of
    all relevant rows took, however many are unfound. The estimate takes the falling rate for
    granted, but its interval reaches to what the labels since the last find do not rule out, if
    the rows left are no richer than those. Neither is a guarantee of recall: relevant
    rows that are like none of the others are not foreseen.

    Otherwise accuracy counts: that of cross-validation among the labelled rows, which is too low
    where the labelled rows are the hard ones, so that it has no interval unless rows were drawn
    at random. It is advised to stop when the latest fifth of the labels has made almost no
    difference to what the model says of all rows, and the model is right on more of the labelled
    rows than the most frequent class, significantly so (the exact test of McNemar 1947).

    Parameters
    ----------
    labelling
        Rows and the labels so far.
    sought
        The relevant class; unless given, the one that the model seeks (see `Text`) or, where rows
        are chosen by ``certain``, the rarest. If there is none, it is accuracy that counts.
    recall
        The share of the relevant rows to be found.
    confidence
        Of the interval, and with which few enough must be left.
    patience
        How many times the labels that it took to find nearly all found so far.
    kappa
        How far people agree who have labelled the same rows, the least if there are several; see
        `agreement`. Below 0.4 it is never advised to stop.

    Examples
    --------
    >>> from satsuma import NaiveBayes, load
    >>> from satsuma.active.active_learning import Active, hide_labels
    >>> from satsuma.active.oracle import Oracle
    >>> iris = load("iris")
    >>> done = Active(learner=NaiveBayes(), budget=40)(hide_labels(iris), Oracle(iris))
    >>> advice = stop_advice(done)
    >>> advice.measure, advice.labels
    ('accuracy', 40)
    """
    _check_parameters(recall, confidence, patience)
    if not len(labelling.labelled_rows):
        raise SatsumaError("Nothing is labelled yet, so there is nothing to go by.")
    wanted = labelling.sought if sought is None else sought
    if wanted is None:
        made = _by_accuracy(labelling, confidence)
    else:
        finds = finds_of(labelling, wanted)
        made = recall_advice(finds, recall, confidence, patience, audit_of(labelling, finds))
    if made.stop and kappa is not None and kappa < _OF_ONE_MIND:
        why = (
            f"people do not agree on the same rows (kappa {kappa:.2f}, and {_OF_ONE_MIND} is the "
            f"least). Settle what they mean first."
        )
        return replace(made, stop=False, why=why)
    return made


def _check_parameters(recall: float, confidence: float, patience: float) -> None:
    for name, each in (("recall", recall), ("confidence", confidence)):
        if not 0 < each < 1:
            raise ParameterError(
                f"The '{name}' parameter of stop_advice must be between 0 and 1, not {each!r}."
            )
    if not patience > 1:
        raise ParameterError(
            f"The 'patience' parameter of stop_advice must be above 1, not {patience!r}."
        )


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


def _by_accuracy(labelling: Labelling, confidence: float) -> StopAdvice:
    """What cross-validation says, and whether the latest labels have made a difference."""
    from scipy import stats

    rows, model = labelling.labelled, labelling.model
    if not isinstance(model, Classifier):
        raise ParameterError("stop_advice is for classes: there is none yet for numbers.")
    labels = len(rows)
    counts = np.bincount(labelling.labels[labelling.labelled_rows])
    if labels < _FEWEST or (counts[counts > 0] < 2).any():
        nan = float("nan")
        why = f"with {labels} labels, nothing can be said of accuracy."
        return StopAdvice(False, why, "accuracy", nan, 0.0, 1.0, labels)
    right = _right(labelling, rows)
    value, least, most = float(right.mean()), 0.0, 1.0
    drawn = _drawn_at_random(labelling)
    if drawn.sum() >= _FEWEST_AUDITED:
        value = float(right[drawn].mean())
        ends: Any = cast("Any", stats).binomtest(int(right[drawn].sum()), int(drawn.sum()))
        ends = ends.proportion_ci(confidence, method="exact")
        least, most = float(ends.low), float(ends.high)
    stop, why = _no_more_needed(labelling, model, right)
    return StopAdvice(
        stop, why, "accuracy", value, least, most, labels,
        audits=int(drawn.sum()), confidence=confidence,
    )  # fmt: skip


def _drawn_at_random(labelling: Labelling) -> npt.NDArray[np.bool_]:
    """Which of the labelled rows were drawn at random."""
    rows = labelling.labelled_rows
    if getattr(labelling.how, "acquire", None) == "random":
        return np.ones(len(rows), np.bool_)
    return np.isin(rows, [draw.row for draw in labelling.audited])


def _right(labelling: Labelling, rows: Table) -> npt.NDArray[np.bool_]:
    """Which labelled rows are predicted right from the others."""
    from satsuma.evaluate.cross_validation import cross_validate

    learner: Any = labelling.how.learner
    predicted = cross_validate(learner, rows, folds=5, seed=0).predictions()
    return np.asarray(predicted == rows[labelling.target.name], np.bool_)


def _no_more_needed(
    labelling: Labelling, model: Classifier, right: npt.NDArray[np.bool_]
) -> tuple[bool, str]:
    """Whether the latest labels have made no difference to a model that is of some use."""
    if len(right) + len(set(labelling.unknown)) >= len(labelling.labels):
        return True, "every row has a label."
    codes = labelling.labels[labelling.labelled_rows]
    common = int(np.bincount(codes).argmax())
    if not _beats(right, codes == common):
        share, name = float((codes == common).mean()), labelling.target.values[common]
        return False, (
            f"the model is right on {right.mean():.0%} of the labelled rows, which is not "
            f"significantly more than always to say {name!r} ({share:.0%})."
        )
    kappa = _agreement(labelling, model)
    same = kappa >= _AGREE
    latest, word = round(_LATEST * len(right)), "almost no" if same else "a"
    return same, (
        f"the latest {latest} labels made {word} difference to the model (kappa {kappa:.3f})."
    )


def _beats(right: npt.NDArray[np.bool_], other: npt.NDArray[np.bool_]) -> bool:
    """Whether one is right significantly more often than another on the same rows."""
    from scipy import stats

    mine, theirs = int((right & ~other).sum()), int((other & ~right).sum())
    if mine <= theirs:
        return False
    test: Any = cast("Any", stats).binomtest(mine, mine + theirs, alternative="greater")
    return float(test.pvalue) <= _BY_CHANCE


def _learned_before(labelling: Labelling, kept: npt.NDArray[np.bool_]) -> Any:
    """The model without some labels; their rows still teach a learner that takes such rows."""
    learner: Any = labelling.how.learner
    if not learner.takes.unlabelled:
        rows = labelling.labelled_rows
        return learner(labelling.table[rows[kept[rows]]])
    table = labelling.table
    columns = list(table.columns)
    at = table.domain.index(labelling.target.name)
    columns[at] = np.where(kept, columns[at], np.int32(-1))
    return learner(Table(table.domain, columns, check=False))


def _agreement(labelling: Labelling, model: Classifier) -> float:
    """Cohen's kappa between the model and the one without the latest labels, over all rows."""
    kept = np.ones(len(labelling.labels), np.bool_)
    order = list(dict.fromkeys(labelling.order))
    kept[order[len(order) - round(_LATEST * len(order)) :]] = False
    table, before = labelling.table, _learned_before(labelling, kept)
    now, then = model.codes(model.asked(table)), before.codes(before.asked(table))
    n = len(model.classes)
    both = np.zeros((n, n))
    np.add.at(both, (now, then), 1 / len(now))
    chance = float(both.sum(axis=0) @ both.sum(axis=1))
    return 1.0 if chance >= 1 else float((np.trace(both) - chance) / (1 - chance))
