"""Words: texts as a sparse matrix of words and pairs of words, the telling ones weighing most."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import count, pairwise
from threading import Lock
from typing import Any

import numpy as np

from satsuma.data.table import Table
from satsuma.numerics.arrays import Floats

#: A word has two letters or digits at the least.
_WORD = re.compile(r"\w\w+")

#: Tables whose words stay at hand: learning again after one more label reads nothing again.
_KEPT = 3

#: After so many others, a table that nobody asked for again is let go.
_LONG = 100

Cells = list[tuple[str | None, ...]]


class Words:
    """Which words there are, and how telling each is (tf-idf).

    A cell counts as 1 + log(times) for each word, times the logarithm of how rare that word is
    among rows; every row then has length 1, or 0 where no word of it is known. A missing cell
    has no words.

    Parameters
    ----------
    words
        The words, and the pairs of neighbouring words.
    rarity
        1 + log((1 + rows) / (1 + rows with the word)), of each.

    Examples
    --------
    >>> rows = [("a red fox",), ("the red car",), (None,)]
    >>> table = Table.of(rows, ["told"], target=None, kinds={"told": "text"})
    >>> words, matrix = learned_words(table, least=1)
    >>> words.words
    ['car', 'fox', 'red', 'red car', 'red fox', 'the', 'the red']
    >>> matrix.toarray().round(2)[0].tolist()
    [0.0, 0.62, 0.47, 0.0, 0.62, 0.0, 0.0]
    """

    def __init__(self, words: list[str], rarity: Floats, *, pairs: bool = True) -> None:
        self.words, self.rarity, self.pairs = words, rarity, pairs
        self._at = {word: at for at, word in enumerate(words)}

    def matrix(self, batch: Table) -> Any:
        """Rows by words, sparse."""
        cells = _cells(batch)
        for kept in list(_seen.values()):
            if kept[0].words is self.words and kept[2] == cells:
                return kept[1]
        counts, _ = _counted(cells, self.pairs, self._at)
        return _weighed(counts, self.rarity)


#: Words and matrix by what they were made of, and when they were last asked for.
_seen: dict[Any, tuple[Words, Any, Cells]] = {}
_asked: dict[Any, int] = {}
_clock, _lock = count(), Lock()


def learned_words(
    table: Table, *, pairs: bool = True, least: float = 2, most: float = 0.9
) -> tuple[Words, Any]:
    """The words of a table, and its rows by words.

    Parameters
    ----------
    table
        Rows that all weigh something; whether they have a label makes no difference.
    pairs
        Whether pairs of neighbouring words count as well.
    least
        In how many rows a word must be.
    most
        In what share of the rows it may be. If no word is in so many and so few, all are kept.
    """
    cells, weights = _cells(table), table.weights
    key = (pairs, least, most, len(cells), None if weights is None else weights.tobytes())
    kept, now = _seen.get(key), next(_clock)
    if kept is not None and kept[2] == cells:  # the strings are the same objects: quickly seen
        _asked[key] = now
        return kept[0], kept[1]
    counts, columns = _counted(cells, pairs)
    found = list(columns)
    heavy = np.ones(len(cells)) if weights is None else weights
    held = (counts > 0).astype(np.float64).T @ heavy
    some = np.flatnonzero((held >= least) & (held <= most * heavy.sum()))
    some = some if len(some) else np.arange(len(found))
    order = sorted(some.tolist(), key=found.__getitem__)
    rarity = 1 + np.log((1 + heavy.sum()) / (1 + held[order]))
    words = Words([found[at] for at in order], rarity, pairs=pairs)
    matrix = _weighed(counts[:, order], rarity)
    with _lock:
        _seen[key], _asked[key] = (words, matrix, cells), now
        while len(_seen) > _KEPT:
            _let_one_go(key, now)
    return words, matrix


def _let_one_go(latest: Any, now: int) -> None:
    """The table that was not asked for in long, or the smallest: it is read again soonest."""
    others = [each for each in _seen if each != latest]
    gone = min(others, key=lambda each: (now - _asked[each] < _LONG, each[3]))
    del _seen[gone], _asked[gone]


def _cells(table: Table) -> Cells:
    columns = [table.column(v.name).tolist() for v in table.domain.attributes]
    return list(zip(*columns, strict=True)) if columns else [()] * len(table)


def spoken(cells: Iterable[str | None], *, pairs: bool = True) -> Sequence[str]:
    """The words of a row in order, cell by cell, and the pairs of neighbours.

    Examples
    --------
    >>> spoken(["A red fox!", None, "red"])
    ['red', 'fox', 'red fox', 'red']
    """
    found: list[str] = []
    for cell in cells:
        words = _WORD.findall((cell or "").lower())
        found += words
        if pairs:
            found += [f"{a} {b}" for a, b in pairwise(words)]
    return found


def _counted(
    cells: Cells, pairs: bool, known: dict[str, int] | None = None
) -> tuple[Any, dict[str, int]]:
    """Rows by words: how often, and the column of each word, in order."""
    from scipy import sparse

    at: dict[str, int] = {} if known is None else known
    columns, data, ends = list[int](), list[int](), [0]
    for row in cells:
        for word, times in Counter(spoken(row, pairs=pairs)).items():
            place = at.get(word) if known is not None else at.setdefault(word, len(at))
            if place is not None:
                columns.append(place)
                data.append(times)
        ends.append(len(columns))
    made = (np.array(data, np.float64), np.array(columns, np.int32), np.array(ends, np.int64))
    return sparse.csr_matrix(made, (len(cells), len(at))), at


def _weighed(counts: Any, rarity: Floats) -> Any:
    from scipy import sparse

    made = counts.copy()
    made.sort_indices()
    made.data = (1 + np.log(made.data)) * rarity[made.indices]
    length = np.sqrt(made.multiply(made).sum(axis=1)).A1
    return (sparse.diags(1 / np.where(length > 0, length, 1.0)) @ made).tocsr()
