"""A learner that overrides a method is scored as it learns, whatever shortcut there is for it."""

from dataclasses import dataclass

import numpy as np
import pytest

import satsuma
from satsuma import Bagging, Generative, Majority, Mean, NaiveBayes, Ridge, Stacking, Table
from satsuma.checks import check_learner
from satsuma.learners.baselines import MajorityModel
from satsuma.learners.generative.model import GenerativeModel
from satsuma.learners.learner import Learner, RoundsLearner, TallyLearner
from satsuma.learners.linear.ridge import RidgeModel
from satsuma.learners.predictions import GetBoth, GetProbabilities
from satsuma.learners.takes import Takes, TakesBy
from satsuma.likelihoods.gaussian import Gaussian, Gaussians
from satsuma.tallies import ClassCounts, Moments


@dataclass(kw_only=True, eq=False)
class Costly(Majority):
    """The first class counts ten times."""

    def tally(self, batch):
        counted = ClassCounts.of(batch)
        cost = np.where(np.array(counted.classes) == min(counted.classes), 10.0, 1.0)
        return ClassCounts(counted.domain, counted.class_weight * cost, counted.counts)


@dataclass(kw_only=True, eq=False, repr=False)
class Relabelled(NaiveBayes):
    """All rows are learned as being of the last class but one row in seven."""

    def learn(self, data):
        codes = data.column(data.domain.target.name).copy()
        codes[np.arange(len(codes)) % 7 > 0] = len(data.domain.target.values) - 1
        columns = [
            codes if variable.role == "target" else data.column(variable.name)
            for variable in data.domain
        ]
        return super().learn(Table(data.domain, columns))


@dataclass(kw_only=True, eq=False)
class Called(Majority):
    """It learns from the first ten rows."""

    def __call__(self, data):
        return super().__call__(data[:10])


class LastFirst(GenerativeModel):
    """The probabilities of the parent, backwards."""

    def probabilities(self, batch):
        return super().probabilities(batch)[:, ::-1]


class LeastProbable(GenerativeModel):
    """The class that the parent thinks least of."""

    def chosen(self, probabilities):
        return probabilities.argmin(axis=1)


class AlwaysLast(GenerativeModel):
    """The last class, whatever the probabilities."""

    def codes(self, batch):
        return np.full(len(batch), len(self.classes) - 1)


@dataclass(kw_only=True, eq=False, repr=False)
class Backwards(NaiveBayes):
    """A model of a class of its own."""

    def conclude(self, tally):
        model = super().conclude(tally)
        return LastFirst(model.prior, model.evidence, model.tally)


@dataclass(kw_only=True, eq=False, repr=False)
class Least(NaiveBayes):
    """A model of a class of its own."""

    def conclude(self, tally):
        model = super().conclude(tally)
        return LeastProbable(model.prior, model.evidence, model.tally)


@dataclass(kw_only=True, eq=False, repr=False)
class Last(NaiveBayes):
    """A model of a class of its own."""

    def conclude(self, tally):
        model = super().conclude(tally)
        return AlwaysLast(model.prior, model.evidence, model.tally)


class Inverted(Gaussians):
    """Evidence against what the Gaussians say."""

    def log_evidence(self, batch):
        return -super().log_evidence(batch)


@dataclass(kw_only=True, frozen=True)
class Against(Gaussian):
    """A block whose evidence has another `log_evidence`."""

    def conclude(self, tally):
        found = super().conclude(tally)
        return Inverted(found.names, found.mean, found.sd)


@dataclass(kw_only=True, frozen=True)
class FirstClass(Gaussian):
    """A block with another tally: the first class weighs a hundred times as much."""

    def tally(self, batch):
        codes = batch.column(batch.domain.target.name)
        rows = np.repeat(np.arange(len(batch)), np.where(codes == 0, 100, 1))
        return Moments.of(batch[rows])


@dataclass(kw_only=True, eq=False)
class Shifted(Ridge):
    """The first half of the rows, by their target, is learned from."""

    def tally(self, batch):
        target = batch.column(batch.domain.target.name)
        return super().tally(batch[np.flatnonzero(target < 20)])


class Doubled(RidgeModel):
    """Twice what the parent predicts."""

    def numbers(self, batch):
        return 2 * super().numbers(batch)


@dataclass(kw_only=True, eq=False)
class Doubling(Ridge):
    """A model of a class of its own."""

    def conclude(self, tally):
        model = super().conclude(tally)
        doubled = Doubled.__new__(Doubled)
        vars(doubled).update(vars(model))
        return doubled


@dataclass(kw_only=True, eq=False)
class Low(Mean):
    """It learns from rows with a small target."""

    def learn(self, data):
        target = data.column(data.domain.target.name)
        return super().learn(data[np.flatnonzero(target < 20)])


@dataclass(kw_only=True, eq=False)
class Plain(Learner):
    """A learner without any shortcut: it calls another one with the rows."""

    inner: Learner
    takes = TakesBy(lambda self: Takes(target=self.inner.takes.target, rounds="rows"))

    def learn(self, data):
        return self.inner(data)


CLASSES = [
    Costly(),
    Relabelled(),
    Called(),
    Backwards(),
    Least(),
    Last(),
    Generative(blocks=[Against()]),
    Generative(blocks=[FirstClass()]),
]
NUMBERS = [Shifted(), Doubling(), Low()]
EVERY = CLASSES + NUMBERS
BY_ROWS = (Relabelled, Called, Low)


def table_for(learner):
    if learner.takes.target == "classes":
        iris = satsuma.load("iris")
        return iris[np.random.default_rng(5).permutation(150)[:90]]
    rng = np.random.default_rng(3)
    x = rng.uniform(0, 40, 90)
    cells = list(zip(x, rng.normal(size=90), x + rng.normal(size=90), strict=True))
    return Table.of(cells, ["x", "noise", "y"])


