"""Rules as weak labels: simulations whose truth is known, and Bayes' rule by hand."""

import numpy as np
import pytest

from satsuma import NaiveBayes, Table, WeakRule, weak_labels
from satsuma.errors import DomainError, NoSuchColumn, ParameterError

#: What a rule means, and how often it applies where that is true and where it is not.
_FIVE = [("yes", .5, .05), ("yes", .4, .1), ("yes", .3, .02), ("no", .5, .1),
         ("no", .4, .05)]  # fmt: skip


def simulated(rates, seed=0, rows=3000, labelled=0):
    """A table, rules that err apart from each other, how often each is right, and the truth."""
    rng = np.random.default_rng(seed)
    truth = np.where(rng.random(rows) < 0.3, "yes", "no")
    applies = [rng.random(rows) < np.where(truth == means, a, b) for means, a, b in rates]
    cells = [(at, label if at < labelled else None) for at, label in enumerate(truth.tolist())]
    rules = [
        WeakRule(lambda row, which=which: which[row.index], means, name=f"r{at}")
        for at, ((means, *_), which) in enumerate(zip(rates, applies, strict=True))
    ]
    right = [
        float((truth[which] == means).mean())
        for (means, *_), which in zip(rates, applies, strict=True)
    ]
    return Table.of(cells, ["x", "y"], kinds={"y": "sym"}), rules, right, truth


@pytest.mark.parametrize(("seed", "labelled"), [(0, 0), (1, 0), (2, 60)])
def test_how_good_rules_are_is_found(seed, labelled):
    table, rules, right, truth = simulated(_FIVE, seed, labelled=labelled)
    found = weak_labels(table, rules)
    assert found.identified
    assert list(found.accuracy.values()) == pytest.approx(right, abs=0.05)
    new = np.flatnonzero(~found.table.missing("y"))
    new = new[new >= labelled]
    assert len(new) == found.labelled > 1000
    assert (found.table["y"][new] == truth[new]).mean() > 0.95
    sure = found.table.weights
    assert sure is not None
    assert sure[new].mean() == pytest.approx((found.table["y"][new] == truth[new]).mean(), abs=0.02)
    assert found.table["y"][:labelled].tolist() == truth[:labelled].tolist()


def test_learners_learn_from_it():
    table, rules, _, _ = simulated(_FIVE, rows=300)
    found = weak_labels(table, rules).table
    assert NaiveBayes()(found[~found.missing("y")]).classes == ("yes", "no")


def test_a_few_rules_are_as_good_as_known_labels_say():
    table, rules, right, _ = simulated(_FIVE[:2], labelled=600)
    found = weak_labels(table, rules)
    assert not found.identified
    assert list(found.accuracy.values()) == pytest.approx(right, abs=0.08)
    assert "So few rules do not tell" in str(found)
    assert "600 known labels" in str(found)


def test_a_single_rule_is_as_good_as_is_assumed():
    table = Table.of([("a b", None), ("b", None), ("c", "no")] * 9, ["t", "y"],
                     kinds={"t": "text", "y": "sym"})  # fmt: skip
    bare = table[np.flatnonzero(table.missing("y"))]
    found = weak_labels(bare, [WeakRule("a", "yes")], accuracy=0.8)
    assert found.accuracy["a"] == pytest.approx(0.8)  # classes are as frequent, so this is Bayes
    assert found.labelled == 0
    assert weak_labels(bare, [WeakRule("a", "yes")], accuracy=0.95).labelled == 9
    assert "assumption that 80%" in str(found)
    assert "<table" in found._repr_html_()


def test_rules_that_say_the_same_count_once():
    table, rules, _, _ = simulated([*_FIVE[:1], *_FIVE[3:4]])
    assert not weak_labels(table, rules * 3).identified
    assert weak_labels(table, rules * 2).rules == ("r0", "r1", "r0_2", "r1_2")


def test_what_is_counted():
    texts = ["Free prize!", "a free  lunch today", "freedom", None]
    table = Table.of(list(zip(texts, [None] * 4, strict=True)), ["t", "y"],
                     kinds={"t": "text", "y": "sym"})  # fmt: skip
    rules = [WeakRule("free", "spam"), WeakRule("free lunch", "ham"), WeakRule("dog", "ham")]
    found = weak_labels(table, rules)
    assert (found.coverage, found.conflicts) == (0.5, 0.25)
    assert rules[1].votes(table) == [None, "ham", None, None]
    assert np.isnan(found.accuracy["dog"])
    assert found.table.missing("y")[2:].all()  # where nobody votes, nothing is said


def test_words_of_symbols_and_classes_by_functions():
    table = Table.of([("red", 1, None), ("blue", 5, None)], ["c", "n", "y"], kinds={"y": "sym"})
    assert WeakRule("RED", "yes", column="c").votes(table) == ["yes", None]

    def size(row):
        return "big" if row["n"] > 3 else None

    assert WeakRule(size).votes(table) == [None, "big"]
    assert WeakRule(size).title == "size"


def test_what_is_refused():
    table = Table.of([("red", None, None), ("blue", 5, None)], ["c", "n", "y"], kinds={"y": "sym"})
    red = WeakRule("red", "yes")
    with pytest.raises(DomainError, match="two classes or more"):
        weak_labels(table, [red])
    with pytest.raises(ParameterError, match="needs rules"):
        weak_labels(table, [])
    with pytest.raises(ParameterError, match=r"must be a WeakRule.*Got a str"):
        weak_labels(table, ["red"])
    with pytest.raises(ParameterError, match="'sure' parameter of weak_labels must be"):
        weak_labels(table, [red], sure=90)
    with pytest.raises(DomainError, match="'large' fails on row 0"):
        weak_labels(table, [WeakRule(lambda row: row["n"] > 3, "no", name="large")])
    with pytest.raises(ParameterError, match="not which class it means"):
        WeakRule(lambda _: True).votes(table)
    with pytest.raises(DomainError, match="let the rule be a function"):
        WeakRule("red", "yes", column="n").votes(table)
    with pytest.raises(NoSuchColumn):
        WeakRule("red", "yes", column="colour").votes(table)
    with pytest.raises(ParameterError, match="the class that it means"):
        WeakRule("red")
    with pytest.raises(ParameterError, match="a word or of a function"):
        WeakRule(3, "yes")
