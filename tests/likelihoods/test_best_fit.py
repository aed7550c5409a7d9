"""BestFit: for each column the evidence that is least wrong about rows it has not learned from."""

import numpy as np
import pytest
from sklearn.metrics import log_loss
from sklearn.naive_bayes import GaussianNB

import satsuma
from satsuma import KDE, Generative, NaiveBayes, Table, load
from satsuma.checks import checks
from satsuma.errors import DomainError
from satsuma.kernels.cuts import compare
from satsuma.likelihoods.best_fit import ENOUGH, BestFit, Comparison, _Dealt
from satsuma.likelihoods.binned import Binned, IntervalProbabilities
from satsuma.likelihoods.density_losses import density_losses
from satsuma.likelihoods.gaussian import Gaussian, Gaussians
from satsuma.likelihoods.kde import Densities
from satsuma.tallies.row_sample import LIMIT, RowSample
from satsuma.tallies.values import Values

CHOICE = {"bell": Gaussians, "hills": IntervalProbabilities, "steps": IntervalProbabilities}


def made(n=3000):
    """A bell, two hills beside a bell, and steps: each asks for a block of its own."""
    rng = np.random.default_rng(3)
    y = rng.integers(0, 2, n)
    bell = rng.normal(size=n) + y
    beside = rng.choice([-2.5, 2.5], n) + 0.6 * rng.normal(size=n)
    hills = np.where(y == 0, rng.normal(size=n), beside)
    steps = (rng.integers(0, 4, n) * 2 + np.where(rng.uniform(size=n) < 0.9, y, 1 - y)) / 8
    columns = np.stack([bell, hills, steps + rng.uniform(0, 1 / 8, n)], axis=1)
    rows = [(*cells, f"c{each}") for cells, each in zip(columns.tolist(), y, strict=True)]
    return Table.of(rows, [*CHOICE, "y"], target="y")


def kinds_of(model):
    return {name: type(each) for each in model.evidence for name in each.names}


def test_each_column_has_what_fits_it():
    assert kinds_of(NaiveBayes()(made())) == CHOICE


def test_few_rows_are_gaussian():
    table = made(ENOUGH - 1)
    assert set(kinds_of(NaiveBayes()(table)).values()) == {Gaussians}
    heavy = NaiveBayes()(table, weights=np.full(len(table), 100.0))
    assert IntervalProbabilities in kinds_of(heavy).values()


def test_a_bell_is_that_of_all_rows_and_intervals_are_those_of_the_sample():
    table = made()
    model = NaiveBayes()(table)
    bell = Gaussian().conclude(Gaussian().tally(table.select(["bell", "y"])))
    np.testing.assert_array_equal(model.about("bell").mean, bell.mean)
    np.testing.assert_array_equal(model.about("bell").sd, bell.sd)
    sample, said = RowSample.of(table), model.about("hills")
    expected = Binned().conclude(Values.of(sample.weighing(sample.weight)))
    for at, name in enumerate(said.names):
        mine = expected.names.index(name)
        np.testing.assert_array_equal(said.cuts[at], expected.cuts[mine])
        np.testing.assert_allclose(said.shares[at], expected.shares[mine])
        np.testing.assert_array_equal(said.ends[at], expected.ends[mine])


def test_of_few_rows_intervals_are_those_of_all():
    table = made(LIMIT - 1)
    expected = NaiveBayes(number="mdl", calibrate=False)(table).about("steps")
    said = NaiveBayes(calibrate=False)(table).about("steps")
    here, there = said.names.index("steps"), expected.names.index("steps")
    np.testing.assert_array_equal(said.cuts[here], expected.cuts[there])
    np.testing.assert_allclose(said.shares[here], expected.shares[there])


def test_the_loss_of_bells_is_that_of_scikit_learn():
    """Its variance is over n, so that a spread over n - 1 is written over it."""
    table = made(400)
    sample = RowSample.of(table)
    rows, loss = _Dealt.of(sample, ("bell",)), 0.0
    for fold in range(5):
        train, test = rows.fold != fold, rows.fold == fold
        x = rows.cells[0][:, None]
        peer = GaussianNB(var_smoothing=0).fit(x[train], rows.label[train])
        n = peer.class_count_[:, None]
        peer.var_ = peer.var_ * n / (n - 1)
        chances = peer.predict_proba(x[test])
        loss += log_loss(rows.label[test], chances, normalize=False)
    assert compare(rows.column(0)).bell == pytest.approx(loss, rel=1e-9)


