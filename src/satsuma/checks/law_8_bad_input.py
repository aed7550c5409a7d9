"""Law 8: bad input is refused by name, or has an answer; it is never a crash, a warning, a NaN."""

from collections.abc import Iterator
from typing import Any, cast, get_args

import numpy as np

from satsuma.checks.law_broken import may_refuse, must_refuse, on
from satsuma.checks.law_predictions import check_legal, queries
from satsuma.checks.law_tables import attributes_of, table_of, tables, with_column
from satsuma.checks.variants import fit_arguments, fresh, known_only
from satsuma.data.table import Table
from satsuma.data.variable import Kind, Variable
from satsuma.learners.learner import Learner
from satsuma.learners.model import Model
from satsuma.learners.parameters import parameter_values
from satsuma.numerics.arrays import MISSING


def _base(learner: Learner) -> Table:
    return table_of(learner.takes, "plain")


def what_cannot_be_learned_from(learner: Learner) -> None:
    """No rows, no target, a target or a column of the wrong kind, are refused by name."""
    table = _base(learner)
    must_refuse(table, "learning from no rows", lambda: learner(table[:0]))
    for kind in get_args(Kind):
        if kind not in (*learner.takes.kinds, "time"):  # it gets features of times
            odd = with_column(table, Variable("strange", kind), MISSING[kind])
            doing = f"learning from a column of kind {kind!r}, which it says it does not take,"
            must_refuse(odd, doing, lambda t=odd: learner(t), ["strange"])
    if learner.takes.target == "nothing":
        return
    bare = attributes_of(table)
    must_refuse(bare, "learning without a target", lambda: learner(bare), ["target"])
    empty = with_column(table, table.domain["aim"], MISSING[table.domain["aim"].kind])
    must_refuse(empty, "learning with no target known", lambda: learner(empty), ["aim"])
    wrong: Kind = "num" if learner.takes.target == "classes" else "sym"
    values = () if wrong == "num" else ("a",)
    other = with_column(table, Variable("aim", wrong, values, "target"), 0)
    must_refuse(other, "learning with a target of the wrong kind", lambda: learner(other), ["aim"])
    times = with_column(table, Variable("aim", "time", role="target"), np.datetime64("2024-03-01"))
    must_refuse(times, "learning with a target of times", lambda: learner(times), ["aim"])


def _doubtful(learner: Learner, table: Table) -> Iterator[tuple[str, Table, list[str]]]:
    """Tables that may be refused or not, with what an error should name."""
    for variable in table.domain.attributes:
        first = table.column(variable.name)[0]
        named = [variable.name]
        if learner.takes.missing:
            hollow = with_column(table, variable, MISSING[variable.kind])
            yield "a column that is missing altogether", hollow, named
            yield "a column that has no values", known_only(hollow), named
        yield "a constant column", with_column(table, variable, first), named
        if variable.kind == "num":
            yield "huge numbers", with_column(table, variable, _spread(table, 1e100)), named
            yield "tiny numbers", with_column(table, variable, _spread(table, 1e-310)), named
        copied = Variable("copy", variable.kind, variable.values)
        twice = with_column(table, copied, table.column(variable.name))
        yield "a column that is there twice", twice, [*named, "copy"]
    yield "one row", table[:1], []
    yield "two rows", table[:2], []
    if learner.takes.target != "nothing":
        yield "no column but the target", table.select(["aim"]), []
    if learner.takes.target == "classes":
        one = table[np.flatnonzero(table.column("aim") == 0)]
        yield "one class of several", one, ["aim"]
        yield "a single class", known_only(one), ["aim"]
    if learner.takes.target == "number":
        yield "a constant target", with_column(table, table.domain["aim"], 7.0), ["aim"]
    if learner.takes.weights:
        idle = with_column(table, Variable("weight", "num", role="weight"), 0.0)
        yield "rows that all weigh nothing", idle, ["weight"]


def _spread(table: Table, scale: float) -> Any:
    return np.random.default_rng(3).normal(size=len(table)) * scale


def what_may_be_learned_from(learner: Learner) -> None:
    """Columns and classes of a single value, or none, get a legal answer or an error by name."""
    for what, table, words in _doubtful(learner, _base(learner)):
        doing, learned = f"learning from {what}", list[Model]()
        may_refuse(table, doing, lambda t=table, kept=learned: kept.append(learner(t)), words)
        for model in learned:  # what was learned from can be asked about
            with on(table, f"asking after {doing}"):
                check_legal(model, _asked(learner, table), f"asking after {doing}")


