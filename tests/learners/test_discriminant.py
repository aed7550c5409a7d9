"""LDA and QDA against scikit-learn, and on tables as they come."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import multivariate_normal
from sklearn.discriminant_analysis import (
    LinearDiscriminantAnalysis,
    QuadraticDiscriminantAnalysis,
)

import satsuma
from satsuma import LDA, QDA, GetProbabilities, Table, cross_validate
from satsuma.errors import DomainError, SatsumaError


def drawn(seed, n=90, width=4):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 3, n)
    y[:30] = np.arange(30) % 3
    # Turned, and longer one way than another, but not so much that digits get lost.
    turn = np.linalg.qr(rng.normal(size=(width, width)))[0] * rng.uniform(0.3, 3, width)
    return rng.normal(size=(n, width)) @ turn + y[:, None] * 0.7, y


def posteriors(x, y, covariances):
    """Of Gaussians with these covariances and the means of the classes, by scikit-learn's rule."""
    scores = []
    for k, covariance in enumerate(covariances):
        away = x - x[y == k].mean(axis=0)
        distance = (away * np.linalg.solve(covariance, away.T).T).sum(axis=1)
        logdet = np.linalg.slogdet(covariance)[1]
        scores.append(np.log(np.mean(y == k)) - 0.5 * (distance + logdet))
    scores = np.exp(np.array(scores).T - np.max(scores, axis=0)[:, None])
    return scores / scores.sum(axis=1, keepdims=True)


@pytest.mark.parametrize("solver", ["svd", "lsqr", "eigen"])
@given(seed=st.integers(0, 10**6), width=st.integers(1, 6))
def test_lda_is_that_of_scikit_learn(solver, seed, width):
    """After the factor n - g / n: theirs is the covariance over n."""
    x, y = drawn(seed, width=width)
    n = len(y)
    theirs = LinearDiscriminantAnalysis(solver=solver, store_covariance=True).fit(x, y)
    # The rows they would have to be given for a covariance over n - g.
    want = posteriors(x, y, [theirs.covariance_ * n / (n - 3)] * 3)
    ours = LDA(calibrate=False).fit(x, y)
    assert np.allclose(ours.predict_proba(x), want, rtol=0, atol=1e-9)
    assert np.array_equal(ours.predict(x), ours.predict_proba(x).argmax(axis=1))
    # And theirs is what the rule gives for their own covariance.
    assert np.allclose(
        posteriors(x, y, [theirs.covariance_] * 3), theirs.predict_proba(x), rtol=0, atol=1e-9
    )


@given(seed=st.integers(0, 10**6), width=st.integers(1, 6))
def test_lda_learned_from_rows_stretched_about_their_means_is_scikit_learns(seed, width):
    """Rows drawn apart by the root of n / (n - g) have over n what ours have over n - g."""
    x, y = drawn(seed, width=width)
    means = np.array([x[y == k].mean(axis=0) for k in range(3)])[y]
    stretched = means + (x - means) * np.sqrt(len(y) / (len(y) - 3))
    theirs = LinearDiscriminantAnalysis(solver="svd").fit(stretched, y)
    assert np.allclose(
        LDA(calibrate=False).fit(x, y).predict_proba(x), theirs.predict_proba(x), rtol=0, atol=1e-9
    )


@given(seed=st.integers(0, 10**6), width=st.integers(1, 6))
def test_qda_learned_from_rows_stretched_about_their_means_is_scikit_learns(seed, width):
    x, y = drawn(seed, width=width)
    theirs = QuadraticDiscriminantAnalysis(store_covariance=True).fit(x, y)
    # Theirs is over n or over n - 1, as the version has it.
    factor = [
        np.cov(x[y == k].T).reshape(width, -1)[0, 0] / theirs.covariance_[k][0, 0] for k in range(3)
    ]
    means = np.array([x[y == k].mean(axis=0) for k in range(3)])[y]
    stretched = means + (x - means) * np.sqrt(factor)[y][:, None]
    theirs = QuadraticDiscriminantAnalysis().fit(stretched, y)
    assert np.allclose(
        QDA(calibrate=False).fit(x, y).predict_proba(x), theirs.predict_proba(x), rtol=0, atol=1e-9
    )


