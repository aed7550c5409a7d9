"""Rules beside a plain reading of what is printed, and beside the tree that they come from."""

import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import beta

import satsuma
from satsuma import FFT, GetProbabilities, Majority, Rules, Table, Tree, load
from satsuma.checks import Batches
from satsuma.data.weights import with_weights
from satsuma.errors import DomainError, ParameterError, ReadError
from satsuma.learners.rules.condition import way_sizes, way_to
from satsuma.learners.tree.growth import grow_in_memory

CELL = st.one_of(st.none(), st.integers(0, 4))
ROWS = st.lists(
    st.tuples(CELL, st.sampled_from(["p", "q", "r", None]), CELL, st.sampled_from("abb")),
    min_size=4,
    max_size=40,
)
KINDS = {"x": "num", "s": "sym", "z": "num", "y": "sym"}


def table_of(rows):
    return Table.of(rows, list(KINDS), kinds=KINDS)


def noisy(rows=300, seed=0):
    """A class that hangs on two columns, with some cells missing."""
    rng = np.random.default_rng(seed)
    made = []
    for _ in range(rows):
        x, s, z = int(rng.integers(9)), str(rng.choice(["p", "q", "r"])), int(rng.integers(9))
        y = "a" if (x > 5 or s == "q") != (rng.random() < 0.15) else "b"
        cells = [None if rng.random() < 0.05 else cell for cell in (x, s, z)]
        made.append((*cells, y))
    return made


def holds(condition, row):
    """Whether a row, as a dict, meets a condition that was printed."""
    name, told = condition.split(" ", 1)
    cell, admits = row[name], told.endswith(("is missing", " or missing", ", missing}"))
    if cell is None or told in ("is missing", "is known"):
        return admits == (cell is None)
    sign, asked = told.removesuffix(" or missing").split(" ", 1)
    if sign in "≤>":
        return (cell > float(asked)) == (sign == ">")
    return cell in asked.strip("{}").split(", ")


def first_rule(rules, row):
    """The number of the first rule that applies."""
    return next(
        at for at, rule in enumerate(rules) if all(holds(each, row) for each in rule.conditions)
    )


def sure(weights, code):
    """The lower limit of the share of a class, at a confidence of a quarter."""
    n, errors = weights.sum(), weights.sum() - weights[code]
    return 1 - beta.ppf(0.75, errors + 1, max(n - errors, 1e-9))


@pytest.mark.parametrize(
    "learner",
    [
        Rules(),
        Rules(max_rules=1),
        Rules(missing="informative", min_leaf=1),
        FFT(),
        FFT(balanced=True),
        FFT(missing="informative"),
    ],
)
@given(ROWS)
@settings(max_examples=25)
def test_the_list_is_what_is_printed(learner, rows):
    table = table_of(rows)
    model = learner(table)
    rules, classes = model.rules(), model.classes
    assert [bool(rule.conditions) for rule in rules] == [True] * (len(rules) - 1) + [False]
    dicts = [dict(zip(KINDS, row, strict=True)) for row in rows]
    fired = [first_rule(rules, row) for row in dicts]
    counts = np.zeros((len(rules), len(classes)))
    np.add.at(counts, (fired, [classes.index(row["y"]) for row in dicts]), 1)
    np.testing.assert_array_equal(model.counts, counts)
    for rule, weights in zip(rules, counts, strict=True):
        assert rule.support == weights.sum()
        assert rule.confidence == weights[classes.index(rule.value)] / weights.sum()
    weights = counts * model.factors
    expected = (weights + 2 * weights.sum(axis=0) / weights.sum()) / (
        weights.sum(axis=1, keepdims=True) + 2
    )
    np.testing.assert_allclose(model(table, GetProbabilities), expected[fired])


