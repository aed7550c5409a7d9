"""Figures of a peer's that are to be ours."""

import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import satsuma

#: Tables that peers read, and the two classes of iris that a line cannot part.
TABLES = {name: satsuma.load(name) for name in ("iris", "tennis", "housing", "voting")}
TABLES["two"] = satsuma.read(TABLES["iris"][50:].to_pandas(), target="Species")


@dataclass(frozen=True)
class Same:
    """What a peer says and what we say, which is to be the same within a tolerance.

    Words are to be the same to the letter.
    """

    what: str
    theirs: object
    ours: object
    within: float = 0.0

    @property
    def holds(self) -> bool:
        """Whether it is."""
        if isinstance(self.ours, str):
            return self.theirs == self.ours
        theirs, ours = np.asarray(self.theirs, float), np.asarray(self.ours, float)
        return theirs.shape == ours.shape and bool((abs(theirs - ours) <= self.within).all())

    def __str__(self) -> str:
        """Ours and theirs, where they differ."""
        if self.holds:
            return f"the same: {self.what}"
        return (
            f"NOT THE SAME: {self.what}: {str(self.theirs)[:300]}, and ours: {str(self.ours)[:300]}"
        )


def write_tables(folder: Path) -> None:
    """All of them as ARFF."""
    for name, table in TABLES.items():
        table.write(folder / f"{name}.arff")


def numbers(text: str) -> list[float]:
    """Those in a text, in order."""
    return [float(each) for each in re.findall(r"-?\d+\.?\d*(?:[eE][-+]?\d+)?", text)]
