"""Columns: the cells of a row, each looked at by one expression however often it is asked for."""

from satsuma.data.domain import Domain
from satsuma.data.time_features import TimeFeatures
from satsuma.errors import SatsumaError
from satsuma.export.expressions import Cell, Code, Expression, Interval
from satsuma.numerics.arrays import Floats


class Columns:
    """The columns of a model, by name.

    Parameters
    ----------
    domain
        The columns that it was learned from.
    """

    def __init__(self, domain: Domain) -> None:
        self.domain = domain
        self._made: dict[object, Expression] = {}
        times = TimeFeatures.of_domain(domain).by_time.values()
        self._times = {v.name for features in times for v in features}

    def number(self, name: str) -> Expression:
        """The cell of a column of numbers."""
        return self._once(name, Cell(self._known(name)))

    def code(self, name: str) -> Expression:
        """The code of a symbol; missing for a value that was not seen in learning."""
        return self._once(name, Code(self._known(name), self.domain[name].values))

    def code_or_unseen(self, name: str) -> Expression:
        """The code of a symbol; -1 for a value that was not seen in learning."""
        values = self.domain[name].values
        return self._once((name, "unseen"), Code(self._known(name), values, tells_unseen=True))

    def interval(self, name: str, cuts: Floats) -> Expression:
        """The interval that a number lies in; a number on a cut is below it."""
        told = tuple(cuts.tolist())
        return self._once((name, told), Interval(self.number(name), told))

    def cell(self, name: str) -> Expression:
        """The number, or the code of a symbol that was seen in learning."""
        return self.number(name) if self.domain[name].kind == "num" else self.code(name)

    def _once(self, key: object, made: Expression) -> Expression:
        return self._made.setdefault(key, made)

    def _known(self, name: str) -> str:
        if name in self._times:
            raise SatsumaError(
                f"The model looks at {name!r}, which is worked out from a time. Export a model "
                f"that was learned from a table which has it as a column of its own."
            )
        return name