def test_every_condition_pays():
    rows = noisy()
    left = [dict(zip(KINDS, row, strict=True)) for row in rows]
    model = Rules(table_of(rows))
    assert len(model.rules()) > 2
    for rule in model.rules()[:-1]:
        code = model.classes.index(rule.value)

        def weights(conditions, rows=left):
            met = [row["y"] for row in rows if all(holds(each, row) for each in conditions)]
            return np.array([met.count(each) for each in model.classes], float)

        own = sure(weights(rule.conditions), code)
        for each in rule.conditions:
            others = [other for other in rule.conditions if other != each]
            assert sure(weights(others), code) < own
        left = [row for row in left if not all(holds(each, row) for each in rule.conditions)]


def test_the_way_to_a_leaf_is_that_of_the_tree():
    model = Tree(prune=None, min_leaf=1)(table_of(noisy(100)))
    leaves = np.flatnonzero(model.column < 0)
    sizes = way_sizes(model.flat)
    for leaf, rule in zip(leaves.tolist(), model.rules(), strict=True):
        way = way_to(model.flat, leaf)
        assert len(way) == sizes[leaf]
        texts = [each.text(model.asked_columns) for each in way]
        symbols = {text for text in rule.conditions if text[0] == "s"}
        numbers = [text for text in rule.conditions if text[0] != "s"]
        tightest = {}
        for text in numbers:
            name, sign, cut = text.split()
            best = min if sign == "≤" else max
            tightest[name, sign] = best(float(cut), tightest.get((name, sign), float(cut)))
        assert {tuple(text.split()) for text in texts if text[0] != "s"} == {
            (name, sign, f"{cut:g}") for (name, sign), cut in tightest.items()
        }
        if len(symbols) == 1:
            assert symbols <= set(texts)


@pytest.mark.parametrize("learner", [Rules(), FFT(), FFT(balanced=True)])
def test_batches_weights_and_files_give_the_same_list(learner, tmp_path):
    rng = np.random.default_rng(1)
    weights = rng.integers(0, 4, 300) / 4
    table = table_of(noisy())
    whole = learner(table, weights=weights)
    weighted = with_weights(table, weights)
    for merge in ("left", "backwards"):
        assert str(learner(Batches(weighted, size=17, merge=merge))) == str(whole)
    whole.save(tmp_path / "m.satsuma")
    again = satsuma.open_model(tmp_path / "m.satsuma")
    assert str(again) == str(whole)
    row = {"x": 3, "s": None, "z": None}
    assert again.reasons(row) == whole.reasons(row)


@pytest.mark.figures
def test_as_accurate_as_a_tree_with_half_of_its_conditions():
    gaps, mine, others = [], 0, 0
    for name in ("heart_disease", "voting", "titanic", "zoo", "adult_sample"):
        table = load(name)
        found = satsuma.cross_validate([Rules(), Tree()], table, folds=5, seed=0).scores("CA")
        gaps.append(found["Rules"] - found["Tree"])
        mine += sum(len(rule.conditions) for rule in Rules(table).rules())
        others += sum(len(rule.conditions) for rule in Tree(table).rules())
    assert np.mean(gaps) > -0.02
    assert mine < others / 2


def test_without_a_question_the_list_has_one_rule():
    days = load("tennis")
    for learner in (Rules(max_rules=0), FFT(questions=0)):
        model = learner(days)
        assert str(model).splitlines()[1] == "Always: yes (14 rows, 64%)."
        assert model.reasons(days[0]) == ["Rule 1 applies, as no other does: yes (14 rows, 64%)."]
        assert model(days[0], GetProbabilities) == Majority(days)(days[0], GetProbabilities)


def test_a_rule_does_not_apply_where_a_value_is_missing_or_new():
    iris = load("iris")
    model = Rules(iris)
    nothing = dict.fromkeys([v.name for v in iris.domain.attributes])
    assert (
        model.reasons(nothing)[0]
        == "Rule 1 does not apply: Petal.Length is missing, and not ≤ 2.45."
    )
    assert model(nothing) == model.rules()[-1].value
    pets = Table.of([("cat", "a")] * 6 + [("dog", "b")] * 6, ["pet", "y"])
    assert Rules(pets).which_rule(Rules(pets)._rows({"pet": "cow"}))[0] == 1


