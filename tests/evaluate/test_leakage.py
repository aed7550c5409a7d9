"""Suspected leakage: left out of a comparison, and scored with and without."""

import numpy as np
import pytest

import satsuma
from satsuma import (
    Cost,
    Domain,
    Majority,
    Mean,
    NaiveBayes,
    Ridge,
    Table,
    Tree,
    Variable,
    compare,
)
from satsuma.errors import NoSuchColumn, ParameterError
from satsuma.evaluate.assessment import assess
from satsuma.evaluate.suspected_leakage import suspects
from tests.evaluate.small import Line

FEW = [Majority(), NaiveBayes(), Tree(max_depth=3)]


def orders(rows=400, seed=0):
    """Orders, most of them in time; what is written of a late one was written later."""
    rng = np.random.default_rng(seed)
    late = (rng.random(rows) < 0.3).astype(np.int32)
    size, place = rng.normal(size=rows) + late, rng.integers(0, 40, rows).astype(float)
    reason = np.where(late == 1, rng.integers(0, 2, rows), -1).astype(np.int32)
    domain = Domain([
        Variable("size"), Variable("place"), Variable("reason", "sym", ("rain", "strike")),
        Variable("paid back", "sym", ("no", "yes")),
        Variable("late", "sym", ("no", "yes"), "target"),
    ])  # fmt: skip
    return Table(domain, [size, place, reason, late.copy(), late])


def test_columns_that_know_the_target_are_left_out_of_the_advice():
    table = orders()
    honest = compare(table.with_roles({"reason": "meta", "paid back": "meta"}), FEW, folds=5)
    found = compare(table, FEW, folds=5)
    assert found.scores() == honest.scores()
    assert (found.advice, found.choice) == (honest.advice, honest.choice)
    assert list(found.leaks) == ["reason", "paid back"]
    note = next(each for each in found.notes if "leakage" in each)
    assert "'paid back' alone predicts 'late' without an error in 400 rows" in note
    assert "'reason' is missing in" in note
    assert "Nothing was learned from them" in note
    assert note in str(found)
    assert note in found._repr_html_().replace("&#x27;", "'")
    assert note.command.endswith("use them: --use reason --use 'paid back'.")


def test_leakage_can_be_used_all_the_same_and_named():
    table = orders()
    found = compare(table, FEW, folds=3, leaks=())
    assert found.scores("CA")["Tree"] == 1
    assert (found.leaks, found.with_leaks) == ({}, None)
    assert not any("leakage" in each for each in found.notes)
    named = compare(table.drop("paid back"), FEW, folds=3, leaks="size")
    assert named.leaks == {"size": "'size' was named."}
    assert compare(table, FEW, folds=3, leaks=["reason"]).scores("CA")["Tree"] == 1
    with pytest.raises(ParameterError, match="names none"):
        compare(table, FEW, folds=3, leaks=False)
    with pytest.raises(NoSuchColumn, match="'raeson'"):
        compare(table, FEW, folds=3, leaks=["raeson"])


@pytest.mark.parametrize(
    "asked",
    [
        {"folds": 4},
        {"folds": 3, "groups": "place"},
        {"folds": 3, "time": "place"},
        {"folds": 3, "repeats": 2},
        {"folds": np.arange(400) % 5},
    ],
)
@pytest.mark.parametrize("measure", [None, "AUC", Cost({("yes", "no"): 5, ("no", "yes"): 1})])
def test_the_score_with_leakage_is_of_the_same_folds_and_measure(asked, measure):
    table = orders()
    found = compare(table, FEW, measure=measure, **asked)
    whole = compare(table, FEW, measure=measure, leaks=(), **asked)
    name = found.beyond_baseline
    assert found.with_leaks.scores(found.measure)[name] == pytest.approx(
        whole.scores(found.measure)[name]
    )
    assert found.with_leaks.what == found.results.what == whole.results.what
    shown = found.with_leaks.scores(found.measure)[name]
    assert any(f"of {name} would seem to be {shown:.4f}" in each for each in found.notes)


