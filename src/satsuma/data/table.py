"""Table: rows and typed columns, with holes."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast, overload

import numpy as np
import numpy.typing as npt

from satsuma.data.columns import (
    convert,
    from_cells,
    holds_times,
    readable,
    refuse_impossible,
)
from satsuma.data.domain import Domain
from satsuma.data.matrix import MatrixColumns
from satsuma.data.notes import note
from satsuma.data.row import Cell, Row
from satsuma.data.times import spell_time
from satsuma.data.variable import Variable
from satsuma.data.verbs.table_verbs import TableVerbs
from satsuma.errors import DomainError, NoSuchColumn
from satsuma.numerics.arrays import DTYPES, Array, Codes, Floats, frozen

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl
    import pyarrow as pa

    from satsuma.data.profile import BadRow

#: A table of so many rows shows them when it is printed; a longer one tells about its columns.
FEW = 10


class Table(TableVerbs):
    """A domain and one array per variable, all of the same length.

    Numbers are float64 with NaN for missing, symbols int32 codes with -1 for missing, text is
    Python strings with None for missing, times datetime64[ns] with NaT for
    missing. A table is a value: its arrays cannot be written to, and nothing that is done with it
    changes it.

    Parameters
    ----------
    domain
        The variables.
    columns
        An array each; taken as they are, without a copy, where their type is right.
    name
        What to call the table.
    notes
        What its reader has to say about it: names made distinct, kinds that were doubtful.
    aside
        Rows of the file that could not be read, kept aside on request.
    check
        Whether to make sure that numbers are finite and codes stand for values. Readers that
        have seen to it already leave it out.

    Examples
    --------
    >>> from satsuma import Table
    >>> days = Table.of([("sunny", 30, "no"), ("rain", None, "yes")], ["sky", "heat", "play"])
    >>> len(days), days.domain.target.name
    (2, 'play')
    >>> days[1]
    Row(sky='rain', heat=?, play='yes')
    >>> days["heat"]
    array([30., nan])
    >>> days[:1].domain == days.domain
    True
    """

    def __init__(
        self,
        domain: Domain,
        columns: Iterable[Array],
        *,
        name: str = "",
        notes: Iterable[str] = (),
        aside: "Iterable[BadRow]" = (),
        check: bool = True,
    ) -> None:
        self.domain = domain
        self.name = name
        self.notes = tuple(notes)
        self.aside = tuple(aside)
        self.columns: Sequence[Array]
        if isinstance(columns, MatrixColumns) and not check:
            self.columns, self._length = columns, len(columns.matrix)
            return
        columns = list(columns)
        if len(columns) != len(domain):
            raise DomainError(f"There are {len(columns)} columns, but {len(domain)} variables.")
        self.columns = tuple(_checked(v, c) for v, c in zip(domain, columns, strict=True))
        lengths = {len(column) for column in self.columns}
        if len(lengths) > 1:
            told = ", ".join(
                f"{v.name!r} {len(c)}" for v, c in zip(domain, self.columns, strict=True)
            )
            raise DomainError(f"Columns must be equally long. They are: {told}.")
        if check:
            for variable, column in zip(domain, self.columns, strict=True):
                refuse_impossible(variable, column)
        self._length = lengths.pop() if lengths else 0

    @classmethod
    def of(
        cls,
        rows: Iterable[Sequence[object]],
        names: Sequence[str],
        *,
        target: str | int | None = -1,
        kinds: Mapping[str, str] | None = None,
        roles: Mapping[str, str] | None = None,
        name: str = "",
    ) -> "Table":
        """A table from rows of Python values. Numbers are numbers here, 0 and 1 too.

        Parameters
        ----------
        rows
            A sequence of cells each; None or NaN is missing.
        names
            The names of the columns.
        target
            The column to predict, by name or position: the last unless said otherwise.
        kinds
            ``num``, ``sym``, ``text`` or ``time`` by name, where the kind that is found is not
            the one meant.
        roles
            A role by name; a goal is written ``+`` or ``-``.
        name
            What to call the table.

        Examples
        --------
        >>> from satsuma import Table
        >>> Table.of([(1, "a"), (2, "b")], ["n", "s"]).domain.target
        Variable(name='s', kind='sym', values=('a', 'b'), role='target')
        """
        if unknown := [name for name in kinds or {} if name not in names]:
            raise NoSuchColumn(unknown[0], names)
        rows = list(rows)
        for at, row in enumerate(rows):
            if len(row) != len(names):
                raise DomainError(
                    f"Row {at} has {len(row)} cells, but there are {len(names)} names."
                )
        cells = list(zip(*rows, strict=True)) if rows else [()] * len(names)
        made = [from_cells(n, c, (kinds or {}).get(n)) for n, c in zip(names, cells, strict=True)]
        domain = Domain(variable for variable, _ in made)
        pairs = zip(domain, cells, strict=True)
        far = [v.name for v, c in pairs if v.kind == "sym" and holds_times(c)]
        aim = None if target is None or not made else domain[target].name
        domain, columns = domain.with_roles(roles, target=aim), [column for _, column in made]
        return cls(domain, columns, name=name, notes=[note("far times", name=n) for n in far])

    def __len__(self) -> int:
        return self._length

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return self._length, len(self.domain)

    def __iter__(self) -> Iterator[Row]:
        return (Row(self, at) for at in range(self._length))

    @overload
    def __getitem__(self, key: int | np.integer[Any]) -> Row: ...
    @overload
    def __getitem__(self, key: str) -> Array: ...
    @overload
    def __getitem__(self, key: slice | Sequence[int] | npt.NDArray[Any]) -> "Table": ...
    def __getitem__(
        self, key: int | np.integer[Any] | str | slice | Sequence[int] | npt.NDArray[Any]
    ) -> "Row | Array | Table":
        """A row by number, a column's cells by name, or some of the rows as a table."""
        if isinstance(key, str):
            at = self.domain.index(key)
            return readable(self.domain[at], self.columns[at])
        if isinstance(key, int | np.integer):
            if not -self._length <= key < self._length:
                raise IndexError(f"There is no row {key}: the table has {self._length} rows.")
            return Row(self, int(key) % self._length)
        which = key if isinstance(key, slice) else _row_numbers(key, self._length)
        return self._with(self.domain, (column[which] for column in self.columns))

    def column(self, key: str | int) -> Array:
        """The array of a column as it is kept: floats, codes, strings or times."""
        return self.columns[self.domain.index(key)]

    def cell(self, row: int, key: str | int) -> Cell:
        """One cell, a missing one as None."""
        at = self.domain.index(key)
        variable, value = self.domain[at], self.columns[at][row]
        if variable.kind == "num":
            return None if np.isnan(value) else float(value)
        if variable.kind == "sym":
            return None if value < 0 else variable.values[int(value)]
        if variable.kind == "time":
            return spell_time(int(value.view(np.int64)), variable.time_format)
        return cast("str | None", value)

    def missing(self, key: str | int) -> npt.NDArray[np.bool_]:
        """Which rows have no value in a column."""
        at = self.domain.index(key)
        column, kind = self.columns[at], self.domain[at].kind
        if kind == "num":
            return np.isnan(column)
        if kind == "sym":
            return column < 0
        if kind == "time":
            return np.isnat(column)
        return np.fromiter((cell is None for cell in column), np.bool_, len(column))

    @property
    def matrix(self) -> Floats | None:
        """The array whose columns the attributes are, rows by columns, where there is one."""
        held = self.columns
        if not isinstance(held, MatrixColumns):
            return None
        of_matrix = self.domain.variables[: held.matrix.shape[1]]
        return held.matrix if of_matrix == self.domain.attributes else None

    @property
    def weights(self) -> Floats | None:
        """What each row weighs, where a column has that role."""
        weight = self.domain.weight
        return None if weight is None else cast("Floats", self.column(weight.name))

    def _with(self, domain: Domain, columns: Iterable[Array], notes: Iterable[str] = ()) -> "Table":
        said = (*self.notes, *notes)
        return type(self)(
            domain, columns, name=self.name, notes=said, aside=self.aside, check=False
        )

    def with_name(self, name: str) -> "Table":
        """The same table under another name."""
        named = self._with(self.domain, self.columns)
        named.name = name
        return named

    def with_notes(self, *notes: str) -> "Table":
        """The same table with something more to be said about it."""
        return self._with(self.domain, self.columns, notes)

    def with_roles(
        self, roles: Mapping[str, str] | None = None, *, target: str | None = None
    ) -> "Table":
        """The same rows with some roles changed; see `Domain.with_roles`."""
        return self._with(self.domain.with_roles(roles, target=target), self.columns)

    def with_kinds(self, kinds: Mapping[str, str]) -> "Table":
        """The same rows with some columns turned into another kind."""
        variables, columns = list(self.domain), list(self.columns)
        for name, kind in kinds.items():
            at = self.domain.index(name)
            variables[at], columns[at] = convert(variables[at], columns[at], kind)
        return self._with(Domain(variables), columns)

    def select(self, names: str | Iterable[str]) -> "Table":
        """The same rows with some of the columns, in the order given."""
        at = [self.domain.index(n) for n in ([names] if isinstance(names, str) else names)]
        return self._with(Domain(self.domain[i] for i in at), (self.columns[i] for i in at))

    def equals(self, other: "Table") -> bool:
        """Whether domain and cells are the same; missing equals missing."""
        if self.domain != other.domain or len(self) != len(other):
            return False
        return all(
            np.array_equal(a, b, equal_nan=v.kind in ("num", "time"))
            for v, a, b in zip(self.domain, self.columns, other.columns, strict=True)
        )

    def to_arrow(self) -> "pa.Table":
        """An Arrow table: float64, dictionaries of strings, strings, times with their zones.

        The domain goes along as metadata.
        """
        from satsuma.data.formats.arrow.conversion import to_arrow

        return to_arrow(self)

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        stream = cast("Any", self.to_arrow()).__arrow_c_stream__
        return cast("object", stream(requested_schema))

    def to_pandas(self) -> "pd.DataFrame":
        """A pandas data frame; symbols are categories, dates are moments at midnight."""
        from satsuma.data.formats.arrow.frames import to_pandas

        return to_pandas(self)

    def to_polars(self) -> "pl.DataFrame":
        """A polars data frame; symbols are enumerations, which keep the order of the values."""
        from satsuma.data.formats.arrow.frames import to_polars

        return to_polars(self)

    def to_numpy(self, names: Iterable[str] | None = None) -> Array:
        """A 2-D float array of the named columns (all numbers and symbols, unless named).

        A symbol becomes its code and a missing one NaN. Text and times are no numbers: naming them
        raises.
        """
        chosen = [v.name for v in self.domain if v.kind in ("num", "sym")]
        chosen = chosen if names is None else list(names)
        out = np.empty((len(self), len(chosen)))
        for at, name in enumerate(chosen):
            if self.domain[name].kind not in ("num", "sym"):
                raise DomainError(
                    f"Column {name!r} is of kind {self.domain[name].kind!r} and has no place in an "
                    f"array of numbers."
                )
            out[:, at] = self.column(name)
            if self.domain[name].kind == "sym":
                out[self.missing(name), at] = np.nan
        return out

    def write(self, path: Any, **options: Any) -> None:
        """Write to a file; its ending says the format. See `satsuma.write`."""
        from satsuma.data.write import write

        write(self, path, **options)

    def __reduce__(self) -> tuple[object, ...]:
        # Through the constructor, so that the arrays of a copy cannot be written to either.
        return _rebuilt, (self.domain, tuple(self.columns), self.name, self.notes, self.aside)

    def __repr__(self) -> str:
        from satsuma.data.display import show
        from satsuma.data.row_display import show_rows

        return show_rows(self) if 0 < len(self) <= FEW else show(self)

    def _repr_html_(self) -> str:
        from satsuma.data.display import show_html
        from satsuma.data.row_display import show_rows_html

        return show_rows_html(self) if 0 < len(self) <= FEW else show_html(self)


