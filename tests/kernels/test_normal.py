"""Scores of multivariate Gaussians: the compiled kernel is as its twin, however columns lie."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from satsuma.kernels import normal
from satsuma.kernels.normal import Packed
from satsuma.kernels.normal import twin as normal_twin
from satsuma.kernels.threads import thread_limit
from satsuma.likelihoods.whitening import Whitening
from tests.kernels.test_tally import layouts

try:
    from satsuma.kernels.normal import _native as compiled
except ImportError:
    compiled = None

needs_compiled = pytest.mark.skipif(
    compiled is None, reason="no compiled kernels are installed: there are only the twins"
)


def model_of(rng, width, classes, sets):
    """One that is linear, or has a covariance for all classes, or one for each."""
    shift, base = rng.normal(size=width), rng.normal(size=classes)
    if not sets:
        return Packed.of(shift, rng.normal(size=(1, classes, width)), None, base)
    matrices = np.tril(rng.normal(size=(sets, width, width)))
    return Packed.of(shift, matrices, rng.normal(size=(classes, width)), base)


def with_gaps(seed, n, width, classes, kind):
    """Gaussians, rows with gaps, and the places of half of them."""
    rng = np.random.default_rng(seed)
    sets = classes if kind == "each" else 1
    made = rng.normal(size=(sets, width + 3, width))
    whitening = Whitening(
        rng.normal(size=(classes, width)), made.swapaxes(1, 2) @ made, rng.normal(size=width)
    )
    x = rng.normal(size=(n, width))
    x[rng.random(x.shape) < rng.random()] = np.nan
    return whitening, x, rng.permutation(n)[: n // 2]


shapes = given(
    seed=st.integers(0, 10**6),
    n=st.integers(0, 200),
    width=st.integers(1, 21),
    classes=st.integers(1, 9),
    kind=st.sampled_from(["linear", "shared", "each"]),
)


@needs_compiled
@shapes
def test_scores_are_those_of_the_twin(seed, n, width, classes, kind):
    rng = np.random.default_rng(seed)
    sets = {"linear": 0, "shared": 1, "each": classes}[kind]
    models = [model_of(rng, width, classes, sets) for _ in range(3)]
    x = rng.normal(size=(n, width))
    x[rng.random(n) < 0.1, rng.integers(width)] = np.nan
    which = rng.integers(-1, 3, n).astype(np.int32)
    lo = n // 3
    for columns in layouts(x):
        for asked in (None, which):
            one, two = (
                kind(columns, models, asked) for kind in (normal_twin.Asked, compiled.Asked)
            )
            want, found = np.full((2, n, classes), 7.0)
            one.fill(lo, n, want)
            two.fill(lo, n, found)
            assert np.allclose(want, found, rtol=1e-10, atol=1e-9, equal_nan=True)
            want, found = np.full((2, n), 7, np.int32)
            one.choose(lo, n, want)
            two.choose(lo, n, found)
            assert want.tolist() == found.tolist()


@pytest.mark.parametrize("kind", [normal_twin, compiled], ids=["twin", "compiled"])
def test_what_is_not_clear_is_left_open(kind):
    if kind is None:
        pytest.skip("no compiled kernels are installed: there are only the twins")
    model = Packed.of(np.zeros(1), np.ones((1, 1, 1)), np.array([[0.0], [2.0]]), np.zeros(2))
    x = np.array([0.0, 1.0, 1.0 + 1e-12, 2.0, np.nan, np.inf, -1e200])
    out = np.zeros(len(x), np.int32)
    kind.Asked([x], [model]).choose(0, len(x), out)
    assert out.tolist() == [0, -1, -1, 1, -1, -1, -1]


@needs_compiled
@shapes
def test_scores_with_gaps_are_those_of_the_twin(seed, n, width, classes, kind):
    whitening, x, rows = with_gaps(seed, n, width, classes, kind)
    model = whitening.densities()
    for columns in layouts(x):
        want, found = np.full((2, len(rows), classes), 7.0)
        for asked, out in ((normal_twin.Asked, want), (compiled.Asked, found)):
            asked(columns, [model]).fill_gaps(*whitening.gaps, rows, 0, len(rows), out)
        assert np.allclose(want, found, rtol=1e-7, atol=1e-6)
        assert np.allclose(found, whitening.densities_of(x[rows]), rtol=1e-5, atol=1e-4)


@needs_compiled
@shapes
def test_choices_with_gaps_are_those_of_the_twin_and_of_the_densities(
    seed, n, width, classes, kind
):
    whitening, x, rows = with_gaps(seed, n, width, classes, kind)
    model = whitening.ratios()
    for columns in layouts(x):
        want, found = np.full((2, len(rows)), 7, np.int32)
        for asked, out in ((normal_twin.Asked, want), (compiled.Asked, found)):
            asked(columns, [model]).choose_gaps(*whitening.gaps, rows, 0, len(rows), out)
        assert want.tolist() == found.tolist()
        densities = whitening.densities_of(x[rows])
        clear = np.flatnonzero(found >= 0)
        assert (densities.argmax(axis=1) == found)[clear].all()
        known = ~np.isnan(x[rows]).all(axis=1)
        assert len(clear) >= 0.9 * known.sum()


@needs_compiled
def test_gaps_that_do_not_fit_are_refused():
    whitening = Whitening(np.zeros((2, 3)), np.eye(3)[None], np.zeros(3))
    asked = compiled.Asked(list(np.zeros((3, 5))), [whitening.densities()])
    precision, pull = whitening.gaps
    rows, out = np.array([4]), np.zeros((1, 2))
    asked.fill_gaps(precision, pull, rows, 0, 1, out)
    with pytest.raises(IndexError, match="a row that is not there"):
        asked.fill_gaps(precision, pull, rows + 1, 0, 1, out)
    with pytest.raises(ValueError, match="there are no rows 0 to 2"):
        asked.fill_gaps(precision, pull, rows, 0, 2, out)
    for wrong in ((precision[:, :2], pull), (precision, pull[:1]), (precision[:0], pull)):
        with pytest.raises(ValueError, match="a precision for each matrix"):
            asked.fill_gaps(*map(np.ascontiguousarray, wrong), rows, 0, 1, out)


@needs_compiled
def test_what_does_not_fit_is_refused():
    rng = np.random.default_rng(0)
    model, other = model_of(rng, 3, 2, 1), model_of(rng, 3, 2, 2)
    x = list(rng.normal(size=(3, 5)))
    out = np.zeros((5, 2))
    with pytest.raises(ValueError, match="2 columns were asked about, 3 are known"):
        compiled.Asked(x[:2], [model])
    with pytest.raises(ValueError, match="different shapes"):
        compiled.Asked(x, [model, other])
    with pytest.raises(IndexError, match="row 1 "):
        compiled.Asked(x, [model], np.array([0, 1, 0, 0, 0], np.int32))
    with pytest.raises(ValueError, match="a model for each row"):
        compiled.Asked(x, [model], np.zeros(4, np.int32))
    with pytest.raises(ValueError, match="equally long"):
        compiled.Asked([*x[:2], x[2][:4]], [model])
    with pytest.raises(TypeError, match="column 1 "):
        compiled.Asked([x[0], x[1].astype(np.float32), x[2]], [model])
    with pytest.raises(ValueError, match="no rows 0 to 6"):
        compiled.Asked(x, [model]).fill(0, 6, out)
    with pytest.raises(ValueError, match="another number of classes"):
        compiled.Asked(x, [model]).fill(0, 5, np.zeros((5, 3)))


def test_any_number_of_threads_and_a_wide_table_give_the_same():
    rng = np.random.default_rng(3)
    model = model_of(rng, 6, 3, 3)
    x = rng.normal(size=(100_000, 6))
    found = []
    for threads in (1, 2, 3):
        with thread_limit(threads):
            found.append(normal.scores(list(x.T), model))
    assert all(np.array_equal(found[0], other) for other in found[1:])
    wide = model_of(rng, normal.WIDE, 2, 1)
    y = rng.normal(size=(50, normal.WIDE))
    assert np.allclose(normal.scores(list(y.T), wide), wide.scores(y))
