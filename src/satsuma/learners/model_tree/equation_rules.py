"""Equation rules: the ways to the leaves of a model tree, and the equations there, in words."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from satsuma.data.breaks import cut_text
from satsuma.learners.informative import missing_note
from satsuma.learners.linear.logistic_model import contrasts
from satsuma.learners.matrix_learner import feature_name
from satsuma.learners.tree.asked_columns import known_end
from satsuma.tallies.features import Feature

if TYPE_CHECKING:
    from satsuma.learners.model_tree.linear_tree import LinearTree
    from satsuma.learners.tree.node import Node


class _Interval(NamedTuple):
    """Numbers above `low` and up to `high`; `lost` is whether missing cells go with them.

    Where they do, and no number lies between, they are all that is there.

    Examples
    --------
    >>> _Interval(1.5, 3.0).text("x"), _Interval(high=3.0, lost=True).text("x")
    ('1.5 < x ≤ 3', 'x ≤ 3 or missing')
    >>> _Interval(lost=False).text("x"), _Interval(3.0, -np.inf, lost=True).text("x")
    ('x is known', 'x is missing')
    """

    low: float = -np.inf
    high: float = np.inf
    lost: bool | None = None

    def text(self, name: str) -> str:
        """The condition that a column is there."""
        low, high = cut_text(self.low), cut_text(self.high)
        if self.low >= self.high:
            return f"{name} is missing"
        if np.isinf(self.low):
            told = "is known" if np.isinf(self.high) else f"≤ {high}"
            told = f"{name} {told}"
        else:
            told = f"{name} > {low}" if np.isinf(self.high) else f"{low} < {name} ≤ {high}"
        return f"{told} or missing" if self.lost else told


#: What leads to a node, by column: an interval, or a condition on values.
_Way = dict[str, _Interval | str]


@dataclass(frozen=True)
class Equation:
    """A weighted sum.

    Parameters
    ----------
    of
        What it is: the target, or the log odds of a class.
    constant
        What it is where all terms are 0.
    terms
        The slope of each number, and what each value of a symbol adds.
    missing
        Which of the terms are that a cell is missing.
    """

    of: str
    constant: float
    terms: dict[Feature, float]
    missing: tuple[Feature, ...] = ()

    def __str__(self) -> str:
        told = f"{self.of} = {self.constant:.4g}"
        for feature, slope in self.terms.items():
            sign, (name, value) = "-" if slope < 0 else "+", feature
            told_of = f"{name} is missing" if feature in self.missing else feature_name(feature)
            what = f" * {name}" if value is None else f" if {told_of}"
            told += f" {sign} {abs(slope):.4g}{what}"
        return told


@dataclass(frozen=True)
class EquationRule:
    """The way to a leaf, and the equations there.

    Parameters
    ----------
    conditions
        From the root down.
    equations
        Of a number one; of classes, one for the log odds of each but the first of two.
    support
        What the rows weigh that the rule is made from.
    confidence
        The standard deviation of what is left over; of classes, the share of the most frequent.
    """

    conditions: tuple[str, ...]
    equations: tuple[Equation, ...]
    support: float
    confidence: float

    def __str__(self) -> str:
        told = "if " + " and ".join(self.conditions) if self.conditions else "always"
        lines = [str(each) for each in self.equations]
        rows = f"({self.support:.6g} rows, {self.confidence:.3g})"
        if len(lines) == 1:
            return f"{told}: {lines[0]} {rows}"
        return "\n".join([f"{told}: {rows}", *(f"  {line}" for line in lines)])


def equation_rules(model: "LinearTree", nodes: Sequence[int] | None = None) -> list[EquationRule]:
    """A rule for each leaf, in reading order; or for some nodes."""
    made: list[EquationRule] = []
    waiting: list[tuple[Node, _Way]] = [(model.root, {})]
    while waiting:
        node, way = waiting.pop()
        if node.attribute is None if nodes is None else node.index in nodes:
            conditions = tuple(
                each if isinstance(each, str) else each.text(name) for name, each in way.items()
            )
            equations, trust = equations_at(model, node.index), model.trust_at(node.index)
            made.append(EquationRule(conditions, equations, node.n, trust))
        waiting += _below(node, way)[::-1]
    return made


def _below(node: "Node", way: "_Way") -> "list[tuple[Node, _Way]]":
    """The branches of a node, and what leads to each: of a number, an interval."""
    name, cut = node.attribute, node.threshold
    if name is None:
        return []
    sides: Sequence[_Interval | str] = node.conditions
    if cut is not None:
        sides = _parted(way.get(name, _Interval()), cut, node.missing_as)
    return [
        (below, way | {name: side}) for side, (_, below) in zip(sides, node.groups, strict=True)
    ]


def _parted(way: _Interval | str, cut: float, missing_as: str | float | None) -> list[_Interval]:
    """The two parts of an interval, given the number that a missing cell is taken for there."""
    assert isinstance(way, _Interval), "it is a number"
    if not isinstance(missing_as, float):
        return [_Interval(way.low, cut), _Interval(cut, way.high)]
    below, lost, end = missing_as <= cut, way.lost is not False, known_end(cut)
    return [
        _Interval(way.low, min(way.high, end), lost=lost and below),
        _Interval(max(way.low, end), way.high, lost=lost and not below),
    ]


def equations_at(model: "LinearTree", node: int) -> tuple[Equation, ...]:
    """The equations of a node."""
    if model.target.kind == "num":
        told = model.coefficients_at(node)
        return (Equation(model.target.name, *told, model.missing_terms),)
    seen: list[int] = getattr(model, "seen").tolist()  # noqa: B009 - that of a classifier
    scores = [model.coefficients_at(node, score) for score in range(len(seen) - 1)]
    made: list[Equation] = []
    for code, mix in zip(seen, contrasts(len(seen)), strict=True):
        if not mix.any():
            continue
        constant = float(mix @ np.array([each for each, _ in scores]))
        terms: dict[Feature, float] = {}
        for weight, (_, slopes) in zip(mix.tolist(), scores, strict=True):
            for feature, slope in slopes.items():
                terms[feature] = terms.get(feature, 0.0) + weight * slope
        of = f"log odds of {model.target.values[code]}"
        made.append(Equation(of, constant, terms, model.missing_terms))
    return tuple(made)


def listing(model: "LinearTree") -> str:
    """All rules, numbered."""
    rules = equation_rules(model)
    many = f"{len(rules)} rules" if len(rules) > 1 else "1 rule"
    lines = [f"{model.target.name}, by {many}:"]
    for at, rule in enumerate(rules, 1):
        first, *rest = str(rule).splitlines()
        lines += [f"{at}. {first}", *(f"   {line}" for line in rest)]
    return "\n".join([*lines, *missing_note(model.informative)])
