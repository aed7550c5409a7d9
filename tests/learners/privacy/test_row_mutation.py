import numpy as np
import pytest

import satsuma
from satsuma import NaiveBayes, mutate_rows, privacy_ratio
from satsuma.errors import DomainError, NoSuchColumn, ParameterError
from satsuma.measures.distance import Distance


@pytest.mark.parametrize("name", ["iris", "heart_disease", "adult_sample"])
def test_models_of_mutated_rows_are_nearly_as_good(name):
    table = satsuma.load(name)
    target = table.domain.target.name
    train, test = table[::2], table[1::2]
    learner = NaiveBayes(number="gaussian", calibrate=False)
    plain, moved = learner(train), learner(mutate_rows(train, seed=1))
    right = [float((model(test) == test[target]).mean()) for model in (plain, moved)]
    assert right[1] > right[0] - 0.06


def test_no_number_stays_and_none_moves_farther_than_it_may():
    iris = satsuma.load("iris")
    moved = mutate_rows(iris, low=0.1, high=0.3, seed=2)
    assert (moved["Species"] == iris["Species"]).all()
    distance = Distance.of(iris)
    for row in range(0, 150, 11):
        other = np.flatnonzero(iris["Species"] != iris["Species"][row])
        near = other[distance.between(iris[row], iris[other]).argmin()]
        for v in iris.domain.attributes:
            gap = abs(iris[v.name][row] - iris[v.name][near])
            step = abs(moved[v.name][row] - iris[v.name][row])
            assert step > 0
            if gap:
                assert 0.1 * gap - 1e-12 <= step <= 0.3 * gap + 1e-12


def test_symbols_move_as_often_as_they_should_and_missing_stays():
    voting = satsuma.load("voting")
    moved = mutate_rows(voting, low=0.2, high=0.4, seed=0)
    for v in voting.domain.attributes:
        before, after = voting.column(v.name), moved.column(v.name)
        assert ((before < 0) == (after < 0)).all()
        assert (before != after).mean() < 0.4


def test_numbers_as_a_target():
    housing = satsuma.load("housing")
    moved = mutate_rows(housing)
    assert (moved["MEDV"] == housing["MEDV"]).all()
    assert (moved["RM"] != housing["RM"]).all()


def test_what_is_shared_as_it_is_tells_all_and_what_is_shuffled_little():
    heart = satsuma.load("heart_disease")
    assert privacy_ratio(heart, heart, "cholesterol") == 0
    one, two = (privacy_ratio(heart, mutate_rows(heart, high=h), "age") for h in (0.2, 0.6))
    assert 0.3 < one < two


def test_what_is_refused():
    iris = satsuma.load("iris")
    with pytest.raises(ParameterError, match="low and high must be shares"):
        mutate_rows(iris, low=0.5, high=0.1)
    with pytest.raises(DomainError, match="All rows have the same 'Species'"):
        mutate_rows(iris[:50])
    with pytest.raises(NoSuchColumn, match="Petal"):
        privacy_ratio(iris, iris, "Petals")
    with pytest.raises(ParameterError, match="width must be from 1 to 3"):
        privacy_ratio(iris, iris, "Petal.Width", width=9)
