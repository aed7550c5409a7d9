"""Learning from one row at a time: from all rows, from the last ones, and from rows that fade."""

import numpy as np
import pandas as pd
import pytest

import satsuma
from satsuma import (
    ADWIN,
    LDA,
    MDL,
    QDA,
    AnDE,
    Forest,
    GetProbabilities,
    Majority,
    NaiveBayes,
    Online,
    Ridge,
)
from satsuma.errors import DomainError, ParameterError
from satsuma.learners.streaming.row_batches import OneRow
from satsuma.learners.streaming.running_tallies import AllRows, FadingRows, LastRows

IRIS = satsuma.load("iris")
NAMES = [v.name for v in IRIS.domain.attributes]
#: The classes come in the order that they have in iris.
ORDER = np.append(
    [0, 50, 100], np.random.default_rng(0).permutation(np.delete(np.arange(150), [0, 50, 100]))
)
LEARNERS = [
    NaiveBayes(),
    NaiveBayes(number="gaussian", calibrate=False),
    LDA(calibrate=False),
    QDA(),
    AnDE(number=MDL(n=4)(IRIS).cuts),
    Majority(),
]


def rows():
    for at in ORDER.tolist():
        row = IRIS[at]
        yield {name: row[name] for name in NAMES}, row["Species"]


def probabilities(online):
    """Of all rows, by class, in the order of iris."""
    found = [online.predict_proba_one({n: IRIS[at][n] for n in NAMES}) for at in range(0, 150, 10)]
    return [[each.get(name, 0.0) for name in IRIS.domain.target.values] for each in found]


@pytest.mark.parametrize("learner", LEARNERS, ids=repr)
def test_all_rows_one_by_one_are_all_rows(learner):
    online = Online(learner)
    for at, (row, label) in enumerate(rows()):
        if at % 40 == 0:
            online.predict_one(row)
        assert online.learn_one(row, label) is online
    want = learner(IRIS)(IRIS[::10], GetProbabilities)
    assert np.allclose(probabilities(online), want, atol=1e-9)
    assert online.rows == 150


@pytest.mark.parametrize("learner", LEARNERS, ids=repr)
@pytest.mark.parametrize("window", [1, 7, 60, 149, 200])
def test_a_window_is_learned_from_as_its_rows(learner, window):
    online = Online(learner, window=window)
    for at, (row, label) in enumerate(rows()):
        online.learn_one(row, label)
        if at in (0, 61, 97, 149):
            last = IRIS[ORDER[max(0, at + 1 - window) : at + 1]]
            want = learner(last)(IRIS[::10], GetProbabilities)
            assert np.allclose(probabilities(online), want, atol=1e-7)
            assert online.rows == min(window, at + 1)


@pytest.mark.parametrize("learner", LEARNERS, ids=repr)
@pytest.mark.parametrize("half_life", [12, 50.5])
def test_rows_that_fade_are_rows_that_weigh_less(learner, half_life):
    online = Online(learner, half_life=half_life)
    for at, (row, label) in enumerate(rows()):
        online.learn_one(row, label)
        if at % 50 == 49:
            online.predict_one(row)
    weights = 0.5 ** (np.arange(149, -1, -1) / half_life)
    want = learner(IRIS[ORDER], weights=weights)(IRIS[::10], GetProbabilities)
    assert np.allclose(probabilities(online), want, atol=1e-6)


def test_what_faded_long_ago_is_gone():
    online = Online(NaiveBayes(number="gaussian", calibrate=False), half_life=2)
    for label, at in [("old", 0.0), ("new", 9.0)]:
        for step in range(3000):
            online.learn_one({"x": at + step % 5, "s": label}, label)
    assert online.predict_one({"x": 0.0}) == "new"
    assert online.predict_proba_one({"x": 9.0, "s": "new"})["old"] < 1e-9


def test_numbers_are_predicted():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(80, 2))
    y = x @ [2.0, -1.0] + 3
    whole, window, fading = Online(Ridge(l2=0)), Online(Ridge(l2=0), window=20), None
    fading = Online(Ridge(l2=0), half_life=9)
    for row, number in zip(x.tolist(), y.tolist(), strict=True):
        for online in (whole, window, fading):
            online.learn_one({"a": row[0], "b": row[1]}, number)
    for online in (whole, window, fading):
        assert np.isclose(online.predict_one({"a": 1, "b": 1}), 4)
        assert not hasattr(online.model, "classes")


