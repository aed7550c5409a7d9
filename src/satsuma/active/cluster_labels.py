"""Cluster labels: the class of a whole cluster at once, taken only if a random sample agrees."""

from collections.abc import Callable, Hashable, Mapping, Sequence
from types import SimpleNamespace
from typing import Any, cast

import numpy as np

from satsuma.active.agreement import is_missing
from satsuma.active.checked_clusters import CheckedCluster, ClusterLabels
from satsuma.active.labelled_table import class_target, labelled_table, with_class
from satsuma.active.oracle import Oracle
from satsuma.active.share_bound import errors_allowed, fewest_checks, least_right
from satsuma.data.table import Table
from satsuma.errors import DomainError, ParameterError, check_number, described, hint
from satsuma.learners.clusterer import Clusterer
from satsuma.learners.learner import Learner
from satsuma.numerics.arrays import Indices

Names = Mapping[Any, Any] | Callable[[Table], Any]


def label_clusters(
    table: Table,
    clusters: Clusterer | Sequence[Hashable],
    name: Names,
    oracle: Oracle,
    *,
    check: int = 8,
    agree: float = 0.9,
    confidence: float = 0.9,
    split: Learner | None = None,
    seed: int = 0,
) -> ClusterLabels:
    """Label whole clusters at once, and check each by rows of it that are drawn at random.

    Somebody names the class of a cluster. Then rows of it are asked about one by one, and the name
    becomes the label of all its rows only if enough of them agree: with a confidence, at least a
    share of the cluster is of that class (an exact bound, see `ClusterLabels`). A cluster is given
    up as soon as that can no longer come out. A row that was asked about gets the label of its
    answer, and "don't know" counts as no agreement. The confidence is that of each cluster.

    Parameters
    ----------
    table
        The rows. Those that have a label keep it, and are neither asked about nor counted.
    clusters
        A model of clusters, or the cluster of each row: numbers or names. None for no cluster.
    name
        The class by cluster, or a function of the rows of a cluster that returns it. Without a
        name, or if that is None, a cluster is neither asked about nor labelled.
    oracle
        Whoever knows the class of a row.
    check
        How many rows of a cluster are asked about at least, where it has as many. It takes more
        if so few, all right, could not prove `agree`; more than that forgive errors.
    agree
        The share of a cluster that has to be of its class.
    confidence
        With which that is to be proved.
    split
        A learner of clusters, such as ``KMeans(k=2)``, for the rows of a cluster that was not
        taken: its parts are named and checked like clusters, once. `name` is a function then.
    seed
        Where chance starts from in drawing rows.

    Examples
    --------
    >>> import satsuma
    >>> from satsuma import label_clusters
    >>> from satsuma.active.active_learning import hide_labels
    >>> iris = satsuma.load("iris")
    >>> model = satsuma.KMeans(k=3)(iris)
    >>> def name(rows):
    ...     return "setosa" if rows["Petal.Length"].mean() < 2 else "virginica"
    >>> found = label_clusters(hide_labels(iris), model, name, satsuma.Oracle(iris))
    >>> sum(each.taken for each in found.clusters), len(found.asked)
    (1, 21)
    """
    target = class_target(table, "label_clusters")
    given: Any = type("label_clusters", (SimpleNamespace,), {})(
        check=check, agree=agree, confidence=confidence, seed=seed
    )
    check_number(given, "check", low=1, whole=True)
    check_number(given, "agree", low=0, high=1)
    check_number(given, "confidence", low=0.5, high=0.9999)
    check_number(given, "seed", low=0, whole=True)
    _check_people(oracle, name, split)
    groups, named = _groups(clusters, table), cast("Any", name if isinstance(name, Mapping) else {})
    if odd := [str(each) for each in named if each not in groups]:
        known = hint(odd[0], map(str, groups))
        raise ParameterError(f"There is no cluster {odd[0]} to be called so. {known}")
    rng = np.random.default_rng(seed)
    labels = table.column(target.name).copy()
    done, waiting = list[CheckedCluster](), [(str(key), key, rows) for key, rows in groups.items()]
    while waiting:
        title, key, rows = waiting.pop(0)
        free = rows[labels[rows] < 0]
        if not len(free):
            continue
        said: Any = named.get(key) if isinstance(name, Mapping) else cast("Any", name)(table[rows])
        if is_missing(said):
            done.append(CheckedCluster(title, None, len(free), (), 0, 0, False))
            continue
        target = with_class(target, said)
        wanted = min(len(free), max(check, fewest_checks(len(free), agree, confidence)))
        most = errors_allowed(len(free), wanted, agree, confidence)
        queue, asked, right = rng.permutation(free)[:wanted], list[int](), 0
        while len(asked) - right <= most and right < wanted - most:
            row = int(queue[len(asked)])
            answer = oracle.ask(table[row]).value
            asked.append(row)
            if not is_missing(answer):
                target = with_class(target, answer)
                labels[row] = target.code(str(answer))
                right += str(answer) == str(said)
        taken = len(asked) - right <= most
        least = least_right(len(free), wanted, right, confidence)
        if taken:
            rest = free[~np.isin(free, asked)]
            labels[rest] = target.code(str(said))
        parts = [] if taken or split is None or key is _PART else _parts(split, table, rows)
        waiting[:0] = [(f"{title}/{at}", _PART, part) for at, part in enumerate(parts)]
        done.append(
            CheckedCluster(
                title, str(said), len(free), tuple(asked), right, least, taken, len(parts)
            )
        )
    found = labelled_table(table, target, labels, np.ones(len(table)))
    return ClusterLabels(found, tuple(done), agree, confidence)


