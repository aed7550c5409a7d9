"""The baselines, and one rule on one column."""

import numpy as np

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
    """The shares of the classes among rows with the same value of one column."""
    rows = model.weights.sum(axis=1, keepdims=True)
    weights = np.where(rows > 0, model.weights, model.weights.sum(axis=0))
    shares = weights / weights.sum(axis=1, keepdims=True)
    found: list[Expression] = [Number(each) for each in shares[-1].tolist()]
    if model.variable is not None:
        code = Columns(model.domain).code(model.variable.name)
        found = [lookup(code, each[:-1], each[-1]) for each in shares.T.tolist()]
    return classified(model.classes, found)
