"""Kept rows: what a model keeps of the rows that it was learned from."""

import numpy as np

from satsuma.data.domain import Domain
from satsuma.data.table import Table
from satsuma.engines import check_rows
from satsuma.errors import SatsumaError
from satsuma.learners.queries import compared
from satsuma.measures.drift import Drift, drift
from satsuma.measures.marginals import Marginals
from satsuma.numerics.arrays import Indices

#: Rows of a model's sample, at most, and rows that are kept for it and for `marginals`.
SAMPLE, KEPT = 500, 2000


class KeptRows:
    """A part of models: some of the rows, and how their columns are distributed."""

    domain: Domain

    @property
    def training_sample(self) -> Table:
        """Some of the rows that it was learned from, evenly spaced: points and ranges for plots.

        They are not saved with the model.
        """
        found: Table | None = vars(self).get("_sample")
        if found is None:
            raise SatsumaError(
                f"This {type(self).__name__} has no rows at hand: it was opened from a file, or "
                f"not learned from a table in memory. Give the rows: table=…."
            )
        return found[_evenly(len(found), SAMPLE)]

    def keep_sample(self, table: Table) -> None:
        """Keep some rows, evenly spaced, for `training_sample`, `marginals` and `drift`.

        Learning from a table in memory does so. Of a model that was learned from files too large
        for that, give it some of the rows: ``model.keep_sample(source.sample(2000))``.
        """
        self._sample_rows = _evenly(len(table), KEPT)
        self._sample = table[self._sample_rows]
        vars(self).pop("_marginals", None)

    @property
    def marginals(self) -> Marginals:
        """How each column of the rows that it was learned from is distributed.

        It is worked out from up to 2,000 of them, and saved with the model.
        """
        found: Marginals | None = vars(self).get("_marginals")
        rows: Table | None = vars(self).get("_sample")
        if found is None and rows is not None:
            found = self._marginals = Marginals.of(rows)
        if found is None:
            raise SatsumaError(
                f"This {type(self).__name__} does not know how its training rows are distributed: "
                f"it was not learned from a table in memory, or was copied. Give it some of the "
                f"rows: model.keep_sample(rows)."
            )
        return found

    @property
    def has_marginals(self) -> bool:
        """Whether it knows how its training rows are distributed, see `marginals`."""
        return not vars(self).keys().isdisjoint(("_marginals", "_sample"))

    def keep_marginals(self, marginals: Marginals) -> None:
        """Keep what a file says of `marginals`."""
        self._marginals = marginals

    def keep_rows_of(self, model: "KeptRows") -> None:
        """Keep what another model keeps of its training rows: this one is a changed copy of it."""
        kept = ("_sample", "_sample_rows", "_marginals")
        vars(self).update({name: each for name, each in vars(model).items() if name in kept})

    def drift(self, rows: Table, *, least: float = 0.1, level: float = 0.05) -> Drift:
        """Which columns of new rows are distributed otherwise than those that it was learned from.

        Where a column moved far, what was learned from it may no longer hold. The target is
        compared, too, if the rows have it.

        Parameters
        ----------
        rows
            The new rows.
        least
            How far a column must have moved to count: the greatest difference between the shares
            of rows up to any number, the share of rows whose symbol is another, or the change of
            the share of missing values.
        level
            The p-value, after Holm's correction, below which chance does not explain a difference.

        Examples
        --------
        >>> import satsuma
        >>> iris = satsuma.load("iris")
        >>> model = satsuma.NaiveBayes(iris[:100])
        >>> model.drift(iris[:100:2]).moved
        ()
        >>> model.drift(iris[100:]).moved
        ('Species', 'Petal.Length', 'Petal.Width', 'Sepal.Length')
        """
        check_rows("drift takes", rows, sources=False)
        return drift(self.marginals, compared(rows, self.domain), least=least, level=level)


def _evenly(n: int, most: int) -> Indices:
    """Up to so many of the numbers below n, evenly spaced."""
    return np.linspace(0, n - 1, min(most, n)).round().astype(np.intp)
