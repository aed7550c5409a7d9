"""AskedColumns: what the nodes of a tree can ask for, where some missing cells tell something."""

from dataclasses import replace
from functools import lru_cache

import numpy as np

from satsuma.data.domain import Domain
from satsuma.data.table import Table
from satsuma.data.variable import Variable
from satsuma.numerics.arrays import Array, Floats

#: Where rows go whose cell is missing: to all branches by their weights; with the least numbers,
#: with the greatest; or where their own value leads.
SPREAD, LEAST, GREATEST, VALUE = range(4)

#: Stands for a missing number that goes with the least, negative, or the greatest.
FAR = float(np.finfo(np.float64).max)

#: Thresholds beyond this part known numbers from missing ones.
_BEYOND = FAR / 4


class AskedColumns:
    """The columns that a tree can ask for: the attributes, and those of informative missing cells.

    A symbol whose missing cells tell something has one value more. A number is asked for in two
    ways: with the missing cells below all numbers, and above them, so that a threshold has them on
    either side, or parts them from all others (Twala, Jones and Hand 2008).

    Parameters
    ----------
    domain
        The columns of the table.
    informative
        The names of the attributes whose missing cells tell something.

    Examples
    --------
    >>> table = Table.of([(1, "a", 0.5), (None, None, 0.7)], ["size", "sort", "aim"])
    >>> asked = AskedColumns(table.domain, ("size", "sort"))
    >>> [v.name for v in asked.domain.attributes], asked.domain["sort"].values
    (['size', 'sort', 'size or missing'], ('a', 'missing'))
    >>> [column.tolist()[1] for column in asked.columns(table)]
    [-1.7976931348623157e+308, 1, 1.7976931348623157e+308]
    """

    def __init__(self, domain: Domain, informative: tuple[str, ...]) -> None:
        self.attributes, self.informative = domain.attributes, informative
        numbers = [v for v in self.attributes if v.name in informative and v.kind == "num"]
        place = {v.name: at for at, v in enumerate(self.attributes)}
        sides = [_side(v) if v.name in informative else SPREAD for v in self.attributes]
        #: The attribute of each column, and where its missing cells go.
        self.source = [*range(len(sides)), *(place[v.name] for v in numbers)]
        self.sides = [*sides, *(GREATEST for _ in numbers)]
        widened = [_widened(v) if v.name in informative else v for v in domain]
        taken = {v.name for v in domain}
        again = [replace(v, name=_unlike(f"{v.name} or missing", taken)) for v in numbers]
        self.domain = Domain([*widened, *again]) if informative else domain

    def telling(self, columns: Array) -> list[str]:
        """The informative attributes among the columns that a model asks for; -1 is none."""
        places: list[int] = np.unique(columns[columns >= 0]).tolist()
        asked = {self.attributes[self.source[at]].name for at in places}
        return [name for name in self.informative if name in asked]

    def columns(self, batch: Table) -> list[Array]:
        """The columns of a batch, as nodes see them."""
        return [self._cells(batch, at) for at in range(len(self.sides))]

    def table(self, batch: Table) -> Table:
        """The rows of a batch of the whole domain, with the columns that nodes ask for."""
        asked = dict(
            zip((v.name for v in self.domain.attributes), self.columns(batch), strict=True)
        )
        columns = [asked[v.name] if v.name in asked else batch.column(v.name) for v in self.domain]
        return Table(self.domain, columns, check=False)

    def rows(self, batch: Table) -> Table:
        """The attributes of a batch, as nodes see them."""
        if not self.informative:
            return batch
        return Table(Domain(self.domain.attributes), self.columns(batch), check=False)

    def cells(self, numbers: Floats) -> Floats:
        """The numbers of a sample, (rows, attributes that are numbers), as nodes see them."""
        place = [at for at, v in enumerate(self.attributes) if v.kind == "num"]
        asked = [at for at, v in enumerate(self.domain.attributes) if v.kind == "num"]
        found = [_filled(numbers[:, place.index(self.source[at])], self.sides[at]) for at in asked]
        return np.stack(found, axis=1) if found else numbers

    def _cells(self, batch: Table, at: int) -> Array:
        variable, side = self.attributes[self.source[at]], self.sides[at]
        column = batch.column(variable.name)
        if side == VALUE:
            return np.where(column == -1, len(variable.values), column).astype(np.int32)
        return _filled(column, side)

    def values(self, column: int) -> tuple[str, ...]:
        """What a column may be, where it is a symbol; that it is missing may be the last."""
        return self.domain.attributes[column].values

    def missing_as(self, column: int) -> str | float | None:
        """The value or the number that a missing cell is taken for; None where it is spread."""
        side = self.sides[column]
        if side == VALUE:
            return self.values(column)[-1]
        return {LEAST: -FAR, GREATEST: FAR}.get(side)

    def twin(self, column: int) -> int:
        """Of a number whose missing cells go with the least, where they go with the greatest.

        And the other way round.
        """
        source = self.source[column]
        return next(at for at, each in enumerate(self.source) if each == source and at != column)

    def conditions(self, column: int, threshold: float, cut: str) -> tuple[str, str]:
        """What leads to the two branches of a threshold, given how it is written."""
        side = self.sides[column]
        if np.isinf(known_end(threshold)) and side in (LEAST, GREATEST):
            return ("is missing", "is known") if side == LEAST else ("is known", "is missing")
        least, greatest = (" or missing" if side == each else "" for each in (LEAST, GREATEST))
        return f"≤ {cut}{least}", f"> {cut}{greatest}"


def known_end(threshold: float) -> float:
    """Where known numbers end: infinity, where a threshold parts them from missing ones.

    Examples
    --------
    >>> known_end(-FAR / 2), known_end(2.5)
    (-inf, 2.5)
    """
    return float(np.copysign(np.inf, threshold)) if abs(threshold) > _BEYOND else threshold


def _side(variable: Variable) -> int:
    return LEAST if variable.kind == "num" else VALUE


def _widened(variable: Variable) -> Variable:
    if variable.kind == "num":
        return variable
    return replace(variable, values=(*variable.values, _unlike("missing", set(variable.values))))


def _unlike(name: str, taken: set[str]) -> str:
    while name in taken:
        name = f"({name})"
    taken.add(name)
    return name


def _filled(column: Array, side: int) -> Array:
    if side == SPREAD:
        return column
    return np.where(np.isnan(column), -FAR if side == LEAST else FAR, column)


@lru_cache(maxsize=64)
def asked_columns(domain: Domain, informative: tuple[str, ...]) -> AskedColumns:
    """The columns that a tree asks for, made once for a model."""
    return AskedColumns(domain, informative)
