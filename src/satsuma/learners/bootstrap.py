"""Bootstrap: rows drawn with replacement, where one that weighs 2 is drawn as two rows would be."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from satsuma.numerics.arrays import Floats, Hashes, Indices

#: Draws, beside some for each row, after which more would change little; weights may be large.
_ENOUGH = 1 << 20


def most_draws(rows: int) -> int:
    """How many draws are enough for so many rows, however large their weights are."""
    return _ENOUGH + 16 * rows


def are_whole(weights: Floats) -> bool:
    """Whether rows weigh whole numbers: then each stands for so many rows."""
    return bool((weights == np.rint(weights)).all())


def counts_without_replacement(
    rng: np.random.Generator, weights: Floats | None, n: int, share: float
) -> Indices:
    """How often each of n rows is in a part of them, drawn so that none comes again.

    A row that weighs 2 is two rows; one whose weight is not whole is drawn, or not, as it is.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> counts_without_replacement(rng, None, 10, 0.9).tolist()
    [1, 1, 0, 1, 1, 1, 1, 1, 1, 1]
    >>> int(counts_without_replacement(rng, np.array([3.0, 0.0, 7.0]), 3, 0.5).sum())
    5
    """
    times = np.ones(n, np.int64)
    if weights is not None and are_whole(weights):
        times = weights.astype(np.int64)
    drawn = max(1, round(share * int(times.sum())))
    return rng.multivariate_hypergeometric(times, drawn, method="marginals")


def weighted_counts(rng: np.random.Generator, weights: Floats, share: float = 1.0) -> Indices:
    """How often each row is drawn, as many times as a share of what all rows weigh together.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> weighted_counts(rng, np.array([0.5, 0.0, 7.5])).tolist()
    [2, 0, 6]
    """
    # Numbers from 0 to the sum of the weights, of which each row has its part: a row that
    # weighs 2 is drawn when either of two rows in its place would be.
    ends = weights.cumsum()
    total = float(ends[-1])
    draws = max(1, round(min(share * total, most_draws(len(weights)))))
    below = np.searchsorted(np.sort(rng.random(draws) * total), ends)
    below[-1] = draws
    return np.diff(below, prepend=0)


class Bootstrap(NamedTuple):
    """Samples of rows, one for each tree, which do not depend on the order of the rows.

    Parameters
    ----------
    rows
        What is drawn from: the number of each row, as often as it weighs if weights are whole; in
        the order of hashes of what is in the rows.
    weights
        What each of these weighs; None if it is 1.
    seed
        What samples are drawn by.

    Examples
    --------
    >>> hashes = np.array([7, 3, 5], np.uint64)
    >>> samples = Bootstrap.of(hashes, np.array([2.0, 1.0, 1.0]), seed=0)
    >>> samples.rows.tolist(), samples.counts(0).tolist(), samples.sample(0).tolist()
    ([1, 2, 0, 0], [0, 1, 2, 1], [0, 0, 0, 2])
    """

    rows: Indices
    weights: Floats | None
    seed: int

    @classmethod
    def of(cls, hashes: Hashes, weights: Floats | None, seed: int) -> "Bootstrap":
        """Samples of the rows that have these hashes."""
        order = np.argsort(hashes, kind="stable")
        if weights is None:
            return cls(order, None, seed)
        weights = weights[order]
        if are_whole(weights) and weights.sum() <= most_draws(len(order)):
            return cls(np.repeat(order, weights.astype(np.intp)), None, seed)
        return cls(order, weights, seed)

    @property
    def unit(self) -> float:
        """What a draw weighs."""
        if self.weights is None:
            return 1.0
        total = float(self.weights.sum())
        return total / max(1, round(min(total, most_draws(len(self.rows)))))

    def counts(self, sample: int) -> Indices:
        """How often each of `rows` is in a sample."""
        if self.weights is not None:
            return weighted_counts(self._rng(sample), self.weights)
        return np.bincount(self._draws(sample), minlength=len(self.rows))

    def sample(self, sample: int) -> npt.NDArray[np.uint32]:
        """The rows of a sample by their number, some of them several times."""
        if self.weights is None:  # to sort them is faster than to repeat each
            return np.sort(self.rows[self._draws(sample)].astype(np.uint32))
        times = np.bincount(self.rows, self.counts(sample)).astype(np.intp)
        return np.repeat(np.arange(len(times), dtype=np.uint32), times)

    def _rng(self, sample: int) -> np.random.Generator:
        return np.random.default_rng([self.seed, sample])

    def _draws(self, sample: int) -> Indices:
        """Which of `rows` are drawn, where all weigh the same."""
        n = len(self.rows)
        return self._rng(sample).integers(0, n, n)
