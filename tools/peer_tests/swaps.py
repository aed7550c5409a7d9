"""Which learner stands for which estimator of scikit-learn, and in which of its test files."""

from typing import Any

import numpy as np

import satsuma
from tools.peer_tests.adapter import Rows, Swap, Swapped


def _priors(value: Any, rows: Rows) -> Any:
    """Those of the classes in their order, by name."""
    return None if value is None else dict(zip(map(str, np.unique(rows.y)), value, strict=False))


def _rows(value: Any, _: Rows) -> Any:
    """A number of rows; a share of them is not ours."""
    return NotImplemented if isinstance(value, float) and value <= 1 else value


def _seed(value: Any, _: Rows) -> Any:
    return value if isinstance(value, int) else 0


def _init(value: Any, _: Rows) -> Any:
    return NotImplemented if callable(value) else value


def _tried(value: Any, rows: Rows) -> Any:
    """A number of columns."""
    shares = {"sqrt": rows.columns**-0.5, "log2": np.log2(rows.columns) / rows.columns, None: 1.0}
    share = shares.get(value, value)
    return share if type(share) is int else max(1, int(share * rows.columns + 1e-9))


def _inside(value: Any, _: Rows) -> Any:
    """An estimator within another: ours where it was swapped."""
    if value is None or isinstance(value, Swapped):
        return value if value is None else value.learner_of()
    return satsuma.wrap(value)


def _starts(value: Any, _: Rows) -> Any:
    return value if isinstance(value, int) else 1


_TREE = {"max_depth": "max_depth", "min_samples_leaf": "min_leaf", "min_samples_split": "min_split"}
_ROWS = {"min_samples_leaf": _rows, "min_samples_split": _rows}
_FOREST = {
    **_TREE,
    "n_estimators": "trees",
    "random_state": "seed",
    "oob_score": "out_of_bag",
    "max_features": "tried",
    "bootstrap": "bootstrap",
}
_FOREST_VALUES = {**_ROWS, "random_state": _seed, "max_features": _tried}
_INFORMATIVE = {"missing": "informative"}
_MEASURES = {"gini": "gini", "entropy": "gain", "log_loss": "gain"}


def _measure(value: Any, _: Rows) -> Any:
    return _MEASURES.get(value, NotImplemented)


def _weights(value: Any, _: Rows) -> Any:
    return {None: "uniform"}.get(value, value) if not callable(value) else NotImplemented


def _metric(value: Any, _: Rows) -> Any:
    return _METRICS.get(value, NotImplemented) if isinstance(value, str) else NotImplemented


_NEIGHBOURS = {"n_neighbors": "k", "weights": "weights", "p": "p", "metric": "p"}
_NEIGHBOUR_VALUES = {"weights": _weights, "metric": _metric}
_METRICS = {
    "minkowski": ...,
    "euclidean": 2,
    "l2": 2,
    "manhattan": 1,
    "cityblock": 1,
    "l1": 1,
}

