"""The baselines, and one rule on one column."""

from satsuma.export.columns import Columns
from satsuma.export.expressions import Expression, Number, Program, lookup
from satsuma.export.softmax import classified
from satsuma.learners.baselines import MajorityModel, MeanModel
from satsuma.learners.one_r import OneRModel


def majority(model: MajorityModel) -> Program:
    """The shares of the classes, whatever the row."""
    return classified(model.classes, [Number(each) for each in model.shares.tolist()])


def mean(model: MeanModel) -> Program:
    """The mean, whatever the row."""
    return Program(Number(float(model.mean)))


def one_r(model: OneRModel) -> Program:
    """The shares of the classes among rows with the same value, or interval, of one column."""
    found: list[Expression] = [Number(each) for each in model.shares[-1].tolist()]
    if model.variable is not None:
        columns, name = Columns(model.domain), model.variable.name
        is_number = model.variable.kind == "num"
        code = columns.interval(name, model.cuts) if is_number else columns.code(name)
        found = [lookup(code, each[:-1], each[-1]) for each in model.shares.T.tolist()]
    return classified(model.classes, found)
