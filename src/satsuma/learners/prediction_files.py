"""Scoring: what a model says about rows, beside the rows, in files."""

import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from satsuma.data.domain import Domain, free_name
from satsuma.data.table import Table
from satsuma.data.variable import Variable
from satsuma.data.write import write
from satsuma.engines import is_source
from satsuma.errors import DomainError
from satsuma.learners.predictions import Get, GetProbabilities, GetValue
from satsuma.learners.queries import fitted
from satsuma.numerics.arrays import Array

if TYPE_CHECKING:
    from satsuma.data.formats import WriteOptions
    from satsuma.learners.model import Model


def scored(model: "Model", keep: Sequence[str] | None, what: Get, batch: Table) -> Table:
    """Rows with what a model says about them in columns behind.

    Examples
    --------
    >>> from satsuma import GetBoth, Majority
    >>> days = Table.of([("hot", "no"), ("mild", "yes"), ("rain", "yes")], ["sky", "play"])
    >>> scored(Majority()(days), ["sky"], GetBoth, days)[0]
    Row(sky='hot', play predicted='yes', play = no=0.333..., play = yes=0.666...)
    """
    kept = batch if keep is None else batch.select(keep)
    variables, columns = list(kept.domain), list(kept.columns)
    taken = set(kept.domain.names)
    for variable, column in _answers(model, batch, what):
        name = free_name(variable.name, taken)
        taken.add(name)
        variables.append(Variable(name, variable.kind, variable.values, "meta"))
        columns.append(column)
    return Table(Domain(variables), columns, name=batch.name, check=False)


def _answers(model: Any, batch: Table, what: Get) -> list[tuple[Variable, Array]]:
    target, asked = model.target, fitted(batch, model.domain, model.unseen)
    name = f"{target.name} predicted"
    if target.kind == "num":
        return [(Variable(name), model.numbers(asked))]
    found: list[tuple[Variable, Array]] = []
    if what is not GetProbabilities:
        codes = np.asarray(model.codes(asked), np.int32)
        found.append((Variable(name, "sym", target.values), codes))
    if what is not GetValue:
        chances = model.probabilities(asked)
        found += [
            (Variable(f"{target.name} = {value}"), np.ascontiguousarray(chances[:, at]))
            for at, value in enumerate(target.values)
        ]
    return found


def predict(
    change: Callable[[Table], Table],
    data: Any,
    out: str | os.PathLike[str],
    escape_formulas: bool = False,
    **how: Any,
) -> list[str]:
    """Write what `change` makes of rows to files; see `Model.predict`."""
    if isinstance(data, Table):
        options: WriteOptions = {"escape_formulas": True} if escape_formulas else {}
        write(change(data), out, **options)
        return [os.fspath(out)]
    if not (is_source(data) and hasattr(data, "write")):
        raise DomainError(
            f"Rows to predict come from a table, or from satsuma.scan(…), not from a "
            f"{type(data).__name__}."
        )
    source: Any = data
    return source.write(out, change=change, escape_formulas=escape_formulas, **how)
