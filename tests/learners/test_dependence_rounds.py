"""AnDE in one round: by default where there are symbols alone, and with cuts that are known."""

import numpy as np
import pytest

import satsuma
from satsuma import (
    MDL,
    AnDE,
    EqualFrequency,
    GetProbabilities,
    Laplace,
    NaiveBayes,
    Table,
    cross_validate,
    load,
    merge_models,
    open_model,
)
from satsuma.checks.batches import Batches
from satsuma.errors import DomainError, ParameterError, ReadError
from satsuma.evaluate import cross_validation
from satsuma.evaluate.candidates import candidates_of_one_pass
from satsuma.tallies import JointCounts, RowSample

VOTING, IRIS = load("voting"), load("iris")
CUTS = MDL(n=4)(IRIS).cuts


def probabilities(model, table):
    return model(table, GetProbabilities)


def frame(table):
    names = [v.name for v in table.domain.attributes]
    return table.select(names).to_pandas(), np.array(table[table.domain.target.name].tolist())


@pytest.fixture
def passes():
    """How often all rows were gone over."""
    found = []

    class Counted(Batches):
        def reduce(self, tally):
            found.append(1)
            return super().reduce(tally)

    return Counted, found


@pytest.mark.parametrize(
    ("learner", "table", "rounds"),
    [
        (AnDE(), VOTING, 1),
        (AnDE(n=2, number="mdl"), VOTING[:60], 1),
        (AnDE(number=CUTS), IRIS, 1),
        (AnDE(), IRIS, 2),
        (AnDE(number=EqualFrequency(3), calibrate=False), IRIS, 2),
    ],
    ids=repr,
)
def test_rounds(learner, table, rounds, passes):
    counted, found = passes
    model = learner(counted(table, size=50))
    assert len(found) == rounds
    assert (model.temperature != 1) == learner.calibrate
    np.testing.assert_allclose(
        probabilities(model, table), probabilities(learner(table), table), rtol=1e-9
    )


def test_the_default_is_what_one_without_numbers_is():
    one, other = AnDE()(VOTING), AnDE(number=None)(VOTING)
    np.testing.assert_array_equal(probabilities(one, VOTING), probabilities(other, VOTING))
    known = AnDE(number=CUTS)(IRIS)
    np.testing.assert_array_equal(probabilities(known, IRIS), probabilities(AnDE()(IRIS), IRIS))


def test_batches_add_up():
    X, y = frame(VOTING)
    whole, parts = AnDE().fit(X, y), AnDE()
    for at in range(3):
        parts.partial_fit(X[at::3], y[at::3], classes=whole.classes_)
    assert parts.fitted_model().temperature == whole.model_.temperature > 1
    np.testing.assert_allclose(parts.predict_proba(X), whole.predict_proba(X), rtol=1e-9)
    begun = AnDE().fit(X[:100], y[:100]).partial_fit(X[100:], y[100:])
    np.testing.assert_allclose(begun.predict_proba(X), whole.predict_proba(X), rtol=1e-9)


def test_a_column_that_is_missing_at_first_may_turn_out_to_hold_symbols():
    X, y = frame(VOTING[:60])
    holed = X[:20].copy()
    holed[holed.columns[3]] = None
    chained = AnDE().partial_fit(holed, y[:20]).partial_fit(X[20:], y[20:])
    X.iloc[:20, 3] = None
    np.testing.assert_allclose(
        chained.predict_proba(X), AnDE().fit(X, y).predict_proba(X), rtol=1e-9
    )
    later = X[20:].assign(**{X.columns[3]: 1.5})
    with pytest.raises(DomainError, match="where to cut numbers"):
        AnDE().partial_fit(holed, y[:20]).partial_fit(later, y[20:])


def test_numbers_whose_cuts_are_not_known_are_refused_by_name():
    X, y = frame(IRIS)
    learner = AnDE()
    with pytest.raises(DomainError, match=r"'Sepal\.Length'.*AnDE\(number=MDL\(\)\(table\)\.cuts"):
        learner.partial_fit(X, y)
    assert not learner.__sklearn_is_fitted__()
    with pytest.raises(DomainError, match=r"cut numbers, such as 'Sepal\.Length'.*NaiveBayes"):
        AnDE()(IRIS).forget(IRIS[:9])
    parts = (
        AnDE(number=MDL(n=4)(IRIS).cuts).partial_fit(X[::2], y[::2]).partial_fit(X[1::2], y[1::2])
    )
    np.testing.assert_allclose(parts.predict_proba(X), AnDE().fit(X, y).predict_proba(X), rtol=1e-9)


