"""plot.density of a table: a column whatever the class."""

import numpy as np
import pytest
from matplotlib.figure import Figure
from scipy import stats

import satsuma
from satsuma import Table, plot
from satsuma.errors import DomainError, NoSuchColumn
from satsuma.measures.bandwidth import bandwidth


@pytest.fixture(scope="module")
def housing():
    return satsuma.load("housing")


def test_the_curve_is_that_of_scipy(housing):
    curve = plot.density(housing, "MEDV").lines[-1]
    cells = np.sort(housing["MEDV"])
    width = bandwidth("nrd0", cells, np.ones(len(cells)))
    theirs = stats.gaussian_kde(cells, width / cells.std(ddof=1))(curve.get_xdata())
    assert np.allclose(curve.get_ydata(), theirs, atol=1e-4 * theirs.max())


def test_the_histogram_has_the_area_of_one(housing):
    ax = plot.density(housing, "MEDV")
    heights, edges, _ = ax.patches[0].get_data()
    assert (heights * np.diff(edges)).sum() == pytest.approx(1)


def test_bars_are_shares_by_weight():
    rows = [("a", 3.0), ("b", 1.0), (None, 5.0), ("a", 0.0)]
    table = Table.of(rows, ["s", "w"], target=None, roles={"w": "weight"})
    ax = plot.density(table, "s")
    assert [bar.get_width() for bar in ax.patches] == [0.75, 0.25]
    assert "1 missing" in plot.describe(ax)


def test_any_table_will_do(housing):
    iris = satsuma.load("iris")
    ax = Figure().add_subplot()
    assert plot.density(iris, "Species", ax=ax) is ax
    assert len(ax.patches) == 3
    alone = iris.select(["Sepal.Width"])
    told = plot.describe(plot.density(alone, "Sepal.Width"))
    assert told.startswith("Distribution of Sepal.Width in 150 rows; from 2 to 4.4, half")
    same = Table.of([(1.0,), (1.0,)], ["x"], target=None)
    assert "all of them are 1" in plot.describe(plot.density(same, "x"))
    assert len(plot.density(housing[:1], "MEDV").lines) == 1


def test_what_is_refused(housing):
    with pytest.raises(NoSuchColumn):
        plot.density(housing, "MEDVE")
    empty = Table.of([(None,), (None,)], ["x"], target=None, kinds={"x": "num"})
    with pytest.raises(DomainError, match="nothing to draw"):
        plot.density(empty, "x")
    words = Table.of([("one two",), ("three",)], ["x"], target=None, kinds={"x": "text"})
    with pytest.raises(DomainError, match="'text', and this plot needs"):
        plot.density(words, "x")
    weightless = Table.of([(1.0, 0.0)], ["x", "w"], target=None, roles={"w": "weight"})
    with pytest.raises(DomainError, match="weight of zero"):
        plot.density(weightless, "x")
