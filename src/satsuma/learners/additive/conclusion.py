"""Conclusion: from fitted effects to a model, each effect about its average and in its unit."""

from collections.abc import Sequence

import numpy as np

from satsuma.learners.additive.additive_model import AdditiveClassifier, AdditiveRegressor
from satsuma.learners.additive.effect_shapes import AdditiveModel, Effects
from satsuma.learners.additive.layout import Layout
from satsuma.learners.additive.loss import Loss
from satsuma.learners.additive.smoothing import Fit
from satsuma.learners.additive.value_order import in_class_order, in_value_order
from satsuma.numerics.arrays import Array, Floats


def model_of(
    layout: Layout, loss: Loss, seen: Array, fits: Sequence[Fit], weight: Floats
) -> AdditiveModel:
    """The model that fits of all scores amount to."""
    rows = weight[1:]
    constant, effects, errors = np.zeros(len(fits)), *np.zeros((2, len(fits), layout.cells))
    # What each coefficient adds to each cell, about the averages.
    adds = centred(layout, layout.effects(np.eye(1 + layout.coefficients)), rows)
    if not layout.missing_effects:
        adds = _without_missing(layout, adds, rows)
    for score, fit in enumerate(fits):
        about = adds @ fit.effects * loss.scale
        constant[score], effects[score] = about[0], about[1:]
        variance = np.maximum(_variances(layout, adds[1:], fit.covariance), 0.0) * fit.spread
        errors[score] = np.sqrt(variance) * loss.scale
    found = in_value_order(Effects(layout, constant + loss.centre, effects, errors, rows))
    if loss.of == "classes":
        found, seen = in_class_order(found, seen)
        return AdditiveClassifier(found, seen.astype(np.int64))
    sd = float(np.sqrt(fits[0].spread)) * loss.scale
    return AdditiveRegressor(found, sd, "log" if loss.of == "counts" else "identity")


def _variances(layout: Layout, adds: Floats, covariance: Floats) -> Floats:
    """Of each cell, by the coefficients that add to the cells of its column or pair."""
    found = np.zeros(len(adds))
    for start, width in zip(layout.starts, layout.widths, strict=False):
        own = adds[start : start + width]
        some = np.flatnonzero(own.any(axis=0))
        known = own[:, some]
        found[start : start + width] = np.sum(known @ covariance[np.ix_(some, some)] * known, 1)
    return found


def centred(layout: Layout, effects: Floats, rows: Floats) -> Floats:
    """The constant and the effects of cells that say the same, each about its average.

    What the grid of a pair says of one of its columns alone goes to the shape of that column.

    Parameters
    ----------
    layout
        Where the cells are.
    effects
        (1 + cells, anything): columns are changed each by itself, by the same linear map.
    rows
        What the rows in each cell weigh.
    """
    constant, found = effects[0].copy(), effects[1:].copy()
    for at, (pair, grid) in enumerate(zip(layout.pairs, layout.grids, strict=True)):
        start = layout.starts[len(layout.names) + at]
        own = slice(start, start + grid[0] * grid[1])
        cells, weight = found[own].reshape(*grid, -1), rows[own].reshape(*grid)
        for axis, column in ((1, pair[0]), (0, pair[1])):
            # Rows of the other column as they are in all: few rows of one bin say little of that.
            others = np.expand_dims(weight.sum(axis=1 - axis), (1 - axis, 2))
            mean = (cells * others).sum(axis=axis) / max(others.sum(), 1e-300)
            cells = cells - np.expand_dims(mean, axis)
            first = layout.starts[column]
            known = slice(first, first + layout.levels[column])
            found[known] += mean[layout.coarse[column]]
        found[own] = cells.reshape(grid[0] * grid[1], -1)
    for start, level in zip(layout.starts, layout.levels, strict=False):
        own = slice(start, start + level + 1)
        total = rows[own].sum()
        if total > 0:
            mean = rows[own] @ found[own] / total
            constant += mean
            found[own] -= mean
    return np.vstack([constant, found])


def _without_missing(layout: Layout, adds: Floats, rows: Floats) -> Floats:
    """The same, about the averages of rows in which the columns are known; others have these."""
    found = adds.copy()
    for start, level in zip(layout.starts, layout.levels, strict=False):
        own, known = slice(1 + start, 1 + start + level), rows[start : start + level]
        if known.sum() > 0:
            mean = known @ found[own] / known.sum()
            found[0] += mean
            found[own] -= mean
        found[1 + start + level] = 0.0
    return found
