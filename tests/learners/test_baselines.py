import numpy as np
import pytest
from sklearn.dummy import DummyClassifier, DummyRegressor

from satsuma import GetBoth, GetProbabilities, Majority, Mean, Table
from satsuma.errors import DomainError, SatsumaError


def test_the_most_frequent_class_and_its_share():
    table = Table.of([(1, "a"), (2, "b"), (3, "b"), (4, None)], ["x", "y"])
    model = Majority(table)
    assert model(table[0], GetBoth) == ("b", pytest.approx({"a": 1 / 3, "b": 2 / 3}))
    assert model(table).tolist() == ["b"] * 4
    assert repr(model) == "MajorityModel of Majority()"


def test_ties_go_to_the_first():
    assert Majority(Table.of([("b",), ("a",)], ["y"]))({}) == "b"


def test_weights_count():
    rows = [("a", 3), ("b", 1), ("b", 1)]
    table = Table.of(rows, ["y", "w"], target="y", roles={"w": "weight"})
    assert Majority(table)({}, GetProbabilities) == pytest.approx({"a": 0.6, "b": 0.4})


def test_text_is_not_in_the_way():
    table = Table.of([("some text", "a"), ("more", "b")], ["t", "y"], kinds={"t": "text"})
    assert Majority(table)(table[0]) == "a"


def test_as_scikit_learn_s_dummies():
    rng = np.random.default_rng(0)
    X, y, w = rng.normal(size=(50, 2)), rng.integers(0, 3, 50), rng.random(50)
    peer = DummyClassifier(strategy="prior").fit(X, y, w)
    ours = Majority().fit(X, y, w)
    np.testing.assert_allclose(ours.predict_proba(X), peer.predict_proba(X))
    assert (ours.predict(X) == peer.predict(X)).all()
    number = rng.normal(size=50) + 1e6
    np.testing.assert_allclose(
        Mean().fit(X, number, w).predict(X), DummyRegressor().fit(X, number, w).predict(X)
    )


def test_the_mean_leaves_out_what_is_missing():
    table = Table.of([("a", 1.0), ("b", None), ("c", 4.0)], ["s", "y"])
    model = Mean(table)
    assert model(table[1]) == 2.5
    assert model(table).tolist() == [2.5] * 3
    assert str(model) == "y, whatever the row: 2.5 ± 2.12"
    with pytest.raises(SatsumaError, match="without probabilities"):
        model(table[0], GetProbabilities)


def test_the_mean_of_batches():
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(100, 1)), rng.normal(size=100) + 1e8
    chained = Mean()
    for start in range(0, 100, 10):
        chained.partial_fit(X[start : start + 10], y[start : start + 10])
    np.testing.assert_allclose(chained.predict(X), y.mean(), rtol=1e-15)
    assert Mean().fit(X, y).score(X, y) == pytest.approx(0, abs=1e-6)


@pytest.mark.parametrize("learner", [Majority(), Mean()])
def test_rows_that_weigh_nothing_are_no_rows(learner):
    with pytest.raises(DomainError, match="weight is not zero"):
        learner.fit([[1.0], [2.0]], [1, 2], sample_weight=[0, 0])
    negative = r"sample_weight says that row 1 weighs -1\. "
    with pytest.raises(DomainError, match=negative):
        learner.fit([[1.0], [2.0]], [1, 2], sample_weight=[1, -1])


def test_a_target_of_the_wrong_kind():
    with pytest.raises(DomainError, match="Mean predicts numbers, but the target 'y' is 'sym'"):
        Mean(Table.of([(1, "a")], ["x", "y"]))
    with pytest.raises(DomainError, match="Majority predicts symbols, but the target 'y' is 'num'"):
        Majority(Table.of([("a", 1)], ["x", "y"]))