def _rebuilt(
    domain: Domain,
    columns: tuple[Array, ...],
    name: str,
    notes: tuple[str, ...],
    aside: "tuple[BadRow, ...]",
) -> Table:
    return Table(domain, columns, name=name, notes=notes, aside=aside)


def _checked(variable: Variable, column: Array) -> Array:
    dtype = DTYPES[variable.kind]
    made = np.asarray(column)
    if made.dtype != dtype or made.ndim != 1:
        raise DomainError(
            f"Column {variable.name!r} of kind {variable.kind!r} must be a one-dimensional array "
            f"of {np.dtype(dtype)}. Got {made.ndim} dimensions of {made.dtype}."
        )
    return frozen(made)


def _row_numbers(key: Sequence[int] | npt.NDArray[Any], length: int) -> npt.NDArray[Any]:
    which = np.asarray(key)
    if which.size == 0 and which.dtype != np.bool_:
        return np.zeros(0, np.intp)
    if which.ndim != 1 or which.dtype.kind not in "iub":
        raise DomainError("Rows are chosen by a slice, whole numbers, or a mask of booleans.")
    if which.dtype == np.bool_ and len(which) != length:
        raise DomainError(f"The mask has {len(which)} entries, but the table has {length} rows.")
    if which.dtype != np.bool_ and (int(which.max()) >= length or int(which.min()) < -length):
        beyond = next(int(row) for row in which if not -length <= row < length)
        raise DomainError(f"There is no row {beyond}: the table has {length} rows.")
    return which


__all__ = ["Array", "Codes", "Floats", "Table"]
