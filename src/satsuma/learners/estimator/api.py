"""The estimator API: fit, predict and the rest, as scikit-learn has them, without importing it."""

from typing import TYPE_CHECKING, Any, ClassVar, Self, cast

import numpy as np

from satsuma.data.domain import Domain
from satsuma.data.table import Table
from satsuma.data.time_features import learned_columns
from satsuma.engines import reduce
from satsuma.errors import ParameterError, SatsumaError, hint
from satsuma.learners.estimator.array_inputs import as_array
from satsuma.learners.estimator.available_if import available_if
from satsuma.learners.estimator.feature_names import feature_names
from satsuma.learners.estimator.metadata_requests import MetadataRequests
from satsuma.learners.estimator.sorts import has_classes, has_target
from satsuma.learners.estimator.sparse_rows import SparseRows, in_blocks
from satsuma.learners.estimator.training_tables import asked_table, training_table
from satsuma.learners.estimator.undetermined import Undetermined
from satsuma.learners.estimator.waiting_rows import SETTLING, WaitingRows
from satsuma.learners.estimator.weighted_verbs import WeightedVerb
from satsuma.learners.parameters import parameter_values
from satsuma.learners.predictions import codes_of, numbers_of, probabilities_of
from satsuma.numerics.arrays import Array, Floats

if TYPE_CHECKING:
    from satsuma.learners.learner import Learner
    from satsuma.learners.model import Model


def _not_fitted() -> type[Exception]:
    """The error of scikit-learn where that is installed: its tools look for it."""
    try:
        from sklearn.exceptions import NotFittedError
    except ImportError:
        return SatsumaError
    return NotFittedError


