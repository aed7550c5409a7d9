"""What the default keeps of a tree; and pruning by cross-validation."""

import numpy as np
import pytest

import satsuma
from satsuma import RegressionTree, Table, Tree
from satsuma.checks import check_learner
from satsuma.checks.batches import Batches
from satsuma.learners.tree import pruning
from satsuma.learners.tree.fold_growth import FOLDS, grow_folds

HOW = [None, "error", "cross-validation"]
CLASSES = ["voting", "heart_disease", "zoo", "titanic", "adult_sample", "iris"]


def noisy(rows=400, seed=0, noise=0.3):
    """A class that one number tells, but for noise."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(rows, 4))
    y = np.where((x[:, 0] > 0) ^ (rng.random(rows) < noise), "p", "q")
    made = [[*row, each] for row, each in zip(x.tolist(), y.tolist(), strict=True)]
    return Table.of(made, ["a", "b", "c", "d", "y"])


@pytest.mark.parametrize("name", CLASSES)
def test_no_question_gains_nothing(name):
    """Below each question, the rows learned from are predicted better than by its node alone."""
    model = Tree()(satsuma.load(name))
    assert model.size > 1
    for node in model.root:
        if node.attribute is not None:
            wrong = [e.n * (1 - model.trust_at(e.index)) for e in node if e.attribute is None]
            assert sum(wrong) < node.n * (1 - model.trust_at(node.index)) - 0.5


@pytest.mark.parametrize("name", CLASSES)
def test_branches_with_the_same_answer_are_one(name):
    for node in Tree()(satsuma.load(name)).root:
        if node.attribute is not None:
            assert len({each.value for each in node if each.attribute is None}) > 1


def test_without_pruning_there_are_such_questions():
    """What is tested above can fail."""
    model = Tree(prune=None)(satsuma.load("voting"))
    answers = [{e.value for e in n if e.attribute is None} for n in model.root if n.attribute]
    assert min(len(each) for each in answers) == 1


def test_the_same_answer_is_collapsed_where_rows_are_many():
    """One branch is pure and one nearly even: the errors look fewer, and the answer is the same."""
    rows = [("a", "p")] * 40_000 + [("b", "p")] * 4_010 + [("b", "q")] * 4_000
    table = Table.of(rows, ["x", "y"])
    assert Tree(prune=None)(table).leaves == 2
    assert Tree()(table).leaves == 1


def test_a_strength_is_chosen_by_rows_that_were_not_grown_from():
    """By hand: the errors of every strength, from the models of all folds."""
    table = noisy()
    learner = Tree(prune="cross-validation", missing="ignore")
    whole, *folds = grow_folds(learner.setup(table.domain), table)
    assert len(folds) == FOLDS
    errors = np.zeros((FOLDS, len(pruning._STRENGTHS)))
    for each in folds:
        part = each.grown.stats[0].sum() / len(table)
        for at, strength in enumerate(pruning._STRENGTHS):
            pruned = pruning.by_error(each.grown, 2, strength * part)
            ends = satsuma.kernels.tree.average(
                pruned.flat, pruned.stats, [table.column(n) for n in "abcd"], len(table)
            )[0]
            wrong = ends.argmax(axis=1) != table.column("y")
            errors[each.setup.fold, at] = wrong[held_rows(each.setup, table)].sum()
    least = errors.sum(axis=0).argmin()
    near = FOLDS * (errors[:, least].std() / FOLDS**0.5) / 2  # the standard error of a mean
    best = np.flatnonzero(errors.sum(axis=0) <= errors.sum(axis=0)[least] + near + 1e-6)[-1]
    want = pruning.by_error(whole.grown, 2, pruning._STRENGTHS[best])
    np.testing.assert_array_equal(learner(table).column, want.flat.column)


def held_rows(setup, table):
    from satsuma.learners.tree.binning import held_share
    from satsuma.tallies.content_hashes import training_hashes

    return (held_share(training_hashes(table)) * FOLDS).astype(int) == setup.fold


def test_every_row_is_held_out_once():
    table = noisy(200)
    _, *folds = grow_folds(Tree(prune="cross-validation").setup(table.domain), table)
    assert sum(each.held.sum() for each in folds) == 200
    assert all(each.grown.stats[0].sum() + each.held.sum() == 200 for each in folds)


@pytest.mark.figures
def test_noise_is_pruned_away():
    sizes = [Tree(prune="cross-validation")(noisy(seed=seed)).leaves for seed in range(5)]
    assert np.median(sizes) == 2
    tables = [noisy(seed=seed, noise=0.5) for seed in range(5)]
    grown, *pruned = (sum(Tree(prune=how)(each).leaves for each in tables) for how in HOW)
    assert max(pruned) < grown / 10


def test_weights_are_rows_to_cross_validation():
    check_learner(Tree(prune="cross-validation", max_depth=2), laws=[3])


@pytest.mark.parametrize("bins", [None, 7])
@pytest.mark.parametrize("kind", [Tree, RegressionTree])
def test_cross_validated_in_rounds(kind, bins):
    table = noisy(300)
    if kind is RegressionTree:
        table = table.with_roles(target="a").select(["b", "c", "d", "y", "a"])
    learner = kind(prune="cross-validation", bins=bins)
    found = learner(Batches(table, size=70, merge="backwards"))
    assert str(found) == str(learner(table))


@pytest.mark.parametrize("rows", [[(1.0, "a")], [(1.0, "a")] * 3, [(1.0, "a"), (2.0, "b")]])
def test_few_rows(rows):
    table = Table.of(rows, ["x", "y"])
    learner = Tree(prune="cross-validation")
    assert learner(table).leaves == 1
    assert str(learner(Batches(table, size=1))) == str(learner(table))


def test_numbers_are_cross_validated():
    housing = satsuma.load("housing")
    found = RegressionTree(prune="cross-validation")(housing)
    assert 3 < found.leaves < RegressionTree(prune=None)(housing).leaves
