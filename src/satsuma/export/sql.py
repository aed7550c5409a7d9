"""SQL: a model as one SELECT, for the databases that are known here."""

from collections.abc import Callable, Sequence
from math import isnan
from typing import Any

from satsuma.errors import ParameterError, SatsumaError, hint
from satsuma.export.dialects import DIALECTS, Dialect
from satsuma.export.expressions import (
    LEAST_EXPONENT,
    Bits,
    Case,
    Cell,
    Code,
    Expression,
    Interval,
    Known,
    Lookup,
    Number,
    Operation,
    Place,
    Text,
    Whole,
)
from satsuma.export.forms import program_of
from satsuma.export.output_names import output_names
from satsuma.export.plan import Plan, plan_of

#: Terms that are added up in one go: those of more are added in groups.
_TERMS = 50

#: Characters that a database reads within a minute or two.
_MOST = 20_000_000

_BETWEEN = {"difference": " - ", "quotient": " / ", "every": " AND ", "some": " OR "}


def to_sql(
    model: Any,
    dialect: str = "duckdb",
    table: str | Sequence[str] = "rows",
    keep: Sequence[str] = (),
) -> str:
    """A model as one SELECT; see `Model.to_sql`.

    Examples
    --------
    >>> import satsuma
    >>> print(to_sql(satsuma.Majority(satsuma.load("tennis")), keep=["outlook"]))
    WITH s0 AS (
    SELECT r."outlook" AS k0
    FROM "rows" AS r
    )
    SELECT k0 AS "outlook",
    'yes' AS "play predicted",
    0.35714285714285715e0 AS "play = no",
    0.6428571428571429e0 AS "play = yes"
    FROM s0
    """
    if dialect not in DIALECTS:
        known = ", ".join(map(repr, DIALECTS))
        raise ParameterError(
            f"There is no dialect {dialect!r}: it is one of {known}. {hint(dialect, DIALECTS)}"
        )
    known = DIALECTS[dialect]
    program = program_of(model, "SQL")
    if known.folds_case:
        _check_case([*model.domain.names, *keep], known)
    text = _Select(plan_of(program, known.depth), known, table, keep).text(model)
    if len(text) > _MOST:
        raise SatsumaError(
            f"The SELECT would have {len(text):,} characters, and a database would take minutes to "
            f"read it. Learn a smaller model: fewer trees, or a larger min_leaf."
        )
    return text


def _check_case(names: Sequence[str], dialect: Dialect) -> None:
    """Raise if a database would take one column for another."""
    met = dict[bytes, str]()
    for name in names:
        other = met.setdefault(name.encode().lower(), name)  # letters from a to z alone
        if other != name:
            raise SatsumaError(
                f"{dialect.called} takes the columns {other!r} and {name!r} for the same one: it "
                f"does not tell upper case from lower case. Rename one before learning."
            )


