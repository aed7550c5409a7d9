"""What scikit-learn's tools ask of a fitted estimator, and what they do with it."""

from inspect import signature

import numpy as np
import pandas as pd
import pytest
import sklearn
from sklearn.base import clone, is_classifier, is_regressor
from sklearn.calibration import CalibratedClassifierCV
from sklearn.cluster import KMeans as TheirKMeans
from sklearn.datasets import load_iris, make_regression
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.ensemble import (
    AdaBoostClassifier,
    StackingClassifier,
    StackingRegressor,
    VotingRegressor,
)
from sklearn.exceptions import NotFittedError
from sklearn.feature_selection import RFE, SelectFromModel
from sklearn.linear_model import LinearRegression
from sklearn.linear_model import LogisticRegression as TheirLogistic
from sklearn.model_selection import GridSearchCV, cross_val_predict, cross_validate
from sklearn.multiclass import OneVsRestClassifier
from sklearn.multioutput import ClassifierChain, MultiOutputClassifier, MultiOutputRegressor
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import NearestNeighbors
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from satsuma import (
    KNN,
    LDA,
    QDA,
    RP0,
    SVM,
    Additive,
    Anomaly,
    Bagging,
    BoostedTrees,
    Forest,
    GaussianProcess,
    KMeans,
    Lasso,
    LinearSVM,
    Logistic,
    Majority,
    Mean,
    MiniBatchKMeans,
    NaiveBayes,
    Regression,
    RegressionForest,
    Ridge,
    Tree,
    wrap,
)
from satsuma.errors import ParameterError

X, Y = load_iris(return_X_y=True)

WITH_ODDS = [
    Logistic(),
    Logistic(l1=1.0),
    LinearSVM(),
    SVM(),
    LDA(),
    QDA(),
    BoostedTrees(rounds=5),
    Additive(pairs=0),
]
LINEAR = [Logistic(), Logistic(l1=1.0), LinearSVM(), LDA(), LDA(calibrate=False)]


@pytest.mark.parametrize("learner", WITH_ODDS, ids=repr)
@pytest.mark.parametrize("classes", [2, 3])
def test_decision_values_are_log_odds(learner, classes):
    rows = classes > Y
    fitted = clone(learner).fit(X[rows], Y[rows])
    values, log = fitted.decision_function(X[rows]), fitted.predict_log_proba(X[rows])
    if classes == 2:
        known = np.isfinite(log).all(axis=1)
        assert np.allclose(values[known], (log[:, 1] - log[:, 0])[known], atol=1e-9)
        chosen = (values > 0).astype(int)
    else:
        values = values - values.max(axis=1, keepdims=True)
        log = log - log.max(axis=1, keepdims=True)
        assert np.allclose(np.exp(values), np.exp(log), atol=1e-9)
        chosen = values.argmax(axis=1)
    assert (chosen == fitted.predict(X[rows])).all()


@pytest.mark.parametrize("learner", LINEAR, ids=repr)
@pytest.mark.parametrize("classes", [2, 3])
def test_coefficients_are_of_raw_numbers(learner, classes):
    rows = classes > Y
    fitted = clone(learner).fit(X[rows], Y[rows])
    scores = X[rows] @ fitted.coef_.T + fitted.intercept_
    assert fitted.coef_.shape == (1 if classes == 2 else 3, 4)
    assert np.allclose(scores.squeeze(), fitted.decision_function(X[rows]), atol=1e-9)


def test_a_linear_kernel_has_coefficients_of_two_classes():
    fitted = SVM(kernel="linear").fit(X[50:], Y[50:])
    scores = X[50:] @ fitted.coef_[0] + fitted.intercept_[0]
    assert np.allclose(scores, fitted.decision_function(X[50:]), atol=1e-9)
    assert RFE(fitted, n_features_to_select=2).fit(X[50:], Y[50:]).support_.sum() == 2


