"""Composite: several tallies of the same rows, side by side."""

from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any, Self, TypeVar, cast

from satsuma.data.domain import Domain
from satsuma.data.fields import Many, Word
from satsuma.data.schema import Schema
from satsuma.data.table import Table
from satsuma.errors import SatsumaError
from satsuma.tallies.base import (
    Folds,
    State,
    Tally,
    TallyKind,
    domain_from_state,
    domain_state,
    unify,
)
from satsuma.tallies.by_class import ByClass, groups_of

T = TypeVar("T", bound=Tally)


class Composite(Tally):
    """Several tallies of the same rows: added, split and saved as one.

    Parameters
    ----------
    domain
        The columns that were tallied.
    parts
        The tallies.

    Examples
    --------
    >>> from satsuma import Table
    >>> from satsuma.extend import Composite
    >>> from satsuma.tallies.class_counts import ClassCounts
    >>> from satsuma.tallies.moments import Moments
    >>> days = Table.of([("hot", 30, "no"), ("mild", 20, "yes")], ["temp", "heat", "play"])
    >>> both = Composite.of_kinds(ClassCounts, Moments).of(days)
    >>> both[ClassCounts]["temp"].tolist(), both[Moments].mean.tolist()
    ([[1.0, 0.0], [0.0, 1.0]], [[30.0], [20.0]])
    """

    def __init__(self, domain: Domain, parts: Sequence[Tally]) -> None:
        self.domain = domain
        self.parts = tuple(parts)

    @classmethod
    def of_kinds(cls, *kinds: TallyKind) -> "CompositeKind":
        """The kind of tally that has these side by side; it has `zero`, `of` and `by_fold`."""
        return CompositeKind(kinds)

    @classmethod
    def zero(cls, domain: Domain) -> Self:
        """The tally of no rows, by no kinds."""
        return cls(domain, ())

    @classmethod
    def of(cls, batch: Table) -> Self:
        """A tally by no kinds; `of_kinds` says which there are to be."""
        return cls(batch.domain, ())

    @classmethod
    def schema_in(cls, domain: Domain) -> Schema:  # noqa: ARG003 - the parts check theirs
        """The kinds of the parts."""
        return Schema(kinds=Many(Many(Word(), size=2)))

    def __getitem__(self, kind: type[T]) -> T:
        """The first tally of a class."""
        if (part := self.get(kind)) is not None:
            return part
        held = ", ".join(type(part).__name__ for part in self.parts) or "none"
        raise SatsumaError(f"There is no {kind.__name__} among these tallies. There are: {held}.")

    def get(self, kind: type[T]) -> T | None:
        """The first tally of a class, if there is one."""
        return next((part for part in self.parts if isinstance(part, kind)), None)

    def without(self, kind: type[Tally]) -> Self:
        """The others than those of a class."""
        left = [part for part in self.parts if not isinstance(part, kind)]
        return self if len(left) == len(self.parts) else type(self)(self.domain, left)

    def __add__(self, other: Any) -> Self:
        if type(other) is not type(self):
            return NotImplemented
        if not self.parts or not other.parts:  # one of no kinds is the zero of all
            return type(self)(unify(self.domain, other.domain), self.parts or other.parts)
        if list(map(type, self.parts)) != list(map(type, other.parts)):
            raise SatsumaError("Tallies of different kinds cannot be added. Tally both alike.")
        parts = [a + b for a, b in zip(self.parts, other.parts, strict=True)]
        return type(self)(unify(self.domain, other.domain), parts)

    def __sub__(self, other: Any) -> Self:
        if type(other) is not type(self):
            return NotImplemented
        parts = [a - b for a, b in zip(self.parts, other.parts, strict=True)]
        return type(self)(self.domain, parts)

    def scaled(self, factor: float) -> Self:
        """The tally of the same rows, each of which weighs so many times as much."""
        return type(self)(self.domain, [part.scaled(factor) for part in self.parts])

    def state(self) -> State:
        """All there is to it, as arrays and what JSON can hold."""
        out: State = {"domain": domain_state(self.domain), "kinds": []}
        for at, part in enumerate(self.parts):
            out["kinds"].append([type(part).__module__, type(part).__qualname__])
            out |= {f"{at}/{name}": each for name, each in part.state().items()}
        return out

    @classmethod
    def from_state(cls, state: Mapping[str, Any]) -> Self:
        """The tally whose `state` that is."""
        parts: list[Tally] = []
        domain = domain_from_state(state["domain"])
        cls.schema_in(domain).check(state, {}, cls.__name__)
        for at, (module, name) in enumerate(state["kinds"]):
            kind = _known_kind(module, name)
            start = f"{at}/"
            mine = {k.removeprefix(start): v for k, v in state.items() if k.startswith(start)}
            parts.append(kind.from_state(mine))
        return cls(domain, parts)

    def close_to(self, other: Any, rel: float = 1e-9) -> bool:
        """Whether all parts say the same, but for rounding."""
        return len(self.parts) == len(other.parts) and all(
            a.close_to(b, rel) for a, b in zip(self.parts, other.parts, strict=True)
        )

    def __repr__(self) -> str:
        return f"Composite({', '.join(map(repr, self.parts))})"


def _known_kind(module: str, name: str) -> type[Tally]:
    # A saved tally names its kind; it must not make us import anything but our own.
    if module.startswith("satsuma.tallies."):
        kind = getattr(import_module(module), name, None)
        if isinstance(kind, type) and issubclass(kind, Tally):
            return kind
    waiting: list[type[Tally]] = [Tally]
    while waiting:
        kind = waiting.pop()
        if (kind.__module__, kind.__qualname__) == (module, name):
            return kind
        waiting += kind.__subclasses__()
    raise SatsumaError(f"There is no tally {name!r} in {module!r}. Import it first if it is yours.")


class CompositeKind:
    """The tally `Composite` of certain kinds.

    Examples
    --------
    >>> from satsuma.tallies.moments import Moments
    >>> days = Table.of([(30, "no"), (20, "yes")], ["heat", "play"])
    >>> kind = CompositeKind([Moments])
    >>> (kind.of(days) + kind.zero(days.domain)).close_to(kind.of(days))
    True
    >>> kind == CompositeKind([Moments])
    True
    """

    def __init__(self, kinds: Sequence[TallyKind]) -> None:
        self.kinds = tuple(kinds)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, CompositeKind) and self.kinds == other.kinds

    def __hash__(self) -> int:
        return hash(self.kinds)

    def zero(self, domain: Domain) -> Composite:
        """The tally of no rows."""
        return Composite(domain, [kind.zero(domain) for kind in self.kinds])

    def of(self, batch: Table) -> Composite:
        """The tally of a batch of rows."""
        return Composite(batch.domain, [kind.of(batch) for kind in self.kinds])

    def by_fold(self, batch: Table, folds: Folds, k: int) -> list[Composite]:
        """The tallies of the rows of fold 0, 1, … k - 1."""
        groups = groups_of(batch, folds, k)  # the same for all tallies by class
        each = [
            kind.split(batch, groups, k)
            if isinstance(kind, type) and issubclass(kind, ByClass)
            else kind.by_fold(batch, folds, k)
            for kind in self.kinds
        ]
        parts = cast("list[tuple[Tally, ...]]", list(zip(*each, strict=True)) or [()] * k)
        return [Composite(batch.domain, one) for one in parts]
