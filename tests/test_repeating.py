"""Two runs of the tests are the same run, unless another one is asked for."""

from hypothesis import given, settings
from hypothesis import strategies as st


def drawn(profile):
    """The numbers that a test is tried on."""
    found = []

    @settings(settings.get_profile(profile))
    @given(st.integers())
    def tried(number):
        found.append(number)

    tried()
    return found


def test_examples_are_the_same_every_time_unless_new_ones_are_asked_for():
    for profile in ("default", "quick"):
        assert drawn(profile) == drawn(profile)
        assert settings.get_profile(profile).database is None
    assert not settings.get_profile("random").derandomize


def test_the_order_is_that_of_a_fixed_seed(pytestconfig):
    assert "--randomly-seed=1" in pytestconfig.getini("addopts")
