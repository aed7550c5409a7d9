"""A table held against the grid of texts that another reader, or a person, finds in its file."""

import math

import numpy as np

from tests.suites.readings import ORDERS, is_missing, moments, numbers

#: The least int64 stands for a missing moment, as in NumPy.
NOT_A_TIME = np.iinfo(np.int64).min


def cells_of(table, name):
    """The cells of a column as Python has them, None where one is missing."""
    variable, column = table.domain[name], table.column(name)
    if variable.kind == "num":
        return [None if math.isnan(value) else value for value in column.tolist()]
    if variable.kind == "sym":
        return [None if code < 0 else variable.values[code] for code in column.tolist()]
    if variable.kind == "time":
        return [None if at == NOT_A_TIME else at for at in column.view("int64").tolist()]
    return list(column)


#: Any style of numbers or dates goes with a cell that is neither.
ANY = frozenset([".", ",", *ORDERS])


def styles(cell, text, kind):
    """The styles of numbers and dates in which a text means a cell: none if it does not."""
    if cell is None:
        return ANY if is_missing(text) else frozenset()
    if text is None:
        return ANY if cell == "" else frozenset()
    if kind in ("num", "time"):
        meanings = numbers(text) if kind == "num" else moments(text)
        return frozenset(style for style, meant in meanings.items() if meant == cell)
    same = cell in (text, text.strip(), text.replace("\r\n", "\n"))
    return ANY if same else frozenset()


def difference(table, grid):
    """In which row and column a table is not what a grid of texts says; None if it is.

    Parameters
    ----------
    table
        As it was read.
    grid
        A list of rows of texts, the names of the columns not among them; None is a missing cell.
    """
    if table.aside and len(table) + len(table.aside) == len(grid):
        grid = _without(grid, table)
    if len(table) != len(grid):
        return f"{len(table)} rows for {len(grid)}"
    names = table.domain.names
    if grid and len(names) != len(grid[0]):
        return f"{len(names)} columns for {len(grid[0])}"
    for j, name in enumerate(names):
        kind, style = table.domain[name].kind, ANY
        for i, (cell, row) in enumerate(zip(cells_of(table, name), grid, strict=True), 1):
            style &= styles(cell, row[j], kind)  # one for all cells of a column
            if not style:
                return f"row {i} of {name!r} ({kind}): {cell!r} for {row[j]!r}"
    return None


def _without(grid, table):
    """The rows of a grid that a table has, where it keeps some aside."""
    names = table.domain.names
    kinds = [table.domain[name].kind for name in names]
    rows = zip(*(cells_of(table, name) for name in names), strict=True)
    left, kept = iter(grid), []
    for cells in rows:
        for row in left:
            if len(row) == len(cells) and all(map(styles, cells, row, kinds)):
                kept.append(row)
                break
    return kept
