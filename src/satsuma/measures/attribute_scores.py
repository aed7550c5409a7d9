"""Attribute scores: which attributes tell most about the target (feature ranking)."""

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from satsuma.data.domain import Domain
from satsuma.data.result_frame import ResultFrame
from satsuma.data.summary import cut, width
from satsuma.data.table import Table
from satsuma.engines import Source, check_rows, reduce
from satsuma.engines.timed_source import with_time_features
from satsuma.errors import DomainError, NoSuchColumn, ParameterError, hint
from satsuma.measures import contingency as dependence
from satsuma.measures import information
from satsuma.measures import information as impurity
from satsuma.measures.contingency import Contingency
from satsuma.measures.cut_points import mdl_cuts
from satsuma.measures.mutual_information import mutual_information
from satsuma.measures.relieff import relief
from satsuma.measures.rrelieff import rrelief
from satsuma.measures.variance import correlation_ratio, target_and_weights, variance_gain
from satsuma.numerics.arrays import Floats
from satsuma.tallies.class_counts import ClassCounts
from satsuma.tallies.composite import Composite
from satsuma.tallies.values import Values

if TYPE_CHECKING:
    import pandas as pd

Measure = Callable[[Contingency], float]

#: What can be asked of a column by name, on counts of its values and classes.
MEASURES: Mapping[str, Measure] = {
    "information_gain": information.information_gain_of,
    "gain_ratio": information.gain_ratio_of,
    "conditional_entropy": information.conditional_entropy_of,
    "gini": impurity.gini_gain_of,
    "chi_square": dependence.chi_square_of,
    "mdl": information.mdl_of,
}

#: The same, by the functions of columns.
_ON_COUNTS: Mapping[Any, Measure] = {
    information.information_gain: information.information_gain_of,
    information.gain_ratio: information.gain_ratio_of,
    information.conditional_entropy: information.conditional_entropy_of,
    impurity.gini: impurity.gini_gain_of,
    impurity.gini_gain: impurity.gini_gain_of,
    dependence.chi_square: dependence.chi_square_of,
    information.mdl: information.mdl_of,
}

#: What can be asked of a column by name where the target is a number.
MEASURES_OF_NUMBERS = ("variance_gain", "correlation_ratio", "mutual_information", "relief")

#: The measure that is used unless another is named, by the kind of the target.
USUAL = {"sym": "information_gain", "num": "variance_gain"}

#: All that a measure on counts needs to know of rows.
COUNTED = Composite.of_kinds(ClassCounts, Values)

#: Lines that are printed, and characters of a name.
LINES, NAME = 40, 32


class AttributeScores(Mapping[str, float], ResultFrame):
    """Attributes and what they score, the best first.

    Parameters
    ----------
    measure
        The name of the measure.
    scores
        By attribute, in the order of the columns, which decides between equals.
    """

    def __init__(self, measure: str, scores: Mapping[str, float]) -> None:
        self.measure = measure
        self._sign = (
            1 if measure == "conditional_entropy" else -1
        )  # of what is left, less is better
        self._scores = dict(sorted(scores.items(), key=lambda pair: self._sign * pair[1]))

    def __getitem__(self, name: str) -> float:
        if name not in self._scores:
            raise NoSuchColumn(name, self._scores)
        return self._scores[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._scores)

    def __len__(self) -> int:
        return len(self._scores)

    def best(self, n: int | None = None, threshold: float | None = None) -> list[str]:
        """The names of the best attributes, the best first.

        Parameters
        ----------
        n
            At the most so many.
        threshold
            Only those that score as much, or as little where less is better.
        """
        less = self._sign > 0
        good = [
            name
            for name, score in self._scores.items()
            if threshold is None or (score <= threshold if less else score >= threshold)
        ]
        return good[:n]

    def __repr__(self) -> str:
        shown = [(cut(name, NAME), f"{score:.4f}") for name, score in self._scores.items()]
        lines = [("attribute", self.measure), *shown[:LINES]]
        label, room = (max(width(line[at]) for line in lines) for at in (0, 1))
        told = [
            name + " " * (label - width(name)) + "  " + " " * (room - width(score)) + score
            for name, score in lines
        ]
        more = len(shown) - LINES
        return "\n".join([*told, *([f"… and {more} more"] if more > 0 else [])])

    def _repr_html_(self) -> str:
        from html import escape

        head = f"<tr><th>attribute</th><th>{escape(self.measure)}</th></tr>"
        rows = [
            f"<tr><td>{escape(name)}</td><td>{score:.4f}</td></tr>" for name, score in self.items()
        ]
        return f"<table>{head}{''.join(rows)}</table>"

    def to_pandas(self) -> "pd.DataFrame":
        """A pandas data frame of attributes and scores, the best first."""
        import pandas as pd

        return pd.DataFrame({"attribute": list(self), self.measure: list(self.values())})


