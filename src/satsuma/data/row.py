"""Row: one row of a table, to be looked at and to be asked about."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from satsuma.data.columns import spell

if TYPE_CHECKING:
    from satsuma.data.domain import Domain
    from satsuma.data.table import Table

Cell = float | str | None


class Row:
    """One row: cells by name or by position, a missing one as None.

    Examples
    --------
    >>> from satsuma import Table
    >>> row = Table.of([("sunny", 30, "no")], ["sky", "heat", "play"])[0]
    >>> row["sky"], row[1], row.target
    ('sunny', 30.0, 'no')
    >>> dict(row.items())
    {'sky': 'sunny', 'heat': 30.0, 'play': 'no'}
    """

    __slots__ = ("index", "table")

    def __init__(self, table: "Table", index: int) -> None:
        self.table, self.index = table, index

    @property
    def domain(self) -> "Domain":
        """The columns that the row has a cell in."""
        return self.table.domain

    def __len__(self) -> int:
        return len(self.domain)

    def __getitem__(self, key: str | int) -> Cell:
        return self.table.cell(self.index, key)

    def __iter__(self) -> Iterator[Cell]:
        return (self.table.cell(self.index, at) for at in range(len(self)))

    def items(self) -> Iterator[tuple[str, Cell]]:
        """Name and cell, column by column."""
        return zip(self.domain.names, self, strict=True)

    @property
    def target(self) -> Cell:
        """The cell of the target; None where it is missing or there is no target."""
        target = self.domain.target
        return None if target is None else self[target.name]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Row):
            return NotImplemented
        return self.domain.names == other.domain.names and list(self) == list(other)

    def __hash__(self) -> int:
        return hash(tuple(self))

    def _repr_html_(self) -> str:
        from satsuma.data.grids import grid_html
        from satsuma.data.row_display import exact

        lines = [[name, exact(cell)] for name, cell in self.items()]
        return grid_html("", [["column", f"row {self.index:,}"], *lines])

    def __repr__(self) -> str:
        cells = ", ".join(f"{name}={_show(cell)}" for name, cell in self.items())
        return f"Row({cells})"


def _show(cell: Cell) -> str:
    return "?" if cell is None else spell(cell) if isinstance(cell, float) else repr(cell)
