"""Checks of the contract: what a class of learners or models returns is what its base asks for."""

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from satsuma.data.table import Table
from satsuma.errors import ContractError
from satsuma.numerics.arrays import Floats

if TYPE_CHECKING:
    from satsuma.learners.model import Classifier, Regressor

#: How far from 1 the probabilities of a row may sum.
_CLOSE = 1e-6

Integers = npt.NDArray[np.integer[Any]]


def described(value: object) -> str:
    """A value in a sentence: None, a type, or what it is an instance of.

    Examples
    --------
    >>> described(None), described(int), described([1])
    ('None', 'the class int', 'a list')
    """
    if value is None:
        return "None"
    if isinstance(value, type):
        return f"the class {value.__name__}"
    name = type(value).__name__
    return f"{'an' if name[0].lower() in 'aeiou' else 'a'} {name}"


def check_model(learner: object, method: str, model: object) -> None:
    """Raise unless a method of a learner returned a model."""
    from satsuma.learners.model import Model

    if not isinstance(model, Model):
        raise ContractError(
            f"{type(learner).__name__}.{method} returned {described(model)}, not a model. Return "
            f"an instance of a Classifier, a Regressor or a Clusterer."
        )


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
