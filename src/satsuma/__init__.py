"""Satsuma: models you can read, trust and act on, from tables with holes and few labels."""

from typing import TYPE_CHECKING

from satsuma.data.domain import Domain
from satsuma.data.read import read
from satsuma.data.row import Row
from satsuma.data.shipped import load
from satsuma.data.table import Table
from satsuma.data.variable import Variable
from satsuma.data.write import write
from satsuma.errors import SatsumaError

if TYPE_CHECKING:
    __version__: str


def __getattr__(name: str) -> str:
    # The version is looked up when it is asked for: that takes longer than all of the above.
    if name == "__version__":
        from importlib.metadata import PackageNotFoundError, version

        try:
            return version("satsuma")
        except PackageNotFoundError:
            return "not installed"
    raise AttributeError(f"module 'satsuma' has no attribute {name!r}")


__all__ = [
    "Domain",
    "Row",
    "SatsumaError",
    "Table",
    "Variable",
    "__version__",
    "load",
    "read",
    "write",
]