class _Select:
    """The SELECT of a plan.

    Parameters
    ----------
    plan, dialect
        What is written, and how.
    table, keep
        Where the rows are, and which of its columns stand in front.
    """

    def __init__(
        self, plan: Plan, dialect: Dialect, table: str | Sequence[str], keep: Sequence[str]
    ) -> None:
        self.plan, self.dialect, self.keep = plan, dialect, list(keep)
        parts = [table] if isinstance(table, str) else list(table)
        self.table = ".".join(map(dialect.name, parts))
        self.names = {id(each): f"v{at}" for at, each in enumerate(plan.order)}

    def text(self, model: Any) -> str:
        """All of it."""
        kept = [f"k{at}" for at in range(len(self.keep))]
        steps = [self._first()]
        for at, step in enumerate(self.plan.steps[1:], 1):
            carried = [*kept, *(self.names[id(each)] for each in self.plan.carried(at))]
            made = [f"{self._written(each)} AS {self.names[id(each)]}" for each in step]
            columns = ",\n".join([*carried, *made])
            self._check_width(len(carried) + len(made))
            steps.append(f"SELECT {columns}\nFROM s{at - 1}")
        names = output_names(model, self.plan.program, self.keep)
        told = [
            *zip(kept, self.keep, strict=True),
            *zip(map(self.of, self.plan.program.outputs), names, strict=True),
        ]
        outputs = ",\n".join(f"{each} AS {self.dialect.name(name)}" for each, name in told)
        hint, fence = self.dialect.hint, self.dialect.fence
        made = ",\n".join(f"s{at} AS {hint}(\n{step}{fence}\n)" for at, step in enumerate(steps))
        return f"WITH {made}\nSELECT {outputs}\nFROM s{len(steps) - 1}\n"

    def _check_width(self, columns: int) -> None:
        if columns > self.dialect.columns:
            raise SatsumaError(
                f"The model takes {columns:,} columns side by side, and {self.dialect.called} has "
                f"{self.dialect.columns:,} at most. Learn a smaller one, such as with fewer trees."
            )

    def _first(self) -> str:
        """The cells of the table."""
        columns = [f"r.{self.dialect.name(name)} AS k{at}" for at, name in enumerate(self.keep)]
        columns += [
            f"{self._written(each)} AS {self.names[id(each)]}" for each in self.plan.steps[0]
        ]
        told = ",\n".join(columns) or "1 AS one"
        return f"SELECT {told}\nFROM {self.table} AS r"

    def of(self, each: Expression) -> str:
        """An expression: its name, if it has one."""
        return self.names.get(id(each)) or self._written(each)

    def _written(self, each: Expression) -> str:
        """An expression, by the method for its kind."""
        return getattr(self, f"_{type(each).__name__.lower()}")(each)

    def _number(self, each: Number) -> str:
        return "NULL" if isnan(each.value) else self.dialect.number(each.value, exact=each.exact)

    def _whole(self, each: Whole) -> str:
        return str(each.value)

    def _text(self, each: Text) -> str:
        return self.dialect.text(each.value)

    def _cell(self, each: Cell) -> str:
        return self.dialect.cell(f"r.{self.dialect.name(each.name)}")

    def _bits(self, each: Bits) -> str:
        bits = [
            f"CASE WHEN {self.of(one)} THEN {1 << at} ELSE 0 END"
            for at, one in enumerate(each.conditions)
        ]
        return f"({' + '.join(bits)})"

    def _lookup(self, each: Lookup) -> str:
        return self.dialect.lookup(self.of(each.place), each.values, self.of(each.otherwise))

    def _known(self, each: Known) -> str:
        return f"COALESCE({self.of(each.of)}, {self.dialect.number(each.otherwise)})"

    def _code(self, each: Code) -> str:
        cell = f"r.{self.dialect.name(each.name)}"
        whens = " ".join(
            f"WHEN {self.dialect.text(value)} THEN {code}" for value, code in each.codes.items()
        )
        unseen = "-1" if each.tells_unseen else "NULL"
        if not whens:
            return f"CASE WHEN {cell} IS NULL THEN NULL ELSE {unseen} END"
        found = f"CASE {self.dialect.as_text(cell)} {whens} ELSE {unseen} END"
        if not each.tells_unseen:
            return found
        return f"CASE WHEN {cell} IS NULL THEN NULL ELSE {found} END"

    def _interval(self, each: Interval) -> str:
        x = self.of(each.of)

        def between(low: int, high: int) -> str:
            if low == high:
                return str(low)
            middle = (low + high) // 2
            cut = self.dialect.number(each.cuts[middle], exact=True)
            left, right = between(low, middle), between(middle + 1, high)
            return f"CASE WHEN {x} <= {cut} THEN {left} ELSE {right} END"

        return f"CASE WHEN {x} IS NOT NULL THEN {between(0, len(each.cuts))} END"

    def _place(self, each: Place) -> str:
        found = self.of(each.codes[0])
        for code, size in zip(each.codes[1:], each.sizes[1:], strict=True):
            found = f"({found} * {size} + {self.of(code)})"
        return found

    def _case(self, each: Case) -> str:
        told = [f"WHEN {self.of(one)} THEN {self.of(value)}" for one, value in each.whens]
        return f"CASE {' '.join(told)} ELSE {self.of(each.otherwise)} END"

    def _operation(self, each: Operation) -> str:  # noqa: PLR0911 - one for each kind
        told = [self.of(part) for part in each.of]
        if each.name == "sum":
            return _joined(told, " + ")
        if each.name == "product":
            return _joined(told, " * ")
        if each.name == "square":
            return f"({told[0]} * {told[0]})"
        if each.name == "exp":
            least = self.dialect.number(LEAST_EXPONENT)
            zero = self.dialect.number(0.0)
            return f"CASE WHEN {told[0]} > {least} THEN exp({told[0]}) ELSE {zero} END"
        if each.name == "log":
            return f"ln({told[0]})"
        if each.name == "greatest":
            return _grouped(told, lambda some: f"{self.dialect.greatest}({', '.join(some)})")
        if each.name in ("missing", "known"):
            return f"{told[0]} IS {'NOT ' * (each.name == 'known')}NULL"
        if each.name in ("every", "some"):
            return _joined(told, _BETWEEN[each.name])
        if each.name in _BETWEEN:
            return f"({_BETWEEN[each.name].join(told)})"
        return f"{told[0]} {each.name} {told[1]}"


def _joined(told: list[str], by: str) -> str:
    return _grouped(told, lambda some: f"({by.join(some)})")


def _grouped(told: list[str], write: Callable[[list[str]], str]) -> str:
    """Many parts in groups, and these in groups, so that none is long."""
    while len(told) > 1:
        groups = [told[at : at + _TERMS] for at in range(0, len(told), _TERMS)]
        told = [each[0] if len(each) == 1 else write(each) for each in groups]
    return told[0]
