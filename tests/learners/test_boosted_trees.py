"""BoostedTrees: against brute force, scikit-learn's figures, and itself from parts."""

import itertools
from copy import deepcopy
from math import comb

import numpy as np
import pytest
from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor
from sklearn.metrics import log_loss
from threadpoolctl import threadpool_limits

import satsuma
from satsuma import BoostedTrees, Domain, GetProbabilities, Table, Variable
from satsuma.checks.batches import Batches
from satsuma.data.weights import with_weights
from satsuma.errors import DomainError, ParameterError, ReadError
from satsuma.kernels.boost import left_codes
from satsuma.learners.boosted_trees import boosted_trees as module
from satsuma.learners.boosted_trees.objective import logarithm

PLAIN = {"early_stopping": False}


@pytest.fixture
def one_thread():
    """Threads of scikit-learn wait for each other where others work beside them."""
    with threadpool_limits(1):
        yield


def numbers(n=800, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 5))
    return X, 2 * X[:, 0] + np.where(X[:, 1] > 0, X[:, 2], -1.0) + rng.normal(size=n) * 0.3


def mixed(n=400, seed=0, target="sym"):
    """Numbers, a symbol of many values, missing cells, and weights."""
    rng = np.random.default_rng(seed)
    x, s = rng.normal(size=(n, 2)), rng.integers(0, 30, n)
    y = x[:, 0] + np.where(s % 3 == 0, 1.5, -0.5) + rng.normal(size=n) * 0.5
    lost = rng.random(n) < 0.1
    rows = [
        (
            None if gone else float(a),
            float(b),
            f"v{c}",
            float(t) if target == "num" else str(t > 0.3),
        )
        for (a, b), c, t, gone in zip(x, s, y, lost, strict=True)
    ]
    return Table.of(rows, ["a", "b", "s", "y"], target="y")


def mixed_classes(n):
    table = mixed(n, target="num")
    y = table.column("y")
    rows = [
        (
            *(table.cell(at, name) for name in ("a", "b", "s")),
            "low" if v < -0.5 else "mid" if v < 1 else "high",
        )
        for at, v in enumerate(y.tolist())
    ]
    return Table.of(rows, ["a", "b", "s", "y"], target="y")


def counted(table):
    rows = [
        (*(table.cell(at, name) for name in ("a", "b", "s")), float(round(np.exp(v))))
        for at, v in enumerate(table.column("y").tolist())
    ]
    return Table.of(rows, ["a", "b", "s", "y"], target="y", kinds={"y": "num"})


def same(one, other):
    state = {k: v for k, v in one.__getstate__().items() if k not in ("domain", "learner")}
    others = other.__getstate__()
    for name, value in state.items():
        if isinstance(value, list):
            assert all((a == b).all() for a, b in zip(value, others[name], strict=True)), name
        else:
            assert np.all(value == others[name]), name


