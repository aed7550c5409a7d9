"""Leave-one-out of generative learners: what their blocks would say of a row without the row."""

from collections.abc import Callable
from typing import TYPE_CHECKING, cast

import numpy as np

from satsuma.data.table import Table
from satsuma.kernels.posterior import normalise, temperatures
from satsuma.learners.generative.model import GenerativeModel
from satsuma.learners.generative.own_temperature import known_cells
from satsuma.learners.left_out import LeftOut
from satsuma.learners.predictions import redefines
from satsuma.likelihoods.left_out import Learned, evidence_left_out
from satsuma.numerics.arrays import Codes, Floats

if TYPE_CHECKING:
    from satsuma.learners.generative.blocks import Assignment
    from satsuma.tallies.row_sample import RowSample

#: What predicts: a model that has it anew is not known to do so as this file thinks.
_METHODS = ("probabilities", "log_joint", "parts", "chosen")


def generative_left_out(
    model: GenerativeModel,
    assignment: "Assignment",
    prior_of: Callable[[Floats], Floats],
    rows: Table,
) -> LeftOut | None:
    """What each row is predicted to be without it; None where a block has to learn anew for that.

    The temperature is that of all rows.

    Parameters
    ----------
    model
        What was learned from the rows.
    assignment
        Which block of its learner takes which columns.
    prior_of
        The probabilities of the classes by what their rows weigh.
    rows
        Of known classes and weights above 0.
    """
    target = rows.domain.target
    asked = model.domain.attributes == rows.domain.attributes
    if not asked or any(redefines(model, each, "probabilities_by_model") for each in _METHODS):
        return None
    assert target is not None, "the learner has checked that there is a target"
    label, weight = rows.column(target.name), rows.weights
    weight = np.ones(len(rows)) if weight is None else weight
    prior = _priors(label, weight, len(target.values), prior_of)
    sample: RowSample | None = vars(model).get("_rows_kept")
    learned = Learned(rows, label, weight, prior, sample)
    with np.errstate(divide="ignore"):
        joint = np.log(prior)
    unsure = np.zeros(len(rows), bool)
    for block, tally in zip(assignment.within(model.domain), model.tally.parts, strict=False):
        for each in model.evidence:
            if not {*each.names} <= {*(block.columns or ())}:
                continue
            said = evidence_left_out(block.block, tally, each, learned)
            if said is None:
                return None
            joint += said[0]
            unsure |= said[1]
    unsure |= ~(np.isfinite(joint).any(axis=1) & (joint < np.inf).all(axis=1))
    joint /= temperatures(known_cells(rows, model.evidence), model.heat)[:, None]
    found = np.zeros_like(joint)
    normalise(joint, cast("Floats", np.zeros(joint.shape[1])), 0, found)
    return LeftOut(model, found, unsure)


def _priors(
    label: Codes, weight: Floats, classes: int, prior_of: Callable[[Floats], Floats]
) -> Floats:
    """Rows by classes: how probable each class is by all other rows."""
    total = np.bincount(label, weight, classes).astype(np.float64)
    pairs, which = np.unique(np.stack([label, weight]), axis=1, return_inverse=True)
    each = np.empty((pairs.shape[1], classes))
    for at, (code, mine) in enumerate(pairs.T.tolist()):
        left = total.copy()
        left[int(code)] -= mine
        # A class that no other row is of weighs nothing, and not what rounding leaves of it.
        left[left <= 1e-9 * total] = 0.0
        each[at] = prior_of(left)
    return each[which.ravel()]
