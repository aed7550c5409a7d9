"""Arithmetic: an expression over the columns of a table, such as a / b, for all of its rows."""

import ast
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from satsuma.errors import NoSuchColumn, ParameterError
from satsuma.numerics.arrays import Array, Bools, Floats

if TYPE_CHECKING:
    from satsuma.data.table import Table

_OPERATORS: dict[type[ast.AST], Callable[..., Any]] = {
    ast.Add: np.add,
    ast.Sub: np.subtract,
    ast.Mult: np.multiply,
    ast.Div: np.divide,
    ast.Pow: np.power,
    ast.UAdd: np.positive,
    ast.USub: np.negative,
}
_COMPARISONS: dict[type[ast.AST], Callable[..., Any]] = {
    ast.Lt: np.less,
    ast.LtE: np.less_equal,
    ast.Gt: np.greater,
    ast.GtE: np.greater_equal,
    ast.Eq: np.equal,
    ast.NotEq: np.not_equal,
}
_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "log": np.log,
    "exp": np.exp,
    "sqrt": np.sqrt,
    "abs": np.abs,
}

_TICKED = re.compile(r"`([^`]*)`")
_PLACE = "_column_{}_"


class Arithmetic:
    """An expression: columns, numbers, + - * / **, comparisons, log, exp, sqrt and abs.

    Where a cell of it is missing, the result is. So it is where there is no finite number, as for a
    division by 0; `undefined` tells where.

    Parameters
    ----------
    table
        The columns.
    text
        The expression. Names that are no words are written in backticks.

    Examples
    --------
    >>> from satsuma import Table
    >>> shop = Table.of([(30, 3), (None, 4), (5, 0)], ["price", "no. of pieces"], target=None)
    >>> each = Arithmetic(shop, "price / `no. of pieces`")
    >>> each.result, each.undefined
    (array([10., nan, nan]), array([False, False,  True]))
    >>> Arithmetic(shop, "price > 9").result
    array([True, None, False], dtype=object)
    """

    def __init__(self, table: "Table", text: str) -> None:
        self.table, self.text = table, text
        self._ticked: list[str] = []
        self._missing: Bools = np.zeros(len(table), np.bool_)
        self.undefined: Bools = np.zeros(len(table), np.bool_)
        with np.errstate(all="ignore"):
            try:
                found = self._value(self._parsed())
            except (RecursionError, OverflowError):
                self._refuse("it is too long, or a number too large")
        self.result: Any = found if isinstance(found, str) else self._finished(found)

    def _parsed(self) -> ast.AST:
        try:
            return ast.parse(_TICKED.sub(self._placed, self.text.strip()), mode="eval").body
        except (SyntaxError, ValueError, MemoryError):
            self._refuse("it is no expression")

    def _placed(self, ticked: re.Match[str]) -> str:
        """A word that stands for a name in backticks."""
        self._ticked.append(ticked[1])
        return _PLACE.format(len(self._ticked) - 1)

    def _finished(self, found: Any) -> Any:
        """What is missing as missing; a number by itself stands in all rows."""
        column: Array = np.broadcast_to(found, len(self.table))
        if column.dtype != np.float64:
            made = column.astype(object)
            made[self._missing] = None
            return made
        self.undefined = ~np.isfinite(column) & ~self._missing
        return np.where(self._missing | self.undefined, np.nan, column)

    def _value(self, node: ast.AST) -> Any:
        match node:
            case ast.Name(name):
                return self._column(self._name(name))
            case ast.Constant(str() | int() | float() as value) if not isinstance(value, bool):
                return value if isinstance(value, str) else float(value)
            case ast.BinOp(left, operator, right) if type(operator) in _OPERATORS:
                return _OPERATORS[type(operator)](self._number(left), self._number(right))
            case ast.UnaryOp(operator, operand) if type(operator) in _OPERATORS:
                return _OPERATORS[type(operator)](self._number(operand))
            case ast.Compare(left, [operator], [right]) if type(operator) in _COMPARISONS:
                return self._compared(operator, left, right)
            case ast.Call(ast.Name(name), [operand], []) if name in _FUNCTIONS:
                return _FUNCTIONS[name](self._number(operand))
            case _:
                return self._refuse(f"{self._shown(node)!r} is beyond it")

    def _compared(self, operator: ast.AST, left: ast.AST, right: ast.AST) -> Bools:
        sides = self._value(left), self._value(right)
        strings = [_is_text(side) for side in sides]
        if any(strings) and not (all(strings) and isinstance(operator, ast.Eq | ast.NotEq)):
            self._refuse("strings are compared with strings alone, by == and !=")
        if any(strings):
            sides = np.asarray(sides[0], object), np.asarray(sides[1], object)
        return np.asarray(_COMPARISONS[type(operator)](*sides), np.bool_)

    def _number(self, node: ast.AST) -> Floats | float:
        value = self._value(node)
        if _is_text(value) or getattr(value, "dtype", None) == np.bool_:
            self._refuse(f"{self._shown(node)!r} is no number")
        return value

    def _column(self, name: str) -> Array:
        if name not in self.table.domain:
            said = f"For {self.text!r} in all rows, put it in quotes: {repr(self.text)!r}."
            alone = self.text.strip() == name
            raise NoSuchColumn(name, self.table.domain.names, said if alone else "")
        variable = self.table.domain[name]
        if variable.kind == "time":
            self._refuse(f"{name!r} holds times")
        self._missing |= self.table.missing(name)
        return self.table.column(name) if variable.kind == "num" else self.table[name]

    def _name(self, word: str) -> str:
        names = {_PLACE.format(at): name for at, name in enumerate(self._ticked)}
        return names.get(word, word)

    def _shown(self, node: ast.AST) -> str:
        text = ast.unparse(node)
        for at, name in enumerate(self._ticked):
            text = text.replace(_PLACE.format(at), f"`{name}`")
        return text

    def _refuse(self, why: str) -> NoReturn:
        raise ParameterError(
            f"{self.text!r} cannot be worked out: {why}. An expression has names of columns (in "
            f"`backticks` if they are no words), numbers, + - * / **, comparisons, log, exp, sqrt "
            f"and abs. For all else, give a function of the table, such as "
            f"lambda t: t['a'] % 2; for the same string in all rows, put it in quotes: \"'text'\"."
        )


def _is_text(value: Any) -> bool:
    return isinstance(value, str) or getattr(value, "dtype", None) == np.object_
