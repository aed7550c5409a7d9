"""The picture of labels needed."""

import numpy as np
import pytest

from satsuma import plot
from satsuma.active.simulation import Curve, Simulation
from satsuma.errors import DomainError


def made(sought=None):
    fast = [Curve([1, 2, 3], [0.2, 0.8, 0.96], 1.0), Curve([1, 2], [0.5, 0.97], 1.0)]
    slow = [Curve([2, 40], [0.1, 0.5], 1.0)]
    return Simulation({"fast": fast, "slow": slow}, 0.95, sought, 60)


def test_curves_bands_and_the_goal():
    ax = plot.labelling_curves(made())
    lines = {line.get_label(): line for line in ax.get_lines()}
    x, y = lines["fast"].get_data()
    assert x[-1] == 40
    assert y[-1] == np.median([0.96, 0.97])  # it ends where the goal was met
    assert lines["slow"].get_ydata()[-1] == 0.5
    assert any((np.asarray(line.get_ydata()) == 0.95).all() for line in ax.get_lines())
    assert len(ax.collections) == 2
    told = plot.describe(ax)
    assert told == (
        "The accuracy by number of labels; labels needed for 95%: fast 2, slow too many."
    )
    assert ax.get_ylabel() == "accuracy"


def test_what_is_sought_is_found():
    ax = plot.labelling_curves(made("rare"))
    assert ax.get_ylabel() == "recall"
    assert plot.describe(ax).startswith("The recall")


def test_nothing_else_is_drawn():
    with pytest.raises(DomainError, match="simulate"):
        plot.labelling_curves([1, 2])
