"""What Satsuma raises: a message says what is wrong, where, and what to do."""

from collections.abc import Iterable
from difflib import get_close_matches


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
