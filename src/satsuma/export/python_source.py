"""Python source: a model as one function that needs nothing but Python's own library."""

from math import isnan
from typing import Any

from satsuma.errors import SatsumaError
from satsuma.export.expressions import (
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
from satsuma.export.plan import Plan, plan_of

#: What Python's parser nests, roughly, and characters of a source that is still small.
_DEPTH, _MOST = 150, 5_000_000

_HEAD = '''"""{title}, written by Satsuma.

predict(row) takes a dict by the names of the columns, in which a missing value is None, and
returns {returns}.
"""

from bisect import bisect_left
from math import exp, inf, log, nan


def _number(cell):
    """A number; NaN if missing."""
    return nan if cell is None else float(cell)


def _code(cell, codes, unseen):
    """The place of a symbol among its values; NaN if missing."""
    if cell is None or cell != cell:
        return nan
    return codes.get(str(cell), unseen)


def _known(value, otherwise):
    """A number, or another where it is missing."""
    return value if value == value else otherwise


def _interval(x, cuts):
    """How many of some cuts are less than a number."""
    return bisect_left(cuts, x) if x == x else nan


def _exp(x):
    """The exponential of a number, 0 far below 0."""
    return exp(x) if x > -708.0 else 0.0

'''

_BETWEEN = {
    "sum": " + ",
    "product": " * ",
    "difference": " - ",
    "quotient": " / ",
    "every": " and ",
    "some": " or ",
    "=": " == ",
}


def to_python(model: Any) -> str:
    """The source of a function that predicts one row; see `Model.to_python`.

    Examples
    --------
    >>> import satsuma
    >>> days = satsuma.load("tennis")
    >>> space = {}
    >>> exec(to_python(satsuma.OneR(days)), space)
    >>> space["predict"]({"outlook": "overcast"})
    ('yes', {'no': 0.0, 'yes': 1.0})
    """
    plan = plan_of(program_of(model, "Python"), _DEPTH)
    source = _Source(plan).text(model)
    if len(source) > _MOST:
        raise SatsumaError(
            f"The function would have {len(source):,} characters, and is to be a small one. Write "
            f"SQL or ONNX instead: model.to_sql(), model.to_onnx()."
        )
    return source


class _Source:
    """The source of a plan.

    Parameters
    ----------
    plan
        What is written.
    """

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.names = {id(each): f"v{at}" for at, each in enumerate(plan.order)}
        self.tables: dict[tuple[Any, ...], str] = {}

    def text(self, model: Any) -> str:
        """All of it."""
        program = self.plan.program
        body = [f"    {self.names[id(each)]} = {self._written(each)}" for each in self.plan.order]
        answer = self.of(program.predicted)
        if program.probabilities:
            told = ", ".join(f"{name!r}: {self.of(each)}" for name, each in program.probabilities)
            answer += f", {{{told}}}"
        tables = [f"{name} = {_constant(values)}" for values, name in self.tables.items()]
        returns = "the class and the probability of each" if program.probabilities else "a number"
        title = f"A {type(model).__name__}"
        lines = [*tables, "", "", "def predict(row):", '    """What is predicted of a row."""']
        head = _HEAD.replace("{title}", title).replace("{returns}", returns)
        return head + "\n".join([*lines, *body, f"    return {answer}", ""])

    def of(self, each: Expression) -> str:
        """An expression: its name, if it has one."""
        return self.names.get(id(each)) or self._written(each)

    def _table(self, values: tuple[Any, ...]) -> str:
        """The name of a constant."""
        return self.tables.setdefault(values, f"T{len(self.tables)}")

    def _written(self, each: Expression) -> str:
        """An expression, by the method for its kind."""
        return getattr(self, f"_{type(each).__name__.lower()}")(each)

    def _number(self, each: Number | Whole | Text) -> str:
        return repr(each.value)

    _whole = _text = _number

    def _cell(self, each: Cell) -> str:
        return f"_number(row[{each.name!r}])"

    def _code(self, each: Code) -> str:
        codes = self._table(("dict", *each.codes.items()))
        unseen = "-1" if each.tells_unseen else "nan"
        return f"_code(row[{each.name!r}], {codes}, {unseen})"

    def _interval(self, each: Interval) -> str:
        return f"_interval({self.of(each.of)}, {self._table(each.cuts)})"

    def _place(self, each: Place) -> str:
        found = self.of(each.codes[0])
        for code, size in zip(each.codes[1:], each.sizes[1:], strict=True):
            found = f"({found} * {size} + {self.of(code)})"
        return found

    def _bits(self, each: Bits) -> str:
        bits = [f"{1 << at} * ({self.of(one)})" for at, one in enumerate(each.conditions)]
        return f"({' + '.join(bits)})"

    def _lookup(self, each: Lookup) -> str:
        place, table = self.of(each.place), self._table(each.values)
        return f"({table}[{place}] if {place} >= 0 else {self.of(each.otherwise)})"

    def _known(self, each: Known) -> str:
        return f"_known({self.of(each.of)}, {each.otherwise!r})"

    def _case(self, each: Case) -> str:
        whens = [f"{self.of(value)} if {self.of(one)} else " for one, value in each.whens]
        return f"({''.join(whens)}{self.of(each.otherwise)})"

    def _operation(self, each: Operation) -> str:
        told = [self.of(part) for part in each.of]
        if each.name in ("exp", "log", "greatest"):
            called = {"exp": "_exp", "log": "log", "greatest": "max"}[each.name]
            return f"{called}({', '.join(told)})"
        if each.name == "square":
            return f"({told[0]} * {told[0]})"
        if each.name in ("missing", "known"):
            return f"({told[0]} {'!=' if each.name == 'missing' else '=='} {told[0]})"
        return f"({_BETWEEN.get(each.name, f' {each.name} ').join(told)})"


def _constant(values: tuple[Any, ...]) -> str:
    if values and values[0] == "dict":
        return repr(dict(values[1:]))
    told = ", ".join("nan" if isnan(each) else repr(each) for each in values)
    return f"({told},)" if values else "()"
