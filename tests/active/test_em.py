"""EM against an EM written out, and against what is known of its steps."""

import numpy as np
import pytest
from scipy.optimize import minimize

from satsuma import EM, KNN, LDA, GetProbabilities, NaiveBayes, Ridge, Table, cross_validate
from satsuma.active.em import keep_class_shares
from satsuma.errors import ParameterError
from tests.active.few import across, blobs, symbolic


def by_hand(table, steps, weight):
    """Plain EM of naive Bayes of symbols by most likely shares: priors, tables, likelihoods."""
    cells = np.array([table.column(v.name) for v in table.domain.attributes]).T
    codes = table.column("y")
    sure = np.eye(2)[codes] * (codes >= 0)[:, None]
    chances, likelihoods = sure, []
    for _ in range(steps + 1):
        prior = chances.sum(axis=0) / chances.sum()
        joint = np.tile(np.log(prior), (len(cells), 1))
        for column in cells.T:
            counts = np.array([chances[column == value].sum(axis=0) for value in range(3)])
            with np.errstate(divide="ignore"):
                joint += np.log(counts / counts.sum(axis=0))[column]
        every = np.logaddexp(joint[:, 0], joint[:, 1])
        known = (sure * np.where(sure > 0, joint, 0)).sum()
        likelihoods.append(known + weight * every[codes < 0].sum())
        soft = weight * np.exp(joint - every[:, None])
        chances = np.where((codes >= 0)[:, None], sure, soft)
    return np.exp(joint - every[:, None]), likelihoods


@pytest.mark.parametrize("weight", [1.0, 0.3])
@pytest.mark.parametrize("seed", range(3))
def test_plain_em_is_the_one_written_out(seed, weight):
    table, _ = symbolic(seed)
    learner = EM(
        NaiveBayes(m=0), keep_shares=False, tolerance=0, steps=7, weight_of_unlabelled=weight
    )
    steps = list(learner.walk(table))
    found, likelihoods = by_hand(table, 7, weight)
    assert len(steps) == 8
    said = steps[-1].model(table, GetProbabilities)
    np.testing.assert_allclose(said, found, atol=1e-9, rtol=0)
    told = [step.objective for step in steps]
    np.testing.assert_allclose(told, likelihoods, rtol=1e-9, atol=0)


@pytest.mark.parametrize("keep_shares", [True, False])
@pytest.mark.parametrize("seed", range(4))
def test_no_step_lowers_the_objective(seed, keep_shares):
    table, _ = symbolic(seed, labelled=60)
    learner = EM(NaiveBayes(m=0), keep_shares=keep_shares, tolerance=0)
    # The first model is not yet one of all rows.
    told = np.array([step.objective for step in learner.walk(table)][1:])
    assert np.isfinite(told).all()
    assert (np.diff(told) >= -1e-6).all(), np.diff(told)
    assert told[-1] > told[0]


def test_a_model_without_a_likelihood_has_no_objective():
    table, _ = blobs()
    step = next(EM(KNN(k=3)).walk(table))
    assert np.isnan(step.objective)


def test_memberships_keep_the_shares_of_the_labelled():
    table, _ = symbolic(1, labelled=50)
    codes = table.column("y")
    *_, last = EM(NaiveBayes()).walk(table)
    shares = np.bincount(codes[codes >= 0]) / (codes >= 0).sum()
    np.testing.assert_allclose(last.memberships.mean(axis=0), shares, atol=1e-5, rtol=0)


def test_memberships_that_keep_shares_diverge_least():
    rng = np.random.default_rng(0)
    chances, weights = rng.dirichlet([1.0, 1, 1], 5), np.array([1.0, 2, 1, 0.5, 1])
    shares = np.array([0.5, 0.3, 0.2])

    def divergence(flat):
        q = flat.reshape(chances.shape)
        return weights @ (q * np.log(q / chances)).sum(axis=1)

    limits = [
        {"type": "eq", "fun": lambda flat: flat.reshape(5, 3).sum(axis=1) - 1},
        {"type": "eq", "fun": lambda flat: (weights @ flat.reshape(5, 3) / 5.5 - shares)[:2]},
    ]
    best = minimize(
        divergence, chances.ravel(), bounds=[(1e-9, 1)] * 15, constraints=limits, method="SLSQP",
        options={"ftol": 1e-12, "maxiter": 500},
    )  # fmt: skip
    found = keep_class_shares(chances, shares, weights)
    np.testing.assert_allclose(found, best.x.reshape(5, 3), atol=1e-4, rtol=0)
    assert divergence(found.ravel()) <= best.fun + 1e-6