def same(found, wanted):
    if np.asarray(wanted).dtype.kind in "OU":
        return np.asarray(found, object).tolist() == np.asarray(wanted, object).tolist()
    return np.allclose(np.asarray(found, float), np.asarray(wanted, float), rtol=1e-9, atol=1e-12)


def predictions(trial, name):
    """What was predicted, as labels or numbers, and the probabilities if there are any."""
    found, values = trial.predictions[name], trial.target.values
    if not values:
        return found.predicted, None
    return np.array(values, object)[found.predicted], found.probabilities


def check_folds(learner, table, trial, name):
    """Each row was answered by a model of the rows of all other folds, asked row by row."""
    found, probabilities = predictions(trial, name)
    for fold in range(trial.count):
        model = learner(table[np.flatnonzero(trial.parts != fold)])
        for at in np.flatnonzero(trial.parts == fold).tolist():
            assert same([found[at]], [model(table[at])])
            if probabilities is not None:
                assert same(probabilities[at], [*model(table[at], GetProbabilities).values()])


@pytest.mark.parametrize("learner", EVERY, ids=repr)
def test_cross_validation_is_a_loop_over_folds(learner):
    table = table_for(learner)
    results = satsuma.cross_validate({"it": learner}, table, folds=4, seed=1)
    check_folds(learner, table, results.trials[0], "it")
    if table.domain.target.kind == "sym":
        (trial,) = results.trials
        right = predictions(trial, "it")[0] == table[table.domain.target.name]
        by_fold = [right[trial.parts == fold].mean() for fold in range(4)]
        assert results.scores("CA")["it"] == pytest.approx(np.mean(by_fold))


@pytest.mark.parametrize("learner", EVERY, ids=repr)
def test_every_way_of_testing_scores_it_as_one_without_shortcuts(learner):
    table = table_for(learner)
    score = "CA" if table.domain.target.kind == "sym" else "RMSE"
    both = {"it": learner, "plain": Plain(inner=learner)}
    for results in (
        satsuma.cross_validate(both, table, folds=5),
        satsuma.cross_validate(both, table, folds=len(table), stratified=False),
        satsuma.hold_out(both, table, seed=1),
        *satsuma.learning_curve(both, table, sizes=[20, 40], folds=3).results,
    ):
        found = results.scores(score)
        assert found["it"] == pytest.approx(found["plain"], rel=1e-9)


@pytest.mark.parametrize("learner", EVERY, ids=repr)
def test_one_row_and_a_table_and_the_verbs_agree(learner):
    table = table_for(learner)
    model = learner(table)
    one_by_one = [model(table[at]) for at in range(len(table))]
    assert same(model(table), one_by_one)
    target = table.domain.target
    fitted = type(learner)(**learner.get_params(deep=False)).fit(table, table[target.name])
    assert same(fitted.predict(table), one_by_one)
    if target.kind == "sym":
        assert same([model(table[at], GetBoth)[0] for at in range(len(table))], one_by_one)
        assert same(model(table, GetBoth)[0], one_by_one)
        assert same(
            model(table, GetProbabilities),
            [[*model(row, GetProbabilities).values()] for row in table],
        )


@pytest.mark.parametrize("learner", EVERY, ids=repr)
def test_ensembles_use_it_as_one_without_shortcuts(learner):
    table = table_for(learner)
    beside = Majority() if learner.takes.target == "classes" else Mean()
    for made in (
        lambda one: Bagging(one, t=3),
        lambda one: Stacking([one, beside], folds=3),
    ):
        found, wanted = made(learner)(table), made(Plain(inner=learner))(table)
        assert same(found(table), wanted(table))


@pytest.mark.parametrize("learner", [e for e in EVERY if not isinstance(e, BY_ROWS)], ids=repr)
def test_a_source_is_scored_as_it_learns(learner, tmp_path):
    table = table_for(learner)
    satsuma.write(table, tmp_path / "rows.parquet")
    source = satsuma.scan(tmp_path / "rows.parquet", target=table.domain.target.name)
    results = satsuma.cross_validate({"it": learner}, source, folds=3)
    check_folds(learner, table, results.trials[0], "it")


@pytest.mark.parametrize("learner", [Relabelled(), Called(), Low()], ids=repr)
def test_one_that_does_not_learn_from_a_tally_alone_has_no_partial_fit(learner):
    assert not hasattr(learner, "partial_fit")


def test_a_tally_of_its_own_is_lawful():
    check_learner(Costly())


def test_rounds_follow_from_the_base_class():
    @dataclass(kw_only=True, eq=False)
    class Symbols(TallyLearner):
        takes = Takes(kinds=("sym",))

        def tally(self, batch):
            return ClassCounts.of(batch)

        def conclude(self, tally):
            return MajorityModel(tally.class_weight / tally.class_weight.sum())

    @dataclass(kw_only=True, eq=False)
    class Parametrized(Symbols):
        takes = TakesBy(lambda _: Takes(kinds=("sym",)))

    class Rounds(RoundsLearner):
        takes = Takes(kinds=("num",))

    class Rows(Learner):
        takes = Takes(kinds=("num",))

    assert Symbols.takes.rounds == Symbols().takes.rounds == "one"
    assert hasattr(Symbols(), "partial_fit")
    assert Parametrized().takes.rounds == "one"
    assert (Rounds.takes.rounds, Rows.takes.rounds) == ("many", "rows")
    assert Takes(rounds="rows").within(TallyLearner).rounds == "rows"
