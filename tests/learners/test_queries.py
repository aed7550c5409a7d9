"""Rows that a model is asked about: plain ones are made quickly, to the same table."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from satsuma import KNN, Domain, GetBoth, NaiveBayes, Table, Tree, Variable, read
from satsuma.errors import DomainError, NoSuchColumn
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
