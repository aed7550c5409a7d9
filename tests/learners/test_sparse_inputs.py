"""Sparse matrices of SciPy, and arrays of other libraries than NumPy."""

import array_api_strict as xp
import numpy as np
import pytest
from joblib import Parallel, delayed
from scipy import sparse
from sklearn.naive_bayes import GaussianNB

from satsuma import (
    ID3,
    KNN,
    LDA,
    Forest,
    KMeans,
    LinearSVM,
    Logistic,
    NaiveBayes,
    Ridge,
    Tree,
)
from satsuma.errors import DomainError
from satsuma.learners.estimator import sparse_rows
from satsuma.learners.estimator.array_inputs import as_array

RNG = np.random.default_rng(0)
X = np.where(RNG.random((240, 12)) < 0.3, RNG.normal(2, 1, (240, 12)), 0.0)
Y = (X[:, :4].sum(axis=1) + RNG.normal(size=240) > 2).astype(int)
IN_ROUNDS = [
    NaiveBayes(),
    NaiveBayes(number="gaussian"),
    Logistic(),
    LDA(),
    Tree(),
    Forest(trees=3),
]
IN_MEMORY = [KNN(k=3), LinearSVM()]


@pytest.fixture
def small_blocks(monkeypatch):
    monkeypatch.setattr(sparse_rows, "MOST_CELLS", 500)
    monkeypatch.setattr(sparse_rows, "BLOCK_CELLS", 300)


@pytest.mark.parametrize("form", ["csr_array", "csc_matrix", "coo_array", "lil_matrix"])
@pytest.mark.parametrize("learner", [*IN_ROUNDS, *IN_MEMORY], ids=repr)
def test_a_sparse_matrix_is_its_array(learner, form):
    made = getattr(sparse, form)(X)
    ours, theirs = type(learner)(**learner.get_params(deep=False)), learner.fit(X, Y)
    found = ours.fit(made, Y)
    assert (found.predict_proba(made) == theirs.predict_proba(X)).all()
    assert (found.predict(made.tocsr()) == theirs.predict(X)).all()


@pytest.mark.usefixtures("small_blocks")
@pytest.mark.parametrize("learner", IN_ROUNDS, ids=repr)
def test_a_large_one_is_learned_from_in_blocks(learner):
    weights = RNG.integers(0, 3, 240)
    again = type(learner)(**learner.get_params(deep=False))
    dense, made = again.fit(X, Y, weights), learner.fit(sparse.csr_array(X), Y, weights)
    found = made.predict_proba(sparse.coo_array(X))
    assert np.allclose(found, dense.predict_proba(X), atol=1e-6)
    if hasattr(made, "decision_function"):
        values = made.decision_function(sparse.csc_array(X))
        assert np.allclose(values, dense.decision_function(X), atol=1e-6)


@pytest.mark.usefixtures("small_blocks")
def test_blocks_as_scikit_learn_s_array():
    made = NaiveBayes(number="gaussian", calibrate=False).fit(sparse.csr_array(X), Y)
    theirs = GaussianNB(var_smoothing=0).fit(X, Y)
    assert (made.predict(sparse.csr_array(X)) == theirs.predict(X)).mean() > 0.99
    numbers = X @ np.arange(12.0)
    ridge = Ridge(l2=1e-9).fit(sparse.csr_array(X), numbers)
    assert np.allclose(ridge.predict(sparse.csr_array(X)), numbers)
    assert np.allclose(ridge.coef_, np.arange(12.0))
    batches = NaiveBayes().partial_fit(sparse.csr_array(X[:90]), Y[:90])
    batches.partial_fit(sparse.csr_array(X[90:]), Y[90:])
    assert np.allclose(batches.predict_proba(X), NaiveBayes().fit(X, Y).predict_proba(X))
    groups = KMeans(k=2).fit(sparse.csr_array(X))
    assert (groups.labels_ == groups.predict(X)).all()
    assert groups.transform(sparse.csr_array(X)).shape == (240, 2)


@pytest.mark.usefixtures("small_blocks")
def test_what_needs_all_rows_refuses_a_large_one():
    with pytest.raises(DomainError, match=r"KNN needs all of X in memory.*NaiveBayes, Logistic"):
        KNN().fit(sparse.csr_array(X), Y)


def test_sparse_inputs_that_are_none():
    with pytest.raises(DomainError, match="Complex data"):
        NaiveBayes().fit(sparse.csr_array(X * 1j), Y)
    with pytest.raises(DomainError, match="ID3 takes symbols alone"):
        ID3().fit(sparse.csr_array(X), Y)


def test_infinite_numbers_in_a_sparse_matrix(small_blocks):
    del small_blocks
    wrong = X.copy()
    wrong[200, 3] = np.inf
    for learner in (NaiveBayes(), Logistic(), Tree()):
        with pytest.raises(DomainError, match="Column 'x3' holds inf in row 200"):
            learner.fit(sparse.csr_array(wrong), Y)


def test_arrays_of_another_library():
    x, y, w = xp.asarray(X), xp.asarray(Y), xp.asarray(np.ones(240))
    for learner in (NaiveBayes(), Tree()):
        made = learner.fit(x, y, w)
        assert (made.predict(x) == made.fit(X, Y).predict(X)).all()
        assert made.score(x, y, w) == made.score(X, Y)
    assert as_array(xp.asarray([True, False])).tolist() == [True, False]


class Elsewhere:
    """As a tensor on a device: exported to the CPU alone, by a copy."""

    def __dlpack_device__(self):
        return (1, 0)

    def __dlpack__(self, *, dl_device=None, **more):
        if dl_device != (1, 0):
            raise BufferError("on a device")
        return np.arange(3.0).__dlpack__(dl_device=dl_device, **more)


class Lost(Elsewhere):
    def __dlpack__(self, **more):
        raise BufferError("it requires a gradient")

    def __array__(self, *more, **others):
        raise RuntimeError("it requires a gradient")


def test_arrays_that_are_elsewhere():
    assert as_array(Elsewhere()).tolist() == [0, 1, 2]
    with pytest.raises(DomainError, match=r"it requires a gradient\. Detach it"):
        as_array(Lost())


def test_learners_go_through_joblib():
    jobs = (delayed(NaiveBayes(m=m).fit)(X, Y) for m in (0, 1, 2))
    found = Parallel(n_jobs=2)(jobs)
    assert [one.m for one in found] == [0, 1, 2]
    assert (found[1].predict(X) == NaiveBayes(m=1).fit(X, Y).predict(X)).all()
