"""Fields: what an attribute of an object that can be saved may be."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, cast

import numpy as np

from satsuma.errors import ReadError

Sizes = dict[str, int]
Size = int | str

#: Sums and products of a few numbers up to here are finite.
LARGE = 1e150


class Field(ABC):
    """What an attribute may be."""

    #: Whether an object may do without it.
    optional: bool = False

    @abstractmethod
    def check(self, value: Any, name: str, sizes: Sizes) -> None:
        """Raise a `ReadError` unless a value is one of these; sizes that are new are noted."""

    def sizes(self) -> Iterable[Size]:
        """The sizes that it names, in itself and in what it holds."""
        return ()


def refuse(name: str, must: str) -> ReadError:
    """The error for an attribute that is not what it must be."""
    return ReadError(f"{name} must be {must}")


def _length(size: Size, found: int, sizes: Sizes) -> int:
    """How long something must be; what it is, where nothing is known of that size."""
    if isinstance(size, int):
        return size
    base, _, more = size.partition("+")
    known = sizes.setdefault(base, found - int(more or 0))
    return known + int(more or 0)


@dataclass(frozen=True, init=False)
class FloatArray(Field):
    """An array of floats, all known and finite unless said.

    Parameters
    ----------
    shape
        Its sizes.
    low, high
        What its numbers lie between.
    missing, infinite
        Whether NaN, and infinity, may be among them.
    sums_to_one
        Whether the numbers along the last dimension sum to 1.
    """

    shape: tuple[Size, ...]
    low: float
    high: float
    missing: bool
    infinite: bool
    sums_to_one: bool

    def __init__(
        self,
        *shape: Size,
        low: float = -np.inf,
        high: float = np.inf,
        missing: bool = False,
        infinite: bool = False,
        sums_to_one: bool = False,
    ) -> None:
        for name, value in (
            ("shape", shape),
            ("low", low),
            ("high", high),
            ("missing", missing),
            ("infinite", infinite),
            ("sums_to_one", sums_to_one),
        ):
            object.__setattr__(self, name, value)

    def sizes(self) -> Iterable[Size]:
        """Those of its shape."""
        return self.shape

    def check(self, value: Any, name: str, sizes: Sizes) -> None:
        """An array of this shape, with numbers of this range."""
        check_array(value, name, np.dtype(np.float64), self.shape, sizes)
        with np.errstate(invalid="ignore"):
            wrong = (value < self.low) | (value > self.high)
        if not self.missing:
            wrong |= np.isnan(value)
        if not self.infinite:
            wrong |= np.isinf(value)
        if wrong.any():
            raise refuse(name, f"numbers{_between(self.low, self.high)}")
        if self.sums_to_one and (np.abs(value.sum(axis=-1) - 1) > 1e-6).any():
            raise refuse(name, "probabilities that sum to 1")


@dataclass(frozen=True, init=False)
class IntArray(Field):
    """An array of whole numbers: codes, places, counts.

    Parameters
    ----------
    shape
        Its sizes.
    low
        The least.
    below
        The size that all are below; none unless given.
    dtypes
        Any of these; ``int32`` unless given.
    """

    shape: tuple[Size, ...]
    low: int
    below: Size | None
    dtypes: tuple[Any, ...]

    def __init__(
        self, *shape: Size, low: int = 0, below: Size | None = None, dtypes: Any = (np.int32,)
    ) -> None:
        for name, value in (("shape", shape), ("low", low), ("below", below), ("dtypes", dtypes)):
            object.__setattr__(self, name, value)

    def sizes(self) -> Iterable[Size]:
        """Those of its shape, and the one that all are below."""
        return self.shape if self.below is None else (*self.shape, self.below)

    def check(self, value: Any, name: str, sizes: Sizes) -> None:
        """An array of this shape, with codes of this range."""
        found = getattr(value, "dtype", None)
        wanted = found if found in self.dtypes else np.dtype(self.dtypes[0])
        check_array(value, name, cast("np.dtype[Any]", wanted), self.shape, sizes)
        if not value.size:
            return
        most = None if self.below is None else _length(self.below, int(value.max()) + 1, sizes)
        if int(value.min()) < self.low or (most is not None and int(value.max()) >= most):
            high = np.inf if most is None else most - 1
            raise refuse(name, f"whole numbers{_between(self.low, high)}")


def check_array(
    value: Any, name: str, dtype: np.dtype[Any], shape: tuple[Size, ...], sizes: Sizes
) -> None:
    """Raise unless a value is an array of a type and of a shape."""
    if not isinstance(value, np.ndarray) or value.dtype != dtype or value.ndim != len(shape):
        raise refuse(name, f"an array of {dtype} with {len(shape)} dimensions")
    found = cast("tuple[int, ...]", value.shape)
    wanted = tuple(_length(size, n, sizes) for size, n in zip(shape, found, strict=True))
    if wanted != found:
        raise refuse(name, f"of shape {wanted}, and is {found}")


def _between(low: float, high: float) -> str:
    ends = [f"at least {low:g}"] if low > -np.inf else []
    ends += [f"at most {high:g}"] if high < np.inf else []
    return f" of {' and '.join(ends)}" if ends else " that are known and finite"


@dataclass(frozen=True)
class Number(Field):
    """A number, finite unless said."""

    low: float = -np.inf
    high: float = np.inf
    whole: bool = False
    infinite: bool = False
    missing: bool = False

    def check(self, value: Any, name: str, sizes: Sizes) -> None:  # noqa: ARG002 - a contract
        """A number of this range."""
        kinds = (int,) if self.whole else (int, float)
        right = isinstance(value, kinds) and not isinstance(value, bool)
        if right and not self.whole and isinstance(value, int):
            right = abs(value) <= 1 << 53  # beyond, it is no float
        if right and value != value:  # noqa: PLR0124 - NaN alone differs from itself
            right = self.missing
        elif right:
            ends = self.low <= value <= self.high
            right = ends and (self.infinite or abs(value) != np.inf)
        if not right:
            noun = "a whole number" if self.whole else "a number"
            raise refuse(name, f"{noun}{_between(self.low, self.high)}")


class Flag(Field):
    """True or False."""

    def check(self, value: Any, name: str, sizes: Sizes) -> None:  # noqa: ARG002 - a contract
        """One of the two."""
        if not isinstance(value, bool):
            raise refuse(name, "true or false")


@dataclass(frozen=True, init=False)
class Word(Field):
    """A string; one of some, where these are given."""

    choices: tuple[str, ...]

    def __init__(self, *choices: str) -> None:
        object.__setattr__(self, "choices", choices)

    def check(self, value: Any, name: str, sizes: Sizes) -> None:  # noqa: ARG002 - a contract
        """A string that there is."""
        if not isinstance(value, str) or (self.choices and value not in self.choices):
            raise refuse(name, f"one of {', '.join(self.choices)}" if self.choices else "a string")


@dataclass(frozen=True)
class Maybe(Field):
    """Something, or None; where it is `optional`, the attribute may not be there at all."""

    field: Field
    optional: bool = False

    def sizes(self) -> Iterable[Size]:
        """Those of what it holds."""
        return self.field.sizes()

    def check(self, value: Any, name: str, sizes: Sizes) -> None:
        """None, or what it may be."""
        if value is not None:
            self.field.check(value, name, sizes)


@dataclass(frozen=True)
class Many(Field):
    """A list, or a tuple, of things of one sort.

    Parameters
    ----------
    field
        What each is.
    size
        How many there are.
    kind
        ``list``, or ``tuple``.
    alike
        Whether the sizes in one are those in the others.
    """

    field: Field
    size: Size | None = None
    kind: type = list
    alike: bool = False

    def sizes(self) -> Iterable[Size]:
        """Its own, and those of what it holds."""
        return [*([] if self.size is None else [self.size]), *self.field.sizes()]

    def check(self, value: Any, name: str, sizes: Sizes) -> None:
        """A list of so many things."""
        if type(value) is not self.kind:
            raise refuse(name, f"a {self.kind.__name__}")
        each = cast("list[Any]", value)
        if self.size is not None and len(each) != _length(self.size, len(each), sizes):
            raise refuse(name, f"as long as {self.size}")
        for at, one in enumerate(each):
            self.field.check(one, f"{name}[{at}]", sizes if self.alike else dict(sizes))


@dataclass(frozen=True)
class ByName(Field):
    """A dict from names to things of one sort."""

    field: Field

    def sizes(self) -> Iterable[Size]:
        """Those of what it holds."""
        return self.field.sizes()

    def check(self, value: Any, name: str, sizes: Sizes) -> None:
        """A dict whose keys are strings."""
        if type(value) is not dict:
            raise refuse(name, "a dict")
        for key, each in cast("dict[Any, Any]", value).items():
            if not isinstance(key, str):
                raise refuse(name, "a dict by names")
            self.field.check(each, f"{name}[{key!r}]", dict(sizes))


@dataclass(frozen=True)
class Record(Field):
    """A dict with certain keys."""

    fields: Mapping[str, Field]

    def sizes(self) -> Iterable[Size]:
        """Those of what it holds."""
        return [size for field in self.fields.values() for size in field.sizes()]

    def check(self, value: Any, name: str, sizes: Sizes) -> None:
        """All keys, no other, and each of its sort."""
        if type(value) is not dict or cast("dict[Any, Any]", value).keys() != self.fields.keys():
            raise refuse(name, f"a dict of {', '.join(self.fields)}")
        for key, field in self.fields.items():
            field.check(value[key], f"{name}[{key!r}]", sizes)


@dataclass(frozen=True)
class Instance(Field):
    """An object of a class, which has been checked itself; the class, or what gives it later."""

    kind: Any

    def check(self, value: Any, name: str, sizes: Sizes) -> None:  # noqa: ARG002 - a contract
        """An object of that class."""
        kind = self.kind if isinstance(self.kind, type) else cast("Callable[[], type]", self.kind)()
        if not isinstance(value, kind):
            raise refuse(name, f"a {kind.__name__}")


class Anything(Field):
    """Whatever can be saved: nothing hangs on it."""

    def check(self, value: Any, name: str, sizes: Sizes) -> None:
        """All is well."""
