import numpy as np
import pytest
from hypothesis import given
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import PredefinedSplit, cross_val_predict

import satsuma.folds
from satsuma import Domain, NaiveBayes, Table, Variable
from satsuma.data.matrix import MatrixColumns
from satsuma.errors import DomainError, ParameterError
from satsuma.evaluate.cross_validation import cross_validate, leave_one_out
from satsuma.learners import cross_fitting
from satsuma.tallies import ClassCounts, Moments
from satsuma.tallies.composite import Composite, CompositeKind
from tests.evaluate.small import (
    BOTH,
    FOLDED,
    Bayes,
    Guess,
    Level,
    Line,
    QuietBayes,
    RefittedBayes,
    mixed,
    straight,
)

ALIKE = {"merged": Bayes(), "quiet": QuietBayes(), "refitted": RefittedBayes()}


@given(**FOLDED)
def test_merging_equals_refitting(seed, classes, folds, weighted, block):
    table = mixed(seed, 90, classes, weighted=weighted, block=block)
    results = cross_validate(ALIKE, table, folds=folds, seed=seed)
    expected = results.probabilities("refitted")
    for name in ("merged", "quiet"):
        found = results.probabilities(name)
        np.testing.assert_allclose(found, expected, rtol=0, atol=1e-9)
        # NaN where a fold has but one class
        wanted = pytest.approx(results.scores("AUC")["refitted"], nan_ok=True)
        assert results.scores("AUC")[name] == wanted


@pytest.mark.parametrize("at_once", [5, 256])
def test_leaving_one_out_by_merging_equals_refitting(monkeypatch, at_once):
    monkeypatch.setattr(satsuma.folds, "AT_ONCE", at_once)
    table = mixed(3, 60)
    results = leave_one_out(ALIKE, table)
    for name in ("merged", "quiet"):
        np.testing.assert_allclose(
            results.probabilities(name), results.probabilities("refitted"), rtol=0, atol=1e-9
        )
        assert (results.predictions(name) == results.predictions("refitted")).all()
    row = int(np.flatnonzero(results.trials[0].parts >= 0)[7])
    alone = RefittedBayes()(table[np.arange(60) != row])
    assert results.probabilities("merged")[row] == pytest.approx(
        alone.probabilities(table[row : row + 1])[0]
    )


def test_a_fold_is_answered_by_a_model_of_the_others():
    table = mixed(0, 70, weighted=False, holes=0.0)
    results = cross_validate(QuietBayes(), table, folds=7)
    parts, found = results.trials[0].parts, results.probabilities()
    for fold in range(7):
        model = QuietBayes()(table[parts != fold])
        np.testing.assert_allclose(found[parts == fold], model.probabilities(table[parts == fold]))


def test_numbers_as_scikit_learn_predicts_them_on_the_same_folds():
    table = straight(1)
    results = cross_validate([Line(), Level()], table, folds=6)
    parts = results.trials[0].parts
    used = parts >= 0
    X, y = np.column_stack([table["a"], table["b"]])[used], table["y"][used]
    expected = cross_val_predict(LinearRegression(), X, y, cv=PredefinedSplit(parts[used]))
    np.testing.assert_allclose(results.predictions("Line")[used], expected)
    assert np.isnan(results.predictions("Line")[~used]).all()
    level = results.predictions("Level")
    assert level[parts == 0] == pytest.approx(y[parts[used] != 0].mean())


def test_many_rows_in_many_stretches(monkeypatch):
    monkeypatch.setattr(cross_fitting, "BLOCK", 16)
    for block in (False, True):
        table = mixed(5, 700, block=block)
        results = cross_validate(ALIKE, table, folds=5)
        expected = results.probabilities("refitted")
        np.testing.assert_allclose(results.probabilities("merged"), expected, rtol=0, atol=1e-9)
        assert (results.predictions("merged") == results.predictions("refitted")).all()


