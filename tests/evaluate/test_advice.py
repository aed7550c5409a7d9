"""The verdict: what is better than a baseline, and that it does not hang on the folds."""

import re

import numpy as np
import pytest

from satsuma import (
    KNN,
    LDA,
    BoostedTrees,
    Domain,
    Forest,
    Logistic,
    Majority,
    Mean,
    NaiveBayes,
    RegressionTree,
    Ridge,
    Stacking,
    Table,
    Tree,
    Variable,
    compare,
    load,
    test_on,
)
from satsuma.evaluate.assessment import assess
from satsuma.evaluate.comparison import Comparison
from satsuma.evaluate.results import Results
from satsuma.evaluate.trial import Predictions, Trial


def classes(x, y, kinds=("num", "num")):
    """A table of columns and a class of two."""
    named = [
        Variable(f"x{at}", kind, tuple("uv") if kind == "sym" else ())
        for at, kind in enumerate(kinds)
    ]
    target = Variable("y", "sym", ("no", "yes"), "target")
    return Table(Domain([*named, target]), [*x, np.asarray(y).astype(np.int32)])


def unequal(seed=0, n=2000):
    """Yes is 35 % of the rows with one symbol, and 3 % of those with the other."""
    rng = np.random.default_rng(seed)
    x = rng.integers(0, 2, n)
    y = rng.random(n) < np.where(x, 0.35, 0.03)
    return classes([x.astype(np.int32), rng.normal(size=n)], y, ("sym", "num"))


@pytest.mark.parametrize("folds", [2, 5, 10])
def test_a_model_that_no_prediction_gains_by_is_better_by_its_probabilities(folds):
    learners = [Majority(), NaiveBayes(), Tree(prune="mdl"), LDA()]
    found = compare(unequal(), learners, folds=folds)
    assert found.scores("CA")["NaiveBayes"] == found.scores("CA")["Majority"]
    assert found.measure == "log loss"
    assert "Majority" not in found.best
    assert found.choice in ("NaiveBayes", "Tree")
    assert "Nothing is better" not in found.advice
    assert "ranked by log loss" in found.advice
    assert "of the baseline Majority" in found.advice
    assert "by log loss" in str(found)


def test_a_model_may_be_better_by_its_order_alone():
    """A hundred copies of one column make naive Bayes far too sure, and its order is right."""
    rng = np.random.default_rng(3)
    y = rng.random(400) < 0.15
    x = rng.normal(size=400) + 0.9 * y
    learners = [Majority(), NaiveBayes(calibrate=False)]
    found = compare(classes([x] * 100, y, ["num"] * 100), learners)
    assert found.scores("CA")["NaiveBayes"] < found.scores("CA")["Majority"]
    assert found.scores("log loss")["NaiveBayes"] > found.scores("log loss")["Majority"]
    assert (found.measure, found.choice) == ("AUC", "NaiveBayes")


@pytest.mark.parametrize("seed", range(5))
def test_a_hundred_and_fifty_rows_are_enough_where_the_order_is_good(seed):
    """As many rows as a table of hepatitis has, a fifth of them of the rarer class."""
    rng = np.random.default_rng(seed)
    y = np.arange(155) < 32
    x = rng.normal(size=(3, 155)) + 0.9 * y
    found = compare(classes(x, y, ["num"] * 3), [Majority(), Logistic(), KNN()])
    assert found.scores("AUC")["Logistic"] > 0.8
    assert found.choice == "Logistic"


SIX = [Majority(), NaiveBayes(), Logistic(), Tree(prune="mdl"), LDA(), KNN()]


@pytest.mark.figures
def test_heart_disease_has_one_verdict_whatever_the_folds():
    heart = load("heart_disease")
    six = [compare(heart, SIX, folds=folds) for folds in (2, 3, 5, 10)]
    more = [compare(heart, [*SIX, Forest(trees=20)], folds=folds) for folds in (2, 4)]
    assert {each.choice for each in six + more} <= {"LDA", "Logistic", "NaiveBayes"}
    assert {each.measure for each in six + more} == {"CA"}
    assert all("of the baseline Majority" in each.advice for each in six + more)


NOTHING = "Nothing is significantly better than "


