"""Labels: what a column of classes is given as, and the codes it becomes."""

from math import isnan
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from satsuma.data.columns import holds_times
from satsuma.errors import DomainError
from satsuma.learners.estimator.array_inputs import as_array
from satsuma.numerics.arrays import Array

#: Whole numbers in a range this small are labels that can be counted instead of sorted.
_SMALL = 1 << 16

#: Whole numbers from here on are too great to be counted.
_BEYOND = 1 << 62

#: So many words are sooner found in a table than sorted.
_MANY = 1 << 10

#: Labels that are looked at first, to see whether every class is among them.
_FIRST = 1 << 8

#: Words, at most, with each of which all labels are compared.
_FEW = 16


def encoded(
    labels: Array, classes: Array | None = None, *, more: bool = False
) -> tuple[Array, npt.NDArray[np.int32]]:
    """The classes, sorted unless given, and the code of each label.

    Parameters
    ----------
    labels
        One for each row.
    classes
        Those that are known already.
    more
        Whether labels may be other than those; they become the last classes.

    Examples
    --------
    >>> encoded(np.array([7, 3, 7]))
    (array([3, 7]), array([1, 0, 1], dtype=int32))
    >>> encoded(np.array([7, 3, 7]), np.array([7]), more=True)
    (array([7, 3]), array([0, 1, 0], dtype=int32))
    """
    low, span = _range(labels)
    if classes is not None and 0 < span <= len(classes) and low == 0 and _is_a_range(classes):
        return classes, labels.astype(np.int32)  # they are codes already
    found, codes = _numbered(labels, low, span) if 0 < span <= _SMALL else _sorted(labels)
    if classes is None:
        return found, codes
    if len(classes) == len(found) and (classes == found).all():
        return classes, codes
    new = found[~np.isin(found, classes)]
    if len(new) and not more:
        raise DomainError(
            f"y holds {new.tolist()[0]!r}, which is not among the classes {classes.tolist()!r}. "
            f"Name all classes in the first call of partial_fit."
        )
    every = np.concatenate([classes, new]) if len(new) else classes
    order = np.argsort(every)
    return every, order[np.searchsorted(every, found, sorter=order)].astype(np.int32)[codes]


def _is_a_range(classes: Array) -> bool:
    return classes.dtype.kind in "iu" and classes.tolist() == list(range(len(classes)))


def _range(labels: Array) -> tuple[int, int]:
    """The least whole number, and how many there are up to the greatest; none of other labels."""
    if labels.dtype.kind not in "iu" or not labels.size:
        return 0, 0
    # A negative number is a great one where there is no sign, so that one look settles most.
    high = int(labels.view(labels.dtype.str.replace("i", "u")).max())
    if high < min(_SMALL, 1 << (8 * labels.dtype.itemsize - 1)):
        return 0, high + 1
    low, high = int(labels.min()), int(labels.max())
    return (low, high - low + 1) if high < _BEYOND else (0, 0)


def _numbered(labels: Array, low: int, span: int) -> tuple[Array, npt.NDArray[np.int32]]:
    """Whole numbers in a small range, by a table of the range."""
    if low == 0:
        codes = labels.astype(np.int32)
    else:  # in their own type, the difference of two short whole numbers may be too long
        codes = np.empty(len(labels), np.int32)
        np.subtract(labels, low, out=codes, dtype=np.int64, casting="unsafe")
    present = np.zeros(span, np.bool_)
    low_row, high_row = 0, _FIRST
    while not present.all() and low_row < len(codes):  # most often the first piece has every class
        present[codes[low_row:high_row]] = True
        low_row, high_row = high_row, 8 * high_row
    if not present.all():
        codes = (np.cumsum(present, dtype=np.int32) - np.int32(1))[codes]
    return (np.flatnonzero(present) + low).astype(labels.dtype), codes


