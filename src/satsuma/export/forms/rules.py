"""Rules in order: the first that applies to a row predicts its class."""

import numpy as np

from satsuma.export.columns import Columns
from satsuma.export.expressions import (
    Expression,
    Number,
    Program,
    Whole,
    case,
    compared,
    every,
    lookup,
    some,
)
from satsuma.export.softmax import classified
from satsuma.learners.rules.condition import Condition
from satsuma.learners.rules.model import RuleList


def rule_list(model: RuleList) -> Program:
    """The m-estimates of the classes of the rule that applies."""
    columns, rules = Columns(model.domain), model.conditions
    whens = [
        (every([_condition(each, columns) for each in conditions]), Whole(number))
        for number, conditions in enumerate(rules[:-1])
    ]
    rule = case(*whens, otherwise=Whole(len(whens)))
    return classified(model.classes, [lookup(rule, each) for each in model.estimates.T.tolist()])


def _condition(asked: Condition, columns: Columns) -> Expression:
    name = columns.domain.attributes[asked.column].name
    if not np.isnan(asked.threshold):
        how, threshold = ">" if asked.above else "<=", Number(asked.threshold, exact=True)
        return compared(columns.number(name), how, threshold)
    code = columns.code(name)
    return some([compared(code, "=", Whole(value)) for value in asked.values])
