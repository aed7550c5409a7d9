"""scikit-learn's verbs."""

import pickle
from dataclasses import dataclass, field

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.base import clone, is_classifier, is_regressor
from sklearn.calibration import CalibratedClassifierCV
from sklearn.ensemble import BaggingClassifier, VotingClassifier
from sklearn.exceptions import DataConversionWarning, NotFittedError
from sklearn.model_selection import GridSearchCV, cross_val_predict, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import satsuma
from satsuma import (
    Majority,
    Mean,
    NaiveBayes,
)
from satsuma.errors import DomainError, ParameterError, SatsumaError
from satsuma.learners.baselines import MajorityModel
from satsuma.learners.estimator.class_labels import encoded
from satsuma.learners.learner import Learner
from satsuma.learners.takes import Takes


@pytest.fixture
def data():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 3, 120)
    return rng.normal(size=(120, 4)) + y[:, None], y


def test_parameters_are_got_set_and_cloned():
    learner = NaiveBayes(m=3)
    assert learner.get_params()["m"] == 3
    assert clone(learner).m == 3
    assert learner.set_params(m=4) is learner
    assert learner.m == 4
    with pytest.raises(ParameterError, match="Invalid parameter 'k' for estimator NaiveBayes"):
        learner.set_params(k=1)


def test_parameters_of_a_learner_inside_another():
    @dataclass(kw_only=True, eq=False)
    class Around(Learner):
        learner: Learner = field(default_factory=NaiveBayes)

        def learn(self, data):
            return self.learner.learn(data)

    around = Around()
    assert around.get_params()["learner__m"] == 2.0
    around.set_params(learner__m=9)
    assert around.learner.m == 9
    assert clone(around).learner.m == 9


def test_pipeline_grid_search_and_cross_validation(data):
    X, y = data
    pipeline = make_pipeline(StandardScaler(), NaiveBayes())
    assert cross_val_score(pipeline, X, y, cv=5).mean() > 0.7
    found = GridSearchCV(pipeline, {"naivebayes__m": [0, 1, 2]}, cv=3).fit(X, y)
    assert found.best_params_["naivebayes__m"] in (0, 1, 2)
    assert cross_val_predict(NaiveBayes(), X, y, method="predict_proba").shape == (120, 3)
    assert cross_val_score(Mean(), X, y.astype(float)).shape == (5,)


def test_inside_scikit_learn_s_ensembles(data):
    X, y = data
    voting = VotingClassifier([("a", NaiveBayes()), ("b", Majority())], voting="soft").fit(X, y)
    bagging = BaggingClassifier(NaiveBayes(), n_estimators=3, random_state=0).fit(X, y)
    calibrated = CalibratedClassifierCV(NaiveBayes(), cv=3).fit(X, y)
    assert min(each.score(X, y) for each in (voting, bagging, calibrated)) > 0.6


def test_what_sort_of_estimator_it_is():
    assert is_classifier(NaiveBayes())
    assert is_regressor(Mean())
    assert hasattr(NaiveBayes(), "predict_proba")
    assert not hasattr(Mean(), "predict_proba")
    with pytest.raises(AttributeError, match="Mean has no predict_proba: it predicts numbers"):
        Mean().predict_proba([[1]])


def test_only_learners_of_one_round_learn_in_batches():
    @dataclass(kw_only=True, eq=False)
    class Slow(Learner):
        takes = Takes(rounds="rows")

        def learn(self, data):
            return MajorityModel(np.full(len(data.domain.target.values), 0.5))

    assert hasattr(NaiveBayes(), "partial_fit")
    assert not hasattr(Slow(), "partial_fit")
    assert Slow().fit([[1.0], [2.0]], ["a", "b"]).predict([[1.0]]).tolist() == ["a"]


@pytest.mark.parametrize(
    "labels",
    [
        np.array(["b", "a", "b", "c"]),
        np.array(["b", "a", "b", "c"], object),
        np.array([10, -3, 10, 7]),
        np.array([2, 1, 2, 200_000]),
        np.array([1.0, 0.0, 1.0, 5.0]),
        np.array([True, False, True, True]),
        np.array([3, 1, 3, 2], np.uint8),
        pd.Series(["x", "y", "x", "z"]),
        ["one", "two", "one", "three"],
    ],
)
def test_labels_come_out_as_they_went_in(labels):
    X = np.array([[1.0], [5.0], [1.1], [9.0]])
    learner = NaiveBayes().fit(X, labels)
    assert learner.classes_.tolist() == sorted(set(np.asarray(labels).tolist()))
    assert learner.predict(X).tolist() == np.asarray(labels).tolist()
    assert learner.predict(X).dtype == np.asarray(labels).dtype
    assert learner.score(X, labels) == 1


