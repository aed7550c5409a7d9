"""Labels of whole clusters: bounds of SciPy and of brute force, and how often they fail."""

from math import comb

import numpy as np
import pytest
from scipy import stats

from satsuma import KMeans, NaiveBayes, Oracle, Table, label_clusters
from satsuma.active.active_learning import hide_labels
from satsuma.active.share_bound import errors_allowed, fewest_checks, least_right
from satsuma.errors import DomainError, ParameterError


def known(truth, numbers=None):
    numbers = range(len(truth)) if numbers is None else numbers
    return Table.of(list(zip(numbers, truth, strict=True)), ["x", "y"])


@pytest.mark.parametrize(("rows", "checked"), [(12, 5), (20, 8), (9, 9), (15, 1)])
def test_the_bound_is_that_of_counting(rows, checked):
    for right in range(checked + 1):
        kept = [
            k
            for k in range(right, rows - (checked - right) + 1)
            if sum(comb(k, x) * comb(rows - k, checked - x) for x in range(right, checked + 1))
            > 0.1 * comb(rows, checked) * (1 + 1e-9)
        ]
        assert least_right(rows, checked, right, 0.9) == min(kept)


@pytest.mark.parametrize(("checked", "right"), [(22, 22), (30, 28), (8, 4)])
def test_of_many_rows_it_is_that_of_clopper_and_pearson(checked, right):
    share = least_right(1_000_000, checked, right, 0.95) / 1_000_000
    peer = stats.binomtest(right, checked, alternative="greater").proportion_ci(0.95, "exact").low
    assert share == pytest.approx(peer, abs=1e-4)


def test_the_fewest_checks_are_enough_and_no_fewer_are():
    assert fewest_checks(10**6, 0.9, 0.95) == 29  # 0.9 ** 29 < 0.05 < 0.9 ** 28
    for rows in (1, 5, 30, 200):
        n = fewest_checks(rows, 0.9, 0.9)
        assert errors_allowed(rows, n, 0.9, 0.9) >= 0
        assert n == 1 or errors_allowed(rows, n - 1, 0.9, 0.9) == -1


def test_a_cluster_that_agrees_gets_its_label():
    truth = ["a"] * 200 + ["b"] * 100 + ["a", "b"] * 60
    table, groups = known(truth), [0] * 200 + [1] * 100 + [2] * 120
    oracle = Oracle(table)
    found = label_clusters(hide_labels(table), groups, {0: "a", 1: "b", 2: "a"}, oracle)
    assert [each.taken for each in found.clusters] == [True, True, False]
    assert found.table["y"][:300].tolist() == truth[:300]
    assert oracle.asked == found.asked
    rest = [row for row in range(300, 420) if found.table["y"][row] is not None]
    assert rest == sorted(found.clusters[2].asked)  # what was asked is known, and no more
    assert found.spared == 300 - sum(len(each.asked) for each in found.clusters[:2])
    assert "Cluster 2 did not become 'a'" in str(found)
    assert "<table" in found._repr_html_()


def test_a_cluster_that_is_too_mixed_is_taken_as_seldom_as_it_should_be():
    truth = ["a"] * 89 + ["b"] * 11
    table, taken = known(truth), 0
    for seed in range(300):
        found = label_clusters(
            hide_labels(table), [0] * 100, {0: "a"}, Oracle(table), check=35, seed=seed
        )
        taken += found.clusters[0].taken
    assert stats.binomtest(taken, 300, 0.1, alternative="greater").pvalue > 0.001


def test_known_labels_stay_and_are_not_asked_about():
    table = known(["b"] * 5 + [None] * 45)
    found = label_clusters(table, [0] * 50, {0: "a"}, Oracle(lambda _: "a"))
    assert found.table["y"].tolist() == ["b"] * 5 + ["a"] * 45
    assert min(found.asked) >= 5
    assert found.clusters[0].rows == 45


def test_who_does_not_know_does_not_agree():
    found = label_clusters(
        hide_labels(known(["a"] * 50)), [0] * 50, {0: "a"}, Oracle(lambda _: None)
    )
    assert not found.clusters[0].taken
    assert (found.clusters[0].agreed, len(found.asked)) == (0, 1)
    assert found.table.missing("y").all()


def test_a_cluster_without_a_name_is_left_alone():
    table, oracle = hide_labels(known(["a"] * 20)), Oracle(lambda _: "a")
    found = label_clusters(table, ["p"] * 10 + [None] * 10, {}, oracle)
    assert not oracle.asked
    assert "Cluster p has no name" in str(found)


def test_a_mixed_cluster_is_split():
    rng = np.random.default_rng(0)
    truth = ["a"] * 100 + ["b"] * 100
    table = known(truth, np.concatenate([rng.normal(0, 1, 100), rng.normal(50, 1, 100)]))
    found = label_clusters(
        hide_labels(table), [7] * 200, lambda rows: "a" if rows["x"].mean() < 40 else "b",
        Oracle(table), split=KMeans(k=2),
    )  # fmt: skip
    assert [each.cluster for each in found.clusters] == ["7", "7/0", "7/1"]
    assert [each.taken for each in found.clusters] == [False, True, True]
    assert "It was split into 2." in str(found)
    assert found.table["y"].tolist() == truth


def test_what_is_refused():
    table, oracle = known(["a", "b", None]), Oracle(lambda _: "a")
    with pytest.raises(DomainError, match="2 clusters for 3 rows"):
        label_clusters(table, [0, 1], {}, oracle)
    with pytest.raises(ParameterError, match="There is no cluster 5"):
        label_clusters(table, [0, 1, 1], {5: "a"}, oracle)
    with pytest.raises(ParameterError, match="asks an Oracle"):
        label_clusters(table, [0, 1, 1], {}, lambda _: "a")
    with pytest.raises(ParameterError, match="'agree' parameter of label_clusters must be"):
        label_clusters(table, [0, 1, 1], {}, oracle, agree=90)
    with pytest.raises(ParameterError, match="a learner of clusters"):
        label_clusters(table, [0, 1, 1], len, oracle, split=NaiveBayes())
    with pytest.raises(ParameterError, match="let name be a function"):
        label_clusters(table, [0, 1, 1], {}, oracle, split=KMeans(k=2))
    with pytest.raises(ParameterError, match="class by cluster, or a function"):
        label_clusters(table, [0, 1, 1], "a", oracle)
    with pytest.raises(ParameterError, match="a model of clusters, such as"):
        label_clusters(table, KMeans(k=2), {}, oracle)
    with pytest.raises(DomainError, match="needs a target"):
        label_clusters(Table.of([(1,)], ["x"], target=None), [0], {}, oracle)
    with pytest.raises(DomainError, match="with_kinds"):
        label_clusters(Table.of([(1, 2)], ["x", "y"]), [0], {}, oracle)
