"""Predictions: what a model can be asked for, and what it gives, held against its contract."""

from collections.abc import Iterator, Mapping
from enum import Enum
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from satsuma.data.table import Table
from satsuma.errors import ContractError, described
from satsuma.numerics.arrays import Floats

if TYPE_CHECKING:
    from satsuma.learners.model import Classifier, Regressor

#: How far from 1 the probabilities of a row may sum.
_CLOSE = 1e-6

Integers = npt.NDArray[np.integer[Any]]


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
    Distribution(no=0.603, yes=0.397)
    >>> model(days[0], satsuma.GetBoth)
    ('no', Distribution(no=0.603, yes=0.397))
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
    >>> from satsuma import Distribution
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

    def _repr_html_(self) -> str:
        from satsuma.data.grids import grid_html

        return grid_html(
            "", [["value", "probability"], *([v, f"{p:.3f}"] for v, p in self.items())]
        )

    def __repr__(self) -> str:
        told = ", ".join(f"{v}={p:.3f}" for v, p in self.items())
        return f"Distribution({told})"


def probabilities_of(model: "Classifier", batch: Table) -> Floats:
    """The probabilities that a model gives, once it is sure that they are rows by classes."""
    found: Any = model.probabilities(batch)
    _check_shape(model, "probabilities", found, (len(batch), len(model.classes)))
    if not _is_ours(model):
        _check_probabilities(model, found)
    return found


def codes_of(model: "Classifier", batch: Table) -> Integers:
    """The codes of the classes that a model predicts, once it is sure that there are such."""
    found: Any = model.codes(batch)
    _check_shape(model, "codes", found, (len(batch),))
    if not _is_ours(model):
        _check_codes(model, found)
    return found


def _is_ours(model: object) -> bool:
    """Whether tests hold a model to its values: to look would read them all once more."""
    return type(model).__module__.startswith("satsuma.")


def _check_probabilities(model: "Classifier", found: Floats) -> None:
    off = np.abs(found.sum(axis=1) - 1)
    # NaN is not close to anything.
    wrong = np.flatnonzero(~(off < _CLOSE) | (found < 0).any(axis=1))
    if len(wrong):
        row = ", ".join(f"{each:.6g}" for each in found[wrong[0]].tolist())
        raise ContractError(
            f"{type(model).__name__}.probabilities returned a row that is no distribution: {row}. "
            f"Return numbers of 0 and more that sum to 1."
        )


def _check_codes(model: "Classifier", codes: Integers) -> None:
    count = len(model.classes)
    wrong = codes[(codes < 0) | (codes >= count)]
    if len(wrong):
        raise ContractError(
            f"{type(model).__name__}.codes returned the code {wrong[0]}, and there are {count} "
            f"classes. Return codes from 0 to {count - 1}."
        )


def numbers_of(model: "Regressor", batch: Table) -> Floats:
    """The numbers that a model predicts, once it is sure that there is one for each row."""
    found: Any = model.numbers(batch)
    _check_shape(model, "numbers", found, (len(batch),))
    return found


def clusters_of(model: Any, batch: Table) -> Integers:
    """The clusters that a model puts rows into, once it is sure that there is one for each row."""
    found: Any = model.clusters(batch)
    _check_shape(model, "clusters", found, (len(batch),))
    return found


def _check_shape(model: object, method: str, found: Any, wanted: tuple[int, ...]) -> None:
    """Raise for an array of another shape, or for something that is no array."""
    if isinstance(found, np.ndarray) and found.shape == wanted:
        return
    what = f"an array of shape {found.shape}" if isinstance(found, np.ndarray) else described(found)
    rows = f"{wanted[0]} row{'s' * (wanted[0] != 1)}"
    classes = f" and {wanted[1]} classes" if len(wanted) > 1 else ""
    raise ContractError(
        f"{type(model).__name__}.{method} returned {what} for {rows}{classes}. Return an array of "
        f"shape {wanted}."
    )


def redefines(one: object, name: str, than: str) -> bool:
    """Whether the class of an object has a method newer than the shortcut which stands for it.

    A shortcut is trusted only as long as no class below the one that declares it defines the
    method anew.

    Examples
    --------
    >>> class Parent:
    ...     codes, codes_by_model = len, list
    >>> class Child(Parent):
    ...     codes = sum
    >>> [redefines(each(), "codes", "codes_by_model") for each in (Parent, Child)]
    [False, True]
    """
    line = type(one).__mro__
    return _place(line, name) < _place(line, than)


def _place(line: tuple[type, ...], name: str) -> int:
    """How far up the method resolution order a name is defined first."""
    return next((at for at, each in enumerate(line) if name in vars(each)), len(line))
