"""Pruning of what chance gains: the default stays readable where rows are many and noisy."""

import numpy as np
import pytest

import satsuma
from satsuma import RegressionTree, Tree
from satsuma.checks.batches import Batches
from satsuma.learners.tree.chance import cuts


def one_cut(rows, seed, kind):
    """What one of ten numbers tells of a class, or of a number, and three tenths noise."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(rows, 10))
    if kind is Tree:
        y = np.where((x[:, 0] > 0) ^ (rng.random(rows) < 0.3), "p", "q")
    else:
        y = (x[:, 0] > 0) + rng.normal(size=rows)
    return satsuma.read({**{f"x{j}": x[:, j] for j in range(10)}, "y": y}, target="y")


@pytest.mark.figures
@pytest.mark.parametrize("rows", [1_000, 5_000, 20_000])
@pytest.mark.parametrize("kind", [Tree, RegressionTree])
def test_one_noisy_cut_is_told_in_few_leaves(kind, rows):
    model = kind()(one_cut(rows, 0, kind))
    assert 2 <= model.leaves <= 10
    assert model.root.attribute == "x0"
    assert abs(model.root.threshold) < 0.2


@pytest.mark.parametrize(
    ("learner", "leaves"),
    [(Tree(), 2), (RegressionTree(), 2), (Tree(split="multiway"), 20), (Tree(split="auto"), 20)],
    ids=repr,
)
def test_one_noisy_symbol_of_many_values_is_told_in_few_leaves(learner, leaves):
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 20, (2_000, 4))
    odd, noise = codes[:, 0] % 2, rng.random(2_000)
    y = np.where(odd ^ (noise < 0.3), "p", "q") if isinstance(learner, Tree) else odd + 3 * noise
    columns = {f"s{j}": np.char.add("v", codes[:, j].astype(str)) for j in range(4)}
    model = learner(satsuma.read({**columns, "y": y}, target="y"))
    assert model.root.attribute == "s0"
    assert model.leaves == leaves


@pytest.mark.parametrize("kind", [Tree, RegressionTree])
def test_noise_alone_is_one_leaf(kind):
    table = one_cut(2_000, 1, kind).with_roles({"x0": "meta"})
    assert kind()(table).leaves == 1
    assert kind(prune=None)(table).leaves > 100


@pytest.mark.parametrize("bins", [None, 50])
@pytest.mark.parametrize("kind", [Tree, RegressionTree])
def test_batches_have_as_many_cuts_as_their_table(kind, bins):
    """There are more rows than the sample has that values are counted in."""
    table = one_cut(18_000, 2, kind)
    learner = kind(bins=bins, min_leaf=200)
    assert str(learner(Batches(table, size=5_000))) == str(learner(table))


def test_real_cuts_that_gain_nothing_alone_are_kept():
    """A chessboard: no cut of the whole tells anything, and all of them together everything."""
    x = np.random.default_rng(0).random((4_000, 2))
    y = np.where(np.floor(x * 4).sum(axis=1) % 2 == 0, "p", "q")
    table = satsuma.read({"a": x[:, 0], "b": x[:, 1], "y": y}, target="y")
    model = Tree()(table)
    assert model.leaves >= 16
    assert (model(table) == y).mean() > 0.99


@pytest.mark.parametrize("scale", [1e-9, 1e9])
def test_the_unit_of_the_target_does_not_matter(scale):
    housing = satsuma.load("housing")
    scaled = housing.with_column("MEDV", housing.column("MEDV") * scale)
    assert RegressionTree()(scaled).leaves == RegressionTree()(housing).leaves


def test_columns_of_two_values_have_one_cut_each():
    """Between so many values there is a cut less, and no more than between the rows at a node."""
    assert cuts((2,) * 15, np.array([12.0])).tolist() == [15.0]
    assert cuts((1, 3, 40), np.array([12.0, 1.0, 0.5])).tolist() == [13.0, 0.0, 0.0]
