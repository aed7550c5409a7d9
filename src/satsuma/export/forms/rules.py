"""Rules in order: the first that applies to a row predicts its class."""

import numpy as np

from satsuma.export.columns import Columns
from satsuma.export.expressions import Expression, Program, Whole, case, every, lookup, some
from satsuma.export.forms.asked_cells import AskedCells
from satsuma.export.softmax import classified
from satsuma.learners.rules.condition import Condition
from satsuma.learners.rules.model import RuleList


def rule_list(model: RuleList) -> Program:
    """The m-estimates of the classes of the rule that applies."""
    cells, rules = AskedCells(model.asked_columns, Columns(model.domain)), model.conditions
    whens = [
        (every([_condition(each, cells) for each in conditions]), Whole(number))
        for number, conditions in enumerate(rules[:-1])
    ]
    rule = case(*whens, otherwise=Whole(len(whens)))
    return classified(model.classes, [lookup(rule, each) for each in model.estimates.T.tolist()])


def _condition(asked: Condition, cells: AskedCells) -> Expression:
    if not np.isnan(asked.threshold):
        return cells.sides(asked.column, asked.threshold)[asked.above]
    return some([cells.is_value(asked.column, value) for value in asked.values])
