import itertools
import math
import re

import numpy as np
import pytest

import satsuma
from satsuma import (
    FFT,
    ID3,
    KNN,
    LDA,
    QDA,
    SVM,
    Additive,
    Bagging,
    BoostedTrees,
    Calibrated,
    Discretized,
    Forest,
    GetProbabilities,
    KMeans,
    Logistic,
    Majority,
    NaiveBayes,
    RegressionForest,
    Ridge,
    Rules,
    Stacking,
    Table,
    Tree,
    explain,
    load,
)
from satsuma.checks.law_tables import tables
from satsuma.errors import DomainError, NoSuchColumn, NoSuchValue, ParameterError, SatsumaError
from satsuma.learners.model import Classifier, Regressor
from satsuma.learners.shapley_values import coalitions, exact_shapley
from satsuma.numerics.arrays import MISSING
from tests.every import LEARNERS

SUPERVISED = [
    each for each in LEARNERS if each.takes.target in ("classes", "number", "either", "class")
]


def expected_sum(model, row, found):
    """What terms must sum to, by what the model itself predicts."""
    if isinstance(model, Regressor):
        number = model(row)
        return math.log(number) if found.of == "log" else number
    chances = model(row, GetProbabilities)
    if found.of == "probability":
        return chances[found.value]
    with np.errstate(divide="ignore"):
        return float(np.log(chances[found.value]) - np.log(chances[found.against]))


@pytest.mark.parametrize("learner", SUPERVISED, ids=repr)
def test_terms_sum_up(learner):
    seen = set()
    for table in tables(learner.takes, weighted=False):
        if table.name not in ("mixed", "plain", "holes"):
            continue
        model = learner(table)
        if not isinstance(model, Classifier | Regressor):
            continue
        found = explain(model, table[:3], counterfactuals=False, samples=6)
        for row, each in zip(table, found, strict=False):
            wanted = expected_sum(model, row, each)
            if each.of == "log-odds" and abs(wanted) > 30:
                continue  # probabilities of two classes so far apart are not told apart from 0
            assert each.total == pytest.approx(wanted, rel=1e-9, abs=1e-9)
            assert each.exact == (model.terms_of is not None)
            assert each.exact is False or each.of == model.terms_of
            assert str(each)
            seen.add(each.of)
    assert seen


def test_every_learner_that_predicts_is_here():
    assert {type(each).__name__ for each in SUPERVISED} >= {"SVM", "Wrapped", "RP0", "Text", "EM"}


def brute_force(model, row, output):
    """Shapley values over all subsets of columns, of which the others are missing."""
    names = [v.name for v in model.domain.attributes]
    worth = []
    for size in range(1 << len(names)):
        columns = [
            column.copy() if size >> at & 1 else np.full(1, MISSING[v.kind], column.dtype)
            for at, (v, column) in enumerate(zip(row.domain, row.columns, strict=True))
        ]
        worth.append(output(Table(row.domain, columns, check=False)))
    return exact_shapley(np.array(worth)[:, None])[:, 0]


@pytest.mark.parametrize(
    "learner", [Tree(prune=None, min_leaf=1), Forest(trees=3), ID3()], ids=repr
)
def test_tree_shapley_is_shapley_by_brute_force(learner):
    rng = np.random.default_rng(1)
    rows = [
        (*("abc"[i] for i in rng.integers(0, 3, 3)), "ny"[int(rng.random() < 0.4)])
        for _ in range(40)
    ]
    table = Table.of(rows, ["p", "q", "r", "y"])
    model = learner(table)
    code = model.target.code("y")
    for at in (0, 7):
        batch = model.rows_of(table[at])
        found = explain(model, table[at], value="y", counterfactuals=False)
        peer = brute_force(model, batch, lambda some: model.probabilities(some)[0, code])
        assert [found[name] for name in ("p", "q", "r")] == pytest.approx(peer.tolist(), abs=1e-12)


def test_tree_shapley_of_numbers_with_holes():
    rng = np.random.default_rng(2)
    x = rng.normal(size=(60, 4))
    x[rng.random(x.shape) < 0.1] = np.nan
    rows = [
        (*(None if math.isnan(each) else each for each in row), float(at % 7))
        for at, row in enumerate(x.tolist())
    ]
    table = Table.of(rows, ["a", "b", "c", "d", "y"])
    model = Forest(trees=3, missing="ignore")(table)
    for at in range(4):
        found = explain(model, table[at])
        peer = brute_force(model, model.rows_of(table[at]), lambda s: model.numbers(s)[0])
        assert [found[name] for name in "abcd"] == pytest.approx(peer.tolist(), abs=1e-10)


