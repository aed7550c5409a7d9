"""Naive Bayes and its kin calibrate themselves, in one round."""

import numpy as np
import pytest

import satsuma
from satsuma import LDA, QDA, Calibrated, Generative, GetProbabilities, NaiveBayes, Table
from satsuma.data.domain import Domain
from satsuma.data.variable import Variable
from satsuma.tallies import RowSample

KINDS = [NaiveBayes, LDA, QDA, Generative]


def repeated(n, seed=0):
    """Six columns that say nearly the same, with missing cells: naive Bayes believes all."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, n)
    said = y + rng.normal(size=n)
    cells = [said + rng.normal(size=n) / 5 for _ in range(5)]
    cells[0][rng.random(n) < 0.3] = np.nan
    codes = (said + rng.normal(size=n) / 5 > 0.5).astype(np.int32)
    domain = Domain(
        [
            *(Variable(f"x{at}") for at in range(5)),
            Variable("s", "sym", ("low", "high")),
            Variable("y", "sym", ("no", "yes"), "target"),
        ]
    )
    return Table(domain, [*cells, codes, y.astype(np.int32)])


def log_loss(model, table):
    found = model(table, GetProbabilities)
    return -np.log(found[np.arange(len(table)), table.column("y")]).mean()


@pytest.mark.parametrize("n", [300, 4000])
def test_it_promises_less_and_predicts_the_same(n):
    learned, fresh = repeated(n), repeated(2000, seed=1)
    calm, plain = NaiveBayes()(learned), NaiveBayes(calibrate=False)(learned)
    assert 3 < calm.temperature < 8
    assert plain.temperature == 1
    assert (calm(fresh) == plain(fresh)).all()
    assert log_loss(calm, fresh) < log_loss(plain, fresh) - 0.2


@pytest.mark.parametrize("name", ["voting", "heart_disease"])
def test_the_temperature_is_that_of_cross_validation(name):
    table = satsuma.load(name)
    for kind in KINDS:
        wrapped = Calibrated(kind(calibrate=False))(table)
        # Folds and missing cells are not treated alike.
        assert kind()(table).temperature == pytest.approx(wrapped.temperature, rel=0.15), kind


def test_what_little_is_known_is_believed():
    learned = repeated(500)
    calm, plain = NaiveBayes()(learned), NaiveBayes(calibrate=False)(learned)
    nothing = calm.asked({})
    np.testing.assert_allclose(calm.probabilities(nothing)[0], calm.prior)
    for known in ({"x1": 2.0}, {"s": "high"}):
        ours, theirs = calm.asked(known), plain.asked(known)
        np.testing.assert_allclose(calm.probabilities(ours), plain.probabilities(theirs))
    half = calm.asked({"x1": 2.0, "x2": 2.0, "x3": 2.0})
    odds = np.log(plain.probabilities(half)[0])
    warm = 1 + (calm.temperature - 1) * 2 / 5
    found = np.log(calm.probabilities(half)[0])
    assert found[1] - found[0] == pytest.approx((odds[1] - odds[0]) / warm)


@pytest.mark.parametrize("kind", KINDS)
def test_it_takes_one_round_however_rows_come(kind, tmp_path):
    table = repeated(2500)
    X, y = table.select([v.name for v in table.domain.attributes]).to_pandas(), table["y"]
    whole = kind().fit(X, y)
    parts = kind()
    for at in range(3):
        parts.partial_fit(X[at::3], y[at::3], classes=whole.classes_)
    np.testing.assert_allclose(parts.predict_proba(X), whole.predict_proba(X), rtol=1e-7)
    table[:900].write(tmp_path / "a.csv")
    table[900:].write(tmp_path / "b.csv")
    source = satsuma.scan(tmp_path / "*.csv", target="y")
    assert kind()(source).temperature == pytest.approx(kind()(table).temperature)


def test_rows_are_forgotten(tmp_path):
    table = repeated(600)
    rest = NaiveBayes()(table).forget(table[:200])
    assert rest.temperature == pytest.approx(NaiveBayes()(table[200:]).temperature)
    model = NaiveBayes()(table)
    model.save(tmp_path / "m.satsuma")
    opened = satsuma.open_model(tmp_path / "m.satsuma")
    assert opened.temperature == model.temperature
    assert opened.tally.get(RowSample) is None
    # The rows that it was calibrated by are not there any more.
    assert opened.forget(table[:200]).temperature == model.temperature


def test_explanations_add_up():
    table = repeated(500)
    model = NaiveBayes()(table)
    for row in range(20):
        found = model(table[row], GetProbabilities)
        told = model.explain(table[row], "yes", "no")
        odds = np.log(found["yes"] / found["no"])
        assert sum(told.parts.values()) == pytest.approx(odds, abs=1e-9)


def test_a_block_of_rows_and_a_prior_of_ones_own_are_left_as_they_are():
    table = repeated(300)
    assert NaiveBayes(prior={"no": 0.9, "yes": 0.1})(table).temperature == 1
    assert NaiveBayes()(table.select(["x1", "y"])).temperature == 1
    assert NaiveBayes()(Table.of([(1, 2, "a"), (2, 3, "a")], ["x", "z", "y"])).temperature == 1
