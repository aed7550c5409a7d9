"""Model densities: the likelihood of values in each class, for models that have one."""

from typing import Any, cast

import numpy as np

from satsuma.data.table import Table
from satsuma.errors import SatsumaError
from satsuma.learners.model import Classifier
from satsuma.numerics.arrays import Floats
from satsuma.plot.plot_data import name_of


def density_of(model: Classifier, batch: Table, what: str) -> Floats:
    """Rows by classes: the logarithm of how probable each class makes what a row shows.

    Where evidence is of intervals (it has `cuts`, for each of its columns), their probability is
    spread over their width; those at the ends reach as far as the rows of the batch.
    """
    if not has_density(model, batch):
        raise no_density(model, what)
    found: Floats = cast("Any", model).log_evidence(batch)
    for each in cast("list[Any]", getattr(model, "evidence", [])):
        for name, cuts in zip(each.names, getattr(each, "cuts", ()), strict=False):
            found = found - np.log(_widths(cuts, batch.column(name)))[:, None]
    return found


def _widths(cuts: Floats, cells: Floats) -> Floats:
    """The width of the interval that each number is in; 1 where all are missing."""
    if np.isnan(cells).all():
        return np.ones(len(cells))
    low, high = float(np.nanmin(cells)), float(np.nanmax(cells))
    edges = np.concatenate(([low], np.clip(cuts, low, high), [high]))
    widths = np.diff(edges)[np.searchsorted(cuts, cells)]
    return np.where(widths > 0, widths, 1.0)


def no_density(model: Classifier, what: str) -> SatsumaError:
    """The error for a model without likelihoods of values."""
    return SatsumaError(
        f"{name_of(model)} has no likelihood of {what} in a class. Models that do have "
        f"log_evidence, from blocks that tell the value given the class, as in NaiveBayes. "
        f"plot.class_probabilities and plot.regions draw any classifier."
    )


def has_density(model: Classifier, batch: Table) -> bool:
    """Whether the model tells how probable each class makes what the rows show."""
    if not hasattr(model, "log_evidence"):
        return False
    shown = {v.name for v in batch.domain if not batch.missing(v.name).all()}
    evidence: Any = getattr(model, "evidence", ())
    return all(getattr(each, "is_density", True) for each in evidence if shown & set(each.names))
