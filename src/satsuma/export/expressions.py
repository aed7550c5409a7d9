"""Expressions: what a model computes for a row, as a graph that each language is written from.

A cell may be missing, and what is computed from a missing value is missing; a comparison with one
is not true. That is how SQL takes NULL, and Python and ONNX take NaN, so that all of them come to
the same.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from satsuma.data.synonyms import synonyms

#: Stands for the logarithm of 0: a sum of it stays finite, which no database stumbles over.
IMPOSSIBLE = -1e300

#: What is less than this is impossible.
HOPELESS = -1e299

#: Exponents of less are 0; some databases refuse to compute them.
LEAST_EXPONENT = -708.0


@dataclass(frozen=True, eq=False)
class Expression:
    """A number, a code, a text or a condition; equal only to itself, as it may be shared."""

    @property
    def parts(self) -> tuple["Expression", ...]:
        """What it is computed from."""
        return ()


@dataclass(frozen=True, eq=False)
class Number(Expression):
    """A float, NaN for a missing one; `exact` where the last bit matters, as in a threshold."""

    value: float
    exact: bool = False


#: A number that is missing.
NOTHING = Number(float("nan"))


@dataclass(frozen=True, eq=False)
class Whole(Expression):
    """A whole number: a code, or a place."""

    value: int


@dataclass(frozen=True, eq=False)
class Text(Expression):
    """A class."""

    value: str


@dataclass(frozen=True, eq=False)
class Cell(Expression):
    """A number of the row, by the name of its column."""

    name: str


@dataclass(frozen=True, eq=False)
class Code(Expression):
    """The place of a symbol among the values of its column.

    Parameters
    ----------
    name
        The column.
    values
        Those that were seen in learning.
    tells_unseen
        Whether another value is -1; else it is missing.
    """

    name: str
    values: tuple[str, ...]
    tells_unseen: bool = False

    @property
    def codes(self) -> dict[str, int]:
        """The place by each spelling: as the model has it, and as databases and files may."""
        own = {value: code for code, value in enumerate(self.values)}
        return {**own, **synonyms(self.values)}


@dataclass(frozen=True, eq=False)
class Interval(Expression):
    """How many of some increasing cuts are less than a number: a code."""

    of: Expression
    cuts: tuple[float, ...]

    @property
    def parts(self) -> tuple[Expression, ...]:
        """The number."""
        return (self.of,)


@dataclass(frozen=True, eq=False)
class Place(Expression):
    """The place of several codes together, the last of which runs fastest: a code.

    Parameters
    ----------
    codes
        Each from 0, or missing.
    sizes
        How many codes there are of each.
    """

    codes: tuple[Expression, ...]
    sizes: tuple[int, ...]

    @property
    def parts(self) -> tuple[Expression, ...]:
        """The codes."""
        return self.codes


@dataclass(frozen=True, eq=False)
class Bits(Expression):
    """Which of some conditions hold, as a number: the first counts 1, the next 2, then 4."""

    conditions: tuple[Expression, ...]

    @property
    def parts(self) -> tuple[Expression, ...]:
        """The conditions."""
        return self.conditions


@dataclass(frozen=True, eq=False)
class Lookup(Expression):
    """The number that stands at a place; something else where the place is missing, or is -1."""

    place: Expression
    values: tuple[float, ...]
    otherwise: Expression

    @property
    def parts(self) -> tuple[Expression, ...]:
        """The place, and what stands for a missing one."""
        return (self.place, self.otherwise)


@dataclass(frozen=True, eq=False)
class Operation(Expression):
    """A function of some expressions.

    Parameters
    ----------
    name
        ``sum``, ``product``, ``difference``, ``quotient``, ``square``, ``exp``, ``log``,
        ``greatest``; and of conditions ``missing``, ``known``, ``every``, ``some``, ``<=``,
        ``>``, ``>=`` and ``=``.
    of
        Of what.
    """

    name: str
    of: tuple[Expression, ...]

    @property
    def parts(self) -> tuple[Expression, ...]:
        """What it is of."""
        return self.of

    @property
    def is_condition(self) -> bool:
        """Whether it holds or not."""
        return self.name in CONDITIONS


CONDITIONS = ("missing", "known", "every", "some", "<=", ">", ">=", "=")


@dataclass(frozen=True, eq=False)
class Known(Expression):
    """A number, or another where it is missing."""

    of: Expression
    otherwise: float

    @property
    def parts(self) -> tuple[Expression, ...]:
        """The number."""
        return (self.of,)


@dataclass(frozen=True, eq=False)
class Case(Expression):
    """What stands by the first condition that holds; something else where none does.

    Parameters
    ----------
    whens
        Conditions, each with what stands by it.
    otherwise
        What else there is.
    apart
        Whether it is where an expression that is nested too deeply is best taken apart.
    """

    whens: tuple[tuple[Expression, Expression], ...]
    otherwise: Expression
    apart: bool = False

    @property
    def parts(self) -> tuple[Expression, ...]:
        """Conditions, each with its value, and what else there is."""
        return (*(each for when in self.whens for each in when), self.otherwise)


@dataclass(frozen=True, eq=False)
class Program:
    """What is computed for each row: a value, or the class and all probabilities.

    Parameters
    ----------
    predicted
        The class, the number, or the number of the cluster.
    probabilities
        By class, in order; none where a number is predicted.
    """

    predicted: Expression
    probabilities: tuple[tuple[str, Expression], ...] = ()

    @property
    def outputs(self) -> tuple[Expression, ...]:
        """All that is asked for."""
        return (self.predicted, *(each for _, each in self.probabilities))

    @property
    def cells(self) -> list[Cell | Code]:
        """The columns that are looked at, in the order in which they are met."""
        return [each for each in in_order(self.outputs) if isinstance(each, Cell | Code)]


def in_order(outputs: Iterable[Expression]) -> Iterator[Expression]:
    """Each expression once, after what it is computed from."""
    done = set[int]()
    waiting: list[tuple[Expression, bool]] = [(each, False) for each in reversed([*outputs])]
    while waiting:
        each, ready = waiting.pop()
        if id(each) in done:
            continue
        if ready:
            done.add(id(each))
            yield each
        else:
            waiting.append((each, True))
            waiting += [(part, False) for part in reversed(each.parts) if id(part) not in done]


def total(*terms: Expression) -> Expression:
    """A sum; 0 of nothing.

    Examples
    --------
    >>> total(Number(1.0), Number(2.0), Cell("x")).of[0]
    Number(value=3.0, exact=False)
    """
    constant = sum(each.value for each in terms if isinstance(each, Number))
    left = [each for each in terms if not isinstance(each, Number)]
    if constant or not left:
        left.insert(0, Number(float(constant)))
    return left[0] if len(left) == 1 else Operation("sum", tuple(left))


def product(factor: float, of: Expression) -> Expression:
    """A number of times something."""
    if factor == 1.0:
        return of
    if isinstance(of, Number):
        return Number(factor * of.value)
    return Number(0.0) if factor == 0 else Operation("product", (Number(factor), of))


def difference(one: Expression, other: Expression) -> Expression:
    """One less the other."""
    return Operation("difference", (one, other))


def quotient(one: Expression, other: Expression) -> Expression:
    """One divided by the other."""
    return Operation("quotient", (one, other))


def square(of: Expression) -> Expression:
    """A number times itself."""
    return Operation("square", (of,))


def exponent(of: Expression) -> Expression:
    """The exponential of a number; 0 of one far below 0."""
    return Operation("exp", (of,))


def logarithm(of: Expression) -> Expression:
    """The natural logarithm of a number above 0."""
    return Operation("log", (of,))


def greatest(of: Sequence[Expression]) -> Expression:
    """The greatest of some numbers, none of which is missing."""
    return of[0] if len(of) == 1 else Operation("greatest", tuple(of))


def is_missing(of: Expression) -> Expression:
    """Whether something is missing."""
    return Operation("missing", (of,))


def is_known(of: Expression) -> Expression:
    """Whether something is not missing."""
    return Operation("known", (of,))


def every(conditions: Sequence[Expression]) -> Expression:
    """Whether all hold."""
    return conditions[0] if len(conditions) == 1 else Operation("every", tuple(conditions))


def some(conditions: Sequence[Expression]) -> Expression:
    """Whether any holds."""
    return conditions[0] if len(conditions) == 1 else Operation("some", tuple(conditions))


def compared(one: Expression, how: str, other: Expression) -> Expression:
    """Whether one is ``<=``, ``>``, ``>=`` or ``=`` the other; not so where one is missing."""
    return Operation(how, (one, other))


def case(*whens: tuple[Expression, Expression], otherwise: Expression) -> Expression:
    """What stands by the first condition that holds, and otherwise the last."""
    return Case(whens, otherwise) if whens else otherwise


def lookup(
    place: Expression, values: Sequence[float], otherwise: Expression | float = 0.0
) -> Expression:
    """The number at a place; the other where it is missing or -1.

    Examples
    --------
    >>> lookup(Cell("x"), [0.5, 0.5], 0.5)
    Number(value=0.5, exact=False)
    """
    other = otherwise if isinstance(otherwise, Expression) else Number(float(otherwise))
    told = tuple(float(each) for each in values)
    if isinstance(other, Number) and all(each == other.value for each in told):
        return other
    return Lookup(place, told, other)
