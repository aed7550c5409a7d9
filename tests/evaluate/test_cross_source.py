"""Cross-validation of a source gives what learning anew from the rows of other folds gives."""

import numpy as np
import pytest

import satsuma
from satsuma import (
    KNN,
    GetProbabilities,
    Logistic,
    Majority,
    Mean,
    NaiveBayes,
    Ridge,
    Table,
    Tree,
    cross_validate,
)
from satsuma.checks.batches import Batches
from satsuma.data.formats.delimited import text_parts as delimited
from satsuma.errors import DomainError, ParameterError
from satsuma.folds import deal_places


@pytest.fixture
def table():
    rng = np.random.default_rng(2)
    rows = []
    for k in range(900):
        y = int(rng.integers(3))
        x = None if k % 17 == 0 else round(float(rng.normal(y)), 3)
        rows.append((x, "pqr"[(y + k % 2) % 3], float(k % 3), "abc"[y] if k % 19 else None))
    return Table.of(rows, ["x", "s", "w", "y"], roles={"w": "weight"})


@pytest.fixture
def path(table, tmp_path, monkeypatch):
    monkeypatch.setattr(delimited, "PART", 2000)
    table.write(tmp_path / "rows.csv")
    return tmp_path / "rows.csv"


@pytest.mark.parametrize("learner", [NaiveBayes(), Tree(max_depth=3), Logistic(), Majority()])
def test_each_fold_is_answered_by_what_was_learned_from_the_others(table, path, learner):
    source = satsuma.scan(path, target="y", roles={"w": "weight"}, threads=2)
    results = cross_validate(learner, source, folds=4, seed=9)
    folds = deal_places(0, len(table), 4, 9)
    used = ~table.missing("y") & (table.weights > 0)
    expected = np.full((len(table), 3), np.nan)
    for fold in range(4):
        model = learner(table[used & (folds != fold)])
        expected[used & (folds == fold)] = model(table[used & (folds == fold)], GetProbabilities)
    np.testing.assert_allclose(results.probabilities(), expected, rtol=1e-9, atol=1e-12)
    right = (table["y"] == results.predictions())[used]
    assert results.pooled("CA")[type(learner).__name__] == pytest.approx(
        np.average(right, weights=table.weights[used])
    )
    assert "AUC" in str(results)


def test_numbers(table, path):
    source = satsuma.scan(path, target="x", roles={"w": "weight", "y": "meta"})
    results = cross_validate([Ridge(), Mean()], source, folds=3)
    plain = table.with_roles({"y": "meta"}, target="x")
    folds, used = deal_places(0, 900, 3, 0), ~table.missing("x") & (table.weights > 0)
    model = Ridge()(plain[used & (folds != 1)])
    rows = used & (folds == 1)
    np.testing.assert_allclose(results.predictions("Ridge")[rows], model(plain[rows]), rtol=1e-9)


def test_folds_are_even_and_do_not_depend_on_the_cuts():
    whole = deal_places(0, 100_000, 10, seed=1)
    parts = [deal_places(first, 1000, 10, seed=1) for first in range(0, 100_000, 1000)]
    np.testing.assert_array_equal(whole, np.concatenate(parts))
    counts = np.bincount(whole, minlength=10)
    assert abs(counts - 10_000).max() < 5 * 95  # five standard deviations
    assert (deal_places(0, 1000, 10, seed=2) != whole[:1000]).mean() > 0.8


def test_repeats_deal_anew(path):
    source = satsuma.scan(path, target="y")
    results = cross_validate(Majority(), source, folds=3, repeats=2)
    one, other = (trial.parts for trial in results.trials)
    assert (one != other).any()


def test_what_is_refused(table, path):
    source = satsuma.scan(path, target="y")
    with pytest.raises(DomainError, match=r"source\.sample"):
        cross_validate([NaiveBayes(), KNN()], source)
    with pytest.raises(ParameterError, match="folds of your own go with a table"):
        cross_validate(NaiveBayes(), source, groups="s")
    with pytest.raises(ParameterError, match=r"satsuma\.scan"):
        cross_validate(NaiveBayes(), Batches(table))
    with pytest.raises(DomainError, match="folds have no row"):
        cross_validate(NaiveBayes(), source, folds=2000)
