"""The index of a data frame is nothing to learn from."""

import numpy as np
import pandas as pd
import pytest
from sklearn.model_selection import cross_val_score

from satsuma import NaiveBayes, Ridge, Tree

INDEXES = {
    "numbers": pd.Index(range(300), name="PassengerId"),
    "dates": pd.date_range("2024-01-01", periods=300, name="day"),
    "periods": pd.period_range("2000-01", periods=300, freq="M", name="month"),
    "two levels": pd.MultiIndex.from_product([range(30), range(10)], names=["house", "person"]),
}


def noise(index):
    """Columns of noise in the order of the classes, which an index would give away."""
    X = pd.DataFrame(np.random.default_rng(0).normal(size=(300, 3)), index, columns=list("abc"))
    return X, pd.Series(np.repeat(["no", "yes"], 150), index=index)


@pytest.mark.parametrize("name", INDEXES)
@pytest.mark.parametrize("learner", [NaiveBayes(), Tree()], ids=repr)
def test_noise_stays_noise(name, learner):
    X, y = noise(INDEXES[name])
    found = cross_val_score(learner, X, y, cv=5)
    plain = cross_val_score(learner, X.reset_index(drop=True), y.reset_index(drop=True), cv=5)
    assert found.tolist() == plain.tolist()
    assert abs(found.mean() - 0.5) < 0.1


@pytest.mark.parametrize("name", INDEXES)
def test_features_are_the_columns(name):
    X, y = noise(INDEXES[name])
    for learned in (NaiveBayes().fit(X, y), NaiveBayes().partial_fit(X, y)):
        assert learned.n_features_in_ == 3
        assert learned.feature_names_in_.tolist() == ["a", "b", "c"]
        assert (learned.predict(X) == learned.predict(X.reset_index(drop=True))).all()
        assert (learned.predict(X) == learned.predict(X[::-1])[::-1]).all()
    assert (NaiveBayes().fit(X, y).predict(X.to_numpy()) == NaiveBayes().fit(X, y).predict(X)).all()
    ridge = Ridge().fit(X, X["a"] + 1)
    assert ridge.n_features_in_ == 3
