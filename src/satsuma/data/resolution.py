"""Resolution: from a first guess at the columns to the plan that the whole source has."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Generic, Protocol, TypeVar

from satsuma.data.column_plan import ColumnPlan
from satsuma.data.domain import Domain
from satsuma.data.profile import Profile, Spot, Words
from satsuma.data.variable import Kind, Variable
from satsuma.errors import ReadError


class Pass(Protocol):
    """One pass over a source: what it found, and where that stands."""

    @property
    def profile(self) -> Profile:
        """What was found."""
        ...

    def where(self, part: int, line: int) -> tuple[str, int | None]:
        """The file and the line to name in a message."""
        ...


P = TypeVar("P", bound=Pass)


@dataclass
class Resolved(Generic[P]):
    """The plan that stands, the last pass, and the cells that made numbers symbols."""

    plan: ColumnPlan
    last: P
    failed: dict[str, Spot]


def resolve(guess: ColumnPlan, run: Callable[[ColumnPlan], P]) -> Resolved[P]:
    """Pass over a source until nothing is wrong with the plan; one pass is enough if it was right.

    Parameters
    ----------
    guess
        What the first rows say.
    run
        A pass under a plan.
    """
    plan, failed = guess, dict[str, Spot]()
    while True:
        last = run(plan)
        failed = {**last.profile.failed, **failed}
        better = _better(plan, last)
        if better == plan:
            return Resolved(final_plan(plan, last.profile), last, failed)
        plan = better


def _better(plan: ColumnPlan, last: Pass) -> ColumnPlan:
    """The plan as it should have been; an error where the source cannot be read so."""
    profile, names = last.profile, plan.domain.names
    for name in filter(profile.failed.__contains__, names):
        if name in plan.strict:
            part, line, cell = profile.failed[name]
            raise _not_a_number(name, cell, *last.where(part, line))
    better = corrected_plan(plan, profile)
    wrong = (name for name in profile.infinite if better.domain[name].kind == "num")
    if first := _first(profile.infinite, wrong):
        part, line, cell = profile.infinite[first]
        raise _infinite(first, cell, *last.where(part, line))
    return better


def _first(spots: dict[str, Spot], names: Iterable[str]) -> str:
    """The name whose spot comes first; none where there are no names."""
    return min(names, key=lambda name: spots[name], default="")


def _not_a_number(name: str, cell: str, file: str, line: int | None) -> ReadError:
    """The error for a cell of a column that is said to hold numbers."""
    return ReadError(
        f"column {name!r} is to hold numbers, but here it holds {cell!r}",
        file=file,
        line=line,
        remedy=f"Pass kinds={{{name!r}: 'sym'}}, or missing=[{cell.strip()!r}, …] if that "
        "stands for a missing cell.",
    )


def _infinite(name: str, cell: str, file: str, line: int | None) -> ReadError:
    """The error for a number that is not finite."""
    return ReadError(
        f"column {name!r} holds {cell.strip()!r}; numbers must be finite",
        file=file,
        line=line,
        remedy=f"Mend it, or pass missing=[{cell.strip()!r}, …] if that stands for a missing cell.",
    )


def corrected_plan(plan: ColumnPlan, profile: Profile) -> ColumnPlan:
    """The plan as the whole source has it; the same one where nothing was wrong with it.

    Another plan asks for another pass: values of columns that were not symbols until
    now are not known yet.
    """
    made = plan
    made = made.with_variables(dict.fromkeys((*profile.failed, *profile.not_boolean), ("sym", ())))
    if profile.not_boolean:
        made = replace(made, booleans=made.booleans.difference(profile.not_boolean))
    if profile.new:
        more = (Variable(name) for name in profile.new)
        made = replace(made, domain=Domain([*made.domain, *more]))
    changes: dict[str, tuple[Kind, tuple[str, ...]]] = {}
    for variable in made.domain:
        words = profile.words.get(variable.name)
        if variable.kind == "num" or words is None or variable.name in made.fixed:
            continue
        kind: Kind = "text" if words.are_text else "sym"
        if kind != variable.kind:
            changes[variable.name] = kind, variable.values if kind == "sym" else ()
    return made.with_variables(changes)


def final_plan(plan: ColumnPlan, profile: Profile) -> ColumnPlan:
    """The plan with every value of every symbol, once a pass has found nothing wrong with it."""
    changes: dict[str, tuple[Kind, tuple[str, ...]]] = {}
    for variable in plan.domain:
        if variable.kind == "sym":
            found = profile.words.get(variable.name, Words()).values
            values = tuple(found)
            if values[: len(variable.values)] != variable.values:
                values = tuple(dict.fromkeys((*variable.values, *found)))
            if len(values) > len(variable.values):
                changes[variable.name] = "sym", values
    return replace(plan.with_variables(changes), complete=True)
