"""Several generative models that answer in one pass over the rows, each row by one of them."""

from typing import TYPE_CHECKING, Any

import numpy as np

from satsuma.data.table import Table
from satsuma.kernels.posterior import most_probable_each
from satsuma.learners.overrides import redefines
from satsuma.likelihoods.block import Evidence
from satsuma.numerics.arrays import Codes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from satsuma.learners.generative.model import GenerativeModel


def codes_at_once(models: "Sequence[GenerativeModel]", which: Codes, batch: Table) -> Codes | None:
    """The class that is predicted for each row by a model of its own; None where that cannot be."""
    if any(model.threshold is not None for model in models):
        return None
    found = answered_quickly(most_probable_each, models, which, batch)
    return codes_by_alone(models, which, batch) if found is None else found


def answered_quickly(
    ask: Any, models: "Sequence[GenerativeModel]", which: Codes, batch: Table
) -> Any:
    """What models answer that have no evidence but Gaussians and tables of symbols; else None."""
    parts = [model.parts() for model in models]
    if any(others for _, others in parts):
        return None
    joints, columns = [quick.joint for quick, _ in parts], parts[0][0].columns(batch)
    found, lost = ask(joints, which, *columns)
    return models[0].possible(found, lost, batch)


def codes_by_alone(
    models: "Sequence[GenerativeModel]", which: Codes | None, batch: Table
) -> Codes | None:
    """The class of each row by the only evidence that each model has, if that has a way of its own.

    Where it is not clear, the probabilities decide.
    """
    if any(len(model.evidence) != 1 for model in models):
        return None
    alone: list[Any] = [model.evidence[0] for model in models]
    if not isinstance(alone[0], Evidence):  # it may be anything with `log_evidence`
        return None
    if any(redefines(alone[0], each, "chosen_by") for each in ("log_evidence", "log_ratios")):
        return None
    with np.errstate(divide="ignore"):
        priors = [np.log(model.prior) for model in models]
    found = type(alone[0]).chosen_by(alone, priors, which, batch)
    if found is None:
        return None
    unclear = np.flatnonzero(found < 0)
    mine = np.zeros(len(unclear), np.int32) if which is None else which[unclear]
    for at in np.unique(mine):
        rows = unclear[mine == at]
        found[rows] = models[at].codes_by_chances(batch[rows])
    return found
