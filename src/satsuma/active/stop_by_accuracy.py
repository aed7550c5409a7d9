"""Stop by accuracy: whether the latest labels made a difference to what the model says."""

from typing import Any, cast

import numpy as np
import numpy.typing as npt

from satsuma.active.labelling import Labelling
from satsuma.active.latest_labels import BY_CHANCE, LATEST, drawn_at_random, model_before
from satsuma.active.stop_advice import StopAdvice
from satsuma.data.table import Table
from satsuma.learners.model import Classifier

#: Labels, and classes as often, before anything is said of accuracy.
_FEWEST = 20

#: Models agree if kappa is above this (Bloodgood and Vijay-Shanker 2009).
_AGREE = 0.99

#: Audited rows before they say anything of accuracy.
_FEWEST_AUDITED = 5


def accuracy_advice(labelling: Labelling, confidence: float) -> StopAdvice:
    """What cross-validation says, and whether the latest labels have made a difference."""
    from scipy import stats

    rows, model = labelling.labelled, cast("Classifier", labelling.model)
    labels = len(rows)
    counts = np.bincount(labelling.labels[labelling.labelled_rows])
    if labels < _FEWEST or (counts[counts > 0] < 2).any():
        nan = float("nan")
        why = f"with {labels} labels, nothing can be said of accuracy."
        return StopAdvice(False, why, "accuracy", nan, 0.0, 1.0, labels)
    right = _right(labelling, rows)
    value, least, most = float(right.mean()), 0.0, 1.0
    drawn = drawn_at_random(labelling)
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
    latest, word = round(LATEST * len(right)), "almost no" if same else "a"
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
    return float(test.pvalue) <= BY_CHANCE


def _agreement(labelling: Labelling, model: Classifier) -> float:
    """Cohen's kappa between the model and the one without the latest labels, over all rows."""
    table, before = labelling.table, model_before(labelling)
    now, then = model.codes(model.asked(table)), before.codes(before.asked(table))
    n = len(model.classes)
    both = np.zeros((n, n))
    np.add.at(both, (now, then), 1 / len(now))
    chance = float(both.sum(axis=0) @ both.sum(axis=1))
    return 1.0 if chance >= 1 else float((np.trace(both) - chance) / (1 - chance))
