"""TfIdf: texts as a sparse matrix of words and bigrams, the telling ones weighing most."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import count, pairwise
from math import log
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


class TfIdf:
    """Which words there are, and how telling each is (tf-idf).

    A cell counts as 1 + log(times) for each word, times the logarithm of how rare that word is
    among rows; every row then has length 1. The length has words that are not known, too, as if
    each was in one row: of two rows that share a word, the longer is less about it. A missing cell
    has no words.

    Parameters
    ----------
    words
        The words, and the pairs of neighbouring words.
    rarity
        1 + log((1 + rows) / (1 + rows with the word)), of each; 0 for those in nearly all rows.
    unknown
        The rarity of all other words.

    Examples
    --------
    >>> rows = [("a red fox",), ("the red car",), (None,)]
    >>> table = Table.of(rows, ["told"], target=None, kinds={"told": "text"})
    >>> words, matrix = learn_tf_idf(table, least=1)
    >>> words.words
    ['car', 'fox', 'red', 'red car', 'red fox', 'the', 'the red']
    >>> matrix.toarray().round(2)[0].tolist()
    [0.0, 0.62, 0.47, 0.0, 0.62, 0.0, 0.0]
    >>> words, matrix = learn_tf_idf(table, least=2)
    >>> words.words, matrix.toarray().round(2).tolist()
    (['red'], [[0.47], [0.36], [0.0]])
    """

    def __init__(
        self, words: list[str], rarity: Floats, unknown: float, *, pairs: bool = True
    ) -> None:
        self.words, self.rarity, self.unknown, self.pairs = words, rarity, unknown, pairs
        self._at = {word: at for at, word in enumerate(words)}

    def matrix(self, batch: Table) -> Any:
        """Rows by words, sparse."""
        cells = text_cells(batch)
        for kept in list(_seen.values()):
            if kept[0].words is self.words and kept[2] == cells:
                return kept[1]
        counts, _, others = _counted(cells, self.pairs, self._at)
        return _weighed(counts, self.rarity, others * self.unknown**2)


#: Words and matrix by what they were made of, and when they were last asked for.
_seen: dict[Any, tuple[TfIdf, Any, Cells]] = {}
_asked: dict[Any, int] = {}
_clock, _lock = count(), Lock()


def learn_tf_idf(
    table: Table, *, pairs: bool = True, least: float = 2, most: float = 0.9
) -> tuple[TfIdf, Any]:
    """The words of a table, and its rows by words.

    Parameters
    ----------
    table
        Rows that all weigh something; whether they have a label makes no difference.
    pairs
        Whether pairs of neighbouring words count as well.
    least
        In how many rows a word must be to be known.
    most
        In what share of the rows it may be to weigh anything. If no word is in so many and so few,
        all are known and weigh something.
    """
    cells, weights = text_cells(table), table.weights
    key = (pairs, least, most, len(cells), None if weights is None else weights.tobytes())
    kept, now = _seen.get(key), next(_clock)
    if kept is not None and kept[2] == cells:  # the strings are the same objects: quickly seen
        _asked[key] = now
        return kept[0], kept[1]
    counts, columns, _ = _counted(cells, pairs)
    found = list(columns)
    heavy = np.ones(len(cells)) if weights is None else weights
    held = (counts > 0).astype(np.float64).T @ heavy
    known, telling = held >= least, held <= most * heavy.sum()
    if not (known & telling).any():
        known, telling = np.ones(len(found), np.bool_), np.ones(len(found), np.bool_)
    order = sorted(np.flatnonzero(known).tolist(), key=found.__getitem__)
    rarity = np.where(telling, 1 + np.log((1 + heavy.sum()) / (1 + held)), 0.0)[order]
    unknown = 1 + float(np.log((1 + heavy.sum()) / 2))
    words = TfIdf([found[at] for at in order], rarity, unknown, pairs=pairs)
    others = _damped(counts[:, np.flatnonzero(~known)])
    matrix = _weighed(counts[:, order], rarity, others.power(2).sum(axis=1).A1 * unknown**2)
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


def text_cells(table: Table) -> Cells:
    """The texts of each row, column by column."""
    texts = [v.name for v in table.domain.attributes if v.kind == "text"]
    columns = [table.column(name).tolist() for name in texts]
    return list(zip(*columns, strict=True)) if columns else [()] * len(table)


def tokens(cells: Iterable[str | None], *, pairs: bool = True) -> Sequence[str]:
    """The words of a row in order, cell by cell, and the pairs of neighbours.

    Examples
    --------
    >>> tokens(["A red fox!", None, "red"])
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
) -> tuple[Any, dict[str, int], Floats]:
    """Rows by words: how often; the column of each word, in order; squares of all other words."""
    from scipy import sparse

    at: dict[str, int] = {} if known is None else known
    columns, data, ends, others = list[int](), list[int](), [0], np.zeros(len(cells))
    for number, row in enumerate(cells):
        for word, times in Counter(tokens(row, pairs=pairs)).items():
            place = at.get(word) if known is not None else at.setdefault(word, len(at))
            if place is None:
                others[number] += (1 + log(times)) ** 2
            else:
                columns.append(place)
                data.append(times)
        ends.append(len(columns))
    made = (np.array(data, np.float64), np.array(columns, np.int32), np.array(ends, np.int64))
    return sparse.csr_matrix(made, (len(cells), len(at))), at, others


def _damped(counts: Any) -> Any:
    """1 + log(times) in place of times."""
    made = counts.copy()
    made.data = 1 + np.log(made.data)
    return made


def _weighed(counts: Any, rarity: Floats, others: Floats) -> Any:
    """Rows by words, of length 1; others are the squares that words without a column add to it."""
    from scipy import sparse

    made = _damped(counts)
    made.sort_indices()
    made.data *= rarity[made.indices]
    length = np.sqrt(made.multiply(made).sum(axis=1).A1 + others)
    return (sparse.diags(1 / np.where(length > 0, length, 1.0)) @ made).tocsr()