def test_shapley_by_all_orders():
    rng = np.random.default_rng(3)
    worth = rng.normal(size=(8, 1))
    peer = np.zeros(3)
    for order in itertools.permutations(range(3)):
        held = 0
        for player in order:
            peer[player] += (worth[held | 1 << player, 0] - worth[held, 0]) / 6
            held |= 1 << player
    assert exact_shapley(worth)[:, 0] == pytest.approx(peer.tolist())
    assert coalitions(3).shape == (8, 3)


@pytest.mark.figures
def test_sampled_terms_are_near_what_they_estimate():
    heart = load("heart_disease")
    model = KNN(k=20)(heart)
    few = explain(model, heart[3], samples=60, counterfactuals=False)
    many = explain(model, heart[3], samples=3000, seed=5, counterfactuals=False)
    assert not few.exact
    for name, error in few.errors.items():
        assert abs(few[name] - many[name]) < 6 * error + 1e-3
    again = explain(model, heart[3], samples=60, counterfactuals=False)
    assert again.parts == few.parts
    assert "standard errors" in str(few)


def test_sampled_terms_of_a_sum_are_its_terms():
    housing = load("housing")
    model = Ridge()(housing)
    found = explain(model, housing[0])
    background = housing[::20]
    sampled = satsuma.learners.sampled_explanation.sampled_explanation(
        model, model.rows_of(housing[0]), table=background
    )
    # Of a weighted sum, the Shapley value of a column is its slope times the distance to the mean.
    for name in ("RM", "LSTAT"):
        slope = found[name] / (housing[0][name] - housing[name].mean())
        away = housing[0][name] - background[name].mean()
        assert sampled[name] == pytest.approx(slope * away, rel=1e-9)


def test_the_path_of_a_tree_has_the_cells():
    iris = load("iris")
    found = explain(Tree()(iris), iris[60])
    assert found.path[0] == "Petal.Length > 2.45: it is 3.5"
    assert "Petal.Width = 1 " in str(found)
    days = load("tennis")
    path = explain(ID3()(days), {**dict(days[0].items()), "outlook": None}).path
    assert path == ("outlook is missing: all branches are averaged from here on",)
    path = explain(ID3()(days), {**dict(days[0].items()), "outlook": "snow"}).path
    assert path == ("outlook was never seen before: this node predicts",)
    several = explain(ID3()(days), days[:3])
    assert several[1].path == ("outlook = sunny", "humidity = high")


def test_rules_and_neighbours_decide():
    iris = load("iris")
    assert explain(Rules()(iris), iris[60]).path[-1].startswith("Rule 3 applies")
    assert explain(FFT()(iris), iris[60]).path
    model = KNN(k=3, weights="uniform")(iris)
    near = explain(model, iris[60]).neighbours
    assert sum(each.share for each in near) == pytest.approx(1.0)
    assert near[0].row == 60
    assert near[0].distance == 0
    assert near[0].value == "versicolor"
    numbers = explain(KNN(k=3)(load("housing")), load("housing")[5]).neighbours
    assert isinstance(numbers[0].value, float)


@pytest.mark.parametrize(
    ("learner", "name"), [(Forest(trees=20), "iris"), (RegressionForest(trees=20), "housing")]
)
def test_a_forest_tells_which_of_its_rows_are_alike(learner, name, tmp_path):
    table = load(name)
    model = learner(table)
    found = explain(model, table[60])
    nearest = model.alike(table[60], table, n=5)
    assert [(each.row, each.share) for each in found.alike] == nearest
    target = table.domain.target.name
    assert [each.value for each in found.alike] == [table.cell(row, target) for row, _ in nearest]
    assert "- row 60 is " in str(found)
    assert "<li>row 60 is " in found._repr_html_()
    assert explain(model, table[60:62])[0].alike == ()  # of several it would take too long
    model.save(tmp_path / "m.satsuma")
    assert explain(satsuma.open_model(tmp_path / "m.satsuma"), table[60]).alike == ()


def test_alike_rows_are_called_as_in_the_whole_table_and_have_a_class():
    rng = np.random.default_rng(0)
    numbers = rng.permutation(4001)
    rows = [(float(x), None if x % 2 else ("low" if x < 2000 else "high")) for x in numbers]
    table = Table.of(rows, ["x", "y"])
    found = explain(Forest(trees=5, min_leaf=20)(table), {"x": 3000.0})
    assert len(found.alike) == 5
    for each in found.alike:
        assert table.cell(each.row, "y") == each.value == "high"


@pytest.mark.parametrize(
    "learner", [LDA(), QDA(), Logistic(), Additive(), BoostedTrees(rounds=9), Calibrated(LDA())]
)
def test_value_and_against(learner):
    iris = load("iris")
    model = learner(iris)
    one = explain(model, iris[70], value="setosa", against="virginica")
    other = explain(model, iris[70], value="virginica", against="setosa")
    assert one.total == pytest.approx(-other.total, rel=1e-9)


