"""Stop by error: where labels are numbers, whether the latest made a difference."""

from typing import TYPE_CHECKING, Any, cast

import numpy as np
import numpy.typing as npt

from satsuma.active.labelling import Labelling
from satsuma.active.latest_labels import BY_CHANCE, LATEST, drawn_at_random, model_before
from satsuma.active.stop_advice import StopAdvice
from satsuma.numerics.arrays import Floats

if TYPE_CHECKING:
    from satsuma.learners.model import Regressor

#: Labels before anything is said of the error.
_FEWEST = 20

#: Predictions moved little if their root mean square is no more than this share of the deviation
#: of the labels: the error grows by less than a hundredth where it is as large as they are.
_MOVED = 0.1

#: Audited rows before they say anything of R².
_FEWEST_AUDITED = 20


def error_advice(labelling: Labelling, confidence: float) -> StopAdvice:
    """What cross-validation says of numbers, and whether the latest labels made a difference."""
    rows = labelling.labelled
    actual, labels = rows.column(labelling.target.name), len(rows)
    if labels < _FEWEST or not np.ptp(actual) > 0:
        why = f"with {labels} labels, nothing can be said of the error."
        return StopAdvice(False, why, "R²", float("nan"), -np.inf, 1.0, labels)
    errors, means = _errors(labelling, actual)
    drawn = drawn_at_random(labelling)
    value, least, most = _explained(errors, means), -np.inf, 1.0
    if drawn.sum() >= _FEWEST_AUDITED:
        value, least, most = _interval(errors[drawn], means[drawn], confidence)
    stop, why = _no_more_needed(labelling, errors, means)
    return StopAdvice(
        stop, why, "R²", value, least, most, labels,
        audits=int(drawn.sum()), confidence=confidence,
    )  # fmt: skip


def _errors(labelling: Labelling, actual: Floats) -> tuple[Floats, Floats]:
    """By how much each labelled row is predicted wrong from the others: by the model, by a mean."""
    from satsuma.evaluate.cross_validation import cross_validate
    from satsuma.learners.baselines import Mean

    learner: Any = labelling.how.learner
    both: Any = {"model": learner, "mean": Mean()}
    done = cross_validate(both, labelling.labelled, folds=5, seed=0)
    return done.predictions("model") - actual, done.predictions("mean") - actual


def _explained(errors: Floats, means: Floats) -> float:
    """The share of the variance that the model explains (R²)."""
    whole = float(means @ means)
    return float(1 - errors @ errors / whole) if whole > 0 else 0.0


def _interval(errors: Floats, means: Floats, confidence: float) -> tuple[float, float, float]:
    """R² and the interval it is in: the logarithm of 1 - R² by leaving out each row (jackknife).

    It is too narrow where few labels are far from all others: of 20 to 150 rows it holds the truth
    in about 95 % of draws where errors are normal, and in 85 % where labels are log-normal.
    """
    from scipy import stats

    mine, whole, rows = np.square(errors), np.square(means), len(errors)
    rest, others = mine.sum() - mine, whole.sum() - whole
    if not ((rest > 0) & (others > 0)).all():
        return _explained(errors, means), -np.inf, 1.0
    logs = np.log(rest / others)
    deviation = np.sqrt((rows - 1) / rows * np.square(logs - logs.mean()).sum())
    wide = float(cast("Any", stats).t.ppf((1 + confidence) / 2, rows - 1) * deviation)
    middle = float(np.log(mine.sum() / whole.sum()))
    least, most = (float(1 - np.exp(middle + each)) for each in (wide, -wide))
    return _explained(errors, means), least, most


def _no_more_needed(labelling: Labelling, errors: Floats, means: Floats) -> tuple[bool, str]:
    """Whether the latest labels have made little difference to a model that is of some use."""
    if len(errors) + len(set(labelling.unknown)) >= len(labelling.labels):
        return True, "every row has a label."
    if not _beats(errors, means):
        return False, (
            "the model is not significantly nearer to the labels than their mean is, on rows that "
            "it has not learned from."
        )
    table, now, before = (
        labelling.table,
        cast("Regressor", labelling.model),
        model_before(labelling),
    )
    moved: Floats = now.numbers(now.asked(table)) - before.numbers(before.asked(table))
    deviation = float(labelling.labels[labelling.labelled_rows].std())
    share = float(np.sqrt(np.mean(np.square(moved)))) / deviation
    same, latest = share <= _MOVED, round(LATEST * len(errors))
    return same, (
        f"the latest {latest} labels moved predictions by {share:.0%} of the standard deviation "
        f"of the labels{'' if same else f', and {_MOVED:.0%} would be little'}."
    )


def _beats(errors: Floats, others: Floats) -> bool:
    """Whether some errors are significantly smaller than others of the same rows."""
    from scipy import stats

    nearer: npt.NDArray[np.float64] = np.abs(others) - np.abs(errors)
    if not nearer.any():
        return False
    test: Any = cast("Any", stats).wilcoxon(nearer, alternative="greater")
    return float(test.pvalue) <= BY_CHANCE
