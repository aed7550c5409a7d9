"""Kernel densities: against SciPy, and against sums over all rows."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import satsuma
from satsuma import KDE, NaiveBayes, Table
from satsuma.errors import SatsumaError
from satsuma.tallies import Values

rng = np.random.default_rng(8)
SAMPLES = {
    "normal": rng.normal(size=1500),
    "one number": np.array([3.0]),
    "two": np.array([0.0, 1.0]),
    "far apart": np.array([0.0, 0.0, 5.0, 1e4]),
    "an outlier": np.append(rng.normal(size=1000), 1e7),
    "whole": rng.integers(0, 5, 300).astype(float),
    "hardly apart": 1e8 + rng.integers(0, 50, 100) * 1e-7,
    "heavy tails": rng.standard_cauchy(5000),
    "huge": rng.normal(size=50) * 1e300,
    "tiny": rng.normal(size=50) * 1e-200,
}
KERNELS = {
    "uniform": lambda u: 0.5 + 0 * u,
    "triangular": lambda u: 1 - abs(u),
    "epanechnikov": lambda u: 0.75 * (1 - u**2),
    "biweight": lambda u: 15 / 16 * (1 - u**2) ** 2,
    "triweight": lambda u: 35 / 32 * (1 - u**2) ** 3,
    "cosine": lambda u: np.pi / 4 * np.cos(np.pi * u / 2),
}
VARIANCE = {
    name: np.trapezoid(kernel(u := np.linspace(-1, 1, 200_001)) * u**2, u)
    for name, kernel in KERNELS.items()
}


def table(x, classes="a"):
    return Table.of([(float(v), c) for v, c in zip(x, classes * len(x), strict=False)], ["x", "y"])


def learned(block, x):
    """The density of a class that has these numbers, beside another; and its bandwidth."""
    rows = [(float(v), "a") for v in x] + [(float(x[0] + (np.ptp(x) or 1)), "b")]
    both = Table.of(rows, ["x", "y"])
    said = block.conclude(Values.of(both))
    return (lambda q: said.by_column(table(q))[:, 0, 0]), said.width[0, 0]


def asked(x, h):
    near = x[:300]
    return np.concatenate(
        (np.linspace(x.min() - 6 * h, x.max() + 6 * h, 3001), near, near + 0.37 * h, near - 1.6 * h)
    )


@pytest.mark.parametrize("bandwidth", ["nrd0", "scott", "silverman", 0.3])
@pytest.mark.parametrize("name", SAMPLES)
def test_a_gaussian_kernel_is_the_exact_sum_but_for_1e_4_of_the_peak(name, bandwidth):
    x = SAMPLES[name]
    if bandwidth == 0.3 and name in {"huge", "an outlier"}:
        return
    density, h = learned(KDE(bandwidth=bandwidth), x)
    q = asked(x, h)
    exact = np.exp(-0.5 * ((q[:, None] - x) / h) ** 2).mean(axis=1) / (h * np.sqrt(2 * np.pi))
    assert np.abs(np.exp(density(q)) - exact).max() < 1e-4 * exact.max()


@given(
    st.lists(st.tuples(st.floats(-50, 50), st.integers(1, 5)), min_size=1, max_size=40),
    st.floats(0.05, 20),
)
def test_any_numbers_and_weights_are_near_the_exact_sum(pairs, h):
    rows = [(x, w, "a") for x, w in pairs] + [(999.0, 1, "b")]
    weighted = Table.of(rows, ["x", "w", "y"], target="y", roles={"w": "weight"})
    said = KDE(bandwidth=h).conclude(Values.of(weighted))
    x, w = np.array(pairs).T
    q = asked(x, h)
    exact = (np.exp(-0.5 * ((q[:, None] - x) / h) ** 2) * w).sum(axis=1)
    found = np.exp(said.log_evidence(table(q))[:, 0]) * w.sum() * h * np.sqrt(2 * np.pi)
    assert np.abs(found - exact).max() < 1e-4 * exact.max()


@pytest.mark.parametrize("rule", ["scott", "silverman"])
def test_it_is_scipys_gaussian_kde(rule):
    x = SAMPLES["normal"]
    theirs = stats.gaussian_kde(x, rule)
    q = np.linspace(-5, 5, 999)
    density, _ = learned(KDE(bandwidth=rule), x)
    assert np.exp(density(q)) == pytest.approx(theirs(q), abs=1e-4 * theirs(q).max())


@pytest.mark.parametrize("name", ["normal", "two", "far apart", "an outlier", "whole", "tiny"])
@pytest.mark.parametrize("kernel", KERNELS)
def test_kernels_that_end_are_the_exact_sum(kernel, name):
    x = SAMPLES[name]
    density, h = learned(KDE(kernel=kernel), x)
    half = h / np.sqrt(VARIANCE[kernel])
    q = asked(x, h) + 1e-7 * h
    u = (q[:, None] - x) / half
    exact = np.where(abs(u) < 1, KERNELS[kernel](u), 0).mean(axis=1) / half
    said = density(q)
    # Next to nothing, in reach of the class or not: then it says nothing, as for the other class.
    found = np.where((exact < 1e-6 * exact.max()) & (said == 0), 0.0, np.exp(said))
    assert np.abs(found - exact).max() < 1e-4 * exact.max()


def test_the_bandwidth_is_the_standard_deviation_of_any_kernel():
    for kernel in ("gaussian", *KERNELS):
        density, _ = learned(KDE(kernel=kernel, bandwidth=2.0), np.array([10.0]))
        q = np.linspace(-10, 30, 40_001)
        p = np.exp(density(q)) * (abs(q - 10) < 5.9 if kernel != "gaussian" else 1)
        p = np.where(p == 1.0, 0.0, p)  # out of reach of both classes: it says nothing
        assert np.trapezoid(p, q) == pytest.approx(1, abs=1e-3)
        assert np.trapezoid(p * (q - 10) ** 2, q) == pytest.approx(4, rel=2e-3)


def test_far_from_everything_the_nearest_kernel_goes_on():
    density, h = learned(KDE(bandwidth=0.5), np.array([0.0, 1.0, 300.0]))
    q = np.array([-40.0, -20.0, 150.4, 150.6, 400.0])
    nearest = np.array([40, 20, 149.4, 149.4, 100]) / h
    assert density(q) == pytest.approx(
        -0.5 * nearest**2 - np.log(3 * h * np.sqrt(2 * np.pi)), rel=1e-3
    )


def test_what_is_out_of_reach_of_every_class_says_nothing():
    rows = [(0, "a"), (1, "a"), (5, "b"), (6, "b")]
    said = KDE(kernel="triangular", bandwidth=0.2).conclude(Values.of(Table.of(rows, ["x", "y"])))
    found = said.log_evidence(table([0.0, 5.0, 3.0, np.nan]))
    assert found[0, 1] == found[1, 0] == -np.inf
    assert np.isfinite(found[0, 0])
    assert found[2:].tolist() == [[0, 0], [0, 0]]


def test_degenerate_columns():
    rows = [(1, None, 7, "a"), (2, 3, 7, "a"), (5, 3, 7, "b"), (5, 4, 7, "b"), (None, 6, 7, "b")]
    said = KDE().conclude(Values.of(Table.of(rows, ["x", "y", "z", "class"], target="class")))
    assert np.isfinite(said.log_evidence(Table.of(rows, ["x", "y", "z", "class"]))).all()
    # Class b has only 5 in x: its bandwidth is that of the column, were it of two rows.
    column = np.array([1, 2, 5, 5])
    iqr = np.quantile(column, 0.75) - np.quantile(column, 0.25)
    want = 0.9 * min(np.std(column, ddof=1), iqr / 1.34) * 2**-0.2
    assert said.width[0, 1] == pytest.approx(want)
    assert np.isinf(said.width[2]).all()
    assert said.by_column(Table.of(rows[:1], ["x", "y", "z", "class"]))[0, 2].tolist() == [0, 0]


def test_parameters_are_checked():
    days = Table.of([(1, "a"), (2, "b")], ["x", "y"])
    for bad in (
        {"kernel": "square"},
        {"bandwidth": "narrow"},
        {"bandwidth": 0},
        {"bandwidth": -1.0},
    ):
        with pytest.raises(SatsumaError, match=f"'{next(iter(bad))}' parameter of KDE"):
            NaiveBayes(number=KDE(**bad), calibrate=False)(days)
    wide = Table.of([(x * 1e6, "ab"[x % 2]) for x in range(5000)], ["x", "y"])
    with pytest.raises(SatsumaError, match=r"0\.001 is too narrow for column 'x'"):
        NaiveBayes(number=KDE(bandwidth=0.001), calibrate=False)(wide)
    with pytest.raises(SatsumaError, match="'x' holds inf in row 1"):
        NaiveBayes(number="kde", calibrate=False)(days)(Table.of([(1.0,), (np.inf,)], ["x"]))


def test_case_kernel_densities_beat_gaussians_on_iris(cases, shared):
    case = cases["003-kdenb-order"]
    iris = satsuma.read(shared("r/iris.csv"), target="Species")
    iris = iris.select(["Sepal.Width", "Sepal.Length", "Species"])
    right = [
        float(np.mean(NaiveBayes(number=block, calibrate=False)(iris)(iris) == iris["Species"]))
        for block in ("gaussian", *(KDE(bandwidth=h) for h in case["input"]["bw"]))
    ]
    assert right[0] == pytest.approx(0.78)
    assert right[1] > right[-1] > right[0]
