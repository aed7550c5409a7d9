"""The tables that tests read: those of the project, and those of the folder SATSUMA_DATA names."""

import csv
import gzip
import io
import os
from functools import partial
from importlib.resources import files
from pathlib import Path

import pytest

import satsuma

#: Larger tables, which a clone does not have.
SHARED = Path(os.environ.get("SATSUMA_DATA") or Path(__file__).parents[2] / "shared" / "data")

#: Tables and figures of the project; README.md says where they come from.
GOLDEN = Path(__file__).parent / "golden"


def shipped(name):
    """The bytes of a table that comes with Satsuma."""
    return gzip.decompress(files("satsuma.data").joinpath("sets", f"{name}.tab.gz").read_bytes())


def iris_of_r():
    """Fisher's iris as R writes it."""
    names, _, _, *rows = shipped("iris").splitlines(keepends=True)
    return b"".join([names, *rows]).replace(b"\t", b",").replace(b".0,", b",")


def cars_with_goals():
    """Cars with three goals, marked in the header; miles per gallon are told in tens."""
    _, _, _, *rows = csv.reader(io.StringIO(shipped("auto-mpg").decode()), delimiter="\t")
    lines = ["Clndrs,Volume,HpX,Model,origin,Lbs-,Acc+,Mpg+"]
    for mpg, cylinders, volume, power, weight, acceleration, year, origin, _ in rows:
        some = "6" if cylinders == "5" else cylinders
        tens = str(10 * int(float(mpg) / 10 + 0.5))
        lines.append(
            ",".join([some, volume, power or "?", year, origin, weight, acceleration, tens])
        )
    return ("\n".join(lines) + "\n").encode()


_SAME = "adult_sample", "auto-mpg", "heart_disease", "housing", "lenses", "titanic", "voting", "zoo"

#: Tables that are made from those that come with Satsuma.
MADE = {
    **{f"orange/{name}.tab": partial(shipped, name) for name in _SAME},
    "orange/iris.tab": partial(shipped, "iris-uci"),
    "r/iris.csv": iris_of_r,
    "moot/optimize/auto93.csv": cars_with_goals,
}


def within(folder):
    """The tables below a folder, by their paths."""
    return [
        path.relative_to(folder).as_posix()
        for path in folder.rglob("*")
        if path.suffix in (".tab", ".csv")
    ]


#: The project's own tables, and all that are at hand.
OWN = sorted({*MADE, *within(GOLDEN)})
FILES = sorted({*OWN, *within(SHARED)})


def at_hand(name):
    """Whether there is a table, or a folder, of a name."""
    return name in MADE or (GOLDEN / name).exists() or (SHARED / name).exists()


def needing(name, *more):
    """A parameter for tests that needs a larger table."""
    return pytest.param(name, *more, marks=pytest.mark.needs(name))


#: Tables whose target is a number.
OF_NUMBERS = (
    "orange/housing.tab",
    "orange/auto-mpg.tab",
    needing("moot/regression/servo.csv"),
    needing("moot/regression/fishcatch.csv"),
)


def find(name, folder):
    """The path of a table, or of a folder of them, if there is one; `folder` is for those made."""
    path = folder / name
    if name in MADE:
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(MADE[name]())
        return path
    return next((place / name for place in (GOLDEN, SHARED) if (place / name).exists()), None)


def read_shared(path):
    """A table of the shared data; those of moot have marks in their names."""
    import satsuma

    return satsuma.read(path, marks=True if "moot" in path.parts else None)


def without_text(path):
    """A table; columns of text, which have no distance, are set aside."""
    table = read_shared(path)
    text = {v.name: "meta" for v in table.domain if v.kind == "text" and v.role == "x"}
    return table.with_roles(text)


def read_delimited(source, *, layout="csv", **options):
    """Delimited text of any name, read as CSV or as Orange's .tab."""
    return satsuma.read(source, format=layout, **options)
