"""Rejection: rows to leave to a person, as no class is probable enough, and what that buys."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from satsuma.data.result_frame import ResultFrame
from satsuma.data.table import Table
from satsuma.errors import ParameterError
from satsuma.evaluate.decision_curve import DecisionCurve, Thoughts
from satsuma.evaluate.results_display import grid_html, interval, number, percent
from satsuma.evaluate.score_intervals import share_interval
from satsuma.numerics.arrays import Array, Floats

if TYPE_CHECKING:
    import pandas as pd

#: Standard errors of an interval with 95 % confidence.
_Z = 1.959963984540054


@dataclass(frozen=True)
class Rejection(ResultFrame):
    """Rows that are left to somebody else, as no class is probable enough, and what that buys.

    Parameters
    ----------
    threshold
        Rows whose most probable class has less than this are unsure.
    unsure
        Their share.
    accuracy
        Of the others.
    interval
        Where that lies with 95 % confidence.
    without
        The accuracy of all rows.
    of_unsure
        The accuracy of those that are unsure.
    """

    threshold: float
    unsure: float
    accuracy: float
    interval: tuple[float, float]
    without: float
    of_unsure: float

    def __call__(self, probabilities: Floats) -> Array:
        """Whether each row is unsure, given its probabilities by class."""
        return np.asarray(probabilities).max(axis=1) < self.threshold

    def __repr__(self) -> str:
        low, high = (percent(end) for end in self.interval)
        return (
            f"Unsure: {percent(self.unsure)} of the rows, whose most probable class has less "
            f"than {number(self.threshold)}. Of the others {percent(self.accuracy)} are right "
            f"({low} to {high}), of all {percent(self.without)}, of the unsure "
            f"{percent(self.of_unsure)}."
        )

    def to_pandas(self) -> "pd.DataFrame":
        """A data frame: the rows that are sure, those that are unsure, and all; how many are right.

        The last two columns are the interval of that, where it is known.
        """
        import pandas as pd

        found = {
            "sure": (1 - self.unsure, self.accuracy, *self.interval),
            "unsure": (self.unsure, self.of_unsure, np.nan, np.nan),
            "all": (1.0, self.without, np.nan, np.nan),
        }
        index = pd.Index(list(found), name="rows")
        return pd.DataFrame(list(found.values()), index, ["share", "accuracy", "low", "high"])

    def _repr_html_(self) -> str:
        lines = [
            ["sure", percent(1 - self.unsure), percent(self.accuracy), interval(*self.interval)],
            ["unsure", percent(self.unsure), percent(self.of_unsure), ""],
            ["all", percent(1.0), percent(self.without), ""],
        ]
        return grid_html(str(self), [["rows", "share", "accuracy", "95 %"], *lines])


def reject(
    given: Any,
    table: Table | None = None,
    *,
    share: float | None = None,
    accuracy: float | None = None,
    learner: str | None = None,
) -> Rejection:
    """Leave the rows that are least sure to somebody else, and say what that buys.

    Parameters
    ----------
    given, table, learner
        As in `threshold`.
    share
        How many rows can be left, at most, as a share.
    accuracy
        In the place of `share`: how right the others are to be. As few rows are left as it takes.

    Examples
    --------
    >>> from satsuma import Logistic, cross_validate, load, reject
    >>> found = reject(cross_validate(Logistic(), load("voting")), share=0.06)
    >>> found.unsure <= 0.06, found.accuracy > found.without > found.of_unsure
    (True, True)
    """
    thoughts = Thoughts.of(given, table, learner)
    sure, right = thoughts.probabilities.max(axis=1), thoughts.probabilities.argmax(axis=1)
    curve = DecisionCurve.of("right", sure, right == thoughts.truth, thoughts.weights)
    at = _kept(curve, share, accuracy)
    whole, kept = curve.hits[-1] / (curve.total or 1), curve.hits[at] + curve.alarms[at]
    rest = curve.total - kept
    size = kept * kept / ((thoughts.weights**2)[sure >= curve.thresholds[at]].sum() or 1.0)
    exact = float(curve.precision[at])
    return Rejection(
        threshold=float(curve.thresholds[at]),
        unsure=float(rest / (curve.total or 1)),
        accuracy=exact,
        interval=share_interval(exact, float(size), _Z) if size > 0 else (0.0, 1.0),
        without=float(whole),
        of_unsure=float((curve.hits[-1] - curve.hits[at]) / rest) if rest > 0 else np.nan,
    )


def _kept(curve: DecisionCurve, share: float | None, accuracy: float | None) -> int:
    """The point from which on rows are sure."""
    if (share is None) == (accuracy is None):
        raise ParameterError("Give reject share=, as in share=0.06, or accuracy=, one of them.")
    wanted: Any = share if accuracy is None else accuracy
    if not isinstance(wanted, int | float) or not 0 <= wanted <= 1:
        name = "share" if accuracy is None else "accuracy"
        raise ParameterError(
            f"The '{name}' parameter of reject must be a number from 0 to 1. Got {wanted!r} "
            f"instead."
        )
    if accuracy is None:
        return int(np.flatnonzero(curve.called >= 1 - wanted - 1e-12)[0])
    enough = np.flatnonzero(curve.precision[1:] >= wanted) + 1
    return int(enough[-1]) if len(enough) else 1