def test_where_nothing_is_better_than_the_baseline_the_best_other_is_scored_with_leakage():
    rng = np.random.default_rng(3)
    table = orders(120).with_column("size", rng.normal(size=120))
    found = compare(table, [Majority(), Tree(max_depth=1)], folds=4)
    assert found.choice == "Majority"
    assert found.beyond_baseline == "Tree"
    assert found.with_leaks.scores("CA") == {"Tree": 1.0}


def test_leakage_of_a_number_and_of_columns_that_folds_go_by():
    rng = np.random.default_rng(0)
    fahrenheit, wind = rng.normal(60, 10, 200), rng.normal(size=200)
    heat = (fahrenheit - 32) / 1.8
    variables = [Variable("fahrenheit"), Variable("wind"), Variable("heat", role="target")]
    table = Table(Domain(variables), [fahrenheit, wind, heat])
    found = compare(table, [Mean(), Ridge()], folds=3)
    assert list(found.leaks) == ["fahrenheit"]
    assert found.with_leaks.scores("RMSE")["Ridge"] < 0.1 < found.scores("RMSE")["Ridge"]
    assert not compare(table, [Mean(), Ridge()], folds=3, groups="fahrenheit").leaks


def test_a_learner_that_cannot_take_the_leakage_is_compared_without_it():
    rng = np.random.default_rng(0)
    x, place = rng.normal(size=100), rng.integers(0, 5, 100).astype(np.int32)
    domain = Domain([
        Variable("x"), Variable("place", "sym", tuple("abcde")), Variable("y", role="target")
    ])  # fmt: skip
    table = Table(domain, [x, place, place.astype(float)])
    found = compare(table, [Line(), Mean()], folds=3)
    assert list(found.leaks) == ["place"]
    assert found.with_leaks is None
    assert any("that may be leakage. If it is known" in each for each in found.notes)


def test_all_columns_are_never_left_out():
    assert suspects(orders().select(["reason", "paid back", "late"])) == {}
    assert list(suspects(orders(), ["reason"])) == ["paid back"]


def test_an_assessment_says_what_the_score_would_seem_to_be():
    found = assess(NaiveBayes(), orders(), folds=4)
    assert found.with_leaks.startswith(" With them, the accuracy would seem to be 1.0000; without")
    assert f"it is {found.score:.4f}." in found.with_leaks
    assert not assess(NaiveBayes(), orders(), folds=4, leaks={}).with_leaks


def test_the_report_takes_what_is_named(tmp_path):
    table = orders(120)
    words = []
    for at, leaks in enumerate((None, ())):
        path = satsuma.write_report(
            table, tmp_path / f"{at}.html", learners=FEW, folds=3, leaks=leaks
        )
        words.append(path.read_text())
    assert "that may be leakage" in words[0]
    assert "that may be leakage" not in words[1]
    assert "leakage by missing values" in words[0]
    assert "leakage by missing values" not in words[1]


def test_an_assessment_scores_the_learner_with_leakage_where_its_rival_is_better():
    found = assess(Tree(max_depth=1), orders(120), folds=3, rival=NaiveBayes())
    assert found.rival.difference.mean > 0
    assert found.with_leaks.startswith(" With them, the accuracy would seem to be 1.0000; without")
    assert f"it is {found.score:.4f}." in found.with_leaks


def test_an_assessment_of_a_learner_that_cannot_take_the_leakage_beside_a_better_one():
    rng = np.random.default_rng(0)
    x, place = rng.normal(size=100), rng.integers(0, 5, 100).astype(np.int32)
    y = place + 3 * x**2
    leaky = Domain(
        [Variable("x"), Variable("place", "sym", tuple("abcde")), Variable("y", role="target")]
    )
    found = assess(
        Line(), Table(leaky, [x, place, y]), folds=3, rival=Tree(), leaks={"place": "Named."}
    )
    assert found.rival.difference.mean > 0
    assert found.with_leaks == ""
