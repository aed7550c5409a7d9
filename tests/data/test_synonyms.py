import pytest

from satsuma.data.synonyms import synonyms, truths


@pytest.mark.parametrize(
    "values",
    [("False", "True"), ("FALSE", "TRUE"), ("no", "yes"), ("N", "Y"), ("f", "t"), ("off", "on")],
)
def test_a_boolean_of_any_database_is_a_truth(values):
    known = {**synonyms(values), values[0]: 0, values[1]: 1}
    for spelled in ("false", "False", "f", "0", "0.0"):
        assert known[spelled] == 0
    for spelled in ("true", "True", "t", "1", "1.0"):
        assert known[spelled] == 1


def test_the_order_of_the_values_does_not_matter():
    assert truths(["yes", "no"]) == [True, False]
    assert synonyms(["yes", "no"])["true"] == 0


def test_one_truth_alone_has_no_spelling_of_the_other():
    assert synonyms(["True"]).keys() & {"true", "false"} == {"true"}


@pytest.mark.parametrize(
    "values", [("yes", "no", "perhaps"), ("yes", "false"), ("yes", "Yes", "no"), ("f", "m"), ()]
)
def test_other_values_are_no_truths(values):
    assert synonyms(values) == {}


def test_a_value_of_its_own_is_no_synonym():
    assert synonyms(["1", "1.0"]) == {}


def test_whole_numbers_may_be_held_as_floats():
    assert synonyms(["7", "-3", "007", "x", "\u0663"]) == {"7.0": 0, "-3.0": 1}
