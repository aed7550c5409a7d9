"""Adding: columns behind those of a table, in a copy."""

from collections.abc import Sequence

from satsuma.data.column_names import free_name
from satsuma.data.domain import Domain
from satsuma.data.table import Table
from satsuma.data.variable import Variable
from satsuma.numerics.arrays import Array


def with_columns(table: Table, more: Sequence[tuple[Variable, Array]]) -> Table:
    """A copy of a table with more columns; a name that is taken gets a number behind."""
    variables, columns = list(table.domain), list(table.columns)
    taken = set(table.domain.names)
    for variable, column in more:
        name = free_name(variable.name, taken)
        taken.add(name)
        variables.append(Variable(name, variable.kind, variable.values, "meta"))
        columns.append(column)
    return Table(Domain(variables), columns, name=table.name)
