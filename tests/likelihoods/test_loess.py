"""Loess: against regressions by NumPy, and the golden figures."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import satsuma
from satsuma import Loess, NaiveBayes, Table, cross_validate
from satsuma.errors import SatsumaError
from satsuma.likelihoods.loess import squash
from satsuma.measures.estimates import rake
from satsuma.measures.local_regression import local_shares, thin
from satsuma.tallies import Values


def regressed(x, y, at, window):
    """The height at a point of a line by weighted least squares, through the nearest rows."""
    away = np.abs(x - at)
    reach = np.sort(away)[min(max(3, int(np.ceil(len(x) * window))), len(x)) - 1]
    if reach == 0:
        return y[away == 0].mean()
    w = np.clip(1 - (away / reach) ** 3, 0, None) ** 3
    if np.ptp(x[w > 0]) == 0:
        return y[w > 0].mean()
    design = np.stack([np.ones_like(x), x - at], axis=1) * np.sqrt(w)[:, None]
    return np.linalg.lstsq(design, y * np.sqrt(w), rcond=None)[0][0]


@given(
    st.lists(st.tuples(st.integers(0, 30), st.sampled_from([0, 1])), min_size=4, max_size=60),
    st.floats(0.3, 1),
)
def test_shares_are_those_of_weighted_least_squares(rows, window):
    x, y = np.array(rows, float).T
    value = np.unique(x)
    weight = np.array([[((x == v) & (y == c)).sum() for c in (0, 1)] for v in value], float)
    found = local_shares(value, weight, value, window)
    want = [regressed(x, y, v, window) for v in value]
    assert found[:, 1] == pytest.approx(want, abs=1e-6)
    assert found.sum(axis=1) == pytest.approx(1)


def test_neighbours_taken_together_change_next_to_nothing():
    rng = np.random.default_rng(4)
    y = rng.integers(0, 3, 20_000)
    x = rng.normal(size=20_000) + y
    runs = [(np.sort(x[y == c]), np.ones((y == c).sum())) for c in range(3)]
    value, weight = thin(runs)
    assert len(value) < 1000
    assert weight.sum(axis=0).tolist() == [len(v) for v, _ in runs]
    order = np.argsort(x)
    at = np.quantile(x, np.linspace(0, 1, 20))
    exact = local_shares(x[order], np.eye(3)[y[order]], at, 0.5)
    assert np.abs(local_shares(value, weight, at, 0.5) - exact).max() < 1e-3


@given(st.floats(1e-6, 1 - 1e-6))
def test_squashing_is_continuous_stays_inside_and_keeps_the_share(share):
    p = np.linspace(-1, 2, 1001)[:, None] * share
    q = squash(p, np.array([share]))
    assert ((q >= 0) & (q <= 1)).all()
    assert (np.diff(q[:, 0]) >= 0).all()
    assert np.diff(q[:, 0]).max() < 1e-2
    assert squash(np.array([[share]]), np.array([share])) == pytest.approx(share, rel=1e-12)
    other = squash(1 - p, np.array([1 - share]))
    assert other == pytest.approx(1 - q, abs=1e-12)


def test_squashing_of_classes_that_are_not_rare_is_that_of_orange():
    """Above 0.9 and below 0.1 the logistic function of Orange 2's loess."""
    p = np.linspace(-0.3, 1.3, 161)
    tail = 1 / (1 + np.exp(10 * np.log(9) * (0.1 - p) + np.log(9)))
    head = 1 / (1 + np.exp(-10 * np.log(9) * (p - 0.9) - np.log(9)))
    want = np.where(p < 0.1, tail, np.where(p > 0.9, head, p))
    for share in (0.2, 1 / 3, 0.5, 0.8):
        assert squash(p[:, None], np.array([share]))[:, 0] == pytest.approx(want, abs=1e-12)


@given(st.integers(2, 5), st.integers(1, 30), st.integers(0, 99))
def test_raking_gives_both_totals_and_keeps_odds_ratios(classes, points, seed):
    rng = np.random.default_rng(seed)
    p, weight = rng.dirichlet(np.ones(classes), points), rng.random(points) + 0.1
    share = weight @ rng.dirichlet(np.ones(classes) * 5, points) / weight.sum()
    found = rake(p, weight, share)
    assert found.sum(axis=1) == pytest.approx(1)
    assert weight @ found / weight.sum() == pytest.approx(share, rel=1e-6)
    odds, before = (each[:, :1] / each for each in (found, p))
    assert odds / odds[:1] == pytest.approx(before / before[:1])


@pytest.mark.parametrize("seed", range(3))
def test_the_mean_of_a_curve_over_the_rows_is_the_share_of_its_class(seed):
    rng = np.random.default_rng(seed)
    y = rng.choice(3, 600, p=[0.88, 0.1, 0.02])
    x = np.where(rng.random(600) < 0.5, rng.exponential(size=600).round(1), rng.normal(y))
    table = Table.of([(float(a), "abc"[b]) for a, b in zip(x, y, strict=True)], ["x", "y"])
    said = Loess(points=20).conclude(Values.of(table))
    share = np.array([(table["y"] == c).mean() for c in table.domain["y"].values])
    ratios = np.exp(said.log_evidence(table))
    assert ratios.mean(axis=0) == pytest.approx(1, abs=1e-4)
    assert (ratios * share).sum(axis=1) == pytest.approx(1)