def test_what_wraps_is_as_exact_as_what_is_inside():
    heart = load("heart_disease")
    assert explain(Discretized(NaiveBayes())(heart), heart[1]).of == "log-odds"
    assert explain(Calibrated(NaiveBayes())(heart), heart[1]).exact
    assert explain(Bagging(Tree(), t=3)(heart), heart[1]).exact
    assert not explain(Bagging(NaiveBayes(), t=3)(heart), heart[1]).exact
    assert not explain(Stacking([NaiveBayes(), KNN()])(heart), heart[1], samples=20).exact


@pytest.mark.parametrize(
    "learner", [NaiveBayes(), Logistic(), Tree(), KNN(), SVM(), Forest(trees=10)], ids=repr
)
def test_changes_are_verified_by_predicting_them(learner):
    heart = load("heart_disease")
    model = learner(heart)
    for at in (0, 5, 100):
        found = explain(model, heart[at], samples=4).change
        assert found, at
        assert model(dict(found.row)) == found.then != model(heart[at]) == found.predicted
        changed = {name for name, cell in found.row.items() if cell != heart[at][name]}
        assert changed == {each.column for each in found.changes}
        occurring = {each.column: set(heart[each.column].tolist()) for each in found.changes}
        assert all(each.to in occurring[each.column] for each in found.changes)


def test_a_change_names_the_cell_that_the_row_has_also_one_that_the_model_does_not_know():
    days = load("tennis")
    row = {**dict(days[0].items()), "outlook": "snow"}
    one = explain(NaiveBayes()(days), row, to="yes", change="outlook").change
    assert one.changes[0].now == "snow"
    assert "outlook = overcast (not snow)" in str(one)
    for missing in (None, np.nan):
        row["outlook"] = missing
        none = explain(NaiveBayes()(days), row, to="yes", change="outlook").change
        assert "outlook = overcast (not missing)" in str(none)


def test_fewest_cells_first_then_nearest():
    rows = [(x, y, "hi" if x + y > 10 else "lo") for x in range(10) for y in range(10)]
    table = Table.of(rows, ["x", "y", "z"])
    model = KNN(k=1)(table)
    found = explain(model, {"x": 6.0, "y": 4.0}, samples=4).change
    assert len(found.changes) == 1
    assert found.row in ({"x": 7.0, "y": 4.0}, {"x": 6.0, "y": 5.0})
    far = explain(model, {"x": 1.0, "y": 1.0}, samples=4).change
    assert len(far.changes) == 2
    assert far.row["x"] + far.row["y"] > 10
    fixed = explain(model, {"x": 1.0, "y": 1.0}, fixed="y", samples=4).change
    assert not fixed
    assert "No change was found" in str(fixed)
    alone = explain(model, {"x": 6.0, "y": 4.0}, change=["y"], samples=4).change
    assert [each.column for each in alone.changes] == ["y"]
    assert (
        str(alone) == f"It would be hi, with probability {alone.probability:.0%}, if y = 5 (not 4)."
    )


def test_changes_of_more_than_three_cells_are_greedy():
    rng = np.random.default_rng(5)
    rows = [tuple(map(float, rng.integers(0, 2, 6))) for _ in range(200)]
    table = Table.of([(*row, "y" if sum(row) > 4 else "n") for row in rows], [*"abcdef", "y"])
    model = Logistic()(table)
    found = explain(model, dict.fromkeys("abcdef", 0.0)).change
    assert found.then == "y"
    assert len(found.changes) >= 4


def test_changes_lead_to_another_branch_of_a_tree():
    """On the branch of the row, a change of c31 alone does nothing: it is tried as it matters."""
    cells = np.random.default_rng(0).normal(size=(300, 40))
    rows = [[*row, "a" if row[30] <= -0.7 or row[31] > 0.2 else "b"] for row in cells.tolist()]
    table = Table.of(rows, [*(f"c{at}" for at in range(40)), "y"])
    model = Tree()(table)
    at = int(np.flatnonzero((cells[:, 30] < -0.8) & (cells[:, 31] > 0.4))[0])
    found = explain(model, table[at]).change
    assert [each.column for each in found.changes] == ["c30", "c31"]
    assert model(found.row) == found.then == "b"
    assert max(map(len, re.findall(r"-?\d+\.\d+", str(found)))) <= 8


def test_changes_of_a_number():
    housing = load("housing")
    model = Tree()(housing)
    assert explain(model, housing[0]).change is None
    found = explain(model, housing[0], to=(40, None)).change
    assert found.then >= 40
    assert model(dict(found.row)) == found.then
    assert "already" in str(explain(model, housing[0], to=(None, 40)).change)
    assert "to 30" in str(explain(model, housing[0], to=(29.9999, 30), fixed="RM").change)
    with pytest.raises(ParameterError, match=r"\(low, high\)"):
        explain(model, housing[0], to=40)


