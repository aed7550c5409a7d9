import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.naive_bayes import CategoricalNB, GaussianNB

import satsuma
from satsuma import (
    Categorical,
    Domain,
    GetBoth,
    GetProbabilities,
    MEstimate,
    NaiveBayes,
    RelativeFrequency,
    Table,
    Variable,
)
from satsuma.errors import DomainError, NoSuchColumn, NoSuchValue, ParameterError


def coded(columns, y, values=10, classes=3):
    """A table of codes, all values listed."""
    listed = tuple(map(str, range(values)))
    variables = [Variable(f"x{j}", "sym", listed) for j in range(columns.shape[1])]
    target = Variable("y", "sym", tuple(f"c{k}" for k in range(classes)), "target")
    arrays = [np.ascontiguousarray(c, np.int32) for c in (*columns.T, y)]
    return Table(Domain([*variables, target]), arrays)


# ---- golden figures


def test_case_000_voting_show(shared, cases):
    expected = cases["000-voting-show"]["expected"]
    learner = NaiveBayes(
        symbol=Categorical(m=0, rows="all"), calibrate=False
    )  # as the source counts
    model = learner(satsuma.read(shared("orange/voting.tab")))
    for party, share in zip(model.classes, model.prior, strict=True):
        assert share == pytest.approx(expected["class_prob"][party], abs=1e-12)
        chance = model.likelihood("handicapped-infants", "n", given=party)
        assert chance == pytest.approx(expected["cond_prob_given_class"][party], abs=1e-12)
    assert model.likelihood("handicapped-infants", "n", given="republican") == 134 / 168


def test_case_000_voting_row_0(shared, cases):
    expected = cases["000-voting-row0"]["expected"]
    table = satsuma.read(shared("orange/voting.tab"))
    model = NaiveBayes(symbol=Categorical(m=0, rows="all"), calibrate=False)(table)
    value, found = model(table[0], GetBoth)
    assert value == expected["row0_value"]
    assert found == pytest.approx(expected["row0_probabilities"], abs=1e-7)
    assert found == pytest.approx(expected["exact_double"], abs=1e-12)
    assert found["democrat"] == pytest.approx(expected["row0_probabilities"]["democrat"], rel=1e-5)
    assert model(table[12]) == expected["row12_value"]


def test_case_000_mitchell_wind(cases):
    # Wind in PlayTennis (Mitchell 1997, section 6.9.1): strong in 3 of the 5 days without play.
    expected = cases["000-mitchell-wind"]["expected"]
    rows = [("strong", "no")] * 3 + [("weak", "no")] * 2 + [("strong", "yes"), ("weak", "yes")]
    days = Table.of(rows, ["wind", "play"])
    for m, chance in expected.items():
        model = NaiveBayes(days, m=float(m), calibrate=False)
        assert model.likelihood("wind", "strong", given="no") == pytest.approx(chance, abs=1e-12)


def test_case_001_titanic_run(shared, cases):
    expected = cases["001-titanic-run"]["expected"]
    table = satsuma.read(shared("orange/titanic.tab"))
    for m in (0, 2):
        model = NaiveBayes(table, m=m, calibrate=False)
        assert [model(table[row]) for row in range(5)] == expected["predicted"]
    assert [table[row].target for row in range(5)] == expected["actual"]


# ---- oracles


@pytest.mark.parametrize("seed", range(5))
def test_gaussian_naive_bayes_of_scikit_learn(seed):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 3, 60)
    X = rng.normal(size=(60, 4)) * rng.uniform(0.1, 10, 4) + y[:, None] + 100
    peer = GaussianNB(var_smoothing=0).fit(X, y)
    n = peer.class_count_[:, None]
    peer.var_ = peer.var_ * n / (n - 1)  # ours is over n - 1
    ours = NaiveBayes(number="gaussian", calibrate=False).fit(X, y)
    np.testing.assert_allclose(ours.model_.about("x0").sd ** 2, peer.var_, rtol=1e-9)
    new = rng.normal(size=(500, 4)) * 10 + 100
    np.testing.assert_allclose(
        ours.predict_proba(new), peer.predict_proba(new), rtol=1e-9, atol=1e-300
    )
    assert (ours.predict(new) == peer.predict(new)).all()


