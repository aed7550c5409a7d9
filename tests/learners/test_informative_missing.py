"""Missing cells that tell something: what learners decide, say and keep, and what it is worth."""

import numpy as np
import pytest
from sklearn.datasets import make_friedman1
from sklearn.linear_model import Ridge as TheirRidge
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import satsuma
from satsuma import (
    FFT,
    LDA,
    SVM,
    Forest,
    Lasso,
    LinearSVM,
    Logistic,
    ModelTree,
    RegressionTree,
    Ridge,
    Rules,
    Table,
    Tree,
    cross_validate,
)
from satsuma.checks import check_learner
from satsuma.checks.batches import Batches
from satsuma.errors import ParameterError, ReadError
from satsuma.learners.linear.folded_scatter import folds_of
from satsuma.learners.model import Model

FOR_CLASSES = [
    *(Tree(), Forest(trees=10), Logistic(), LinearSVM(), SVM(), LDA()),
    *(ModelTree(max_depth=2), Rules(), FFT()),
]
FOR_NUMBERS = [RegressionTree(), Forest(trees=10), Ridge(), Lasso(), ModelTree()]

#: Learners whose models have a column of zeros and ones for each informative column.
WITH_INDICATORS = [Logistic(), LinearSVM(), SVM(), LDA(), Ridge(), Lasso(), Lasso(l1=3.0)]


def friedman(seed, informative, classes=False, n=600):
    """Friedman's function, a tenth of each column missing: its least numbers, or any."""
    x, y = make_friedman1(n_samples=n, random_state=seed)
    by = x if informative else np.random.default_rng(seed).random(x.shape)
    x[np.argsort(np.argsort(by, axis=0), axis=0) < n / 10] = np.nan
    names = [f"x{at}" for at in range(x.shape[1])]
    table = satsuma.read(np.column_stack([x, y]), names=[*names, "y"], target="y")
    if classes:
        table = table.with_column("y", np.where(y > np.median(y), "high", "low"))
        table = table.with_roles(target="y")
    return table


def arrays(model: Model):
    return {name: each for name, each in vars(model).items() if isinstance(each, np.ndarray)}


@pytest.mark.figures
@pytest.mark.parametrize("learner", [*FOR_CLASSES, *FOR_NUMBERS], ids=repr)
def test_missing_at_random_is_as_ignored(learner):
    table = friedman(0, False, learner in FOR_CLASSES)
    auto, ignore = (
        learner(table),
        type(learner)(**learner.get_params() | {"missing": "ignore"})(table),
    )
    assert auto.informative == []
    assert "missing" not in str(auto)
    for name, each in arrays(auto).items():
        assert np.array_equal(each, arrays(ignore)[name], equal_nan=True)


@pytest.mark.figures
@pytest.mark.parametrize(
    ("ours", "classes"),
    [
        (Tree(), True),
        (RegressionTree(), False),
        (ModelTree(), True),
        (ModelTree(), False),
        (Rules(), True),
    ],
)
def test_missing_for_what_it_is_beside_scikit_learn(ours, classes):
    theirs = DecisionTreeClassifier if classes else DecisionTreeRegressor
    least = Tree().min_leaf if classes else RegressionTree().min_leaf
    train, test, wrong = slice(0, 700), slice(700, None), np.zeros(2)
    for seed in range(4):
        table = friedman(seed, True, classes, n=1000)
        x = np.column_stack([table.column(v.name) for v in table.domain.attributes])
        y, model = table.column("y"), ours(table[train])
        assert {"x0", "x1", "x3"} <= set(model.informative) <= {f"x{k}" for k in range(5)}
        found = model.codes(table[test]) if classes else model(table[test])
        peer = theirs(min_samples_leaf=least, random_state=0).fit(x[train], y[train])
        wrong += [((each - y[test]) ** 2).mean() for each in (found, peer.predict(x[test]))]
    assert wrong[0] < 1.1 * wrong[1]


