"""The laws, crossed with every learner there is."""

import importlib
import inspect
import pkgutil

import pytest

import satsuma.learners
from satsuma import (
    KNN,
    LDA,
    Bagging,
    Boosting,
    ChiMerge,
    Discretized,
    EqualFrequency,
    EqualWidth,
    Mean,
    NaiveBayes,
    Select,
    Stacking,
)
from satsuma.checks import checks
from satsuma.checks.law_5_hash_seeds import hash_seeds_change_nothing
from satsuma.learners.learner import Learner

#: Learners that have a parameter without a default, by name, with several.
NEEDY: dict[str, list[Learner]] = {
    "Bagging": [
        Bagging(NaiveBayes(), t=3),
        Bagging(KNN(k=3), t=3, vote="probabilities"),
        Bagging(Mean(), t=2),
    ],
    "Boosting": [
        Boosting(NaiveBayes(), t=4),
        Boosting(KNN(k=3), t=3, rate=0.5),
        Boosting(Discretized(NaiveBayes()), t=3),
        Boosting(Bagging(LDA(), t=2), t=2),
    ],
    "Discretized": [
        Discretized(NaiveBayes()),
        Discretized(NaiveBayes(), method=ChiMerge(confidence=0.9)),
        Discretized(KNN(k=3), method=EqualWidth(3)),
        Discretized(Mean(), method=EqualFrequency(3)),
    ],
    "Select": [
        Select(NaiveBayes(), n=2),
        Select(KNN(k=3), measure="relief", threshold=0.0),
    ],
    "Stacking": [
        Stacking([NaiveBayes(), KNN(k=3)]),
        Stacking([NaiveBayes(), KNN(k=3), NaiveBayes(m=0)], learner=NaiveBayes(), folds=3),
        Stacking([KNN(k=2), KNN(k=7)], learner=KNN(k=5), folds=2),
        Stacking([KNN(k=2), Mean()]),
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