@pytest.mark.parametrize("kind", ["U", object])
def test_many_words_are_coded_as_few_are(kind):
    words = np.array(["b", "é", "", "a\nb", "zz", "B"], kind)
    labels = words[np.random.default_rng(0).integers(0, 6, 5000)]
    classes, codes = encoded(labels)
    want, places = np.unique(labels, return_inverse=True)
    assert classes.dtype == want.dtype
    assert classes.tolist() == want.tolist()
    assert codes.tolist() == places.tolist()
    for odd in (7, None, 2.5):
        mixed = labels.astype(object)
        mixed[-1] = odd
        with pytest.raises(DomainError, match="mixes labels of several types"):
            encoded(mixed)


def test_labels_that_are_none(data):
    X, _ = data
    for labels, message in [
        (np.linspace(0, 1, 120), "Unknown label type: continuous"),
        (["a", 1] * 60, None),
        (np.array(["a", 1] * 60, object), "mixes labels of several types"),
        (np.array(["a", None] * 60, object), "mixes labels of several types"),
        (np.full(120, np.nan), "NaN"),
        (np.zeros((120, 2)), "1d array"),
        ([1, 2], "X has 120 rows, but y has 2"),
    ]:
        if message is not None:
            with pytest.raises(SatsumaError, match=message):
                NaiveBayes().fit(X, labels)


def test_a_column_of_labels_is_flattened_with_a_warning(data):
    X, y = data
    with pytest.warns(DataConversionWarning):
        learner = NaiveBayes().fit(X, y[:, None])
    assert (learner.predict(X) == NaiveBayes().fit(X, y).predict(X)).all()


def test_arrays_are_not_copied_and_not_changed(data):
    X, y = data
    X[3, 2] = np.nan
    before = X.copy()
    X.flags.writeable = False
    learner = NaiveBayes().fit(X, y)
    learner.predict(X)
    np.testing.assert_array_equal(X, before)
    fortran = NaiveBayes().fit(np.asfortranarray(X), y)
    np.testing.assert_allclose(fortran.predict_proba(X), learner.predict_proba(X), rtol=1e-12)


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame])
def test_data_frames_with_symbols_numbers_and_holes(frame):
    rng = np.random.default_rng(1)
    y = rng.choice(["no", "yes"], 60)
    sky = [None if rng.random() < 0.2 else ("sun" if each == "yes" else "rain") for each in y]
    X = frame({"sky": sky, "heat": [float(len(each)) + rng.normal() for each in y]})
    learner = NaiveBayes().fit(X, y)
    assert learner.score(X, y) > 0.9
    assert learner.feature_names_in_.tolist() == ["sky", "heat"]
    assert learner.n_features_in_ == 2
    table = satsuma.read(X)
    assert learner.model_(table).tolist() == learner.predict(X).tolist()


def test_data_frames_with_other_columns(data):
    X, y = data
    frame = pd.DataFrame(X, columns=[*"abcd"])
    learner = NaiveBayes().fit(frame, y)
    with pytest.raises(DomainError, match="feature names should match"):
        learner.predict(frame[[*"dcba"]])


def test_arrays_of_strings():
    X = np.array([["a", "x"], ["b", "x"], ["a", "y"], ["b", "y"]], object)
    learner = NaiveBayes().fit(X, ["p", "q", "p", "q"])
    assert learner.predict([["a", "never"], ["b", "x"]]).tolist() == ["p", "q"]


def test_a_table_as_x_brings_its_attributes():
    iris = satsuma.load("iris")
    learner = NaiveBayes().fit(iris, iris[iris.domain.target.name])
    assert learner.n_features_in_ == len(iris.domain.attributes)
    assert learner.score(iris, iris[iris.domain.target.name]) > 0.94


def test_a_table_as_x_brings_its_target_and_weights():
    iris, housing = satsuma.load("iris"), satsuma.load("housing")
    labels = np.array(iris["Species"])
    given = NaiveBayes().fit(iris, labels).predict_proba(iris)
    np.testing.assert_array_equal(NaiveBayes().fit(iris).predict_proba(iris), given)
    np.testing.assert_array_equal(NaiveBayes().partial_fit(iris).predict_proba(iris), given)
    assert list(NaiveBayes().fit(iris).predict(iris[:1])) == ["setosa"]
    numbers = satsuma.Ridge().fit(housing, housing.column("MEDV")).predict(housing)
    np.testing.assert_array_equal(satsuma.Ridge().fit(housing).predict(housing), numbers)
    weighty = iris.with_roles({"Petal.Width": "weight"})
    three = ["Sepal.Length", "Sepal.Width", "Petal.Length"]
    weight = iris.column("Petal.Width")
    given = NaiveBayes().fit(iris.select(three), labels, weight).predict_proba(iris.select(three))
    np.testing.assert_array_equal(NaiveBayes().fit(weighty).predict_proba(weighty), given)
    with pytest.raises(DomainError, match="requires y to be passed"):
        NaiveBayes().fit(iris.select(three))