def test_rows_are_taken_from_the_array_that_they_lie_in():
    numbers = np.random.default_rng(0).normal(size=(50, 4))
    variables = [Variable(f"n{at}") for at in range(4)]
    labels = Variable("y", "sym", ("a", "b"), "target"), np.arange(50, dtype=np.int32) % 2
    domain, rows = Domain([*variables, labels[0]]), np.array([3, 49, 7])
    one = Table(domain, MatrixColumns(numbers, [labels[1]]), check=False)
    apart = Table(domain, [*numbers.T, labels[1]])
    for table in (one, apart):
        taken = cross_fitting.AttributeRows(table)
        assert (taken.matrix is None) == (table is apart)
        assert taken[rows].equals(table.select(domain.names[:4])[rows])


def test_learners_with_one_tally_share_it(monkeypatch):
    calls = []
    by_fold = type(BOTH).by_fold
    monkeypatch.setattr(type(BOTH), "by_fold", lambda *given: calls.append(1) or by_fold(*given))
    results = cross_validate([Bayes(), Bayes(m=2.0), Bayes(m=9.0), QuietBayes()], mixed(0))
    assert len(calls) == 1
    alone = cross_validate(Bayes(m=9.0), mixed(0))
    np.testing.assert_array_equal(results.probabilities("Bayes(m=9.0)"), alone.probabilities())


def test_equal_kinds_of_tally_are_shared_also_where_they_are_made_twice():
    kind = Composite.of_kinds(ClassCounts, Moments)
    assert kind == BOTH
    assert hash(kind) == hash(BOTH)
    assert kind != Composite.of_kinds(ClassCounts)
    calls = []

    class Counted(CompositeKind):
        def by_fold(self, batch, folds, k):
            calls.append(1)
            return super().by_fold(batch, folds, k)

    class Other(Bayes):
        tally_kind = Counted([ClassCounts, Moments])

    class Another(Bayes):
        tally_kind = Counted([ClassCounts, Moments])

    cross_validate({"one": Other(), "two": Another()}, mixed(0))
    assert len(calls) == 1


@pytest.mark.parametrize("block", [True, False])
def test_an_infinite_number_in_a_table_that_was_not_checked_is_refused(block):
    numbers = np.random.default_rng(0).normal(size=(60, 2))
    numbers[7, 1] = np.inf
    columns = [numbers[:, at] if block else numbers[:, at].copy() for at in range(2)]
    variables = [Variable("a"), Variable("b"), Variable("y", "sym", ("n", "p"), "target")]
    codes = np.arange(60, dtype=np.int32) % 2
    table = Table(Domain(variables), [*columns, codes], check=False)
    with pytest.raises(DomainError, match="'b' holds inf in row 7"):
        cross_validate(NaiveBayes(), table)


def test_rows_without_a_target_and_rows_of_no_weight_are_left_out():
    table = mixed(2, 150)
    used = ~table.missing("y") & (table.weights > 0)
    results, alone = cross_validate(Bayes(), table), cross_validate(Bayes(), table[used])
    np.testing.assert_allclose(results.probabilities()[used], alone.probabilities(), atol=1e-9)
    assert np.isnan(results.probabilities()[~used]).all()
    assert set(results.predictions()[~used]) == {None}
    for score in ("CA", "AUC", "log loss"):
        assert results.scores(score) == pytest.approx(alone.scores(score))
        assert results.pooled(score) == pytest.approx(alone.pooled(score))


def test_the_same_seed_gives_the_same_and_another_seed_other_folds():
    table = mixed(0)
    first, again, other = (cross_validate(Bayes(), table, seed=seed) for seed in (4, 4, 5))
    assert (first.trials[0].parts == again.trials[0].parts).all()
    np.testing.assert_array_equal(first.probabilities(), again.probabilities())
    assert (first.trials[0].parts != other.trials[0].parts).any()


def test_repeats_are_dealt_anew():
    results = cross_validate(Bayes(), mixed(0), folds=4, repeats=3)
    assert len(results.by_fold("CA")["Bayes"]) == 12
    one, two = results.trials[:2]
    assert (one.parts != two.parts).any()
    first = cross_validate(Bayes(), mixed(0), folds=4)
    assert (first.by_fold("CA")["Bayes"] == results.by_fold("CA")["Bayes"][:4]).all()


