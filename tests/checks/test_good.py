import inspect

import pytest

from satsuma.checks import check_learner, checks
from tests.checks.counting import Counting, CountingModel
from tests.checks.good import Middle, Nearest, Stepping

GOOD = [Counting(), Counting(m=0.5), Nearest(), Nearest(k=1), Middle(), Stepping()]


@pytest.mark.parametrize("learner", GOOD, ids=repr)
def test_a_good_learner_passes(learner):
    check_learner(learner)


def test_a_good_learner_is_short():
    told = inspect.getsource(CountingModel) + inspect.getsource(Counting)
    assert len([line for line in told.splitlines() if line.strip()]) < 20


@pytest.mark.parametrize(
    "check", [pytest.param(check, id=name) for name, check in checks(Counting(), laws=[2])]
)
def test_the_form_for_pytest(check):
    check()
