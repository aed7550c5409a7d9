"""Arrays: tables from what scikit-learn's verbs are given, and labels as codes."""

import numbers
from collections.abc import Sequence
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from satsuma.data.columns import Array, from_cells
from satsuma.data.domain import Domain
from satsuma.data.table import Table
from satsuma.data.variable import Variable
from satsuma.errors import DomainError, ParameterError
from satsuma.learners.capabilities import Takes

#: Whole numbers in a range this small are labels that can be counted instead of sorted.
_SMALL = 1 << 16


def encoded(labels: Array, classes: Array | None = None) -> tuple[Array, npt.NDArray[np.int32]]:
    """The classes, sorted unless given, and the code of each label; an unknown one is an error.

    Examples
    --------
    >>> encoded(np.array([7, 3, 7]))
    (array([3, 7]), array([1, 0, 1], dtype=int32))
    """
    if classes is None:
        small = labels.dtype.kind in "iu" and labels.size and int(np.ptp(labels)) < _SMALL
        if small:
            low = int(labels.min())
            at = (labels - low).astype(np.intp)
            present = np.bincount(at) > 0
            codes = (np.cumsum(present) - 1).astype(np.int32)[at]
            return (np.flatnonzero(present) + low).astype(labels.dtype), codes
        found, inverse = np.unique(labels, return_inverse=True)
        return found, inverse.astype(np.int32)
    order = np.argsort(classes)
    at = np.clip(np.searchsorted(classes, labels, sorter=order), 0, len(classes) - 1)
    codes = order[at]
    wrong = classes[codes] != labels
    if wrong.any():
        raise DomainError(
            f"y holds {labels[int(wrong.argmax())]!r}, which is not among the classes "
            f"{list(classes)!r}. Name all classes in the first call of partial_fit."
        )
    return classes, codes.astype(np.int32)


def training_table(
    X: Any,
    y: Any,
    weights: Any,
    takes: Takes,
    learner: str,
    *,
    classes: Any = None,
) -> tuple[Table, Array | None]:
    """A table to learn from, and the classes as they were given; None for a number."""
    variables, columns = _attributes(X, learner)
    rows = len(columns[0]) if columns else 0
    found: Array | None = None
    if takes.target != "nothing":
        labels = _labels(y, rows, learner)
        if takes.target == "number":
            target, column = Variable("y", "num", role="target"), labels.astype(np.float64)
        else:
            _refuse_continuous(labels)
            known = None if classes is None else np.asarray(classes)
            found, column = encoded(labels, known)
            target = Variable("y", "sym", tuple(map(str, found)), "target")
        variables, columns = [*variables, target], [*columns, column]
    if weights is not None:
        variables.append(Variable("weight", "num", role="weight"))
        columns.append(_weights(weights, rows))
    return Table(Domain(variables), columns, check=False), found


def asked_table(X: Any, attributes: Sequence[Variable], estimator: Any) -> Table:
    """A table to be asked about, with the columns that were learned from, by position."""
    variables, columns = _attributes(X, type(estimator).__name__)
    names = getattr(estimator, "feature_names_in_", None)
    if names is not None and hasattr(X, "columns"):
        _check_names(list(names), list(X.columns))
    if len(variables) != len(attributes):
        raise DomainError(
            f"X has {len(variables)} features, but {type(estimator).__name__} is expecting "
            f"{len(attributes)} features as input."
        )
    from satsuma.learners.queries import fitted

    renamed = [
        Variable(known.name, v.kind, v.values) for v, known in zip(variables, attributes, strict=True)
    ]
    return fitted(Table(Domain(renamed), columns, check=False), Domain(attributes))


def _check_names(known: list[str], given: list[str]) -> None:
    if known != given:
        raise DomainError(
            "The feature names should match those that were passed during fit. "
            f"Learned from {known[:5]!r}, asked with {given[:5]!r}."
        )


def _attributes(X: Any, learner: str) -> tuple[list[Variable], list[Array]]:
    """Columns of an array or a data frame; numbers in an array of floats are not copied."""
    if hasattr(X, "__arrow_c_stream__") or isinstance(X, Table):
        from satsuma.data.read import read

        table = read(X)
        return [Variable(v.name, v.kind, v.values) for v in table.domain], list(table.columns)
    if hasattr(X, "toarray"):
        raise ParameterError(
            f"{learner} does not take sparse data. Use X.toarray() if it fits in memory."
        )
    array = np.asarray(X)
    if array.dtype.kind == "c":
        raise DomainError("Complex data not supported: X holds complex numbers.")
    if array.ndim != 2:
        raise DomainError(
            f"Expected 2D array, got {array.ndim}D array instead. Reshape your data: rows by "
            f"columns, X.reshape(-1, 1) for a single column or X.reshape(1, -1) for a single row."
        )
    if array.shape[0] == 0:
        raise DomainError(f"Found array with 0 sample(s) while a minimum of 1 is required by {learner}.")
    if array.shape[1] == 0:
        raise DomainError(
            f"0 feature(s) (shape={array.shape}) while a minimum of 1 is required by {learner}."
        )
    names = [f"x{j}" for j in range(array.shape[1])]
    if array.dtype.kind in "OUS":
        made = [from_cells(name, array[:, j].tolist()) for j, name in enumerate(names)]
        return [variable for variable, _ in made], [column for _, column in made]
    floats = array if array.dtype == np.float64 else array.astype(np.float64)
    return [Variable(name) for name in names], [floats[:, j] for j in range(floats.shape[1])]


def _labels(y: Any, rows: int, learner: str) -> Array:
    if y is None:
        raise DomainError(
            f"{learner} requires y to be passed, but the target y is None."
        )
    labels = np.asarray(y)
    if labels.ndim == 2 and labels.shape[1] == 1:
        import warnings

        from sklearn.exceptions import DataConversionWarning

        warnings.warn(
            "A column-vector y was passed when a 1d array was expected. Please change the shape "
            "of y to (n_samples,), for example using ravel().",
            DataConversionWarning,
            stacklevel=4,
        )
        labels = labels.ravel()
    if labels.ndim != 1:
        raise DomainError(f"y should be a 1d array, got an array of shape {labels.shape} instead.")
    if len(labels) != rows:
        raise DomainError(f"X has {rows} rows, but y has {len(labels)}.")
    if labels.dtype.kind == "f" and not np.isfinite(labels).all():
        raise DomainError("Input y contains NaN or infinity.")
    return labels


def _refuse_continuous(labels: Array) -> None:
    if labels.dtype.kind == "f" and (labels != np.floor(labels)).any():
        raise DomainError(
            "Unknown label type: continuous. y holds fractions; classes are whole numbers or words."
        )


def _weights(weights: Any, rows: int) -> Array:
    if isinstance(weights, numbers.Real):
        weights = np.full(rows, float(weights))
    made = np.asarray(weights, np.float64)
    if made.shape != (rows,):
        raise DomainError(f"sample_weight has the shape {made.shape}; it must have {rows} numbers.")
    return cast("Array", made)
