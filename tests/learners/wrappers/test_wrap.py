"""wrap: estimators of scikit-learn on mixed tables, saved without pickle."""

import io
import json
import sys
import zipfile
from functools import partial

import numpy as np
import pytest
import skops.io
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LinearRegression, LogisticRegression, Ridge, RidgeClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import PolynomialFeatures, StandardScaler
from sklearn.svm import SVR

import satsuma
from satsuma import GetProbabilities, Mean, Table, cross_validate, wrap
from satsuma.errors import DomainError, ParameterError, ReadError, SatsumaError, WriteError
from satsuma.learners.model_files.saved_model import open_model
from tests.learners.linear.matrices import one_hot


@pytest.mark.parametrize("name", ["voting", "heart_disease", "titanic"])
def test_a_classifier_gets_the_matrix(name):
    table = satsuma.load(name)
    x, y = one_hot(table), table.column(table.domain.target.name)
    want = LogisticRegression().fit(x, y).predict_proba(x)
    found = wrap(LogisticRegression())(table)(table, GetProbabilities)
    assert np.allclose(found, want, rtol=1e-6, atol=1e-6)


def test_a_regressor_gets_the_matrix():
    table = satsuma.load("auto-mpg")
    x, y = one_hot(table), table.column("mpg")
    assert np.allclose(
        wrap(Ridge())(table)(table), Ridge().fit(x, y).predict(x), rtol=1e-6, atol=1e-6
    )
    results = cross_validate([wrap(SVR()), Mean()], table, folds=5, seed=1)
    machine, mean = results.scores("R2").values()
    assert machine > 0.3 > mean


def test_a_classifier_without_probabilities_is_sure():
    table = satsuma.load("iris")
    model = wrap(RidgeClassifier())(table)
    found = model(table, GetProbabilities)
    assert set(np.unique(found)) == {0.0, 1.0}
    x, y = one_hot(table), table.column("Species")
    assert (model.codes(table) == RidgeClassifier().fit(x, y).predict(x)).all()


def test_a_class_that_is_not_there_and_one_alone():
    table = Table.of([(0.0, "a"), (1.0, "b"), (0.1, "a"), (3.0, "c")], ["x", "class"])
    model = wrap(GaussianNB())(table[:3])
    assert (model(table, GetProbabilities)[:, 2] == 0).all()
    assert wrap(GaussianNB())(table[:1])({"x": 2.0}) == "a"


def test_the_estimator_is_copied_and_its_parameters_can_be_set():
    learner = wrap(LogisticRegression(C=3))
    model = learner(satsuma.load("iris"))
    assert not hasattr(learner.estimator, "coef_")
    learner.set_params(estimator__C=9)
    assert (learner.estimator.C, model.learner.estimator.C, model.estimator.C) == (9, 3, 3)
    assert str(model) == "Species, by LogisticRegression(C=3)"


ESTIMATORS = [
    LogisticRegression(),
    GaussianNB(),
    KNeighborsClassifier(algorithm="brute"),
    make_pipeline(StandardScaler(), PolynomialFeatures(), RidgeClassifier()),
]


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=repr)
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_save_and_open(estimator, tmp_path):
    table = satsuma.load("heart_disease")
    model = wrap(estimator)(table)
    first, second = tmp_path / "m.satsuma", tmp_path / "again.satsuma"
    model.save(first)
    with pytest.raises(ReadError, match="trust_estimators=True"):
        open_model(first)
    again = open_model(first, trust_estimators=True)
    assert np.array_equal(again(table, GetProbabilities), model(table, GetProbabilities))
    again.save(second)
    assert first.read_bytes() == second.read_bytes()
    assert repr(again) == repr(model)
    with zipfile.ZipFile(first) as file:
        assert {name.rpartition(".")[2] for name in file.namelist()} == {"json", "npy"}


class Own(ClassifierMixin, BaseEstimator):
    def fit(self, X, y):
        self.classes_, self.n_ = np.unique(y), len(X)
        return self

    def predict(self, X):
        return np.zeros(len(X), int)


@pytest.mark.parametrize(
    ("estimator", "word"),
    [(Own(), "Own"), (RandomForestClassifier(n_estimators=2), "sklearn.tree._tree.Tree")],
    ids=["own", "forest"],
)
def test_what_is_not_known_to_be_harmless_is_not_saved(estimator, word, tmp_path):
    model = wrap(estimator)(satsuma.load("iris"))
    with pytest.raises(WriteError, match=word):
        model.save(tmp_path / "m.satsuma")
    assert list(tmp_path.iterdir()) == []


def swapped(path, content):
    """Put other bytes in place of the estimators in a saved model."""
    with zipfile.ZipFile(path) as file:
        parts = {name: file.read(name) for name in file.namelist()}
    told = json.loads(parts["model.json"])
    changed = 0
    for name, part in parts.items():
        array = np.load(io.BytesIO(part)) if name.endswith(".npy") else np.zeros(0)
        if array.dtype == np.uint8:
            made = io.BytesIO()
            np.save(made, np.frombuffer(content, np.uint8))
            parts[name], changed = made.getvalue(), changed + 1
    assert "$estimator" in json.dumps(told)
    assert changed
    with zipfile.ZipFile(path, "w") as file:
        for name, part in parts.items():
            file.writestr(name, part)


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (skops.io.dumps(Own()), "types that could do anything: .*Own"),
        (skops.io.dumps({"not": "an estimator"}), "holds a dict for an estimator"),
        (b"cos\nsystem\n(S'echo'\ntR.", "not a saved model"),
    ],
    ids=["unknown type", "no estimator", "a pickle"],
)
def test_what_is_not_known_to_be_harmless_is_not_opened(content, told, tmp_path):
    path = tmp_path / "m.satsuma"
    wrap(GaussianNB())(satsuma.load("iris")).save(path)
    swapped(path, content)
    with pytest.raises(ReadError, match=told):
        open_model(path, trust_estimators=True)


def test_without_skops_an_error_says_how_to_get_it(tmp_path, monkeypatch):
    path = tmp_path / "m.satsuma"
    model = wrap(GaussianNB())(satsuma.load("iris"))
    model.save(path)
    monkeypatch.setitem(sys.modules, "skops", None)
    opened = partial(open_model, path, trust_estimators=True)
    for action in (lambda: model.save(path), opened):
        with pytest.raises(SatsumaError, match=r"pip install 'satsuma\[skops\]"):
            action()


def test_what_is_refused():
    for wrong in (StandardScaler(), LogisticRegression, 7, "LogisticRegression()"):
        with pytest.raises(ParameterError, match="a classifier or a regressor"):
            wrap(wrong)
    iris = satsuma.load("iris")
    with pytest.raises(DomainError, match="predicts numbers"):
        wrap(LinearRegression())(iris)
    with pytest.raises(DomainError, match="KNeighborsClassifier cannot learn from these rows, 150"):
        wrap(KNeighborsClassifier(0))(iris)
    weighted = Table.of([(1, "a", 2), (2, "b", 3)], ["x", "y", "w"], roles={"w": "weight"})
    with pytest.raises(DomainError, match="weight"):
        wrap(KNeighborsClassifier(1))(weighted.with_roles(target="y"))
