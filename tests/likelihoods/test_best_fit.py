"""BestFit: for each column the block that is least wrong about rows it has not learned from."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import satsuma
from satsuma import NaiveBayes, Table, load
from satsuma.likelihoods.best_fit import FOLDS, TRIED, BestFit, _Cells
from satsuma.likelihoods.binned import IntervalProbabilities
from satsuma.likelihoods.gaussian import Gaussians
from satsuma.likelihoods.kde import Densities
from satsuma.tallies.values import Values


def table_of(columns, target, weights=None):
    names = [*columns, "y"]
    rows = list(zip(*(np.asarray(each).tolist() for each in columns.values()), target, strict=True))
    table = Table.of(rows, names, target="y")
    return table if weights is None else table.with_weights(weights)


def made(n=3000):
    """A bell in each class, a hill between two others, and steps."""
    rng = np.random.default_rng(3)
    y = rng.integers(0, 2, n)
    bell = rng.normal(size=n) + y
    beside = rng.choice([-1.2, 1.2], n) + 0.6 * rng.normal(size=n)
    hills = np.where(y == 0, rng.normal(size=n), beside)
    steps = (rng.integers(0, 4, n) * 2 + np.where(rng.uniform(size=n) < 0.9, y, 1 - y)) / 8
    columns = {"bell": bell, "hills": hills, "steps": steps + rng.uniform(0, 1 / 8, n)}
    return table_of(columns, [f"c{each}" for each in y])


def test_each_column_has_the_block_that_fits_it():
    chosen = {
        name: type(each) for each in BestFit().conclude(Values.of(made())) for name in each.names
    }
    assert chosen == {"bell": Gaussians, "hills": Densities, "steps": IntervalProbabilities}


def test_what_is_chosen_is_what_the_block_says_by_itself():
    table = made()
    said = {name: each for each in BestFit().conclude(Values.of(table)) for name in each.names}
    for name, block in zip(("bell", "steps", "hills"), TRIED, strict=True):
        alone = table.select([name, "y"])
        expected = block.conclude(block.tally_kind.of(alone)).log_evidence(alone)
        np.testing.assert_allclose(said[name].log_evidence(alone), expected, rtol=1e-9)


@given(
    st.lists(
        st.tuples(
            st.integers(0, 4), st.sampled_from("abc"), st.sampled_from([1.0, 2.0, 0.5, 7.25])
        ),
        min_size=1,
        max_size=30,
    )
)
def test_folds_share_out_what_every_number_weighs(rows):
    numbers, classes, weights = zip(*rows, strict=True)
    table = Table.of(
        list(zip(map(float, numbers), classes, weights, strict=True)),
        ["x", "y", "w"],
        target="y",
        kinds={"x": "num"},
        roles={"w": "weight"},
    )
    cells = _Cells.of(Values.of(table), "x")
    folds = cells.folds()
    assert folds.shape[0] == FOLDS
    assert (folds >= -1e-12).all()
    np.testing.assert_allclose(folds.sum(axis=0), cells.weight, atol=1e-9)
    for low, high in zip(cells.runs.starts, cells.runs.starts[1:], strict=False):
        of_class = folds[:, low:high].sum(axis=1)
        assert np.ptp(of_class) <= 1 + 1e-9  # folds are alike


def test_neither_order_nor_parts_make_a_difference():
    table = made()
    shuffled = table[np.random.default_rng(0).permutation(len(table))]
    model, other = NaiveBayes(number="auto")(table), NaiveBayes(number="auto")(shuffled)
    np.testing.assert_allclose(model.probabilities(table), other.probabilities(table), rtol=1e-9)


@pytest.mark.parametrize("name", ["heart_disease", "iris", "adult_sample"])
@pytest.mark.figures
def test_it_is_about_as_good_as_the_best_alone(name):
    learners = {each: NaiveBayes(number=each) for each in ("gaussian", "kde", "mdl", "auto")}
    loss = satsuma.cross_validate(learners, load(name), folds=5).scores("log loss")
    assert loss["auto"] < (loss["gaussian"] + min(loss.values())) / 2 + 0.02


def test_a_column_that_says_nothing_or_is_missing_is_taken():
    rows = [(1.0, None, "a"), (1.0, None, "b"), (1.0, None, "b")]
    table = Table.of(rows, ["same", "none", "y"], kinds={"none": "num"}, target="y")
    model = NaiveBayes(number="auto")(table)
    np.testing.assert_allclose(model.probabilities(table), [[1 / 3, 2 / 3]] * 3)
