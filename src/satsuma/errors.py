"""Errors: what is wrong, where, and what to do; and checks of parameters that raise them."""

import math
import numbers
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import contextmanager
from difflib import get_close_matches
from typing import Any, NoReturn


class SatsumaError(ValueError):
    """Any error that Satsuma raises on purpose.

    Examples
    --------
    >>> import satsuma
    >>> try:
    ...     satsuma.load("irises")
    ... except satsuma.SatsumaError as error:
    ...     print(error)
    There is no shipped data set 'irises'. Did you mean 'iris'?
    """


class ReadError(SatsumaError):
    """A file or an object cannot be read as a table.

    Parameters
    ----------
    what
        What is wrong, in one sentence without a final stop.
    file
        The file, or a word for what was read instead.
    line
        The line of the file, from 1, where one is to blame.
    remedy
        What to do about it.
    """

    def __init__(
        self, what: str, *, file: str = "", line: int | None = None, remedy: str = ""
    ) -> None:
        self.what, self.file, self.line, self.remedy = what, file, line, remedy
        where = file if line is None else f"{file}, line {line}" if file else f"line {line}"
        super().__init__(
            ". ".join(part for part in (f"{where}: {what}".strip(": "), remedy) if part)
        )

    def __reduce__(self) -> tuple[object, ...]:
        return _read_error, (self.what, self.file, self.line, self.remedy)


def _read_error(what: str, file: str, line: int | None, remedy: str) -> ReadError:
    return ReadError(what, file=file, line=line, remedy=remedy)


class WriteError(SatsumaError):
    """A table holds something that the format cannot hold."""


class DomainError(SatsumaError):
    """Columns that do not fit together: names, kinds, roles or lengths."""


class NoSuchColumn(SatsumaError, KeyError):
    """A column was asked for by a name that the table does not have."""

    def __init__(self, name: object, names: Iterable[str], remedy: str = "") -> None:
        self.name, self.names, self.remedy = name, tuple(names), remedy
        sentences = f"There is no column {name!r}.", hint(str(name), self.names), remedy
        super().__init__(" ".join(each for each in sentences if each))

    def __str__(self) -> str:
        return str(self.args[0])

    def __reduce__(self) -> tuple[object, ...]:
        return NoSuchColumn, (self.name, self.names, self.remedy)


class NoSuchValue(SatsumaError, KeyError):
    """A symbol was asked for that its column does not know."""

    def __init__(self, value: object, column: str, values: Iterable[str]) -> None:
        self.value, self.column, self.values = value, column, tuple(values)
        text = f"Column {column!r} has no value {value!r}. {hint(str(value), self.values)}"
        super().__init__(text)

    def __str__(self) -> str:
        return str(self.args[0])

    def __reduce__(self) -> tuple[object, ...]:
        return NoSuchValue, (self.value, self.column, self.values)


class ParameterError(SatsumaError, TypeError):
    """A parameter is unknown, or has a value that it cannot have."""


class ContractError(SatsumaError, TypeError):
    """A class of learners or models does not do what its base class asks of it."""


class MissingExtra(SatsumaError, ImportError):
    """A package of an extra, such as ``satsuma[plot]``, is needed and not installed."""


@contextmanager
def require_extra(name: str, what: str, package: str) -> Generator[None]:
    """Import a package of an extra inside a ``with`` block; an error says how to install it.

    Parameters
    ----------
    name
        The extra, as in ``satsuma[name]``.
    what
        What needs it, as the subject of a sentence.
    package
        The package, by the name that pip knows; or several, which are listed.

    Examples
    --------
    >>> with require_extra("excel", "An Excel file", "openpyxl"):
    ...     import openpyxls
    Traceback (most recent call last):
        ...
    satsuma.errors.MissingExtra: An Excel file needs openpyxl; install it with: \
pip install 'satsuma[excel]'
    """
    try:
        yield
    except (ModuleNotFoundError, MissingExtra) as error:
        if (error.name or "").startswith("satsuma"):
            raise
        told = f"{what} needs {package}; install it with: pip install 'satsuma[{name}]'"
        raise MissingExtra(told) from None