@pytest.mark.parametrize("m", [0.1, 2.0, 10.0])
def test_categorical_naive_bayes_of_scikit_learn(m):
    rng = np.random.default_rng(int(m))
    X, y = rng.integers(0, 5, (80, 6)), rng.integers(0, 3, 80)
    peer = CategoricalNB(alpha=m / 5, min_categories=5).fit(X, y)
    model = NaiveBayes(m=m, calibrate=False)(coded(X, y, values=5))
    new = rng.integers(0, 5, (500, 6))
    asked = coded(new, np.zeros(500), values=5)
    found = model(asked, GetProbabilities)
    np.testing.assert_allclose(found, peer.predict_proba(new), rtol=1e-9, atol=0)


def test_both_sorts_of_columns_multiply():
    rng = np.random.default_rng(3)
    y = rng.integers(0, 2, 90)
    X, K = rng.normal(size=(90, 2)) + y[:, None], rng.integers(0, 4, (90, 2))
    gauss, coins = (
        NaiveBayes(number="gaussian", calibrate=False).fit(X, y),
        CategoricalNB(alpha=0.5, min_categories=4).fit(K, y),
    )
    table = coded(K, y, values=4, classes=2)
    numbers = [Variable("a"), Variable("b")]
    mixed = Table(Domain([*numbers, *table.domain]), [*X.T.copy(), *table.columns])
    found = NaiveBayes(number="gaussian", calibrate=False)(mixed)(mixed, GetProbabilities)
    product = gauss.predict_proba(X) * coins.predict_proba(K) / np.bincount(y)
    np.testing.assert_allclose(found, product / product.sum(axis=1, keepdims=True), rtol=1e-9)


@given(st.data())
def test_by_hand(data):
    """The formulas, one row and one cell at a time, with weights and holes."""
    cell = st.sampled_from(["a", "b", None])
    number = st.one_of(st.none(), st.integers(-5, 5))
    row = st.tuples(cell, number, st.sampled_from(["yes", "no"]), st.integers(0, 3))
    rows = data.draw(st.lists(row, min_size=1, max_size=12))
    m = data.draw(st.sampled_from([0, 0.5, 2]))
    names = ["s", "x", "y", "w"]
    kinds = {"s": "sym", "x": "num", "y": "sym"}
    table = Table.of(rows, names, target="y", kinds=kinds, roles={"w": "weight"})
    if not sum(row[3] for row in rows):
        with pytest.raises(DomainError, match="weight is not zero"):
            NaiveBayes(table, m=m, calibrate=False)
        return
    model = NaiveBayes(table, m=m, calibrate=False)
    spread = [x for _, x, _, w in rows for _ in range(w) if x is not None]
    for klass in model.classes:
        mine = [(s, x) for s, x, y, w in rows for _ in range(w) if y == klass]
        for s, x in {(s, x) for s, x, *_ in rows}:
            p = len(mine) / sum(row[3] for row in rows)
            k = len(table.domain["s"].values)
            if s is not None and p:
                told = [each for each, _ in mine if each is not None]
                p *= (told.count(s) + m / k) / (len(told) + m) if len(told) + m else 1.0
            known = [each for _, each in mine if each is not None]
            if x is not None and known and len(set(spread)) > 1:
                mean = sum(known) / len(known)
                variance = sum((each - mean) ** 2 for each in known) / max(1, len(known) - 1)
                overall = np.var(spread, ddof=1)
                share = 1e-9 if len(set(known)) > 1 else 0.1
                sd = math.sqrt(max(variance, share * overall))
                p *= math.exp(-(((x - mean) / sd) ** 2) / 2) / sd / math.sqrt(2 * math.pi)
            assert model.p(klass, {"s": s, "x": x}) == pytest.approx(p, rel=1e-9, abs=1e-300)


# ---- corners


