"""AnDE beside a brute force, beside Weka's AODE, and beside naive Bayes."""

import json
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import satsuma
from satsuma import AnDE, GetProbabilities, NaiveBayes, Table, cross_validate, load, plot
from satsuma.errors import DomainError, NoSuchColumn, ParameterError

GOLDEN = json.loads((Path(__file__).parents[1] / "golden" / "aode.json").read_text("utf-8"))
CELLS = st.sampled_from(["p", "q", "r", None])
ROWS = st.lists(
    st.tuples(CELLS, CELLS, CELLS, st.sampled_from("ab"), st.sampled_from([1.0, 2.0, 0.5])),
    min_size=2,
    max_size=7,
)


def made():
    """Rows in which columns depend on each other, given the class."""
    rng = np.random.default_rng(5)
    rows = []
    for k in rng.integers(0, 3, 60):
        a = rng.integers(0, 3)
        b = (a + k + (rng.random() < 0.3)) % 4
        c = rng.integers(0, 2)
        d = int(rng.random() < 0.2 + 0.3 * k)
        rows.append((f"a{a}", f"b{b}", f"c{c}", f"d{d}", f"y{k}"))
    return Table.of(rows, ["a", "b", "c", "d", "y"])


def symbols(rows):
    names = ["x", "z", "u", "y", "w"]
    return Table.of(
        rows, names, target="y", kinds=dict.fromkeys("xzuy", "sym"), roles={"w": "weight"}
    )


def brute_force(rows, row, classes, values, *, n, m, least):
    """The joint of each class, by the definition, in plain Python."""

    def weight(wanted, label=None):
        return sum(
            each[-1]
            for each in rows
            if all(each[at] == value for at, value in wanted.items())
            and (label is None or each[-2] == label)
        )

    def known(wanted, at, label):
        return sum(weight({**wanted, at: v}, label) for v in values[at])

    total = dict.fromkeys(classes, 0.0)
    cells = [at for at in range(3) if row[at] is not None]
    had = False
    for parents in combinations(cells, n):
        given_ = {at: row[at] for at in parents}
        if n and weight(given_) < least:
            continue
        had = True
        size = np.prod([len(values[at]) for at in parents]) * len(classes)
        rows_known = sum(each[-1] for each in rows if all(each[at] is not None for at in parents))
        for label in classes:
            if n:
                joint = (weight(given_, label) + m / size) / (rows_known + m)
            else:
                joint = weight({}, label) / rows_known
            joint = joint if weight({}, label) > 0 else 0.0
            for at in cells:
                if at not in parents:
                    share = weight({**given_, at: row[at]}, label) + m / len(values[at])
                    joint *= share / (known(given_, at, label) + m)
            total[label] += joint
    if not had and n:
        return brute_force(rows, row, classes, values, n=n - 1, m=m, least=least)
    return [total[each] / sum(total.values()) for each in classes]


@pytest.mark.parametrize("n", [0, 1, 2])
@given(rows=ROWS)
def test_as_a_brute_force(n, rows):
    table = symbols(rows)
    model = AnDE(n=n, m=0.5, least=1.5, parents="equal", calibrate=False)(table)
    values = [table.domain[name].values for name in "xzu"]
    for row, found in zip(rows, model(table, GetProbabilities), strict=True):
        expected = brute_force(rows, row, model.classes, values, n=n, m=0.5, least=1.5)
        np.testing.assert_allclose(found, expected, rtol=1e-9)


@pytest.mark.parametrize(
    ("name", "table", "least"),
    [("tennis", load("tennis"), 1), ("made", made(), 1), ("made_least_8", made(), 8)],
)
def test_add_one_is_the_aode_of_weka(name, table, least):
    found = AnDE(alpha=1, least=least, parents="equal", calibrate=False)(table)(
        table, GetProbabilities
    )
    np.testing.assert_allclose(found, GOLDEN[name]["probabilities"], rtol=1e-9)


def test_without_parents_it_is_naive_bayes():
    table = made()
    ours, theirs = AnDE(n=0, m=2, calibrate=False)(table), NaiveBayes(m=2, calibrate=False)(table)
    np.testing.assert_allclose(
        ours(table, GetProbabilities), theirs(table, GetProbabilities), rtol=1e-9
    )


def test_what_depends_on_another_column_is_learned():
    rng = np.random.default_rng(0)
    a, b = rng.integers(0, 2, 400), rng.integers(0, 2, 400)
    rows = [(f"a{i}", f"b{j}", f"y{i ^ j}") for i, j in zip(a, b, strict=True)]
    results = cross_validate([NaiveBayes(), AnDE()], Table.of(rows, ["a", "b", "y"])).scores("CA")
    assert results["NaiveBayes"] < 0.7
    assert results["AnDE"] == 1


