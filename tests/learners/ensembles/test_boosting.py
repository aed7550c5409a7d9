from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.ensemble import AdaBoostClassifier
from sklearn.tree import DecisionTreeClassifier

import satsuma
from satsuma import (
    KNN,
    LDA,
    Bagging,
    Boosting,
    GetProbabilities,
    Majority,
    Mean,
    NaiveBayes,
    Select,
    Table,
    cross_validate,
    open_model,
)
from satsuma.checks.law_tables import with_column
from satsuma.data.variable import Variable
from satsuma.errors import DomainError, ParameterError
from satsuma.learners.learner import Learner
from satsuma.learners.model import Classifier
from satsuma.learners.takes import Takes

WEIGHT = Variable("weight", "num", role="weight")


class StumpModel(Classifier):
    """One question, as scikit-learn asks it."""

    def __init__(self, name, threshold, chances):
        self.name, self.threshold, self.chances = name, threshold, chances

    def probabilities(self, batch):
        return self.chances[(batch.column(self.name) > self.threshold).astype(int)]


@dataclass(kw_only=True, eq=False)
class Stump(Learner):
    """A tree of one question, by scikit-learn."""

    takes: ClassVar[Takes] = Takes(kinds=("num",), missing=False)

    def learn(self, data):
        names = [v.name for v in data.domain.attributes]
        target = data.domain.target
        found = DecisionTreeClassifier(max_depth=1, random_state=0)
        found.fit(data.to_numpy(names), data.column(target.name), sample_weight=data.weights)
        inside = found.tree_
        chances = np.zeros((2, len(target.values)))
        leaves = [1, 2] if inside.node_count > 1 else [0, 0]
        chances[:, found.classes_] = inside.value[leaves, 0]
        return StumpModel(names[max(inside.feature[0], 0)], inside.threshold[0], chances)


def samme(learner, table, t):
    """The algorithm of Zhu and others (2009), written down row by row."""
    truth = table.column(table.domain.target.name)
    k = len(table.domain.target.values)
    weights = [1.0] * len(table)
    rounds = []
    for _ in range(t):
        model = learner(with_column(table, WEIGHT, np.array(weights)))
        codes = [model.classes.index(value) for value in model(table)]
        error = sum(w for w, c, y in zip(weights, codes, truth, strict=True) if c != y)
        error /= sum(weights)
        if error >= 1 - 1 / k:
            break
        alpha = np.log((1 - error) / error) + np.log(k - 1)
        rounds.append((model, alpha, error))
        weights = [
            w * np.exp(alpha) if c != y else w
            for w, c, y in zip(weights, codes, truth, strict=True)
        ]
        scale = len(table) / sum(weights)
        weights = [w * scale for w in weights]
    return rounds


@pytest.mark.parametrize(
    ("learner", "name"), [(NaiveBayes(), "voting"), (Stump(), "iris"), (LDA(), "heart_disease")]
)
def test_samme_by_hand(learner, name):
    table = satsuma.load(name)
    model = Boosting(learner, t=5, calibrate=False)(table)
    rounds = samme(learner, table, 5)
    assert len(rounds) > 2
    assert model.errors == pytest.approx([error for *_, error in rounds], abs=1e-9)
    alphas = np.array([alpha for _, alpha, _ in rounds])
    assert model.votes == pytest.approx(alphas / alphas.sum(), abs=1e-9)
    votes = np.zeros((len(table), len(model.classes)))
    for one, alpha, _ in rounds:
        for at, value in enumerate(one(table)):
            votes[at, model.classes.index(value)] += alpha / alphas.sum()
    np.testing.assert_allclose(model(table, GetProbabilities), votes, atol=1e-9)


@pytest.mark.parametrize("name", ["iris", "housing"])
def test_stumps_are_boosted_as_scikit_learn_boosts_them(name):
    table = satsuma.load(name)
    if name == "housing":
        labels = np.array(["low", "high"])[(table["MEDV"] > 21).astype(int)]
        kept = table.select(table.domain.names[:-1])
        variable = Variable("price", "sym", ("low", "high"), "target")
        table = with_column(kept, variable, (labels == "high").astype(np.int32))
    names = [v.name for v in table.domain.attributes]
    X, y = table.to_numpy(names), table.column(table.domain.target.name)
    ours = Boosting(Stump(), t=20)(table)
    theirs = AdaBoostClassifier(DecisionTreeClassifier(max_depth=1), n_estimators=20).fit(X, y)
    our_codes = np.array([ours.classes.index(value) for value in ours(table)])
    assert abs((our_codes == y).mean() - theirs.score(X, y)) < 0.03
    assert ours.errors[:3] == pytest.approx(theirs.estimator_errors_[:3], abs=1e-9)