def test_a_rare_class_gains_nothing_from_noise():
    """2,000 rows, eight columns of noise, 8 rows of a rare class: none is to be called rare."""
    rng = np.random.default_rng(0)
    noise = rng.normal(size=(2000, 8))
    names = [f"x{at}" for at in range(8)]
    rare = set(rng.choice(2000, 8, replace=False).tolist())
    rows = [(*map(float, row), "rare" if at in rare else "common") for at, row in enumerate(noise)]
    table = Table.of(rows, [*names, "y"])
    model = NaiveBayes(number="loess", calibrate=False)(table)
    assert set(model(table)) == {"common"}
    at = model.classes.index("rare")
    assert model.probabilities(table)[:, at].mean() == pytest.approx(0.004, rel=0.2)


def test_evidence_is_the_probability_over_the_prior():
    rows = [(x, "no" if x < 6 else "yes") for x in range(9)]
    days = Table.of(rows, ["x", "y"])
    said = Loess(window=0.6).conclude(Values.of(days))
    asked = Table.of([(-5.0,), (2.5,), (None,), (99.0,)], ["x"])
    p = np.stack(
        [np.interp([-5, 2.5, 99], said.points[0], said.probabilities[0][:, c]) for c in (0, 1)]
    )
    want = np.log(p.T / [6 / 9, 3 / 9])
    found = said.log_evidence(asked)
    assert found[[0, 1, 3]] == pytest.approx(want)
    assert found[2].tolist() == [0, 0]
    # Odds between classes do not hang on the prior, so that it counts once in a posterior.
    other = Loess(window=0.6).conclude(Values.of(days), np.array([0.5, 0.5]))
    said = other.log_evidence(asked)
    assert said[:, 0] - said[:, 1] == pytest.approx(found[:, 0] - found[:, 1])
    assert (np.exp(said[[0, 1, 3]]) * 0.5).sum(axis=1) == pytest.approx(1)


def test_a_number_says_nothing_of_a_class_that_has_none_in_its_column():
    rows = [(x, "no" if x < 6 else "yes") for x in range(9)] + [(None, "maybe")] * 3
    days = Table.of(rows, ["x", "y"])
    model = NaiveBayes(number="loess", calibrate=False)(days)
    asked = {"x": 4.0}
    assert model(asked, satsuma.GetProbabilities)["maybe"] == pytest.approx(0.25, rel=1e-9)


def test_weights_and_repeated_rows_are_the_same():
    rng = np.random.default_rng(1)
    rows = [
        (float(rng.normal(c)), int(rng.integers(0, 4)), "ab"[c]) for c in (0, 1) for _ in range(40)
    ]
    weighted = Table.of(rows, ["x", "w", "y"], target="y", roles={"w": "weight"})
    repeated = Table.of([(x, y) for x, w, y in rows for _ in range(w)], ["x", "y"])
    a, b = (Loess().conclude(Values.of(each)) for each in (weighted, repeated))
    assert a.probabilities[0] == pytest.approx(b.probabilities[0], abs=1e-12)


def test_a_column_that_never_varies_says_nothing():
    days = Table.of([(7, None, "a"), (7, None, "b"), (7, None, "b")], ["x", "z", "y"])
    said = Loess().conclude(Values.of(days))
    assert said.log_evidence(Table.of([(8, 1.0)], ["x", "z"])).tolist() == [[0, 0]]


def test_parameters_are_checked():
    days = Table.of([(1, "a"), (2, "b")], ["x", "y"])
    for bad in ({"window": 1.5}, {"points": 1}, {"points": 2.5}):
        with pytest.raises(SatsumaError, match=f"'{next(iter(bad))}' parameter of Loess"):
            NaiveBayes(number=Loess(**bad), calibrate=False)(days)


def test_case_where_the_most_probable_class_changes_on_iris(cases, shared):
    case = cases["001-loess-iris-changes"]
    said = NaiveBayes(number="loess", calibrate=False)(
        satsuma.read(shared("orange/iris.tab"))
    ).evidence[0]
    for name, want in case["expected"]["truth"].items():
        at = said.names.index(name)
        points, probabilities = said.points[at], said.probabilities[at]
        x = np.linspace(points[0], points[-1], 20_001)
        best = np.stack([np.interp(x, points, p) for p in probabilities.T]).argmax(axis=0)
        changes = x[1:][best[1:] != best[:-1]]
        assert changes == pytest.approx(want, abs=case["tolerance"]["abs"])


def test_case_adult_with_loess_and_an_adjusted_threshold(cases, shared):
    case = cases["001-adult-threshold"]
    adult = satsuma.read(shared("orange/adult_sample.tab"))
    parameters = {"symbol": satsuma.RelativeFrequency(), "number": "loess"}
    learners = [
        NaiveBayes(**parameters, calibrate=False),
        NaiveBayes(**parameters, adjust_threshold=True, calibrate=False),
    ]
    scores = cross_validate(learners, adult, folds=10, seed=1).scores("CA")
    plain, adjusted = scores.values()
    assert plain == pytest.approx(case["expected"]["plain"], abs=case["tolerance"]["abs"])
    assert adjusted == pytest.approx(case["expected"]["adjusted"], abs=case["tolerance"]["abs"])
    assert 0.81 < adjusted < 0.85
    assert adjusted >= plain
