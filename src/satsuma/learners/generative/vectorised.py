"""Vectorised prediction: by a kernel, and by many models in one pass over the rows."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from satsuma.data.table import Table
from satsuma.kernels.posterior import Joint, most_probable_each, probabilities_each
from satsuma.learners.predictions import redefines
from satsuma.likelihoods.block import Evidence
from satsuma.likelihoods.categorical import SymbolTables
from satsuma.likelihoods.gaussian import Gaussians
from satsuma.numerics.arrays import Array, Codes, Floats

if TYPE_CHECKING:
    from satsuma.learners.generative.model import GenerativeModel


class KernelEvidence:
    """The evidence that has a kernel of its own: Gaussians and tables of symbols.

    Parameters
    ----------
    prior
        By class.
    evidence
        Of the columns that the kernel takes.
    """

    def __init__(self, prior: Floats, evidence: Sequence[Evidence]) -> None:
        gaussians = [each for each in evidence if isinstance(each, Gaussians)]
        tables = [each for each in evidence if isinstance(each, SymbolTables)]
        none = np.zeros((len(prior), 0))
        self.numbers = [name for each in gaussians for name in each.names]
        self.symbols = [name for each in tables for name in each.names]
        with np.errstate(divide="ignore"):
            self.joint = Joint(
                np.log(prior),
                _beside([none, *(each.mean for each in gaussians)]),
                _beside([none, *(each.sd for each in gaussians)]),
                [table for each in tables for table in each.logs()],
            )

    @classmethod
    def split(
        cls, prior: Floats, evidence: "Sequence[Evidence]"
    ) -> "tuple[KernelEvidence, list[Evidence]]":
        """What the kernel takes, and all other evidence."""
        mine = [each for each in evidence if _has_kernel(each)]
        return cls(prior, mine), [each for each in evidence if not _has_kernel(each)]

    def columns(self, batch: Table) -> tuple[list[Array], list[Array]]:
        """The columns of numbers and those of symbols, as the kernel takes them."""
        numbers = [batch.column(name) for name in self.numbers]
        return numbers, [batch.column(name) for name in self.symbols]


def _beside(parts: list[Floats]) -> Floats:
    """Parts with the same classes as one; nothing beside one other is that other."""
    return parts[1] if len(parts) == 2 else np.hstack(parts)


def _has_kernel(evidence: object) -> bool:
    """Whether it is of Gaussians or tables of symbols, and speaks as these do."""
    known = (Gaussians.log_evidence, SymbolTables.log_evidence)
    return getattr(type(evidence), "log_evidence", None) in known


def codes_in_one_pass(
    models: "Sequence[GenerativeModel]", which: Codes, batch: Table
) -> Codes | None:
    """The class that is predicted for each row by a model of its own; None where that cannot be."""
    if any(model.threshold is not None for model in models):
        return None
    joints = joints_of(models)  # at any temperature the same class is the most probable
    if joints is not None:
        found, lost = most_probable_each(joints, which, *models[0].parts()[0].columns(batch))
        return models[0].possible(found, lost, batch)
    return codes_by_only_evidence(models, which, batch)


def probabilities_in_one_pass(
    models: "Sequence[GenerativeModel]", which: Codes, batch: Table
) -> Floats | None:
    """The probabilities of each row by a model of its own; None where that cannot be."""
    joints = joints_of(models)
    if joints is None:
        return None
    heated = [joint.heated(model.heat) for joint, model in zip(joints, models, strict=True)]
    found, lost = probabilities_each(heated, which, *models[0].parts()[0].columns(batch))
    return models[0].possible(found, lost, batch)


def joints_of(models: "Sequence[GenerativeModel]") -> list[Joint] | None:
    """Those of models without evidence but Gaussians and tables of symbols; None for others."""
    if any(model.parts()[1] for model in models):
        return None
    return [model.parts()[0].joint for model in models]


def codes_by_only_evidence(
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
        found[rows] = models[at].codes_by_probabilities(batch[rows])
    return found