def test_ways_of_missing_cells():
    rng = np.random.default_rng(0)
    size, sort = rng.normal(size=300), rng.choice(["a", "b", "missing"], 300)
    aim = np.where(size < -0.5, "lost", np.where(sort == "a", "a", "other"))
    rows = [
        (None if s < -0.5 else s, None if t == "a" and s >= -0.5 else t, y)
        for s, t, y in zip(size, sort, aim, strict=True)
    ]
    model = Tree(split="multiway")(Table.of(rows, ["size", "sort", "aim"]))
    assert model.informative == ["size", "sort"]
    assert str(model).splitlines() == [
        "aim",
        f"size is missing: lost ({(aim == 'lost').sum()})",
        "size is known",
        *(
            f"|  sort {told}: {c} ({((sort == v) & (aim != 'lost')).sum()})"
            for told, v, c in (
                ("= missing", "missing", "other"),
                ("= b", "b", "other"),
                ("is missing", "a", "a"),
            )
        ),
        "A missing value tells something in: size, sort",
    ]
    assert model({"size": None, "sort": "b"}) == "lost"
    assert model({"size": 1.0, "sort": None}) == "a"
    assert model({"size": 1.0, "sort": "never seen"}) == "other"


def high_is_missing(n=400):
    """A number that rises with a size, which is missing where it is high; and its side of 5."""
    rng = np.random.default_rng(0)
    size, other = rng.uniform(0, 10, n), rng.normal(size=n)
    price = size + 0.1 * rng.normal(size=n)
    cells = {"size": np.where(size > 7, np.nan, size), "other": other}
    side = np.where((size > 3) & (size < 7), "middle", "outside")
    return satsuma.read({**cells, "price": price}, target="price"), satsuma.read(
        {**cells, "side": side}, target="side"
    )


def test_a_number_that_is_missing_where_it_is_high():
    prices, sides = high_is_missing()
    model = ModelTree()(prices)
    errors = prices.column("price") - model(prices)
    assert 1 - errors.var() / prices.column("price").var() > 0.9
    assert str(model).splitlines()[-1] == "A missing value tells something in: size"
    (equation,) = model.rules()[0].equations
    assert str(equation).endswith(" if size is missing")
    mean = np.nanmean(prices.column("size"))
    assert equation.terms["size", "missing"] == pytest.approx(8.5 - mean, abs=0.1)
    rules = Rules()(sides)
    assert (rules(sides) == sides["side"]).mean() > 0.95
    assert str(rules).splitlines()[-1] == "A missing value tells something in: size"


def test_how_rules_ask_for_missing_cells():
    _, sides = high_is_missing()
    outside = np.sum(sides["side"] == "outside")
    for learner in (Rules(), FFT(questions=1)):
        model = learner(sides)
        assert str(model).splitlines() == [
            "side (accuracy on the rows learned from: 100.0%)",
            f"If size ≤ 3.04285 or missing: outside ({outside} rows, 100%).",
            f"Else: middle ({400 - outside} rows, 100%).",
            "A missing value tells something in: size",
        ]
        assert model.reasons({"size": 5.0, "other": 0.0})[0] == (
            "Rule 1 does not apply: size is 5, and not ≤ 3.04285 or missing."
        )
        assert model({"size": None, "other": 0.0}) == "outside"


def test_an_indicator_beside_scikit_learn():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(200, 2))
    y = x[:, 1] + 3.0 * (x[:, 0] > 1)
    missing = x[:, 0] > 1
    cells = np.where(missing, np.nan, x[:, 0])
    table = satsuma.read(np.column_stack([cells, x[:, 1], y]), names=["a", "b", "y"], target="y")
    model = Ridge(l2=0)(table)
    assert model.informative == ["a"]
    filled = np.where(missing, np.nanmean(cells), cells)
    peer = TheirRidge(alpha=0).fit(np.column_stack([filled, x[:, 1], missing]), y)
    told = model.coefficients()
    assert list(told) == ["constant", "a", "b", "a is missing"]
    assert list(told.values())[1:] == pytest.approx(peer.coef_, abs=1e-9)
    assert told["constant"] == pytest.approx(peer.intercept_, abs=1e-9)
    assert model(table) == pytest.approx(peer.predict(np.column_stack([filled, x[:, 1], missing])))


