"""Two domains made one: columns by name, values by value."""

from collections.abc import Hashable, Sequence
from dataclasses import replace
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from satsuma.data.domain import Domain
from satsuma.data.schema import variable_of
from satsuma.data.variable import Variable
from satsuma.errors import DomainError


def unify(left: Domain, right: Domain) -> Domain:
    """The domain of both: the columns and values of the left in order, then new values.

    Attributes and target must have the same names and kinds; other columns are those of the left.

    Examples
    --------
    >>> left = Domain([Variable("wind", "sym", ("weak",))])
    >>> right = Domain([Variable("wind", "sym", ("strong", "weak"))])
    >>> unify(left, right)["wind"].values
    ('weak', 'strong')
    """
    if left is right or left == right:
        return left
    mine, theirs = _learned_from(left), _learned_from(right)
    for name in [*mine, *theirs]:
        if name not in mine or name not in theirs:
            side = "left" if name in mine else "right"
            raise DomainError(
                f"Tallies of different columns cannot be added: {name!r} is only on the {side}. "
                f"Tally the same attributes and the same target on both sides."
            )
        if (mine[name].kind, mine[name].role) != (theirs[name].kind, theirs[name].role):
            raise DomainError(
                f"Column {name!r} is a {mine[name].kind} {mine[name].role} on the left and a "
                f"{theirs[name].kind} {theirs[name].role} on the right. Give both the same kind "
                f"and role."
            )
    return Domain(_joined(v, theirs.get(v.name)) for v in left)


def _learned_from(domain: Domain) -> dict[str, Variable]:
    return {v.name: v for v in domain if v.role in ("x", "target")}


def _joined(mine: Variable, theirs: Variable | None) -> Variable:
    new = () if theirs is None else tuple(v for v in theirs.values if v not in mine.codes)
    return replace(mine, values=mine.values + new) if new else mine


def places(old: Sequence[Hashable], new: Sequence[Hashable]) -> npt.NDArray[np.intp]:
    """Where each old name or value stands among the new ones.

    Examples
    --------
    >>> places(["b", "a"], ["a", "b", "c"])
    array([1, 0])
    """
    at = {value: place for place, value in enumerate(new)}
    return np.array([at[value] for value in old], np.intp)


def domain_state(domain: Domain) -> list[dict[str, Any]]:
    """The variables as JSON has them."""
    return [
        {
            "name": v.name,
            "kind": v.kind,
            "values": list(v.values),
            "role": v.role,
            "goal": v.goal,
        }
        for v in domain
    ]


def domain_from_state(state: object) -> Domain:
    """The domain that `domain_state` described.

    Examples
    --------
    >>> domain = Domain([Variable("wind", "sym", ("weak", "strong"))])
    >>> domain_from_state(domain_state(domain)) == domain
    True
    """
    variables = cast("list[dict[str, Any]]", state)
    return Domain(variable_of(**each) for each in variables)
