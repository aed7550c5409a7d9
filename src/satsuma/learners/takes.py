"""Capabilities: what a learner says it takes, and why it will not take a table."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from satsuma.data.domain import Domain
from satsuma.data.table import Table
from satsuma.data.variable import Variable
from satsuma.data.weights import check_weights
from satsuma.errors import ContractError, DomainError


@dataclass(frozen=True)
class Takes:
    """What a learner takes; the checks make their tables from it.

    Parameters
    ----------
    kinds
        Kinds of the columns that are learned from.
    target
        ``classes``, ``number``, ``either`` where the target decides which, or ``nothing``.
    missing
        Whether cells may be missing, in learning and in predicting.
    weights
        Whether rows may weigh more or less than 1.
    rounds
        ``one``, ``many``, ``rows`` for a learner that must have all rows in memory, or ``stream``
        for one that goes over the rows once, in their order, which matters. Unless given, what
        the base class of the learner says: ``one`` for a `TallyLearner`, ``many`` for a
        `RoundsLearner`, else ``rows``.
    unlabelled
        Whether rows without a target are learned from too; most learners leave them out.
    """

    kinds: tuple[str, ...] = ("num", "sym")
    target: Literal["classes", "number", "either", "nothing"] = "classes"
    missing: bool = True
    weights: bool = True
    rounds: Literal["one", "many", "rows", "stream"] | None = None
    unlabelled: bool = False

    def __post_init__(self) -> None:
        known = ("num", "sym", "text")
        given: Any = self.kinds
        if not isinstance(given, tuple) or not all(each in known for each in self.kinds):
            raise ContractError(
                f"Takes(kinds={given!r}) names no kinds of columns. Give a tuple of some of "
                f"{', '.join(map(repr, known))}."
            )

    def within(self, kind: Any) -> "Takes":
        """The same, with the rounds of a class of learners unless it says how many itself."""
        return self if self.rounds is not None else replace(self, rounds=kind.default_rounds)


class TakesBy:
    """What a learner takes, where that depends on its parameters: ``takes = TakesBy(function)``.

    The class itself, without parameters, takes what any learner does.
    """

    def __init__(self, function: Callable[[Any], Takes]) -> None:
        self.function = function

    def __get__(self, one: object, kind: type) -> Takes:
        return Takes() if one is None else self.function(one).within(kind)


#: From so many rows on, weights that sum to 1 are shares, and no counts.
ROWS = 10

#: What a target of each sort is called, and its kinds.
_TARGETS = {
    "classes": ("symbols", ("sym",)),
    "number": ("numbers", ("num",)),
    "either": ("symbols or numbers", ("sym", "num")),
}


def check_domain(takes: Takes, learner: str, domain: Domain) -> None:
    """Raise if a learner cannot learn from such columns, and say why."""
    if takes.target != "nothing":
        _check_target(learner, domain.target, *_TARGETS[takes.target])
    for variable in domain.attributes:
        if variable.kind == "time":
            raise DomainError(
                f"{learner} does not take columns of times, and {variable.name!r} is one. Give it "
                f"features of them: satsuma.with_time_features(table)."
            )
        if variable.kind not in takes.kinds:
            raise DomainError(
                f"{learner} does not take columns of kind {variable.kind!r}, and "
                f"{variable.name!r} is one. Give it another role: "
                f"table.with_roles({{{variable.name!r}: 'meta'}})."
            )


def _check_target(
    learner: str, target: Variable | None, predicts: str, kinds: tuple[str, ...]
) -> None:
    if target is None:
        raise DomainError(
            f"{learner} needs a target, and no column has that role. "
            f"Name one: table.with_roles(target=…), or target= when reading."
        )
    if target.kind == "time":
        raise DomainError(
            f"{learner} predicts {predicts}, but the target {target.name!r} holds times. Predict a "
            f"number that you make of it, such as days until then, or another column: "
            f"table.with_roles(target=…)."
        )
    if target.kind not in kinds:
        raise DomainError(
            f"{learner} predicts {predicts}, but the target {target.name!r} is {target.kind!r}. "
            f"Use kinds={{{target.name!r}: {kinds[0]!r}}}, or another learner."
        )


def check_rows(takes: Takes, learner: str, table: Table) -> None:
    """Raise if these rows, which are all that there are, cannot be learned from, and say why."""
    if len(table) == 0:
        raise no_rows(learner)
    target = table.domain.target
    if takes.target != "nothing" and target is not None:
        known = table.cell(0, target.name) is not None  # most often that settles it
        if not known and table.missing(target.name).all():
            raise no_target(learner, target.name)
    check_batch(takes, learner, table)


def no_rows(learner: str) -> DomainError:
    """The error for no rows at all."""
    return DomainError(f"{learner} was given no rows to learn from.")


def no_target(learner: str, name: str) -> DomainError:
    """The error for rows of which none has a known target."""
    return DomainError(f"{learner} was given no row whose target {name!r} is known.")


def nothing_known(learner: str) -> DomainError:
    """The error for rows none of which can be learned from."""
    return DomainError(
        f"{learner} was given no row of a known target whose weight is not zero. "
        f"Give some rows a target and a weight."
    )


def training_rows(data: Table, learner: str) -> Table:
    """The rows whose target is known and that weigh something; an error where there are none."""
    target = data.domain.target
    assert target is not None, "what needs a target was not given a table without one"
    used = ~data.missing(target.name)
    if data.weights is not None:
        used &= data.weights > 0
    if not used.any():
        raise nothing_known(learner)
    return data if used.all() else data[np.flatnonzero(used)]


def check_total(learner: str, table: Table) -> None:
    """Raise if rows, of which there are several, weigh no more than one row together.

    No leaf, neighbourhood or interval could hold enough of them: what would be learned is the
    most frequent class.
    """
    weights = table.weights
    if weights is None:
        return
    count, total = int((weights > 0).sum()), float(weights.sum())
    if count >= ROWS and 0 < total < 1 + 1e-9:
        raise DomainError(
            f"The weights of {count:,} rows sum to {total:.6g}, and {learner} counts rows by their "
            f"weights. Multiply them by {count / total:.6g}, so that they are 1 on average; "
            f"fit(X, y, sample_weight=…) does so by itself."
        )


def check_batch(takes: Takes, learner: str, table: Table) -> None:
    """Raise if some of the rows cannot be learned from, and say why."""
    if not takes.missing:
        holes = [v.name for v in table.domain.attributes if table.missing(v.name).any()]
        if holes:
            raise DomainError(
                f"{learner} does not take missing values, and there are some in column(s) "
                f"{', '.join(map(repr, holes))}."
            )
    weight, weights = table.domain.weight, table.weights
    if weight is not None and weights is not None:
        check_weights(weights, f"Column {weight.name!r}")
    if not takes.weights and table.domain.weight is not None:
        raise DomainError(f"{learner} does not take weights: give the weights another role.")
