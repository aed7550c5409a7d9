"""Waiting rows: single rows of a stream, which are tallied together once somebody asks."""

from threading import RLock
from typing import Any, Self

import numpy as np

from satsuma.learners.parameters import parameter_names
from satsuma.numerics.arrays import Array

#: Rows that wait, at most.
_MOST = 512

#: Held while rows that wait are tallied, so that nobody asks in between.
SETTLING = RLock()


class WaitingRows:
    """Single rows of finite numbers and known classes, given one by one to `partial_fit`.

    To tally one row takes nearly as long as to tally hundreds. What could be wrong with a row is
    looked at when it is given; a row that may need more than that does not wait.

    Parameters
    ----------
    learner
        What has tallied rows of the same columns and classes.
    """

    def __init__(self, learner: Any) -> None:
        self._parameters = _parameters(learner)
        self._classes = learner.classes_
        self._known = frozenset(self._classes.tolist())
        self._shape = 1, learner.n_features_in_
        self._rows = list[Array]()
        self._labels = list[Array]()

    @classmethod
    def of(cls, learner: Any, X: Any) -> Self | None:
        """What takes later rows, if they may wait: a class of tallies knows how to add them."""
        alike = type(X) is np.ndarray and X.dtype == np.float64 and hasattr(learner, "classes_")
        if not alike or learner.shared_kind is None or "feature_names_in_" in vars(learner):
            return None
        numbers = all(v.kind == "num" for v in learner.tally_.domain.attributes)
        determined = vars(learner).get("_undetermined_") is None
        return cls(learner) if numbers and determined else None

    def __len__(self) -> int:
        return len(self._rows)

    def add(self, learner: Any, X: Any, y: Any) -> bool:
        """Whether a row waits from now on."""
        if type(X) is not np.ndarray or type(y) is not np.ndarray or len(self._rows) == _MOST:
            return False
        if X.shape != self._shape or X.dtype != np.float64 or y.shape != (1,):
            return False
        if y.dtype.kind != self._classes.dtype.kind or not np.isfinite(X.sum()):
            return False
        if y.item() not in self._known or not self._same(_parameters(learner)):
            return False
        self._rows.append(X.copy())
        self._labels.append(y.copy())
        return True

    def _same(self, parameters: tuple[Any, ...]) -> bool:
        return all(one is other for one, other in zip(parameters, self._parameters, strict=True))

    def batch(self) -> tuple[Array, Array]:
        """The rows, and their labels."""
        return np.concatenate(self._rows), np.concatenate(self._labels)


def _parameters(learner: object) -> tuple[Any, ...]:
    return tuple(getattr(learner, name) for name in parameter_names(type(learner)))
