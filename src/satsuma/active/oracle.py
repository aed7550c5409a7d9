"""Oracle: whoever knows labels, and what asking costs."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, cast

import numpy as np

from satsuma.data.row import Row
from satsuma.data.table import Table
from satsuma.errors import DomainError, ParameterError
from satsuma.numerics.arrays import Floats


@dataclass(frozen=True)
class Answer:
    """What an oracle said of a row.

    Parameters
    ----------
    value
        The label, or a number for each goal by name; None for "don't know".
    certainty
        Above 0, and 1 at the most: what the label weighs when it is learned from.

    Examples
    --------
    >>> from satsuma import Answer
    >>> Answer("yes", 0.7).known, Answer(None).known
    (True, False)
    """

    value: Any
    certainty: float = 1.0

    def __post_init__(self) -> None:
        if not 0 < self.certainty <= 1:
            raise ParameterError(
                f"The certainty of an answer must be above 0 and at most 1. Got {self.certainty!r} "
                f"instead; if nothing is known, answer None."
            )

    @property
    def known(self) -> bool:
        """Whether there is a label."""
        return self.value is not None


class Oracle:
    """Someone who can be asked for the labels of rows, one by one, at a cost.

    Parameters
    ----------
    know
        A table whose target is known, or whose goals are: row 7 of what is asked about is row 7 of
        it, which serves to simulate a person. Or a function of a row that returns a label, a dict
        of goals, an `Answer`, or None for "don't know".
    cost
        Of one question: a number, or a function of the row.

    Examples
    --------
    >>> from satsuma import Answer, Oracle, Table
    >>> rows = [(1, "no"), (9, "yes"), (5, None)]
    >>> table = Table.of(rows, ["size", "sweet"])
    >>> oracle = Oracle(table, cost=0.5)
    >>> oracle.ask(table[1]).value, oracle.ask(table[2]).known
    ('yes', False)
    >>> oracle.asked, oracle.spent
    ([1, 2], 1.0)
    >>> Oracle(lambda row: "yes" if row["size"] > 4 else Answer("no", 0.8)).ask(table[0])
    Answer(value='no', certainty=0.8)
    """

    def __init__(
        self, know: Table | Callable[[Row], Any], *, cost: float | Callable[[Row], float] = 1.0
    ) -> None:
        given: Any = know
        if isinstance(given, Table):
            _check_known(given)
        elif not callable(given):
            raise ParameterError(
                f"An oracle is made of a table whose labels are known, or of a function of a row. "
                f"Got a {type(given).__name__} instead."
            )
        self._know, self.cost = know, cost
        #: The numbers of the rows that were asked about, in order.
        self.asked: list[int] = []
        #: What all questions have cost.
        self.spent = 0.0

    def ask(self, row: Row) -> Answer:
        """The label of a row; the question is counted whatever the answer."""
        self.asked.append(row.index)
        self.spent += float(self.cost(row) if callable(self.cost) else self.cost)
        if isinstance(self._know, Table):
            return _looked_up(self._know, row.index)
        said: Any = self._know(row)
        return said if isinstance(said, Answer) else Answer(said)

    def costs(self, table: Table) -> Floats:
        """What a question about each row of a table costs."""
        cost = self.cost
        if not callable(cost):
            return np.full(len(table), float(cost))
        return np.array([float(cost(row)) for row in table])


def _check_known(table: Table) -> None:
    if table.domain.target is None and not table.domain.goals:
        raise DomainError(
            "An oracle's table needs a target or goals to answer from. "
            "Name one: table.with_roles(target=…)."
        )


def _looked_up(table: Table, at: int) -> Answer:
    if not 0 <= at < len(table):
        raise DomainError(f"The oracle knows {len(table)} rows, and was asked about row {at}.")
    target = table.domain.target
    if target is not None:
        return Answer(table.cell(at, target.name))
    told = {goal.name: table.cell(at, goal.name) for goal in table.domain.goals}
    known = cast("Mapping[str, Any]", told)
    return Answer(None if all(each is None for each in known.values()) else dict(known))
