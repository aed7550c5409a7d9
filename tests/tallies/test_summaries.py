"""Num and Sym forget what was added to them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from satsuma import Num, Sym
from satsuma.errors import DomainError

numbers = st.floats(-1e6, 1e6).map(lambda x: round(x, 3))


@given(st.lists(numbers, min_size=1, max_size=30), st.data())
def test_a_number_that_is_forgotten_might_never_have_come(values, data):
    gone = data.draw(st.permutations(values))[: data.draw(st.integers(0, len(values) - 1))]
    summary, left = Num().add(values), list(values)
    for x in gone:
        summary -= x
        left.remove(x)
    assert summary.n == len(left)
    scale = max(map(abs, values)) + 1
    assert summary.mu == pytest.approx(np.mean(left), rel=1e-12, abs=1e-12 * scale)
    spread = np.std(left, ddof=1) if len(left) > 1 else 0.0
    assert summary.sd == pytest.approx(spread, rel=1e-6, abs=1e-6 * scale)


def test_what_is_left_of_nothing():
    summary = Num() + 3 + 4 - 4 - 3
    assert (summary.n, summary.mu, summary.sd, summary.lo, summary.hi) == (0, 0.0, 0.0, None, None)
    assert (summary + 5).lo == 5


@given(st.lists(st.sampled_from("abc"), max_size=20), st.data())
def test_a_symbol_that_is_forgotten_might_never_have_come(values, data):
    gone = data.draw(st.permutations(values))[: data.draw(st.integers(0, len(values)))]
    summary, left = Sym().add(values), list(values)
    for x in gone:
        summary -= x
        left.remove(x)
    assert summary.bag == {x: left.count(x) for x in set(left)}
    assert summary.n == len(left)


@pytest.mark.parametrize("missing", [None, float("nan"), "?"])
def test_missing_values_are_not_forgotten_either(missing):
    assert (Num() + 1 - missing).n == 1
    assert (Sym() + "a" - missing).n == 1


@pytest.mark.parametrize("summary", [Num(), Num() + 3, Sym(), Sym() + "a"])
def test_what_was_never_there_cannot_be_forgotten(summary):
    with pytest.raises(DomainError, match="9 was not added to this"):
        summary - 9
