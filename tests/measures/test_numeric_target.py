"""Measures of attributes where the target is a number."""

import numpy as np
import pytest
from scipy.stats import pearsonr
from sklearn.feature_selection import mutual_info_regression
from sklearn.tree import DecisionTreeRegressor

import satsuma
from satsuma import KNN, NaiveBayes, Ridge, Select, Table, best_attribute, score_attributes
from satsuma.errors import DomainError, ParameterError
from satsuma.measures import (
    Distance,
    correlation_ratio,
    mutual_information,
    rrelief,
    variance_gain,
)

HOUSING = satsuma.load("housing")


def numbers(rows=300, seed=0):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=rows)
    return x, np.sin(2 * x) + 0.3 * rng.normal(size=rows)


def test_the_gain_of_a_number_is_that_of_a_stump_of_scikit_learn():
    for name in ("RM", "LSTAT", "CHAS"):
        x, y = HOUSING.to_numpy([name]), HOUSING.column("MEDV")
        stump = DecisionTreeRegressor(max_depth=1).fit(x, y)
        impurity, n = stump.tree_.impurity, stump.tree_.weighted_n_node_samples
        gain = impurity[0] - (impurity[1:] @ n[1:]) / n[0]
        assert score_attributes(HOUSING)[name] == pytest.approx(gain)


def test_the_gain_of_a_symbol_by_hand():
    codes, y = np.array([0, 0, 1, 1, -1], np.int32), np.array([1.0, 3, 7, 9, 4])
    # Of 4 known rows the mean is 5, of the symbols 2 and 8: each is 3 away. A fifth is missing.
    assert variance_gain(codes, y, np.ones(5)) == pytest.approx(0.8 * 9)
    # Sums of squares: 36 between the symbols, 40 in all.
    assert correlation_ratio(codes, y, np.ones(5)) == pytest.approx(0.8 * 36 / 40)


def test_the_ratio_of_a_number_is_the_squared_correlation():
    x, y = numbers()
    assert correlation_ratio(x, y, np.ones(len(x))) == pytest.approx(pearsonr(x, y)[0] ** 2)


@pytest.mark.parametrize("measure", [variance_gain, correlation_ratio])
def test_a_weight_of_two_is_the_row_twice(measure):
    x, y = numbers(60)
    times = np.arange(60) % 3
    codes = (x > 0).astype(np.int32) + (x > 1)
    for cells in (x, codes.astype(np.int32)):
        twice = measure(np.repeat(cells, times), np.repeat(y, times), np.ones(times.sum()))
        assert measure(cells, y, times * 1.0) == pytest.approx(twice)


def test_mutual_information_is_that_of_scikit_learn():
    x, y = numbers()
    codes = np.digitize(x, [-1, 0, 1]).astype(np.int32)
    X = np.column_stack([x, codes])
    theirs = mutual_info_regression(X, y, discrete_features=[1], random_state=0)
    assert mutual_information(x, y) == pytest.approx(theirs[0], abs=1e-6)
    assert mutual_information(codes, y) == pytest.approx(theirs[1], abs=1e-6)


def test_mutual_information_of_ties_is_near_that_of_scikit_learn():
    x, y = HOUSING.to_numpy(["RAD", "RM"]), HOUSING.column("MEDV")
    theirs = mutual_info_regression(x, y, random_state=0)
    ours = score_attributes(HOUSING, "mutual_information")
    # Ties are broken at random, by them and by us.
    np.testing.assert_allclose([ours["RAD"], ours["RM"]], theirs, atol=0.08)


def by_hand(table, k):
    """RReliefF, row by row and pair by pair."""
    y = table.column(table.domain.target.name)
    dt, da_dt, da = 0.0, {}, {}
    distance = Distance.of(table)
    for i, row in enumerate(table):
        order = [j for j in np.argsort(distance.between(row, table), kind="stable") if j != i]
        for j in order[:k]:
            gap = abs(y[i] - y[j]) / np.ptp(y)
            dt += gap / k
            for v in table.domain.attributes:
                cells = table[v.name]
                if v.kind == "num":
                    away = abs(cells[i] - cells[j]) / np.ptp(cells)
                else:
                    away = float(cells[i] != cells[j])
                da_dt[v.name] = da_dt.get(v.name, 0) + gap * away / k
                da[v.name] = da.get(v.name, 0) + away / k
    n = len(table)
    return {name: da_dt[name] / dt - (da[name] - da_dt[name]) / (n - dt) for name in da}


def mixed(rows=50):
    rng = np.random.default_rng(3)
    x, noise = rng.normal(size=(2, rows))
    symbol = rng.integers(0, 3, rows)
    cells = zip(x, noise, symbol, strict=True)
    made = [(a, b, "pqr"[c], a + 0.5 * c + 0.1 * rng.normal()) for a, b, c in cells]
    return Table.of(made, ["x", "noise", "symbol", "y"])


def test_relief_by_its_definition():
    table = mixed()
    wanted = by_hand(table, 5)
    found = rrelief(table, k=5)
    for name, score in wanted.items():
        assert found[name] == pytest.approx(score, abs=1e-6)
    assert found["x"] > found["noise"]


def test_relief_expects_what_is_missing():
    table = mixed()
    rows = [
        [None if at % 4 == 0 else row[0], row[1], row[2], row[3]] for at, row in enumerate(table)
    ]
    holed = Table.of(rows, ["x", "noise", "symbol", "y"])
    found = rrelief(holed)
    assert found["x"] > found["noise"]
    assert rrelief(Table.of([[None, 1.0], [None, 2.0]], ["x", "y"]).with_kinds({"x": "num"}))


def test_every_measure_finds_what_matters():
    for measure in (None, "correlation_ratio", "mutual_information", "relief"):
        scores = score_attributes(mixed(200), measure)
        assert scores.best(1) == ["x"]
        assert set(scores) == {"x", "noise", "symbol"}
    assert best_attribute(HOUSING) == "RM"


def test_select_keeps_the_best_for_numbers():
    model = Select(Ridge(), n=2)(HOUSING)
    assert {v.name for v in model.model.domain.attributes} == {"LSTAT", "RM"}
    by_relief = Select(KNN(), measure="relief", n=3)(HOUSING)
    assert len(by_relief.model.domain.attributes) == 3


def test_what_is_refused(tmp_path):
    file = str(tmp_path / "some.csv")
    satsuma.write(mixed(20), file)
    with pytest.raises(ParameterError, match="target of numbers"):
        score_attributes(HOUSING, "gini")
    with pytest.raises(ParameterError, match="no measure 'variance_gain'"):
        score_attributes(satsuma.load("iris"), "variance_gain")
    with pytest.raises(DomainError, match="in memory"):
        score_attributes(satsuma.scan(file, target="y"), "variance_gain")
    weighted = HOUSING.with_roles({"CHAS": "weight"})
    with pytest.raises(DomainError, match="weights"):
        score_attributes(weighted, "mutual_information")
    with pytest.raises(DomainError, match="predicts numbers"):
        Select(NaiveBayes(), measure="variance_gain", n=1)(satsuma.load("iris"))


def test_relief_needs_a_neighbour():
    with pytest.raises(ParameterError, match="k"):
        rrelief(satsuma.load("housing"), k=0)
