"""Questions for a model that was opened, whatever is in it, and what answers are harmless."""

from contextlib import suppress
from typing import Any

import numpy as np

from satsuma import GetProbabilities, Table
from satsuma.data.domain import Domain
from satsuma.data.variable import Variable
from satsuma.errors import SatsumaError
from satsuma.learners.model import Classifier, Model, Regressor


class Harm(AssertionError):
    """An answer that no model may give."""


def rows_of(table: Table) -> Table:
    """A few rows, one with nothing known, and symbols that were never seen."""
    columns, variables = [], []
    for known in table.domain.attributes:
        v, column = known, table.column(known.name)[:6]
        if v.kind == "sym":
            v = Variable(v.name, "sym", (*v.values, "never seen"))
            column = np.concatenate([column, np.array([-1, len(v.values) - 1], np.int32)])
        elif v.kind == "num":
            column = np.concatenate([column, [np.nan, 1e6]])
        else:
            column = np.concatenate([column, np.array([None, "red never"], object)])
        columns.append(column)
        variables.append(v)
    return Table(Domain(variables), columns)


def rows_in(domain: Domain) -> Table:
    """Rows of the columns that a model says it has."""
    columns: list[Any] = []
    for v in domain.attributes:
        if v.kind == "num":
            columns.append(np.array([0.5, np.nan, 1e6, -2.0]))
        elif v.kind == "sym":
            columns.append(np.array([0, -1, len(v.values) - 1, -1], np.int32))
        else:
            columns.append(np.array(["red sea", None, "", "sky"], object))
    return Table(Domain(domain.attributes), columns, check=False)


def ask(model: Model, rows: Table, *, draw: bool) -> None:
    """Ask everything; an error that is not a `SatsumaError` goes through."""
    for table in (rows, rows[:0], rows_in(model.domain)):
        _quietly(_answers, model, table)
        _quietly(model, table[0]) if len(table) else None
    for question in (str, repr, Model._repr_html_, _told, _explained, _tree):
        _quietly(question, model)
    if draw:
        _quietly(_drawn, model)


def _quietly(question: Any, *given: Any) -> None:
    with suppress(SatsumaError):
        question(*given)


def _answers(model: Any, table: Table) -> None:
    if isinstance(model, Classifier):
        found = model(table, GetProbabilities)
        right = found.shape == (len(table), len(model.classes)) and np.isfinite(found).all()
        if not right or (found < -1e-9).any() or (np.abs(found.sum(axis=1) - 1) > 1e-6).any():
            raise Harm(f"probabilities {found!r}")
        told = model(table)
        if len(told) != len(table) or not set(told) <= set(model.classes):
            raise Harm(f"classes {told!r}")
        return
    found = model(table)
    if len(found) != len(table) or np.isnan(found).any():
        raise Harm(f"numbers {found!r}")
    if not isinstance(model, Regressor) and not np.isfinite(found).all():
        raise Harm(f"numbers {found!r}")


def _told(model: Any) -> None:
    for name in ("coefficients", "importance", "rules", "to_dot", "drivers"):
        if hasattr(model, name):
            getattr(model, name)()
    for name in ("depth", "leaves", "size", "centres", "distribution", "inertia", "sought"):
        getattr(model, name, None)
    if hasattr(model, "conditional_distributions"):
        for name in model.conditional_distributions:
            repr(model.conditional_distributions[name])


def _explained(model: Any) -> None:
    rows = rows_in(model.domain)
    if not len(rows):  # a table without columns has no rows
        return
    for name in ("explain", "why", "deviations", "leaf", "neighbours"):
        if hasattr(model, name):
            getattr(model, name)(model.asked(rows) if name == "neighbours" else rows[0])


def _tree(model: Any) -> None:
    if hasattr(model, "root"):
        for node in model.root:
            repr(node)
            getattr(node, "conditions", None)


def _drawn(model: Any) -> None:
    from matplotlib import pyplot as plt

    from satsuma import plot

    name = next((v.name for v in model.domain.attributes), "")
    one = [(each, (name,)) for each in (plot.class_probabilities, plot.density)]
    for draw, more in [
        *((each, ()) for each in (plot.tree, plot.nomogram, plot.cluster_tree)),
        *one,
    ]:
        try:
            _quietly(draw, model, *more)
        finally:
            plt.close("all")
