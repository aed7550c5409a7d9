import numpy as np
import pytest
from sklearn.calibration import CalibratedClassifierCV
from sklearn.isotonic import IsotonicRegression
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB

import satsuma
from satsuma import KNN, Calibrated, GetProbabilities, Mean, NaiveBayes, Tree
from satsuma.errors import ParameterError
from satsuma.learners.calibration.probability_maps import (
    at_log_odds,
    fit_log_odds,
    fit_steps,
    fit_temperature,
    heated,
)

METHODS = ("temperature", "isotonic", "sigmoid", "beta")


def overconfident(rows, seed=0, power=3.0):
    """Probabilities of a second class, and classes that are so at a third of their log-odds."""
    rng = np.random.default_rng(seed)
    odds = rng.normal(size=rows)
    right = (rng.random(rows) < 1 / (1 + np.exp(-odds))).astype(np.int64)
    return 1 / (1 + np.exp(-power * odds)), right


def test_temperature_is_that_of_scikit_learn():
    p, right = overconfident(4000)
    found = fit_temperature(np.column_stack([1 - p, p]), right, np.ones(len(p)))
    odds = np.log(p / (1 - p))[:, None]
    peer = LogisticRegression(C=np.inf, fit_intercept=False, tol=1e-10).fit(odds, right)
    assert found == pytest.approx(1 / peer.coef_[0, 0], rel=2e-3)
    assert found == pytest.approx(3, rel=0.1)


def test_sigmoid_is_the_logistic_regression_of_log_odds():
    p, right = overconfident(4000)
    a, b, c = fit_log_odds(p, right, np.ones(len(p)), beta=False)
    odds = np.log(p / (1 - p))[:, None]
    peer = LogisticRegression(C=np.inf, tol=1e-10).fit(odds, right)
    assert a == b == pytest.approx(peer.coef_[0, 0], abs=2e-3)
    assert c == pytest.approx(peer.intercept_[0], abs=2e-3)


def test_beta_is_the_logistic_regression_of_both_logarithms():
    p, right = overconfident(4000)
    found = fit_log_odds(p, right, np.ones(len(p)), beta=True)
    x = np.column_stack([np.log(p), -np.log(1 - p)])
    peer = LogisticRegression(C=np.inf, tol=1e-10).fit(x, right)
    np.testing.assert_allclose(found[:2], peer.coef_[0], atol=5e-3)


def test_beta_never_falls():
    p, right = overconfident(500)
    a, b, _ = fit_log_odds(p, 1 - right, np.ones(len(p)), beta=True)
    assert a >= 0
    assert b >= 0


@pytest.mark.parametrize("seed", range(3))
def test_isotonic_is_that_of_scikit_learn(seed):
    p, right = overconfident(300, seed)
    p, weights = p.round(2), np.random.default_rng(seed).integers(1, 4, 300) * 1.0
    steps = fit_steps(p, right * 1.0, weights)
    peer = IsotonicRegression(out_of_bounds="clip").fit(p, right, weights)
    asked, margin = np.linspace(0, 1, 501), 1 / (weights.sum() + 2)
    # Ends that are clipped move the knots next to them, and what lies between.
    there = np.isin(asked, p)
    found = np.interp(asked, steps.at, steps.right)
    wanted = np.clip(peer.predict(asked), margin, 1 - margin)
    np.testing.assert_allclose(found[there], wanted[there], atol=1e-12)
    np.testing.assert_allclose(found, wanted, atol=margin)


def test_a_weight_of_two_is_the_row_twice():
    p, right = overconfident(60)
    times = np.arange(60) % 3 + 1
    twice, again = np.repeat(p, times), np.repeat(right, times)
    both = (p, right, times * 1.0), (twice, again, np.ones(len(twice)))
    for fit in (
        lambda p, y, w: fit_temperature(np.column_stack([1 - p, p]), y, w),
        lambda p, y, w: fit_log_odds(p, y, w, beta=True),
        lambda p, y, w: np.interp([0.1, 0.5, 0.7], *fit_steps(p, y, w)),
    ):
        np.testing.assert_allclose(fit(*both[0]), fit(*both[1]), rtol=1e-5)


