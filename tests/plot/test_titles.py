"""A title of the user's own takes the place of ours."""

import pickle

import pytest
from matplotlib.figure import Figure

import satsuma
from satsuma import NaiveBayes, Tree, plot


def pictures(ax=None):
    heart = satsuma.load("heart_disease")
    model = NaiveBayes(heart)
    yield lambda: plot.class_probabilities(model, "age", ax=ax)  # with a note below the title
    yield lambda: plot.density(model, "age", ax=ax)
    yield lambda: plot.regions(model, x="age", y="max HR", ax=ax)
    yield lambda: plot.nomogram(model, ax=ax)
    yield lambda: plot.tree(Tree(heart), depth=2, ax=ax)


def written(ax):
    """The texts above the data that are drawn."""
    ax.figure.draw_without_rendering()
    titles = [ax.get_title(loc) for loc in ("left", "center", "right")]
    notes = [t.get_text() for t in ax.texts if getattr(t, "xycoords", "") == "axes fraction"]
    return [text for text in (*titles, *notes) if text]


@pytest.mark.parametrize("at", range(5))
def test_a_title_that_is_set_later_replaces_ours(at):
    ax = list(pictures())[at]()
    assert written(ax)
    ax.set_title("mine", fontsize=20)
    assert written(ax) == ["mine"]
    assert ax.title.get_fontsize() == 20
    ax.set_title("mine as well")
    assert written(ax) == ["mine as well"]
    assert pickle.loads(pickle.dumps(ax.figure)).axes[0].get_title() == "mine as well"


@pytest.mark.parametrize("at", range(5))
def test_a_title_that_is_there_stays(at):
    ax = Figure().add_subplot(title="mine")
    list(pictures(ax))[at]()
    assert written(ax) == ["mine"]


def test_a_title_at_the_left_replaces_ours():
    ax = next(pictures())()
    ax.set_title("mine", loc="left")
    assert ax.get_title("left") == "mine"
