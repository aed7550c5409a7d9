import pickle
import sys

import numpy as np
import pytest
import sklearn.metrics as peer
from scipy import stats

from satsuma.errors import NoSuchValue, ParameterError, SatsumaError
from satsuma.evaluate.cross_validation import cross_validate, leave_one_out
from satsuma.evaluate.paired_tests import adjusted_p_values, corrected_p, difference
from satsuma.evaluate.probability_scores import placements
from tests.evaluate.small import Bayes, Guess, Level, Line, RefittedBayes, mixed, straight


@pytest.fixture(scope="module")
def table():
    return mixed(4, 300)


@pytest.fixture(scope="module")
def results(table):
    return cross_validate([Bayes(), Guess()], table, folds=5, repeats=2)


def test_scores_are_means_of_folds_or_pooled(table, results):
    truth, weights = table.column("y"), table.weights
    folds, pooled = [], []
    for repeat, trial in enumerate(results.trials):
        found = results.probabilities("Bayes", repeat)
        for part in range(5):
            rows = trial.parts == part
            folds.append(peer.log_loss(truth[rows], found[rows], sample_weight=weights[rows]))
        rows = trial.parts >= 0
        pooled.append(peer.log_loss(truth[rows], found[rows], sample_weight=weights[rows]))
    np.testing.assert_allclose(results.by_fold("log loss")["Bayes"], folds)
    assert results.scores("log loss")["Bayes"] == pytest.approx(np.mean(folds))
    assert results.pooled("log loss")["Bayes"] == pytest.approx(np.mean(pooled))


def test_accuracy_over_folds_and_pooled_differ_where_folds_weigh_differently(table, results):
    truth, trial = table["y"], results.trials[0]
    said = results.predictions("Bayes")
    shares = [
        np.average((said == truth)[trial.parts == p], weights=table.weights[trial.parts == p])
        for p in range(5)
    ]
    np.testing.assert_allclose(results.by_fold()["Bayes"][:5], shares)
    assert results.scores("CA")["Bayes"] != results.pooled("CA")["Bayes"]


def test_the_confusion_matrix(table, results):
    rows = results.trials[0].parts >= 0
    expected = [
        peer.confusion_matrix(
            table["y"][rows].astype(str),
            results.predictions("Guess", repeat)[rows].astype(str),
            sample_weight=table.weights[rows],
        )
        for repeat in range(2)
    ]
    found = results.confusion("Guess")
    np.testing.assert_allclose(found, np.mean(expected, axis=0))
    assert found["B", "C"] == np.asarray(found)[1, 2]
    frame = found.to_pandas()
    assert list(frame.index) == list(frame.columns) == ["A", "B", "C"]
    assert repr(found).splitlines()[0].split() == ["y", "A", "B", "C"]
    assert found._repr_html_().count("<tr>") == 4


def test_one_class_against_the_rest(table, results):
    rows = results.trials[0].parts >= 0
    expected = peer.roc_auc_score(
        table["y"][rows] == "B",
        results.probabilities("Bayes")[rows, 1],
        sample_weight=table.weights[rows],
    )
    one = cross_validate(Bayes(), table, folds=5)
    assert one.pooled("AUC", target="B")["Bayes"] == pytest.approx(expected)
    with pytest.raises(NoSuchValue):
        results.scores("F1", target="Z")


def test_learners_are_named(results):
    with pytest.raises(ParameterError, match=r"no learner 'Baye'.*Did you mean 'Bayes'"):
        results.predictions("Baye")
    with pytest.raises(ParameterError, match="no learner None"):
        results.probabilities()


def test_probabilities_are_computed_when_they_are_needed(table):
    results = cross_validate([Bayes(), Guess()], table)
    results.scores("CA"), results.scores("F1")
    found = results.trials[0].predictions["Bayes"]
    assert "probabilities" not in vars(found)
    assert found.predicted.dtype == np.int8
    results.scores("AUC")
    assert "probabilities" in vars(found)


def test_a_score_that_some_folds_do_not_have_is_the_mean_of_the_others():
    table = mixed(0, 60, 2, weighted=False, holes=0.0)
    rows = np.r_[np.flatnonzero(table["y"] == "A")[:30], np.flatnonzero(table["y"] == "B")[:2]]
    results = cross_validate(Bayes(), table[rows], folds=8)
    folds = results.by_fold("AUC")["Bayes"]
    assert np.isnan(folds).sum() == 6
    assert results.scores("AUC")["Bayes"] == np.nanmean(folds)


