"""Tables to measure with: made once, the same every time."""

import os
from pathlib import Path

import numpy as np

FOLDER = Path(__file__).parent.parent / "build" / "bench"
ROWS = 1_000_000
SHARED = Path(os.environ.get("SATSUMA_DATA") or Path(__file__).parents[2] / "shared" / "data")


def shared(name: str) -> Path:
    """A file of the data that is shared; SATSUMA_DATA says where it is, if not beside us."""
    return SHARED / name


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
        columns.append(_holes(rng, np.array([f"{x:.{places}f}" for x in numbers], object)))
    for j in range(10):
        spelled = "level{}" if j % 2 else "v-{:02d}"
        values = np.array([spelled.format(k) for k in range(3 + 3 * j)], object)
        columns.append(_holes(rng, values[rng.integers(0, len(values), rows)]))
    names = [f"x{j}" for j in range(10)] + [f"s{j}" for j in range(10)]
    part = path.with_suffix(".part")
    with part.open("w", encoding="utf-8") as file:
        file.write(",".join(names) + "\n")
        file.writelines(",".join(cells) + "\n" for cells in zip(*columns, strict=True))
    part.rename(path)
    return path


def _holes(rng: np.random.Generator, cells: np.ndarray) -> np.ndarray:
    cells[rng.random(len(cells)) < 0.05] = ""
    return cells
