"""What averaged dependence estimators have learned, for a person to read."""

from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from satsuma.data.breaks import interval_codes
from satsuma.data.domain import Domain
from satsuma.data.summary import cut, width
from satsuma.data.table import Table
from satsuma.errors import DomainError, NoSuchColumn
from satsuma.learners.generative.dependence import Dependence
from satsuma.learners.generative.model import GenerativeModel
from satsuma.learners.generative.naive_bayes import NaiveBayes
from satsuma.likelihoods.categorical import Shares
from satsuma.measures.estimates import relative
from satsuma.measures.information import entropy_of, mutual_information_of
from satsuma.numerics.arrays import Floats
from satsuma.prepare.intervals import Intervals
from satsuma.tallies.class_counts import ClassCounts
from satsuma.tallies.composite import Composite

if TYPE_CHECKING:
    from satsuma.learners.generative.dependence_model import AnDEModel

#: Parents and pairs that are shown, and characters of a name.
SHOWN, NAME = 12, 32

Cells = tuple[str, ...]


def summary(model: "AnDEModel") -> str:
    """What each parent counts, and which columns depend on each other within the classes.

    Examples
    --------
    >>> import satsuma
    >>> print(satsuma.AnDE()(satsuma.load("tennis")))
    play: no 0.357, yes 0.643
    <BLANKLINE>
    parent       bits of play  weight
    outlook             0.247   0.518
    humidity            0.152   0.319
    wind                0.048   0.101
    temperature         0.029   0.061
    <BLANKLINE>
    depend on each other, given the class   bits
    temperature and humidity               0.213
    outlook and wind                       0.157
    outlook and temperature                0.110
    outlook and humidity                   0.068
    <BLANKLINE>
    calibrated: log-odds are divided by 1.30
    """
    shown = zip(model.classes[:SHOWN], model.prior, strict=False)
    shares = [f"{cut(value, NAME)} {share:.3f}" for value, share in shown]
    more = [f"and {len(model.classes) - SHOWN} more"] if len(model.classes) > SHOWN else []
    pairs = [
        (f"{cut(one, NAME)} and {cut(two, NAME)}", f"{bits:.3f}")
        for one, two, bits in dependent_pairs(model)
    ]
    heat = model.temperature
    return "\n".join(
        [
            f"{model.target.name}: {', '.join([*shares, *more])}",
            *_table(*_parents(model)),
            *_table(("depend on each other, given the class", "bits"), pairs),
            *(["", f"calibrated: log-odds are divided by {heat:.2f}"] if heat != 1 else []),
        ]
    )


def _parents(model: "AnDEModel") -> tuple[Cells, list[Cells]]:
    """What each parent tells of the class, and what it counts where that is not the same."""
    alike = len(set(model.weights.tolist())) <= 1
    names, counts = model.tally.names, model.tally.counts
    found = [
        (
            ", ".join(cut(names[at], NAME) for at in each),
            mutual_information_of(counts[each]),
            weight,
        )
        for each, weight in zip(model.parents(model.n), model.weights.tolist(), strict=True)
        if each
    ]
    found.sort(key=lambda each: -each[1])
    rows = [(name, f"{bits:.3f}", f"{weight:.3f}") for name, bits, weight in found]
    head = ("parent", f"bits of {cut(model.target.name, NAME)}", "weight")
    wide = 2 if alike else 3
    return head[:wide], [each[:wide] for each in rows]


def _table(head: Cells, rows: list[Cells]) -> list[str]:
    """A blank line, a header, and the first rows below it; nothing where there are none."""
    if not rows:
        return []
    more = [f"… and {len(rows) - SHOWN} more"] if len(rows) > SHOWN else []
    return ["", *_aligned([head, *rows[:SHOWN]]), *more]


def dependent_pairs(model: "AnDEModel") -> list[tuple[str, str, float]]:
    """Pairs of columns that tell of each other within the classes, in bits, most first.

    What chance alone makes of so few rows, on average, is taken off.
    """
    tally = model.tally
    found: list[tuple[str, str, float]] = []
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


def _aligned(rows: list[Cells]) -> list[str]:
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
    dependence = Dependence.of(tally, (at,), model.smoothing, model.shift)
    domain = _cut_domain(model, without=name)
    counts = [tally[name, v.name][code] for v in domain.attributes]
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
    if (rows := _sample(model, at, code)) is not None:
        made.keep_sample(rows.select([v.name for v in domain]))
    return made


def _sample(model: "AnDEModel", at: int, code: int) -> Table | None:
    """The rows at hand in which a column has a value, numbers cut; None if there are none."""
    sample: Table | None = vars(model).get("_sample")
    if sample is None:
        return None
    rows = np.flatnonzero(model.tally.codes(sample)[at] == code)
    return Intervals(model.tally.cuts)(sample[rows]) if len(rows) else None


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
