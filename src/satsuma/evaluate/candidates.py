"""Sensible: which learners to compare on some rows, and which would take too long."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from satsuma.data.domain import Domain
from satsuma.data.table import Table
from satsuma.data.variable import Variable
from satsuma.errors import DomainError
from satsuma.learners.generative.bayes import NaiveBayes
from satsuma.learners.generative.discriminant import LDA
from satsuma.learners.learner import Learner
from satsuma.learners.linear.logistic import Logistic
from satsuma.learners.linear.ridge import Ridge
from satsuma.learners.majority import Majority, Mean
from satsuma.learners.nearby.neighbours import KNN
from satsuma.learners.text.learners import Text
from satsuma.learners.tree.forest import Forest
from satsuma.learners.tree.learner import RegressionTree, Tree

#: Seconds that a learner may take for all folds together, as far as can be told beforehand.
MOST = 20.0

#: Steps of its inner loop that each sort of learner takes in a second; measured on two cores.
_TREES, _LINEAR, _NORMAL, _NEAR = 1e8, 4e9, 6e8, 4e9

#: Numbers and values of symbols beyond which `LDA` is not tried on rows that are not in memory.
_WIDE = 64

#: Rows whose trees are many enough at a hundred; with more rows there are fewer trees.
FOREST_ROWS = 2_000


class Set(NamedTuple):
    """Learners by name, and why others are not among them."""

    learners: dict[str, Learner]
    notes: tuple[str, ...]


class _Size(NamedTuple):
    """What learning costs by."""

    rows: int
    columns: int
    #: Numbers, and values of symbols.
    width: int
    classes: int
    folds: int
    #: In how many ways cells are missing.
    patterns: int

    @classmethod
    def of(cls, table: Table, folds: int) -> "_Size":
        known, target = table.domain.attributes, table.domain.target
        classes = max(2, len(target.values)) if target is not None else 2
        columns = max(1, len(known))
        return cls(len(table), columns, _width(table.domain), classes, folds, _patterns(table))


def _width(domain: Domain) -> int:
    return max(1, sum(1 if v.kind == "num" else len(v.values) for v in domain.attributes))


def _patterns(table: Table) -> int:
    holes = [table.missing(v.name) for v in table.domain.attributes]
    holes = [each for each in holes if each.any()]
    if not holes:
        return 1
    return len(np.unique(np.packbits(np.column_stack(holes), axis=1), axis=0))


def small_tree(target: Variable | None) -> Tree | RegressionTree:
    """A tree for a target that is kept so small that it can be read.

    Examples
    --------
    >>> small_tree(Variable("price")).max_depth
    5
    """
    if target is not None and target.kind == "num":
        return RegressionTree(max_depth=5, split="binary")
    return Tree(mdl_prune=True)


def sensible(table: Table, folds: int) -> Set:
    """The learners that fit a table, from the simplest on, as far as they can be waited for.

    Examples
    --------
    >>> from satsuma import load
    >>> list(sensible(load("voting"), 10).learners)
    ['Majority', 'NaiveBayes', 'Tree', 'Logistic', 'LDA', 'KNN', 'Forest']
    >>> list(sensible(load("housing"), 10).learners)
    ['Mean', 'Ridge', 'RegressionTree', 'KNN', 'Forest']
    """
    found, notes, slow = dict[str, Learner](), list[str](), list[str]()
    for learner, seconds in _candidates(table, folds):
        name = type(learner).__name__
        try:
            learner.check_data(table)
        except DomainError as error:
            notes.append(f"{name} was left out. {error}")
            continue
        if seconds > MOST:
            slow.append(name)
        else:
            found[name] = learner
    if slow:
        notes.append(
            f"Left out, as they would take long on {len(table):,} rows: {', '.join(slow)}. To have "
            f"them all the same, name the learners."
        )
    return Set(found, tuple(notes))


def in_one_pass(domain: Domain) -> Set:
    """The learners for rows that are not in memory: those that take one pass for all folds."""
    target = domain.target
    found: list[Learner] = (
        [Mean(), Ridge()]
        if target is not None and target.kind == "num"
        else [Majority(), NaiveBayes(), *([LDA()] if _width(domain) <= _WIDE else [])]
    )
    told = "Only learners of one pass are compared on a source. For others, take source.sample(n)."
    return Set({type(each).__name__: each for each in found}, (told,))


def _candidates(table: Table, folds: int) -> Iterator[tuple[Learner, float]]:
    """Learners, and about how many seconds each takes."""
    size, target, known = _Size.of(table, folds), table.domain.target, table.domain.attributes
    cubed = size.width**3
    if target is not None and target.kind == "num":
        yield Mean(), 0
        yield Ridge(), (size.rows * size.width**2 + size.folds * cubed) / _LINEAR
        yield small_tree(target), _of_trees(size, 1)
    else:
        yield Majority(), 0
        if known and all(v.kind == "text" for v in known):
            yield Text(), 0
            return
        yield NaiveBayes(), 0
        yield small_tree(target), _of_trees(size, 1)
        wide = size.width * (size.classes - 1)
        yield Logistic(), 8 * size.folds * (size.rows * wide**2 + wide**3) / _LINEAR
        normal = size.rows * size.width**2 + size.folds * size.patterns * cubed
        yield LDA(), normal / _NORMAL
    yield KNN(), size.rows**2 * size.columns / _NEAR
    trees = max(10, min(100, round(100 * FOREST_ROWS / max(1, size.rows))))
    yield Forest(t=trees), _of_trees(size, trees) / size.columns**0.5


def _of_trees(size: _Size, trees: int) -> float:
    deep = max(1, size.rows.bit_length())
    return 4 * size.folds * trees * size.rows * size.columns * deep / _TREES