def test_groups_stay_together_by_the_name_of_a_column_or_by_values():
    table = mixed(0, 200, holes=0.0)
    for groups in ("s1", table["s1"], table.column("s1")):
        parts = cross_validate(Bayes(), table, folds=3, groups=groups).trials[0].parts
        for value in "abcde":
            dealt = set(parts[table["s1"] == value]) - {-1}
            assert len(dealt) == 1
    with pytest.raises(ParameterError, match=r"a value for each of the 200 rows\. Got 3"):
        cross_validate(Bayes(), table, groups=[1, 2, 3])
    with pytest.raises(DomainError, match="Row 1 has no group"):
        cross_validate(Bayes(), table[:4], groups=["a", None, "b", "b"])


def test_without_strata_only_sizes_are_even():
    table = mixed(0, 300, holes=0.0, weighted=False)
    parts = cross_validate(Bayes(), table, stratified=False).trials[0].parts
    assert np.bincount(parts).tolist() == [30] * 10
    per_class = [np.ptp(np.bincount(parts[table["y"] == c], minlength=10)) for c in "ABC"]
    assert max(per_class) > 1


def test_a_table_of_a_target_alone():
    table = Table.of([("yes",), ("no",), ("yes",), ("yes",)], ["y"])
    assert cross_validate(ALIKE, table, folds=2).scores("CA")["merged"] == 0.75
    assert leave_one_out(ALIKE, table).scores("CA")["merged"] == 0.75


def test_a_class_that_is_only_in_the_fold_that_is_tested():
    table = Table.of([(1, "a"), (2, "a"), (3, "a"), (4, "b")], ["x", "y"])
    results = cross_validate(ALIKE, table, folds=2)
    assert np.isfinite(results.probabilities("merged")).all()
    assert results.pooled("CA")["merged"] == 0.75


def test_nothing_that_is_given_is_changed():
    table, learner = mixed(0), Bayes()
    before = [column.copy() for column in table.columns]
    cross_validate([learner, Guess()], table).scores("AUC")
    for old, new in zip(before, table.columns, strict=True):
        np.testing.assert_array_equal(old, new)
    assert vars(learner) == {"m": 1.0}


def test_what_is_asked_for_must_make_sense():
    table = mixed(0)
    for wrong in (1, 2.5, True, "ten"):
        with pytest.raises(ParameterError, match="'folds' parameter of cross_validate must be a"):
            cross_validate(Bayes(), table, folds=wrong)
    with pytest.raises(ParameterError, match="Bayes is a class: call it first"):
        cross_validate(Bayes, table)
    with pytest.raises(ParameterError, match="Bayes is a class: call it first"):
        cross_validate([Bayes], table)
    with pytest.raises(ParameterError, match="A str is not a learner"):
        cross_validate(["Bayes"], table)
    with pytest.raises(ParameterError, match="no learner to test"):
        cross_validate([], table)
    with pytest.raises(DomainError, match="Line predicts numbers"):
        cross_validate([Bayes(), Line()], table)
    with pytest.raises(DomainError, match="200 folds need at least as many rows"):
        cross_validate(Bayes(), table, folds=200)
    with pytest.raises(DomainError, match="needs a target"):
        cross_validate(Bayes(), table.with_roles({"y": "meta"}))
    with pytest.raises(DomainError, match="no rows"):
        cross_validate(Bayes(), table[:0])
    bad = Table(table.domain, [*table.columns[:-1], np.full(len(table), -1.0)])
    with pytest.raises(DomainError, match="row 0 weighs -1"):
        cross_validate(Bayes(), bad)


def test_names_are_as_short_as_they_can_be():
    learners = [Bayes(), Bayes(m=2.0), Bayes(m=2.0), Guess()]
    names = cross_validate(learners, mixed(0), folds=2).learners
    assert names == ("Bayes(m=1.0)", "Bayes(m=2.0)", "Bayes(m=2.0) (2)", "Guess")
    assert cross_validate({"mine": Bayes()}, mixed(0), folds=2).learners == ("mine",)
