"""The estimator API: fit, predict and the rest, as scikit-learn has them, without importing it."""

from typing import TYPE_CHECKING, Any, Self, cast

import numpy as np

from satsuma.data.domain import Domain
from satsuma.data.table import Table
from satsuma.data.time_features import learned_columns
from satsuma.errors import ParameterError, hint
from satsuma.learners.estimator.available_if import available_if
from satsuma.learners.estimator.feature_names import feature_names
from satsuma.learners.estimator.training_tables import asked_table, training_table
from satsuma.learners.estimator.undetermined import Undetermined
from satsuma.learners.parameters import parameter_values
from satsuma.learners.predictions import codes_of, numbers_of, probabilities_of
from satsuma.numerics.arrays import Array, Floats

if TYPE_CHECKING:
    from satsuma.learners.learner import Learner
    from satsuma.learners.model import Model


def _has_classes(learner: Any) -> bool:
    """Whether it predicts classes; one that predicts either may have learned numbers."""
    target = learner.takes.target
    return target == "classes" or (target == "either" and not _learned_numbers(learner))


def _has_target(learner: Any) -> bool:
    return learner.takes.target != "nothing"


def _learned_numbers(learner: Any) -> bool:
    return learner.__sklearn_is_fitted__() and not hasattr(learner, "classes_")