@pytest.mark.parametrize("parts", [1, 7, 100])
@pytest.mark.parametrize("rows", [700, 2500])
def test_neither_order_nor_parts_make_a_difference(parts, rows):
    table, learner = made(rows), NaiveBayes()
    shuffled = table[np.random.default_rng(parts).permutation(len(table))]
    each = [learner.tally(shuffled[at::parts]) for at in range(parts)]
    whole, total = learner(table), learner.concluded(sum(each[1:], each[0]))
    assert kinds_of(total) == kinds_of(whole) == CHOICE
    for cuts, same in zip(whole.about("hills").cuts, total.about("hills").cuts, strict=True):
        np.testing.assert_array_equal(cuts, same)
    assert whole.temperature == total.temperature
    np.testing.assert_allclose(whole.probabilities(table), total.probabilities(table), rtol=1e-9)


def test_a_model_learned_in_parts_is_that_of_all_rows():
    table = made(1500)
    x, y = np.stack([table.column(name) for name in CHOICE], axis=1), np.array(table["y"])
    order = np.random.default_rng(0).permutation(len(x))
    whole, parts = NaiveBayes().fit(x, y), NaiveBayes()
    for at in range(7):
        parts.partial_fit(x[order[at::7]], y[order[at::7]], classes=["c0", "c1"])
    np.testing.assert_allclose(whole.predict_proba(x), parts.predict_proba(x), rtol=1e-9)


def test_it_shares_the_tally_of_gaussians():
    assert NaiveBayes().tally_kind == NaiveBayes(number="gaussian").tally_kind
    assert (
        NaiveBayes(calibrate=False).tally_kind
        != NaiveBayes(number="gaussian", calibrate=False).tally_kind
    )


def test_cross_validation_is_that_of_models_learned_fold_by_fold():
    table = made(600)
    results = satsuma.cross_validate(NaiveBayes(), table, folds=5, seed=1)
    folds = results.trials[0].parts
    for fold in range(5):
        train, test = np.flatnonzero(folds != fold), np.flatnonzero(folds == fold)
        expected = NaiveBayes()(table[train]).probabilities(table[test])
        np.testing.assert_allclose(results.probabilities()[test], expected, rtol=1e-9)


def test_a_weight_of_two_is_a_row_twice():
    table = made(400)
    one = NaiveBayes()(table, weights=np.full(400, 2.0))
    two = NaiveBayes()(table[np.repeat(np.arange(400), 2)])
    np.testing.assert_allclose(one.probabilities(table), two.probabilities(table), rtol=1e-9)


def test_missing_cells_are_left_out():
    table = made(800)
    x = np.stack([table.column(name) for name in CHOICE], axis=1)
    x[::3, 2] = np.nan
    holes = NaiveBayes(calibrate=False).fit(x, table["y"])
    known = ~np.isnan(x[:, 2])
    without = NaiveBayes(calibrate=False).fit(x[known], table["y"][known])
    np.testing.assert_array_equal(
        holes.model_.about("x2").cuts[-1], without.model_.about("x2").cuts[-1]
    )
    assert np.isfinite(holes.predict_proba(x)).all()


def test_the_tally_does_not_grow_with_the_rows():
    def size(n):
        states = [part.state() for part in NaiveBayes().tally(made(n)).parts]
        arrays = [each for state in states for each in state.values()]
        return sum(each.nbytes for each in arrays if isinstance(each, np.ndarray))

    assert 0 < size(LIMIT) == size(4 * LIMIT) < 64 * LIMIT


@pytest.mark.parametrize("calibrate", [True, False])
def test_rows_are_forgotten(calibrate):
    table = made(900)
    learner = NaiveBayes(calibrate=calibrate)
    left, rest = learner(table).forget(table[600:]), learner(table[:600])
    np.testing.assert_allclose(
        left.probabilities(table), rest.probabilities(table), rtol=1e-6, atol=1e-9
    )


