"""Column plan: what columns are read as, from a first guess to what the whole source holds."""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Generic, Protocol, TypeVar

import numpy as np

from satsuma.data.cell_errors import changed, check_wanted, does_not_fit, infinite
from satsuma.data.domain import Domain
from satsuma.data.flags import FLAG, FLAGS, NUMERIC_ROLES, OTHER, flag_codes
from satsuma.data.missing_marks import SYMBOL_MISSING
from satsuma.data.profile import Profile, Raw, Spot, Words
from satsuma.data.spelling import UNSPELLED, Spelling
from satsuma.data.table import Table
from satsuma.data.variable import DECIMALS, Kind, Variable
from satsuma.kernels.csv import Format, NumberFormat, TimeFormat
from satsuma.numerics.arrays import TIME, Array, Codes

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
    flags
        Names of the columns that hold nothing but 0 and 1: they are symbols, and read as numbers.
    soft
        Names of the columns that are goals by their names alone, and no longer if they hold no
        numbers.
    by_name
        Names of the columns that are numeric by the marks in their names alone.
    listed
        By name, how many values a header lists; they are the first of the variable's.
    spelling
        How cells are written, of a text whose cells have no types.
    """

    domain: Domain
    settled: bool = False
    strict: frozenset[str] = frozenset()
    fixed: frozenset[str] = frozenset()
    booleans: frozenset[str] = frozenset()
    flags: frozenset[str] = frozenset()
    soft: frozenset[str] = frozenset()
    by_name: frozenset[str] = frozenset()
    listed: Mapping[str, int] = field(default_factory=dict[str, int])
    spelling: Spelling | None = None

    def reads_like(self, other: "ColumnPlan") -> bool:
        """Whether cells are read in the same way."""
        if self is other:
            return True
        one, two = self.spelling, other.spelling
        same = one is two or (one is not None and two is not None and one.reads_like(two))
        return same and replace(self, spelling=None) == replace(other, spelling=None)

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

    def with_spelling(self, spelling: Spelling) -> "ColumnPlan":
        """The same plan with cells written so."""
        return self if spelling is self.spelling else replace(self, spelling=spelling)

    def with_formats(self, forms: Mapping[str, Format]) -> "ColumnPlan":
        """The same plan with columns of numbers and times that are written so."""
        if not forms:
            return self
        kinds: dict[str, tuple[Kind, tuple[str, ...]]] = {
            name: ("num" if isinstance(form, NumberFormat) else "time", ())
            for name, form in forms.items()
        }
        times = {name: form for name, form in forms.items() if isinstance(form, TimeFormat)}
        made = self.with_variables(kinds)
        variables = (
            replace(variable, format=times[variable.name]) if variable.name in times else variable
            for variable in made.domain
        )
        return replace(made, domain=Domain(variables))

    def with_numbers(self, names: Collection[str]) -> "ColumnPlan":
        """The same plan with columns that hold numbers even where all of them are 0 and 1."""
        made = self.with_variables(dict.fromkeys(self.flags.intersection(names), ("num", ())))
        return replace(made, fixed=made.fixed.union(names), flags=made.flags.difference(names))

    def with_flags(self, profile: Profile) -> "ColumnPlan":
        """The same plan with the flags among plain numbers, and without those that are none."""
        bits, written = profile.bits, (self.spelling or UNSPELLED).numbers
        found = {n for n in _plain_numbers(self) if bits.get(n) == FLAG and n not in written}
        wrong = {name for name in self.flags if bits.get(name, 0) & OTHER}
        failed = self.flags.intersection(profile.failed)
        if not (found or wrong or failed):
            return self
        made = self.with_variables(dict.fromkeys(found, ("sym", FLAGS)))
        made = made.with_variables(dict.fromkeys(wrong - failed, ("num", ())))
        return replace(made, flags=self.flags - wrong - failed | found)

    def table(self, raw: Raw, place: str) -> Table:
        """Rows as they were found, under the columns of the plan.

        Values that it does not know come behind those that it knows.
        """
        variables, columns = list(self.domain), list[Array]()
        marks = (self.spelling or UNSPELLED).marks
        for j, (variable, found) in enumerate(zip(self.domain, raw.columns, strict=True)):
            assert found is not None, "what does not fit is not made a table of"
            missing = marks.get(variable.name, frozenset())
            if variable.kind == "sym" and found.dtype == np.float64:
                column = flag_codes(found)
            elif variable.kind == "sym":
                variables[j], column = self._symbols(variable, found, raw.values[j], missing, place)
            elif variable.kind == "text" and found.dtype != object:
                texts = (None if text in missing else text for text in raw.values[j])
                column = np.array([*texts, None], object)[found]
            elif variable.kind == "time":
                column = found.view(TIME)
            else:
                column = found
            columns.append(column)
        same = all(a is b for a, b in zip(variables, self.domain, strict=True))
        return Table(self.domain if same else Domain(variables), columns, check=False)

    def _symbols(
        self,
        variable: Variable,
        codes: Codes,
        values: Collection[str],
        missing: Collection[str],
        place: str,
    ) -> tuple[Variable, Codes]:
        if values is variable.values or tuple(values) == variable.values:
            return variable, codes
        new = [value for value in values if value not in variable.codes and value not in missing]
        if new and self.settled:
            raise changed(place, f"column {variable.name!r} holds {new[0]!r}, which was not there")
        if new:
            variable = replace(variable, values=(*variable.values, *new))
        where = [variable.codes.get(value, -1) for value in values]
        if where == list(range(len(where))):
            return variable, codes
        return variable, np.array([*where, -1], np.int32)[codes]


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
        if better.reads_like(plan):
            return Resolved(final_plan(better, last.profile), last, failed)
        plan = better


def _better(plan: ColumnPlan, last: Pass) -> ColumnPlan:
    """The plan as it should have been; an error where the source cannot be read so."""
    plan, profile = _with_first_marks(plan, last.profile)
    names = plan.domain.names
    for name in filter(profile.failed.__contains__, names):
        if name in plan.strict:
            part, line, cell = profile.failed[name]
            spelled = plan.spelling is not None
            raise does_not_fit(plan.domain[name], cell, spelled, *last.where(part, line))
    better = corrected_plan(plan, profile)
    wrong = (name for name in profile.infinite if better.domain[name].kind == "num")
    if first := _first(profile.infinite, wrong):
        part, line, cell = profile.infinite[first]
        raise infinite(first, cell, plan.spelling is not None, *last.where(part, line))
    return better


def _with_first_marks(plan: ColumnPlan, profile: Profile) -> tuple[ColumnPlan, Profile]:
    """The plan with what the first marks in columns of whole numbers say, and what failed else."""
    if plan.spelling is None:
        return plan, profile
    cells = {name: cell for name, (_, _, cell) in profile.failed.items()}
    spelling, forms = plan.spelling.with_first_marks(cells)
    right = forms.keys() | spelling.apart - plan.spelling.apart
    failed = {name: spot for name, spot in profile.failed.items() if name not in right}
    made = replace(plan.with_formats(forms), spelling=spelling, flags=plan.flags - forms.keys())
    return made, replace(profile, failed=failed)


def _first(spots: dict[str, Spot], names: Iterable[str]) -> str:
    """The name whose spot comes first; none where there are no names."""
    return min(names, key=lambda name: spots[name], default="")


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
    made = _told_text(made, profile)
    if made.spelling is None:
        return made.with_flags(profile)
    made = _respelled(made, made.spelling, profile).with_flags(profile)
    assert made.spelling is not None
    numbers = [v.name for v in made.domain if v.kind == "num" or v.name in made.flags]
    return made.with_spelling(made.spelling.following(numbers))


def _told_text(plan: ColumnPlan, profile: Profile) -> ColumnPlan:
    """The plan with symbols and text told apart by all strings."""
    changes: dict[str, tuple[Kind, tuple[str, ...]]] = {}
    for variable in plan.domain:
        words = profile.words.get(variable.name)
        if variable.kind not in ("sym", "text") or words is None or variable.name in plan.fixed:
            continue
        numbers = profile.sorts.get(variable.name) == {"number"}  # that are too large
        kind: Kind = "text" if words.are_text and not numbers else "sym"
        if kind != variable.kind:
            changes[variable.name] = kind, variable.values if kind == "sym" else ()
    return plan.with_variables(changes)


def _respelled(plan: ColumnPlan, spelling: Spelling, profile: Profile) -> ColumnPlan:
    """The plan with what all strings tell about how columns are written."""
    before = spelling
    spelling, forms = spelling.with_strings(profile)
    check_wanted(spelling, spelling.known - before.known, forms)
    made = plan.with_formats(forms)
    made = made.with_variables(dict.fromkeys(_words_alone(made, profile), ("sym", ())))
    spelling = spelling.without(profile.failed).with_marks(profile)
    return _without_marks(made, before, spelling).with_spelling(spelling)


def _words_alone(plan: ColumnPlan, profile: Profile) -> list[str]:
    """Columns without any number, in which words such as none are values and no missing cells."""
    return [
        name
        for name in _plain_numbers(plan)
        if profile.bits.get(name) == 0 and not profile.met.get(name, set()) <= {*SYMBOL_MISSING}
    ]


def _plain_numbers(plan: ColumnPlan) -> list[str]:
    """Columns of numbers of which nobody said that they are such."""
    said = plan.strict | plan.fixed | plan.by_name
    numbers = (v for v in plan.domain if v.kind == "num" and v.role not in NUMERIC_ROLES)
    return [variable.name for variable in numbers if variable.name not in said]


def _without_marks(plan: ColumnPlan, before: Spelling, spelling: Spelling) -> ColumnPlan:
    """The plan without values that turned out to stand for missing cells."""
    changes: dict[str, tuple[Kind, tuple[str, ...]]] = {
        variable.name: ("sym", tuple(each for each in variable.values if each not in marks))
        for variable in plan.domain
        if variable.kind == "sym"
        and (marks := spelling.marks.get(variable.name)) != before.marks.get(variable.name)
        and marks is not None
    }
    return plan.with_variables(changes)


def final_plan(plan: ColumnPlan, profile: Profile) -> ColumnPlan:
    """The plan with every value of every symbol, once a pass has found nothing wrong with it."""
    changes: dict[str, tuple[Kind, tuple[str, ...]]] = {}
    marks = (plan.spelling or UNSPELLED).marks
    for variable in plan.domain:
        if variable.kind == "sym":
            found = profile.words.get(variable.name, Words()).values
            if not (missing := marks.get(variable.name, frozenset())).isdisjoint(found):
                found = [value for value in found if value not in missing]
            values = tuple(found)
            if values[: len(variable.values)] != variable.values:
                values = tuple(dict.fromkeys((*variable.values, *found)))
            if len(values) > len(variable.values):
                changes[variable.name] = "sym", values
    return replace(_with_decimals(plan.with_variables(changes)), settled=True)


def _with_decimals(plan: ColumnPlan) -> ColumnPlan:
    """The plan with the decimal mark of each column of numbers, as far as the text tells it."""
    spelling = plan.spelling or UNSPELLED
    mark = spelling.hints.decimal or spelling.likely.decimal
    if mark not in DECIMALS:
        return plan
    made = (
        replace(each, decimal="." if each.name in spelling.apart else mark)
        if each.kind == "num"
        else each
        for each in plan.domain
    )
    return replace(plan, domain=Domain(made))