def test_words_for_a_learner_of_numbers():
    with pytest.raises(DomainError, match=r"predicts numbers, and y holds 'no'\. For classes"):
        satsuma.Ridge().fit([[1.0], [2.0], [3.0]], ["1", "no", "3"])


def test_predicting_before_fitting():
    with pytest.raises(NotFittedError, match="not fitted yet"):
        NaiveBayes().predict([[1.0]])


def test_weights_are_rows(data):
    X, y = data
    w = np.arange(120) % 4
    weighted = NaiveBayes().fit(X, y, sample_weight=w)
    repeated = NaiveBayes().fit(np.repeat(X, w, axis=0), np.repeat(y, w))
    np.testing.assert_allclose(weighted.predict_proba(X), repeated.predict_proba(X), rtol=1e-9)
    one = NaiveBayes().fit(X, y, sample_weight=1)
    np.testing.assert_allclose(one.predict_proba(X), NaiveBayes().fit(X, y).predict_proba(X))
    with pytest.raises(DomainError, match="must have 120 numbers"):
        NaiveBayes().fit(X, y, sample_weight=[1, 2])
    assert weighted.score(X, y, sample_weight=w) == pytest.approx(
        np.average(weighted.predict(X) == y, weights=w)
    )


def test_batches_add_up_to_the_whole(data):
    X, y = data
    whole, chained = NaiveBayes().fit(X, y), NaiveBayes()
    for start in range(0, 120, 7):
        chained.partial_fit(X[start : start + 7], y[start : start + 7], classes=[0, 1, 2])
    np.testing.assert_allclose(chained.predict_proba(X), whole.predict_proba(X), rtol=1e-9)
    more = NaiveBayes().fit(X[:60], y[:60]).partial_fit(X[60:], y[60:])
    np.testing.assert_allclose(more.predict_proba(X), whole.predict_proba(X), rtol=1e-9)


def test_labels_in_the_range_of_the_classes_are_told_as_all_others():
    for kind in ("i1", "u1", "<i2", ">i4", "u4", "<i8", ">u8"):
        for classes in ([0, 1, 2], [2, 0, 1], [0, 1, 2, 3]):
            for given in ([0, 2, 0], [1, 1, 1], [2, 1, 0]):
                labels = np.array(given, kind)
                found, codes = encoded(labels, np.array(classes))
                assert found.tolist() == classes
                assert found[codes].tolist() == given
    beside = [(np.array([0, -1], "i1"), r"-1"), (np.array([0, 3], "u2"), "3"), ([256, 0], "256")]
    for labels, told in beside:
        said = rf"y holds {told}, which is not among the classes \[0, 1, 2\]"
        with pytest.raises(DomainError, match=said):
            encoded(np.asarray(labels), np.array([0, 1, 2]))


def test_labels_beside_the_classes_that_were_named(data):
    X, y = data
    with pytest.raises(DomainError, match=r"y holds 2, which is not among the classes \[0, 1\]"):
        NaiveBayes().partial_fit(X, y, classes=[0, 1])
    with pytest.raises(SatsumaError, match="X has 3 features, but NaiveBayes is expecting 4"):
        NaiveBayes().partial_fit(X, y).partial_fit(X[:, :3], y)


def test_a_failed_fit_leaves_what_was_learned(data):
    X, y = data
    learner = NaiveBayes().fit(X, y)
    before = learner.predict_proba(X)
    bad = X.copy()
    bad[5, 1] = np.inf
    for verb in (learner.fit, learner.partial_fit):
        with pytest.raises(DomainError, match="row 5"):
            verb(bad, y)
    assert (learner.predict_proba(X) == before).all()


def test_a_fitted_learner_is_pickled_and_cloned_without_its_model(data):
    X, y = data
    learner = NaiveBayes(m=1).fit(X, y)
    again = pickle.loads(pickle.dumps(learner))
    assert (again.predict_proba(X) == learner.predict_proba(X)).all()
    assert not hasattr(clone(learner), "model_")
    assert np.exp(learner.predict_log_proba(X)) == pytest.approx(learner.predict_proba(X))


@pytest.mark.parametrize(
    "labels",
    [
        np.array([-100, 100, -100, 3], np.int8),
        np.array([-30_000, 30_000, 5], np.int16),
        np.array([200, 3, 200], np.uint8),
        np.array([2**64 - 1, 2**64 - 3], np.uint64),
        np.array([-(2**62), 2**62 + 5], np.int64),
    ],
)
def test_labels_of_any_whole_type_are_those_of_numpy(labels):
    classes, codes = encoded(labels)
    wanted, where = np.unique(labels, return_inverse=True)
    assert np.array_equal(classes, wanted)
    assert classes.dtype == labels.dtype
    assert np.array_equal(codes, where)