def test_numbers():
    results = cross_validate([Level(), Line()], straight(0))
    assert results.rank() == {"Line": 1, "Level": 2}
    assert list(results.to_pandas().columns) == ["MAE", "RMSE", "R2", "seconds", "rank"]
    assert "RMSE" in repr(results)
    with pytest.raises(SatsumaError, match="no confusion matrix"):
        results.confusion("Line")
    with pytest.raises(SatsumaError, match="without probabilities"):
        results.probabilities("Line")
    with pytest.raises(ParameterError, match="target= names a class"):
        results.scores("MAE", target="x")
    heavy = straight(0, weighted=True)
    line = cross_validate(Line(), heavy)
    used = line.trials[0].parts >= 0
    expected = peer.r2_score(
        heavy["y"][used], line.predictions()[used], sample_weight=heavy["w"][used]
    )
    assert line.pooled("R2")["Line"] == pytest.approx(expected)


def test_leaving_one_out_is_scored_as_one():
    results = leave_one_out([Bayes(), Guess()], mixed(4, 200))
    assert results.scores("AUC") == results.pooled("AUC")
    assert results.rank("Brier") == {"Bayes": 1, "Guess": 2}


def test_the_printed_table(results):
    lines = repr(results).splitlines()
    assert lines[0] == "y: 5-fold cross-validation, 2 times"
    assert lines[2].split() == [
        *["learner", "CA", "AUC", "Brier", "log", "loss", "F1", "seconds", "rank"]
    ]
    assert [line.split()[0] for line in lines[3:]] == ["Bayes", "Guess"]
    assert [line.split()[-1] for line in lines[3:]] == ["1", "2"]
    assert len({len(line) for line in lines[2:]}) == 1
    odd = cross_validate({"<b>": Bayes(), "蜜柑": Guess()}, mixed(0))
    page = odd._repr_html_()
    assert "&lt;b&gt;" in page
    assert page.count("<tr>") == 3


def test_the_data_frame(results):
    frame = results.to_pandas()
    assert frame.loc["Bayes", "CA"] == results.scores("CA")["Bayes"]
    assert frame.loc["Guess", "rank"] == 2
    assert frame.index.name == "learner"


def test_ranks_tell_apart_what_differs_and_nothing_else(table):
    learners = {"a": Bayes(), "b": RefittedBayes(), "c": Guess(), "d": Guess(seed=2)}
    ranks = cross_validate(learners, table).rank()
    assert ranks["a"] == ranks["b"] == 1
    assert ranks["c"] == ranks["d"] == 2
    assert cross_validate(learners, table).rank("log loss")["c"] > 1
    assert cross_validate(learners, table).rank(alpha=1e-12) == dict.fromkeys(ranks, 1)


def test_the_test_without_correction_is_a_paired_t_test():
    a, b = np.random.default_rng(0).normal(size=(2, 10))
    assert corrected_p(a - b, 0.0) == pytest.approx(stats.ttest_rel(a, b).pvalue)
    assert corrected_p(a - b, 1 / 9) > corrected_p(a - b, 0.0)
    # Nadeau and Bengio 2003, equation 3 in words: 1/J + n2/n1 for 1/J.
    t = (a - b).mean() / np.sqrt((1 / 10 + 1 / 9) * (a - b).var(ddof=1))
    assert corrected_p(a - b, 1 / 9) == pytest.approx(2 * stats.t.sf(abs(t), 9))
    plain = difference(a - b, np.ones(10), np.inf)
    assert plain.mean / plain.error == pytest.approx(stats.ttest_rel(a, b).statistic)
    assert 1 < plain.freedom <= 9
    assert corrected_p(np.zeros(5), 0.1) == 1.0
    assert corrected_p(np.ones(5), 0.1) == 0.0
    assert corrected_p(np.array([np.nan, 1.0]), 0.1) == 1.0


def test_rows_of_no_weight_do_not_count_in_a_comparison():
    differences, weights = np.random.default_rng(0).normal(size=30), np.repeat([0.0, 2.0], 15)
    found, fewer = (
        difference(*each, 99) for each in ((differences, weights), (differences[15:], np.ones(15)))
    )
    assert (found.mean, found.error, found.freedom) == pytest.approx(
        (fewer.mean, fewer.error, fewer.freedom)
    )