def _asked(learner: Learner, table: Table) -> Table:
    if not table.domain.attributes:
        return table
    return queries(table, learner.takes) if len(table) > 2 else attributes_of(table)


def what_cannot_be_asked(learner: Learner) -> None:
    """A row that lacks a column, or has it in another kind, is refused by name."""
    table = _base(learner)
    with on(table, "learning"):
        model = learner(table)
    name = table.domain.attributes[0].name
    lacking = attributes_of(table).select(table.domain.names[1:2])
    doing = f"asking without the column {name!r}"
    may_refuse(table, doing, lambda: check_legal(model, lacking, doing), [name])
    kind: Kind = "sym" if table.domain[name].kind == "num" else "num"
    other = Variable(name, kind, ("a",) if kind == "sym" else ())
    changed = with_column(attributes_of(table), other, 0)
    doing = f"asking with {name!r} of another kind"
    may_refuse(table, doing, lambda: check_legal(model, changed, doing), [name])


def wrong_arrays(learner: Learner) -> None:
    """Arrays of the wrong shape or of unequal length are refused by ``fit``."""
    if "num" not in learner.takes.kinds:
        return
    table, right = _as_arrays(learner)
    X = right["X"]
    wrong: dict[str, dict[str, Any]] = {
        "X has one dimension": {"X": X[:, 0]},
        "X has three dimensions": {"X": X[:, :, None]},
        "X has no rows": {name: each[:0] for name, each in right.items()},
        "X has no columns": {"X": X[:, :0]},
    }
    if learner.takes.target != "nothing":
        wrong |= {"y is too short": {"y": right["y"][:-1]}, "y is None": {"y": None}}
    if learner.takes.weights:
        wrong["sample_weight is too short"] = {"sample_weight": np.ones(len(X) - 1)}
    for what, change in wrong.items():
        doing = f"fit where {what}"
        must_refuse(table, doing, lambda change=change: fresh(learner).fit(**{**right, **change}))
    if learner.takes.target != "nothing":
        with on(table, "fit"):
            fitted = fresh(learner).fit(**right)
        must_refuse(table, "predict with a column less", lambda: fitted.predict(X[:, :2]))


def infinite_numbers(learner: Learner) -> None:
    """An infinite number in an array is refused by the name of its column."""
    if "num" not in learner.takes.kinds:
        return
    table, right = _as_arrays(learner)
    with on(table, "fit"):
        fitted = fresh(learner).fit(**right)
    for number in (np.inf, -np.inf):
        infinite = right["X"].copy()
        infinite[3, 1] = number
        wrong = {**right, "X": infinite}
        where = f"where X holds {number} in column x1"
        must_refuse(table, f"fit {where}", lambda wrong=wrong: fresh(learner).fit(**wrong), ["x1"])
        if learner.takes.target != "nothing":
            must_refuse(table, f"predict {where}", lambda X=infinite: fitted.predict(X), ["x1"])


def _as_arrays(learner: Learner) -> tuple[Table, dict[str, Any]]:
    table = table_of(learner.takes, "arrays", kinds=["num"] * 3)
    arguments = fit_arguments(learner, table)
    return table, {**arguments, "X": table.to_numpy(v.name for v in table.domain.attributes)}


def wrong_parameters(learner: Learner) -> None:
    """An unknown parameter is refused by name; so is a value of the wrong sort, if it checks."""
    table = tables(learner.takes)[0]
    doing, name = "a parameter that does not exist", "no_such_parameter"
    must_refuse(table, doing, lambda: cast("Any", type(learner))(**{name: 1}), [name])
    must_refuse(table, doing, lambda: fresh(learner).set_params(**{name: 1}), [name])
    if type(learner).check is Learner.check:
        return  # it does not say what its parameters may be
    for name, value in parameter_values(learner).items():
        for wrong in _wrong_values(value):
            must_refuse(
                table,
                f"learning with {name}={wrong!r}",
                lambda name=name, wrong=wrong: fresh(learner).set_params(**{name: wrong})(table),
                [name],
            )


def _wrong_values(value: Any) -> list[Any]:
    if isinstance(value, str):
        return ["no such choice", float("nan")]  # a choice may be one beside numbers: "auto"
    if isinstance(value, int | float) and not isinstance(value, bool):
        return ["no number", float("nan"), [1, 2]]
    return []


CHECKS = (
    what_cannot_be_learned_from,
    what_may_be_learned_from,
    what_cannot_be_asked,
    wrong_arrays,
    infinite_numbers,
    wrong_parameters,
)
