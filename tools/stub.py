"""``python -m tools.stub`` writes the stub of `satsuma`, for type checkers, from the registry."""

from pathlib import Path

from satsuma.registry import MODULES, NAMES

#: The stub: what type checkers read in place of names that are imported when asked for.
STUB = Path(__file__).parents[1] / "src" / "satsuma" / "__init__.pyi"

_HEAD = "# Written by: python -m tools.stub"


def stub() -> str:
    """The text of the stub: sorted by name, so that a module that moves changes one line."""
    imports = [f"from {module} import {name}" for name, module in sorted(NAMES.items())]
    listed = [f'    "{name}",' for name in sorted([*NAMES, *MODULES, "__version__"])]
    lines = [
        _HEAD,
        f"from satsuma import {', '.join(MODULES)}",
        *imports,
        "",
        "__version__: str",
        "",
    ]
    return "\n".join([*lines, "__all__ = [", *listed, "]", ""])


if __name__ == "__main__":
    STUB.write_text(stub(), "utf-8")