def _worded(labels: Array) -> tuple[Array, npt.NDArray[np.int32]] | None:
    """Words, by a table of those that there are; None where some labels are no words."""
    if labels.dtype.kind not in "OU" or len(labels) < _MANY:
        return None
    import pyarrow as pa

    try:
        coded = cast("Any", pa.array(labels)).dictionary_encode()
    except (pa.ArrowException, TypeError, ValueError):  # labels of several types
        return None
    if not pa.types.is_string(coded.type.value_type) or coded.null_count:
        return None
    words: list[str] = coded.dictionary.to_pylist()
    order = sorted(range(len(words)), key=words.__getitem__)
    place = np.empty(len(words), np.int32)
    place[order] = np.arange(len(words))
    return np.array([words[at] for at in order], labels.dtype), place[coded.indices.to_numpy()]


def _few_words(labels: Array) -> tuple[Array, npt.NDArray[np.int32]] | None:
    """Words, each compared with the few that the first labels are; None where these are not all."""
    if labels.dtype.kind != "U" or len(labels) < _MANY:
        return None
    words = np.unique(labels[:_FIRST])
    if len(words) > _FEW:
        return None
    codes = np.full(len(labels), -1, np.int32)
    for at, word in enumerate(words):
        codes[labels == word] = at
    return None if (codes < 0).any() else (words, codes)


def _sorted(labels: Array) -> tuple[Array, npt.NDArray[np.int32]]:
    if (worded := _few_words(labels) or _worded(labels)) is not None:
        return worded
    try:
        found, codes = np.unique(labels, return_inverse=True)
    except TypeError:
        kinds = sorted({type(label).__name__ for label in labels})
        raise DomainError(
            f"y mixes labels of several types, which have no order: {', '.join(kinds)}. "
            f"Make them all strings, or all numbers, with none missing."
        ) from None
    return found, codes.astype(np.int32)


def known_labels(labels: Array) -> npt.NDArray[np.bool_]:
    """Which labels are there: not None, and not NaN.

    Examples
    --------
    >>> known_labels(np.array(["a", None, float("nan")], object))
    array([ True, False, False])
    """
    if labels.dtype.kind == "O":
        holes = (label is None or (isinstance(label, float) and isnan(label)) for label in labels)
        return ~np.fromiter(holes, np.bool_, len(labels))
    return ~np.isnan(labels) if labels.dtype.kind == "f" else np.ones(len(labels), np.bool_)


def checked_labels(y: Any, rows: int, learner: str, *, holes: bool = False) -> Array:
    """The labels as an array of one dimension, one for each row; some may be missing, or none."""
    if y is None:
        raise DomainError(f"{learner} requires y to be passed, but the target y is None.")
    labels = as_array(y)
    if labels.ndim == 2 and labels.shape[1] == 1:
        import warnings

        warnings.warn(
            "A column-vector y was passed when a 1d array was expected. Please change the shape "
            "of y to (n_samples,), for example using ravel().",
            _conversion_warning(),
            stacklevel=4,
        )
        labels = labels.ravel()
    if labels.ndim != 1:
        raise DomainError(f"y should be a 1d array, got an array of shape {labels.shape} instead.")
    if len(labels) != rows:
        raise DomainError(f"X has {rows} rows, but y has {len(labels)}.")
    if labels.dtype.kind == "M" or (labels.dtype.kind == "O" and holds_times(list(labels))):
        raise DomainError(
            f"{learner} predicts no times, and y holds some. Predict a number that you make of "
            f"them, such as days until then."
        )
    if (
        labels.dtype.kind == "f"
        and not (np.isfinite(labels) | (np.isnan(labels) if holes else np.False_)).all()
    ):
        raise DomainError("Input y contains NaN or infinity.")
    return labels


def _conversion_warning() -> type[UserWarning]:
    """The warning of scikit-learn where that is installed: its tools look for it."""
    try:
        from sklearn.exceptions import DataConversionWarning
    except ImportError:
        return UserWarning
    return DataConversionWarning


def refuse_continuous(labels: Array) -> None:
    """Raise if labels are fractions, which are no classes."""
    if labels.dtype.kind == "f" and (labels != np.floor(labels)).any():
        raise DomainError(
            "Unknown label type: continuous. y holds fractions; classes are whole numbers or words."
        )