def test_zero_for_every_class_gives_the_prior():
    rows = [("a", "p", "yes"), ("a", "p", "yes"), ("b", "q", "no")]
    model = NaiveBayes(Table.of(rows, ["s", "t", "y"]), m=0, calibrate=False)
    asked = {"s": "a", "t": "q"}
    assert model.p("yes", asked) == model.p("no", asked) == 0
    assert model.log_p("yes", asked) == -math.inf
    assert model(asked, GetProbabilities) == pytest.approx({"yes": 2 / 3, "no": 1 / 3})
    assert model(asked) == "yes"


def test_an_unseen_value_vetoes_only_without_m():
    rows = [("a", "yes"), ("b", "yes"), ("a", "no")]
    table = Table.of(rows, ["s", "y"])
    assert NaiveBayes(table, m=0, calibrate=False)({"s": "b"}, GetProbabilities)["no"] == 0
    assert NaiveBayes(table, m=0.1, calibrate=False)({"s": "b"}, GetProbabilities)["no"] > 0


def test_listed_values_count_even_if_they_never_occur():
    domain = Domain(
        [
            Variable("s", "sym", ("a", "b", "never")),
            Variable("y", "sym", ("yes", "no", "maybe"), "target"),
        ]
    )
    table = Table(domain, [np.array([0, 1, 0], np.int32), np.array([0, 0, 1], np.int32)])
    model = NaiveBayes(table, m=3, calibrate=False)
    assert model.likelihood("s", "never", given="yes") == pytest.approx(1 / 5)
    assert model.prior.tolist() == [2 / 3, 1 / 3, 0]
    assert model({"s": "never"}, GetProbabilities)["maybe"] == 0
    assert NaiveBayes(table, m=0, calibrate=False)({"s": "a"}, GetProbabilities)["maybe"] == 0


def test_a_value_first_seen_later_says_nothing():
    table = Table.of([("a", 1.0, "yes"), ("b", 2.0, "no"), ("b", 2.5, "no")], ["s", "x", "y"])
    model = NaiveBayes(table, calibrate=False)
    new = model({"s": "never heard of", "x": None}, GetProbabilities)
    assert new == pytest.approx({"yes": 1 / 3, "no": 2 / 3})


def test_a_constant_column_says_nothing():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 50)
    X = np.column_stack([rng.normal(size=50) + y, np.full(50, 0.1)])
    alone, both = (
        NaiveBayes(calibrate=False).fit(X[:, :1], y),
        NaiveBayes(calibrate=False).fit(X, y),
    )
    for asked in (X, X + np.array([0, 99])):
        np.testing.assert_allclose(
            both.predict_proba(asked), alone.predict_proba(X[:, :1]), rtol=1e-12
        )


def test_the_floor_of_a_class_that_does_not_vary():
    X, y = np.array([[1.0], [1.0], [2.0], [4.0]]), [0, 0, 1, 1]
    model = NaiveBayes(calibrate=False).fit(X, y)
    overall = np.var(X, ddof=1)
    assert model.model_.about("x0").sd[0, 0] == pytest.approx(math.sqrt(0.1 * overall), rel=1e-12)
    assert model.predict([[1.0], [4.0]]).tolist() == [0, 1]


def test_a_class_of_a_single_row_and_one_without_any_number():
    rows = [(1.0, "one"), (2.0, "two"), (3.0, "two"), (None, "none"), (None, "none")]
    model = NaiveBayes(Table.of(rows, ["x", "y"]), calibrate=False)
    assert model.about("x").sd[:, 0] == pytest.approx(
        [math.sqrt(0.1), math.sqrt(0.5), math.inf], rel=1e-6
    )
    assert model.p("none", {"x": 2.0}) == pytest.approx(2 / 5)
    assert model.p("one", {"x": 1.0}) > model.p("two", {"x": 1.0})


def test_one_class_and_one_row():
    model = NaiveBayes(Table.of([(1.0, "a", "only")], ["x", "s", "y"]), calibrate=False)
    assert model({"x": 5.0, "s": "b"}, GetBoth) == ("only", {"only": 1.0})


def test_without_columns_there_is_the_prior():
    model = NaiveBayes(Table.of([("yes",), ("no",), ("yes",)], ["y"]), calibrate=False)
    assert model({}, GetProbabilities) == pytest.approx({"yes": 2 / 3, "no": 1 / 3})


