"""Active learning where labels are numbers."""

import numpy as np
import pytest
from scipy.stats import rankdata

from satsuma import (
    KNN,
    Active,
    Bagging,
    Bubbles,
    ClusterThenLabel,
    Mean,
    NaiveBayes,
    Oracle,
    RegressionForest,
    RegressionTree,
    Ridge,
    Table,
    load,
    simulate,
    suspicious,
)
from satsuma.active.acquisition.number_strategies import diverse, greedy, model_change
from satsuma.active.acquisition.query_strategies import committee, uncertain
from satsuma.active.active_learning import hide_labels
from satsuma.errors import DomainError, ParameterError
from tests.active.few import Banded

LEARNERS = [
    Ridge(),
    KNN(k=3),
    RegressionTree(min_leaf=3),
    RegressionForest(trees=10),
    Bagging(RegressionTree(), t=5),
]


def bumps(rows=80, seed=0):
    rng = np.random.default_rng(seed)
    x, s = rng.uniform(-3, 3, rows), rng.choice(list("ab"), rows)
    y = np.sin(2 * x) + (s == "a") + 0.05 * rng.normal(size=rows)
    return Table.of(list(zip(x, s, y, strict=True)), ["x", "s", "y"])


@pytest.mark.parametrize("learner", LEARNERS, ids=lambda each: type(each).__name__)
@pytest.mark.parametrize("acquire", ["uncertain", "committee", "diverse", "greedy", "model change"])
def test_every_strategy_asks_every_learner(learner, acquire):
    table = bumps(30)
    how = Active(learner=learner, acquire=acquire, budget=9)
    done = how(hide_labels(table), Oracle(table))
    assert len(set(done.order)) == 9
    scores = how.scores(done.model, table, done.labelled)
    assert scores.shape == (30,)
    assert (scores >= 0).all()
    assert np.isfinite(scores).all()


def test_uncertainty_is_the_standard_deviation_of_what_is_inside():
    table = bumps()
    forest, bag = RegressionForest(trees=7)(table), Bagging(RegressionTree(), t=4)(table)
    said = [each[:, 0] for each in forest.predictions(table)]
    assert np.allclose(uncertain(forest, table, table), np.std(said, axis=0))
    assert np.allclose(np.mean(said, axis=0), forest.numbers(table))
    said = [each.numbers(table) for each in bag.models]
    assert np.allclose(uncertain(bag, table, table), np.std(said, axis=0))
    assert forest.deviations(table[3]) == pytest.approx(uncertain(forest, table, table)[3])
    tree = RegressionTree(min_leaf=8)(table)
    leaf, truth = tree.numbers(table), table["y"]
    expected = [truth[leaf == each].std(ddof=1) for each in leaf]
    assert np.allclose(uncertain(tree, table, table), expected)


def test_a_learner_that_is_never_uncertain_is_asked_as_a_committee():
    table = bumps()
    model = Ridge()(table)
    bagged = Bagging(Ridge(), t=5, seed=3)(table)
    expected = np.std([each.numbers(table) for each in bagged.models], axis=0)
    assert np.allclose(uncertain(model, table, table, seed=3), expected)
    assert np.allclose(committee(model, table, table, seed=3), expected)


def test_greedy_by_its_definition():
    """Wu, Lin and Huang (2019): the least product of both distances, by brute force."""
    table = bumps(25)
    known = table[:6]
    model = Ridge()(known)
    low, high = min(table["x"]), max(table["x"])
    expected = []
    for row in table:
        products = []
        for other in known:
            one = (row["x"] - other["x"]) / (high - low)
            away = np.sqrt((one * one + (row["s"] != other["s"])) / 2)
            products.append(away * abs(model(row) - other["y"]))
        expected.append(min(products))
    assert np.allclose(greedy(model, table, known), expected, atol=1e-6)
    targets = [min(abs(model(row) - y) for y in known["y"]) for row in table]
    assert np.allclose(greedy(model, table, known, how="target"), targets)


def test_diverse_by_its_definition():
    table = bumps(25)
    model = RegressionForest(trees=5)(table[:8])
    one, other = (
        (rankdata(each, method="ordinal") - 1) / 24
        for each in (model.deviations(table), greedy(model, table, table[:8]))
    )
    assert np.allclose(diverse(model, table, table[:8]), one * other)


def test_model_change_by_its_definition():
    """The mean difference of a committee, times the length of the row (Cai et al. 2013)."""
    table = bumps(25)
    known = table[:8]
    model = Ridge()(known)
    others = np.array([each.numbers(table) for each in Bagging(Ridge(), t=5)(known).models])
    off = np.abs(others - model.numbers(table)).mean(axis=0)
    x, s = table["x"], np.array([[v == "a", v == "b"] for v in table["s"]], float)
    scaled = (x - x.min()) / (x.max() - x.min())
    far = (scaled - scaled[:8].mean()) ** 2 + ((s - s[:8].mean(axis=0)) ** 2).sum(axis=1)
    assert np.allclose(model_change(model, table, known), off * np.sqrt(1 + far), atol=1e-6)


