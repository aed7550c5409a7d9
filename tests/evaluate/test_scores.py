import numpy as np
import pytest
import sklearn.metrics as peer
from hypothesis import given
from hypothesis import strategies as st

from satsuma import Variable
from satsuma.errors import ParameterError
from satsuma.evaluate import probability_scores as probabilities
from satsuma.evaluate import scores
from satsuma.evaluate.reliability import calibration_error
from satsuma.evaluate.scores import SCORES, find_score


@st.composite
def answers(draw):
    """Truth, probabilities with ties, and weights."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    classes, rows = draw(st.integers(2, 5)), draw(st.integers(10, 60))
    truth = np.r_[np.arange(classes), rng.integers(0, classes, rows)]
    # Written with few digits, so that there are ties.
    predicted = rng.dirichlet(np.ones(classes), len(truth)).round(draw(st.integers(1, 3))) + 1e-3
    predicted /= predicted.sum(axis=1, keepdims=True)
    weights = rng.choice([0.5, 1.0, 3.25], len(truth)) if draw(st.booleans()) else None
    return truth, predicted, weights


def ones(weights, rows):
    return np.ones(rows) if weights is None else weights


def matrix(truth, predicted, weights):
    classes = np.arange(predicted.shape[1])
    return peer.confusion_matrix(
        truth, predicted.argmax(axis=1), labels=classes, sample_weight=weights
    ).astype(float)


@given(answers())
def test_scores_of_a_confusion_matrix(made):
    truth, predicted, weights = made
    said, found = predicted.argmax(axis=1), matrix(*made)
    heavy = {"sample_weight": weights}
    assert scores.accuracy(found) == pytest.approx(peer.accuracy_score(truth, said, **heavy))
    assert scores.kappa(found) == pytest.approx(peer.cohen_kappa_score(truth, said, **heavy))
    assert scores.matthews(found) == pytest.approx(
        peer.matthews_corrcoef(truth, said, **heavy), abs=1e-9
    )
    all_of_them = {"average": "macro", "zero_division": 0, **heavy}
    one = {"average": "binary", "zero_division": 0, **heavy}
    for ours, theirs in (
        (scores.precision, peer.precision_score),
        (scores.recall, peer.recall_score),
        (scores.f1, peer.f1_score),
    ):
        assert ours(found) == pytest.approx(theirs(truth, said, **all_of_them))
        for code in range(predicted.shape[1]):
            assert ours(found, code) == pytest.approx(theirs(truth == code, said == code, **one))
    for ours, theirs in (
        (scores.accuracy, peer.accuracy_score),
        (scores.matthews, peer.matthews_corrcoef),
    ):
        expected = theirs(truth == 1, said == 1, **heavy)
        assert ours(found, 1) == pytest.approx(expected, abs=1e-9)


@given(answers())
def test_scores_of_probabilities(made):
    truth, predicted, weights = made
    given_weights, classes = ones(weights, len(truth)), np.arange(predicted.shape[1])
    heavy = {"sample_weight": weights}
    said = predicted[:, 1] if len(classes) == 2 else predicted
    several = {} if len(classes) == 2 else {"multi_class": "ovr", "average": "weighted"}
    expected = peer.roc_auc_score(truth, said, **several, **heavy)
    if len(classes) > 2:  # scikit-learn weights the classes by rows, not by their weights
        areas = [peer.roc_auc_score(truth == c, predicted[:, c], **heavy) for c in classes]
        sizes = [given_weights[truth == c].sum() for c in classes]
        if weights is None:
            assert np.average(areas, weights=sizes) == pytest.approx(expected)
        expected = np.average(areas, weights=sizes)
    assert probabilities.auc(predicted, truth, given_weights) == pytest.approx(expected)
    assert probabilities.auc(predicted, truth, given_weights, 0) == pytest.approx(
        peer.roc_auc_score(truth == 0, predicted[:, 0], **heavy)
    )
    assert probabilities.log_loss(predicted, truth, given_weights) == pytest.approx(
        peer.log_loss(truth, predicted, labels=classes, **heavy)
    )
    assert probabilities.brier(predicted, truth, given_weights, 1) == pytest.approx(
        peer.brier_score_loss(truth == 1, predicted[:, 1], **heavy)
    )
    true = np.eye(len(classes))[truth]
    squares = np.average(((predicted - true) ** 2).sum(axis=1), weights=weights)
    squares = squares / 2 if len(classes) == 2 else squares
    assert probabilities.brier(predicted, truth, given_weights) == pytest.approx(squares)


@given(answers())
def test_the_calibration_error_by_hand(made):
    truth, predicted, weights = made
    given_weights = ones(weights, len(truth))
    sure, said = predicted.max(axis=1), predicted.argmax(axis=1)
    expected = 0.0
    for low in range(10):
        inside = (sure > low / 10) & (sure <= (low + 1) / 10)
        right, thought = (
            np.dot(given_weights[inside], given[inside]) for given in (said == truth, sure)
        )
        expected += abs(right - thought) / given_weights.sum()
    assert calibration_error(predicted, truth, given_weights) == pytest.approx(expected, abs=1e-9)


@given(st.integers(0, 2**32), st.booleans())
def test_scores_of_numbers(seed, weighted):
    rng = np.random.default_rng(seed)
    truth, said = rng.normal(size=(2, 30)) * 10
    weights = rng.random(30) if weighted else None
    heavy, given_weights = {"sample_weight": weights}, ones(weights, 30)
    for ours, theirs in (
        (scores.absolute_error, peer.mean_absolute_error),
        (scores.root_squared_error, peer.root_mean_squared_error),
        (scores.r_squared, peer.r2_score),
    ):
        expected = theirs(truth, said, **heavy)
        assert ours(said, truth, given_weights) == pytest.approx(expected)


def test_a_weight_of_two_is_a_row_twice():
    rng = np.random.default_rng(0)
    truth, predicted = rng.integers(0, 3, 40), rng.dirichlet(np.ones(3), 40)
    weights = rng.integers(0, 4, 40).astype(float)
    again = np.repeat(np.arange(40), weights.astype(int))
    for score in SCORES.values():
        if score.needs == "probabilities":
            heavy = score.of(predicted, truth, weights, None)
            twice = score.of(predicted[again], truth[again], np.ones(len(again)), None)
            assert heavy == pytest.approx(twice, abs=1e-12), score.name


def test_what_is_not_defined_is_nan():
    predicted, truth, weights = np.full((3, 2), 0.5), np.zeros(3, int), np.ones(3)
    assert np.isnan(probabilities.auc(predicted, truth, weights))
    assert np.isnan(scores.r_squared(np.arange(3.0), np.ones(3), weights))
    nothing = np.zeros((2, 2))
    for score in SCORES.values():
        if score.needs == "confusion":
            assert np.isnan(score.of(nothing, None)), score.name


def test_a_score_is_found_by_any_spelling_or_refused_with_a_hint():
    classes, numbers = Variable("y", "sym", ("a", "b"), "target"), Variable("y", role="target")
    assert find_score("log_loss", classes).name == "log loss"
    assert find_score("calibration error", classes).name == "ECE"
    assert find_score("accuracy", classes).name == "CA"
    assert find_score("balanced-accuracy", classes).name == "balanced accuracy"
    assert find_score("r2", numbers).name == "R2"
    assert find_score("pinball 0.9", numbers).name == "quantile loss 0.9"
    with pytest.raises(ParameterError, match=r"no score 'presision'.*Did you mean 'precision'"):
        find_score("presision", classes)
    with pytest.raises(ParameterError, match="CA is a score of predicted classes, and these are"):
        find_score("CA", numbers)
