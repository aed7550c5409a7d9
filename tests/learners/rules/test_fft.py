"""FFT beside a brute force over all lists of questions, and beside FFTrees."""

from itertools import chain, combinations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from satsuma import FFT, Table, load

CELL = st.one_of(st.none(), st.integers(0, 3))
ROWS = st.lists(
    st.tuples(CELL, st.sampled_from(["p", "q", "r", None]), st.sampled_from("ab")),
    min_size=3,
    max_size=14,
)


def sides(rows, missing):
    """Every condition on a column of a table of a number and a symbol, as a function of a row.

    Where a missing value tells something, it is a value more, or goes with one side of a cut.
    """
    numbers = sorted({row[0] for row in rows if row[0] is not None})
    lost = [missing == "informative" and any(row[at] is None for row in rows) for at in (0, 1)]
    for low in [*numbers[:-1], *(numbers[-1:] if lost[0] else [])]:
        for admits in {False, lost[0]}:
            yield lambda row, low=low, admits=admits: admits if row[0] is None else row[0] <= low
            yield lambda row, low=low, admits=admits: admits if row[0] is None else row[0] > low
    values = [*sorted({row[1] for row in rows if row[1] is not None}), *([None] if lost[1] else [])]
    for chosen in chain.from_iterable(combinations(values, n) for n in range(1, len(values) + 1)):
        yield lambda row, chosen=chosen: row[1] in chosen


def youden(condition, rows, value):
    """The share of a class that meets a condition, less that of the others."""
    mine = [condition(row) for row in rows if row[-1] == value]
    others = [condition(row) for row in rows if row[-1] != value]
    return np.mean(mine) - np.mean(others)


@pytest.mark.parametrize("missing", ["ignore", "informative"])
@given(ROWS)
@settings(max_examples=60)
def test_a_question_is_the_best_of_all(missing, rows):
    if len({row[-1] for row in rows}) < 2:
        return
    table = Table.of(rows, ["x", "s", "y"], kinds={"x": "num", "s": "sym", "y": "sym"})
    model = FFT(questions=1, balanced=True, missing=missing)(table)
    best = max(
        (youden(condition, rows, value) for condition in sides(rows, missing) for value in "ab"),
        default=0.0,
    )
    weights = model.counts * model.factors
    found = weights.max(axis=1).sum() / weights.sum()
    np.testing.assert_allclose(found, (1 + max(best, 0.0)) / 2)


@pytest.mark.parametrize("balanced", [False, True])
def test_the_exits_are_the_best_of_all(balanced):
    table = load("voting")
    model = FFT(questions=3, balanced=balanced)(table)
    names = [v.name for v in table.domain.attributes]
    codes = [table.column(name) for name in names]
    truth = table.column("party")
    per_class = np.bincount(truth) if balanced else np.ones(2)
    best = 0.0
    for exits in product((0, 1), repeat=3):
        left, right = np.ones(len(truth), bool), 0.0
        for value in exits:
            tried = [(c, v) for c in range(len(names)) for v in range(2)]
            gain = [
                np.mean((codes[c] == v)[left & (truth == value)])
                - np.mean((codes[c] == v)[left & (truth != value)])
                for c, v in tried
            ]
            c, v = tried[int(np.argmax(np.array(gain) > max(gain) - 1e-9))]
            met = left & (codes[c] == v)
            right += max(np.bincount(truth[met], minlength=2) / per_class)
            left &= ~met
        best = max(best, right + max(np.bincount(truth[left], minlength=2) / per_class))
    weights = model.counts / per_class
    np.testing.assert_allclose(weights.max(axis=1).sum(), best)


#: The balanced accuracy of single columns of the heart disease data, from the vignette
#: "FFTrees_algorithm" of the R package FFTrees (Phillips, Neth, Woike and Gaissmaier).
CUES = {
    "gender": 0.6295841,
    "chest pain": 0.7587954,
    "fasting blood sugar > 120": 0.5090147,
    "rest ECG": 0.5881953,
    "exerc ind ang": 0.7032593,
    "slope peak exc ST": 0.6936743,
}


@pytest.mark.parametrize("name", CUES)
def test_single_columns_are_as_good_as_in_fftrees(name):
    heart = load("heart_disease")
    model = FFT(questions=1, balanced=True)(heart.select([name, "diameter narrowing"]))
    weights = model.counts * model.factors
    assert weights.max(axis=1).sum() / weights.sum() == pytest.approx(CUES[name], abs=5e-8)


def test_the_list_for_heart_disease_is_at_least_as_good_as_that_of_fftrees():
    heart = load("heart_disease")
    model = FFT(balanced=True)(heart)
    asked = [rule.conditions[0].split(" in ")[0].split(" ≤ ")[0] for rule in model.rules()[:3]]
    assert asked == ["thal", "chest pain", "major vessels colored"]
    # If thal is a defect: diseased; else if chest pain is not asymptomatic: healthy; else if a
    # vessel is colored: diseased; else healthy (FFTrees on all 303 rows).
    thal, pain, vessels, truth = (
        heart[name]
        for name in ("thal", "chest pain", "major vessels colored", "diameter narrowing")
    )
    defect = np.isin(thal.astype(str), ["reversable defect", "fixed defect"])
    told = defect | ((pain == "asymptomatic") & (vessels.astype(float) > 0))
    theirs = np.mean([told[truth == "1"].mean(), 1 - told[truth == "0"].mean()])
    weights = model.counts * model.factors
    assert weights.max(axis=1).sum() / weights.sum() >= theirs


def test_more_than_two_classes_are_parted_one_by_one():
    lines = str(FFT(load("zoo"))).splitlines()[1:4]
    assert [line.split(": ")[1].split()[0] for line in lines] == ["mammal", "bird", "fish"]
