"""Every count of a histogram is that of the range that its label says, by brute force."""

import re
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from satsuma.data.histogram import Histogram

#: Columns of numbers as they come: whole ones, cents, skewed, nearly constant, huge and tiny.
NUMBERS = st.one_of(
    st.lists(st.integers(-40, 40), min_size=2),
    st.lists(st.integers(0, 10**7), min_size=2),
    st.lists(st.integers(-(10**4), 10**4).map(lambda n: n / 100), min_size=2),
    st.lists(st.floats(0, 12).map(np.exp), min_size=2),
    st.lists(st.integers(0, 9).map(lambda n: 1e9 + n * 2**-20), min_size=2),
    st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=2),
    st.lists(st.floats(-1e-300, 1e-300, allow_subnormal=True), min_size=2),
)


def counted(label, numbers):
    """How many numbers are in the range that a label says."""
    ends = [
        float(end.replace(",", "").replace("\N{MINUS SIGN}", "-"))
        for end in re.split(" to (?:below )?", label)
    ]
    if "below" in label:
        return sum(ends[0] <= number < ends[1] for number in numbers)
    return sum(ends[0] <= number <= ends[-1] for number in numbers)


@given(NUMBERS, st.integers(2, 25))
def test_counts_are_those_of_the_labels(numbers, most):
    if min(numbers) == max(numbers):
        return
    made = Histogram.of(np.array(numbers, float), most)
    assert len(made.counts) <= most
    assert made.counts.sum() == len(numbers)
    for at, count in enumerate(made.counts):
        assert count == counted(made.label(at), numbers)


@given(st.lists(st.integers(-6, 5), min_size=2))
def test_whole_numbers_have_a_bar_each(numbers):
    if min(numbers) == max(numbers):
        return
    made, times = Histogram.of(np.array(numbers, float), 12), Counter(numbers)
    span = range(min(numbers), max(numbers) + 1)
    assert made.counts.tolist() == [times[number] for number in span]
    assert [made.label(at).replace("\N{MINUS SIGN}", "-") for at in range(len(span))] == list(
        map(str, span)
    )


@pytest.mark.parametrize("high", [9, 11, 13, 24, 31, 57, 100, 366, 1000])
@pytest.mark.parametrize("most", [8, 12, 20])
def test_an_even_column_is_drawn_even(high, most):
    made = Histogram.of(np.repeat(np.arange(1.0, high + 1), 5), most)
    assert np.ptp(made.heights) == pytest.approx(0)
    assert len(made.counts) > most / 3
