"""Satsuma: models to read, trust and act on, from tables with missing values and few labels."""

from importlib import import_module
from typing import Any

from satsuma.registry import MODULES, NAMES, TABLES


def __getattr__(name: str) -> Any:
    # All but tables is imported when it is asked for, so that reading does not wait for it.
    if name in NAMES:
        found = globals()[name] = getattr(import_module(NAMES[name]), name)
        return found
    if name in MODULES:
        return import_module(f"satsuma.{name}")
    # The version is looked up when it is asked for: that takes longer than all of the above.
    if name == "__version__":
        from importlib.metadata import PackageNotFoundError, version

        try:
            return version("satsuma")
        except PackageNotFoundError:
            return "not installed"
    raise AttributeError(f"module 'satsuma' has no attribute {name!r}{_meant(name)}")


def _meant(name: str) -> str:
    if name.startswith("_"):
        return ""
    from satsuma.errors import hint

    hinted = hint(name, __all__)
    return f". {hinted}" if hinted.startswith("Did you mean") else ""


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


for _name in TABLES:
    __getattr__(_name)

#: Listed in the registry; what type checkers read is `__init__.pyi`, which is made of it.
__all__ = sorted([*NAMES, *MODULES, "__version__"])  # pyright: ignore[reportUnsupportedDunderAll] # noqa: PLE0605
