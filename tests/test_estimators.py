"""scikit-learn's own checks of estimators, crossed with every kind of learner there is."""

import os
import warnings

import pytest
from sklearn.utils import get_tags
from sklearn.utils.estimator_checks import estimator_checks_generator

from satsuma import Mean
from tests.every import LEARNERS

#: Checks that give numbers to `partial_fit` wherever there is one.
PARTIAL_FITS = (
    "check_estimators_partial_fit_n_features",
    "check_fit_score_takes_y",
    "check_n_features_in_after_fitting",
)


def kinds():
    """The first classifier, regressor and so on of each class.

    What scikit-learn asks of an estimator its class answers. Other parameters, and learners
    within learners, are put to the laws.
    """
    found = {}
    for learner in LEARNERS:
        found.setdefault((type(learner), get_tags(learner).estimator_type), learner)
    return list(found.values())


def poor(learner):
    return isinstance(getattr(learner, "learner", None), Mean)


def left_out(learner, name):
    """Why a learner is not to pass a check, if it is not."""
    if name == "check_classifiers_regression_target" and learner.takes.target == "either":
        return "numbers are not refused: they are learned as such"
    if "array_api" in name and "SCIPY_ARRAY_API" not in os.environ:
        return "scikit-learn asks for it only where that variable is set"
    if name == "check_dtype_object" and "sym" not in learner.takes.kinds:
        return "what is no number is refused by our own sentence, not by NumPy's"
    if name in ("check_regressors_train", "check_classifiers_train") and poor(learner):
        return "it is not to learn much: a mean"
    if name in PARTIAL_FITS and hasattr(learner, "partial_fit") and not learner.in_one_round():
        return "partial_fit refuses numbers until it is known where to cut them"
    if name.startswith("check_sample_weight_equivalence_on"):
        if "seed" in learner.get_params():
            return "rows are drawn at random, or dealt, in their order"
        if "KNN" in repr(learner) and type(learner).__name__ != "KNN":
            return "rows that are equally far go by their order, which is shuffled"
    return None


def checks():
    with warnings.catch_warnings():
        # A learner is no BaseEstimator: it does not import scikit-learn.
        warnings.filterwarnings("ignore", "Estimator .* does not inherit from")
        # One that takes symbols or texts alone has few checks, and scikit-learn says so.
        few = [type(each).__name__ for each in LEARNERS if "num" not in each.takes.kinds]
        warnings.filterwarnings("ignore", f"Can't test estimator ({'|'.join(few)})")
        for learner in kinds():
            for estimator, check in estimator_checks_generator(learner, mark=None):
                name = getattr(check, "func", check).__name__
                if not left_out(learner, name):
                    yield pytest.param(estimator, check, id=f"{learner!r}-{name}")


@pytest.mark.parametrize(("estimator", "check"), list(checks()))
def test_a_check_of_scikit_learn(estimator, check):
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Estimator .* does not inherit from")
        check(estimator)