def test_strategies_for_numbers_refuse_classes():
    iris = load("iris")
    model = NaiveBayes()(iris)
    for strategy in (diverse, greedy, model_change):
        with pytest.raises(ParameterError, match="predicts classes"):
            strategy(model, iris, iris)
    with pytest.raises(ParameterError, match="'both' or 'target'"):
        greedy(Ridge()(bumps()), bumps(), bumps(), how="x")


def test_simulating():
    table = bumps(60)
    ways = {
        how: Active(learner=RegressionTree(min_leaf=2), acquire=how, budget=30)
        for how in ("greedy", "random")
    }
    found = simulate(ways, table, seeds=2, goal=0.6, hold=2)
    assert set(found.needed) == {"greedy", "random"}
    assert "60% of the error saved with all labels" in str(found)
    curve = found.curves["greedy"][0]
    assert 0 < curve.full < 1
    with pytest.raises(DomainError, match="sought= names a class"):
        simulate(ways, table, sought="a")


def test_the_error_saved_is_that_of_the_mean():
    table = bumps(40)
    noise = np.random.default_rng(0).normal(size=40)
    rows = [(x, s, n) for (x, s, _), n in zip(table, noise, strict=True)]
    with pytest.raises(DomainError, match="no better than the mean"):
        simulate(
            [Active(learner=RegressionTree(min_leaf=1, prune=None))],
            Table.of(rows, ["x", "s", "y"]),
            seeds=1,
        )


def test_numbers_that_are_wrong_are_suspicious():
    table = bumps(120)
    rng = np.random.default_rng(1)
    wrong = rng.choice(120, 6, replace=False)
    y = table["y"].copy()
    y[wrong] += 4
    rows = [(x, s, each) for (x, s, _), each in zip(table, y, strict=True)]
    found = suspicious(RegressionForest(trees=20), Table.of(rows, ["x", "s", "y"]))
    assert set(found.rows[:6].tolist()) == set(wrong.tolist())
    assert (found.doubt[:6] > 0).all()
    assert found.label[0] == y[found.rows[0]]
    assert "typical errors" in str(found)
    assert len(found) == 120


def clustered(seed=0, labelled=15):
    """Six clusters, in each of which the number is about the same; few are labelled."""
    rng = np.random.default_rng(seed)
    group = rng.permutation(np.arange(240) % 6)
    centres = rng.normal(size=(6, 3)) * 8
    x = centres[group] + rng.normal(size=(240, 3))
    truth = 10.0 * rng.permutation(6)[group] + rng.normal(size=240)
    known = rng.permutation(240)[:labelled]
    y = np.full(240, np.nan)
    y[known] = truth[known]
    rows = [(*row, None if np.isnan(each) else each) for row, each in zip(x, y, strict=True)]
    return Table.of(rows, ["a", "b", "c", "y"], kinds={"y": "num"}), truth


def test_numbers_are_spread_inside_clusters():
    table, truth = clustered()
    model = ClusterThenLabel(Ridge(), folds=3, t=10)(table)
    plain = Ridge()(table[~table.missing("y")])
    errors = [np.sqrt(((each(table) - truth) ** 2).mean()) for each in (model, plain)]
    told = model.spread
    assert (told.labelled, told.unlabelled) == (15, 225)
    assert 0 < told.spread <= 225
    assert "an error (RMSE) of" in str(told)
    assert errors[0] <= errors[1]
    if not told.used:
        assert np.allclose(model(table), plain(table))


def test_what_is_spread_is_the_mean_of_the_group():
    rows = [(0.1, 1.0), (0.2, 3.0), (0.3, None), (5.0, 7.0), (5.5, None), (9.0, None)]
    table = Table.of(rows, ["x", "y"])
    learner = ClusterThenLabel(Mean(), clusters=Banded())
    found = learner.spread(table, learner.look(table))
    assert np.allclose(found.codes[:5], [1, 3, 2, 7, 7])
    assert np.isnan(found.codes[5])


def test_few_rows_that_stand_for_all():
    table = bumps(300)
    model = Bubbles(KNN(k=3))(table)
    assert len(model.rows) <= 30
    assert "of the variance" in str(model.report)
    assert model.report.right <= 1
    inside = KNN(k=3)(model.rows)
    assert np.allclose(model(table), inside(table))


@pytest.mark.parametrize("answer", ["many", float("inf"), float("nan"), [1]])
def test_an_answer_that_is_no_number_is_refused(answer):
    table = bumps(20)
    labelling = Active(learner=Ridge()).begin(hide_labels(table))
    with pytest.raises(DomainError, match="'y' is a number"):
        labelling.tell(3, answer)
    assert labelling.order == []
    labelling.tell(3, "1.5")
    assert labelling.labels[3] == 1.5