def test_classes_values_and_holes_may_come_at_any_time():
    online = Online(NaiveBayes(calibrate=False), kinds={"late": "sym"})
    assert online.predict_one({"a": 1}) is None
    assert online.predict_proba_one({"a": 1}) == {}
    online.learn_one({"a": None, "s": "u"}, True)
    assert online.predict_one({"a": 2.0, "s": "u"}) is True
    online.learn_one({"a": 2.5, "s": None, "late": "x"}, False)
    online.learn_one({"s": "w", "late": float("nan")}, False)
    assert set(online.predict_proba_one({"s": "never"})) == {True, False}
    assert online.predict_one({"s": "w", "unknown": 3}) is False
    frame = pd.DataFrame(
        {"a": [None, 2.5, None], "s": ["u", None, "w"], "late": [None, "x", None], "y": list("tff")}
    )
    table = satsuma.read(frame, target="y", kinds={"a": "num", "late": "sym"})
    want = NaiveBayes(calibrate=False)(table)({"a": None, "s": "w", "late": None}, GetProbabilities)
    assert np.isclose(online.predict_proba_one({"s": "w"})[False], want["f"])


def test_labels_that_are_equal_may_be_written_differently():
    online = Online(NaiveBayes()).learn_one({"x": 1.0}, 1)
    with pytest.raises(DomainError, match="written alike"):
        online.learn_one({"x": 1.0}, "1")
    assert online.learn_one({"x": 2.0}, True).model.classes == ("1", "True")


def test_weights_of_rows():
    one, two = Online(NaiveBayes()), Online(NaiveBayes())
    for row, label in [({"x": "a"}, 0), ({"x": "b"}, 1)]:
        one.learn_one(row, label, w=2.0)
        two.learn_one(row, label).learn_one(row, label)
    assert one.predict_proba_one({"x": "a"}) == two.predict_proba_one({"x": "a"})


def test_a_data_frame_of_rows():
    frame = pd.DataFrame({"x": ["a", "b", "a"], "n": [1.0, 2.0, 3.0]})
    many = Online(NaiveBayes()).learn_many(frame, ["p", "q", "p"])
    assert many.rows == 3
    assert many.predict_one({"x": "b", "n": 2.0}) == "q"


def test_symbols_are_learned_where_numbers_would_take_another_round():
    tennis = satsuma.load("tennis")
    names = [v.name for v in tennis.domain.attributes]
    online = Online(AnDE())
    for row in tennis:
        online.learn_one({name: row[name] for name in names}, row["play"])
    whole = AnDE()(tennis)
    for row in tennis:
        found = online.predict_proba_one({name: row[name] for name in names})
        assert found == pytest.approx(dict(whole(row, GetProbabilities)))
    row, label = next(rows())
    numbers = Online(AnDE()).learn_one(row, label)
    with pytest.raises(DomainError, match="where to cut numbers, such as 'Sepal"):
        numbers.predict_one(row)


