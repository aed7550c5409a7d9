"""The picture of a tree tells all that is drawn of it."""

import pytest
from matplotlib.figure import Figure

import satsuma
from satsuma import ID3, Majority, RegressionTree, Tree, plot
from satsuma.errors import DomainError, ParameterError


def texts(ax):
    ax.figure.draw_without_rendering()
    return [each.get_text() for each in ax.texts]


def test_every_question_value_and_answer_is_told():
    found = texts(plot.tree(ID3(satsuma.load("tennis"))))
    for word in ("outlook", "sunny", "humidity", "high", "wind", "strong"):
        assert word in found
    assert sum(word.startswith("yes\n") for word in found) == 3
    assert sum(word.startswith("no\n") for word in found) == 2


def test_what_is_too_deep_is_counted():
    model = Tree()(satsuma.load("heart_disease"))
    ax = plot.tree(model, depth=1)
    assert any("below" in word for word in texts(ax))
    assert f"{model.size} nodes" in plot.describe(ax)
    assert "are drawn" in plot.describe(ax)
    assert len(texts(plot.tree(model, depth=0))) == 1


def test_numbers_and_an_axes_of_the_user():
    ax = Figure().add_subplot()
    model = RegressionTree(max_depth=2)(satsuma.load("housing"))
    assert plot.tree(model, ax=ax) is ax
    assert "RM" in texts(ax)


def test_what_is_no_tree_is_refused():
    with pytest.raises(DomainError, match="not a MajorityModel"):
        plot.tree(Majority()(satsuma.load("iris")))
    with pytest.raises(ParameterError, match="depth"):
        plot.tree(Tree()(satsuma.load("iris")), depth=-1)