def test_coefficients_as_scikit_learn_has_them():
    theirs = LinearRegression().fit(X[:, :3], X[:, 3])
    ours = Ridge(l2=0).fit(X[:, :3], X[:, 3])
    assert np.allclose(ours.coef_, theirs.coef_)
    assert np.isclose(ours.intercept_, theirs.intercept_)
    two, z = Y < 2, StandardScaler().fit_transform(X[Y < 2])
    theirs = TheirLogistic(C=1, tol=1e-12, max_iter=10_000).fit(z, Y[two])
    ours = Logistic(l2=1).fit(z, Y[two])
    assert np.allclose(ours.coef_, theirs.coef_, atol=1e-5)
    assert np.allclose(ours.intercept_, theirs.intercept_, atol=1e-5)
    # Over n - g here and over n there: the slopes are in that proportion.
    theirs = LinearDiscriminantAnalysis(solver="eigen").fit(X, Y)
    ours = LDA(calibrate=False).fit(X, Y)
    assert np.allclose(ours.coef_, (theirs.coef_ - theirs.coef_.mean(axis=0)) * 147 / 150)


def test_a_column_that_says_nothing_has_the_coefficient_0():
    wide = np.column_stack([X[:, :2], np.ones(150), X[:, 2:]])
    for learner in (Ridge(), Logistic(), LDA(), Lasso(l1=1.0)):
        fitted = learner.fit(wide, Y if is_classifier(learner) else X[:, 3])
        assert (np.atleast_2d(fitted.coef_)[:, 2] == 0).all()


def test_where_there_are_no_coefficients():
    frame = pd.DataFrame({"a": X[:, 0], "b": np.where(X[:, 1] > 3, "u", "v")})
    fitted = Logistic().fit(frame, Y)
    with pytest.raises(AttributeError, match="Logistic has no coef_: not all columns"):
        fitted.coef_  # noqa: B018 - a property
    assert not hasattr(fitted, "intercept_")
    assert not hasattr(Tree(), "coef_")
    assert not hasattr(SVM(kernel="linear").fit(X, Y), "coef_")
    with pytest.raises(AttributeError, match="SVM has no coef_: with these parameters and classes"):
        SVM().fit(X[:100], Y[:100]).coef_  # noqa: B018 - a property
    with pytest.raises(NotFittedError):
        Ridge().coef_  # noqa: B018 - a property
    assert not hasattr(Regression(Additive()), "decision_function")


def test_features_are_chosen_by_coefficients_and_importances():
    for learner in (Logistic(), LinearSVM(), Forest(trees=10), BoostedTrees(rounds=5)):
        assert SelectFromModel(learner, max_features=2).fit(X, Y).transform(X).shape == (150, 2)
        assert RFE(learner, n_features_to_select=2).fit(X, Y).support_[2:].any()
    assert RFE(Ridge(), n_features_to_select=1).fit(X[:, :3], X[:, 3]).support_.sum() == 1


def test_decision_values_inside_scikit_learn_s_tools():
    found = cross_val_predict(LinearSVM(), X, Y, cv=3, method="decision_function")
    assert (found.argmax(axis=1) == Y).mean() > 0.9
    assert CalibratedClassifierCV(SVM(), cv=3).fit(X, Y).score(X, Y) > 0.9
    assert OneVsRestClassifier(Logistic()).fit(X, Y).decision_function(X).shape == (150, 3)


def test_joint_probabilities_are_those_of_scikit_learn():
    theirs = GaussianNB(var_smoothing=0).fit(X, Y).predict_joint_log_proba(X)
    ours = NaiveBayes(number="gaussian", prior=None).fit(X, Y).predict_joint_log_proba(X)
    # Spreads are over n - 1 here, so that only the differences are near.
    assert np.allclose(ours - ours[:, :1], theirs - theirs[:, :1], rtol=0.1, atol=2)
    assert ours.shape == (150, 3)


