"""The pictures look as they did when they were last looked at."""

import numpy as np
import pytest

from tests.plot.pictures import PICTURES, pixels, reference

#: Root of the mean square, of 255. Other versions of fonts and lines differ by a few.
TOLERANCE = 10


def distance(one, other):
    return float("inf") if one.shape != other.shape else np.sqrt(((one - other) ** 2).mean())


@pytest.mark.parametrize("name", PICTURES)
def test_picture(name):
    assert distance(pixels(PICTURES[name]()), reference(name)) < TOLERANCE


def test_a_change_is_seen():
    ax = PICTURES["likelihoods"]()
    for line in ax.collections:
        line.set_visible(False)
    assert distance(pixels(ax), reference("likelihoods")) > TOLERANCE


def test_the_settings_of_the_user_do_not_change_them():
    import matplotlib as mpl

    with mpl.rc_context(
        {"font.size": 20, "axes.facecolor": "red", "lines.linewidth": 9, "xtick.labelsize": 30}
    ):
        ax = PICTURES["density"]()
    with mpl.rc_context({"xtick.labelsize": 30, "xtick.color": "red", "font.family": "monospace"}):
        assert distance(pixels(ax), reference("density")) < 1
