"""The picture of a tree tells all that is drawn of it."""

import itertools

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

import satsuma
from satsuma import ID3, Majority, RegressionTree, Table, Tree, plot
from satsuma.errors import DomainError, ParameterError


def texts(ax):
    ax.figure.draw_without_rendering()
    return [each.get_text() for each in ax.texts]


def extents(ax):
    """The rectangles that texts take, boxes with their edges, the title too."""
    renderer = FigureCanvasAgg(ax.figure).get_renderer()
    ax.figure.draw(renderer)
    parts = [each.get_bbox_patch() or each for each in ax.texts]
    return [each.get_window_extent(renderer) for each in (*parts, ax._left_title)]


def overlapping(ax):
    """Pairs of texts one of which is upon the other, and texts that leave the figure."""
    found, whole = extents(ax), ax.figure.bbox
    pairs = [
        (a, b) for a, b in itertools.combinations(found, 2)
        if a.x0 < b.x1 and b.x0 < a.x1 and a.y0 < b.y1 and b.y0 < a.y1
    ]  # fmt: skip
    out = [a for a in found if a.x0 < 0 or a.y0 < 0 or a.x1 > whole.x1 or a.y1 > whole.y1]
    return [*pairs, *out]


def wordy():
    """Many long values, and names with signs that fonts and formulas take for something else."""
    rng = np.random.default_rng(1)
    values = [f"value $ number {k} of many" for k in range(12)]
    asked = rng.integers(0, 12, (600, 3))
    noise = rng.normal(size=600)
    labels = [("none at all", "very much of it", "$x^2$")[(a + b * (x > 0)) % 3]
              for (a, b, _), x in zip(asked, noise, strict=True)]  # fmt: skip
    cells = [[values[k] for k in row] for row in asked]
    rows = [(*c, x, y) for c, x, y in zip(cells, noise, labels, strict=True)]
    return Table.of(rows, ["a long name of a column", "b", "c", "how much", "how it is"])


@pytest.mark.parametrize("name", ["voting", "heart_disease", "zoo", "housing", "titanic", "iris"])
def test_no_two_labels_overlap(name):
    assert not overlapping(plot.tree(Tree()(satsuma.load(name))))


@pytest.mark.parametrize("learner", [Tree(), Tree(prune=None), Tree(split="multiway", prune=None)])
def test_nor_where_there_is_much_to_write(learner):
    model = learner(wordy())
    assert model.leaves > 8
    assert not overlapping(plot.tree(model))
    assert not overlapping(plot.tree(model, depth=1))


@pytest.mark.parametrize("size", [(3, 2), (4, 8), (10, 3)])
def test_nor_on_an_axes_of_the_user(size):
    ax = Figure(figsize=size, dpi=100).add_subplot()
    plot.tree(Tree()(satsuma.load("heart_disease")), ax=ax)
    assert not overlapping(ax)


def test_what_is_too_wide_is_a_list():
    model = Tree()(satsuma.load("housing"))
    told = texts(plot.tree(model))
    conditions = [each for each in told if each.split(" ")[0] in model.domain]
    assert len(conditions) == model.size - 1
    assert plot.tree(model).figure.get_figwidth() < 12


def test_what_is_too_large_for_a_list_is_cut_and_counted():
    model = Tree(prune=None)(satsuma.load("adult_sample"))
    ax = plot.tree(model)
    hidden = [int(each.split("… ")[1].split()[0]) for each in texts(ax) if "nodes below" in each]
    shown = int(plot.describe(ax).split("; ")[1].split()[0])
    assert sum(hidden) + shown == model.size
    assert max(ax.figure.get_size_inches()) < 12.5


def test_it_is_the_tree_that_is_printed():
    model = Tree()(satsuma.load("voting"))
    leaves = [str(rule.value) for rule in model.rules()]
    drawn = [each for each in texts(plot.tree(model)) if "\n(" in each]
    assert [each.split("\n")[0] for each in drawn] == leaves


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