def test_columns_without_any_value():
    kinds = {"s": "sym", "x": "num"}
    table = Table.of([(None, None, "a"), (None, None, "b")], ["s", "x", "y"], kinds=kinds)
    model = NaiveBayes(table, calibrate=False)
    assert model({"s": "new", "x": 3}, GetProbabilities) == {"a": 0.5, "b": 0.5}


@pytest.mark.parametrize("size", [1e-300, 1e-200, 1e100, 1e200, 1e305])
def test_sizes_beyond_the_range_of_squares(size):
    X, y = np.array([[-1.0], [-1.5], [1.0], [2.0]]) * size, ["low", "low", "high", "high"]
    model = NaiveBayes(calibrate=False).fit(X, y)
    found = model.predict_proba(X)
    assert np.isfinite(found).all()
    assert np.abs(found.sum(axis=1) - 1).max() < 1e-12
    assert model.predict(X).tolist() == y


def test_an_infinite_number_is_refused_by_column_and_row():
    X, y = np.random.default_rng(0).normal(size=(300, 5)), np.arange(300) % 3
    model = NaiveBayes(calibrate=False).fit(X, y)
    for bad in (np.inf, -np.inf):
        wrong = X.copy()
        wrong[217, 3] = bad
        for verb in (model.predict, model.predict_proba):
            with pytest.raises(DomainError, match=r"Column 'x3' holds -?inf in row 217"):
                verb(wrong)
        for verb in (NaiveBayes(calibrate=False).fit, NaiveBayes(calibrate=False).partial_fit):
            with pytest.raises(DomainError, match=r"Column 'x3' holds -?inf in row 217"):
                verb(wrong, y)


def test_ties_go_to_the_first_class():
    rows = [("a", "second"), ("b", "first"), ("a", "first"), ("b", "second")]
    model = NaiveBayes(Table.of(rows, ["s", "y"]), calibrate=False)
    assert model.classes == ("second", "first")
    assert model({"s": "a"}) == model({"s": "b"}) == "second"
    assert model(Table.of(rows, ["s", "y"])).tolist() == ["second"] * 4


@pytest.mark.parametrize("m", [-1, "two", None, True, math.inf, math.nan])
def test_the_weight_of_the_prior_is_checked_when_learning(m):
    learner = NaiveBayes(m=m, calibrate=False)
    with pytest.raises(ParameterError, match=r"The 'm' parameter of NaiveBayes must be a number"):
        learner(Table.of([("a", "b")], ["s", "y"]))


@pytest.mark.parametrize(("wrong", "right"), [(True, 1), (False, 0)])
def test_a_learner_that_was_refused_does_not_stand_for_an_equal_one(wrong, right):
    table = Table.of([("a", "b"), ("c", "d")], ["s", "y"])
    for block in (None, Categorical(m=wrong)):
        with pytest.raises(ParameterError, match="must be a number"):
            NaiveBayes(m=wrong if block is None else 3.25, symbol=block, calibrate=False)(table)
    assert NaiveBayes(m=right, calibrate=False)(table)(table[0]) == "b"
    assert NaiveBayes(m=3.25, symbol=Categorical(m=right), calibrate=False)(table)(table[0]) == "b"


def test_a_class_first_seen_in_a_later_batch():
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(90, 3)), np.repeat([5, 3, 9], 30)
    late = NaiveBayes(calibrate=False)
    for start in range(0, 90, 15):
        late.partial_fit(X[start : start + 15], y[start : start + 15])
        assert np.abs(late.predict_proba(X).sum(axis=1) - 1).max() < 1e-12
    whole = NaiveBayes(calibrate=False).fit(X, y)
    assert late.classes_.tolist() == [5, 3, 9]
    order = [late.classes_.tolist().index(each) for each in whole.classes_]
    np.testing.assert_allclose(late.predict_proba(X)[:, order], whole.predict_proba(X), rtol=1e-9)


def test_questions_by_wrong_names():
    model = NaiveBayes(Table.of([("a", 1, "b")], ["s", "x", "y"]), calibrate=False)
    with pytest.raises(NoSuchColumn, match="no column 'x'"):
        model.likelihood("x", "1", given="b")
    with pytest.raises(NoSuchValue, match="no value 'c'"):
        model.p("c", {"s": "a", "x": 1})