def high_cells_lost(n=600, seed=0, classes=False):
    """A column that is missing where it is high, one beside it, and their sum."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, 2))
    y = 3.0 * (x[:, 0] > 0.8) + 0.3 * x[:, 1] + 0.1 * rng.normal(size=n)
    cells = np.where(x[:, 0] > 0.8, np.nan, x[:, 0])
    told = np.where((y > 1.5) != (rng.random(n) < 0.01), "high", "low") if classes else y.tolist()
    rows = zip(cells.tolist(), x[:, 1].tolist(), told, strict=True)
    return Table.of([tuple(row) for row in rows], ["a", "b", "y"])


@pytest.mark.parametrize("learner", WITH_INDICATORS, ids=repr)
def test_what_it_is_worth(learner):
    classes = learner.takes.target != "number"
    table, score = high_cells_lost(classes=classes), "CA" if classes else "R2"
    without = type(learner)(**learner.get_params() | {"missing": "ignore"})
    results = cross_validate([learner, without], table, folds=3, seed=1)
    told, ignored = results.scores(score).values()
    assert told > 0.95 > ignored + 0.1
    assert learner(table).informative == ["a"]
    assert without(table).informative == []
    assert "a is missing" in str(learner(table)) or "tells something in: a" in str(learner(table))


@pytest.mark.parametrize("learner", [one for one in WITH_INDICATORS if type(one) is not LDA])
def test_an_indicator_is_a_column_of_zeros_and_ones(learner):
    """As in a table that has such a column, one-hot for what is not put in standard deviations."""
    classes = learner.takes.target != "number"
    table = high_cells_lost(classes=classes)
    model = type(learner)(**learner.get_params() | {"missing": "informative"})(table)
    lost = np.isnan(table.column("a"))
    filled = np.where(lost, np.nanmean(table.column("a")), table.column("a"))
    x = np.column_stack([filled, table.column("b"), lost])
    matrix = model.matrix(table)
    assert matrix == pytest.approx((x - x.mean(axis=0)) / [*_spread(table), 1.0])


def _spread(table):
    return [np.nanstd(table.column(name)) for name in ("a", "b")]


def test_folds_of_a_lasso_have_the_indicators():
    """What errors are in rows that were not learned from, beside sums over these rows."""
    table = high_cells_lost(200)
    model = Lasso()(table)
    folds, wrong = folds_of(table), np.zeros(len(model.strengths))
    shares = model.strengths / len(table)
    for fold in np.unique(folds):
        train, test = table[folds != fold], table[folds == fold]
        y = test.column("y")
        for at, share in enumerate(shares):
            l1 = float(share * len(train))
            one = Lasso(l1=l1, missing="informative")(train)
            wrong[at] += ((one(test) - y) ** 2).sum()
    assert wrong / len(table) == pytest.approx(model.path.errors, rel=1e-4)
    assert model.path.names == ("a", "b", "a is missing")


@pytest.mark.parametrize("learner", WITH_INDICATORS, ids=repr)
def test_terms_sum_to_the_prediction(learner):
    classes = learner.takes.target != "number"
    table = high_cells_lost(classes=classes)
    model = learner(table)
    for row in (0, int(np.isnan(table.column("a")).argmax())):
        if not classes:
            told, wanted = model.explain(table[row]), model(table[row])
        else:
            told = model.explain(table[row], "high", "low")
            high = model(table[row], satsuma.GetProbabilities)["high"]
            wanted = np.log(high / (1 - high)) if told.of == "log-odds" else high
        assert sum(told.parts.values()) == pytest.approx(wanted, rel=1e-6)


@pytest.mark.parametrize("learner", [Logistic(), LinearSVM(), SVM(), LDA(), ModelTree()], ids=repr)
def test_a_new_symbol_is_no_missing_one(learner):
    rows = [(None if k % 3 == 0 else "ab"[k % 2], "yes" if k % 3 == 0 else "no") for k in range(90)]
    model = learner(Table.of(rows, ["sort", "aim"]))
    assert model.informative == ["sort"]
    assert model({"sort": None}) == "yes"
    assert model({"sort": "new"}) == "no"


@pytest.mark.parametrize("learner", [Tree(), Rules()])
def test_missing_cells_are_told_of_columns_that_are_asked_for(learner):
    rows = [
        (None if k % 4 == 0 else k, None if k % 4 == 0 else 1, "ab"[k % 4 > 0]) for k in range(80)
    ]
    model = learner(Table.of(rows, ["paid", "twin", "y"]))
    assert sorted(model.informative) == ["paid", "twin"]
    assert str(model).splitlines()[-1] == "A missing value tells something in: paid"


@pytest.mark.parametrize("learner", [Rules(), FFT()])
def test_no_rule_for_missing_cells_applies_to_a_new_symbol(learner):
    sorts = [None] * 40 + ["a"] * 30 + ["b"] * 20
    aims = {None: "lost", "a": "first", "b": "second"}
    model = learner(Table.of([(sort, aims[sort]) for sort in sorts], ["sort", "aim"]))
    assert [model({"sort": sort}) for sort in aims] == [*aims.values()]
    told = model.reasons({"sort": "new"})
    assert told[0] == (
        "Rule 1 does not apply: sort is of a value never seen before, and not missing."
    )
    assert len(told) == 3
    assert list(model.explain({"sort": "new"}).path) == told


@pytest.mark.parametrize(
    ("learner", "classes"),
    [
        *((one, True) for one in (Tree(), Logistic(), LinearSVM(), SVM(), LDA())),
        *((one, True) for one in (ModelTree(), Rules(), FFT())),
        *((one, False) for one in (RegressionTree(), Ridge(), Lasso(), Lasso(l1=3.0), ModelTree())),
    ],
    ids=repr,
)
def test_the_same_from_parts_and_from_a_file(learner, classes, tmp_path):
    table = friedman(1, True, classes)
    model = learner(table)
    assert model.informative
    for size in (50, 350) if learner.takes.rounds != "rows" else ():
        again = learner(Batches(table, size=size))
        assert again.informative == model.informative
        for name, each in arrays(again).items():
            assert np.allclose(each, arrays(model)[name], rtol=1e-9, atol=1e-12, equal_nan=True)
    model.save(tmp_path / "model.satsuma")
    opened = satsuma.open_model(tmp_path / "model.satsuma")
    assert opened.informative == model.informative
    assert (opened(table) == model(table)).all()
    held = opened.normals if isinstance(learner, LDA) else opened
    held.informative = ["y"]
    opened.save(tmp_path / "wrong.satsuma")
    with pytest.raises(ReadError):
        satsuma.open_model(tmp_path / "wrong.satsuma")


@pytest.mark.figures
@pytest.mark.parametrize(
    "learner",
    [
        *(kind(missing="informative") for kind in (Logistic, Ridge, Lasso, LinearSVM, SVM, LDA)),
        *(kind(missing="informative") for kind in (Rules, FFT)),
        ModelTree(missing="informative", max_depth=2, min_leaf=3, prune=0.5, bins=4),
    ],
    ids=repr,
)
def test_the_laws_hold_with_indicators(learner):
    check_learner(learner, laws=[2, 3, 4, 7])


def test_what_may_be_asked_for():
    with pytest.raises(ParameterError, match="'missing' parameter of Tree"):
        Tree(missing="maybe")(satsuma.load("voting"))