def score_attributes(data: Table | Source, measure: str | Measure | None = None) -> AttributeScores:
    """Every attribute by what it tells about the target, the best first.

    Parameters
    ----------
    data
        A table with a target, or a source of rows with a target of classes.
    measure
        Of classes: ``information_gain`` (unless another is named), ``gain_ratio``,
        ``conditional_entropy`` (less is better), ``gini`` (what an attribute takes off it),
        ``chi_square``, ``mdl``, ``relief``; or a function of a `Contingency`. Of numbers:
        ``variance_gain`` (unless another is named; what values, or the best threshold, take off the
        variance), ``correlation_ratio`` (the share of it that means, or a straight line, explain),
        ``mutual_information`` (in nats, by nearest neighbours), ``relief`` (RReliefF).

    Notes
    -----
    Of classes, numbers are cut into intervals first (Fayyad and Irani 1993), and a column
    that is not worth a cut is one interval, which tells nothing; but ``relief`` takes numbers as
    they are. Missing values: of the rows whose value is known, times their share. Rows count by
    their weights, which ``mutual_information`` does not take. Times are scored by their features.
    Text is passed over.

    Examples
    --------
    >>> from satsuma import load, score_attributes
    >>> score_attributes(load("lenses"))
    attribute     information_gain
    tear_rate               0.5488
    astigmatic              0.3770
    prescription            0.0395
    age                     0.0394
    >>> score_attributes(load("housing"), "correlation_ratio").best(2)
    ['LSTAT', 'RM']
    """
    check_rows("score_attributes takes", data)
    kind = target_kind(data.domain)
    measure = USUAL[kind] if measure is None else measure
    if kind == "sym" and not (isinstance(measure, str) and measure == "relief"):
        checked_measure(measure)
        return scores_of(reduce(with_time_features(data), COUNTED.of), measure)
    name = str(measure)
    if kind == "num":
        check_measure_of_numbers(measure)
    if not isinstance(data, Table):
        raise DomainError(f"{name} must have all rows in memory. Take a sample: source.sample(n).")
    table = with_time_features(data)
    if name == "relief":
        return AttributeScores(name, relief(table) if kind == "sym" else rrelief(table))
    return AttributeScores(name, _of_numbers(table, name))


def _of_numbers(table: Table, name: str) -> dict[str, float]:
    """What each attribute tells about a numeric target."""
    if name == "mutual_information" and table.weights is not None:
        raise DomainError(
            "mutual_information does not take weights. Use variance_gain, or give the weights "
            "another role."
        )
    rows, target, weights = target_and_weights(table)
    scored = [v.name for v in table.domain.attributes if v.kind in ("num", "sym")]
    if name == "mutual_information":
        return {each: mutual_information(rows.column(each), target) for each in scored}
    function = variance_gain if name == "variance_gain" else correlation_ratio
    return {each: function(rows.column(each), target, weights) for each in scored}


def target_kind(domain: Domain) -> str:
    """``sym`` or ``num``; an error where there is no such target."""
    target = domain.target
    if target is None or target.kind not in USUAL:
        told = "there is none" if target is None else f"{target.name!r} is {target.kind!r}"
        raise DomainError(
            f"Attributes are scored by what they tell about a target of symbols or numbers, and "
            f"{told}. Name one: table.with_roles(target=…)."
        )
    return target.kind


def check_measure_of_numbers(measure: Any) -> None:
    """Raise unless a measure is one of numeric targets."""
    if measure not in MEASURES_OF_NUMBERS:
        raise ParameterError(
            f"There is no measure {measure!r} of a target of numbers. "
            f"{hint(str(measure), MEASURES_OF_NUMBERS)}"
        )


def checked_measure(measure: Any) -> Measure:
    """The function that a measure is; an unknown name raises."""
    if callable(measure):
        # A function of two columns stands for what it does with their counts.
        return _ON_COUNTS.get(cast("Any", measure), cast("Measure", measure))
    if measure not in MEASURES:
        known = [*MEASURES, "relief"]
        raise ParameterError(f"There is no measure {measure!r}. {hint(str(measure), known)}")
    return MEASURES[measure]


def scores_of(tally: Composite, measure: str | Measure) -> AttributeScores:
    """The scores that follow from the counts and values of rows."""
    function = checked_measure(measure)
    counts, values = tally[ClassCounts], tally[Values]
    total = counts.class_weight.sum()
    found: dict[str, float] = {}
    for variable in tally.domain.attributes:
        if variable.kind == "text":
            continue
        symbols = variable.kind == "sym"
        table = counts[variable.name] if symbols else interval_counts(values, variable.name)
        missing = max(0.0, float(total - table.sum()))
        found[variable.name] = function(Contingency(table, missing))
    name = measure if isinstance(measure, str) else getattr(measure, "__name__", "measure")
    return AttributeScores(name, found)


def interval_counts(values: Values, name: str) -> Floats:
    """What each interval of a numeric attribute, cut by its classes, weighs in each class."""
    value, weight = values[name].merged()
    if not len(value):
        return np.zeros((0, len(values.classes)))
    edges = np.searchsorted(value, mdl_cuts(value, weight), side="right")
    return np.add.reduceat(weight, np.concatenate(([0], edges)), axis=0)


def best_attribute(data: Table | Source, measure: str | Measure | None = None) -> str:
    """The attribute that tells most about the target; the first of several.

    The measures are those of `score_attributes`.

    Examples
    --------
    >>> from satsuma import best_attribute, load
    >>> best_attribute(load("tennis"))
    'outlook'
    """
    scores = score_attributes(data, measure)
    if not scores:
        raise DomainError("There is no attribute to be scored. Give a column the role 'x'.")
    return scores.best(1)[0]