def test_what_is_refused():
    iris = load("iris")
    model = NaiveBayes()(iris)
    with pytest.raises(ParameterError, match="takes a model"):
        explain(iris, iris[0])
    with pytest.raises(DomainError, match="KMeansModel predicts no class"):
        explain(KMeans(k=2)(iris), iris[0])
    with pytest.raises(NoSuchValue):
        explain(model, iris[0], value="rose")
    with pytest.raises(NoSuchValue):
        explain(model, iris[0], to="rose")
    with pytest.raises(NoSuchColumn):
        explain(model, iris[0], change="rose")
    with pytest.raises(ParameterError, match="samples"):
        explain(model, iris[0], samples=1)
    with pytest.raises(ParameterError, match="predicts a number"):
        explain(Ridge()(load("housing")), load("housing")[0], value="a")
    with pytest.raises(NoSuchColumn):
        explain(model, {"Sepal.Length": 3})


def test_single_classes_rows_and_no_columns():
    one = Table.of([(1.0, "a"), (2.0, "a")], ["x", "y"])
    found = explain(NaiveBayes()(one), one[0])
    assert (found.value, found.total, found.change) == ("a", 1.0, None)
    none = Table.of([("a",), ("b",), ("b",)], ["y"])
    assert explain(Majority()(none), none[0]).total == pytest.approx(2 / 3)
    assert len(explain(NaiveBayes()(load("iris")), load("iris")[:0])) == 0


def test_a_model_from_a_file_explains_as_well(tmp_path):
    heart = load("heart_disease")
    for learner in (NaiveBayes(), Forest(trees=5), KNN(k=9), Calibrated(Rules())):
        learner(heart).save(tmp_path / "m.satsuma")
        model = satsuma.open_model(tmp_path / "m.satsuma")
        found = explain(model, heart[4], samples=10)
        assert found.total == pytest.approx(expected_sum(model, heart[4], found), rel=1e-9)
        assert model(dict(found.change.row)) == found.change.then
        given = explain(model, heart[4], table=heart, samples=10)
        assert given.total == pytest.approx(found.total, rel=1e-9)


def test_without_rows_at_hand():
    import pickle

    iris = load("iris")
    model = pickle.loads(pickle.dumps(SVM()(iris)))
    with pytest.raises(SatsumaError, match="table="):
        explain(model, iris[0])
    assert explain(model, iris[0], table=iris[::10], samples=4).change


def test_shown():
    heart = load("heart_disease")
    found = explain(Forest(trees=3)(heart), heart[0])
    page = found._repr_html_()
    assert "<table>" in page
    assert "major vessels colored = 0" in page
    assert list(found.to_pandas().columns) == ["column", "value", "adds"]
    several = explain(NaiveBayes()(heart), heart[:12])
    assert "and 2 more rows" in repr(several)
    assert "and 2 more rows" in several._repr_html_()
    assert len(several.to_pandas()) == 12 * 14
    assert len(several[:2]) == 2
    many = Table.of(
        [(*range(i, i + 40), "ab"[i % 2]) for i in range(9)], [*map(str, range(40)), "y"]
    )
    assert "more columns" in str(explain(NaiveBayes()(many), many[0], counterfactuals=False))


def test_drift_by_a_model_from_a_file(tmp_path):
    import json
    import zipfile

    heart = load("heart_disease")
    model = Tree()(heart)
    model.save(tmp_path / "m.satsuma")
    opened = satsuma.open_model(tmp_path / "m.satsuma")
    old = heart[heart["age"] > 60]
    assert repr(opened.drift(old)) == repr(model.drift(old))
    assert "age" in opened.drift(old).moved
    opened.save(tmp_path / "again.satsuma")
    assert (tmp_path / "again.satsuma").stat().st_size == (tmp_path / "m.satsuma").stat().st_size
    with zipfile.ZipFile(tmp_path / "m.satsuma") as file:
        parts = {name: file.read(name) for name in file.namelist()}
    head = json.loads(parts["model.json"])
    for wrong in ({"$dict": []}, 3, "x"):
        parts["model.json"] = json.dumps({**head, "marginals": wrong}).encode()
        with zipfile.ZipFile(tmp_path / "bad.satsuma", "w") as file:
            for name, content in parts.items():
                file.writestr(name, content)
        with pytest.raises(satsuma.errors.ReadError):
            satsuma.open_model(tmp_path / "bad.satsuma")


def test_a_copied_model_says_how_to_know_its_rows():
    import pickle

    iris = load("iris")
    model = pickle.loads(pickle.dumps(NaiveBayes()(iris)))
    with pytest.raises(SatsumaError, match="keep_sample"):
        model.drift(iris)
    model.keep_sample(iris)
    assert model.drift(iris).moved == ()
