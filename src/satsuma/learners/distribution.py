"""Distribution: how probable each value is. And what a model can be asked for."""

from collections.abc import Iterator, Mapping
from enum import Enum

import numpy as np
import numpy.typing as npt


class Get(Enum):
    """What a model is asked for: a value, the probabilities of all values, or both.

    They are `satsuma.GetValue`, which need not be said, `satsuma.GetProbabilities` and
    `satsuma.GetBoth`.

    Examples
    --------
    >>> import satsuma
    >>> days = satsuma.load("tennis")
    >>> model = satsuma.NaiveBayes(days)
    >>> model(days[0], satsuma.GetValue)
    'no'
    >>> model(days[0], satsuma.GetProbabilities)
    Distribution(no=0.714, yes=0.286)
    >>> model(days[0], satsuma.GetBoth)
    ('no', Distribution(no=0.714, yes=0.286))
    """

    VALUE = "value"
    PROBABILITIES = "probabilities"
    BOTH = "both"


GetValue = Get.VALUE
"""The most probable value, or the number that is expected; see `Get`."""

GetProbabilities = Get.PROBABILITIES
"""How probable each class is; see `Get`."""

GetBoth = Get.BOTH
"""The value and the probabilities; see `Get`."""


class Distribution(Mapping[str, float]):
    """Probabilities of values, in the order of the values.

    Examples
    --------
    >>> d = Distribution(("no", "yes"), [0.25, 0.75])
    >>> d["yes"], d.mode, list(d)
    (0.75, 'yes', ['no', 'yes'])
    >>> d
    Distribution(no=0.250, yes=0.750)
    """

    __slots__ = ("probabilities", "values_")

    def __init__(self, values: tuple[str, ...], probabilities: npt.ArrayLike) -> None:
        self.values_ = values
        self.probabilities = np.asarray(probabilities, np.float64)

    def __getitem__(self, value: str) -> float:
        try:
            return float(self.probabilities[self.values_.index(value)])
        except ValueError:
            raise KeyError(value) from None

    def __iter__(self) -> Iterator[str]:
        return iter(self.values_)

    def __len__(self) -> int:
        return len(self.values_)

    @property
    def mode(self) -> str:
        """The most probable value; the first of several."""
        return self.values_[int(self.probabilities.argmax())]

    def __repr__(self) -> str:
        told = ", ".join(f"{v}={p:.3f}" for v, p in self.items())
        return f"Distribution({told})"