def test_k_means_as_a_step_and_by_its_attributes():
    start = X[[0, 60, 120]]
    ours = KMeans(k=3, init=start, scale=None, tolerance=0).fit(X)
    theirs = TheirKMeans(3, init=start, n_init=1, tol=0).fit(X)
    assert np.allclose(ours.cluster_centers_, theirs.cluster_centers_)
    assert np.isclose(ours.inertia_, theirs.inertia_)
    assert np.allclose(ours.transform(X), theirs.transform(X))
    assert (ours.labels_ == theirs.labels_).all()
    assert ours.n_iter_ >= 1
    assert make_pipeline(KMeans(k=5), Logistic()).fit(X, Y).score(X, Y) > 0.8
    assert MiniBatchKMeans(k=3).fit_transform(X).shape == (150, 3)
    assert not hasattr(MiniBatchKMeans(k=3).fit(X), "inertia_")
    words = KMeans(k=2).fit(pd.DataFrame({"a": ["x", "y", "x", "z"]}))
    assert not hasattr(words, "cluster_centers_")
    assert words.transform(pd.DataFrame({"a": ["x"]})).shape == (1, 2)


@pytest.mark.parametrize("learner", [LDA(), KMeans(k=3)], ids=repr)
def test_what_is_transformed_comes_in_the_container_that_was_asked_for(learner):
    frame = pd.DataFrame(X, columns=list("abcd"), index=range(100, 250))
    made = clone(learner).set_output(transform="pandas").fit(frame, Y)
    found = made.transform(frame)
    assert list(found.columns) == made.get_feature_names_out().tolist()
    assert found.index.equals(frame.index)
    assert type(clone(made).fit(frame, Y).transform(frame)) is pd.DataFrame
    assert type(made.set_output(transform="default").transform(frame)) is np.ndarray
    assert made.set_output(transform="polars").transform(frame).shape == found.shape
    with pytest.raises(ParameterError, match="Got 'numpy' instead"):
        made.set_output(transform="numpy")
    with sklearn.config_context(transform_output="pandas"):
        assert type(clone(learner).fit(frame, Y).transform(frame)) is pd.DataFrame


def test_neighbours_are_those_of_scikit_learn():
    z = np.random.default_rng(0).normal(size=(80, 3))
    z = (z - z.mean(axis=0)) / z.std(axis=0)
    away, rows = KNN(k=4, scale="deviation").fit(z, np.arange(80) % 3).kneighbors(z[:9])
    theirs = NearestNeighbors(n_neighbors=4).fit(z).kneighbors(z[:9])
    assert (rows == theirs[1]).all()
    ratio = away[:, 1:] / theirs[0][:, 1:]
    assert np.allclose(ratio, ratio[0, 0])
    alike = KNN(k=2).fit([[1.0], [1.0], [5.0]], ["a", "a", "b"])
    assert alike.kneighbors([[1.0]], 3, return_distance=False).tolist() == [[0, 0, 2]]
    with pytest.raises(ParameterError, match="1 <= n_neighbors <= 3"):
        alike.kneighbors([[1.0]], 4)


def test_learners_of_either_say_that_they_are_of_numbers():
    x, y = make_regression(60, 4, random_state=0)
    for inner in (KNN(k=3), Forest(trees=5), Bagging(t=2)):
        learner = Regression(inner)
        assert is_regressor(learner)
        assert (learner.fit(x, y).predict(x) == clone(inner).fit(x, y).predict(x)).all()
    pair = [("a", Regression(KNN(k=3))), ("b", Ridge())]
    assert VotingRegressor(pair).fit(x, y).score(x, y) > 0.8
    assert StackingRegressor(pair, cv=3).fit(x, y).score(x, y) > 0.8
    found = GridSearchCV(Regression(KNN()), {"learner__k": [1, 3]}, cv=3).fit(x, y)
    assert found.best_params_["learner__k"] in (1, 3)
    with pytest.raises(ParameterError, match="predicts numbers, such as KNN"):
        Regression(NaiveBayes()).fit(x, y)
    assert is_regressor(KNN(k=3).fit(x, y))


