"""What averaged dependence estimators have learned, for a person to read."""

from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from satsuma.data.breaks import interval_codes
from satsuma.data.domain import Domain
from satsuma.data.summary import cut, width
from satsuma.errors import DomainError, NoSuchColumn
from satsuma.learners.generative.dependence import Dependence
from satsuma.learners.generative.model import GenerativeModel
from satsuma.learners.generative.naive_bayes import NaiveBayes
from satsuma.likelihoods.categorical import Shares
from satsuma.measures.estimates import relative
from satsuma.measures.information import entropy_of
from satsuma.numerics.arrays import Floats
from satsuma.prepare.intervals import Intervals
from satsuma.tallies.class_counts import ClassCounts
from satsuma.tallies.composite import Composite

if TYPE_CHECKING:
    from satsuma.learners.generative.dependence_model import AnDEModel

#: Parents and pairs that are shown, and characters of a name.
SHOWN, NAME = 12, 32


def summary(model: "AnDEModel") -> str:
    """What each parent counts, and which columns depend on each other within the classes.

    Examples
    --------
    >>> import satsuma
    >>> print(satsuma.AnDE()(satsuma.load("tennis")))
    """
    target, tally = model.target.name, model.tally
    shares = zip(model.classes, model.prior, strict=True)
    told = ", ".join(f"{cut(value, NAME)} {share:.3f}" for value, share in shares)
    parents = [
        (", ".join(tally.names[at] for at in each), float(weight), _bits_of_class(model, each))
        for each, weight in zip(model.parents(model.n), model.weights, strict=True)
        if each
    ]
    parents.sort(key=lambda each: -each[2])
    lines = [f"{target}: {told}"]
    if parents:
        rows = [(cut(name, NAME), f"{weight:.3f}", f"{bits:.3f}") for name, weight, bits in parents]
        lines += ["", *_aligned([("parent", "weight", f"bits of {target}"), *rows[:SHOWN]])]
        lines += [f"… and {len(rows) - SHOWN} more"] if len(rows) > SHOWN else []
    pairs = dependent_pairs(model)
    if pairs:
        rows = [(f"{cut(a, NAME)} and {cut(b, NAME)}", f"{bits:.3f}") for a, b, bits in pairs]
        lines += ["", *_aligned([("depend on each other, given the class", "bits"), *rows[:SHOWN]])]
        lines += [f"… and {len(rows) - SHOWN} more"] if len(rows) > SHOWN else []
    return "\n".join(lines)


def dependent_pairs(model: "AnDEModel") -> list[tuple[str, str, float]]:
    """Pairs of columns that tell of each other within the classes, in bits, most first.

    What chance alone makes of so few rows, on average, is taken off.
    """
    tally, found = model.tally, []
    if tally.order < 2:
        return []
    for one, two in combinations(range(len(tally.names)), 2):
        bits = _bits_within_classes(tally.counts[one, two])
        if bits >= 5e-4:
            found.append((tally.names[one], tally.names[two], bits))
    return sorted(found, key=lambda each: -each[2])


def _bits_within_classes(counts: Floats) -> float:
    """What two columns tell of each other, given the class (conditional mutual information)."""
    by_class = np.moveaxis(counts, -1, 0)
    weight = by_class.sum(axis=(1, 2))
    bits = (
        entropy_of(by_class.sum(axis=2))
        + entropy_of(by_class.sum(axis=1))
        - entropy_of(by_class.reshape(len(by_class), -1))
    )
    rows, columns = ((by_class.sum(axis=axis) > 0).sum(axis=1) for axis in (2, 1))
    free = np.where(weight > 0, (rows - 1) * (columns - 1), 0).sum()
    total = weight.sum()
    if not total > 0:
        return 0.0
    return max(0.0, float((weight @ bits - free / (2 * np.log(2))) / total))


def _bits_of_class(model: "AnDEModel", parents: tuple[int, ...]) -> float:
    from satsuma.learners.generative.dependence_model import mutual_information

    return mutual_information(model.tally.counts[parents])


def _aligned(rows: list[tuple[str, ...]]) -> list[str]:
    rooms = [max(map(width, column)) for column in zip(*rows, strict=True)]
    out: list[str] = []
    for first, *others in rows:
        cells = [first + " " * (rooms[0] - width(first))]
        cells += [
            " " * (room - width(cell)) + cell for cell, room in zip(others, rooms[1:], strict=True)
        ]
        out.append("  ".join(cells).rstrip())
    return out


def given(model: "AnDEModel", name: str, value: str | float) -> GenerativeModel:
    """Naive Bayes among the rows where one column has a value."""
    tally = model.tally
    if name not in tally.names:
        raise NoSuchColumn(name, tally.names)
    if tally.order < 2:
        raise DomainError("Naive Bayes has no parents: learn with AnDE(n=1) to ask for one.")
    at, code = tally.names.index(name), _code(model, name, value)
    dependence = Dependence.of(tally, (at,), model.smoothing)
    domain = _cut_domain(model, without=name)
    counts = [np.moveaxis(tally[name, v.name], 0, 0)[code] for v in domain.attributes]
    weight = tally[name][code]
    classes = len(weight)
    tables = [
        np.exp(each.reshape(tally.levels[at], -1, classes)[code])
        for each in dependence.children.values()
    ]
    prior = relative(np.exp(dependence.base[code]))
    names = tuple(v.name for v in domain.attributes)
    made = GenerativeModel(
        prior,
        [Shares(names, tables)] if names else [],
        Composite(domain, [ClassCounts(domain, weight, counts)]),
    )
    made.domain, made.learner = domain, NaiveBayes(m=model.m)
    return made


def _code(model: "AnDEModel", name: str, value: str | float) -> int:
    variable = model.domain[name]
    if variable.kind == "sym":
        return variable.code(str(value))
    return int(interval_codes(np.array([float(value)]), model.tally.cuts[name])[0])


def _cut_domain(model: "AnDEModel", without: str) -> Domain:
    cut_at = Intervals(model.tally.cuts)
    return Domain(
        cut_at.variable(v) if v.role == "x" and v.kind == "num" else v
        for v in model.domain
        if v.name != without
    )