def test_certain_and_right_rows_have_a_finite_temperature():
    sure = np.eye(2)[np.arange(20) % 2]
    found = fit_temperature(sure, np.arange(20) % 2, np.ones(20))
    assert 0.05 < found < 1


def test_order_is_kept_and_nothing_is_certain():
    p = np.array([[1.0, 0.0, 0.0], [0.5, 0.3, 0.2]])
    found = heated(p, 4.0)
    assert (found.argmax(axis=1) == 0).all()
    assert (found > 0).all()
    np.testing.assert_allclose(found.sum(axis=1), 1)
    assert at_log_odds(np.array([0.0, 1.0]), np.ones(3)).tolist() != [0.0, 1.0]


@pytest.mark.parametrize("learner", [NaiveBayes(calibrate=False), Tree(), KNN(k=3)], ids=repr)
def test_a_temperature_predicts_the_same_classes(learner):
    for name in ("voting", "zoo"):
        table = satsuma.load(name)
        plain, calibrated = learner(table), Calibrated(learner)(table)
        assert (plain(table) == calibrated(table)).all()
        (chosen, probabilities), raw = (
            calibrated(table, satsuma.GetBoth),
            plain(table, GetProbabilities),
        )
        assert (chosen == plain(table)).all()
        assert (probabilities.argmax(axis=1) == raw.argmax(axis=1)).all()


def test_an_adjusted_threshold_stays_in_force():
    table = satsuma.load("titanic")
    learner = NaiveBayes(adjust_threshold=True, calibrate=False)
    assert learner(table).threshold != 0.5
    assert (Calibrated(learner)(table)(table) == learner(table)(table)).all()


@pytest.mark.parametrize("method", METHODS)
def test_probabilities_are_better_on_unseen_rows(method):
    table = satsuma.load("voting")
    both = satsuma.cross_validate(
        {
            "plain": NaiveBayes(calibrate=False),
            "calibrated": Calibrated(NaiveBayes(calibrate=False), method=method),
        },
        table,
        folds=5,
    )
    for score in ("log loss", "ECE", "Brier"):
        found = both.scores(score)
        assert found["calibrated"] < found["plain"] * (1.02 if score == "Brier" else 0.8), score


def test_isotonic_calibration_is_that_of_scikit_learn():
    adults = satsuma.load("adult_sample")
    x = adults.to_numpy(["age", "hours-per-week"])
    y = adults.column(adults.domain.target.name)
    peer = CalibratedClassifierCV(GaussianNB(), method="isotonic", cv=5, ensemble=False).fit(x, y)
    plain = NaiveBayes(number="gaussian", calibrate=False)
    ours = Calibrated(plain, method="isotonic").fit(x, y)
    assert np.abs(peer.predict_proba(x) - ours.predict_proba(x)).mean() < 0.02


def test_three_classes_sum_to_one():
    iris = satsuma.load("iris")
    for method in METHODS:
        found = Calibrated(NaiveBayes(calibrate=False), method=method)(iris)(iris, GetProbabilities)
        np.testing.assert_allclose(found.sum(axis=1), 1)


def test_what_is_refused():
    with pytest.raises(ParameterError, match="learner of classes"):
        Calibrated(Mean()).check()
    with pytest.raises(ParameterError, match="'platt'"):
        Calibrated(NaiveBayes(calibrate=False), method="platt").check()
    with pytest.raises(ParameterError, match="folds"):
        Calibrated(NaiveBayes(calibrate=False), folds=1).check()


def test_a_model_says_how_it_is_calibrated():
    iris = satsuma.load("iris")
    told = [
        str(Calibrated(NaiveBayes(calibrate=False), method=each)(iris)).splitlines()
        for each in METHODS
    ]
    assert "temperature of" in told[0][-1]
    assert "isotonic" in told[1][-1]
    assert told[2][-1].endswith("virginica")
