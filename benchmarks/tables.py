"""Tables to measure with: those of the shared data, and those made once, always the same."""

import os
from collections.abc import Iterator
from pathlib import Path

import numpy as np

FOLDER = Path(__file__).parent.parent / "build" / "bench"
ROWS = 1_000_000
SHARED = Path(os.environ.get("SATSUMA_DATA") or Path(__file__).parents[2] / "shared" / "data")


def shared(name: str) -> Path:
    """A file of the data that is shared; SATSUMA_DATA says where it is, if not beside us."""
    return SHARED / name


def tables() -> Iterator[tuple]:
    """Name and table of all that is shared; columns of text are set aside."""
    import satsuma

    for path in sorted(SHARED.rglob("*")):
        if path.suffix in (".tab", ".csv") and "ugly" not in path.parts:
            table = satsuma.read(path, marks=True if "moot" in path.parts else None)
            text = {v.name: "meta" for v in table.domain if v.kind == "text" and v.role == "x"}
            yield f"{path.parent.name}/{path.stem}", table.with_roles(text)


def mixed_csv(rows: int = ROWS) -> Path:
    """A CSV of 10 numeric and 10 symbolic columns, a twentieth of the cells missing.

    At a million rows it has about 147 MB.
    """
    path = FOLDER / f"mixed-{rows}.csv"
    if path.exists():
        return path
    FOLDER.mkdir(parents=True, exist_ok=True)
    rng = np.random.default_rng(1)
    columns: list[np.ndarray] = []
    for j in range(10):
        numbers = rng.normal(rng.uniform(-50, 50), 30, rows)
        places = 5 if j < 7 else 4
        columns.append(_with_missing(rng, np.array([f"{x:.{places}f}" for x in numbers], object)))
    for j in range(10):
        spelled = "level{}" if j % 2 else "v-{:02d}"
        values = np.array([spelled.format(k) for k in range(3 + 3 * j)], object)
        columns.append(_with_missing(rng, values[rng.integers(0, len(values), rows)]))
    names = [f"x{j}" for j in range(10)] + [f"s{j}" for j in range(10)]
    part = path.with_suffix(".part")
    with part.open("w", encoding="utf-8") as file:
        file.write(",".join(names) + "\n")
        file.writelines(",".join(cells) + "\n" for cells in zip(*columns, strict=True))
    part.rename(path)
    return path


def _with_missing(rng: np.random.Generator, cells: np.ndarray) -> np.ndarray:
    cells[rng.random(len(cells)) < 0.05] = ""
    return cells