def test_it_prints_as_a_table():
    rows = [("hot", 30, "no"), ("mild", 20, "yes"), ("hot", 24, "yes")]
    model = NaiveBayes(Table.of(rows, ["temp", "degrees", "play"]), calibrate=False)
    assert str(model).splitlines()[0].split() == ["play", "no", "yes"]
    assert "degrees" in str(model)
    assert "22 ± 2.83" in str(model)
    assert model._repr_html_().startswith("<table>")
    assert repr(model) == "GenerativeModel of NaiveBayes(m=2.0, calibrate=False)"


def test_a_large_model_prints_in_part():
    rng = np.random.default_rng(0)
    table = coded(rng.integers(0, 30, (100, 50)), rng.integers(0, 20, 100), values=30, classes=20)
    told = str(NaiveBayes(table, calibrate=False))
    assert "… and 10 more" in told
    assert told.endswith("… and 10 more columns and 8 more classes")


def test_case_000_bayes_test_voting(shared, cases):
    case = cases["000-bayes-test-voting"]
    table = satsuma.read(shared("orange/voting.tab"))
    learners = {
        "my_bayes": NaiveBayes(symbol=Categorical(m=2, prior="class"), calibrate=False),
        "knn": satsuma.KNN(k=10),
    }
    for seed in range(3):
        found = satsuma.cross_validate(learners, table, folds=10, seed=seed).scores("CA")
        for name, score in found.items():
            wanted = pytest.approx(case["expected"][name], abs=case["tolerance"][name])
            assert score == wanted


def test_case_001_lenses_mestimate(shared, cases):
    case = cases["001-lenses-mestimate"]
    table = satsuma.read(shared("orange/lenses.tab"))
    for block, name, prior in (
        (RelativeFrequency(), "relative", "prior"),
        (MEstimate(2), "m2", "prior_m2"),
    ):
        model = NaiveBayes(table, symbol=block, calibrate=False)
        within = {"abs": case["tolerance"]["abs"]}
        assert dict(model.distribution) == pytest.approx(case["expected"][prior], **within)
        for column, by_value in case["expected"][name].items():
            for value, expected in by_value.items():
                found = model.conditional_distributions[column][value]
                assert dict(found) == pytest.approx(expected, **within)


def test_case_003_gnb_head(shared, cases):
    case = cases["003-gnb-head"]
    iris = satsuma.read(shared("r/iris.csv"), target="Species")
    table = iris.select(["Sepal.Width", "Sepal.Length", "Species"])
    check_head(NaiveBayes(table, calibrate=False), table, case)


def test_case_003_catnb_head(shared, cases):
    case = cases["003-catnb-head"]
    iris = satsuma.read(shared("r/iris.csv"), target="Species")
    breaks = case["expected"]["breaks"]
    length = iris["Sepal.Length"]
    assert breaks[1:] == pytest.approx(np.quantile(length, [0.25, 0.75, 1]))
    types = (np.searchsorted(breaks, length, side="left") - 1).astype(np.int32)
    domain = Domain(
        [
            iris.domain["Sepal.Width"],
            Variable("Sepal.Length.Types", "sym", ("low", "middle", "high")),
            iris.domain["Species"],
        ]
    )
    table = Table(domain, [iris.column("Sepal.Width"), types, iris.column("Species")])
    model = NaiveBayes(table, m=0, calibrate=False)
    check_head(model, table, case)
    assert (model(table, GetProbabilities)[types == 2, 0] == 0).all()


def check_head(model, table, case):
    found, expected = model(table, GetProbabilities), case["expected"]
    printed, within = np.array(expected["printed"]), case["tolerance"]
    np.testing.assert_allclose(found[:6, 0], printed[:, 0], rtol=0, atol=within["abs_setosa"])
    np.testing.assert_allclose(found[:6, 1:], printed[:, 1:], rtol=0, atol=within["abs"])
    assert (model(table) == table["Species"]).mean() == pytest.approx(expected["accuracy"])
