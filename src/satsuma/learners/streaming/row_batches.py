"""RowBatches: rows that come one by one as dicts, made into tables whose columns stay the same."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import isnan
from numbers import Real
from typing import Any, NamedTuple

import numpy as np

from satsuma.data.domain import Domain
from satsuma.data.table import Table
from satsuma.data.variable import Variable
from satsuma.errors import DomainError, hint
from satsuma.numerics.arrays import Array, Floats

#: Types of cells and labels that are never missing, and whose equals are written alike.
_PLAIN = (str, int, bool)

#: What the target and the weight are called, unless a column is.
_TARGET, _WEIGHT = "y", "weight"


class OneRow(NamedTuple):
    """A row that has come: its cells by column, its label, and what it weighs."""

    cells: tuple[Any, ...]
    label: Any
    weight: float


@dataclass
class RowBatches:
    """The columns of a stream, which are those of its first row, and the values seen so far.

    Parameters
    ----------
    predicts_number
        Whether labels are numbers.
    kinds
        Kinds of columns by name, ``num`` or ``sym``, where the first row does not show them.
    """

    predicts_number: bool
    kinds: Mapping[str, str] = field(default_factory=dict[str, str])

    def __post_init__(self) -> None:
        self.names: tuple[str, ...] = ()
        self._known: dict[str, str] = dict(self.kinds)
        self._values: dict[str, dict[str, int]] = {}
        self._labels: dict[str, Any] = {}
        self._classes: dict[str, int] = {}
        #: The codes of labels that are plain, by their types, too: 1 is not True.
        self._plain_labels: dict[tuple[type, Any] | None, int] = {}
        #: For each column, whether it is known to hold numbers.
        self._numeric: tuple[bool, ...] = ()
        self._domain: Domain | None = None

    def row(self, cells: Mapping[str, Any], label: Any, weight: float = 1.0) -> OneRow:
        """A row with its cells in order; what it shows of columns and values is kept."""
        if not self.names:
            self._start(cells)
        given = zip(self._in_order(cells), self.names, self._numeric, strict=True)
        found = [
            cell if numeric and type(cell) is float else self._cell(name, cell)
            for cell, name, numeric in given
        ]
        code = self._plain_labels.get(_key(label))
        return OneRow(tuple(found), self._label(label) if code is None else code, float(weight))

    def label(self, value: str) -> Any:
        """The label as it was given."""
        return self._labels[value]

    def query(self, cells: Mapping[str, Any]) -> dict[str, Any]:
        """A row to be asked about, as a model takes it; columns that were never there are left."""
        given = zip(map(cells.get, self.names), self.names, self._numeric, strict=True)
        return {
            name: cell if numeric and type(cell) is float else self._asked(name, cell)
            for cell, name, numeric in given
        }

    def table(self, rows: Sequence[OneRow], weights: Floats | None = None) -> Table:
        """Rows as a table; the values of its symbols are all that were seen so far."""
        domain = self.domain
        columns = self._columns(rows)
        columns.append(
            np.array([row.label for row in rows], np.float64 if self.predicts_number else np.int32)
        )
        given = np.array([row.weight for row in rows])
        columns.append(given if weights is None else given * weights)
        return Table(domain, columns, check=False)

    def _columns(self, rows: Sequence[OneRow]) -> list[Array]:
        if all(self._numeric):
            cells = np.ascontiguousarray(np.array([row.cells for row in rows], np.float64).T)
            cells.flags.writeable = False  # no column needs to be made so alone
            return list(cells)
        found: list[Array] = []
        for at, name in enumerate(self.names):
            each = [row.cells[at] for row in rows]
            found.append(np.array(each, np.float64 if self._kind(name) == "num" else np.int32))
        return found

    def _start(self, cells: Mapping[str, Any]) -> None:
        names = [*cells, *(name for name in self.kinds if name not in cells)]
        if not names:
            raise DomainError("The first row has no columns to learn from. Give a dict of them.")
        given: list[Any] = names
        wrong = [name for name in given if not isinstance(name, str)]
        if wrong:
            raise DomainError(f"Columns have strings for names. Got {wrong[0]!r} instead.")
        self.names = tuple(names)
        self._see_kinds()

    def _see_kinds(self) -> None:
        self._numeric = tuple(self._known.get(name) == "num" for name in self.names)
        self._domain = None

    def _in_order(self, cells: Mapping[str, Any]) -> Iterable[Any]:
        """The cells of a row in the order of the columns."""
        if tuple(cells) == self.names:
            return cells.values()
        self._refuse_new(cells)
        return map(cells.get, self.names)

    def _refuse_new(self, cells: Mapping[str, Any]) -> None:
        new = [name for name in cells if name not in self.names]
        if new:
            raise DomainError(
                f"There was no column {new[0]!r} in the first row. {hint(new[0], self.names)} Name "
                f"columns that come later from the start: kinds={{{new[0]!r}: 'num'}}."
            )

    def _kind(self, name: str) -> str:
        return self._known.get(name, "num")  # what was always missing passes for numbers

    def _cell(self, name: str, cell: Any) -> Any:
        missing = _is_missing(cell)
        if not missing and name not in self._known:
            self._known[name] = "num" if _is_number(cell) else "sym"
            self._see_kinds()
        if self._kind(name) == "num":
            if not missing and not _is_number(cell):
                raise DomainError(
                    f"Column {name!r} holds numbers, and then {cell!r}. If it holds symbols, say "
                    f"so from the start: kinds={{{name!r}: 'sym'}}."
                )
            return np.nan if missing else float(cell)
        return -1 if missing else self._code(self._values.setdefault(name, {}), str(cell))

    def _asked(self, name: str, cell: Any) -> Any:
        """A cell that a model is asked about."""
        return None if _is_missing(cell) else cell if self._kind(name) == "num" else str(cell)

    def _label(self, label: Any) -> Any:
        if _is_missing(label):
            raise DomainError("A row to learn from must have a label y.")
        if self.predicts_number:
            return float(label)
        known = self._labels.setdefault(str(label), label)
        if known != label:
            raise DomainError(f"The labels {known!r} and {label!r} are written alike.")
        code = self._code(self._classes, str(label))
        if (key := _key(label)) is not None:
            self._plain_labels[key] = code
        return code

    def _code(self, known: dict[str, int], value: str) -> int:
        if value not in known:
            known[value] = len(known)
            self._domain = None
        return known[value]

    @property
    def domain(self) -> Domain:
        """The columns, with all values and classes that were seen so far."""
        if self._domain is None:
            variables = [
                Variable(name, "sym", tuple(self._values.get(name, ())))
                if self._kind(name) == "sym"
                else Variable(name)
                for name in self.names
            ]
            labels = None if self.predicts_number else tuple(self._classes)
            target, weight = _free(_TARGET, self.names), _free(_WEIGHT, self.names)
            variables.append(
                Variable(target, role="target")
                if labels is None
                else Variable(target, "sym", labels, "target")
            )
            self._domain = Domain([*variables, Variable(weight, role="weight")])
        return self._domain


def _key(label: Any) -> tuple[type, Any] | None:
    """What a plain label is told by; None for any other."""
    kind: type = label.__class__
    return (kind, label) if kind in _PLAIN else None


def _free(name: str, names: Sequence[str]) -> str:
    while name in names:
        name += "_"
    return name


def _is_missing(cell: Any) -> bool:
    if type(cell) in _PLAIN:  # said sooner than whether it is a number
        return False
    return cell is None or (isinstance(cell, Real) and isnan(cell))


def _is_number(cell: object) -> bool:
    if type(cell) in (float, int):
        return True
    return isinstance(cell, Real) and not isinstance(cell, bool | np.bool_)
