"""Gaussian: the spread of a class of few rows, shrunk towards that of the column."""

import numpy as np
import pytest

from satsuma import NaiveBayes, Table
from satsuma.errors import ParameterError
from satsuma.likelihoods.best_fit import BestFit
from satsuma.likelihoods.gaussian import Gaussian
from satsuma.tallies.moments import Moments

NUMBERS = {"a": [1.0, 2.0, 4.0, 9.0], "b": [20.0, 23.0], "c": [40.0]}


def table(numbers=NUMBERS):
    return Table.of([(x, y) for y, xs in numbers.items() for x in xs], ["x", "y"])


def test_imaginary_rows_have_the_spread_of_the_column():
    rows, m = table(), 4.0
    whole = np.var(rows["x"], ddof=1)
    own = Gaussian(m=m).conclude(Moments.of(rows)).sd[:, 0]
    for sd, xs in zip(own, NUMBERS.values(), strict=True):
        free = max(len(xs) - 1, len(xs) / 2)
        assert sd**2 == pytest.approx((((xs - np.mean(xs)) ** 2).sum() + m * whole) / (free + m))


def test_without_imaginary_rows_nothing_changes():
    tally = Moments.of(table())
    assert (Gaussian(m=0).conclude(tally).sd == Gaussian().conclude(tally).sd).all()


def test_numbers_at_the_end_of_the_range_of_floats():
    tally = Moments.of(table({"a": [-1.7e308, 1.7e308], "b": [1.6e308]}))
    assert np.isfinite(Gaussian(m=4).conclude(tally).sd).all()


@pytest.mark.parametrize("block", [Gaussian(m=-1), BestFit(m=-1)])
def test_fewer_than_no_rows_are_refused(block):
    with pytest.raises(ParameterError, match="'m' parameter"):
        NaiveBayes(number=block)(table())


def test_the_choice_between_gaussians_and_intervals_is_about_the_same_gaussians():
    rng = np.random.default_rng(0)
    rows = Table.of([(x, "ab"[x > 0]) for x in rng.normal(size=200).tolist()], ["x", "y"])
    shrunk = NaiveBayes(number=BestFit(m=1e6))(rows)
    assert [type(each).__name__ for each in shrunk.evidence] == ["IntervalProbabilities"]