class EstimatorAPI:
    """What scikit-learn's tools expect of an estimator: `clone`, `Pipeline`, `GridSearchCV` work.

    Arrays and data frames go in; labels come out as they went in. What was learned is kept in
    attributes that end in an underscore, as is the custom there: `model_`, `classes_`.
    """

    model_: "Model"
    labels_: Array

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The parameters by name; with `deep`, also those of learners among them."""
        found = parameter_values(self)
        if deep:
            for name, value in list(found.items()):
                if hasattr(value, "get_params") and not isinstance(value, type):
                    inner = value.get_params()
                    found.update({f"{name}__{key}": each for key, each in inner.items()})
        return found

    def set_params(self, **parameters: Any) -> Self:
        """Set parameters by name; ``learner__m`` is the `m` of the parameter `learner`."""
        known = self.get_params(deep=False)
        for name, value in parameters.items():
            outer, _, inner = name.partition("__")
            if outer not in known:
                raise ParameterError(
                    f"Invalid parameter {outer!r} for estimator {type(self).__name__}. "
                    f"{hint(outer, known)}"
                )
            if inner:
                getattr(self, outer).set_params(**{inner: value})
            else:
                setattr(self, outer, value)
        return self

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Learn from an array or a data frame, and keep the model.

        Parameters
        ----------
        X
            Rows by columns.
        y
            A label or a number for each row, where there is something to predict.
        sample_weight
            What each row weighs. Whole numbers count rows: a weight of 2 is the row twice, and 0
            leaves it out. If some are fractions, as in weights that sum to 1, they are relative:
            they are multiplied so that rows weigh 1 on average, whatever their scale.
        """
        learner = cast("Any", self)
        table, classes = training_table(X, y, sample_weight, self, relative=True)
        learner.check_data(table)
        tally = learner.checked_tally(table) if learner.in_one_round() else None
        model = learner(table) if tally is None else learner.concluded(tally)
        model.keep_sample(table)
        self._forget()
        self._remember(X, table.domain, classes)
        self.model_ = model
        if not _has_target(self):
            self.labels_ = self.labelled(model, table)
        if tally is not None:
            self.tally_, self._undetermined_ = tally, Undetermined.of(table)
        return self

    def in_one_round(self) -> bool:
        """Whether one tally of the rows is all that this learner needs of them."""
        return False

    def labelled(self, model: Any, table: Table) -> Array:
        """What is said of each row by a model without a target: its group."""
        return cast("Array", model.clusters(table))

    @available_if(lambda learner: not _has_target(learner), "it predicts a target")
    def fit_predict(self, X: Any, y: Any = None, sample_weight: Any = None) -> Array:
        """Learn the groups of rows, and say which one each row belongs to."""
        return self.fit(X, y, sample_weight).labels_

    @available_if(lambda learner: learner.in_one_round(), "it does not learn in one round")
    def partial_fit(
        self, X: Any, y: Any = None, classes: Any = None, sample_weight: Any = None
    ) -> Self:
        """Learn from some more rows: the tally of all rows so far is kept, and added to.

        A class that is first seen in a later call becomes the last one, unless `classes` says
        which there are. Weights are taken as they are, as counts of rows, also if they are
        fractions: what rows weigh on average is known only at the end. A column may be missing in
        all rows of a batch, whatever its kind is in others.
        """
        learner = cast("Any", self)
        known = classes if classes is not None else getattr(self, "classes_", None)
        before = getattr(self, "tally_", None)
        learned = None if before is None else before.domain
        table, found = training_table(
            X, y, sample_weight, self, classes=known, more=classes is None, learned=learned
        )
        learner.check_data(table)
        held: Undetermined | None = vars(self).get("_undetermined_")
        if held is not None and held.settles(table):
            held = held.recast(table)
            before = held.tally(learner)
        tally = learner.checked_tally(table)
        if before is None:
            held = Undetermined.of(table)
        elif held is not None:
            held = held.beside(table)
        self.tally_ = tally if before is None else before + tally
        self._undetermined_ = held
        self._remember(X, table.domain, found, first=before is None)
        vars(self).pop("model_", None)  # concluded when it is asked for
        return self

    def _forget(self) -> None:
        for name in [name for name in vars(self) if name.endswith("_")]:
            delattr(self, name)

    def _remember(
        self, X: Any, domain: Domain, classes: Array | None, *, first: bool = True
    ) -> None:
        """Keep what scikit-learn's tools ask for; later rows have the columns of the first."""
        if first:
            self.n_features_in_ = len(learned_columns(domain))
            names = feature_names(X)
            if names is not None:
                self.feature_names_in_ = np.array(names, object)
        if classes is not None:
            self.classes_ = classes

    def __sklearn_is_fitted__(self) -> bool:
        return "model_" in vars(self) or "tally_" in vars(self)

    def _asked(self, X: Any) -> "tuple[Model, Any]":
        if not self.__sklearn_is_fitted__():
            from sklearn.exceptions import NotFittedError

            raise NotFittedError(
                f"This {type(self).__name__} instance is not fitted yet. Call 'fit' first."
            )
        if "model_" not in vars(self):
            self.model_ = cast("Any", self).concluded(self.tally_)
        table = asked_table(X, self.model_.domain, self, self.model_.unseen)
        return self.model_, table

    def predict(self, X: Any) -> Array:
        """The most probable label of each row, the number that is expected, or the group."""
        model, table = self._asked(X)
        answer = cast("Any", model)
        if not _has_target(self):
            return self.labelled(answer, table)
        if not _has_classes(self):
            return numbers_of(answer, table)
        return self.classes_[codes_of(answer, table)]

    @available_if(_has_classes, "it predicts numbers")
    def predict_proba(self, X: Any) -> Floats:
        """Rows by classes."""
        model, table = self._asked(X)
        return probabilities_of(cast("Any", model), table)

    @available_if(_has_classes, "it predicts numbers")
    def predict_log_proba(self, X: Any) -> Floats:
        """The logarithms of the probabilities."""
        with np.errstate(divide="ignore"):
            return np.log(self.predict_proba(X))

    @available_if(_has_target, "it has no target")
    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """The share of right labels; for numbers, R²."""
        found, truth = self.predict(X), np.asarray(y)
        weights = None if sample_weight is None else np.asarray(sample_weight, float)
        if not _has_classes(self):
            error = np.average((truth - found) ** 2, weights=weights)
            spread = np.average((truth - np.average(truth, weights=weights)) ** 2, weights=weights)
            return float(1 - error / spread) if spread > 0 else float(error == 0)
        return float(np.average(found == truth, weights=weights))

    @property
    def feature_importances_(self) -> Floats:
        """The importance of each column, where the model has `importances`; they sum to 1.

        For trees and forests it is the decrease of impurity, as in scikit-learn.
        """
        model = cast("Any", self.model_)
        names = [v.name for v in model.domain.attributes]
        found: dict[str, float] = model.importances() if hasattr(model, "importances") else {}
        if found.keys() != set(names):
            raise AttributeError(
                f"{type(self).__name__} has no feature_importances_: its model knows of none.",
                name="feature_importances_",
                obj=self,
            )
        shares = np.array([found[name] for name in names])
        return shares / (float(shares.sum()) or 1.0)

    def __sklearn_tags__(self) -> Any:
        from sklearn.utils import ClassifierTags, InputTags, RegressorTags, Tags, TargetTags

        takes = cast("Learner", self).takes
        kind = "classifier" if _has_classes(self) else "regressor"
        kind = kind if _has_target(self) else "clusterer"
        return Tags(
            estimator_type=kind,
            target_tags=TargetTags(required=_has_target(self)),
            classifier_tags=ClassifierTags() if kind == "classifier" else None,
            regressor_tags=RegressorTags() if kind == "regressor" else None,
            input_tags=InputTags(
                allow_nan=takes.missing,
                two_d_array="num" in takes.kinds,
                string=bool({"sym", "text"} & {*takes.kinds}),
                categorical="sym" in takes.kinds,
            ),
        )