def test_a_window_forgets_what_was_before_a_change():
    rng, detector = np.random.default_rng(0), ADWIN()
    online, errors = Online(NaiveBayes(number="gaussian", calibrate=False), window=5000), []
    for at in range(1600):
        row, label = {"x": float(rng.normal())}, None
        label = (row["x"] > 0) == (at < 800)
        wrong = online.predict_one(row) is not label if at % 4 == 0 else None
        online.learn_one(row, label)
        if wrong is not None:
            errors.append(wrong)
            if detector.update(wrong) and at > 800:
                online.forget(keep=4 * detector.width // 2)
    assert np.mean(errors[:200]) < 0.1
    assert np.mean(errors[-60:]) < 0.2
    assert online.rows < 1600


def test_what_cannot_be():
    with pytest.raises(ParameterError, match="a learner of one round"):
        Online(Forest())
    with pytest.raises(ParameterError, match="not both"):
        Online(NaiveBayes(), window=3, half_life=2)
    with pytest.raises(ParameterError, match="'window' parameter"):
        Online(NaiveBayes(), window=0)
    with pytest.raises(ParameterError, match=r"'num' or 'sym'\. Got 'text'"):
        Online(NaiveBayes(), kinds={"a": "text"})
    with pytest.raises(ParameterError, match="Only a window can forget"):
        Online(NaiveBayes()).forget()
    with pytest.raises(DomainError, match="Nothing was learned yet"):
        Online(NaiveBayes()).model  # noqa: B018 - a property
    online = Online(NaiveBayes()).learn_one({"heat": 1.0}, "a")
    for row, label, match in [
        ({"hest": 1}, "a", "no column 'hest' in the first row. Did you mean"),
        ({"heat": "hot"}, "a", r"'heat' holds numbers, and then 'hot'"),
        ({"heat": 1}, None, "must have a label"),
    ]:
        with pytest.raises(DomainError, match=match):
            online.learn_one(row, label)
    with pytest.raises(DomainError, match="'1' and 1 are written alike"):
        Online(NaiveBayes()).learn_one({"x": 1}, "1").learn_one({"x": 1}, 1)
    with pytest.raises(DomainError, match="no columns to learn from"):
        Online(NaiveBayes()).learn_one({}, "a")
    assert repr(Online(Majority(), window=3)) == "Online(Majority(), window=3)"


class Count:
    """A tally that counts how often tallies are made and added, for their cost."""

    made = 0

    def __init__(self, weight):
        self.weight = weight

    def __add__(self, other):
        type(self).made += 1
        return Count(self.weight + other.weight)

    def scaled(self, factor):
        return Count(self.weight * factor)


def counted(rows, weights):
    Count.made += 1
    return Count(float(len(rows) if weights is None else np.sum(weights)))


@pytest.mark.parametrize("asked", [1, 10])
def test_a_row_costs_a_few_tallies(asked):
    Count.made, last = 0, LastRows(counted, 400)
    for at in range(2000):
        last.add(OneRow((), 0, 1.0))
        if at % asked == 0:
            assert last.total().weight == min(400, at + 1)
    assert Count.made <= 6 * 2000 / asked + 4 * 2000 / 20


def test_waiting_rows_are_tallied_together():
    Count.made, every = 0, AllRows(counted)
    for _ in range(1000):
        every.add(OneRow((), 0, 1.0))
    assert every.total().weight == 1000
    assert Count.made < 10
    fading = FadingRows(counted, 100.0)
    for _ in range(10_000):
        fading.add(OneRow((), 0, 1.0))
    assert np.isclose(fading.total().weight, 1 / (1 - 0.5**0.01))


def test_a_row_by_the_short_way_has_the_bits_of_a_table():
    """Missing cells, a class more, a weight and a number beyond the range of squares."""
    learner = NaiveBayes(number="gaussian", calibrate=False)
    rng, short, long = np.random.default_rng(0), Online(learner), Online(learner)
    long._running.with_row = lambda *_: None
    for at in range(60):
        x = rng.normal(1e8 * (at % 2), 1.0, 4)
        x[rng.random(4) < 0.2] = np.nan
        x[0] = 1e200 if at == 40 else x[0]
        row = dict(zip("abcd", x.tolist(), strict=True))
        for online in (short, long):
            online.learn_one(row, "abc"[at % (3 if at > 30 else 2)], 0.5 if at == 20 else 1.0)
        pairs = zip(short.model.tally.parts[0].held, long.model.tally.parts[0].held, strict=True)
        assert all(np.array_equal(mine, theirs) for mine, theirs in pairs)
        assert short.predict_proba_one(row) == long.predict_proba_one(row)


def test_choices_are_kept_for_a_twentieth_of_the_rows():
    """Gaussians are those of all rows at any time; the intervals and the temperature wait."""
    rng, online = np.random.default_rng(0), Online(NaiveBayes())
    asked = []
    for at in range(420):
        label = at % 2
        row = {"near": float(rng.normal(label)), "far": float(rng.choice([-4.0, 4.0, 0.0]))}
        if at > 400:
            asked.append(online._model_to_ask())
        online.learn_one(row, label)
        if at == 400:
            chosen = online.model
    assert asked[0] is chosen
    assert all(each.temperature == chosen.temperature for each in asked)
    assert len({each.prior[0] for each in asked}) > 1
    kept = [each.evidence[-1].names for each in asked]
    assert kept == [chosen.evidence[-1].names] * len(asked)
    for at in range(2):
        online.learn_one({"near": 0.0, "far": 0.0}, at)
    assert online._model_to_ask().temperature == online.model.temperature
