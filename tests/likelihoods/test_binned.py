"""Intervals: against pandas and scikit-learn, and learners that are made with curves."""

import numpy as np
import pandas as pd
import pytest
from sklearn.naive_bayes import CategoricalNB

import satsuma
from satsuma import KDE, Binned, Loess, NaiveBayes, Table, cross_validate
from satsuma.checks import checks
from satsuma.errors import SatsumaError
from satsuma.likelihoods.binned import interval_labels
from satsuma.tallies import Values


def test_equal_width_is_that_of_pandas():
    x = np.random.default_rng(2).exponential(size=200)
    rows = [(v, "ab"[k % 2]) for k, v in enumerate(x)]
    said = Binned(method="width", n=7, m=0).conclude(Values.of(Table.of(rows, ["x", "y"])))
    bins = pd.cut(x, 7, labels=False)
    assert said.cuts[0] == pytest.approx(np.linspace(x.min(), x.max(), 8)[1:-1])
    for c in (0, 1):
        want = np.bincount(bins[c::2], minlength=7) / 100
        assert said.shares[0][:, c] == pytest.approx(want)


def test_equal_frequency_parts_no_equal_numbers():
    x = np.random.default_rng(2).permutation(120).astype(float)
    rows = [(v, "ab"[k % 2]) for k, v in enumerate(x)]
    said = Binned(method="frequency", n=6, m=0).conclude(Values.of(Table.of(rows, ["x", "y"])))
    assert (said.shares[0].sum(axis=1) * 60).round(9).tolist() == [20] * 6
    rows = [(v, "ab"[k % 2]) for k, v in enumerate([0.0] * 50 + list(range(1, 31)))]
    said = Binned(method="frequency", n=4).conclude(Values.of(Table.of(rows, ["x", "y"])))
    assert said.cuts[0].tolist() == [0.5, 10.5]


def test_it_is_categorical_naive_bayes_of_the_intervals():
    rng = np.random.default_rng(7)
    y = rng.integers(0, 3, 300)
    x = rng.normal(size=(300, 2)) + y[:, None]
    rows = [(*row, "abc"[c]) for row, c in zip(x.tolist(), y, strict=True)]
    days = Table.of(rows, ["u", "v", "y"])
    model = NaiveBayes(number=Binned(m=5 * 0.5, method="width", n=5), calibrate=False)(days)
    codes = np.stack(
        [np.searchsorted(cut, x[:, j]) for j, cut in enumerate(model.evidence[0].cuts)], axis=1
    )
    theirs = CategoricalNB(alpha=0.5, min_categories=5).fit(codes, y)
    mine = [model.classes.index(c) for c in "abc"]
    found = model(days, satsuma.GetProbabilities)
    assert np.asarray(found)[:, mine] == pytest.approx(theirs.predict_proba(codes), abs=1e-9)


def test_a_number_on_a_cut_is_in_the_interval_below():
    rows = [(x, "no" if x < 4 else "yes") for x in range(8)]
    said = Binned(m=0).conclude(Values.of(Table.of(rows, ["x", "y"])))
    assert said.cuts[0].tolist() == [3.5]
    found = said.log_evidence(Table.of([(3.5,), (np.nextafter(3.5, 4),), (None,)], ["x"]))
    assert found.tolist() == [[0, -np.inf], [-np.inf, 0], [0, 0]]


def test_a_column_without_cuts_says_nothing():
    rows = [(x, "ab"[x % 2]) for x in range(20)]
    model = NaiveBayes(number="mdl", calibrate=False)(Table.of(rows, ["x", "y"]))
    assert model.evidence[0].log_evidence(Table.of([(3.0,)], ["x"])).tolist() == [[0, 0]]
    assert "says nothing" in str(model)


def test_intervals_can_be_read():
    assert interval_labels(np.array([1.0, 1.00001])) == ["≤ 1", "(1, 1.00001]", "> 1.00001"]
    rows = [(x, "no" if x < 4 else "yes") for x in range(8)]
    assert "> 3.5" in str(NaiveBayes(number="mdl", calibrate=False)(Table.of(rows, ["x", "y"])))


def test_parameters_are_checked():
    days = Table.of([(1, "a"), (2, "b")], ["x", "y"])
    for bad in ({"method": "magic"}, {"n": 0}, {"m": -1}):
        with pytest.raises(SatsumaError, match=f"'{next(iter(bad))}' parameter of Binned"):
            NaiveBayes(number=Binned(**bad), calibrate=False)(days)


VARIANTS = {
    "kde": NaiveBayes(number="kde", calibrate=False),
    "kde-triangular": NaiveBayes(
        number=KDE(kernel="triangular", bandwidth="scott"), calibrate=False
    ),
    "loess": NaiveBayes(number="loess", calibrate=False),
    "loess-narrow": NaiveBayes(number=Loess(window=0.2, points=10), calibrate=False),
    "mdl": NaiveBayes(number="mdl", calibrate=False),
    "frequency": NaiveBayes(number=Binned(method="frequency", n=4, m=0), calibrate=False),
}


@pytest.mark.parametrize(
    "check",
    [
        pytest.param(check, id=f"{variant}-{name}")
        for variant, learner in VARIANTS.items()
        for name, check in checks(learner)
    ],
)
def test_law(check):
    check()


@pytest.mark.parametrize("variant", VARIANTS)
def test_folds_merged_are_folds_learned_anew(variant):
    learner = VARIANTS[variant]
    heart = satsuma.load("heart_disease")
    folds = np.arange(len(heart)) % 5
    parts = learner.tally_kind.by_fold(heart, folds, 5)
    for left_out in range(5):
        rest = [part for fold, part in enumerate(parts) if fold != left_out]
        merged = rest[3] + (rest[0] + (rest[2] + rest[1]))
        anew = learner(heart[folds != left_out])
        test = heart[folds == left_out]
        found = learner.concluded(merged).probabilities(test)
        assert found == pytest.approx(anew.probabilities(test), abs=1e-9)


@pytest.mark.parametrize("variant", VARIANTS)
def test_mixed_tables_with_holes_are_learned_from(variant):
    for name in ("heart_disease", "titanic", "adult_sample"):
        scores = cross_validate([VARIANTS[variant]], satsuma.load(name), folds=3, seed=1).scores(
            "CA"
        )
        assert next(iter(scores.values())) > 0.7
