import pytest

import satsuma
from satsuma import choose_k, plot
from satsuma.errors import DomainError


@pytest.mark.parametrize("method", ["elbow", "silhouette", "gap"])
def test_the_curve_and_the_k_that_was_taken(method):
    chosen = choose_k(satsuma.load("iris"), method, ks=[2, 3, 4, 5])
    ax = plot.elbow(chosen)
    curves = [line for line in ax.lines if line.get_marker() == "o" and len(line.get_xdata()) > 1]
    assert [list(curve.get_ydata()) for curve in curves] == [chosen.scores.tolist()]
    assert [text.get_text() for text in ax.texts] == [f"k = {chosen.k}"]
    assert ax.get_title("left") == f"How many clusters: {chosen.k}"
    assert chosen.why in plot.describe(ax)
    assert len(ax.containers) == (method == "gap")


def test_other_things_are_refused():
    with pytest.raises(DomainError, match="choose_k"):
        plot.elbow(3)