class EstimatorAPI(MetadataRequests):
    """What scikit-learn's tools expect of an estimator: `clone`, `Pipeline`, `GridSearchCV` work.

    Arrays and data frames go in; labels come out as they went in. What was learned is kept in
    attributes that end in an underscore, as is the custom there: `model_`, `classes_`.
    """

    model_: "Model"
    labels_: Array

    #: Whether `fit` keeps what it says of each row in `labels_`, where there is no target.
    keeps_labels: ClassVar[bool] = True

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

    @WeightedVerb
    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Learn from an array or a data frame, and keep the model.

        Parameters
        ----------
        X
            Rows by columns: an array, a data frame or a `Table`.
        y
            A label or a number for each row, where there is something to predict; the target of a
            `Table` unless given, with what its rows weigh.
        sample_weight
            What each row weighs. Whole numbers count rows: a weight of 2 is the row twice, and 0
            leaves it out. If some are fractions, as in weights that sum to 1, they are relative:
            they are multiplied so that rows weigh 1 on average, whatever their scale.
        """
        learner = cast("Any", self)
        table, classes = training_table(X, y, sample_weight, self, relative=True)
        learner.check_data(table)
        once = learner.in_one_round(table.domain)
        tally = reduce(table, learner.checked_tally) if once else None
        model = learner(table) if tally is None else learner.concluded(tally)
        if isinstance(table, Table):
            model.keep_sample(table)
        self._forget()
        self._remember(X, table.domain, classes)
        self.model_ = model
        if self.keeps_labels and not has_target(self):
            self.labels_ = self._labels(model, table)
        if tally is not None:
            self._tally, self._undetermined_ = tally, Undetermined.of(table)
        return self

    def _labels(self, model: Any, rows: "Table | SparseRows") -> Array:
        if isinstance(rows, Table):
            return self.labelled(model, rows)
        return np.concatenate([self.labelled(model, rows.block(each)) for each in rows.blocks()])

    def in_one_round(self, domain: Domain | None = None) -> bool:  # noqa: ARG002 - a contract
        """Whether one tally of the rows is all that this learner needs of them."""
        return False

    def labelled(self, model: Any, table: Table) -> Array:
        """What is said of each row by a model without a target: its group."""
        return cast("Array", model.clusters(table))

    @available_if(lambda learner: not has_target(learner), "it predicts a target")
    def fit_predict(self, X: Any, y: Any = None, sample_weight: Any = None) -> Array:
        """Learn the groups of rows, and say which one each row belongs to."""
        learned = self.fit(X, y, sample_weight)
        return learned.labels_ if self.keeps_labels else learned.predict(X)

    # Where it depends on the columns, these are looked at once they are there.
    @available_if(lambda it: it.in_one_round(Domain([])), "it does not learn in one round")
    def partial_fit(
        self, X: Any, y: Any = None, classes: Any = None, sample_weight: Any = None
    ) -> Self:
        """Learn from some more rows: the tally of all rows so far is kept, and added to.

        A class that is first seen in a later call becomes the last one, unless `classes` says
        which there are. Weights are taken as they are, as counts of rows, also if they are
        fractions: what rows weigh on average is known only at the end. A column may be missing in
        all rows of a batch, whatever its kind is in others.
        """
        waiting: WaitingRows | None = vars(self).get("_waiting")
        alone = classes is None and sample_weight is None
        if waiting is not None and alone and waiting.add(self, X, y):
            vars(self).pop("model_", None)
            return self
        self._settle()
        learner = cast("Any", self)
        known = classes if classes is not None else getattr(self, "classes_", None)
        before = vars(self).get("_tally")
        learned = None if before is None else before.domain
        table, found = training_table(
            X, y, sample_weight, self, classes=known, more=classes is None, learned=learned
        )
        learner.check_data(table)
        held: Undetermined | None = vars(self).get("_undetermined_")
        if held is not None and held.settles(table):
            held = held.recast(table)
            before = held.tally(learner)
        tally = reduce(table, learner.checked_tally)
        if before is None:
            held = Undetermined.of(table)
        elif held is not None:
            held = held.beside(table)
        learner.check_one_round(table.domain if held is None else held.determined(table.domain))
        self._tally = tally if before is None else before + tally
        self._undetermined_ = held
        self._remember(X, table.domain, found, first=before is None)
        vars(self).pop("model_", None)  # concluded when it is asked for
        self._waiting = WaitingRows.of(self, X)
        return self

    @property
    def tally_(self) -> Any:
        """The tally of all rows so far, of a learner of one round."""
        with SETTLING:
            self._settle()
        if "_tally" not in vars(self):
            raise AttributeError(
                f"{type(self).__name__} has no tally_: it has not learned in one round yet.",
                name="tally_",
                obj=self,
            )
        return self._tally

    def _settle(self) -> None:
        """Tally the rows that wait."""
        waiting: WaitingRows | None = vars(self).pop("_waiting", None)
        if waiting:
            cast("Any", self).partial_fit(*waiting.batch())

    def _forget(self) -> None:
        held = ("_tally", "_waiting")
        for name in [name for name in vars(self) if name.endswith("_") or name in held]:
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
        return "model_" in vars(self) or "_tally" in vars(self)

    def fitted_model(self) -> "Model":
        """What was learned; an error where nothing was yet."""
        if not self.__sklearn_is_fitted__():
            raise _not_fitted()(
                f"This {type(self).__name__} instance is not fitted yet. Call 'fit' first."
            )
        with SETTLING:
            self._settle()
        if "model_" not in vars(self):
            self.model_ = cast("Any", self).concluded(self._tally)
        return self.model_

    def asked_rows(self, X: Any) -> "tuple[Model, Any]":
        """The model, and rows that it is asked about as a table with its columns."""
        model = self.fitted_model()
        return model, asked_table(X, model.domain, self, model.unseen)

    @in_blocks
    def predict(self, X: Any) -> Array:
        """The most probable label of each row, the number that is expected, or the group."""
        model, table = self.asked_rows(X)
        answer = cast("Any", model)
        if not has_target(self):
            return self.labelled(answer, table)
        if not has_classes(self):
            return numbers_of(answer, table)
        return self.classes_[codes_of(answer, table)]

    @available_if(has_classes, "it predicts numbers")
    @in_blocks
    def predict_proba(self, X: Any) -> Floats:
        """Rows by classes."""
        model, table = self.asked_rows(X)
        return probabilities_of(cast("Any", model), table)

    @available_if(has_classes, "it predicts numbers")
    def predict_log_proba(self, X: Any) -> Floats:
        """The logarithms of the probabilities."""
        with np.errstate(divide="ignore"):
            return np.log(self.predict_proba(X))

    @available_if(has_target, "it has no target")
    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """The share of right labels; for numbers, R²."""
        found, truth = self.predict(X), as_array(y)
        weights = None if sample_weight is None else as_array(sample_weight).astype(float)
        if not has_classes(self):
            error = np.average((truth - found) ** 2, weights=weights)
            spread = np.average((truth - np.average(truth, weights=weights)) ** 2, weights=weights)
            return float(1 - error / spread) if spread > 0 else float(error == 0)
        return float(np.average(found == truth, weights=weights))

    @property
    def feature_importances_(self) -> Floats:
        """The importance of each column, where the model has `importances`; they sum to 1.

        For trees and forests it is the decrease of impurity, as in scikit-learn.
        """
        model = cast("Any", self.fitted_model())
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
        kind = "classifier" if has_classes(self) else "regressor"
        kind = kind if has_target(self) else "clusterer"
        return Tags(
            estimator_type=kind,
            target_tags=TargetTags(required=has_target(self)),
            classifier_tags=ClassifierTags() if kind == "classifier" else None,
            regressor_tags=RegressorTags() if kind == "regressor" else None,
            input_tags=InputTags(
                allow_nan=takes.missing,
                sparse="num" in takes.kinds,
                two_d_array="num" in takes.kinds,
                string=bool({"sym", "text"} & {*takes.kinds}),
                categorical="sym" in takes.kinds,
            ),
        )


def model_of(given: Any) -> Any:
    """The model of an estimator that is fitted; anything else as it is.

    Examples
    --------
    >>> import satsuma
    >>> iris = satsuma.load("iris")
    >>> fitted = satsuma.NaiveBayes().fit(iris)
    >>> model_of(fitted) is fitted.model_, model_of(3)
    (True, 3)
    """
    is_fitted = isinstance(given, EstimatorAPI) and given.__sklearn_is_fitted__()
    return given.fitted_model() if is_fitted else given
