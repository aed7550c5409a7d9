import pytest

from satsuma.checks import LAWS, LawBroken, check_learner
from satsuma.errors import ContractError
from tests.checks import broken_inputs, broken_keeping, broken_models, broken_tallies

ROOMS = (broken_tallies, broken_models, broken_inputs, broken_keeping)
BROKEN = [each for room in ROOMS for each in room.BROKEN]


@pytest.mark.parametrize(("learner", "law", "words"), BROKEN, ids=range(len(BROKEN)))
def test_a_broken_learner_is_caught_by_its_law(learner, law, words):
    with pytest.raises(LawBroken) as caught:
        check_learner(learner)
    told = str(caught.value)
    assert caught.value.law == law, told
    assert f"breaks law {law} ({LAWS[law - 1].says}) on the table" in told
    assert words in told
    assert caught.value.table is not None
    assert repr(caught.value.table.name) in told


@pytest.mark.parametrize("learner", broken_models.NO_DISTRIBUTION)
def test_what_is_no_distribution_is_refused_with_the_name_of_the_class(learner):
    with pytest.raises(ContractError, match=r"\.probabilities returned a row that is no distrib"):
        check_learner(learner)


def test_every_law_has_teeth():
    assert {law for _, law, _ in BROKEN} == {law.number for law in LAWS}
