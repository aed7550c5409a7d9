"""Equation rules: the ways to the leaves of a model tree, and the equations there, in words."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from satsuma.data.breaks import cut_text
from satsuma.learners.linear.logistic_model import contrasts
from satsuma.learners.matrix_learner import feature_name
from satsuma.tallies.features import Feature

if TYPE_CHECKING:
    from satsuma.learners.model_tree.linear_tree import LinearTree
    from satsuma.learners.tree.node import Node

#: What leads to a node, by column: the ends of an interval, or values.
_Way = dict[str, tuple[Any, ...]]


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
    """

    of: str
    constant: float
    terms: dict[Feature, float]

    def __str__(self) -> str:
        told = f"{self.of} = {self.constant:.4g}"
        for (name, value), slope in self.terms.items():
            sign = "-" if slope < 0 else "+"
            what = f" * {name}" if value is None else f" if {feature_name((name, value))}"
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
            conditions = tuple(_condition(name, each) for name, each in way.items())
            equations, trust = equations_at(model, node.index), model.trust_at(node.index)
            made.append(EquationRule(conditions, equations, node.n, trust))
        waiting += _below(node, way)[::-1]
    return made


def _below(node: "Node", way: "_Way") -> "list[tuple[Node, _Way]]":
    """The branches of a node, and what leads to each: of a number, an interval."""
    name, cut = node.attribute, node.threshold
    if name is None:
        return []
    if cut is None:
        return [(below, way | {name: values}) for values, below in node.groups]
    low, high = way.get(name, (-np.inf, np.inf))
    sides = ((low, cut), (cut, high))
    return [
        (below, way | {name: side}) for side, (_, below) in zip(sides, node.groups, strict=True)
    ]


def _condition(name: str, each: tuple[Any, ...]) -> str:
    """What leads to a leaf, by one column: an interval, or some values.

    Examples
    --------
    >>> _condition("x", (1.5, 3.0)), _condition("x", (-np.inf, 3.0)), _condition("s", ("a", "b"))
    ('1.5 < x ≤ 3', 'x ≤ 3', 's in {a, b}')
    """
    if isinstance(each[0], str):
        return f"{name} = {each[0]}" if len(each) == 1 else f"{name} in {{{', '.join(each)}}}"
    low, high = each
    if np.isinf(low):
        return f"{name} ≤ {cut_text(high)}"
    if np.isinf(high):
        return f"{name} > {cut_text(low)}"
    return f"{cut_text(low)} < {name} ≤ {cut_text(high)}"


def equations_at(model: "LinearTree", node: int) -> tuple[Equation, ...]:
    """The equations of a node."""
    if model.target.kind == "num":
        return (Equation(model.target.name, *model.coefficients_at(node)),)
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
        made.append(Equation(f"log odds of {model.target.values[code]}", constant, terms))
    return tuple(made)


def listing(model: "LinearTree") -> str:
    """All rules, numbered."""
    rules = equation_rules(model)
    many = f"{len(rules)} rules" if len(rules) > 1 else "1 rule"
    lines = [f"{model.target.name}, by {many}:"]
    for at, rule in enumerate(rules, 1):
        first, *rest = str(rule).splitlines()
        lines += [f"{at}. {first}", *(f"   {line}" for line in rest)]
    return "\n".join(lines)