def test_a_list_in_which_something_is_missing_everywhere():
    rows = [(1, None, "a")] * 9 + [(None, "p", "b")] * 9
    table = Table.of(rows, ["x", "s", "y"], kinds={"x": "num", "s": "sym"})
    assert len(Rules(missing="ignore")(table).rules()) == 1
    assert len(Rules(table).rules()) == 2


@pytest.mark.figures
def test_long_lists_and_long_conditions_are_cut():
    rng = np.random.default_rng(0)
    numbers = rng.permutation(1200)
    table = Table.of([(int(n), "ab"[n // 8 % 2]) for n in numbers], ["n", "y"])
    lines = str(Rules(table)).splitlines()
    assert len(lines) == 122
    assert re.fullmatch(r"… and \d+ more rules", lines[-2])
    assert lines[-1].startswith("Else: ")


@pytest.mark.parametrize(
    ("learner", "name"),
    [
        (Rules(max_rules=-1), "max_rules"),
        (Rules(min_leaf=-1), "min_leaf"),
        (Rules(m=-1), "m"),
        (Rules(missing="maybe"), "missing"),
        (FFT(questions=9), "questions"),
        (FFT(balanced="yes"), "balanced"),
        (FFT(missing="maybe"), "missing"),
    ],
)
def test_parameters_have_a_range(learner, name):
    with pytest.raises(ParameterError, match=f"'{name}' parameter of {type(learner).__name__}"):
        learner(load("tennis"))


def test_numbers_are_not_predicted():
    with pytest.raises(DomainError, match="Rules"):
        Rules(load("housing"))


BREAKS = {
    "no rows": ("counts", lambda held: held * 0),
    "does not count": ("factors", lambda held: held * 0),
    "one after the other": ("first", lambda held: held[::-1].copy()),
    "a threshold": ("threshold", lambda held: held * np.nan),
    "does not have": ("values", lambda held: held + 9),
    "not there": ("column", lambda held: held + 99),
    "without conditions": ("first", lambda held: np.append(held[:-1], held[-1:] * 0 + 1)),
}


@pytest.mark.parametrize("told", BREAKS)
def test_a_broken_list_is_refused(told):
    model = Rules(load("heart_disease"))
    name, change = BREAKS[told]
    broken = change(getattr(model, name))
    if told == "without conditions":
        model = Rules(max_rules=1)(load("heart_disease"))
        broken = np.array([0, 0, len(model.column)], np.int32)
    setattr(model, name, broken)
    with pytest.raises(ReadError, match=told):
        model.check_state()


def test_a_tree_of_many_rows_gives_several_rules(monkeypatch):
    rng = np.random.default_rng(0)
    x = rng.normal(size=(600, 3))
    y = np.where((x[:, 0] > 0.5) | (x[:, 1] * x[:, 2] > 0.3), "p", "q")
    y = np.where(rng.random(600) < 0.1, "q", y)
    rows = [[*each, label] for each, label in zip(x.tolist(), y.tolist(), strict=True)]
    table = Table.of(rows, ["a", "b", "c", "y"])
    one_by_one = Rules()(table)
    monkeypatch.setattr("satsuma.learners.rules.rules._MANY", 100)
    grown = []
    monkeypatch.setattr(
        "satsuma.learners.rules.rules.grow_in_memory",
        lambda *given: grown.append(1) or grow_in_memory(*given),
    )
    model = Rules()(table)
    assert len(grown) < len(model.rules())
    assert str(model) == str(Rules()(Batches(table, size=150, merge="backwards")))
    right = [(each(table) == table["y"]).mean() for each in (model, one_by_one)]
    assert right[0] == pytest.approx(right[1], abs=0.03)
    assert sum(rule.support for rule in model.rules()) == 600
    assert len(Rules(max_rules=2)(table).rules()) == 3