class AsTheirs(ClassifierMixin, BaseEstimator):
    """Naive Bayes of ours among scikit-learn's estimators."""

    def fit(self, X, y, sample_weight=None):
        # They make weights sum to 1, which says that all rows together are one.
        self.inside_ = NaiveBayes(m=0).fit(X, y, sample_weight=sample_weight * len(X))
        self.classes_ = self.inside_.classes_
        return self

    def predict(self, X):
        return self.inside_.predict(X)


def test_bayes_is_boosted_as_scikit_learn_boosts_it():
    table = satsuma.load("voting")
    # A missing vote is taken for a no: they do not take it as it is.
    X = np.nan_to_num(table.to_numpy(v.name for v in table.domain.attributes))
    y = table["party"].astype(str)
    ours = Boosting(NaiveBayes(m=0), t=6, calibrate=False).fit(X, y)
    theirs = AdaBoostClassifier(AsTheirs(), n_estimators=6).fit(X, y)
    assert ours.model_.errors == pytest.approx(theirs.estimator_errors_, abs=1e-9)
    np.testing.assert_array_equal(ours.predict(X), theirs.predict(X))


def test_boosting_helps_what_is_weak():
    table = satsuma.load("voting")
    learners = {"plain": NaiveBayes(), "boosted": Boosting(NaiveBayes(), t=20)}
    scores = cross_validate(learners, table, seed=1).scores("CA")
    assert scores["boosted"] > scores["plain"] + 0.02


def test_it_stops_at_a_model_without_error():
    rows = [(0.0, "a"), (1.0, "a"), (9.0, "b"), (10.0, "b")]
    table = Table.of(rows, ["x", "y"])
    model = Boosting(LDA(), t=10, calibrate=False)(table)
    assert len(model.models) == 1
    assert model.errors.tolist() == [0.0]
    assert model(table[3], GetProbabilities)["b"] == 1.0


class Remembering(Classifier):
    """The class of each number that was seen."""

    def __init__(self, known):
        self.known = known

    def probabilities(self, batch):
        return np.eye(2)[[self.known[x] for x in batch.column("x")]]


@dataclass(kw_only=True, eq=False)
class Luck(Learner):
    """A stump where all rows weigh the same, and a perfect memory where they do not."""

    def learn(self, data):
        if (data.weights == 1).all():
            return Stump()(data)
        return Remembering(dict(zip(data.column("x"), data.column("y"), strict=True)))


def test_a_model_without_error_has_a_finite_vote():
    rows = [(0, "a"), (1, "a"), (2, "a"), (3, "b"), (4, "b"), (5, "a")]
    table = Table.of(rows, ["x", "y"])
    model = Boosting(Luck(), t=10, calibrate=False)(table)
    assert model.errors == pytest.approx([1 / 6, 0])
    votes = np.log([(5 / 6) / (1 / 6), (7 - 0.5) / 0.5])
    assert model.votes == pytest.approx(votes / votes.sum())
    assert list(model(table)) == [cls for _, cls in rows]


def test_it_stops_at_a_model_no_better_than_guessing():
    table = satsuma.load("iris")
    model = Boosting(Majority(), t=10)(table)  # a third is right: as good as guessing
    assert len(model.models) == 1
    assert model.votes.tolist() == [1.0]
    assert model(table[149]) == "setosa"
    # Once the weights are raised, both parties weigh the same but for rounding.
    model = Boosting(Majority(), t=10)(satsuma.load("voting"))
    assert len(model.models) == 1
    assert model.errors == pytest.approx([168 / 435])


def test_weights_are_rows():
    table = satsuma.load("heart_disease")
    weights = np.arange(len(table)) % 3.0
    repeated = table[np.repeat(np.arange(len(table)), weights.astype(int))]
    learner = Boosting(NaiveBayes(), t=4)
    first, second = learner(with_column(table, WEIGHT, weights)), learner(repeated)
    np.testing.assert_allclose(
        first(table, GetProbabilities), second(table, GetProbabilities), atol=1e-9
    )


