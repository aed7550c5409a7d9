"""What comes of reading a file of others, in one word."""

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import Literal

import satsuma
from tests.suites.grids import difference
from tests.suites.remedies import attempts

#: same: at once as the oracle has it; by options: so by options that a refusal names; but for
#: rows: the same, other than rows which are in ``table.aside``; refused: with a sentence, and no
#: remedy in it helps; rightly refused: it is no table; alone: read, where there is no oracle;
#: different: read at once, and not as the oracle has it; crash: an exception that is no
#: SatsumaError, or one without a sentence.
Word = Literal[
    "same",
    "by options",
    "but for rows",
    "refused",
    "rightly refused",
    "alone",
    "different",
    "crash",
]


@dataclass
class Outcomes:
    """The outcomes of a collection."""

    words: dict[str, Word] = field(default_factory=dict)
    why: dict[str, str] = field(default_factory=dict)

    def add(self, name, word, why=""):
        """Note what came of a file."""
        self.words[name], self.why[name] = word, why

    @property
    def counts(self):
        """How many files have each outcome."""
        return Counter(self.words.values())

    def named(self, word):
        """The files of an outcome."""
        return sorted(name for name, found in self.words.items() if found == word)

    def told(self, word):
        """The files of an outcome, and why, line by line."""
        return "\n".join(f"{name}: {self.why[name]}" for name in self.named(word))


def outcome(path, compare, known=None, **options):
    """What comes of one file.

    Parameters
    ----------
    path
        Where it is.
    compare
        Says in what a table differs from the oracle: a sentence, or None if in nothing. It is
        None where there is no oracle.
    known
        What the user knows of the file, for options that a refusal names without a value.
    """
    refusal, nearest, but_for_rows = "", "", False
    try:
        for tried, found in attempts(path, known, **options):
            if isinstance(found, satsuma.SatsumaError):
                refusal = refusal or str(found)
                if not str(found).strip():
                    return "crash", "an error without a sentence"
                continue
            if compare is None:
                return ("refused", refusal) if refusal else ("alone", "")
            wrong = compare(found)
            if not refusal:
                return ("same", "") if wrong is None else ("different", wrong)
            if wrong is None and not found.aside:
                return "by options", str(tried)
            but_for_rows |= wrong is None and len(found.aside) < max(2, len(found))
            nearest = nearest or f" With {tried}: {wrong}"
    except Exception as error:  # noqa: BLE001 - whatever it is, it is a crash
        return "crash", f"{type(error).__name__}: {error}"
    return ("but for rows" if but_for_rows else "refused"), refusal + nearest


def check(found, known, floors):
    """Assert that there is no crash, that what differs is known, and that floors are kept.

    Parameters
    ----------
    found
        The outcomes of a collection.
    known
        The files that are known to be read differently, in lists by cause.
    floors
        The least share of files with each outcome, or with one of several: (words, share).
    """
    listed = defaultdict(list)
    for cause, names in known.items():
        for name in names:
            listed[name].append(cause)
    assert not found.named("crash"), found.told("crash")
    new = [name for name in found.named("different") if name not in listed]
    assert not new, "\n".join(f"{name}: {found.why[name]}" for name in new)
    mended = [name for name in listed if found.words.get(name) != "different"]
    assert not mended, f"take these off the list, they are read right or refused: {mended}"
    for words, share in floors.items():
        count = sum(found.counts[word] for word in words)
        assert count >= share * len(found.words), (words, count, len(found.words), found.counts)


def compare_grid(names, grid):
    """A comparison with a grid of texts.

    A name that is None may be any; names that the reader had to make up are in its notes.
    """

    def compare(table):
        wrong = difference(table, grid)
        if wrong is not None or names is None:
            return wrong
        if len(table.domain) != len(names):
            return f"{len(table.domain)} columns for {len(names)}"
        ours = [
            other if other is None else own
            for own, other in zip(table.domain.names, names, strict=True)
        ]
        said = any("name" in note or "called" in note for note in table.notes)
        return None if ours == [*names] or said else f"the names {ours[:5]} for {names[:5]}"

    return compare
