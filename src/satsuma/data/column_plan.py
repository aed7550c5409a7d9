"""Column plan: what columns are read as, from a first guess to what the whole source holds."""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Generic, Protocol, TypeVar

import numpy as np

from satsuma.data.domain import Domain
from satsuma.data.profile import Profile, Raw, Spot, Words
from satsuma.data.table import Table
from satsuma.data.variable import Kind, Variable
from satsuma.errors import ReadError
from satsuma.numerics.arrays import Array, Codes

#: The values of a column that holds nothing but true and false.
BOOLEANS = ("False", "True")


@dataclass(frozen=True)
class ColumnPlan:
    """What each column is read as.

    Parameters
    ----------
    domain
        The columns, with the values of symbols as far as they are known.
    settled
        Whether the whole source was looked at, so that no other kind and no other value is left.
    strict
        Names of the columns whose kind was said and is not to be doubted.
    fixed
        Names of the columns of which it is not to be judged by their content whether they are
        symbols or text.
    booleans
        Names of the columns that hold nothing but true and false.
    soft
        Names of the columns that are goals by their names alone, and no longer if they hold no
        numbers.
    by_name
        Names of the columns that are numeric by the marks in their names alone.
    listed
        By name, how many values a header lists; they are the first of the variable's.
    spelled
        Whether cells are spelled in delimited text, so that an option may make numbers of them.
    """

    domain: Domain
    settled: bool = False
    strict: frozenset[str] = frozenset()
    fixed: frozenset[str] = frozenset()
    booleans: frozenset[str] = frozenset()
    soft: frozenset[str] = frozenset()
    by_name: frozenset[str] = frozenset()
    listed: Mapping[str, int] = field(default_factory=dict[str, int])
    spelled: bool = False

    def with_variables(self, changes: Mapping[str, tuple[Kind, tuple[str, ...]]]) -> "ColumnPlan":
        """The same plan with another kind, or other values, for some columns."""
        if not changes:
            return self
        made = (
            self._changed(variable, *changes[variable.name])
            if variable.name in changes
            else variable
            for variable in self.domain
        )
        return replace(self, domain=Domain(made))

    def _changed(self, old: Variable, kind: Kind, values: tuple[str, ...]) -> Variable:
        role, goal = old.role, old.goal
        if kind != "num" and role == "goal" and old.name in self.soft:
            role, goal = "x", None
        form = old.format if kind == old.kind else None
        return Variable(old.name, kind, values, role, goal, form)

    def table(self, raw: Raw, place: str) -> Table:
        """Rows as they were found, under the columns of the plan.

        Values that it does not know come behind those that it knows.
        """
        variables, columns = list(self.domain), list[Array]()
        for j, (variable, found) in enumerate(zip(self.domain, raw.columns, strict=True)):
            assert found is not None, "what does not fit is not made a table of"
            if variable.kind == "sym":
                variables[j], column = self._symbols(variable, found, raw.values[j], place)
            elif variable.kind == "text" and found.dtype != object:
                column = np.array([*raw.values[j], None], object)[found]
            else:
                column = found
            columns.append(column)
        same = all(a is b for a, b in zip(variables, self.domain, strict=True))
        return Table(self.domain if same else Domain(variables), columns, check=False)

    def _symbols(
        self, variable: Variable, codes: Codes, values: Collection[str], place: str
    ) -> tuple[Variable, Codes]:
        if values is variable.values or tuple(values) == variable.values:
            return variable, codes
        new = [value for value in values if value not in variable.codes]
        if new and self.settled:
            raise changed(place, f"column {variable.name!r} holds {new[0]!r}, which was not there")
        if new:
            variable = replace(variable, values=(*variable.values, *new))
        where = [variable.codes[value] for value in values]
        if where == list(range(len(where))):
            return variable, codes
        return variable, np.array([*where, -1], np.int32)[codes]


def changed(place: str, what: str) -> ReadError:
    """The error for a file that is not what it was when it was first read."""
    return ReadError(
        f"{what} when it was first read", file=place, remedy="Leave it alone, and scan it again."
    )


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
            wrong = plan.domain[name]
            raise _not_fitting(wrong, cell, plan.spelled, *last.where(part, line))
    better = corrected_plan(plan, profile)
    wrong = (name for name in profile.infinite if better.domain[name].kind == "num")
    if first := _first(profile.infinite, wrong):
        part, line, cell = profile.infinite[first]
        raise _infinite(first, cell, plan.spelled, *last.where(part, line))
    return better


def _first(spots: dict[str, Spot], names: Iterable[str]) -> str:
    """The name whose spot comes first; none where there are no names."""
    return min(names, key=lambda name: spots[name], default="")


def _not_fitting(
    variable: Variable, cell: str, spelled: bool, file: str, line: int | None
) -> ReadError:
    """The error for a cell of a column that is said to hold numbers or times."""
    name, kind = variable.name, "times" if variable.kind == "time" else "numbers"
    missing = _missing(cell) if spelled else "make that cell missing."
    return ReadError(
        f"column {name!r} is to hold {kind}, but here it holds {cell!r}",
        file=file,
        line=line,
        remedy=f"Pass kinds={{{name!r}: 'sym'}}, or {missing}",
    )


def _missing(cell: str) -> str:
    return f"missing=[{cell.strip()!r}, …] if that stands for a missing cell."


def _infinite(name: str, cell: str, spelled: bool, file: str, line: int | None) -> ReadError:
    """The error for a number that is not finite."""
    missing = f"pass {_missing(cell)}" if spelled else "make it missing."
    return ReadError(
        f"column {name!r} holds {cell.strip()!r}; numbers must be finite",
        file=file,
        line=line,
        remedy=f"Mend it, or {missing}",
    )


def corrected_plan(plan: ColumnPlan, profile: Profile) -> ColumnPlan:
    """The plan as the whole source has it; the same one where nothing was wrong with it.

    Another plan asks for another pass: values of columns that were not symbols until
    now are not known yet.
    """
    boolean = {name for name, sorts in profile.sorts.items() if sorts == {"boolean"}}
    found = boolean.intersection(profile.failed)
    lost = plan.booleans.intersection(profile.sorts) - boolean
    made = plan.with_variables(dict.fromkeys((*profile.failed, *lost), ("sym", ())))
    if found or lost:
        made = made.with_variables(dict.fromkeys(found, ("sym", BOOLEANS)))
        made = replace(made, booleans=made.booleans - lost | found, fixed=made.fixed - lost | found)
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
    return replace(plan.with_variables(changes), settled=True)
