"""The laws, crossed with every learner there is."""

import importlib
import inspect
import pkgutil

import pytest
from sklearn.linear_model import LinearRegression, Ridge
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import PolynomialFeatures
from sklearn.svm import SVC

import satsuma.learners
from satsuma import (
    KNN,
    ChiMerge,
    Discretized,
    EqualFrequency,
    EqualWidth,
    Forest,
    Mean,
    NaiveBayes,
    Select,
    wrap,
)
from satsuma.checks import checks
from satsuma.checks.law_5_hash_seeds import hash_seeds_change_nothing
from satsuma.learners.learner import Learner

#: Learners that have a parameter without a default, or one that takes long, by name, with several.
NEEDY: dict[str, list[Learner]] = {
    "Discretized": [
        Discretized(NaiveBayes()),
        Discretized(NaiveBayes(), method=ChiMerge(confidence=0.9)),
        Discretized(KNN(k=3), method=EqualWidth(3)),
        Discretized(Mean(), method=EqualFrequency(3)),
    ],
    "Forest": [Forest(t=5)],
    "Select": [
        Select(NaiveBayes(), n=2),
        Select(KNN(k=3), measure="relief", threshold=0.0),
    ],
    "Wrapped": [
        wrap(Ridge()),
        wrap(KNeighborsClassifier(3, algorithm="brute")),
        wrap(make_pipeline(PolynomialFeatures(), LinearRegression())),
        wrap(SVC(gamma=0.3, tol=1e-10)),
    ],
}


def discovered():
    """Every learner in the room, with default parameters."""
    modules = [
        importlib.import_module(each.name)
        for each in pkgutil.walk_packages(satsuma.learners.__path__, "satsuma.learners.")
    ]
    kinds = {
        kind
        for module in modules
        for kind in vars(module).values()
        if inspect.isclass(kind)
        and issubclass(kind, Learner)
        and not inspect.isabstract(kind)
        and kind.__module__.startswith("satsuma.learners.")
        and not kind.__name__.startswith("_")
    }
    kinds = sorted(kinds, key=lambda kind: kind.__name__)
    return [one for kind in kinds for one in NEEDY.get(kind.__name__) or [kind()]]


LEARNERS = discovered()


@pytest.mark.parametrize(
    "check",
    [
        pytest.param(check, id=f"{learner!r}-{name}")
        for learner in LEARNERS
        for name, check in checks(learner)
    ],
)
def test_law(check):
    check()


def test_no_learner_depends_on_hash_seeds():
    hash_seeds_change_nothing(*LEARNERS)


def test_learners_are_discovered():
    assert {"Majority", "NaiveBayes"} <= {type(learner).__name__ for learner in LEARNERS}