def test_what_was_read_again_forgets_and_keeps_its_intervals(tmp_path):
    table = made(900)
    model = NaiveBayes()(table)
    model.save(tmp_path / "model.satsuma")
    opened = satsuma.open_model(tmp_path / "model.satsuma")
    np.testing.assert_array_equal(opened.probabilities(table), model.probabilities(table))
    left = opened.forget(table[600:])
    assert kinds_of(left) == CHOICE
    assert left.temperature == model.temperature
    np.testing.assert_array_equal(left.about("steps").shares[0], model.about("steps").shares[0])
    bell = NaiveBayes(number="gaussian")(table[:600]).about("bell")
    np.testing.assert_allclose(left.about("bell").sd[:, 0], bell.sd[:, 0], rtol=1e-6)


def test_without_a_sample_there_are_bells():
    table = made(LIMIT + 500)
    model, sample = NaiveBayes()(table), RowSample.of(table)
    left = model.forget(sample.weighing(sample.weight))
    assert set(kinds_of(left).values()) == {Gaussians}


def test_beside_other_blocks():
    table = made(600)
    model = Generative(blocks=[Gaussian(columns=("bell",)), BestFit()], calibrate=False)(table)
    assert kinds_of(model) == CHOICE
    assert model.temperature == 1
    assert kinds_of(NaiveBayes(prior={"c0": 0.5, "c1": 0.5})(table)) == CHOICE


def test_an_infinite_number_is_refused():
    x = np.array([[1.0], [np.inf], [2.0]] * 20)
    with pytest.raises((DomainError, ValueError), match="inf"):
        NaiveBayes().fit(x, ["a", "b", "a"] * 20)


def test_an_empty_sample_has_nothing_to_choose():
    assert Comparison.of(RowSample.zero(made(40).domain), ("bell",)).names == ()


@pytest.mark.parametrize("name", ["heart_disease", "iris", "adult_sample"])
@pytest.mark.figures
def test_it_is_about_as_good_as_the_best_alone(name):
    learners = {each: NaiveBayes(number=each) for each in ("gaussian", "mdl", "auto")}
    loss = satsuma.cross_validate(learners, load(name), folds=5).scores("log loss")
    assert loss["auto"] < (loss["gaussian"] + min(loss.values())) / 2 + 0.02


def dense(n=1200):
    """A bell, and a column of two hills for a class where bells are no good and cuts are coarse."""
    rng = np.random.default_rng(5)
    y = rng.integers(0, 2, n)
    bell = rng.normal(size=n) + y
    waves = np.where(y == 0, rng.choice([-1, 1], n) * 1.5, 0) + 0.6 * rng.normal(size=n)
    rows = [(*cells, f"c{each}") for *cells, each in zip(bell, waves, y, strict=True)]
    return Table.of(rows, ["bell", "waves", "y"], target="y")


def test_a_density_is_taken_where_it_is_least_wrong():
    table = dense()
    assert kinds_of(NaiveBayes()(table))["waves"] is IntervalProbabilities
    model = NaiveBayes(number="any")(table)
    assert kinds_of(model) == {"bell": Gaussians, "waves": Densities}
    losses = satsuma.cross_validate([NaiveBayes(), NaiveBayes(number="any")], table).scores(
        "log loss"
    )
    assert list(losses.values()) == sorted(losses.values(), reverse=True)


def test_densities_are_those_of_the_sample():
    table = dense()
    sample = RowSample.of(table)
    said = NaiveBayes(number="any")(table).about("waves")
    expected = KDE().conclude(Values.of(sample.weighing(sample.weight).select(["waves", "y"])))
    asked = table[:50]
    np.testing.assert_allclose(said.log_evidence(asked), expected.log_evidence(asked))


def test_the_loss_of_densities_is_that_of_a_model_of_the_other_folds():
    table = dense(300)
    rows, loss = _Dealt.of(RowSample.of(table), ("waves",)), 0.0
    for fold in range(5):
        learner = NaiveBayes(number="kde", calibrate=False)
        model = learner(rows.rows[np.flatnonzero(rows.fold != fold)])
        asked = rows.rows[np.flatnonzero(rows.fold == fold)]
        loss += log_loss(asked.column("y"), model.probabilities(asked), normalize=False)
    found = density_losses(rows.rows, rows.fold, rows.class_weight[:5], ["waves"], 1e-9)
    assert found == pytest.approx([loss], rel=1e-6)


@pytest.mark.parametrize(
    "check", [pytest.param(check, id=name) for name, check in checks(NaiveBayes(number="any"))]
)
def test_law_of_any(check):
    check()
