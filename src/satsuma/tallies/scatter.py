"""Scatter: how the columns of each class vary together."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np

from satsuma.data.domain import Domain
from satsuma.data.fields import FloatArray, Maybe
from satsuma.data.schema import Schema
from satsuma.data.table import Table
from satsuma.kernels import tally
from satsuma.kernels.tally import (
    GroupPairs,
    GroupScatter,
    merge_pairs,
    merge_scatter,
    pairs_of_complete,
    pairs_without,
)
from satsuma.numerics.arrays import Array, frozen
from satsuma.tallies.base import places
from satsuma.tallies.by_class import (
    ByClass,
    Floats,
    check_digits,
    classes_of,
    left_over,
    near,
    weights_of,
)
from satsuma.tallies.features import Feature, attributes_of, features_of, levels_of


class Scatter(ByClass):
    """Means and cross-products of the attributes in each class, for covariances.

    A symbolic attribute enters one-hot, as a column of ones and zeros for each value; where it
    is missing, all of them are. Any two columns are looked at in the rows where both are known:
    `weight` and `cross`, the cross-products about the means over these rows, are (classes, columns,
    columns); `mean` is (classes, columns), each over all rows where the column is known.

    Parameters
    ----------
    domain
        The columns that were tallied.
    whole
        The scatter of the rows where nothing is missing, as the kernels give it.
    others
        What is known of every two columns in the other rows; None if there are none.

    Examples
    --------
    >>> from satsuma import Table
    >>> from satsuma.extend import Scatter
    >>> rows = [(1, 2, "a"), (3, 6, "a"), (None, 9, "a")]
    >>> scatter = Scatter.of(Table.of(rows, ["x", "y", "class"]))
    >>> scatter.weight.tolist(), scatter.cross[0, 0].tolist()
    ([[[2.0, 2.0], [2.0, 3.0]]], [2.0, 4.0])
    >>> scatter.mean.round(3).tolist(), scatter.class_weight.tolist()
    ([[2.0, 5.667]], [3.0])
    """

    unscaled: ClassVar[tuple[str, ...] | None] = ("mean", "rest", "pair_mean", "pair_rest")

    def __init__(self, domain: Domain, whole: GroupScatter, others: GroupPairs | None) -> None:
        self.domain = domain
        self.whole = GroupScatter(*map(frozen, whole))
        self.others = None if others is None else GroupPairs(*map(frozen, others))
        self.class_weight = self.whole.total

    @classmethod
    def schema_in(cls, domain: Domain) -> Schema:  # noqa: ARG003 - the same for all
        """Weights, means and cross-products, by class and column."""
        one, two = ("classes", "features"), ("classes", "features", "features")
        each = {name: FloatArray(*two) for name in ("mean", "rest", "cross")}
        pair = {f"pair_{name}": Maybe(field, optional=True) for name, field in each.items()}
        return Schema(
            total=FloatArray("classes", low=0),
            weight=FloatArray("classes", low=0),
            mean=FloatArray(*one),
            rest=FloatArray(*one),
            cross=FloatArray(*two),
            pair_weight=Maybe(FloatArray(*two, low=0), optional=True),
            **pair,
        )

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the attributes that are tallied."""
        return tuple(v.name for v in attributes_of(self.domain))

    def is_finite(self) -> bool:
        """Whether all means and cross-products are finite."""
        mean = self.whole.mean if self.others is None else self.pairs.mean
        return bool(np.isfinite(self.cross).all() and np.isfinite(mean).all())

    @property
    def features(self) -> tuple[Feature, ...]:
        """The columns of the arrays, in order."""
        return features_of(self.domain)

    @cached_property
    def pairs(self) -> GroupPairs:
        """What is known of every two columns, in all rows."""
        if self.others is not None and not self.whole.weight.any():  # no row is complete
            return self.others
        complete = pairs_of_complete(self.whole)
        return complete if self.others is None else merge_pairs([complete, self.others])

    @property
    def weight(self) -> Floats:
        """The weight of the rows where two columns are known."""
        return self.pairs.weight

    @property
    def mean(self) -> Floats:
        """The mean of each column in each class; 0 where nothing is known."""
        return np.diagonal(self.pairs.mean, axis1=1, axis2=2)

    @property
    def cross(self) -> Floats:
        """The cross-products of two columns about their means, where both are known."""
        return self.pairs.cross

    @classmethod
    def zero(cls, domain: Domain) -> Self:
        """The tally of no rows."""
        n, d = len(classes_of(domain)), len(features_of(domain))
        shapes = ((n,), (n,), (n, d), (n, d), (n, d, d))
        return cls(domain, GroupScatter(*map(np.zeros, shapes)), None)

    @classmethod
    def split(cls, batch: Table, groups: Array, k: int) -> Sequence[Self]:
        """The tallies of `k` sets of rows, where groups are ``set * classes + class``."""
        domain = batch.domain
        n = len(classes_of(domain))
        columns = [batch.column(v.name) for v in attributes_of(domain)]
        weights, levels = weights_of(batch), levels_of(domain)
        whole, others = tally.scatter(columns, groups, k * n, weights, levels)
        return [
            cls(
                domain,
                GroupScatter(*(each[rows] for each in whole)),
                None if others is None else GroupPairs(*(each[rows] for each in others)),
            )
            for rows in (slice(fold * n, fold * n + n) for fold in range(k))
        ]

    def _spread(self, domain: Domain) -> Self:
        wide = type(self).zero(domain)
        classes, columns = places(self.classes, wide.classes), places(self.features, wide.features)
        arrays: list[Floats] = []
        for empty, mine in zip(wide.whole, self.whole, strict=True):
            each = empty.copy()
            each[np.ix_(classes, *[columns] * (each.ndim - 1))] = mine
            arrays.append(each)
        made, others = GroupScatter(*arrays), self.others
        if not _all_known(self.domain, domain):
            # A row was complete as long as a symbol without values had no column to be missing.
            others, made = self.pairs, made._replace(**_nothing(made))
        if others is None:
            return type(self)(domain, made, None)
        return type(self)(domain, made, _spread_pairs(others, classes, self.features, wide))

    def _plus(self, other: Any) -> Self:
        some = [each for each in (self.others, other.others) if each is not None]
        whole = merge_scatter([self.whole, other.whole])
        return type(self)(self.domain, whole, merge_pairs(some) if some else None)

    def _minus(self, other: Any) -> Self:
        """Without some rows; an error where too few digits of a spread would be right."""
        left = pairs_without(self.pairs, other.pairs, left_over(self.weight, other.weight))
        before, after = (np.diagonal(each.cross, axis1=1, axis2=2) for each in (self.pairs, left))
        touched = np.diagonal((other.weight > 0) & (left.weight > 0), axis1=1, axis2=2)
        check_digits(before, after, touched)
        whole = self.whole._replace(**_nothing(self.whole))
        total = left_over(self.class_weight, other.class_weight)
        return type(self)(self.domain, whole._replace(total=total), left)

    def _arrays(self) -> dict[str, Array]:
        others = {} if self.others is None else self.others._asdict()
        return self.whole._asdict() | {f"pair_{name}": each for name, each in others.items()}

    @classmethod
    def _made(cls, domain: Domain, arrays: Mapping[str, Array]) -> Self:
        others = None
        if "pair_weight" in arrays:
            others = GroupPairs(*(arrays[f"pair_{name}"] for name in GroupPairs._fields))
        return cls(domain, GroupScatter(*(arrays[name] for name in GroupScatter._fields)), others)

    def agrees(self, other: Any, rel: float) -> bool:
        """Whether a tally of the same domain says the same.

        The numbers of a column, less a shift near their mean, are known to the last bit of the
        mean; so each has an error that is small beside ``spread + eps |mean|``, where the spread
        is the root of its mean square. Products of columns i and j, added up over n rows, differ
        by at most ``rel n (spread_i + eps |mean_i|) (spread_j + eps |mean_j|)``.
        """
        weight, mean, _, cross = self.pairs
        floats, known = np.finfo(float), np.diagonal(weight, axis1=1, axis2=2)
        spread = np.sqrt(np.diagonal(cross, axis1=1, axis2=2))
        # A mean may cancel to nearly nothing where the numbers do not.
        size = np.abs(mean) + np.abs(self.mean)[:, :, None] + spread[:, :, None]
        rounding = floats.eps * np.abs(self.mean) * np.sqrt(known)
        # Numbers that are all subnormal have no digits to agree in.
        spread = spread + rounding + floats.tiny
        most = np.maximum(spread[:, :, None] * spread[:, None, :], np.abs(cross))
        return (
            near(self.class_weight, other.class_weight, rel)
            and near(weight, other.weight, rel)
            and near(mean, other.pairs.mean, rel, size)
            and near(cross, other.cross, rel, most)
        )


