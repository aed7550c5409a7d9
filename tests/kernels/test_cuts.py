import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from satsuma.kernels import cuts
from satsuma.kernels.cuts import twin
from satsuma.measures import mdl_cuts
from satsuma.numerics.sums import information, x_log_x


@given(st.integers(0, 10_000), st.sampled_from([2, 3, 9]), st.booleans())
def test_the_kernel_finds_the_cut_of_its_twin(seed, classes, whole):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 200))
    weight = rng.integers(0, 4, (n, classes)).astype(float)
    weight = weight if whole else weight * rng.random((n, classes))
    upto = np.concatenate((np.zeros((1, classes)), np.cumsum(weight, axis=0)))
    table = x_log_x(np.arange(upto[-1].sum() + 1)) if whole else np.zeros(0)
    lo, hi = sorted(rng.integers(0, n + 1, 2).tolist())
    found = cuts.best_cut(upto, lo, hi, table)
    expected = twin.best_cut(upto, lo, hi, table)
    if hi - lo < 2:
        assert found == expected == -1
        return
    left, right = upto[[found, expected]] - upto[lo], upto[hi] - upto[[found, expected]]
    right = np.where(right > 1e-12 * (upto[hi] - upto[lo]), right, 0.0)
    mine, twins = information(left) + information(right)
    assert mine == pytest.approx(twins, rel=1e-12, abs=1e-9)
    if whole and classes < 8:  # sums of so few are made in the same order
        assert found == expected


def test_a_table_of_logarithms_changes_nothing():
    rng = np.random.default_rng(0)
    labels = rng.integers(0, 3, 5000)
    numbers = np.round(rng.normal(size=5000) + 2 * labels, 2)
    value, at = np.unique(numbers, return_inverse=True)
    weight = np.zeros((len(value), 3))
    np.add.at(weight, (at, labels), 1.0)
    found = mdl_cuts(value, weight)  # heavy enough for a table
    assert len(found) > 2
    # The same weights, but for rounding, are no whole numbers, and get none.
    assert mdl_cuts(value, weight * (1 + 1e-12)).tolist() == found.tolist()


def test_many_classes_and_neighbouring_floats():
    value = np.arange(700.0)
    assert np.isfinite(mdl_cuts(value, np.eye(700))).all()  # though 3^700 is no float
    near = np.array([1.0, np.nextafter(1.0, 2)])
    assert mdl_cuts(near, np.array([[50.0, 0.0], [0.0, 50.0]])).tolist() == [1.0]


def made(seed, classes, whole):
    """A column of a few hundred numbers, some of them equal, in five folds."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 300))
    label = rng.integers(0, classes, n).astype(np.int32)
    value = np.round(rng.normal(size=n) + 2 * label, int(rng.integers(0, 3)))
    weight = rng.integers(1, 4, n) * (1.0 if whole else rng.uniform(0.2, 1, n))
    fold = rng.integers(0, 5, n).astype(np.int32)
    order = np.argsort(value, kind="stable")
    total = np.zeros((6, classes))
    for at in range(6):
        np.add.at(total[at], label[fold != at], weight[fold != at])
    total[:-1][~(total[:-1] > 0).any(axis=1)] = -1.0
    shape = (5, classes)
    base = np.where(total[:-1] > 0, rng.normal(size=shape), -np.inf)
    table = x_log_x(np.arange(weight.sum() + 1)) if whole else np.zeros(0)
    mean, scale = rng.normal(size=shape), rng.uniform(0, 2, shape)
    columns = [each[order] for each in (value, label, fold, weight)]
    return cuts.Column(*columns, mean, scale, base, total, 2.0, 1e-9, table)


@given(st.integers(0, 10_000), st.sampled_from([1, 2, 3, 9]), st.booleans())
def test_the_kernel_compares_as_its_twin(seed, classes, whole):
    column = made(seed, classes, whole)
    found, expected = cuts.compare(column), twin.compare(column)
    assert (found.bell, found.cut) == (expected.bell, expected.cut)
    for mine, twins in zip(found.cuts + found.counts, expected.cuts + expected.counts, strict=True):
        np.testing.assert_array_equal(mine, twins)


@given(st.integers(0, 10_000), st.sampled_from([2, 3, 9]), st.booleans())
def test_all_cuts_are_those_of_the_twin(seed, classes, whole):
    column = made(seed, classes, whole)
    value, upto = twin._learned_from(column, 9)
    found = cuts.mdl_cuts(upto, column.table)
    np.testing.assert_array_equal(found, twin.mdl_cuts(upto, column.table))
    assert (np.diff(found) > 0).all()
    assert ((found > 0) & (found < len(value))).all()


@pytest.mark.skipif(not cuts.compiled, reason="the twin checks nothing")
def test_what_leads_beyond_its_arrays_is_refused():
    column = made(1, 2, True)
    for wrong in (
        {"label": column.label + 2},
        {"fold": column.fold - 5},
        {"weight": column.weight[1:]},
        {"value": column.value[::-1].copy()},
        {"value": column.value * np.nan},
        {"table": column.table[:-1]},
        {"mean": column.mean[1:]},
        {"class_weight": column.class_weight[1:]},
    ):
        with pytest.raises(ValueError, match=r"fold|row|order|table|there is"):
            cuts.compare(column._replace(**wrong))
    with pytest.raises(ValueError, match="table"):
        cuts.mdl_cuts(np.array([[0.0, 0], [3, 1], [4, 4]]), np.zeros(3))
