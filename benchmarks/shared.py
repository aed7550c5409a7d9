"""The tables of the shared data, where they are at hand."""

import os
from collections.abc import Iterator
from pathlib import Path

SHARED = Path(os.environ.get("SATSUMA_DATA") or Path(__file__).parents[2] / "shared" / "data")


def tables() -> Iterator[tuple]:
    """Name and table; columns of text are set aside."""
    import satsuma

    for path in sorted(SHARED.rglob("*")):
        if path.suffix in (".tab", ".csv") and "ugly" not in path.parts:
            table = satsuma.read(path, marks=True if "moot" in path.parts else None)
            text = {v.name: "meta" for v in table.domain if v.kind == "text" and v.role == "x"}
            yield f"{path.parent.name}/{path.stem}", table.with_roles(text)
