"""The bellwether search: how few rows it takes, and that its report is true."""

import numpy as np
import pytest

import satsuma
from satsuma import KNN, RP0, Bubbles, NaiveBayes, Tree
from satsuma.active.bubbles import indistinguishably_best
from satsuma.errors import ParameterError, SatsumaError
from tests.active.few import blobs, numeric


def labelled(rows=1500, apart=2.0, seed=0):
    table, _ = blobs(seed, rows=rows, labelled=rows, apart=apart)
    return table


@pytest.mark.parametrize("inside", [NaiveBayes(), Tree(), KNN(k=3)])
def test_the_model_is_that_of_its_rows(inside):
    table = labelled()
    model = Bubbles(inside, draws=3)(table)
    assert model.report.rows == len(model.which) == len(np.unique(model.which))
    assert model.rows.equals(table[model.which])
    alone = inside(table[model.which])
    np.testing.assert_array_equal(model.probabilities(table), alone.probabilities(table))


@pytest.mark.parametrize("most", [0.02, 0.1])
@pytest.mark.parametrize("seed", range(3))
def test_no_more_rows_than_were_allowed(seed, most):
    table = labelled(seed=seed)
    report = Bubbles(NaiveBayes(), most=most, seed=seed, draws=2)(table).report
    assert 0 < report.rows <= most * len(table)
    assert report.searched + report.tested == report.of == len(table)


def test_the_report_is_what_rows_kept_aside_say():
    """They are a fifth of each class, none of which was searched; the loss can be had again."""
    table = labelled()
    model = Bubbles(NaiveBayes(), seed=3)(table)
    told = model.report
    from satsuma.folds import even_order

    order = even_order(table.column("y"), np.random.default_rng(3))
    aside, kept = order[:300], np.sort(order[300:])
    assert not np.isin(model.which, aside).any()
    whole = NaiveBayes()(table[kept])
    truth = table.column("y")[aside]
    assert told.tested == 300
    assert told.right == pytest.approx((model.codes(table[aside]) == truth).mean(), abs=1e-12)
    assert told.of_all == pytest.approx((whole.codes(table[aside]) == truth).mean(), abs=1e-12)
    assert told.lost == told.of_all - told.right
    assert told.succeeded == (told.lost <= 0.02)


def test_easy_rows_have_a_bellwether():
    report = Bubbles(NaiveBayes())(labelled(apart=4.0)).report
    assert report.succeeded
    assert "No bellwether" not in str(report)


def test_it_says_that_it_could_not():
    """Whether the sum of six bits is odd cannot be told from a handful of rows."""
    rng = np.random.default_rng(0)
    bits = rng.integers(0, 2, (1500, 8)).astype(float)
    table = numeric(bits, (bits[:, :6].sum(axis=1) % 2).astype(np.int32), ("even", "odd"))
    model = Bubbles(KNN(k=1), most=0.005)(table)
    assert not model.report.succeeded
    assert model.report.lost > 0.02
    assert "No bellwether was found" in str(model)


def test_few_rows_are_learned_from_as_they_are():
    table = labelled(rows=12)
    model = Bubbles(NaiveBayes(), most=1.0)(table)
    assert model.report.rows == 12
    assert model.report.tested == 0
    assert not model.report.succeeded
    assert "too few" in str(model.report)


def test_rows_without_a_class_or_weight_are_not_among_them():
    table, _ = blobs(rows=900, labelled=600)
    model = Bubbles(NaiveBayes(), draws=2)(table)
    assert (table.column("y")[model.which] >= 0).all()
    assert model.report.of == 600


def test_a_model_that_was_saved_has_numbers_and_no_rows(tmp_path):
    table = labelled(rows=400)
    model = Bubbles(NaiveBayes(), draws=1)(table)
    model.save(tmp_path / "few.satsuma")
    opened = satsuma.open_model(tmp_path / "few.satsuma")
    np.testing.assert_array_equal(opened.which, model.which)
    assert opened.report == model.report
    with pytest.raises(SatsumaError, match=r"table\[model.which\]"):
        _ = opened.rows


def test_whoever_can_be_told_from_the_best_is_not_among_them():
    rng = np.random.default_rng(0)
    chances = np.array([0.9, 0.89, 0.4, 0.91, 0.5, 0.88, 0.3, 0.9])
    right = rng.random((8, 8 * 200)) < chances[:, None]
    found = indistinguishably_best(right, np.ones(1600), [200] * 8)
    assert set(found) <= {0, 1, 3, 5, 7}
    assert len(found) > 1


def test_a_model_is_not_judged_by_its_own_part():
    right = np.zeros((3, 30), bool)
    right[0, :10] = True  # all of its own, and nothing else
    right[1, 20:] = True
    assert indistinguishably_best(right, np.ones(30), [10] * 3)[0] == 1


@pytest.mark.parametrize("wrong", [{"learner": RP0()}, {"most": 0}, {"M": 0}, {"draws": 0}])
def test_wrong_parameters_are_refused(wrong):
    with pytest.raises(ParameterError, match=next(iter(wrong))):
        Bubbles(**{"learner": NaiveBayes(), **wrong})(labelled(rows=30))
