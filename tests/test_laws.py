"""The laws, crossed with every learner there is."""

import pytest

from satsuma.checks import checks
from satsuma.checks.law_5_probabilities import hash_seeds_change_nothing
from tests.every import LEARNERS


def marks(learner):
    """What is made of other learners calls their kernels alone: on the twins, these do."""
    made_of_others = {"learner", "learners", "estimator"} & learner.get_params(deep=False).keys()
    return [pytest.mark.figures] if made_of_others else []


@pytest.mark.parametrize(
    "check",
    [
        pytest.param(check, id=f"{learner!r}-{name}", marks=marks(learner))
        for learner in LEARNERS
        for name, check in checks(learner)
    ],
)
def test_law(check):
    check()


@pytest.mark.figures
def test_no_learner_depends_on_hash_seeds():
    hash_seeds_change_nothing(*LEARNERS)


def test_learners_are_discovered():
    assert {"Majority", "NaiveBayes"} <= {type(learner).__name__ for learner in LEARNERS}
