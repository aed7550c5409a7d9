"""Wherever rows are learned from, times are learned from by their features."""

import numpy as np
import pytest

import satsuma
from satsuma import Majority, NaiveBayes, OneR, Oracle, Table, Tree, Variable
from satsuma.checks.batches import Batches
from satsuma.checks.law_tables import with_column
from satsuma.data.domain import Domain
from satsuma.numerics.arrays import TIME


def week(rows=240, seed=0):
    """Rows of which the weekday says nearly all about the class."""
    rng = np.random.default_rng(seed)
    days = np.datetime64("2023-01-02", "ns") + rng.integers(0, 500, rows) * np.timedelta64(1, "D")
    free = (days.astype("M8[D]").astype(int) + 3) % 7 >= 5
    free = free ^ (rng.random(rows) < 0.02)
    domain = Domain(
        [
            Variable("day", "time", format="%d.%m.%Y"),
            Variable("size"),
            Variable("free", "sym", ("no", "yes"), "target"),
        ]
    )
    return Table(domain, [days.astype(TIME), rng.normal(size=rows), free.astype(np.int32)])


@pytest.mark.parametrize(
    "evaluate",
    [
        satsuma.cross_validate,
        satsuma.leave_one_out,
        satsuma.hold_out,
        lambda learners, table: satsuma.test_on(learners, table[:200], table[200:]),
        lambda learners, table: satsuma.compare(table, learners),
        lambda learners, table: satsuma.learning_curve(learners, table, sizes=[1.0], folds=3),
    ],
)
def test_evaluations_learn_from_times(evaluate):
    found = evaluate([NaiveBayes(), Tree(), Majority()], week()).scores("CA")
    values = {name: float(np.max(each)) for name, each in found.items()}
    assert values["NaiveBayes"] > 0.9 > values["Majority"]
    assert values["Tree"] > 0.9


def test_compare_takes_what_suits():
    found = satsuma.compare(week(100), folds=3)
    assert "Logistic" in found.learners
    assert not any("left out" in note for note in found.notes)


def test_learners_of_different_kinds_get_what_all_take():
    table = week().with_roles({"size": "meta"})
    found = satsuma.cross_validate([OneR(), Tree()], table).scores("CA")
    assert min(found.values()) > 0.9


def test_of_a_source(tmp_path):
    table = week()
    table.write(tmp_path / "week.parquet")
    source = satsuma.scan(tmp_path / "week.parquet", target="free")
    assert NaiveBayes()(source)(table).tolist() == NaiveBayes()(table)(table).tolist()
    found = satsuma.cross_validate([NaiveBayes(), Tree()], source, folds=3).scores("CA")
    assert min(found.values()) > 0.9
    assert satsuma.compare(source, folds=3).choice == "NaiveBayes"


def test_attributes_are_scored_by_features():
    scores = satsuma.score_attributes(week())
    assert scores.best(1) == ["day:weekday"]
    assert satsuma.best_attribute(week(), "relief") == "day:weekday"
    assert satsuma.best_attribute(Batches(week())) == "day:weekday"
    model = satsuma.Select(NaiveBayes(), n=1)(week())
    assert [v.name for v in model.model.domain.attributes] == ["day:weekday"]
    assert model({"day": "06.01.2024", "size": 0}) == "yes"


def test_few_labels():
    table = week()
    for learner in (NaiveBayes(), Tree()):
        labelling = satsuma.Active(learner=learner, budget=60, start=20)(
            _hidden(table), Oracle(table)
        )
        right = labelling.model(table) == table["free"]
        assert right.mean() > 0.85
        assert "day:weekday" in labelling.model.domain
    ways = [satsuma.Active(learner=NaiveBayes(), budget=20)]
    assert satsuma.simulate(ways, table, seeds=1).needed
    assert len(satsuma.suspicious(NaiveBayes(), table)) == len(table)


def _hidden(table):
    return with_column(table, table.domain["free"], -1)


def test_plans():
    table = week()
    goal = Table(
        Domain([Variable("day", "time"), Variable("Cost-", role="goal", goal="-")]),
        [table.column("day"), np.where(table["free"] == "yes", 1.0, 5.0)],
    )
    advice = satsuma.advise({"day": "2024-01-03"}, goal)
    assert "day:weekday" in str(advice)
    assert "day:weekday" not in str(satsuma.advise({"day": "2024-01-03"}, goal, fixed=["day"]))
    found = satsuma.contrast(table, table["free"] == "yes")
    assert found[0].condition.startswith("day:weekday")
    apart = satsuma.contrast(table, table[table["free"] == "yes"], table[table["free"] == "no"])
    assert apart[0].condition == found[0].condition
    best = satsuma.optimise(goal, Oracle(goal), budget=30, seed=1)
    assert best.best["Cost-"] == 1.0


def test_clusters_and_outliers():
    table = week().with_roles({"free": "meta"})
    model = satsuma.KMeans(k=2)(table)
    assert "day:weekday" in model.centres.domain
    assert satsuma.choose_k(table, "silhouette", ks=[2, 3]).k in (2, 3)
    odd = satsuma.Anomaly(trees=3)(table)
    assert len(odd(table)) == len(table)


def test_days_of_a_table_with_a_row_for_each_are_no_key():
    rng = np.random.default_rng(0)
    days = np.datetime64("2025-01-01", "ns") + np.arange(60) * np.timedelta64(1, "D")
    domain = Domain([Variable("day", "time", format="%d.%m.%Y"), Variable("sold", role="target")])
    table = Table(domain, [days.astype(TIME), rng.normal(size=60)])
    found = satsuma.compare(table, [satsuma.Mean(), satsuma.Ridge()], folds=2)
    assert not any("key" in each for each in found.notes)
    counted = table.with_column("line", np.arange(60.0))
    found = satsuma.compare(counted, [satsuma.Mean(), satsuma.Ridge()], folds=2)
    assert [each.split("'")[1] for each in found.notes if "like a key" in each] == ["line"]