#: What stands for the key of a part of a cluster: it is not split again.
_PART = object()


def _check_people(oracle: Any, name: Any, split: Any) -> None:
    if not isinstance(oracle, Oracle):
        raise ParameterError(
            f"label_clusters asks an Oracle about rows: Oracle(function of a row). "
            f"Got {described(oracle)} instead."
        )
    if not (isinstance(name, Mapping) or callable(name)):
        raise ParameterError(
            f"The 'name' parameter of label_clusters must be the class by cluster, or a function "
            f"of the rows of a cluster. Got {described(name)} instead."
        )
    if split is None:
        return
    if not isinstance(split, Learner) or split.takes.target != "nothing":
        raise ParameterError(
            f"The 'split' parameter of label_clusters must be a learner of clusters, such as "
            f"KMeans(k=2). Got {split!r} instead."
        )
    if isinstance(name, Mapping):
        raise ParameterError(
            "Parts of a cluster that is split have no name beforehand: with split=, let name be a "
            "function of their rows."
        )


def _groups(clusters: Any, table: Table) -> dict[Any, Indices]:
    """The rows of each cluster, clusters in order."""
    if isinstance(clusters, Clusterer):
        return _groups(clusters(table), table)
    if isinstance(clusters, str) or not hasattr(clusters, "__len__"):
        raise ParameterError(
            f"The 'clusters' parameter of label_clusters must be a model of clusters, such as "
            f"KMeans()(table), or the cluster of each row. Got {described(clusters)} instead."
        )
    if len(clusters) != len(table):
        raise DomainError(
            f"There are {len(clusters):,} clusters for {len(table):,} rows: each row has one."
        )
    found: dict[Any, list[int]] = {}
    keys: list[Any] = np.asarray(clusters, object).tolist()
    for row, key in enumerate(keys):
        if not is_missing(key):
            found.setdefault(key, []).append(row)
    alike = len({key.__class__.__name__ for key in found}) == 1
    order = sorted(found) if alike else list(found)
    return {key: np.array(found[key], np.intp) for key in order}


def _parts(split: Learner, table: Table, rows: Indices) -> list[Indices]:
    """The rows of each part of a cluster; none if it stays in one."""
    some = table[rows]
    number = np.asarray(split(some)(some))
    parts = [rows[number == at] for at in np.unique(number)]
    return parts if len(parts) > 1 else []