def test_noise_is_not_better_than_the_majority():
    claimed, leant_to, tables = 0, 0, 24
    for seed in range(tables):
        rng, share = np.random.default_rng(seed), (0.5, 0.2, 0.08)[seed % 3]
        n, folds = int(rng.choice([60, 150, 400])), int(rng.choice([2, 3, 5, 10]))
        y = rng.random(n) < share
        y[:2] = True, False
        table = classes([*rng.normal(size=(2, n)), rng.exponential(size=n)], y, ["num"] * 3)
        found = compare(table, [Majority(), NaiveBayes(), LDA(), KNN()], folds=folds)
        claimed += not found.advice.startswith(NOTHING)
        leant_to += found.choice != "Majority"
        assert found.choice in found.best
    assert claimed <= 0.05 * tables
    assert leant_to <= 0.2 * tables


def test_of_few_rows_the_estimate_is_taken_and_that_it_is_not_proven_said():
    rng = np.random.default_rng(4)
    y = np.arange(40) < 20
    table = classes([rng.normal(size=40) + 0.6 * y, rng.normal(size=40)], y, ["num"] * 2)
    found = compare(table, [Majority(), LDA()], folds=5)
    gain = found.scores("CA")["LDA"] - found.scores("CA")["Majority"]
    assert 0.02 < gain < 0.3
    assert found.choice == "LDA"
    assert found.advice.startswith(NOTHING)
    assert "If a model is needed, take LDA: compared with Majority alone, it is better by" in (
        found.advice
    )


def test_noise_is_not_better_than_the_mean():
    claimed, tables = 0, 40
    for seed in range(tables):
        rng = np.random.default_rng(seed)
        y = rng.lognormal(sigma=1.5, size=120) if seed % 2 else rng.normal(size=120)
        domain = Domain([Variable("a"), Variable("b"), Variable("y", role="target")])
        table = Table(domain, [*rng.normal(size=(2, 120)), y])
        found = compare(table, [Mean(), Ridge(), KNN()], folds=(2, 3, 5, 10)[seed % 4])
        claimed += not found.advice.startswith(NOTHING)
    assert claimed <= 0.05 * tables


def test_what_cannot_be_read_is_told_beside_what_can():
    found = compare(load("housing"), [Mean(), Ridge(), Forest(trees=10)], folds=3)
    assert found.best == ("Forest",)
    assert found.choice == "Forest"
    told = found.results.difference("Forest", "Ridge")
    low, high = told.interval()
    by = f"{told.mean:.4f} ({low:.4f} to {high:.4f})"
    assert f"Ridge can be read: Forest is better by {by}, and by more than matters" in found.advice


def test_a_model_that_can_be_read_is_taken_where_the_best_is_hardly_better():
    learners = {"Forest": Forest(trees=30), "Majority": Majority(), "Logistic": Logistic()}
    found = compare(load("heart_disease"), [Majority(), Logistic(), LDA()])
    assert (found.best[0], found.choice) == ("LDA", "Logistic")
    told = found.results.difference("LDA", "Logistic")
    assert f"LDA is better by {told.mean:.4f}" in found.advice
    sure = round(100 * told.probability_above(0.01))
    assert 0 < sure < 50
    matters = "less than the 0.0100 that matter; it is better by more than that with a probability"
    assert f"{matters} of {sure} %." in found.advice
    exact = compare(load("iris"), learners, measure="log loss", folds=5)
    assert exact.measure == "log loss"
    assert "ranked by" not in exact.advice


def test_few_rows_are_told():
    rng = np.random.default_rng(2)
    x = rng.normal(size=(2, 60))
    found = compare(classes(x, x[0] + 0.5 * rng.normal(size=60) > 0), [Majority(), Logistic()])
    low, high = found.intervals()["Logistic"]
    assert found.advice.endswith(f"With so few rows, its accuracy may be {low:.4f} or {high:.4f}.")