def test_one_that_learns_otherwise_has_no_partial_fit():
    class Other(AnDE):
        def learn(self, data):
            return super().learn(data)

    assert hasattr(AnDE(), "partial_fit")
    assert not hasattr(Other(), "partial_fit")
    assert not Other().in_one_round(VOTING.domain)


def test_folds_are_merged_in_one_pass_and_are_those_of_learning_anew(monkeypatch):
    class Anew(AnDE):
        def learn(self, data):
            return super().learn(data)

    anew = cross_validate(Anew(), VOTING, seed=1)
    monkeypatch.setattr(cross_validation, "_refitted", None)  # no fold is learned by itself
    merged = cross_validate(AnDE(), VOTING, seed=1)
    for score in ("CA", "log loss", "Brier"):
        one, other = merged.scores(score)["AnDE"], anew.scores(score)["Anew"]
        assert one == pytest.approx(other, rel=1e-9)
    with pytest.raises(TypeError):
        cross_validate(AnDE(), IRIS)


def test_learners_on_other_cuts_are_not_taken_for_one():
    learners = {
        "MDL": AnDE(number=CUTS),
        "the same": AnDE(number={name: each.copy() for name, each in CUTS.items()}),
        "halves": AnDE(number=EqualFrequency(2)(IRIS).cuts),
    }
    together = cross_validate(learners, IRIS).scores("log loss")
    for name, learner in learners.items():
        alone = cross_validate({name: learner}, IRIS).scores("log loss")
        assert together[name] == pytest.approx(alone[name], rel=1e-12)
    assert together["MDL"] == together["the same"] != together["halves"]


@pytest.mark.parametrize("learner", [AnDE(), AnDE(calibrate=False, prior=Laplace())], ids=repr)
def test_rows_are_forgotten(learner, tmp_path):
    model = learner(VOTING)
    rest, expected = model.forget(VOTING[:100]), learner(VOTING[100:])
    assert rest.temperature == pytest.approx(expected.temperature)
    np.testing.assert_allclose(
        probabilities(rest, VOTING), probabilities(expected, VOTING), rtol=1e-9
    )
    model.save(tmp_path / "m.satsuma")
    opened = open_model(tmp_path / "m.satsuma")
    np.testing.assert_array_equal(probabilities(opened, VOTING), probabilities(model, VOTING))
    later = opened.forget(VOTING[:100])
    assert later.temperature == model.temperature
    np.testing.assert_array_equal(later.tally.class_weight, rest.tally.class_weight)


def test_of_many_rows_some_are_kept_to_calibrate_by():
    rng = np.random.default_rng(3)
    codes = rng.integers(0, 4, (6000, 5))
    y = (codes[:, 0] + codes[:, 1] + rng.integers(0, 3, 6000)) % 3
    cells = np.column_stack([codes, rng.integers(0, 50, 6000), y]).astype(str)
    table = Table.of(cells.tolist(), list("abcdefy"), kinds=dict.fromkeys("abcdefy", "sym"))
    learner = AnDE()
    tally = learner.tally(table)
    assert [type(each) for each in tally.parts] == [JointCounts, RowSample]
    assert len(tally[RowSample].hashes) == 1000
    model = learner(table)
    truth = table.column("y")
    plain = model.left_out(table)

    def loss(temperature):
        heated = plain.clip(1e-9) ** (1 / temperature)
        return -np.log(heated[np.arange(6000), truth] / heated.sum(axis=1)).mean()

    best = min(map(loss, np.exp(np.linspace(-1, 2, 301))))
    assert loss(model.temperature) < best + 0.002
    shuffled = learner(table[rng.permutation(6000)])
    assert shuffled.temperature == model.temperature


def test_models_of_symbols_are_merged():
    learner = AnDE(calibrate=False)
    merged = merge_models([learner(VOTING[:200]), learner(VOTING[200:])])
    np.testing.assert_allclose(
        probabilities(merged, VOTING), probabilities(learner(VOTING), VOTING), rtol=1e-9
    )
    with pytest.raises(ParameterError, match="keeps no tally that could be added"):
        merge_models([learner(IRIS[::2]), learner(IRIS[1::2])])


