"""Variable: what is known of a column before any of its cells is looked at."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import MappingProxyType
from typing import Literal, get_args

from satsuma.errors import DomainError, NoSuchValue
from satsuma.kernels.csv import TimeFormat

Kind = Literal["num", "sym", "text", "time"]
Role = Literal["x", "target", "goal", "meta", "ignore", "weight"]
Goal = Literal["+", "-"]

KINDS: tuple[str, ...] = get_args(Kind)
ROLES: tuple[str, ...] = get_args(Role)

#: What may be known of the decimal mark of a column; not known where it is empty.
DECIMALS = ("", ".", ",")


@dataclass(frozen=True)
class Variable:
    """A column's name, kind, possible values and role.

    Parameters
    ----------
    name
        Not empty; distinct within a domain.
    kind
        ``num`` (float64, NaN missing), ``sym`` (a code into `values`, -1 missing), ``text``
        (strings that are read, not compared; None missing) or ``time`` (nanoseconds since 1970, NaT
        missing).
    values
        What a symbol may be, in order. A value that never occurs is still a value.
    role
        ``x`` is learned from, ``target`` is predicted, a ``goal`` is to be made large or small,
        ``meta`` is kept beside the rest, ``ignore`` is left alone, ``weight`` weighs the row.
    goal
        ``+`` to maximise, ``-`` to minimise; for the role ``goal`` alone.
    format
        How times are written, for the kind ``time`` alone: a pattern of `strftime`, or a
        `TimeFormat`. By ISO 8601 unless given.
    decimal
        The decimal mark in the text that numbers were read from, where that is known. Columns that
        differ in it alone are equal.

    Examples
    --------
    >>> from satsuma import Variable
    >>> wind = Variable("wind", "sym", ("weak", "strong"))
    >>> wind.code("strong")
    1
    >>> Variable("Mpg+", role="goal", goal="+")
    Variable(name='Mpg+', kind='num', role='goal', goal='+')
    """

    name: str
    kind: Kind = "num"
    values: tuple[str, ...] = ()
    role: Role = "x"
    goal: Goal | None = None
    format: TimeFormat | str | None = None
    decimal: str = field(default="", compare=False)

    def __post_init__(self) -> None:
        if self.kind == "time" and not isinstance(self.format, TimeFormat):
            object.__setattr__(self, "format", TimeFormat(self.format or "%Y-%m-%d %H:%M:%S"))
        if not self.name:
            raise DomainError("A column has an empty name. Give it one.")
        for what, got, known in (("kind", self.kind, KINDS), ("role", self.role, ROLES)):
            if got not in known:
                raise DomainError(
                    f"The {what} of column {self.name!r} must be one of {', '.join(known)}. "
                    f"Got {got!r} instead."
                )
        if self.values and self.kind != "sym":
            raise DomainError(f"Column {self.name!r} lists values, so its kind must be 'sym'.")
        if len(set(self.values)) < len(self.values):
            raise DomainError(f"Column {self.name!r} lists a value twice.")
        if self.format is not None and self.kind != "time":
            raise DomainError(f"Column {self.name!r} has a format, so its kind must be 'time'.")
        if (self.goal is not None) != (self.role == "goal"):
            raise DomainError(
                f"Column {self.name!r}: the role 'goal' and a direction '+' or '-' go together. "
                f"Got the role {self.role!r} and the goal {self.goal!r}."
            )
        if self.role in ("goal", "weight") and self.kind != "num":
            raise DomainError(
                f"Column {self.name!r} has the role {self.role!r}, so it must hold numbers; "
                f"its kind is {self.kind!r}."
            )

    def __repr__(self) -> str:
        parts = [f"name={self.name!r}", f"kind={self.kind!r}"]
        parts += [f"values={self.values!r}"] if self.values else []
        parts += [f"role={self.role!r}"] if self.role != "x" else []
        parts += [f"goal={self.goal!r}"] if self.goal else []
        parts += [f"format={_shown(self.time_format)!r}"] if self.format else []
        return f"Variable({', '.join(parts)})"

    def __reduce__(self) -> tuple[object, ...]:
        # What is cached (a view of a mapping) cannot be pickled, and need not be.
        parts = (self.name, self.kind, self.values, self.role, self.goal, self.format, self.decimal)
        return Variable, parts

    @property
    def time_format(self) -> TimeFormat:
        """How the times of a column of times are written."""
        assert isinstance(self.format, TimeFormat), "only a column of times has a format"
        return self.format

    @cached_property
    def codes(self) -> Mapping[str, int]:
        """The code of each value."""
        return MappingProxyType({value: code for code, value in enumerate(self.values)})

    def code(self, value: str) -> int:
        """The code of a value; an unknown one raises."""
        try:
            return self.codes[value]
        except KeyError:
            raise NoSuchValue(value, self.name, self.values) from None

    def with_role(self, role: Role, goal: Goal | None = None) -> "Variable":
        """The same column in another role."""
        return replace(self, role=role, goal=goal)


def _shown(form: TimeFormat) -> TimeFormat | str:
    return form.pattern if form == TimeFormat(form.pattern) else form
