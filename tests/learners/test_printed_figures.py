"""What the figures of a printed model are, and from where on a class is predicted, is said."""

import re

import numpy as np
import pytest

import satsuma
from satsuma import Categorical, MEstimate, NaiveBayes, RelativeFrequency, Table


@pytest.fixture(scope="module")
def heart():
    return satsuma.load("heart_disease").select(["age", "gender", "diameter narrowing"])


@pytest.fixture(scope="module")
def adult():
    return satsuma.load("adult_sample")


def blocks(text):
    """The figures below each marked name of a printed model, by what they are said to be."""
    found, mark = {}, None
    for line in text.splitlines():
        if head := re.fullmatch(r"\S.*: (P\(\w+ \| \w+\))", line):
            mark = head[1]
            found.setdefault(mark, []).append([])
        elif line.startswith("  ") and mark:
            numbers = re.findall(r"(?<= )\d\.\d{3}\b", line)
            found[mark][-1].append([float(number) for number in numbers])
        else:
            mark = None
    return {mark: [np.array(each) for each in held] for mark, held in found.items()}


def test_two_sorts_of_figures_in_one_print_are_marked(heart):
    printed = blocks(str(NaiveBayes(heart, number="loess")))
    (curve,), (table,) = printed["P(class | value)"], printed["P(value | class)"]
    np.testing.assert_allclose(curve.sum(axis=1), 1, atol=0.0011)
    np.testing.assert_allclose(table.sum(axis=0), 1, atol=0.0011)


@pytest.mark.parametrize(
    ("symbol", "mark", "axis"),
    [
        (RelativeFrequency(), "P(class | value)", 1),
        (MEstimate(2), "P(class | value)", 1),
        (Categorical(), "P(value | class)", 0),
    ],
)
def test_every_table_of_symbols_says_what_it_is(symbol, mark, axis):
    titanic = satsuma.load("titanic")
    printed = blocks(str(NaiveBayes(titanic, symbol=symbol)))
    assert list(printed) == [mark]
    for each in printed[mark]:
        np.testing.assert_allclose(each.sum(axis=axis), 1, atol=0.0021)


def test_html_says_it_too(heart):
    page = NaiveBayes(heart, number="loess")._repr_html_()
    assert "age: P(class | value)" in page
    assert "gender: P(value | class)" in page


def test_a_long_name_does_not_hide_the_mark():
    rows = [("u", "no"), ("v", "yes")]
    model = NaiveBayes(Table.of(rows, ["a very long name of a column, longer than the room", "y"]))
    assert "…: P(value | class)" in str(model)


def test_an_adjusted_threshold_is_printed(adult):
    model = NaiveBayes(adult, number="loess", adjust_threshold=True)
    line = f"predicts {model.classes[1]} from P({model.classes[1]}) ≥ {model.threshold:.3g} on"
    assert f"\n{line} (adjusted)\n" in str(model)
    assert "(adjusted)" in model._repr_html_()
    assert "adjusted" not in str(NaiveBayes(adult, number="loess"))


def test_an_explanation_never_contradicts_the_prediction(adult):
    model = NaiveBayes(adult, number="loess", adjust_threshold=True)
    flipped = 0
    for row in list(adult)[:300]:
        told = model.explain(row)
        assert told.value == told.predicted == model(row)
        assert told.total >= told.threshold - 1e-9
        flipped += told.total < 0
        other = model.explain(row, value=told.against)
        assert other.predicted == told.value
        assert other.total <= other.threshold + 1e-9
    assert flipped  # there are rows where the sum alone would say otherwise
    assert f"from a sum of {told.threshold:+.3f} on" in str(told)
    assert f"here, {told.predicted} is." in told._repr_html_().replace("&lt;", "<").replace(
        "&gt;", ">"
    )
    assert "threshold" not in str(NaiveBayes(adult).explain(adult[0]))
