"""PlainRows: a model asked about one plain row at a time, in rooms that are made once."""

from collections.abc import Mapping, Sequence
from threading import Lock
from typing import TYPE_CHECKING, Any, NamedTuple, Self

import numpy as np

from satsuma.data.columns import WHOLE
from satsuma.kernels.curves import Packed, add_rows
from satsuma.kernels.posterior import choose, normalise
from satsuma.learners.generative.own_temperature import indicators
from satsuma.learners.predictions import Distribution, Get, GetProbabilities, GetValue
from satsuma.likelihoods.block import Evidence
from satsuma.likelihoods.curves import Curves
from satsuma.numerics.arrays import Array, Floats

if TYPE_CHECKING:
    from satsuma.learners.generative.model import GenerativeModel

#: The code of a cell that is not plain.
_ODD = -2


class _Said(NamedTuple):
    """The curves of some columns, and the cells that they are asked about."""

    columns: list[Array]
    packed: Packed
    logs: bool


class PlainRows:
    """What a model answers about a dict of plain cells: the same as of a table of one row.

    Plain are Python's own numbers, strings that are values of the model, and None. No table is
    made: cells are written where the kernels look, by one thread at a time.

    Parameters
    ----------
    model
        Whose columns are numbers or symbols.
    curves
        Its evidence that has no kernel together with the prior.
    """

    def __init__(self, model: "GenerativeModel", curves: Sequence[Curves]) -> None:
        attributes = model.domain.attributes
        self._names = [v.name for v in attributes if v.kind == "num"]
        self._codes = [(v.name, v.codes) for v in attributes if v.kind == "sym"]
        self._number, self._code = np.empty(len(self._names)), np.empty(len(self._codes), np.int32)
        views: dict[str, Array] = {n: self._number[k : k + 1] for k, n in enumerate(self._names)}
        views |= {n: self._code[k : k + 1] for k, (n, _) in enumerate(self._codes)}
        kernel, _ = model.parts()
        self._columns = [[views[n] for n in each] for each in (kernel.numbers, kernel.symbols)]
        self._joint = kernel.joint
        self._said = [
            _Said([views[n] for n in each.names], each.packed(), each.logs) for each in curves
        ]
        with np.errstate(divide="ignore"):
            self._log_prior = np.log(model.prior)
        self._always = indicators(model.evidence)
        self._found, self._more = np.empty((1, len(model.prior))), np.empty((1, len(model.prior)))
        self._chosen, self._lock = np.empty(1, np.int32), Lock()
        self._asked = {0.0: self._joint.asked(*self._columns)}

    @classmethod
    def of(cls, model: "GenerativeModel") -> Self | None:
        """Those of a model; None where it says something that cannot be said of plain rows."""
        curves = list[Curves]()
        for each in model.parts()[1]:
            kind = type(each)
            own = kind.log_evidence is not Curves.log_evidence if issubclass(kind, Curves) else True
            if own or kind.log_ratios is not Evidence.log_ratios or not isinstance(each, Curves):
                return None
            curves.append(each)
        kinds = {v.kind for v in model.domain.attributes}
        return cls(model, curves) if kinds and kinds <= {"num", "sym"} else None

    def code(self, query: Mapping[str, object]) -> int | None:
        """The class that is predicted, as a code; None where a cell is not plain."""
        with self._lock:
            if not self._written(query):
                return None
            if self._said:
                choose(self._summed(), self._log_prior, 0, self._chosen)
            else:
                self._asked[0.0].choose(0, 1, self._chosen)
            return int(self._chosen[0])

    def probabilities(self, query: Mapping[str, object], heat: float) -> Floats | None:
        """How probable each class is; None where a cell is not plain."""
        with self._lock:
            if not self._written(query):
                return None
            if self._said:
                joint = self._summed()
                if heat:
                    joint /= 1.0 + heat * max(self._known() - 1.0, 0.0)
                normalise(joint, self._log_prior, 0, self._more)
            else:
                self._heated(heat).fill(0, 1, self._more, True)
            return self._more[0].copy()

    def _heated(self, heat: float) -> Any:
        if heat not in self._asked:
            self._asked = {
                0.0: self._asked[0.0],
                heat: self._joint.heated(heat).asked(*self._columns),
            }
        return self._asked[heat]

    def _known(self) -> int:
        """How many cells are known, and indicators of missing ones, which always are."""
        numbers = len(self._names) - int(np.isnan(self._number).sum())
        return self._always + numbers + int((self._code >= 0).sum())

    def _summed(self) -> Floats:
        """The log joint of the row, and what the curves add to it."""
        joint, more = self._found, self._more
        self._asked[0.0].fill(0, 1, joint, False)
        for columns, packed, logs in self._said:
            more.fill(0.0)
            add_rows(columns, packed, logs, more)
            joint += more
        return joint

    def _written(self, query: Mapping[str, Any]) -> bool:
        """Whether all cells are plain; they are where the kernels look, then."""
        try:
            numbers = [
                cell if type(cell) is float and -WHOLE < cell < WHOLE else _number(cell)
                for cell in map(query.__getitem__, self._names)
            ]
            codes = [
                known.get(cell, _ODD) if type(cell) is str else -1 if cell is None else _ODD
                for cell, known in [(query[name], known) for name, known in self._codes]
            ]
        except KeyError:
            return False
        if None in numbers or _ODD in codes:
            return False
        if numbers:
            self._number[:] = numbers
        if codes:
            self._code[:] = codes
        return True


def _number(cell: Any) -> float | None:
    """A cell that is no plain float as one; None where it is not plain."""
    if cell is None:
        return np.nan
    plain = type(cell) in (float, int) and not abs(cell) >= WHOLE
    return float(cell) if plain else None


def plain_answer(model: "GenerativeModel", query: Any, what: Get) -> Any:
    """What a model answers to a dict of plain cells; None where it has to make a table of it."""
    plain = model.plain_rows()
    if plain is None:
        return None
    if what is GetValue and model.threshold is None:
        code = plain.code(query)
        return None if code is None else model.classes[code]
    if what is not GetProbabilities:
        return None
    found = plain.probabilities(query, model.heat)
    return None if found is None else Distribution(model.classes, found)
