"""Labelled table: rows with labels that were found for them, weighed by how certain these are."""

from typing import Any

from satsuma.data.domain import Domain, free_name
from satsuma.data.table import Table
from satsuma.data.variable import Variable
from satsuma.engines import check_rows
from satsuma.errors import DomainError
from satsuma.numerics.arrays import Array, Floats


def labelled_table(rows: Table, target: Variable, labels: Array, certainty: Floats) -> Table:
    """The same rows with other labels, and with a weight where some of them are unsure.

    Parameters
    ----------
    rows
        What gets the labels.
    target
        The variable that they are of; it may have more values than that of the rows.
    labels
        Codes or numbers, a label for each row.
    certainty
        Of each label: 1 where it is sure. What rows weighed before is multiplied by it.

    Examples
    --------
    >>> import numpy as np
    >>> table = Table.of([(1, "a"), (2, "b")], ["n", "s"])
    >>> found = labelled_table(table, table.domain.target, np.int32([1, 1]), np.array([0.9, 1]))
    >>> found[0]
    Row(n=1, s='b', certainty=0.9)
    """
    columns = [
        labels if v.name == target.name else column
        for v, column in zip(rows.domain, rows.columns, strict=True)
    ]
    variables = [target if v.name == target.name else v for v in rows.domain]
    if (certainty < 1).any():
        weight = rows.domain.weight
        if weight is None:
            name = free_name("certainty", list(rows.domain.names))
            variables.append(Variable(name, "num", role="weight"))
            columns.append(certainty)
        else:
            at = rows.domain.index(weight.name)
            columns[at] = columns[at] * certainty
    return Table(Domain(variables), columns, name=rows.name, check=False)


def class_target(table: Table, who: str) -> Variable:
    """The target of a table that gets classes; `who` needs it."""
    check_rows(f"{who} takes", table, sources=False)
    target = table.domain.target
    if target is None:
        raise DomainError(
            f"{who} needs a target, and no column has that role. "
            f"Name one: table.with_roles(target=…)."
        )
    if target.kind != "sym":
        raise DomainError(
            f"{who} needs classes, and the target {target.name!r} is of kind {target.kind!r}. If "
            f"it is to hold classes: table.with_kinds({{{target.name!r}: 'sym'}})."
        )
    return target


def with_class(target: Variable, name: Any) -> Variable:
    """A target that knows a class; a new one comes last."""
    if str(name) in target.codes:
        return target
    return Variable(target.name, "sym", (*target.values, str(name)), target.role)
