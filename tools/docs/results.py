"""Figures as they were last measured, for the pages of the site.

``<!-- figures: FILE -->`` in a page stands for the table of that file, ours and the peers' side
by side, and ``<!-- losses: FILE -->`` for what speaks against us in it.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby, product
from pathlib import Path

_MARK = re.compile(r"<!-- (figures|losses|machine): (\S+) -->")
_NUMBER = re.compile(r"[+-]?\d[\d,]*\.?\d*(?:e-?\d+)?")
#: Figures of which more is better; of times and sizes, less is.
_MORE = ("%", "AUC", "best of", "right on")


@dataclass(frozen=True)
class Figure:
    """A line of a table of results."""

    workload: str
    who: str
    figure: str
    ratio: str
    asked: str

    @property
    def ours(self) -> bool:
        """Whether it is a figure of Satsuma's."""
        return "satsuma" in self.who or self.who.startswith("number=")

    @property
    def numbers(self) -> list[float]:
        """The numbers in the figure: one, or one for each of several budgets."""
        plain = self.figure.split(" ± ")[0].replace(",", "")
        return [float(each) for each in _NUMBER.findall(plain)]


def read(path: Path) -> list[Figure]:
    """The lines of the table in a file of results."""
    rows = [line for line in path.read_text("utf-8").splitlines() if line.startswith("| ")]
    cells = [[cell.strip() for cell in row.strip()[1:-1].split("|")] for row in rows[1:]]
    return [Figure(*row) for row in cells]


def expanded(markdown: str, root: Path) -> str:
    """A page with its marks replaced."""

    def told(mark: re.Match[str]) -> str:
        path = root / mark[2]
        if mark[1] == "machine":
            return "\n".join(x for x in path.read_text("utf-8").splitlines() if x.startswith("- "))
        figures = read(path)
        return "\n".join(_table(figures) if mark[1] == "figures" else _losses(figures))

    return _MARK.sub(told, markdown)


def _table(figures: list[Figure]) -> Iterator[str]:
    yield "| workload | who | figure | ratio | asked for |"
    yield "|---|---|---|---|---|"
    before = ""
    for each in figures:
        name = each.workload if each.workload != before else ""
        before = each.workload
        who = f"**{each.who}**" if each.ours else each.who
        yield f"| {name} | {who} | {each.figure} | {each.ratio} | {each.asked} |"


def _losses(figures: list[Figure]) -> Iterator[str]:
    found = [*_missed(figures), *_beaten(figures)]
    yield from (f"- {each}" for each in found or ["None in this table."])


def _missed(figures: list[Figure]) -> Iterator[str]:
    """Where less was reached than was asked for."""
    for each in figures:
        asked = re.fullmatch(r"at least (-?[\d.]+)", each.asked)
        reached = each.ratio or each.figure
        if asked and "/" not in reached and float(_NUMBER.findall(reached)[0]) < float(asked[1]):
            yield f"{each.workload}, {each.who}: {reached}, where {each.asked} was asked for."
        if "could not" in each.asked:
            yield f"{each.workload}: {each.figure}, {each.who}; it {each.asked}."


def _beaten(figures: list[Figure]) -> Iterator[str]:
    """Where a peer, or doing nothing of the kind, has the better figure."""
    for workload, lines in groupby(figures, key=lambda each: each.workload):
        group = list(lines)
        for mine, peer in product(group, group):
            if mine.ours and not peer.ours and _better(peer, mine):
                yield f"{workload}: {peer.who} {peer.figure}, {mine.who} {mine.figure}."


def _better(peer: Figure, mine: Figure) -> bool:
    unit = mine.figure.lstrip("0123456789.,/ ")
    if peer.figure.lstrip("0123456789.,/ ") != unit:
        return False  # not the same thing
    more = any(word in f"{peer.workload} {unit}" for word in _MORE)
    pairs = zip(peer.numbers, mine.numbers, strict=True)
    return any(theirs > ours if more else theirs < ours for theirs, ours in pairs)