@pytest.mark.parametrize("share", [0.1, 0.5, 1.0])
def test_shrinkage_is_that_of_scikit_learn(share):
    x, y = drawn(1)
    theirs = LinearDiscriminantAnalysis(solver="lsqr", shrinkage=share).fit(x, y)
    ours = LDA(shrinkage=share, calibrate=False).fit(x, y).model_.evidence[0].covariance[0]
    assert np.allclose(ours, theirs.covariance_ * len(y) / (len(y) - 3), rtol=1e-12)


def test_shrinking_by_the_oracle_depends_on_no_units():
    x, y = drawn(2, n=30, width=8)
    units = np.array([1e-3, 1, 10, 1e5, 1, 1, 2, 7])
    one, two = (LDA(shrinkage="auto", calibrate=False).fit(each, y) for each in (x, x * units))
    assert np.allclose(one.predict_proba(x), two.predict_proba(x * units), rtol=0, atol=1e-9)
    assert not np.allclose(
        one.predict_proba(x), LDA(calibrate=False).fit(x, y).predict_proba(x), atol=1e-3
    )


@pytest.mark.parametrize("learner", [LDA(calibrate=False), QDA(calibrate=False)], ids=repr)
@pytest.mark.parametrize("name", ["adult_sample", "heart_disease", "titanic", "voting", "zoo"])
def test_mixed_tables_are_learned_from_as_they_come(learner, name):
    table = satsuma.load(name)
    model = learner(table)
    found = model(table, GetProbabilities)
    assert np.allclose(found.sum(axis=1), 1, rtol=0, atol=1e-12)
    assert np.array_equal(model.codes(table), found.argmax(axis=1))
    truth = table.column(table.domain.target.name)
    most = np.bincount(truth[truth >= 0]).max() / len(truth)
    assert np.mean(model.codes(table) == truth) > most
    told = model.explain(table[0])
    asked = model.asked(table[:1])
    joint = np.log(model.prior) + sum(each.log_ratios(asked)[0] for each in model.evidence)
    odds = joint[model.target.code(told.value)] - joint[model.target.code(told.against)]
    assert told.exact
    assert sum(told.values()) == pytest.approx(odds, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("learner", [LDA(calibrate=False), QDA(calibrate=False)], ids=repr)
def test_ugly_tables(learner, shared):
    for path in sorted(shared("orange/ugly").glob("*.tab")):
        try:
            table = satsuma.read(path)
            model = learner(table)
        except SatsumaError:
            continue
        found = model(table, GetProbabilities)
        assert np.isfinite(found).all(), path.name


@pytest.mark.needs("moot/classify/anneal.csv")
def test_six_columns_entirely_missing(shared):
    table = satsuma.read(shared("moot/classify/anneal.csv"), marks=True)
    for learner in (LDA(calibrate=False), QDA(calibrate=False)):
        assert np.isfinite(learner(table)(table, GetProbabilities)).all()


@pytest.mark.parametrize("learner", [LDA(calibrate=False), QDA(calibrate=False)], ids=repr)
def test_folds_that_are_answered_at_once_are_those_asked_one_by_one(learner):
    rng = np.random.default_rng(5)
    x, y = drawn(6, n=400)
    x[rng.random(len(x)) < 0.2, 1] = np.nan
    table = satsuma.read(
        {**{f"x{j}": x[:, j] for j in range(4)}, "y": [f"c{k}" for k in y]}, target="y"
    )
    folds = np.arange(400) % 4
    models = [learner(table[folds != k]) for k in range(4)]
    kind = type(models[0])
    found = kind.codes_by_model(models, folds, table)
    for k, model in enumerate(models):
        assert np.array_equal(found[folds == k], model.codes(table[folds == k]))
    assert cross_validate([learner], table, folds=4).scores("CA").popitem()[1] > 0.4


def test_a_model_says_what_it_has_learned():
    rows = [(1, "u", "a"), (2, "v", "a"), (4, "u", "b"), (6, "v", "b")]
    table = Table.of(rows, ["x", "s", "class"])
    assert str(LDA(table, calibrate=False)) == (
        "class  a            b\n"
        "share  0.500        0.500\n"
        "\n"
        "x      1.5 ± 1.12   5 ± 1.12\n"
        "s: mean ± sd of 0 and 1\n"
        "  u    0.5 ± 0.707  0.5 ± 0.707\n"
        "  v    0.5 ± 0.707  0.5 ± 0.707"
    )
    assert repr(LDA(shrinkage="auto")) == "LDA(shrinkage='auto')"


def test_forgetting_is_as_if_never_learned():
    table = satsuma.load("iris")
    for learner in (LDA(calibrate=False), QDA(calibrate=False)):
        found, want = learner(table).forget(table[::7]), learner(table[np.arange(150) % 7 > 0])
        assert np.allclose(
            found(table, GetProbabilities), want(table, GetProbabilities), rtol=0, atol=1e-9
        )


def wide_rows(seed, rows=60, width=300):
    rng = np.random.default_rng(seed)
    y = np.arange(rows) % 2
    x = rng.normal(size=(rows, width))
    x[:, :20] += y[:, None]
    return x, y


@pytest.mark.parametrize("learner", [LDA(calibrate=False), QDA(calibrate=False)], ids=repr)
def test_more_columns_than_rows_with_holes(learner):
    """What is known of a row is what the Gaussian of these columns alone says of it."""
    x, y = wide_rows(0)
    holed = x.copy()
    holed[np.random.default_rng(1).random(x.shape) < 0.02] = np.nan
    holed[0, 5:] = np.nan  # hardly anything is known
    model = learner.fit(x, y).model_
    found = learner.predict_proba(holed)
    normals = model.evidence[0]
    for row in (0, 1, 2):
        known = np.flatnonzero(~np.isnan(holed[row]))
        logs = [
            multivariate_normal(mean[known], covariance[np.ix_(known, known)]).logpdf(
                holed[row, known]
            )
            for mean, covariance in zip(
                normals.mean, np.broadcast_to(normals.covariance, (2, 300, 300)), strict=True
            )
        ]
        wanted = 1 / (1 + np.exp(logs[1] - logs[0]))
        assert found[row, 0] == pytest.approx(wanted, abs=1e-6)


def test_more_pairs_of_columns_than_can_be_looked_at_are_refused():
    rows = [(f"k{at}", at % 7, "ab"[at % 2]) for at in range(3000)]
    table = Table.of(rows, ["key", "x", "y"])
    with pytest.raises(DomainError, match=r"3,000 are the values of 'key'.*with_roles"):
        LDA(table, calibrate=False)
    assert QDA(table, calibrate=False)(table[0]) in ("a", "b")  # which takes symbols by themselves
    names = [f"x{at}" for at in range(4000)]
    wide = satsuma.read(np.zeros((2, 4000)), names=names).with_column("y", ["a", "b"])
    for learner in (LDA(calibrate=False), QDA(calibrate=False)):
        with pytest.raises(DomainError, match=r"There are 4,000 columns, and.*Select"):
            learner(wide.with_roles({}, target="y"))


def test_models_in_which_other_columns_vary():
    """Each row is predicted by its own model: one has nothing of `a` to go by, the other of `b`."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 200)
    x = rng.normal(size=(200, 3)) + y[:, None] * [2.0, -2.0, 0.5]
    names = ["a", "b", "c", "y"]
    rows = [(*each, "pq"[code]) for each, code in zip(x.tolist(), y.tolist(), strict=True)]
    table = Table.of(rows, names)
    models = [LDA()(table.with_column(name, np.full(200, 1.5))) for name in "ab"]
    which = np.arange(200, dtype=np.int32) % 2
    found = type(models[0]).codes_by_model(models, which, table)
    each = [model.codes(table) for model in models]
    assert found is None or found.tolist() == np.where(which, each[1], each[0]).tolist()
