"""Indicators of missing cells in a Gaussian of several columns: as columns of the table."""

import numpy as np
import pytest

import satsuma
from satsuma import LDA, Domain, Logistic, Table, Variable
from satsuma.errors import ParameterError, ReadError
from satsuma.likelihoods.missing_indicators import Spread, informative_of
from satsuma.measures.informative_missing import informative_columns
from satsuma.tallies.scatter import Scatter
from satsuma.tallies.target_where_missing import TargetWhereMissing


def with_holes(seed, n=300, weights=False):
    """Numbers and symbols, of which some are missing more often in a class; `never` is not."""
    rng = np.random.default_rng(seed)
    y = rng.choice(["p", "q", "r"], n, p=[0.5, 0.3, 0.2])
    x = rng.normal(size=(n, 4)) + 1e3 + (y == "q")[:, None]
    sort = rng.choice(["red", "green", "blue"], n)
    more = 0.3 * np.stack([y == "p", y == "r", y == "x", y == "q", y == "x"], axis=1)
    lost = rng.random((n, 5)) < 0.15 + more
    lost[:, 4] = False
    cells = [*x[:, :3].T.tolist(), sort.tolist(), x[:, 3].tolist()]
    cells = [[None if gone else c for gone, c in zip(w, col, strict=True)] for w, col in
             zip(lost.T, cells, strict=True)]  # fmt: skip
    names = ["a", "b", "c", "sort", "never", "class"]
    table = Table.of(list(zip(*cells, y.tolist(), strict=True)), names)
    if weights:
        table = table.with_column("w", rng.integers(1, 4, n) / 2.0)
        table = table.with_roles({"w": "weight"}, target="class")
    return table


def with_columns(table, names):
    """The table with a column of zeros and ones, of where each is missing."""
    more = [Variable(f"{name} is missing") for name in names]
    cells = [table.missing(name).astype(float) for name in names]
    return Table(Domain([*table.domain, *more]), [*table.columns, *cells])


@pytest.mark.parametrize("weights", [False, True])
@pytest.mark.parametrize("seed", range(3))
def test_the_scatter_of_indicators_is_that_of_columns(seed, weights):
    table, names = with_holes(seed, weights=weights), ("b", "sort", "a")
    found = Spread.of(Scatter.of(table), names)
    want = Scatter.of(with_columns(table, names))
    assert found.weight == pytest.approx(want.weight, rel=1e-9)
    assert found.mean == pytest.approx(want.mean, rel=1e-9)
    assert found.cross == pytest.approx(want.cross, rel=1e-7, abs=1e-7)


@pytest.mark.parametrize("weights", [False, True])
def test_columns_are_those_of_other_learners(weights):
    for seed in range(3):
        table = with_holes(seed, weights=weights)
        tally, scatter = TargetWhereMissing.of(table), Scatter.of(table)
        for missing in ("auto", "ignore", "informative"):
            assert informative_of(scatter, missing) == informative_columns(tally, missing)
        assert LDA()(table).informative == Logistic()(table).informative
        assert {"a", "sort"} <= set(LDA()(table).informative) < {"a", "b", "c", "sort"}


def test_an_lda_is_that_of_a_table_with_indicators():
    table = with_holes(1)
    model = LDA(missing="informative", calibrate=False)(table)
    plain = with_columns(table, model.informative)
    want = LDA(missing="ignore", calibrate=False)(plain)
    chances = model(table, satsuma.GetProbabilities)
    assert chances == pytest.approx(want(plain, satsuma.GetProbabilities), abs=1e-8)
    assert (model(table) == want(plain)).all()
    assert model.transform(table) == pytest.approx(want.transform(plain), abs=1e-6)
    assert set(model.features) == set(want.features)
    told, asked = (each.means["p"]["a is missing"] for each in (model, want))
    assert told == pytest.approx(asked)
    assert "a is missing" in str(model)


def test_a_temperature_counts_indicators_as_known():
    """The folds by which it is found follow from the cells, so that it is not quite the same."""
    table = with_holes(1)
    model = LDA(missing="informative")(table)
    plain = with_columns(table, model.informative)
    want = LDA(missing="ignore")(plain)
    assert model.temperature == pytest.approx(want.temperature, rel=0.03)
    want.temperature = model.temperature
    chances = model(table, satsuma.GetProbabilities)
    assert chances == pytest.approx(want(plain, satsuma.GetProbabilities), abs=1e-8)


def test_what_is_forgotten_was_not_learned():
    table = with_holes(2)
    model = LDA()(table).forget(table[250:])
    want = LDA()(table[:250])
    assert model.informative == want.informative
    found, asked = (each(table, satsuma.GetProbabilities) for each in (model, want))
    assert found == pytest.approx(asked, abs=1e-6)


def test_rows_that_are_drawn_lack_nothing():
    model = LDA()(with_holes(1))
    drawn = model.sample(200, seed=1)
    assert not any(drawn.missing(v.name).any() for v in drawn.domain)
    want = model.means["q"]["never"]
    rows = drawn.filter(lambda each: each["class"] == "q").column("never")
    assert abs(rows.mean() - want) < 5 * rows.std() / np.sqrt(len(rows))


def test_raw_numbers_are_scored_by_slopes():
    table = with_holes(1).select(["a", "b", "c", "never", "class"])
    model, complete = LDA()(table), np.ones(300, bool)
    for name in "abc":
        complete &= ~table.missing(name)
    rows = table[np.flatnonzero(complete)]
    x = np.column_stack([rows.column(v.name) for v in rows.domain.attributes])
    slopes, constants = model.linear_scores()
    scores = x @ slopes.T + constants
    chances = np.exp(scores - scores.max(axis=1, keepdims=True))
    chances /= chances.sum(axis=1, keepdims=True)
    assert model.informative
    assert chances == pytest.approx(model(rows, satsuma.GetProbabilities), abs=1e-9)


@pytest.mark.parametrize("wrong", [["class"], ["a", "a"], []])
def test_files_are_checked(wrong, tmp_path):
    model = LDA()(with_holes(1))
    model.normals.informative = wrong
    model.save(tmp_path / "wrong.satsuma")
    with pytest.raises(ReadError):
        satsuma.open_model(tmp_path / "wrong.satsuma")


def test_indicators_are_for_a_shared_covariance():
    block = satsuma.MultivariateGaussian(shared=False, missing="auto")
    with pytest.raises(ParameterError, match="'missing' parameter of MultivariateGaussian"):
        block.check()
