"""ByColumn: what is known of each column, by name."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Protocol, TypeVar

from satsuma.errors import NoSuchColumn


class _Named(Protocol):
    @property
    def name(self) -> str: ...


T = TypeVar("T", bound=_Named)


class ByColumn(Mapping[str, T]):
    """A mapping of the names of columns to what is known of them, in order.

    Parameters
    ----------
    columns
        What is known of each; each has a `name`.
    """

    def __init__(self, columns: Iterable[T]) -> None:
        self._by_name = {each.name: each for each in columns}

    def __getitem__(self, name: str) -> T:
        if name not in self._by_name:
            raise NoSuchColumn(name, self._by_name)
        return self._by_name[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._by_name)

    def __len__(self) -> int:
        return len(self._by_name)
