"""Feature names: the columns that rows must have once a learner has learned from some."""

from collections.abc import Sequence
from typing import Any

from satsuma.data.table import Table
from satsuma.errors import DomainError

#: Names that a message lists at most, as in scikit-learn's.
_LISTED = 5


def feature_names(X: Any) -> list[str] | None:
    """The names of the columns, if all are strings; an array has none.

    Examples
    --------
    >>> feature_names(Table.of([(1, "no")], ["heat", "play"]))
    ['heat']
    >>> feature_names([[1, 2]]) is None
    True
    """
    if isinstance(X, Table):
        return [variable.name for variable in X.domain.attributes]
    found: Any = getattr(X, "column_names", None)  # a table of Arrow's has arrays for columns
    if found is None:
        found = getattr(X, "columns", None)
    if found is None:
        return None
    names: list[Any] = list(found)
    return names if all(isinstance(name, str) for name in names) else None


def check_features(estimator: Any, X: Any, width: int, expected: int) -> None:
    """Raise if rows do not have the columns that were learned from, in that order.

    One rule for every verb: names must be the same where both sides have names, and so must the
    number of columns. Columns without names go by position.
    """
    known: Any = getattr(estimator, "feature_names_in_", None)
    given = None if known is None else feature_names(X)
    if known is not None and given is not None and known.tolist() != given:
        raise _other_names(known.tolist(), given)
    if width != expected:
        raise DomainError(
            f"X has {width} features, but {type(estimator).__name__} is expecting {expected} "
            f"features as input."
        )


def _other_names(known: list[str], given: list[str]) -> DomainError:
    new, gone = sorted({*given} - {*known}), sorted({*known} - {*given})
    parts = ["The feature names should match those that were passed during fit."]
    if new:
        parts += ["Feature names unseen at fit time:", *_listed(new)]
    if gone:
        parts += ["Feature names seen at fit time, yet now missing:", *_listed(gone)]
    if not new and not gone:
        parts += ["Feature names must be in the same order as they were in fit."]
    if not gone:
        parts += ["Use X[list(learner.feature_names_in_)]."]
    return DomainError("\n".join([*parts, ""]))


def _listed(names: Sequence[str]) -> list[str]:
    return [f"- {name}" for name in names[:_LISTED]] + ["- ..."] * (len(names) > _LISTED)