def test_several_targets_by_scikit_learn_s_wrappers():
    targets = np.column_stack([Y, Y > 0])
    assert MultiOutputClassifier(NaiveBayes()).fit(X, targets).predict(X).shape == (150, 2)
    assert ClassifierChain(Logistic()).fit(X, targets).predict(X).shape == (150, 2)
    for learner in (Ridge(), Regression(KNN(k=3)), RegressionForest(trees=3)):
        model = MultiOutputRegressor(learner).fit(X[:, :2], X[:, 2:])
        assert model.predict(X[:, :2]).shape == (150, 2)


def test_weights_are_no_parameter_of_fit_where_they_are_not_taken():
    without = [RP0(model=NaiveBayes()), Anomaly(), GaussianProcess(), wrap(KNeighbors())]
    for learner in without:
        assert "sample_weight" not in signature(learner.fit).parameters
        with pytest.raises(ParameterError, match="does not take weights"):
            clone(learner).fit(X, Y, sample_weight=np.ones(150))
        assert clone(learner).fit(X, Y * 1.0, sample_weight=None).__sklearn_is_fitted__()
    for learner in (NaiveBayes(), Tree(), wrap(GaussianNB())):
        assert "sample_weight" in signature(learner.fit).parameters
    calibrated = CalibratedClassifierCV(RP0(model=NaiveBayes()), cv=3)
    with pytest.warns(UserWarning, match="RP0 does not appear to accept sample_weight"):
        assert calibrated.fit(X, Y, Y + 1.0).score(X, Y) > 0.8


def KNeighbors():  # noqa: N802 - a class elsewhere
    from sklearn.neighbors import KNeighborsClassifier

    return KNeighborsClassifier()


@pytest.fixture
def routing():
    with sklearn.config_context(enable_metadata_routing=True):
        yield


@pytest.mark.usefixtures("routing")
def test_weights_are_routed_to_learners_that_ask_for_them():
    weights = np.where(Y == 0, 1.0, 0.0)  # then there is but one class
    asks = Majority().set_fit_request(sample_weight=True).set_score_request(sample_weight=False)
    found = cross_validate(
        asks, X, Y, cv=3, params={"sample_weight": weights}, return_estimator=True
    )
    assert all((one.predict(X) == 0).all() for one in found["estimator"])
    learner = KNN().set_fit_request(sample_weight=True).set_score_request(sample_weight=True)
    search = GridSearchCV(learner, {"k": [1, 5]}, cv=3).fit(X, Y, sample_weight=weights)
    assert (search.predict(X) == 0).all()
    stack = StackingClassifier([("a", clone(asks))], final_estimator=Majority(), cv=3)
    stack.final_estimator.set_fit_request(sample_weight=True)
    assert (stack.fit(X, Y, sample_weight=weights).predict(X) == 0).all()


@pytest.mark.usefixtures("routing")
def test_what_is_asked_for_is_kept_and_told():
    learner = Tree().set_fit_request(sample_weight="w")
    assert clone(learner).get_metadata_routing().fit.requests == {"sample_weight": "w"}
    assert Tree().get_metadata_routing().fit.requests == {"sample_weight": None}
    assert NaiveBayes().get_metadata_routing().partial_fit.requests == {"sample_weight": None}
    assert Anomaly().get_metadata_routing().fit.requests == {}
    assert clone(Tree().set_fit_request()).get_metadata_routing().fit.requests == {
        "sample_weight": None
    }
    with pytest.raises(TypeError, match=r"GaussianProcess.fit takes no sample_weight"):
        GaussianProcess().set_fit_request(sample_weight=True)


def test_requests_are_for_routing_alone():
    with pytest.raises(RuntimeError, match="only available when metadata routing is enabled"):
        NaiveBayes().set_fit_request(sample_weight=True)


def test_weak_learners_are_boosted():
    found = AdaBoostClassifier(Tree(max_depth=1), n_estimators=5).fit(X, Y)
    assert found.score(X, Y) > 0.9
    assert is_regressor(Mean())
