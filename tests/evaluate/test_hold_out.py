import numpy as np
import pytest

from satsuma import Table
from satsuma.errors import DomainError, NoSuchColumn, ParameterError, SatsumaError
from satsuma.evaluate.cross_validation import leave_one_out
from satsuma.evaluate.hold_out import hold_out
from satsuma.evaluate.hold_out import test_on as on_another
from tests.evaluate.small import Bayes, Guess, Level, Line, RefittedBayes, mixed, straight


def test_a_share_is_learned_from_and_the_rest_tested():
    table = mixed(1, 200, holes=0.0, weighted=False)
    results = hold_out([Bayes(), RefittedBayes()], table, share=0.75, repeats=4)
    assert results.what == "150 rows learned from, 50 tested, 4 times"
    assert len(results.by_fold("CA")["Bayes"]) == 4
    for trial in results.trials:
        share = (trial.truth == 0).sum() / (table["y"] == "A").sum()
        assert share == pytest.approx(0.25, abs=0.02)
    np.testing.assert_allclose(
        results.probabilities("Bayes", 2), results.probabilities("RefittedBayes", 2), atol=1e-9
    )
    assert results.trials[0].ratio == pytest.approx(1 / 3)
    again = hold_out(Bayes(), table, share=0.75, seed=0)
    assert again.scores("AUC")["Bayes"] == results.by_fold("AUC")["Bayes"][0]


def test_shares_must_make_sense():
    for wrong in (0.0, 1.0, 2, "half", True):
        with pytest.raises(ParameterError, match="'share' parameter of hold_out"):
            hold_out(Bayes(), mixed(0), share=wrong)


def test_one_row_cannot_be_split():
    table = Table.of([(1, "a"), (2, None)], ["x", "y"])
    for split in (hold_out, leave_one_out):
        with pytest.raises(DomainError, match="needs at least two rows"):
            split(Bayes(), table)


def test_a_table_is_tested_with_what_was_learned_from_another():
    table = mixed(2, 200)
    train, test = table[:120], table[120:]
    results = on_another({"a": Bayes(), "b": RefittedBayes(), "c": Guess()}, train, test)
    used = results.trials[0].parts >= 0
    assert (used == (~test.missing("y") & (test.weights > 0))).all()
    expected = RefittedBayes()(train).probabilities(test)[used]
    for name in "ab":
        np.testing.assert_allclose(results.probabilities(name)[used], expected, atol=1e-9)
    right = np.array(list("ABC"))[expected.argmax(axis=1)] == test["y"][used]
    share = np.average(right, weights=test.weights[used])
    assert results.scores("CA")["a"] == pytest.approx(share)
    assert results.pooled("CA")["a"] == pytest.approx(share)


def test_classes_and_columns_of_two_tables_are_matched_by_name():
    names = ["n", "s", "y"]
    train = Table.of([(1, "u", "a"), (2, "v", "b"), (1.5, "u", "a"), (3, "v", "b")], names)
    test = Table.of([("b", "v", 3), ("c", "w", 9), ("a", "u", 1), (None, "u", 1)], names[::-1])
    test = test.with_roles(target="y")
    results = on_another([Bayes(), Guess()], train, test)
    assert results.target.values == ("a", "b", "c")
    assert results.predictions("Bayes")[[0, 2, 3]].tolist() == ["b", "a", None]
    assert results.scores("CA")["Bayes"] == pytest.approx(2 / 3)
    assert (results.probabilities("Bayes")[:3, 2] == 0).all()
    assert np.isfinite(results.scores("log loss")["Bayes"])
    assert np.asarray(results.confusion("Bayes"))[2].sum() == 1
    # A column that is not yet the target becomes it.
    assert on_another(Bayes(), train, test.with_roles({"y": "meta"})).scores("CA") == {
        "Bayes": pytest.approx(2 / 3)
    }


def test_tables_that_do_not_fit():
    train = Table.of([(1, "a"), (2, "b")], ["n", "y"])
    with pytest.raises(NoSuchColumn, match="no column 'y'"):
        on_another(Bayes(), train, Table.of([(1,)], ["n"], target=None))
    with pytest.raises(DomainError, match="learned as 'sym', but in the test table it is 'num'"):
        on_another(Bayes(), train, Table.of([(1, 2)], ["n", "y"]))
    with pytest.raises(DomainError, match="no row to test on"):
        on_another(Bayes(), train, train[:0])


def test_one_split_is_ranked_by_rows_where_that_can_be():
    results = hold_out([Bayes(), Guess()], mixed(1, 800))
    assert results.rank("CA") == {"Bayes": 1, "Guess": 2}
    assert results.rank("Brier") == {"Bayes": 1, "Guess": 2}
    assert results.rank("AUC") == {"Bayes": 1, "Guess": 2}
    with pytest.raises(SatsumaError, match="ECE cannot rank learners that were tested once"):
        results.rank("ECE")
    assert hold_out(Bayes(), mixed(1, 400)).rank("F1") == {"Bayes": 1}
    assert hold_out([Line(), Level()], straight(0)).rank() == {"Line": 1, "Level": 2}