@pytest.mark.parametrize("n", [0, 1, 2])
def test_a_prior_of_ones_own_moves_log_odds(n):
    prior = {"republican": 0.2, "democrat": 0.8}
    plain, own = (AnDE(n=n, prior=each, calibrate=False)(VOTING[:80]) for each in (None, prior))
    shares = dict(zip(plain.classes, plain.prior, strict=True))
    asked = VOTING[80:160]
    odds = [
        np.log(each[:, 0] / each[:, 1]) for each in (probabilities(m, asked) for m in (plain, own))
    ]
    one, other = plain.classes
    moved = np.log(prior[one] / prior[other]) - np.log(shares[one] / shares[other])
    np.testing.assert_allclose(odds[1] - odds[0], moved, rtol=1e-9)
    told = own.explain(asked[0])
    chances = probabilities(own, asked)[0]
    assert told.total == pytest.approx(abs(np.log(chances[0] / chances[1])), rel=1e-9)
    nothing = own.asked({})
    np.testing.assert_allclose(own.probabilities(nothing)[0], [prior[each] for each in own.classes])


def test_without_parents_a_prior_is_that_of_naive_bayes():
    prior = {"republican": 0.2, "democrat": 0.8}
    for each in (prior, Laplace()):
        ours = AnDE(n=0, m=2, prior=each, calibrate=False)(VOTING)
        theirs = NaiveBayes(m=2, prior=each, calibrate=False)(VOTING)
        np.testing.assert_allclose(
            probabilities(ours, VOTING), probabilities(theirs, VOTING), rtol=1e-9
        )


def test_a_model_with_a_prior_of_ones_own_is_not_calibrated_and_can_be_kept(tmp_path):
    prior = {"republican": 0.0, "democrat": 1.0}
    model = AnDE(prior=prior)(VOTING)
    assert model.temperature == 1
    assert set(model(VOTING)) == {"democrat"}
    model.save(tmp_path / "m.satsuma")
    opened = open_model(tmp_path / "m.satsuma")
    np.testing.assert_array_equal(probabilities(opened, VOTING), probabilities(model, VOTING))
    assert set(model.sample(50, seed=1)["party"]) == {"democrat"}
    given = AnDE(prior={"republican": 0.2, "democrat": 0.8})(VOTING).given("crime", "y")
    assert given.prior.sum() == pytest.approx(1)


def test_a_class_without_rows_stays_impossible():
    prior = {"setosa": 0.2, "versicolor": 0.5, "virginica": 0.3}
    rows = IRIS[50:]
    own, smoothed = AnDE(prior=prior)(rows), AnDE(prior=Laplace(), calibrate=False)(rows)
    assert own.prior.tolist() == pytest.approx([0, 0.625, 0.375])
    for model in (own, smoothed):
        found = probabilities(model, IRIS)
        assert (found[:, 0] == 0).all()
        np.testing.assert_allclose(found.sum(axis=1), 1)


@pytest.mark.parametrize("wrong", [np.array([0.5, 0.6]), np.array([1.0]), np.array([-0.5, 1.5])])
def test_a_saved_prior_is_checked(wrong, tmp_path):
    model = AnDE()(VOTING)
    model.prior = wrong
    model.save(tmp_path / "m.satsuma")
    with pytest.raises(ReadError, match="prior"):
        open_model(tmp_path / "m.satsuma")


def test_files_are_learned_and_cross_validated_in_one_pass(tmp_path):
    VOTING.write(tmp_path / "whole.csv")
    for at, rows in enumerate((VOTING[:150], VOTING[150:])):
        rows.write(tmp_path / f"part{at}.csv")
    source = satsuma.scan(tmp_path / "part*.csv", target="party")
    model, whole = AnDE()(source), AnDE()(satsuma.read(tmp_path / "whole.csv", target="party"))
    assert model.temperature == whole.temperature
    np.testing.assert_allclose(
        probabilities(model, VOTING), probabilities(whole, VOTING), rtol=1e-9
    )
    assert cross_validate(AnDE(), source, folds=5).scores("CA")["AnDE"] > 0.93


def test_it_is_compared_on_sources_that_it_goes_over_once():
    assert "AnDE" in candidates_of_one_pass(VOTING.domain).learners
    assert "AnDE" not in candidates_of_one_pass(IRIS.domain).learners
