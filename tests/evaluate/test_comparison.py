"""Learners compared: which ones, what is told of them, and which is advised."""

import numpy as np
import pytest

import satsuma
from satsuma import (
    KNN,
    Cost,
    Domain,
    Forest,
    Majority,
    Mean,
    NaiveBayes,
    Table,
    Text,
    Tree,
    Variable,
    compare,
    cross_validate,
    load,
    scan,
)
from satsuma.errors import DomainError, ParameterError
from tests.evaluate.small import mixed, straight


@pytest.fixture(scope="module")
def voting():
    return compare(load("voting"), [Majority(), Tree(), Forest(trees=4)], folds=5)


def test_scores_ranks_and_seconds_are_those_of_cross_validation(voting):
    table = load("voting")
    results = cross_validate([Majority(), Tree(), Forest(trees=4)], table, folds=5, seed=1)
    assert voting.scores("AUC") == pytest.approx(results.scores("AUC"))
    assert voting.ranks == results.rank()
    assert list(voting.scores()) == list(voting.ranks)
    assert set(voting.seconds) == {"Majority", "Tree", "Forest"}
    assert all(seconds > 0 for seconds in voting.seconds.values())


def test_the_best_are_those_of_the_first_rank(voting):
    assert voting.best == tuple(name for name, rank in voting.ranks.items() if rank == 1)
    assert "Majority" not in voting.best


def test_of_those_alike_the_readable_one_is_advised(voting):
    assert "Forest" in voting.best
    assert voting.choice == "Tree"
    assert "can be read" in voting.advice
    assert voting.advice.startswith("Take Tree: accuracy 0.9")


def test_what_the_best_beats_alone_is_not_advised():
    """Naive Bayes has rank 1 where many are compared, and is yet clearly worse on this table."""
    found = compare(load("voting"), [NaiveBayes(), Tree(), Tree(max_depth=2), Tree(max_depth=3)])
    assert found.choice != "NaiveBayes"


def test_it_says_when_nothing_beats_the_baseline():
    rng = np.random.default_rng(0)
    domain = Domain([Variable("x"), Variable("y", "sym", ("a", "b"), "target")])
    table = Table(domain, [rng.normal(size=200), rng.integers(0, 2, 200).astype(np.int32)])
    few = [Majority(), NaiveBayes(), Tree(prune="mdl")]
    found = compare(table, few, folds=5)
    assert found.choice == "Majority"
    assert found.advice.startswith("Nothing is significantly better than Majority")
    numbers = Table(
        Domain([Variable("x"), Variable("y", role="target")]), list(rng.normal(size=(2, 200)))
    )
    told = compare(numbers, folds=2)
    assert told.advice.startswith("Nothing is significantly better than Mean")
    assert told.choice in told.best
    assert found.choice in found.best


def test_one_learner_alone():
    assert "nothing else was compared" in compare(load("iris"), Majority()).advice


def test_it_warns_of_columns_that_are_like_keys():
    iris = load("iris")
    column = np.arange(len(iris), dtype=np.int32)
    key = Variable("id", "sym", tuple(f"flower {k}" for k in column))
    table = Table(Domain([key, *iris.domain]), [column, *iris.columns])
    found = compare(table, [Majority(), Tree()])
    assert any("'id' is like a key" in note for note in found.notes)
    assert "'id' is like a key" in str(found)
    assert not compare(iris, [Majority(), Tree()]).notes


def test_it_warns_of_keys_in_a_source_too(tmp_path):
    rows = "".join(f"{k},{k % 3},{'ab'[k % 2]}\n" for k in range(60))
    (tmp_path / "t.csv").write_text(f"id,x,y\n{rows}")
    source = scan(tmp_path / "t.csv", target="y", roles={"id": "x"})
    found = compare(source, [Majority()], folds=3)
    assert any("'id' is like a key" in note for note in found.notes)


def test_text_is_set_aside_and_that_is_told():
    texts = [f"a long tale of row {k}, unlike all the others" for k in range(40)]
    rows = [(text, k % 4, "ab"[k % 2]) for k, text in enumerate(texts)]
    table = Table.of(rows, ["told", "n", "y"], kinds={"told": "text"})
    found = compare(table, folds=2)
    assert "Text" not in found.learners
    assert any("'told'" in note for note in found.notes)
    alone = table.with_roles({"n": "meta"})
    assert list(compare(alone, folds=4).learners) == ["Majority", "Text"]
    assert not compare(alone, Text(), folds=4).notes