def test_what_rows_add_to_the_auc_is_that_of_delong():
    """The area is their mean, and their variance that of DeLong, DeLong and Clarke-Pearson 1988."""
    rng = np.random.default_rng(0)
    truth = (rng.random(300) < 0.3).astype(int)
    chance = (rng.normal(size=300) + truth).round(1)
    chances, parts = np.column_stack([-chance, chance]), np.zeros(300, int)
    found = placements(chances, truth, np.ones(300), parts)
    assert found.mean() == pytest.approx(peer.roc_auc_score(truth, chance))
    yes, no = chance[truth == 1], chance[truth == 0]
    order = (yes[:, None] > no) + 0.5 * (yes[:, None] == no)
    wanted = order.mean(1).var() / len(yes) + order.mean(0).var() / len(no)
    assert found.var() / 300 == pytest.approx(wanted)


def test_what_rows_add_to_the_auc_has_its_mean_by_part_class_and_weight():
    rng = np.random.default_rng(1)
    truth, parts = rng.integers(0, 3, 240), np.repeat(np.arange(4), 60)
    chances, weights = rng.dirichlet(np.ones(3), 240), rng.random(240)
    one = placements(chances[:60], truth[:60], weights[:60], parts[:60])
    wanted = peer.roc_auc_score(
        truth[:60], chances[:60], sample_weight=weights[:60], multi_class="ovr", average="weighted"
    )
    assert np.average(one, weights=weights[:60]) == pytest.approx(wanted)
    lone = np.where((parts == 2), 1, truth)  # one class only: no area
    found = placements(chances, lone, weights, parts)
    assert np.isnan(found[parts == 2]).all()
    assert not np.isnan(found[parts != 2]).any()


def test_differences_of_rows_have_the_error_of_the_mean_and_of_the_training_rows():
    values = np.random.default_rng(0).normal(size=40)
    plain, found = difference(values, np.ones(40), np.inf), difference(values, np.ones(40), 20)
    assert plain.error == pytest.approx(stats.sem(values))
    assert found.error == pytest.approx(stats.sem(values) * np.sqrt(3))
    low, high = found.interval(0.9)
    assert (low, high) == pytest.approx(
        stats.t.interval(0.9, found.freedom, found.mean, found.error)
    )
    assert found.p == pytest.approx(2 * stats.t.sf(abs(found.mean / found.error), found.freedom))
    few = np.r_[np.zeros(95), 1.0, 0.5, 0.7, 1.1, 0.9]
    assert difference(few, np.ones(100), 100).freedom < 15
    assert difference(np.array([np.nan, 1.0]), np.ones(2), 9).p == 1.0


def test_rows_of_one_group_count_as_one():
    table = mixed(2, 120, weighted=False, holes=0.0)
    twice = table[np.repeat(np.arange(120), 2)]
    groups = np.repeat(np.arange(120), 2)
    found = cross_validate([Bayes(), Guess()], twice, groups=groups).difference("Bayes", "Guess")
    alone = cross_validate([Bayes(), Guess()], twice).difference("Bayes", "Guess")
    assert found.freedom < 120
    assert found.error > 1.1 * alone.error


def test_the_difference_of_errors_is_in_the_units_of_the_target():
    results = cross_validate([Line(), Level()], straight(0))
    errors = results.pooled("RMSE")
    found = results.difference("Line", "Level")
    assert found.mean == pytest.approx(errors["Level"] - errors["Line"])
    assert results.difference("Level", "Line").mean == -found.mean
    assert results.difference("Line", "Level", "R2").p < 0.001
    with pytest.raises(ParameterError, match="ECE is no mean over rows"):
        cross_validate([Guess(), Bayes()], mixed(0)).difference("Guess", "Bayes", "ECE")


def test_many_comparisons_hold_at_once():
    rng, wrong = np.random.default_rng(0), 0
    for _ in range(400):
        chances = {("a", str(at)): chance for at, chance in enumerate(rng.random(6))}
        wrong += min(adjusted_p_values(chances).values()) < 0.05
    assert wrong / 400 == pytest.approx(0.05, abs=0.03)


def test_results_can_be_pickled(table):
    results = cross_validate([Bayes(), Guess()], table)
    again = pickle.loads(pickle.dumps(results))
    assert again.scores("AUC") == results.scores("AUC")


def test_a_drawing(results):
    figures = pytest.importorskip("matplotlib.figure")
    before = "matplotlib.pyplot" in sys.modules  # another test may have brought it
    axes = results.plot("AUC")
    assert axes.get_xlabel() == "AUC"
    assert [label.get_text() for label in axes.get_yticklabels()] == ["Guess", "Bayes"]
    mine = figures.Figure().add_subplot()
    assert results.plot(ax=mine) is mine
    assert ("matplotlib.pyplot" in sys.modules) == before
