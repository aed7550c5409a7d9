"""The kernel against its twin, and both against scipy."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import softmax as by_scipy

from satsuma.kernels import posterior
from satsuma.kernels.posterior import twin

MODULES = [posterior, twin]


def both(module, joint, prior, lo=0):
    rows, classes = joint.shape
    chances, codes = np.full((rows + lo, classes), 9.0), np.full(rows + lo, 9, np.int32)
    lost = module.normalise(joint, prior, lo, chances)
    assert module.choose(joint, prior, lo, codes) == lost
    assert (chances[:lo] == 9).all()
    return chances[lo:], codes[lo:], lost


@pytest.mark.parametrize("module", MODULES)
@given(seed=st.integers(0, 9999), classes=st.integers(1, 9), lo=st.integers(0, 2))
def test_softmax(module, seed, classes, lo):
    rng = np.random.default_rng(seed)
    joint = rng.normal(size=(rng.integers(0, 30), classes)) * 10.0 ** rng.integers(-3, 5)
    joint[rng.random(joint.shape) < 0.3] = -np.inf
    prior = np.log(rng.dirichlet(np.ones(classes)))
    hopeless = np.isinf(joint).all(axis=1)
    want = by_scipy(np.where(hopeless[:, None], prior, joint), axis=1)
    chances, codes, lost = both(module, joint, prior, lo)
    np.testing.assert_allclose(chances, want, rtol=1e-13, atol=1e-300)
    assert (codes == chances.argmax(axis=1)).all()
    assert lost == hopeless.sum()


@pytest.mark.parametrize("module", MODULES)
def test_ties_and_what_is_not_a_number(module):
    joint = np.array(
        [[1.0, 1.0, 0.0], [0.0, 5.0, 5.0], [np.nan, 2.0, 2.0], [np.nan, -np.inf, -np.inf]]
    )
    chances, codes, lost = both(module, joint, np.log([0.2, 0.3, 0.5]))
    assert codes.tolist() == [0, 1, 1, 2]
    assert lost == 1
    np.testing.assert_allclose(chances[2:], [[0, 0.5, 0.5], [0.2, 0.3, 0.5]], rtol=1e-14)
    near = np.array([[3.0, np.nextafter(3.0, 4.0)]])
    chances, codes, _ = both(module, near, np.zeros(2))
    assert codes[0] == chances[0].argmax()


@pytest.mark.parametrize("module", MODULES)
def test_a_row_that_is_infinite_for_a_class_gets_the_prior(module):
    prior = np.array([0.2, 0.3, 0.5])
    joint = np.array([[np.inf, 1.0, 0.0], [np.inf, np.inf, np.nan], [np.inf, -np.inf, -np.inf]])
    chances, codes, lost = both(module, joint, np.log(prior))
    np.testing.assert_allclose(chances, np.tile(prior, (3, 1)), rtol=1e-14)
    assert (codes.tolist(), lost) == ([2, 2, 2], 3)


@pytest.mark.skipif(not posterior.compiled, reason="there is no compiled kernel to refuse it")
def test_wrong_shapes_are_refused():
    joint, prior = np.zeros((3, 2)), np.zeros(2)
    for lo, known, out in ((1, prior, np.zeros((3, 2))), (0, np.zeros(3), np.zeros((3, 2)))):
        with pytest.raises(ValueError, match=r"room|classes"):
            posterior.normalise(joint, known, lo, out)
    with pytest.raises(ValueError, match="another number of classes"):
        posterior.normalise(joint, prior, 0, np.zeros((3, 3)))
    with pytest.raises(ValueError, match="room"):
        posterior.choose(joint, prior, 1, np.zeros(3, np.int32))
