"""One of our learners under the name and with the parameters of an estimator of scikit-learn.

A parameter that says what is learned is handed on; one that says how it is worked out counts for
nothing; any other has to keep its default, or the test is set aside: it asks for what is not there.
"""

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np
import pytest
from sklearn.base import BaseEstimator

import satsuma

#: How a model is worked out, not which one: any value will do.
HOW = {"algorithm", "cache_size", "copy_X", "copy_x", "dual", "intercept_scaling", "leaf_size"}
HOW |= {"max_iter", "n_jobs", "random_state", "shuffle", "solver", "tol", "verbose"}


class NotOurs(AttributeError):
    """An attribute or a method that theirs has, and ours has not."""


@dataclass(frozen=True)
class Rows:
    """What is learned from, where a parameter of ours depends on it."""

    X: Any = None
    y: Any = None

    @property
    def columns(self) -> int:
        """How many."""
        shape = np.shape(self.X) if hasattr(self.X, "shape") else np.asarray(self.X).shape
        return shape[1] if len(shape) == 2 else 1


@dataclass(frozen=True)
class Swap:
    """Which of our learners stands for one of theirs, and what becomes of its parameters."""

    module: str
    theirs: str
    ours: str
    fixed: Mapping[str, Any] = field(default_factory=dict[str, Any])
    names: Mapping[str, str] = field(default_factory=dict[str, str])
    values: Mapping[str, Callable[[Any, Rows], Any]] = field(default_factory=dict[str, Any])
    inside: str = ""

    def learner(self, given: Mapping[str, Any], defaults: Mapping[str, Any], rows: Rows) -> Any:
        """Ours, with the parameters that theirs was given, to learn from rows."""
        found = dict(self.fixed)
        for name, value in given.items():
            if name in self.names:
                ours = self.values[name](value, rows) if name in self.values else value
                if ours is NotImplemented:
                    pytest.skip(f"parameter {name}={value!r:.60}")
                if ours is not ...:
                    found[self.names[name]] = ours
            elif name not in HOW and not _same(value, defaults[name]):
                pytest.skip(f"parameter {name}")
        made = getattr(satsuma, self.ours)(**found)
        return getattr(satsuma, self.inside)(learner=made) if self.inside else made


def _same(one: Any, other: Any) -> bool:
    return one is other or (type(one) is type(other) and not np.ndim(one) and bool(one == other))


class Swapped(BaseEstimator):
    """What all estimators that are swapped have in common. ``reached`` counts their fits."""

    swap: Swap
    defaults: Mapping[str, Any]
    reached = 0

    def learner_of(self, rows: Rows | None = None) -> Any:
        """Ours, with the parameters that this one has; it has learned nothing."""
        return self.swap.learner(self.get_params(deep=False), self.defaults, rows or Rows())

    def _fitted(self, verb: str, X: Any, y: Any, **more: Any) -> Self:
        Swapped.reached += 1
        begun = vars(self).get("_ours") if verb == "partial_fit" else None
        ours = begun or self.learner_of(Rows(X, y))
        if y is not None and ours.takes.target == "either" and "Classifier" in self.swap.theirs:
            y = _as_classes(y)
        arguments = [X] if y is None else [X, y]
        getattr(ours, verb)(*arguments, **{k: v for k, v in more.items() if v is not None})
        self._ours = ours
        return self

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Learn, by one of ours."""
        return self._fitted("fit", X, y, sample_weight=sample_weight)

    def __getattr__(self, name: str) -> Any:
        """Whatever else there is, of ours."""
        if name.startswith("__") or name in ("_ours", "swap", "defaults"):
            raise AttributeError(name)
        if name == "partial_fit":
            _of(self.learner_of(), name)
            return lambda X, y=None, classes=None, sample_weight=None: self._fitted(
                name, X, y, classes=classes, sample_weight=sample_weight
            )
        if name == "fit_predict":
            return lambda X, y=None, **more: self.fit(X, y, **more).predict(X)
        return _of(vars(self).get("_ours") or self.learner_of(), name)

    def __sklearn_tags__(self) -> Any:
        """Those of ours."""
        return self.learner_of().__sklearn_tags__()

    def __sklearn_is_fitted__(self) -> bool:
        """Whether there is a model."""
        return "_ours" in vars(self)


def _of(ours: Any, name: str) -> Any:
    try:
        return getattr(ours, name)
    except AttributeError as error:
        raise NotOurs(f"{type(ours).__name__} has no {name}") from error


def _as_classes(y: Any) -> Any:
    """Labels that are floats are numbers to ours, where it learns both; here they are classes."""
    labels = np.asarray(y)
    whole = labels.dtype.kind == "f" and np.isfinite(labels).all() and (labels % 1 == 0).all()
    return labels.astype(int) if whole else y


def swapped(swap: Swap, theirs: type) -> type[Swapped]:
    """A class with the name and the parameters of theirs, that learns as ours."""
    signature = inspect.signature(theirs.__init__)
    parameters = list(signature.parameters.values())[1:]

    def begin(self: Swapped, *args: Any, **parameters: Any) -> None:
        given = signature.bind(self, *args, **parameters)
        given.apply_defaults()
        vars(self).update(list(given.arguments.items())[1:])

    begin.__signature__ = signature
    members = {
        "__init__": begin,
        "__module__": f"sklearn.{swap.module}",
        "swap": swap,
        "defaults": {each.name: each.default for each in parameters},
    }
    return type(swap.theirs, (Swapped,), members)
