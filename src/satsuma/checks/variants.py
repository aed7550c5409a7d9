"""Forms: the same learner afresh, and the same rows as arrays or with other lists of values."""

import copy
import sys
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from satsuma.checks.law_broken import LawBroken
from satsuma.checks.law_tables import attributes_of, with_column
from satsuma.data.columns import remap
from satsuma.data.table import Table
from satsuma.data.variable import Variable
from satsuma.learners.learner import Learner
from satsuma.learners.parameters import parameter_values
from satsuma.numerics.arrays import Array


def fresh(learner: Learner) -> Any:
    """A learner with the same parameters that has learned nothing."""
    return type(learner)(**parameter_values(learner))


def aims(learner: Learner) -> list[Any]:
    """The learner; two of them, for classes and for numbers, where it predicts either.

    Examples
    --------
    >>> from satsuma import KNN, NaiveBayes
    >>> [one.takes.target for each in (NaiveBayes(), KNN()) for one in aims(each)]
    ['classes', 'classes', 'number']
    """
    if learner.takes.target != "either":
        return [learner]
    found = [copy.copy(learner) for _ in range(2)]
    for one, target in zip(found, ("classes", "number"), strict=True):
        vars(one)["takes"] = replace(learner.takes, target=target)
        if one.takes.target != target:  # a property hides what is put into an instance
            raise LawBroken("it predicts either, so its `takes` must not be a property: TakesBy")
    return found


def fit_arguments(learner: Learner, table: Table) -> dict[str, Any]:
    """What `fit` is given for a table: X, y and the weights of the rows."""
    arguments: dict[str, Any] = {"X": attributes_of(table)}
    if learner.takes.target != "nothing":
        arguments["y"] = labels(table)
    if table.weights is not None:
        arguments["sample_weight"] = table.weights
    return arguments


def labels(table: Table) -> Array:
    """The target as scikit-learn's verbs know it: an array of strings or numbers."""
    target = table.domain.target
    assert target is not None, "only asked for where there is a target"
    if target.kind != "sym":
        return table[target.name]
    given = table[target.name]
    return given if table.missing(target.name).any() else given.astype(str)


def known_only(table: Table, *, backwards: bool = False) -> Table:
    """The same rows, with columns of symbols that list no value which does not occur."""
    for variable in table.domain:
        if variable.kind == "sym":
            values = _seen(table, variable)
            table = _listing(table, variable, values[::-1] if backwards else values)
    return table


def sorted_classes(table: Table) -> Table:
    """The same rows, with the classes as `fit` finds them: those that occur, sorted."""
    target = table.domain.target
    if target is None or target.kind != "sym":
        return table
    return _listing(table, target, sorted(_seen(table, target)))


def whole_weights(table: Table) -> Table:
    """The same rows with weights that are whole numbers: `fit` takes fractions as relative."""
    if table.domain.weight is None or table.weights is None:
        return table
    return with_column(table, table.domain.weight, np.ceil(table.weights))


def _seen(table: Table, variable: Variable) -> list[str]:
    codes = table.column(variable.name)
    return [variable.values[code] for code in np.unique(codes[codes >= 0])]


def _listing(table: Table, variable: Variable, values: Sequence[str]) -> Table:
    again = Variable(variable.name, "sym", tuple(values), variable.role)
    codes = remap(table.column(variable.name), variable.values, lambda v: again.codes.get(v, -1))
    return with_column(table, again, codes)


def with_seed(learner: Learner) -> Any:
    """The learner, with a seed if it has a parameter of that name and no seed yet."""
    if parameter_values(learner).get("seed", 0) is not None:
        return learner
    return fresh(learner).set_params(seed=1)


def importable(kind: type) -> bool:
    """Whether a class can be found by its name, as pickle does it."""
    found: Any = sys.modules.get(kind.__module__)
    for name in kind.__qualname__.split("."):
        found = getattr(found, name, None)
    return found is kind
