"""Pictures of searches and contrasts show what is there."""

import numpy as np
import pytest
from matplotlib.figure import Figure

from satsuma import contrast, load, optimise, plot
from satsuma.errors import DomainError, NoSuchColumn, SatsumaError


@pytest.fixture(scope="module")
def cars():
    goals = {"mpg": "+", "weight": "-", "acceleration": "+"}
    return load("auto-mpg").with_roles({**goals, "car_name": "meta"})


@pytest.fixture(scope="module")
def found(cars):
    return optimise(cars, cars, budget=20, seed=4)


def points(ax):
    return np.concatenate([each.get_offsets() for each in ax.collections])


def test_the_goals_of_the_labelled_rows_are_drawn(found):
    ax = plot.goal_space(found, x="weight", y="mpg")
    rows = found.labelled
    assert np.array_equal(points(ax), np.column_stack([rows["weight"], rows["mpg"]]))
    path, star = ax.lines
    at = np.flatnonzero(np.diff(found.path, prepend=np.inf) < 0)
    assert np.array_equal(path.get_xydata(), points(ax)[at])
    best = found.best
    assert star.get_xydata().tolist() == [[best["weight"], best["mpg"]]]
    told = [text.get_text() for text in ax.texts]
    assert set(map(str, at + 1)) <= set(told)
    assert "ideal point" in told
    assert f"at label {at[-1] + 1}." in plot.describe(ax)


def test_all_rows_may_be_drawn_behind(cars, found):
    ax = plot.goal_space(found, table=cars)
    assert len(points(ax)) == len(cars) + 20
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("mpg (more is better)", "weight (less is better)")
    assert plot.goal_space(found, y="mpg").get_xlabel() == "weight (less is better)"


def test_the_descent_is_the_path(found):
    given = Figure().add_subplot()
    ax = plot.convergence(found, ax=given)
    assert ax is given
    assert np.array_equal(points(ax)[:, 1], found.distances)
    assert np.array_equal(ax.lines[0].get_ydata(), found.path)
    assert ax.lines[1].get_xydata().tolist() == [[found.order[0] + 1, found.distances.min()]]


def test_one_goal_is_drawn_as_its_convergence(cars):
    one = cars.with_roles({"weight": "x", "acceleration": "x"})
    assert (
        plot.goal_space(optimise(one, one, budget=9)).get_ylabel() == "distance to the ideal point"
    )


def test_bars_are_the_shares(cars):
    apart = contrast(cars, cars["mpg"] > 30)
    ax = plot.contrasts(apart, most=4)
    widths = [bar.get_width() for bar in ax.patches]
    assert widths == [
        *(each.shares[0] for each in apart[:4]),
        *(each.shares[1] for each in apart[:4]),
    ]
    assert [text.get_text() for text in ax.get_yticklabels()] == [e.condition for e in apart[:4]]
    assert f"{len(apart) - 4} more not shown" in ax.texts[-1].get_text()
    assert plot.describe(ax).startswith(f"In what {apart.sizes[0]} rows differ")


def test_what_cannot_be_drawn(cars, found):
    with pytest.raises(NoSuchColumn, match="Did you mean 'weight'"):
        plot.goal_space(found, x="wieght")
    with pytest.raises(DomainError, match="Both axes"):
        plot.goal_space(found, x="mpg", y="mpg")
    with pytest.raises(SatsumaError, match="no contrast to draw"):
        plot.contrasts(contrast(cars, [0, 1], [2, 3]))