SWAPS = (
    Swap(
        "naive_bayes",
        "GaussianNB",
        "NaiveBayes",
        fixed={"number": "gaussian", "calibrate": False},
        names={"priors": "prior"},
        values={"priors": _priors},
    ),
    Swap(
        "discriminant_analysis",
        "LinearDiscriminantAnalysis",
        "LDA",
        fixed={"calibrate": False},
        names={"priors": "prior", "shrinkage": "shrinkage"},
        values={"priors": _priors},
    ),
    Swap(
        "discriminant_analysis",
        "QuadraticDiscriminantAnalysis",
        "QDA",
        fixed={"calibrate": False},
        names={"priors": "prior"},
        values={"priors": _priors},
    ),
    Swap(
        "tree",
        "DecisionTreeClassifier",
        "Tree",
        fixed={"prune": None, "m": 0, **_INFORMATIVE},
        names={**_TREE, "criterion": "measure"},
        values={**_ROWS, "criterion": _measure},
    ),
    Swap(
        "tree",
        "DecisionTreeRegressor",
        "RegressionTree",
        fixed={"prune": None, **_INFORMATIVE},
        names=_TREE,
        values=_ROWS,
    ),
    Swap(
        "ensemble",
        "RandomForestClassifier",
        "Forest",
        names={**_FOREST, "criterion": "measure"},
        values={**_FOREST_VALUES, "criterion": _measure},
    ),
    Swap(
        "ensemble",
        "RandomForestRegressor",
        "RegressionForest",
        names=_FOREST,
        values=_FOREST_VALUES,
    ),
    Swap(
        "ensemble",
        "ExtraTreesClassifier",
        "Forest",
        fixed={"cuts": "random"},
        names={**_FOREST, "criterion": "measure"},
        values={**_FOREST_VALUES, "criterion": _measure},
    ),
    Swap(
        "ensemble",
        "ExtraTreesRegressor",
        "RegressionForest",
        fixed={"cuts": "random"},
        names=_FOREST,
        values=_FOREST_VALUES,
    ),
    Swap(
        "ensemble",
        "AdaBoostClassifier",
        "Boosting",
        fixed={"calibrate": False},
        names={"estimator": "learner", "n_estimators": "t", "learning_rate": "learning_rate"},
        values={"estimator": _inside},
    ),
    *(
        Swap(
            "ensemble",
            f"GradientBoosting{kind}",
            "BoostedTrees",
            fixed={"early_stopping": False, "l2": 0},
            names={
                "n_estimators": "rounds",
                "learning_rate": "learning_rate",
                "max_depth": "max_depth",
                "min_samples_leaf": "min_leaf",
                "subsample": "row_sample",
                "random_state": "seed",
            },
            values={"min_samples_leaf": _rows, "random_state": _seed},
        )
        for kind in ("Classifier", "Regressor")
    ),
    Swap(
        "neighbors",
        "KNeighborsClassifier",
        "KNN",
        fixed={"m": 0, "scale": "range"},
        names=_NEIGHBOURS,
        values=_NEIGHBOUR_VALUES,
    ),
    Swap(
        "neighbors",
        "KNeighborsRegressor",
        "KNN",
        fixed={"scale": "range"},
        names=_NEIGHBOURS,
        values=_NEIGHBOUR_VALUES,
        inside="Regression",
    ),
    Swap(
        "linear_model",
        "LogisticRegression",
        "Logistic",
        names={"C": "l2"},
        values={"C": lambda C, _: 1 / C},
    ),
    Swap("linear_model", "Ridge", "Ridge", names={"alpha": "l2"}),
    Swap("svm", "LinearSVC", "LinearSVM", names={"C": "C"}),
    Swap("svm", "SVC", "SVM", names={"C": "C", "kernel": "kernel", "degree": "degree"}),
    Swap(
        "cluster",
        "KMeans",
        "KMeans",
        fixed={"scale": None},
        names={
            "n_clusters": "k",
            "init": "init",
            "random_state": "seed",
            "n_init": "starts",
            "max_iter": "steps",
            "tol": "tolerance",
        },
        values={"random_state": _seed, "n_init": _starts, "init": _init},
    ),
    Swap("dummy", "DummyClassifier", "Majority"),
    Swap("dummy", "DummyRegressor", "Mean"),
)

#: Test files of scikit-learn, as modules below ``sklearn``.
FILES = (
    "tests.test_naive_bayes",
    "tests.test_discriminant_analysis",
    "tests.test_dummy",
    "tree.tests.test_tree",
    "ensemble.tests.test_forest",
    "ensemble.tests.test_weight_boosting",
    "ensemble.tests.test_gradient_boosting",
    "neighbors.tests.test_neighbors",
    "linear_model.tests.test_logistic",
    "linear_model.tests.test_ridge",
    "svm.tests.test_svm",
    "cluster.tests.test_k_means",
)