def hint(word: str, known: Iterable[str], most: int = 5) -> str:
    """What the user may have meant, as a sentence.

    Examples
    --------
    >>> hint("sepal lenght", ["sepal length", "iris"])
    "Did you mean 'sepal length'?"
    >>> hint("rate", ["learning_rate", "learner"])
    "Did you mean 'learning_rate'?"
    >>> hint("x", ["a", "b"])
    "There are: 'a', 'b'."
    >>> hint("x", [])
    'There are none.'
    """
    known = list(known)
    close = get_close_matches(word, known, n=3, cutoff=0.6)
    if not close and len(word) > 2:
        close = [each for each in known if word.lower() in each.lower()][:3]
    if close:
        return f"Did you mean {' or '.join(map(repr, close))}?"
    if not known:
        return "There are none."
    rest = f" and {len(known) - most} more" if len(known) > most else ""
    return f"There are: {', '.join(map(repr, known[:most]))}{rest}."


def no_attribute(module: str, known: Sequence[str]) -> Callable[[str], NoReturn]:
    """The ``__getattr__`` of a module that has no other names, and says which were meant.

    Examples
    --------
    >>> no_attribute("satsuma.plot", ["tree", "elbow"])("elbows")
    Traceback (most recent call last):
        ...
    AttributeError: module 'satsuma.plot' has no attribute 'elbows'. Did you mean 'elbow'?
    """

    def raise_error(name: str) -> NoReturn:
        told = "" if name.startswith("_") else f". {hint(name, known, most=len(known))}"
        raise AttributeError(f"module {module!r} has no attribute {name!r}{told}")

    return raise_error


def described(value: object) -> str:
    """A value in a sentence: None, a type, or what it is an instance of.

    Examples
    --------
    >>> described(None), described(int), described([1])
    ('None', 'the class int', 'a list')
    """
    if value is None:
        return "None"
    if isinstance(value, type):
        return f"the class {value.__name__}"
    name = type(value).__name__
    return f"{'an' if name[0].lower() in 'aeiou' else 'a'} {name}"


def refuse(learner: object, name: str, must: str) -> ParameterError:
    """The error for a parameter that has a value which it cannot have."""
    got: Any = getattr(learner, name)
    return ParameterError(
        f"The '{name}' parameter of {type(learner).__name__} must be {must}. Got {got!r} instead."
    )


def check_number(
    learner: object,
    name: str,
    *,
    low: float = float("-inf"),
    high: float = float("inf"),
    whole: bool = False,
) -> None:
    """Raise unless a parameter is a finite number between two others, both included.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> from satsuma.extend import check_number
    >>> check_number(SimpleNamespace(m=-1), "m", low=0)
    Traceback (most recent call last):
        ...
    satsuma.errors.ParameterError: The 'm' parameter of SimpleNamespace must be a number of at \
least 0. Got -1 instead.
    """
    value: Any = getattr(learner, name)
    kind: Any = numbers.Integral if whole else numbers.Real
    right = isinstance(value, kind) and not isinstance(value, bool) and math.isfinite(value)
    if not (right and low <= value <= high):
        noun = "a whole number" if whole else "a number"
        ends = [f"of at least {low:g}"] if low > float("-inf") else []
        ends += [f"of at most {high:g}"] if high < float("inf") else []
        raise refuse(learner, name, " ".join([noun, " and ".join(ends)]).strip())


def check_choice(learner: object, name: str, choices: Iterable[object]) -> None:
    """Raise unless a parameter is one of some values."""
    known = list(choices)
    if getattr(learner, name) not in known:
        raise refuse(learner, name, f"one of {', '.join(map(repr, known))}")
