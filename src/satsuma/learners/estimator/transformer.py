"""Transformer: learners that bring rows to other columns, as a step of a pipeline does."""

import sys
from abc import abstractmethod
from typing import Any, Self, cast

import numpy as np

from satsuma.errors import DomainError, ParameterError
from satsuma.learners.estimator.sparse_rows import in_blocks
from satsuma.numerics.arrays import Array, Floats

#: What `set_output` takes.
_CONTAINERS = (None, "default", "pandas", "polars")


class Transformer:
    """A part of learners that have `transform`: scikit-learn's verbs and its `set_output`."""

    @abstractmethod
    def transformed(self, model: Any, table: Any) -> Floats:
        """The rows by new columns."""

    @abstractmethod
    def new_columns(self, model: Any) -> int:
        """How many new columns there are."""

    def transform(self, X: Any) -> Any:
        """The rows by new columns, once fitted."""
        return self._contained(self._transformed(X), X)

    @in_blocks
    def _transformed(self, X: Any) -> Floats:
        model, table = cast("Any", self).asked_rows(X)
        return self.transformed(model, table)

    def fit_transform(self, X: Any, y: Any = None, sample_weight: Any = None) -> Any:
        """Learn from an array or a data frame, and transform its rows."""
        return cast("Any", self).fit(X, y, sample_weight).transform(X)

    def get_feature_names_out(self, input_features: Any = None) -> Array:
        """The names of the new columns: the learner's, and a number."""
        learner = cast("Any", self)
        model = learner.fitted_model()
        if input_features is not None:
            _check_names(learner, list(input_features))
        name = type(self).__name__.lower()
        return np.array([f"{name}{at}" for at in range(self.new_columns(model))], object)

    def set_output(self, *, transform: Any = None) -> Self:
        """Say what `transform` returns: ``pandas``, ``polars``, or ``default`` for an array."""
        if transform not in _CONTAINERS:
            raise ParameterError(
                f"set_output makes one of {_CONTAINERS[1:]} of the rows. Got {transform!r} instead."
            )
        if transform is not None:
            self._sklearn_output_config = {"transform": transform}
        return self

    def __sklearn_tags__(self) -> Any:
        from sklearn.utils import TransformerTags

        tags = cast("Any", super()).__sklearn_tags__()
        tags.transformer_tags = TransformerTags()
        return tags

    def _contained(self, found: Floats, X: Any) -> Any:
        """The rows in the container that was asked for here, or of all of scikit-learn."""
        kind = vars(self).get("_sklearn_output_config", {}).get("transform")
        if kind is None:
            tools: Any = sys.modules.get("sklearn")  # what is not imported has no settings
            kind = "default" if tools is None else tools.get_config()["transform_output"]
        if kind == "default":
            return found
        names = self.get_feature_names_out()
        if kind == "polars":
            import polars as pl

            return pl.DataFrame(found, schema=list(names), orient="row")
        import pandas as pd

        return pd.DataFrame(found, index=getattr(X, "index", None), columns=names, copy=False)


def _check_names(learner: Any, given: list[Any]) -> None:
    known: Any = getattr(learner, "feature_names_in_", None)
    if known is not None and known.tolist() != given:
        raise DomainError("input_features is not equal to feature_names_in_")
    if len(given) != learner.n_features_in_:
        raise DomainError(
            f"input_features should have length equal to number of features "
            f"({learner.n_features_in_}), got {len(given)}"
        )
