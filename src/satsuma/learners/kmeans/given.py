"""Given: centres to start from that the user gives."""

from collections.abc import Mapping, Sequence
from typing import Any, cast

import numpy as np

from satsuma.data.domain import Domain
from satsuma.data.table import Table
from satsuma.errors import ParameterError
from satsuma.errors.parameters import refuse
from satsuma.learners.kmeans.seeding import INITS
from satsuma.learners.kmeans.space import Cells
from satsuma.learners.queries import fitted, one_row
from satsuma.tallies.grouping import columns_of


def is_given(init: Any) -> bool:
    """Whether centres are given, rather than how to find some."""
    return not isinstance(init, str)


def check_init(learner: Any) -> None:
    """Raise unless a parameter `init` is a way to start, or as many centres as there are groups."""
    init = learner.init
    wanted = f"one of {', '.join(map(repr, INITS))}, a table, a list of dicts or an array"
    if isinstance(init, str):
        if init not in INITS:
            raise refuse(learner, "init", wanted)
        return
    if not isinstance(init, Table | np.ndarray | Sequence) or not _fits(init):
        raise refuse(learner, "init", wanted)
    if len(cast("Any", init)) != learner.k:
        raise ParameterError(
            f"The 'init' parameter of {type(learner).__name__} has {len(cast('Any', init))} "
            f"centres, and k is {learner.k}. Let k be the number of centres."
        )


def _fits(init: Any) -> bool:
    """Rows of a table, dicts, or an array of numbers with two dimensions."""
    if isinstance(init, Table) or all(isinstance(row, Mapping) for row in init):
        return True
    try:
        return np.asarray(init, np.float64).ndim == 2
    except (TypeError, ValueError):
        return False


def given_centres(learner: Any, domain: Domain) -> Cells:
    """The centres under the columns of a domain, in the units of the table."""
    table = _as_table(learner, domain)
    rows = fitted(table, Domain(domain.attributes))
    numbers, symbols = columns_of(rows, "num"), columns_of(rows, "sym")
    number = np.stack(numbers, axis=1) if numbers else np.zeros((len(rows), 0))
    symbol = np.stack(symbols, axis=1) if symbols else np.zeros((len(rows), 0), np.int32)
    if np.isinf(number).any():
        raise refuse(learner, "init", "centres of finite numbers")
    return Cells(np.ascontiguousarray(number), np.ascontiguousarray(symbol, np.int32))


def _as_table(learner: Any, domain: Domain) -> Table:
    init = learner.init
    if isinstance(init, Table):
        return init
    if all(isinstance(row, Mapping) for row in init):
        parts = [fitted(one_row(row, domain), Domain(domain.attributes)) for row in init]
        columns = [np.concatenate([p.column(v.name) for p in parts]) for v in domain.attributes]
        return Table(Domain(domain.attributes), columns, check=False)
    array = np.asarray(init, np.float64)
    if array.shape[1] != len(domain.attributes) or any(v.kind != "num" for v in domain.attributes):
        raise ParameterError(
            f"The 'init' parameter of {type(learner).__name__} is an array of {array.shape[1]} "
            f"numbers a centre, and rows have {len(domain.attributes)} attributes. An array has a "
            f"column for each, and no symbols: for these, give a table."
        )
    return Table(Domain(domain.attributes), list(array.T), check=False)


def kept_init(init: Any) -> Any:
    """The centres in a form that can be saved with a model."""
    if isinstance(init, Table):
        return [dict(row.items()) for row in init]
    return init
