import numpy as np
import pytest

import satsuma
from satsuma import Table
from satsuma.measures import Distance, relief


def mixed(seed, n=60, holes=0.15):
    rng = np.random.default_rng(seed)
    label = rng.integers(0, 3, n)
    rows = []
    for c in label:
        cells = [
            float(rng.normal(c)),
            float(rng.integers(0, 4)),
            "abc"[c] if rng.random() < 0.6 else str(rng.choice(list("abc"))),
            str(rng.choice(list("pq"))),
        ]
        rows.append([None if rng.random() < holes else cell for cell in cells] + ["xyz"[c]])
    return Table.of(rows, ["told", "noise", "symbol", "coin", "class"])


def expected_difference(table, name, i, j):
    """What lies between two cells, or is to be expected to, given the classes of their rows."""
    cells, classes, missing = table[name], table["class"], table.missing(name)
    number = table.domain[name].kind == "num"
    span = np.ptp(cells[~missing]) + 1e-7 if number else 1

    def difference(a, b):
        return abs(a - b) / span if number else float(a != b)

    def held(row):
        same = ~missing & (classes == classes[row])
        return cells[same] if missing[row] else [cells[row]]

    return np.mean([difference(a, b) for a in held(i) for b in held(j)])


def by_hand(table, k):
    """ReliefF, row by row and pair by pair."""
    classes, n = table["class"], len(table)
    shares = {c: float(np.mean(classes == c)) for c in set(classes)}
    distance = Distance.of(table)
    away = np.array([distance.between(row, table) for row in table])
    score = dict.fromkeys((v.name for v in table.domain.attributes), 0.0)
    for i in range(n):
        order = [j for j in np.argsort(away[i], kind="stable") if j != i]
        for c, share in shares.items():
            near = [j for j in order if classes[j] == c][:k]
            factor = -1.0 if c == classes[i] else share / (1 - shares[classes[i]])
            for j in near:
                for name in score:
                    gap = expected_difference(table, name, i, j)
                    score[name] += factor * gap / (len(near) * n)
    return score


@pytest.mark.parametrize(("seed", "holes"), [(0, 0.0), (1, 0.15), (2, 0.4)])
def test_relief_by_its_definition(seed, holes):
    table = mixed(seed, holes=holes)
    found = relief(table, k=4)
    assert found == pytest.approx(by_hand(table, 4), abs=1e-9)


def test_columns_that_tell_only_together_are_found():
    rng = np.random.default_rng(0)
    a, b, c = rng.integers(0, 2, (3, 300))
    rows = [(str(x), str(y), str(z), str(x ^ y)) for x, y, z in zip(a, b, c, strict=True)]
    found = relief(Table.of(rows, ["a", "b", "noise", "class"]))
    assert found["a"] > 0.1 > found["noise"] + 0.05
    assert found["b"] > 0.1
    scores = satsuma.score_attributes(Table.of(rows, ["a", "b", "noise", "class"]))
    assert scores["a"] < 0.01


def test_a_sample_says_about_the_same_and_is_repeatable():
    table = satsuma.load("iris")
    whole, some = relief(table), relief(table, rows=60)
    assert some == relief(table, rows=60)
    assert some != relief(table, rows=60, seed=1)
    assert some == pytest.approx(whole, abs=0.05)


def test_one_class_and_no_rows_score_nothing():
    one = satsuma.load("iris")[:50]
    assert all(score <= 0 for score in relief(one).values())
    assert set(relief(one[:0]).values()) == {0.0}
