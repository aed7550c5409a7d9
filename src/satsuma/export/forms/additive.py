"""Additive models: the sum of the effects of the bins that a row is in."""

import numpy as np

from satsuma.export.columns import Columns
from satsuma.export.expressions import Expression, Number, Place, Program, exponent, lookup, total
from satsuma.export.forms.linear import among_all
from satsuma.export.softmax import softmax
from satsuma.learners.additive.additive_model import AdditiveClassifier, AdditiveRegressor
from satsuma.learners.additive.effect_shapes import AdditiveModel


def additive_classifier(model: AdditiveClassifier) -> Program:
    """The probabilities that go with the log odds."""
    scores = _scores(model)
    if len(model.seen) <= 2:
        scores = [Number(0.0), *scores]
    return among_all(model.classes, model.seen.tolist(), softmax(scores))


def additive_regressor(model: AdditiveRegressor) -> Program:
    """The sum, or its exponent."""
    (found,) = _scores(model)
    return Program(exponent(found) if model.link == "log" else found)


def _scores(model: AdditiveModel) -> list[Expression]:
    layout, columns = model.layout, Columns(model.domain)
    codes = [_bin(model, columns, at) for at in range(len(layout.names))]
    found: list[list[Expression]] = [[Number(float(each))] for each in model.constant]
    for at, width in enumerate(layout.widths):
        own = slice(layout.starts[at], layout.starts[at] + width)
        for terms, effects in zip(found, model.effects[:, own], strict=True):
            if at < len(codes):
                terms.append(_of_column(model, at, codes[at], effects))
            else:
                terms.append(_of_pair(model, at - len(codes), codes, effects))
    return [total(*terms) for terms in found]


def _bin(model: AdditiveModel, columns: Columns, at: int) -> Expression:
    """The bin of a number; of a symbol, its value."""
    name, layout = model.layout.names[at], model.layout
    if layout.is_number(at):
        return columns.interval(name, layout.edges[at][:-1])  # the last bin has no end
    return columns.code(name)


def _by_code(model: AdditiveModel, at: int, of_bins: np.ndarray) -> list[float]:
    """What stands for each code of a column, given what stands for each bin."""
    layout = model.layout
    return (of_bins if layout.is_number(at) else of_bins[layout.bins[at]]).tolist()


def _of_column(model: AdditiveModel, at: int, code: Expression, effects: np.ndarray) -> Expression:
    return lookup(code, _by_code(model, at, effects[:-1]), float(effects[-1]))


def _of_pair(
    model: AdditiveModel, pair: int, codes: list[Expression], effects: np.ndarray
) -> Expression:
    """What two columns add together; nothing where one is missing."""
    layout = model.layout
    one, other = layout.pairs[pair]
    grid = effects.reshape(layout.grids[pair])
    coarse = [np.array(_by_code(model, at, layout.coarse[at]), np.int64) for at in (one, other)]
    place = Place((codes[one], codes[other]), (len(coarse[0]), len(coarse[1])))
    return lookup(place, grid[np.ix_(*coarse)].ravel().tolist())
