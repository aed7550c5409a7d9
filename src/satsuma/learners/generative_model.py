"""GenerativeModel: the prior of each class, and what the columns say."""

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from satsuma.data.columns import Array, Floats, refuse_infinite
from satsuma.data.table import Table
from satsuma.errors import NoSuchColumn
from satsuma.kernels.posterior import Joint
from satsuma.kernels.softmax_twin import choose, normalise
from satsuma.kernels.threads import map_tiles
from satsuma.learners.model import Classifier, Query
from satsuma.likelihoods.categorical import Shares
from satsuma.likelihoods.evidence import Evidence
from satsuma.likelihoods.gaussian import Gaussians
from satsuma.likelihoods.tables import SymbolTables

#: Rows of a tile: few enough for what is said of them to stay in the cache.
TILE = 1 << 13


class GenerativeModel(Classifier):
    """The prior of each class, and the evidence of the columns, which adds up.

    Parameters
    ----------
    prior
        By class.
    evidence
        What each block of columns says.
    """

    def __init__(self, prior: Floats, evidence: Sequence[Evidence]) -> None:
        self.prior, self.evidence = prior, list(evidence)

    def probabilities(self, batch: Table) -> Floats:
        """Rows by classes; a row that is impossible for every class gets the prior."""
        quick, others = self._parts()
        if not others:
            found, lost = quick.joint.probabilities(*quick.columns(batch), rows=len(batch))
            return self._possible(found, lost, batch)
        found = np.empty((len(batch), len(self.prior)))
        return self._possible(found, self._tiled(batch, partial(normalise, out=found)), batch)

    def codes(self, batch: Table) -> npt.NDArray[np.int32]:
        """The most probable class of each row, as a code; ties go to the first."""
        quick, others = self._parts()
        if not others:
            found, lost = quick.joint.most_probable(*quick.columns(batch), rows=len(batch))
            return self._possible(found, lost, batch)
        found = np.empty(len(batch), np.int32)
        return self._possible(found, self._tiled(batch, partial(choose, out=found)), batch)

    def log_joint(self, batch: Table) -> Floats:
        """Rows by classes: the logarithm of the prior, and what the columns add to it."""
        quick, others = self._parts()
        found = quick.joint.log_joint(*quick.columns(batch), rows=len(batch))
        for each in others:
            found += each.log_evidence(batch)
        return found

    def about(self, name: str) -> Evidence:
        """What was learned of a column."""
        for each in self.evidence:
            if name in each.names:
                return each
        raise NoSuchColumn(name, [name for each in self.evidence for name in each.names])

    def p(self, value: str, query: Query) -> float:
        """The probability of a class and of what the row shows, together: not normalised."""
        return float(np.exp(np.minimum(self.log_p(value, query), 709.0)))

    def log_p(self, value: str, query: Query) -> float:
        """The logarithm of `p`, which does not vanish where many columns are multiplied."""
        code, batch = self.target.code(value), self._rows(query)
        return float(self.log_joint(batch)[0, code])

    def chance(self, name: str, value: str, given: str) -> float:
        """How probable a value of a symbolic column is in a class."""
        told = {n: each for each in self.evidence if isinstance(each, Shares) for n in each.names}
        if name not in told:
            raise NoSuchColumn(name, told)
        return float(told[name][name][self.domain[name].code(value), self.target.code(given)])

    def _parts(self) -> "tuple[_Quick, list[Evidence]]":
        """Gaussians and tables of symbols in one, for a loop of their own, and all others."""
        made: tuple[_Quick, list[Evidence]] | None = vars(self).get("_made")
        if made is None:
            others = [e for e in self.evidence if not isinstance(e, Gaussians | SymbolTables)]
            made = self._made = _Quick(self.prior, self.evidence), others
        return made

    def _tiled(self, batch: Table, finish: Any) -> int:
        """How many rows were impossible; the rest is where `finish` puts it."""
        with np.errstate(divide="ignore"):
            log_prior = np.log(self.prior)

        def work(lo: int, hi: int) -> int:
            return finish(self.log_joint(batch[lo:hi]), log_prior, lo)

        return sum(map_tiles(work, len(batch), tile=TILE))

    def _possible(self, found: Any, lost: int, batch: Table) -> Any:
        # A row with an infinite number is impossible for every class, so it is looked for here.
        if lost:
            refuse_infinite_cells(batch)
        return found

    def __str__(self) -> str:
        from satsuma.learners.generative_show import show

        return show(self)


class _Quick:
    """The evidence that has a loop of its own: Gaussians and tables of symbols."""

    def __init__(self, prior: Floats, evidence: Sequence[Evidence]) -> None:
        gaussians = [each for each in evidence if isinstance(each, Gaussians)]
        tables = [each for each in evidence if isinstance(each, SymbolTables)]
        none = np.zeros((len(prior), 0))
        self.numbers = [name for each in gaussians for name in each.names]
        self.symbols = [name for each in tables for name in each.names]
        with np.errstate(divide="ignore"):
            self.joint = Joint(
                np.log(prior),
                np.hstack([none, *(each.mean for each in gaussians)]),
                np.hstack([none, *(each.sd for each in gaussians)]),
                [table for each in tables for table in each.logs()],
            )

    def columns(self, batch: Table) -> tuple[list[Array], list[Array]]:
        numbers = [batch.column(name) for name in self.numbers]
        return numbers, [batch.column(name) for name in self.symbols]


def refuse_infinite_cells(batch: Table) -> None:
    """Raise if a number of an attribute is infinite, naming column and row."""
    for variable in batch.domain.attributes:
        if variable.kind == "num":
            refuse_infinite(variable.name, batch.column(variable.name))
