"""Rows that a model is asked about: plain ones are made quickly, to the same table."""

import math
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from satsuma import (
    KNN,
    Domain,
    GetBoth,
    GetProbabilities,
    NaiveBayes,
    Table,
    Tree,
    Variable,
    read,
)
from satsuma.errors import DomainError, NoSuchColumn
from satsuma.learners.generative.plain_rows import PlainRows
from satsuma.learners.queries import fitted, one_row, plain_row

DOMAIN = Domain(
    [
        Variable("heat"),
        Variable("sky", "sym", ("rain", "sun", "1")),
        Variable("play", "sym", ("no", "yes"), "target"),
    ]
)
CELLS = st.none() | st.floats(allow_infinity=False) | st.integers() | st.booleans()
WORDS = CELLS | st.sampled_from(["rain", "sun", "1", "snow", "", " sun", "?"])


@given(heat=CELLS | st.just("3"), sky=WORDS)
def test_plain_rows_are_what_other_rows_are(heat, sky):
    asked = {"sky": sky, "heat": heat, "beside": "x"}
    found = plain_row(asked, DOMAIN)
    if found is None:  # which is decided by types, and by size
        plain = type(heat) in (float, int, type(None)) and abs(heat or 0) < 2**53
        assert not (plain and sky in (None, *DOMAIN["sky"].values))
        return
    want = fitted(one_row(asked, DOMAIN), DOMAIN)
    assert found.domain == want.domain
    for name in ("heat", "sky"):
        assert np.array_equal(found.column(name), want.column(name), equal_nan=name == "heat")
        assert found.column(name).dtype == want.column(name).dtype


@pytest.mark.parametrize("cell", [math.inf, 2**60, 1e300, 10**400])
def test_large_numbers_go_the_other_way(cell):
    assert plain_row({"heat": cell, "sky": "sun"}, DOMAIN) is None


def test_what_is_wrong_with_a_row_is_said_as_before():
    model = NaiveBayes()(Table.of([(1, "a", "x"), (2, "b", "y")], ["n", "s", "c"]))
    with pytest.raises(NoSuchColumn, match="There is no column 's'"):
        model({"n": 1})
    with pytest.raises(DomainError, match="finite"):
        model({"n": math.inf, "s": "a"})


@pytest.mark.parametrize("learner", [NaiveBayes(), Tree(), KNN()], ids=repr)
def test_the_value_alone_is_the_value_beside_probabilities(learner):
    rng = np.random.default_rng(0)
    rows = [
        (float(x), "ab"[int(x > 0.5)], "pqr"[int(3 * (x + z) / 2)]) for x, z in rng.random((90, 2))
    ]
    table = Table.of(rows, ["n", "s", "c"])
    model = learner(table)
    for n, s, _ in rows[:20]:
        asked = {"n": n, "s": s}
        assert model(asked) == model(asked, GetBoth)[0]


def test_features_of_times_are_not_named_among_the_columns_that_there_are():
    days = np.datetime64("2026-01-01") + 5 * np.arange(60)
    cells = {"when": days, "b": list(range(60)), "y": ["u", "v"] * 30}
    model = NaiveBayes()(read(cells, target="y"))
    assert any(v.name.startswith("when:") for v in model.domain.attributes)
    asked = read({"when": days, "c": list(range(60))})
    with pytest.raises(NoSuchColumn, match=r"There are: 'when', 'c'\.$"):
        model(asked)


def mixed_rows():
    """A number that is spread as a Gaussian in each class, one that is not, and a symbol."""
    rng = np.random.default_rng(0)
    rows = [
        (float(n), float(h), "ab"[int(n > 0.5)], "pqr"[int(n * h > 0) + int(h > 1)])
        for n, h in rng.normal(size=(120, 2))
    ]
    return Table.of(rows, ["n", "h", "s", "c"])


GENERATIVE = [
    NaiveBayes(),
    NaiveBayes(calibrate=False),
    NaiveBayes(number="gaussian"),
    NaiveBayes(number="kde"),
]
PLAIN = [
    {"n": n, "h": h, "s": s}
    for n in (0.25, 2, None, math.nan)
    for h in (-0.5, None)
    for s in ("a", None)
]


@pytest.mark.parametrize("learner", GENERATIVE, ids=repr)
def test_a_plain_row_is_answered_as_a_table_of_one_to_the_last_bit(learner):
    model = learner(mixed_rows())
    plain = PlainRows.of(model)
    for asked in PLAIN:
        want = model.probabilities(plain_row(asked, model.domain))[0]
        assert model(asked, GetProbabilities).probabilities.tolist() == want.tolist()
        assert model(asked) == model.classes[plain.code(asked)] == model(asked, GetBoth)[0]


@pytest.mark.parametrize(
    "asked", [{"n": "1", "h": 0.0, "s": "a"}, {"n": 1.0, "h": 0.0, "s": "z"}, {"n": 1.0, "s": "a"}]
)
def test_what_is_not_plain_goes_the_other_way(asked):
    plain = PlainRows.of(NaiveBayes()(mixed_rows()))
    assert plain.code(asked) is None
    assert plain.probabilities(asked, 0.0) is None


def test_plain_rows_are_for_models_that_say_nothing_else():
    class Doubtful(type(NaiveBayes()(mixed_rows()))):
        def probabilities(self, batch):
            return np.tile([0.0, 0.0, 1.0], (len(batch), 1))

    model = NaiveBayes()(mixed_rows())
    model.__class__ = Doubtful
    assert {model(asked) for asked in PLAIN} == {"r"}


def test_threads_may_ask_the_same_model():
    model = NaiveBayes()(mixed_rows())
    want = [model(asked) for asked in PLAIN]
    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(lambda _: [model(asked) for asked in PLAIN] == want, range(40)))
