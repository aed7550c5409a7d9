"""ADWIN: the window it keeps, and when it tells of a change."""

import numpy as np
import pytest

from satsuma import ADWIN
from satsuma.errors import DomainError, ParameterError

#: When river 0.26.1's ADWIN first tells of a change in these streams, by seed: after that it
#: starts anew, where ours keeps the newer part of the window.
RIVER = {
    "shares": [799, 799, 767, 799, 799, 799],
    "numbers": [639, 639, 639, 639, 639, 639],
}


def shares(seed):
    rng = np.random.default_rng(seed)
    return np.concatenate([rng.random(700) < 0.2, rng.random(900) < 0.5]).astype(float)


def numbers(seed):
    rng = np.random.default_rng(seed)
    return np.concatenate([rng.normal(0, 1, 600), rng.normal(1.5, 1, 800)])


def told(detector, stream):
    return [at for at, number in enumerate(stream) if detector.update(number)]


@pytest.mark.parametrize("made", [shares, numbers])
def test_the_first_change_is_told_when_river_tells_it(made):
    first = [told(ADWIN(), made(seed))[0] for seed in range(6)]
    assert first == RIVER[made.__name__]


def test_the_window_holds_the_last_numbers():
    stream, detector = numbers(1) + 1e6, ADWIN()
    for at, number in enumerate(stream, 1):
        detector.update(number)
        assert np.isclose(detector.mean, stream[at - detector.width : at].mean(), rtol=1e-12)
    assert 0 < detector.width <= 900


def test_alarms_are_rare_where_nothing_changes():
    rng = np.random.default_rng(0)
    assert sum(bool(told(ADWIN(), rng.random(2000) < 0.3)) for _ in range(20)) <= 1
    assert not told(ADWIN(), np.ones(500))


def test_a_sharper_look():
    assert told(ADWIN(every=1), shares(0))[0] < told(ADWIN(), shares(0))[0]
    assert told(ADWIN(delta=0.3), shares(0))[0] <= told(ADWIN(delta=1e-9), shares(0))[0]


def test_what_cannot_be():
    with pytest.raises(ParameterError, match="'delta' parameter of ADWIN"):
        ADWIN(delta=0)
    with pytest.raises(ParameterError, match="'every' parameter of ADWIN"):
        ADWIN(every=1.5)
    for wrong in (float("nan"), float("inf")):
        with pytest.raises(DomainError, match="takes finite numbers"):
            ADWIN().update(wrong)