def test_rows_without_a_label_help_where_groups_are_classes():
    table, truth = blobs(labelled=9, apart=2.0)
    model = EM(NaiveBayes())(table)
    known = np.flatnonzero(table.column("y") >= 0)
    bare = table.column("y") < 0
    plain = NaiveBayes()(table[known])

    def right(model):
        return (model.codes(table)[bare] == truth[bare]).mean()

    assert model.spread.used
    assert model.spread.spread == bare.sum()
    assert right(model) > right(plain)
    assert "labels held back" in str(model)


def test_it_is_left_at_known_labels_where_groups_are_not_classes():
    table, _ = across()
    model = EM(NaiveBayes())(table)
    told = model.spread
    assert not told.used
    assert told.with_spread < told.without
    plain = NaiveBayes()(table[np.flatnonzero(table.column("y") >= 0)])
    np.testing.assert_array_equal(model.probabilities(table), plain.probabilities(table))
    assert "no clear gain" in str(model)


def test_what_is_checked_are_known_labels_alone():
    """Labels that are hidden cannot matter: they are not in the table."""
    table, truth = blobs(labelled=30, apart=1.5)
    told = EM(NaiveBayes(), folds=5)(table).spread
    assert (told.labelled, told.unlabelled, told.checked) == (30, len(truth) - 30, 30)
    assert 0 <= told.without <= 1
    assert told.agreement == pytest.approx(told.with_spread, abs=0.1)


def test_one_label_cannot_be_checked():
    model = EM(NaiveBayes())(Table.of([(1, "a"), (2, None), (3, None)], ["x", "y"]))
    assert not model.spread.used
    assert "too few to check" in str(model)
    assert model({"x": 3}) == "a"


def test_weights_of_zero_are_rows_left_out():
    table, _ = blobs(labelled=40)
    weights = np.random.default_rng(0).integers(0, 2, len(table)).astype(float)
    from satsuma.learners.ensembles.ensemble import with_weights

    some = table[np.flatnonzero(weights)]
    one, other = EM(LDA())(with_weights(table, weights)), EM(LDA())(some)
    np.testing.assert_allclose(
        one.probabilities(table), other.probabilities(table), atol=1e-9, rtol=0
    )
    assert one.spread == other.spread


def test_fit_takes_none_and_nan_for_no_label():
    table, _ = blobs(labelled=40)
    X = table.to_numpy([v.name for v in table.domain.attributes])
    words = table["y"]
    learner = EM(NaiveBayes(number="gaussian")).fit(X, words)
    assert learner.classes_.tolist() == ["a", "b", "c"]
    assert learner.model_.spread.unlabelled == len(table) - 40
    numbers = np.where(table.column("y") < 0, np.nan, table.column("y") * 10.0)
    other = EM(NaiveBayes(number="gaussian")).fit(X, numbers)
    assert other.classes_.tolist() == [0.0, 10.0, 20.0]
    np.testing.assert_array_equal(learner.predict_proba(X), other.predict_proba(X))


def test_cross_validation_learns_from_rows_without_a_label():
    table, _ = blobs(labelled=30, apart=1.5)
    whole = cross_validate(EM(NaiveBayes(number="gaussian"), folds=3), table, folds=3)
    known = table[np.flatnonzero(table.column("y") >= 0)]
    alone = cross_validate(EM(NaiveBayes(number="gaussian"), folds=3), known, folds=3)
    said = whole.probabilities()
    assert np.isnan(said).any(axis=1).sum() == len(table) - 30
    assert not np.allclose(said[table.column("y") >= 0], alone.probabilities())


@pytest.mark.parametrize(
    "wrong",
    [{"learner": Ridge()}, {"steps": 0}, {"weight_of_unlabelled": 2}, {"keep_shares": "no"}],
)
def test_wrong_parameters_are_refused(wrong):
    table, _ = blobs()
    with pytest.raises(ParameterError, match=next(iter(wrong))):
        EM(**{"learner": NaiveBayes(), **wrong})(table)
