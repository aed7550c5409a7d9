"""Naive Bayes and linear discriminant analysis: the prior, and evidence that adds up."""

from typing import Any

import numpy as np

from satsuma.export.columns import Columns
from satsuma.export.expressions import (
    IMPOSSIBLE,
    Expression,
    Known,
    Number,
    Program,
    case,
    difference,
    greatest,
    is_missing,
    lookup,
    product,
    square,
    total,
)
from satsuma.export.forms.normals import terms_of_normals
from satsuma.export.refusals import refuse_part
from satsuma.export.softmax import classified, softmax, unless_hopeless
from satsuma.learners.generative.model import GenerativeModel
from satsuma.learners.generative.own_temperature import indicators
from satsuma.likelihoods.binned import IntervalProbabilities
from satsuma.likelihoods.categorical import SymbolTables
from satsuma.likelihoods.gaussian import Gaussians
from satsuma.likelihoods.multivariate_evidence import Normals
from satsuma.numerics.arrays import Floats

#: By class, what evidence adds to its score.
Terms = list[list[Expression]]


def generative(model: GenerativeModel) -> Program:
    """The logarithm of the prior and what the columns say, divided by the temperature."""
    columns = Columns(model.domain)
    prior = [_finite(each) for each in logs_of(model.prior).tolist()]
    scores: Terms = [[Number(each)] for each in prior]
    for each in model.evidence:
        for mine, more in zip(scores, _terms(each, columns, len(prior)), strict=True):
            mine.extend(more)
    summed = [total(*each) for each in scores]
    found = softmax(summed, _temperature(model, columns))
    if _may_be_hopeless(model):
        found = unless_hopeless(summed, found, model.prior.tolist())
    return classified(model.classes, found, model.threshold)


def _terms(evidence: Any, columns: Columns, classes: int) -> Terms:
    if isinstance(evidence, Gaussians):
        return _of_gaussians(evidence, columns)
    if isinstance(evidence, SymbolTables):
        each = zip(map(columns.code, evidence.names), evidence.logs(), strict=True)
        return of_tables(list(each), classes)
    if isinstance(evidence, IntervalProbabilities):
        return _of_intervals(evidence, columns)
    if isinstance(evidence, Normals) and len(evidence.covariance) == 1:
        return terms_of_normals(evidence, columns)
    raise refuse_part(
        evidence, "Gaussian, Binned, Categorical and the estimates of P(class | value), and LDA"
    )


def _of_gaussians(evidence: Gaussians, columns: Columns) -> Terms:
    """The logarithm of the density at each number; a missing one says nothing."""
    found: Terms = [[] for _ in evidence.mean]
    for at, name in enumerate(evidence.names):
        x = columns.number(name)
        for terms, mean, sd in zip(found, evidence.mean[:, at], evidence.sd[:, at], strict=True):
            if np.isfinite(sd):
                away = difference(x, Number(float(mean)))
                scaled = square(product(float(np.sqrt(0.5) / sd), away))
                peak = Number(float(-np.log(sd) - 0.5 * np.log(2 * np.pi)))
                terms.append(Known(difference(peak, scaled), 0.0))
    return found


def of_tables(tables: list[tuple[Expression, Floats]], classes: int) -> Terms:
    """What stands for each code in tables (codes, classes) of logarithms; nothing if missing."""
    return [
        [lookup(code, [_finite(each) for each in table[:, c].tolist()]) for code, table in tables]
        for c in range(classes)
    ]


def _of_intervals(evidence: IntervalProbabilities, columns: Columns) -> Terms:
    """The logarithm of the share of the interval; one that is impossible says nothing."""
    tables: list[tuple[Expression, Floats]] = []
    for name, cuts, shares in zip(evidence.names, evidence.cuts, evidence.shares, strict=True):
        if len(cuts):
            said = np.where((shares > 0).any(axis=1, keepdims=True), shares, 1.0)
            tables.append((columns.interval(name, cuts), logs_of(said)))
    return of_tables(tables, evidence.classes)


def _temperature(model: GenerativeModel, columns: Columns) -> Expression | None:
    """What a row's scores are divided by: the more of its cells are known, the more."""
    heat = model.heat
    if not heat:
        return None
    _, others = model.parts()
    told = [name for each in model.evidence for name in each.names]
    names = [v.name for v in model.domain.attributes] if others else told
    known = [
        case((is_missing(columns.cell(name)), Number(0.0)), otherwise=Number(1.0)) for name in names
    ]
    more = total(Number(indicators(model.evidence) - 1.0), *known)
    return total(Number(1.0), product(heat, greatest([Number(0.0), more])))


def _may_be_hopeless(model: GenerativeModel) -> bool:
    """Whether a row may be impossible for every class."""
    return any(
        (isinstance(each, SymbolTables) and any(np.isneginf(t).any() for t in each.logs()))
        or (isinstance(each, IntervalProbabilities) and any((t == 0).any() for t in each.shares))
        for each in model.evidence
    )


def logs_of(shares: Floats) -> Floats:
    """Logarithms; minus infinity of 0."""
    with np.errstate(divide="ignore"):
        return np.log(shares)


def _finite(log: float) -> float:
    return max(log, IMPOSSIBLE)