@pytest.mark.parametrize(
    ("table", "n"), [(load("voting"), 1), (load("iris"), 1), (load("iris"), 2), (made(), 2)]
)
def test_explanations_add_up_to_the_log_odds(table, n):
    model = AnDE(n=n)(table)
    for row in table[:: len(table) // 7]:
        told = model.explain(row)
        chances = model(row, GetProbabilities)
        assert told.value == model(row)
        odds = np.log(chances[told.value] / chances[told.against])
        assert told.total == pytest.approx(odds, rel=1e-9, abs=1e-12)


def test_a_row_of_which_nothing_is_known_is_explained_by_the_prior():
    model = AnDE()(made())
    told = model.explain({"a": None, "b": None, "c": None, "d": None})
    assert set(told) == {"(prior)", "a", "b", "c", "d"}
    assert told.total == pytest.approx(told["(prior)"])


def test_one_parent_is_a_naive_bayes_of_its_rows():
    table = made()
    model = AnDE(m=2)(table)
    given_a = model.given("a", "a1")
    alone = NaiveBayes(m=2)(table.filter(table["a"] == "a1").drop("a"))
    for name in "bcd":
        np.testing.assert_allclose(given_a.about(name)[name], alone.about(name)[name])
    assert "b: P(value | class)" in str(given_a)
    plot.nomogram(given_a)


def test_numbers_of_a_parent_are_intervals():
    iris = load("iris")
    model = AnDE()(iris)
    told = model.given("Petal.Width", 1.5)
    assert told.domain["Petal.Length"].values == ("<= 2.45", "(2.45, 4.75]", "> 4.75")
    with pytest.raises(NoSuchColumn, match="petal"):
        model.given("petal", 1)
    with pytest.raises(DomainError, match="no parents"):
        AnDE(n=0)(iris).given("Petal.Width", 1)


def test_parents_are_weighed_by_what_they_tell():
    table = load("voting")
    model = AnDE(parents="information")(table)
    told = satsuma.score_attributes(table, "information_gain")
    best = max(told, key=lambda each: told[each])
    assert model.tally.names[int(model.weights.argmax())] == best
    assert model.weights.sum() == pytest.approx(1)
    assert str(model).splitlines()[3].startswith(best)


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"n": 3}, "'n' parameter of AnDE must be a whole number of at least 0 and of at most 2"),
        ({"m": -1}, "'m' parameter"),
        ({"alpha": "x"}, "'alpha' parameter"),
        ({"parents": "some"}, "one of 'information', 'equal'"),
        ({"number": "kde"}, "'mdl', 'frequency', a discretizer"),
        ({"prior": 0.5}, "'prior' parameter of AnDE"),
        ({"prior": {"y0": 0.5, "y1": 0.6, "y2": 0.2}}, "sum to 1"),
        ({"calibrate": None}, "one of True, False"),
    ],
)
def test_wrong_parameters_are_refused(wrong, sentence):
    with pytest.raises(ParameterError, match=sentence):
        AnDE(**wrong)(made())


def test_too_many_combinations_are_refused_before_they_are_counted():
    names = [f"v{i}" for i in range(4000)]
    rows = [(each, each[::-1], "ab"[i % 2]) for i, each in enumerate(names)]
    with pytest.raises(DomainError, match=r"32,016,000 combinations.*such as 'one'"):
        AnDE()(Table.of(rows, ["one", "two", "y"], roles={"one": "x", "two": "x"}))


@pytest.mark.parametrize("n", [0, 1, 2])
@given(rows=ROWS)
def test_a_row_left_out_is_predicted_by_a_model_of_the_others(n, rows):
    table = symbols([(*row[:4], 1.0) for row in rows])
    learner = AnDE(n=n, parents="equal", least=1.5, calibrate=False)
    found = learner(table).left_out(table)
    for at, row in enumerate(rows):
        others = table[[j for j in range(len(table)) if j != at]]
        if row[3] not in {each[3] for j, each in enumerate(rows) if j != at}:
            assert found[at, table.column("y")[at]] == 0
            continue
        np.testing.assert_allclose(
            found[at], learner(others).probabilities(table[at : at + 1])[0], atol=1e-12
        )


def test_a_temperature_promises_less_and_predicts_the_same():
    table = load("heart_disease")
    plain, model = AnDE(calibrate=False)(table), AnDE()(table)
    assert model.temperature > 1.2
    np.testing.assert_array_equal(plain(table), model(table))
    sure, less = plain(table, GetProbabilities), model(table, GetProbabilities)
    assert less.max(axis=1).mean() < sure.max(axis=1).mean()
    again = np.exp(np.log(sure.clip(1e-9)) / model.temperature)
    np.testing.assert_allclose(less, again / again.sum(axis=1, keepdims=True), atol=1e-12)


def test_the_temperature_is_the_one_of_least_loss():
    table = load("voting")
    model = AnDE()(table)
    found, truth = model.left_out(table), table.column("party")

    def loss(temperature):
        heated = np.exp(np.log(found.clip(1e-9)) / temperature)
        chances = heated[np.arange(len(truth)), truth] / heated.sum(axis=1)
        return -np.log(chances).sum() + np.log(temperature) ** 2 / 2

    tried = np.exp(np.linspace(-1, 2, 601))
    assert loss(model.temperature) < min(map(loss, tried)) + 0.01


def test_calibration_lowers_the_loss_of_other_rows():
    learners = {"calibrated": AnDE(), "plain": AnDE(calibrate=False)}
    loss = cross_validate(learners, load("heart_disease"), seed=1).scores("log loss")
    assert loss["calibrated"] < loss["plain"] - 0.02
