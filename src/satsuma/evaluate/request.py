"""Request: what an evaluation is asked for, checked: learners by name, rows, numbers, progress."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from threading import Lock
from typing import Any, TypeVar, cast

import numpy as np
import numpy.typing as npt

from satsuma.data.columns import from_cells
from satsuma.data.table import Table
from satsuma.data.variable import Variable
from satsuma.data.weights import check_weights
from satsuma.engines import Source, check_rows
from satsuma.engines.thread_pool import Progress
from satsuma.engines.timed_source import KINDS, with_time_features
from satsuma.errors import DomainError, ParameterError, described
from satsuma.folds import Strata
from satsuma.learners.learner import Learner
from satsuma.numerics.arrays import Array, Floats

#: One learner, several, or several by name.
SomeLearners = Learner | Iterable[Learner] | Mapping[str, Learner]

D = TypeVar("D", bound=Table | Source)

#: Learners by name.
Learners = Mapping[str, Learner]


def learners_by_name(learners: SomeLearners) -> dict[str, Learner]:
    """Learners by name: that of the class where it is enough, else with the parameters."""
    if isinstance(learners, Learner):
        return learners_by_name([learners])
    if isinstance(learners, Mapping):
        found = {str(name): one for name, one in cast("Mapping[str, Any]", learners).items()}
    else:
        given: list[Any] = _listed(learners)
        found = dict(zip(_names(given), given, strict=True))
    for one in found.values():
        if not isinstance(one, Learner):
            raise _no_learner(one)
    if not found:
        raise ParameterError("There is no learner to test: the list is empty.")
    return found


def _listed(learners: Any) -> list[Any]:
    if isinstance(learners, type) or not isinstance(learners, Iterable):
        raise _no_learner(learners)
    return list(cast("Iterable[Any]", learners))


def _names(learners: list[Any]) -> list[str]:
    short = [type(one).__name__ for one in learners]
    names = [
        s if short.count(s) == 1 else repr(one) for s, one in zip(short, learners, strict=True)
    ]
    seen: dict[str, int] = {}
    for at, name in enumerate(names):
        seen[name] = seen.get(name, 0) + 1
        names[at] = name if seen[name] == 1 else f"{name} ({seen[name]})"
    return names


def _no_learner(one: Any) -> ParameterError:
    problem = (
        f"{one.__name__} is a class: call it first, {one.__name__}()"
        if isinstance(one, type)
        else f"A {type(one).__name__} is not a learner of Satsuma"
    )
    return ParameterError(
        f"{problem}. Pass one learner, a list of them, or a dict of them by name."
    )


@dataclass(frozen=True)
class KnownRows:
    """What is known of the rows of a table before anything is learned.

    Parameters
    ----------
    target
        What is predicted.
    truth
        Codes or numbers, missing ones included.
    weights
        What each row weighs, if they differ.
    used
        Which rows have a known target and a weight above 0: only these count.
    """

    target: Variable
    truth: Array
    weights: Floats | None
    used: npt.NDArray[np.bool_]

    def strata(self, stratified: bool) -> Strata:
        """The class of each row, or 0 for all where that does not matter; -1 for unused rows."""
        if stratified and self.target.kind == "sym":
            codes = cast("Strata", self.truth)
            return codes if self.used.all() else np.where(self.used, codes, -1)
        return self.used.astype(np.int16) - np.int16(1)


def with_features(table: D, learners: Learners) -> D:
    """A table or a source with features of its times, of the kinds that all learners take.

    They are those of all rows, so that learners of every fold see the same columns.
    """
    check_rows("Learners are tested on", table)
    kinds = [kind for kind in KINDS if all(kind in one.takes.kinds for one in learners.values())]
    return with_time_features(table, kinds)


def known_rows(table: Table, learners: Learners) -> KnownRows:
    """Check that all learners can learn from a table, and find which of its rows count."""
    check_rows("Learners are tested on", table, sources=False)
    for learner in learners.values():
        learner.check_data(table)
    target = table.domain.target
    if target is None:
        raise DomainError(
            "There is nothing to predict: no column is the target. "
            "Name one: table.with_roles(target=…)."
        )
    used, weights = ~table.missing(target.name), table.weights
    if weights is not None:
        assert table.domain.weight is not None
        check_weights(weights, f"Column {table.domain.weight.name!r}")
        used &= weights > 0
    return KnownRows(target, table.column(target.name), weights, used)


def check_two_rows(rows: KnownRows, function: str) -> int:
    """The number of rows that count; fewer than two are an error."""
    there = int(rows.used.sum())
    if there < 2:
        raise DomainError(
            f"{function} needs at least two rows with a known target and a weight above 0. "
            f"There is {there or 'none'}."
        )
    return there


def group_codes(groups: Any, table: Table) -> Strata:
    """Codes of groups, given as a column's name or as a value for each row."""
    if isinstance(groups, str):
        at = table.domain.index(groups)
        groups = table[table.domain[at].name]
    cells: list[Any] = list(groups)
    if len(cells) != len(table):
        raise ParameterError(
            f"groups= must be the name of a column, or a value for each of the {len(table)} rows. "
            f"Got {len(cells)} values."
        )
    _, codes = from_cells("groups", cells, "sym")
    if (codes < 0).any():
        raise DomainError(f"Row {int((codes < 0).argmax())} has no group. Each row must have one.")
    return codes


def is_whole(value: Any) -> bool:
    """Whether something is a whole number; True and False are not meant as such."""
    return isinstance(value, int | np.integer) and not isinstance(value, bool)


def shown(value: Any) -> str:
    """A value in a message, where it is short; else what it is."""
    return repr(value) if isinstance(value, int | float | str) else described(value)


def check_whole(function: str, name: str, value: Any, low: int) -> int:
    """Raise unless a parameter is a whole number that is large enough."""
    if not is_whole(value) or value < low:
        raise ParameterError(
            f"The '{name}' parameter of {function} must be a whole number of at least {low}. "
            f"Got {shown(value)} instead."
        )
    return int(value)


def check_share(function: str, name: str, value: Any) -> float:
    """Raise unless a parameter is a number between 0 and 1, without the ends."""
    if not isinstance(value, float) or not 0 < value < 1:
        raise ParameterError(
            f"The '{name}' parameter of {function} must be a number between 0 and 1. "
            f"Got {value!r} instead."
        )
    return value


class Steps:
    """The steps of a long work, reported to its caller as they are done; several threads may count.

    Parameters
    ----------
    total
        How many steps there are.
    progress
        Called with the number of steps that are done and of all steps.

    Examples
    --------
    >>> seen = []
    >>> steps = Steps(5, lambda done, total: seen.append((done, total)))
    >>> steps.add()
    >>> steps.add(0)
    >>> steps.add(4)
    >>> seen
    [(0, 5), (1, 5), (5, 5)]
    """

    def __init__(self, total: int, progress: Progress | None = None) -> None:
        self.total, self.done, self._progress = total, 0, progress
        self._lock = Lock()
        if progress is not None:
            progress(0, total)

    def add(self, steps: int = 1) -> None:
        """Count some more; none is nothing to report."""
        with self._lock:
            self.done += steps
            if steps and self._progress is not None:
                self._progress(self.done, self.total)