def drawn(seed, n, target):
    """Rows whose target hangs on a line and a bend, so that it is open which learner is best."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(4, n))
    y = x[0] + np.abs(x[1]) + rng.normal(size=n)
    if target == "classes":
        return classes(x, y > 0.8, ["num"] * 4)
    return Table(Domain([*map(Variable, "abcd"), Variable("y", role="target")]), [*x, y])


CLASSES = [Majority(), Logistic(), NaiveBayes(), KNN(), Tree(prune="mdl")]
NUMBERS = [Mean(), Ridge(), KNN(), RegressionTree()]


@pytest.mark.parametrize(("target", "learners"), [("classes", CLASSES), ("numbers", NUMBERS)])
def test_whoever_is_far_better_in_truth_was_not_kept_quiet(target, learners):
    """Compared on few rows, scored on many others: it is near the best, or that is told."""
    far, told = 0, 0
    for seed in range(10):
        found = compare(drawn(seed, 70, target), learners, folds=5)
        new = drawn(seed + 1000, 3000, target)
        truth = test_on(found.learners, drawn(seed, 70, target), new)
        score = "CA" if target == "classes" else "RMSE"
        scores = truth.scores(score)
        best = max(scores.values()) if target == "classes" else min(scores.values())
        gap = abs(scores[found.choice] - best)
        said = "may be better by up to" in found.advice
        is_far = gap > 0.05 * (1 if target == "classes" else new.column("y").std())
        assert said or not is_far, (seed, gap, found.advice)
        far, told = far + is_far, told + said
    assert far > 0
    assert told >= far
    assert "may be better" not in compare(drawn(0, 3000, target), learners, folds=3).advice


@pytest.mark.parametrize(("target", "learners"), [("classes", CLASSES), ("numbers", NUMBERS)])
def test_by_how_much_another_may_be_better_is_the_end_of_an_interval(target, learners):
    found = compare(drawn(4, 90, target), learners, folds=5)
    others = [name for name in found.ranks if name not in (found.choice, "Majority", "Mean")]
    ends = {
        name: found.results.difference(name, found.choice, found.measure).interval()[1]
        for name in others
    }
    name = max(ends, key=ends.get)
    assert f"{name} may be better by up to {ends[name]:.4f}." in found.advice


def right_so_often(**counts):
    """A comparison of learners of which each is right about so many of 2,000 rows, at random."""
    made = {"Majority": Majority(), "Logistic": Logistic(), "Forest": Forest(trees=2)}
    made |= {"Boosted": BoostedTrees(), "Stack": Stacking([Logistic(), KNN()])}
    rng, truth = np.random.default_rng(0), np.arange(2000, dtype=np.int32) % 2
    target = Variable("y", "sym", ("no", "yes"), "target")
    parts = rng.permutation(2000).astype(np.int32) % 5
    trial = Trial(target, truth, None, parts, 5, 0.25)
    for name, count in counts.items():
        wrong = rng.permutation(2000) >= count
        codes = np.where(wrong, 1 - truth, truth).astype(np.int8)
        both = np.eye(2)[codes] * 0.8 + 0.1
        trial.predictions[name] = Predictions(codes, 0.0, lambda both=both: both)
    learners = {name: made[name] for name in counts}
    return Comparison(learners, Results(list(counts), [trial], "made up"))


@pytest.mark.parametrize(
    ("counts", "wanted"),
    [
        ({"Logistic": 1790, "Forest": 1800, "Stack": 1795}, "Logistic"),  # within .01
        ({"Logistic": 1700, "Forest": 1800, "Stack": 1770}, "Stack"),  # within .02
        ({"Logistic": 1700, "Forest": 1800, "Stack": 1750}, "Forest"),
        ({"Logistic": 1700, "Forest": 1800, "Boosted": 1795}, "Forest"),
        ({"Logistic": 1700, "Forest": 1780, "Stack": 1800}, "Stack"),
    ],
)
def test_a_stack_is_taken_where_nothing_near_the_best_can_be_read(counts, wanted):
    found = right_so_often(Majority=1000, **counts)
    assert found.choice == wanted
    if found.choice == "Stack" and counts["Stack"] < counts["Forest"]:
        told = found.results.difference("Forest", "Stack")
        assert f"Forest is better by {told.mean:.4f}" in found.advice
        assert "best of 3" in found.advice
        assert "Logistic can be read: Stack is better by" in found.advice


def test_an_assessment_names_a_score_by_which_the_learner_is_better_than_the_baseline():
    """A class that is the rarer one everywhere: accuracy cannot tell, probabilities can."""
    rng = np.random.default_rng(0)
    x = rng.integers(0, 2, 600).astype(np.int32)
    y = (rng.random(600) < np.where(x == 1, 0.42, 0.06)).astype(np.int32)
    domain = Domain([
        Variable("x", "sym", ("u", "v")), Variable("y", "sym", ("no", "yes"), "target")
    ])  # fmt: skip
    rows = np.flatnonzero(y == 1).tolist() + np.flatnonzero(y == 0)[:380].tolist()
    told = assess(NaiveBayes(), Table(domain, [x, y])[rows], folds=4)
    assert told.measure == "CA"
    assert not told.better
    assert re.search(
        r"better than that, but it is by log loss: 0\.\d+ against 0\.\d+\.$", str(told)
    )
    assert told.facts()["otherwise"] == told.otherwise
    noise = Table(domain, [x, rng.permutation(y)])[rows]
    assert str(assess(NaiveBayes(), noise, folds=4, leaks=())).endswith("better than that.")
