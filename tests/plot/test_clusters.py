"""Plots of clusters and of outliers show what the models say."""

import numpy as np
import pytest
from matplotlib.figure import Figure

import satsuma
from satsuma import RP0, Anomaly, NaiveBayes, plot
from satsuma.errors import DomainError, ParameterError


def texts(ax):
    ax.figure.draw_without_rendering()
    return [each.get_text() for each in ax.texts]


class TestClusters:
    def test_every_row_is_a_point_in_the_colour_of_its_cluster(self):
        iris = satsuma.load("iris")
        model = RP0(iris, M=25)
        ax = plot.clusters(model, table=iris)
        sizes = [len(each.get_offsets()) for each in ax.collections]
        assert sorted(sizes) == sorted([0, *np.bincount(model(iris))])
        assert set(texts(ax)) >= {str(group) for group in range(model.k)}
        assert "150 rows in two dimensions" in plot.describe(ax)

    def test_of_many_some_are_shown(self):
        adult = satsuma.load("adult_sample")
        ax = plot.clusters(RP0(adult), table=adult)
        assert sum(len(each.get_offsets()) for each in ax.collections) == 500
        assert "500 of 977 rows" in texts(ax)
        assert any("more" in each.get_text() for each in ax.get_legend().get_texts())

    def test_an_axes_of_the_user_and_rows_of_the_model(self):
        ax = Figure().add_subplot()
        assert plot.clusters(RP0(satsuma.load("zoo"), M=8), ax=ax) is ax

    def test_what_is_refused(self):
        iris = satsuma.load("iris")
        with pytest.raises(DomainError, match="models of clusters"):
            plot.clusters(NaiveBayes(iris))
        with pytest.raises(DomainError, match="no row"):
            plot.clusters(RP0(iris), table=iris[:0])


class TestClusterTree:
    def test_every_cluster_is_told(self):
        zoo = satsuma.load("zoo")
        model = RP0(zoo, M=12)
        ax = plot.cluster_tree(model, depth=20)
        found = texts(ax)
        for leaf in model.leaves:
            assert f"cluster {leaf.cluster}\n{leaf.n} row{'s' * (leaf.n != 1)}" in found
        assert f"into {model.k} clusters" in plot.describe(ax)
        assert "are drawn" not in plot.describe(ax)

    def test_what_is_too_deep_is_counted(self):
        model = RP0(satsuma.load("zoo"), M=8)
        ax = plot.cluster_tree(model, depth=1)
        assert sum("clusters\n" in word for word in texts(ax)) == 2
        assert "3 of its" in plot.describe(ax)
        assert texts(plot.cluster_tree(model, depth=0)) == [f"{model.k} clusters\n101 rows"]

    def test_a_single_cluster_and_models_in_clusters(self):
        iris = satsuma.load("iris")
        assert texts(plot.cluster_tree(RP0(iris, M=75))) == ["cluster 0\n150 rows"]
        plot.cluster_tree(RP0(iris, M=30, model=NaiveBayes()))

    def test_what_is_refused(self):
        iris = satsuma.load("iris")
        with pytest.raises(DomainError, match="models of RP0"):
            plot.cluster_tree(NaiveBayes(iris))
        with pytest.raises(ParameterError, match="depth"):
            plot.cluster_tree(RP0(iris), depth=-1)


class TestAnomalies:
    def test_scores_go_up_and_the_highest_are_named(self):
        housing = satsuma.load("housing")
        model = Anomaly(housing, share=0.02)
        ax = plot.anomalies(model, table=housing)
        usual, outliers = (
            each.get_offsets() for each in ax.collections if len(each.get_offsets()) > 1
        )
        heights = np.concatenate([usual, outliers])[:, 1]
        np.testing.assert_allclose(heights, np.sort(model(housing)))
        worst = int(model(housing).argmax())
        assert any(word.startswith(f"row {worst}: ") for word in texts(ax))
        assert f"The highest is row {worst}" in plot.describe(ax)

    def test_no_odd_row_and_an_axes_of_the_user(self):
        iris = satsuma.load("iris")
        ax = Figure().add_subplot()
        assert plot.anomalies(Anomaly(iris, share=0.0), ax=ax) is ax
        assert "0 are outliers" in plot.describe(ax)

    def test_what_is_refused(self):
        iris = satsuma.load("iris")
        with pytest.raises(DomainError, match="models of Anomaly"):
            plot.anomalies(RP0(iris))
        with pytest.raises(DomainError, match="no row"):
            plot.anomalies(Anomaly(iris, trees=1), table=iris[:0])


class TestDendrogram:
    def test_every_cluster_that_is_drawn_has_its_number_and_its_rows(self):
        model = satsuma.Agglomerative(satsuma.load("zoo"), k=4)
        ax = plot.dendrogram(model, ends=12)
        names = [text.get_text() for text in ax.get_xticklabels()]
        counted = dict.fromkeys(range(4), 0)
        for name in names:
            cluster, rows = name.rstrip(")").split(" (")
            counted[int(cluster)] += int(rows)
        assert list(counted.values()) == np.bincount(model.label).tolist()
        assert len(names) == 12
        bars = [line for line in ax.lines if len(line.get_xdata()) == 4]
        assert len(bars) == 11
        tops = sorted(line.get_ydata()[1] for line in bars)
        assert tops == pytest.approx(model.heights[-11:])
        assert "in 4 clusters; rows of the largest: 42, 21, 20, 18" in plot.describe(ax)

    def test_one_row_and_one_cluster(self):
        one = satsuma.Table.of([(1,)], ["x"], target=None)
        ax = plot.dendrogram(satsuma.Agglomerative(one))
        assert ax.get_title("left") == "1 row in 1 cluster"
        plot.dendrogram(satsuma.Agglomerative(satsuma.load("iris"), k=1))

    def test_what_is_refused(self):
        with pytest.raises(DomainError, match="models of Agglomerative"):
            plot.dendrogram(RP0(satsuma.load("iris")))
        with pytest.raises(ParameterError, match="ends must be"):
            plot.dendrogram(satsuma.Agglomerative(satsuma.load("iris")), ends=1)