def test_fewer_rows_than_folds():
    table = load("tennis")[:6]
    found = compare(table, [Majority(), NaiveBayes()])
    assert found.results.trials[0].count == 6
    assert any("6 folds" in note for note in found.notes)


def test_too_few_rows_and_no_columns_are_errors():
    with pytest.raises(DomainError, match="at least two rows"):
        compare(load("tennis")[:1])
    with pytest.raises(DomainError, match="nothing to learn from"):
        compare(load("tennis").select(["play"]))
    with pytest.raises(DomainError, match="no column is the target"):
        compare(load("tennis").with_roles({"play": "x"}))
    with pytest.raises(ParameterError, match="folds"):
        compare(load("tennis"), folds="many")


def test_few_numbers_may_be_classes():
    rows = [(k, k % 2) for k in range(0, 90, 3)]
    found = compare(Table.of(rows, ["x", "y"]), [Mean()])
    assert any("kinds={'y': 'sym'}" in note for note in found.notes)
    (told,) = compare(straight(1), [Mean()]).notes
    assert told == "5 of 80 rows were left out, as their 'y' is missing."


def test_measures_of_ones_own():
    table = load("titanic")[:400]
    learners = [Majority(), NaiveBayes(), Tree()]
    for measure in ("AUC", "brier", "balanced accuracy", "F1", "MCC", Cost({("yes", "no"): 9})):
        found = compare(table, learners, folds=3, measure=measure)
        name = found.results.score_name(measure)
        assert str(found).splitlines()[2].split()[1] == name.split()[0]
        assert found.legend.endswith(name)
        low, high = found.intervals()["NaiveBayes"]
        assert low <= found.scores()["NaiveBayes"] <= high
    with pytest.raises(ParameterError, match="no score 'profits'"):
        compare(table, measure="profits")
    with pytest.raises(ParameterError, match="RMSE is a score of predicted numbers"):
        compare(table, measure="RMSE")


def test_weights_and_missing_targets():
    found = compare(mixed(3, 60), folds=2)
    assert set(found.learners) >= {"Majority", "NaiveBayes", "Tree", "Logistic", "KNN", "Forest"}


def test_a_source(tmp_path):
    load("iris").write(tmp_path / "iris.csv")
    found = compare(scan(tmp_path / "iris.csv", target="Species"), folds=4)
    assert list(found.learners) == ["Majority", "NaiveBayes", "LDA"]
    assert any("source" in note for note in found.notes)
    named = compare(scan(tmp_path / "iris.csv", target="Species"), [Tree(), Majority()], folds=3)
    assert named.choice == "Tree"


def test_progress_goes_from_nothing_to_all():
    told = []
    compare(
        load("iris"), [NaiveBayes(), Tree(), KNN()], folds=5, progress=lambda *at: told.append(at)
    )
    assert told[0] == (0, 15)
    assert told[-1] == (15, 15)
    assert [done for done, _ in told] == sorted({done for done, _ in told})


def test_progress_on_a_source(tmp_path):
    load("iris").write(tmp_path / "iris.csv")
    told = []
    source = scan(tmp_path / "iris.csv", target="Species")
    compare(source, [NaiveBayes(), Tree()], folds=3, progress=lambda *at: told.append(at))
    assert told == [(0, 6), (3, 6), (4, 6), (5, 6), (6, 6)]


def test_printed_and_in_a_notebook(voting):
    printed = str(voting).splitlines()
    assert printed[0] == "party: 5-fold cross-validation"
    assert printed[2].split() == [
        "learner", "CA", "95", "%", "AUC", "Brier", "log", "loss", "seconds", "best"
    ]  # fmt: skip
    lines = {line.split()[0]: line for line in printed[3:6]}
    assert lines["Tree"].endswith("*")
    assert not lines["Majority"].endswith("*")
    assert voting.advice in printed
    assert max(map(len, printed[:7])) <= 80
    assert "<table>" in voting._repr_html_()
    assert voting.advice in voting._repr_html_()


def test_names_do_not_become_markup():
    table = Table.of([(k, "ab"[k % 2]) for k in range(30)], ["x", "<b>"])
    assert "<b>" not in compare(table, [Majority()])._repr_html_()


def test_it_is_exported():
    assert satsuma.compare is compare