def test_ties_do_not_depend_on_rounding():
    # After the first round both classes weigh the same, which is all that is known of a row with
    # nothing known; rows that are repeated, or in another order, add up to the same tie.
    rng = np.random.default_rng(0)
    rows = [(rng.integers(0, 3), "ab"[rng.random() < 0.3]) for _ in range(90)]
    table = Table.of(rows, ["x", "y"], kinds={"x": "sym"})
    weights = 1.0 + np.arange(90) % 3
    repeated = table[np.repeat(np.arange(90), weights.astype(int))]
    learner = Boosting(Majority(), t=4, learning_rate=0.5)
    first = learner(with_column(table, WEIGHT, weights))
    assert len(first.models) > 1
    for other in (learner(repeated), learner(repeated[::-1])):
        np.testing.assert_array_equal(first.errors, other.errors)
        np.testing.assert_array_equal(first.votes, other.votes)


def test_a_small_rate_changes_weights_less():
    table = satsuma.load("voting")
    slow, quick = (Boosting(NaiveBayes(), t=2, learning_rate=rate)(table) for rate in (0.1, 1.0))
    assert slow.errors[0] == quick.errors[0]
    assert slow.errors[0] < slow.errors[1] < quick.errors[1]


def test_it_can_be_kept_and_read(tmp_path):
    table = satsuma.load("voting")
    model = Boosting(Bagging(NaiveBayes(), t=2), t=2)(table)
    model.save(tmp_path / "model")
    opened = open_model(tmp_path / "model")
    np.testing.assert_array_equal(opened(table, GetProbabilities), model(table, GetProbabilities))
    assert str(opened) == str(model)
    assert str(model).splitlines()[1:2] == ["model   vote  error"]


def test_what_is_refused():
    table = satsuma.load("iris")

    @dataclass(kw_only=True, eq=False)
    class Unweighted(KNN):
        takes: ClassVar[Takes] = Takes(weights=False)

    for learner, words in (
        (Boosting(NaiveBayes(), t=0), "'t' parameter of Boosting"),
        (Boosting(NaiveBayes(), learning_rate=0), "'learning_rate' parameter of Boosting"),
        (Boosting(Mean()), "must be a learner of classes that takes weights"),
        (Boosting(Unweighted()), "must be a learner of classes that takes weights"),
        (Boosting(Select(NaiveBayes(), n=0)), "'n' parameter of Select"),
        (Boosting(learner=3), "'learner' parameter of Boosting"),
    ):
        with pytest.raises(ParameterError, match=words):
            learner(table)
    with pytest.raises(DomainError, match="Boosting predicts symbols"):
        Boosting(KNN())(satsuma.load("housing"))


@pytest.mark.parametrize(("name", "depth"), [("voting", 1), ("iris", 2)])
def test_small_trees_are_boosted_unless_a_learner_is_given(name, depth):
    table = satsuma.load(name)
    model = Boosting(t=5)(table)
    inside = model.models[0].learner
    assert (inside.measure, inside.split, inside.max_depth) == ("gini", "binary", depth)
    found = model(table, GetProbabilities)
    assert (found > 0).all()
    shares = model.shares(table)[:, model.seen]
    want = np.exp(model.slope * shares + model.constants)
    np.testing.assert_allclose(found, want / want.sum(axis=1, keepdims=True), atol=1e-12)


def test_calibrated_votes_have_less_log_loss_than_their_shares():
    table = satsuma.load("heart_disease")
    learners = {str(each): Boosting(t=20, calibrate=each) for each in (True, False)}
    loss = cross_validate(learners, table, folds=5, seed=1).scores("log loss")
    assert loss["True"] < loss["False"] - 0.05


def test_what_calibrates_votes_has_not_seen_the_rows():
    """Labels at random: a memory of them is right about no other row, and nothing is certain."""
    rng = np.random.default_rng(0)
    rows = [(x, "ab"[at % 2]) for at, x in enumerate(rng.normal(size=200).tolist())]
    table = Table.of(rows, ["x", "y"])
    found = Boosting(KNN(k=1, m=0), t=3)(table)(table, GetProbabilities)
    assert abs(found - 0.5).max() < 0.15