def _all_known(old: Domain, new: Domain) -> bool:
    """Whether every symbol had a value already, or has none still."""
    return not any(v.kind == "sym" and not old[v.name].values and v.values for v in new.attributes)


def _nothing(whole: GroupScatter) -> dict[str, Floats]:
    """All but the weight of the classes, of no rows."""
    return {name: np.zeros_like(each) for name, each in whole._asdict().items() if name != "total"}


def _spread_pairs(
    held: GroupPairs, classes: Array, features: Sequence[Feature], wide: Scatter
) -> GroupPairs:
    """The same pairs among more columns.

    A value that is new to a symbol was 0 wherever the symbol was known: where a sibling was.
    """
    new = places(features, wide.features)
    fresh = np.setdiff1d(np.arange(len(wide.features)), new)
    first = {name: at for at, (name, _) in reversed(list(enumerate(features)))}
    sibling = np.full(len(wide.features), -1)
    sibling[new] = np.arange(len(features))
    for at, (name, _) in enumerate(wide.features):
        if sibling[at] < 0:
            sibling[at] = first.get(name, -1)
    known = sibling >= 0
    made = [np.zeros((len(wide.classes), len(known), len(known))) for _ in held]
    for into, each in zip(made, held, strict=True):
        taken = each[:, sibling][:, :, sibling] * (known[:, None] & known)
        into[classes] = taken
    for into in made[1:]:
        into[:, fresh, :] = 0
    made[3][:, :, fresh] = 0
    return GroupPairs(*made)