@pytest.mark.parametrize("target", ["sym", "num"])
@pytest.mark.parametrize("parts", [7, 100])
def test_the_same_model_from_any_parts(target, parts):
    table = mixed(target=target)
    learner = BoostedTrees(rounds=6, min_leaf=5, row_sample=0.8)
    whole = learner(table)
    assert whole.rounds > 0
    shuffled = table[np.random.default_rng(1).permutation(len(table))]
    same(whole, learner(Batches(shuffled, size=-(-len(table) // parts), threads=2)))


@pytest.mark.parametrize("classes", [2, 3])
def test_the_order_of_classes_makes_no_difference(classes):
    table = mixed(200) if classes == 2 else mixed_classes(200)
    names = table.domain.attributes
    values = table.domain.target.values
    turned = Table(
        Domain([*names, Variable("y", "sym", values[::-1], role="target")]),
        [
            *(table.column(v.name) for v in names),
            (len(values) - 1 - table.column("y")).astype(np.int32),
        ],
    )
    learner = BoostedTrees(rounds=5)
    one, other = learner(table), learner(turned)
    assert one.classes == other.classes[::-1]
    found = other(turned, GetProbabilities)[:, ::-1]
    np.testing.assert_array_equal(one(table, GetProbabilities), found)


CASES = [
    {},
    {"target": "num"},
    {"target": "num", "quantile": 0.3},
    {"target": "num", "monotone": {"a": 1, "b": -1}},
    {"target": "num", "monotone": {"a": 1, "b": -1}, "quantile": 0.3},
    {"classes": 3, "column_sample": 0.7},
    {"counts": True, "target": "num"},
    {"weighted": True},
]


@pytest.mark.parametrize("case", CASES, ids=str)
@pytest.mark.parametrize(("stopping", "again"), [(False, 0), (True, 0), (True, 1000)])
def test_passes_over_rows_that_are_elsewhere_give_the_same_model(
    monkeypatch, case, stopping, again
):
    case = dict(case)
    table = mixed(500, target=case.pop("target", "sym"))
    if case.pop("classes", 0):
        table = mixed_classes(500)
    weights = np.linspace(0.5, 3, 500) if case.pop("weighted", False) else None
    if case.get("counts"):
        table = counted(table)
    monkeypatch.setattr(module, "FEW_ROWS", 0)
    monkeypatch.setattr(module, "_AGAIN", again)
    learner = BoostedTrees(
        rounds=4, leaves=7, min_leaf=4, row_sample=0.8, early_stopping=stopping, **case
    )
    if weights is not None:
        table = with_weights(table, weights)
    monkeypatch.setattr(module, "ROOM", 0)
    whole = learner(table)
    source = Batches(table[np.random.default_rng(1).permutation(500)], size=90, threads=2)
    same(whole, learner(source))
    assert whole.rounds > 0


@pytest.mark.usefixtures("one_thread")
def test_as_good_as_histogram_gradient_boosting_of_scikit_learn():
    X, y = numbers(3000)
    limits = {"max_iter": 20, "early_stopping": False}
    theirs = HistGradientBoostingRegressor(**limits).fit(X[:2000], y[:2000]).predict(X[2000:])
    grown = {"learning_rate": 0.1, "leaves": 31, "min_leaf": 20, "column_sample": 1.0}
    ours = BoostedTrees(rounds=20, l2=0.0, **grown, **PLAIN)
    found = ours.fit(X[:2000], y[:2000]).predict(X[2000:])
    error, peer = (np.mean((each - y[2000:]) ** 2) for each in (found, theirs))
    assert error < 1.05 * peer
    label = (y > 0).astype(int)
    theirs = HistGradientBoostingClassifier(**limits).fit(X[:2000], label[:2000])
    found = ours.fit(X[:2000], label[:2000]).predict_proba(X[2000:])
    assert log_loss(label[2000:], found) < 1.05 * log_loss(
        label[2000:], theirs.predict_proba(X[2000:])
    )


def test_two_columns_that_matter_only_together():
    rng = np.random.default_rng(0)
    x = rng.uniform(-1, 1, size=(600, 2))
    rows = [(*row, str(row[0] * row[1] > 0)) for row in x.tolist()]
    table = Table.of(rows, ["a", "b", "y"], target="y")
    model = BoostedTrees(rounds=60)(table[:400])
    assert log_loss(table.column("y")[400:], model(table[400:], GetProbabilities)) < 0.2


def test_one_tree_of_one_column_is_the_best_cut():
    x, y = np.array([1.0, 2.0, 3.0, 4.0]), np.array([0.0, 0.0, 10.0, 10.0])
    learner = BoostedTrees(rounds=1, leaves=2, learning_rate=1.0, min_leaf=1, l2=0.0, **PLAIN)
    model = learner.fit(x[:, None], y).model_
    assert model.cuts[0].tolist() == [1.5, 2.5, 3.5, 4.0]
    assert left_codes(model.sets)[0, :4].tolist() == [True, True, False, False]
    assert model.numbers(satsuma.read({"x0": x})).tolist() == pytest.approx(y, abs=1e-3)


def test_a_missing_number_goes_where_it_helps():
    x = np.array([1.0, 2, 3, 4, 5, 6, np.nan, np.nan, np.nan])
    y = np.array([0.0, 0, 0, 5, 5, 5, 5, 5, 5])
    learner = BoostedTrees(rounds=1, leaves=2, learning_rate=1.0, min_leaf=1, l2=0.0, **PLAIN)
    found = learner.fit(x[:, None], y).predict(np.array([[np.nan], [1.0], [6.0]]))
    assert found == pytest.approx([5.0, 0.0, 5.0], abs=1e-3)


def test_symbols_are_divided_into_the_best_two_sets():
    rng = np.random.default_rng(0)
    values = rng.permutation(12)
    y = np.where(np.isin(values, [1, 4, 7, 9]), 3.0, 0.0)
    rows = [(f"v{v}", float(t)) for v, t in zip(values.tolist() * 40, y.tolist() * 40, strict=True)]
    learner = BoostedTrees(rounds=1, leaves=2, learning_rate=1.0, l2=0.0, min_leaf=1, **PLAIN)
    model = learner(Table.of(rows, ["s", "y"], target="y"))
    assert [model({"s": f"v{v}"}) > 1.5 for v in values] == (y > 1).tolist()


def test_a_symbol_of_rare_values_is_not_learned_by_heart():
    """A column that names rows parts the training rows perfectly, and says nothing."""
    rng = np.random.default_rng(0)
    rows = [(f"row {k}", float(rng.normal()), str(rng.random() < 0.5)) for k in range(400)]
    table = Table.of(rows, ["key", "x", "y"], target="y", roles={"key": "x"})
    model = BoostedTrees()(table[:300])
    assert model.importances()["key"] < 0.1 or model.rounds < 3


@pytest.mark.parametrize("more", [{}, {"quantile": 0.5}, {"quantile": 0.9}])
def test_monotone_columns_only_rise_or_fall(more):
    rng = np.random.default_rng(2)
    X = rng.uniform(-1, 1, (600, 3))
    y = np.sin(4 * X[:, 0]) - X[:, 1] + X[:, 0] * X[:, 2] + rng.normal(size=600) * 0.2
    signs = {"x0": 1, "x1": -1}
    learner = BoostedTrees(rounds=40, min_leaf=5, monotone=signs, **more, **PLAIN)
    model = learner.fit(X, y).model_
    grid = np.linspace(-1, 1, 60)
    for _ in range(20):
        at = rng.uniform(-1, 1, 3)
        for column, sign in ((0, 1), (1, -1)):
            rows = np.tile(at, (60, 1))
            rows[:, column] = grid
            table = satsuma.read({f"x{j}": rows[:, j] for j in range(3)})
            assert (sign * np.diff(model.numbers(table)) >= 0).all()


def test_counts_and_quantiles():
    rng = np.random.default_rng(3)
    X = rng.uniform(0, 2, (1500, 2))
    mean = np.exp(X[:, 0])
    y = rng.poisson(mean).astype(float)
    grown = {"rounds": 40, "learning_rate": 0.1, "min_leaf": 20, **PLAIN}
    found = BoostedTrees(counts=True, **grown).fit(X, y).predict(X)
    assert np.abs(found - mean).mean() < 0.25 * mean.std()
    noisy = X[:, 0] + rng.exponential(size=1500)
    for q in (0.1, 0.5, 0.9):
        low = BoostedTrees(quantile=q, **grown).fit(X, noisy).predict(X)
        assert np.mean(noisy <= low) == pytest.approx(q, abs=0.04)


def test_a_quantile_of_monotone_columns_is_as_good_where_these_are_so():
    rng = np.random.default_rng(4)
    X = rng.uniform(0, 2, (3000, 2))
    y = 2 * X[:, 0] - X[:, 1] + rng.exponential(size=3000)
    grown = {"rounds": 60, "learning_rate": 0.1, "min_leaf": 20, **PLAIN}
    for q in (0.1, 0.5, 0.9):
        away = []
        for signs in (None, {"x0": 1, "x1": -1}):
            found = BoostedTrees(quantile=q, monotone=signs, **grown).fit(X[:1500], y[:1500])
            said = found.predict(X[1500:])
            assert np.mean(y[1500:] <= said) == pytest.approx(q, abs=0.05)
            away.append(np.abs(said - 2 * X[1500:, 0] + X[1500:, 1] + np.log(1 - q)).mean())
        assert away[1] < away[0]


def test_many_classes():
    iris = satsuma.load("iris")
    model = BoostedTrees(rounds=40)(iris[::2])
    found = model(iris[1::2])
    assert np.mean(found == np.array(iris[1::2]["Species"])) > 0.9
    chances = list(model.staged(iris[1::2]))
    assert len(chances) == model.rounds
    assert (chances[-1] == model(iris[1::2], satsuma.GetProbabilities)).all()


def test_weights_are_rows_repeated_and_any_scale():
    table = mixed(300)
    weights = np.arange(300) % 3 + 1.0
    learner = BoostedTrees(rounds=6, min_leaf=4, **PLAIN)
    repeated = learner(table[np.repeat(np.arange(300), weights.astype(int))])
    weighted = learner(table, weights=weights)
    for name in ("column", "left", "sets", "value"):
        assert (getattr(repeated, name) == getattr(weighted, name)).all()


def brute_force(model, row):
    """Shapley's values of the first score by all subsets of columns."""
    records = model.layout.codes(row)[0][0]
    width = len(records)

    def said(tree, node, known):
        left = int(tree.left[node])
        if left < 0:
            return float(tree.value[node])
        column = int(tree.column[node])
        if column in known:
            goes = left_codes(tree.sets)[node][records[column]]
            return said(tree, left if goes else left + 1, known)
        parts = tree.weight[[left, left + 1]] / tree.weight[node]
        return sum(p * said(tree, left + k, known) for k, p in enumerate(parts.tolist()))

    total = lambda known: sum(said(tree, 0, known) for tree in model.trees())  # noqa: E731
    found = np.zeros(width)
    for column in range(width):
        rest = [each for each in range(width) if each != column]
        for size in range(width):
            for known in itertools.combinations(rest, size):
                gain = total({*known, column}) - total(set(known))
                found[column] += gain / (width * comb(width - 1, size))
    return found


def test_contributions_are_shapley_values():
    table = mixed(300, target="num")
    model = BoostedTrees(rounds=5, leaves=8, min_leaf=5, **PLAIN)(table)
    for at in (0, 5):
        row = table[at : at + 1]
        found = model.contributions(row)[0, 0]
        assert found[:-1] == pytest.approx(brute_force(model, row), abs=1e-9)
        assert found.sum() == pytest.approx(model(row)[0])


def test_explanations_add_up_to_log_odds():
    table = mixed(300)
    model = BoostedTrees(rounds=20)(table)
    chances = model(table[:1], satsuma.GetProbabilities)[0]
    told = model.explain(table[0])
    odds = abs(np.log(chances[0] / chances[1]))
    assert told.total == pytest.approx(odds)


def test_importances_of_two_steps():
    """Two independent steps of 3 and of 1 take 9 and 1 parts of the squared error away."""
    a, b = (each.ravel() for each in np.mgrid[0:2.0, 0:2.0])
    table = Table.of(np.tile(np.c_[a, b, 3 * a + b], (50, 1)).tolist(), ["a", "b", "y"], target="y")
    learner = BoostedTrees(rounds=1, leaves=4, learning_rate=1.0, min_leaf=1, l2=0.0, **PLAIN)
    model = learner(table)
    assert model.importances() == pytest.approx({"a": 0.9, "b": 0.1})
    # By chance a step that is shuffled is on the wrong side of half of the rows: 2 * 9/4 of 10/4.
    shuffled = satsuma.importances(model, table, measure="R2", repeats=40)
    assert shuffled == pytest.approx({"a": 1.8, "b": 0.2}, rel=0.1)


def test_early_stopping_knows_noise(monkeypatch):
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(300, 4)), rng.integers(0, 2, 300)
    assert BoostedTrees().fit(X, y).model_.rounds < 10
    monkeypatch.setattr(module, "FEW_ROWS", 0)
    X, y = numbers(1500)
    assert 5 < BoostedTrees(rounds=100, learning_rate=0.3).fit(X, y).model_.rounds < 100


def test_staged_numbers():
    table = mixed(200, target="num")
    model = BoostedTrees(rounds=7, **PLAIN)(table)
    stages = list(model.staged(table, every=3))
    assert len(stages) == 3
    assert (stages[-1] == model(table)).all()
    assert np.std(stages[0]) < np.std(stages[-1])


@pytest.mark.parametrize("every", [0, 1.5, "all"])
def test_stages_come_after_whole_rounds(every):
    table = mixed(30)
    with pytest.raises(ParameterError, match="whole number of at least 1"):
        next(BoostedTrees(rounds=2)(table).staged(table, every))


def test_saved_and_opened(tmp_path):
    table = mixed(200)
    model = BoostedTrees(rounds=5)(table)
    model.save(tmp_path / "m.satsuma")
    again = satsuma.open_model(tmp_path / "m.satsuma")
    same(model, again)


def test_models_that_are_none_are_refused():
    model = BoostedTrees(rounds=3, min_leaf=5, **PLAIN)(mixed(200))
    inner = int(np.flatnonzero(model.left >= 0)[0])
    harm = {
        "left": lambda old: old.__setitem__(inner, 0),
        "first": lambda old: old.__setitem__(1, 1),
        "column": lambda old: old.__setitem__(inner, -1),
        "cuts": lambda old: old.__setitem__(0, old[0][::-1].copy()),
        "places": lambda old: old.__setitem__(2, old[2][:-1]),
        "seen": lambda old: old.__setitem__(0, old[1]),
    }
    model.check_state()
    for name, change in harm.items():
        broken = deepcopy(model)
        change(getattr(broken, name))
        with pytest.raises(ReadError):
            broken.check_state()


def test_what_it_refuses():
    table = mixed(50)
    for wrong in ({"quantile": 0.5}, {"counts": True}):
        with pytest.raises(DomainError, match="holds symbols"):
            BoostedTrees(**wrong)(table)
    with pytest.raises(DomainError, match="not a column of numbers"):
        BoostedTrees(monotone={"s": 1})(table)
    for signs in ({"a": 2}, {"a": "up"}, {0: 1}, ["a"]):
        with pytest.raises(ParameterError, match="rising"):
            BoostedTrees(monotone=signs)(table)
    with pytest.raises(ParameterError, match="at once"):
        BoostedTrees(quantile=0.5, counts=True)(table)
    with pytest.raises(DomainError, match="holds -1"):
        BoostedTrees(counts=True)(Table.of([(1, -1.0), (2, 3.0)], ["x", "y"], target="y"))


def test_the_logarithm_is_right():
    x = np.concatenate([np.linspace(1, 3, 1000), np.logspace(0, 5, 100)])
    assert logarithm(x) == pytest.approx(np.log(x), rel=1e-13, abs=1e-15)
