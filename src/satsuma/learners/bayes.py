"""Naive Bayes: every column by itself, symbols by their shares, numbers by their Gaussians."""

from dataclasses import dataclass

from satsuma.errors.parameters import check_number
from satsuma.learners.claims import Claim
from satsuma.learners.generative import Blockwise
from satsuma.likelihoods.categorical import Categorical
from satsuma.likelihoods.gaussian import Gaussian


@dataclass(kw_only=True, eq=False, repr=False)
class NaiveBayes(Blockwise):
    """Bayes' rule, taking columns as independent given the class.

    A missing value says nothing: it is skipped in counting and in predicting. So does a value that
    was never seen in learning, and a number in a class that has no known number in its column.

    Parameters
    ----------
    m
        Weight of the prior of a value, in imaginary rows spread over all values of its column:
        P(value | class) = (rows of the class with the value + m / values) / (rows of the class + m)
        (Cestnik 1990). At 0, a value that was not seen with a class vetoes it; a row that is
        vetoed for every class gets the prior.

    Notes
    -----
    The rows of the class in the denominator are all of them, also those where the value is missing.
    Numbers have a Gaussian in each class, with the spread over n - 1 (over half the weight, where
    the class weighs less than two rows). Its variance is at least 1e-9 of the variance of the whole
    column, which also serves a class of a single row. A column that never varies says nothing.

    Examples
    --------
    >>> from satsuma import Table
    >>> days = Table.of([("hot", "no"), ("mild", "yes")], ["temp", "play"])
    >>> model = NaiveBayes(m=1)(days)
    >>> model(days[0])
    'no'
    >>> model.chance("temp", "hot", given="no")
    0.75
    """

    m: float = 2.0

    def claims(self) -> list[Claim]:
        """Numbers by their Gaussians, symbols by their shares."""
        return [
            Claim(Gaussian(), None, ("num",)),
            Claim(Categorical(m=self.m), None, ("sym",)),
        ]

    def check(self) -> None:
        """The weight of the prior is a number from 0 on."""
        check_number(self, "m", low=0)
        super().check()
