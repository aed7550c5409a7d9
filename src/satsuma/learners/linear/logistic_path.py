"""Regularization path of Logistic: the coefficients at many strengths, and the best by folds."""

from dataclasses import dataclass, replace
from typing import Any, NamedTuple, Self

import numpy as np

from satsuma.learners.linear.encoded_rows import EncodedBlock
from satsuma.learners.linear.folded_scatter import FOLDS
from satsuma.learners.linear.log_likelihood import LogLikelihood, chances_of
from satsuma.learners.linear.proximal_newton import ProximalNewton
from satsuma.learners.linear.strengths import strengths_below
from satsuma.numerics.arrays import Floats

#: The last step on the path is below so many standard errors.
_TOLERANCE = 1e-3

#: How many rounds a strength may take.
_ROUNDS = 20

#: The constant of a class that is not there in the rows of all folds but one, next to another's.
_NEVER = -30.0


class PathTally(NamedTuple):
    """What a round of a path needs to know of rows.

    Parameters
    ----------
    parts
        The likelihood, and its derivatives, for each search that has not ended.
    weight
        (folds, classes): what rows weigh.
    losses
        (folds, strengths): the negative log-likelihood of rows by the search without their fold.
    """

    parts: dict[int, LogLikelihood]
    weight: Floats
    losses: Floats

    def __add__(self, other: Self) -> "PathTally":  # pyright: ignore[reportIncompatibleMethodOverride]
        """That of the rows of both."""
        parts = {at: part + other.parts[at] for at, part in self.parts.items()}
        return PathTally(parts, self.weight + other.weight, self.losses + other.losses)


class Chosen(NamedTuple):
    """The path, and its best strength.

    Parameters
    ----------
    strengths
        The values of `l1`, from the strongest on.
    found
        The coefficients at each: (strengths, contrasts, 1 + columns).
    losses
        The mean negative log-likelihood in rows that were not learned from; None without folds.
    at
        The place of the strength where that is least.
    """

    strengths: Floats
    found: Floats
    losses: Floats | None
    at: int


@dataclass(frozen=True)
class PathSearch:
    """Where the searches for a path have come to: one for all rows, and one without each fold.

    The first round weighs the classes in each fold, and finds the strength at which all slopes are
    0. Then each search goes from strength to strength, beginning where the last one ended
    (Friedman, Hastie and Tibshirani 2010). A last round finds how probable the rows of a fold are
    by the search that has not learned from them.

    Parameters
    ----------
    constants
        The coefficients without slopes: (contrasts, 1 + columns).
    across
        What these are of: (classes, contrasts).
    l2
        What half the squares of the coefficients cost.
    weight
        (folds, classes): what rows weigh; None before the first round.
    strengths
        The values of `l1`.
    searches
        By the fold that is left out; `FOLDS` is of all rows.
    found
        What they have found at the strengths so far.
    """

    constants: Floats
    across: Floats
    l2: float
    weight: Any = None
    strengths: Any = None
    searches: Any = None
    found: Any = None

    done = False

    def tally(self, folds: list[list[EncodedBlock]]) -> PathTally:
        """What the next round needs to know of rows, which are in folds."""
        weight = np.zeros((FOLDS, len(self.across)))
        if self.searches is None:
            for fold, blocks in enumerate(folds):
                for block in blocks:
                    weight[fold] += np.bincount(block.told, block.weights, len(self.across))
            parts = {FOLDS: self._likelihood(folds, self.constants, np.arange(0))}
            return PathTally(parts, weight, np.zeros((FOLDS, 0)))
        if not self._searched:
            parts = {
                left_out: self._likelihood(
                    [part for fold, part in enumerate(folds) if fold != left_out],
                    search.tried,
                    search.curved,
                )
                for left_out, search in self.searches.items()
                if len(self.found[left_out]) < len(self.strengths)
            }
            return PathTally(parts, weight, np.zeros((FOLDS, 0)))
        losses = np.zeros((FOLDS, len(self.strengths)))
        for fold, blocks in enumerate(folds):
            if fold in self.searches:
                losses[fold] = [self._loss(blocks, fold, at) for at in self.found[fold]]
        return PathTally({}, weight, losses)

    def advance(self, tally: PathTally) -> "PathSearch | Chosen":
        """Take a step of each search; or begin, or choose."""
        if self.searches is None:
            return self._begun(tally)
        if self._searched:
            return self._chosen(tally.losses)
        searches, found = dict(self.searches), dict(self.found)
        for left_out, part in tally.parts.items():
            strengths = self._strengths(left_out)
            search, path = searches[left_out].advance(part), found[left_out]
            while search.done and len(path) < len(strengths):
                path = (*path, search.tried)
                if len(path) < len(strengths):
                    search = search.at_strength(float(strengths[len(path)]))
            searches[left_out], found[left_out] = search, path
        return replace(self, searches=searches, found=found)

    @property
    def _searched(self) -> bool:
        return all(len(path) == len(self.strengths) for path in self.found.values())

    def _likelihood(self, parts: Any, at: Floats, curved: Any) -> LogLikelihood:
        blocks = [block for part in parts for block in part]
        return LogLikelihood.of(blocks, at, self.across, curved)

    def _loss(self, blocks: list[EncodedBlock], fold: int, at: Floats) -> float:
        """That of the rows of a fold, but for those of classes that are in no other."""
        known = self._weight_without(fold) > 0
        kept = [block.take(np.flatnonzero(known[block.told])) for block in blocks]
        return sum(chances_of(block, at, self.across)[1] for block in kept)

    def _weight_without(self, fold: int) -> Floats:
        """What the classes weigh in all folds but one."""
        return np.delete(self.weight, fold, axis=0).sum(axis=0)

    def _share(self, left_out: int) -> float:
        """The fewer the rows, the less their likelihood weighs against coefficients."""
        if left_out == FOLDS:
            return 1.0
        return float(self._weight_without(left_out).sum() / self.weight.sum())

    def _strengths(self, left_out: int) -> Floats:
        return self.strengths * self._share(left_out)

    def _begun(self, tally: PathTally) -> "PathSearch":
        gradient = tally.parts[FOLDS].gradient[:, 1:]
        strengths = strengths_below(float(np.abs(gradient).max(initial=0.0)) or 1.0)
        self = replace(self, weight=tally.weight, strengths=strengths)  # noqa: PLW0642 - a value
        held = np.flatnonzero(tally.weight.sum(axis=1) > 0)
        searches = {FOLDS: self._search(FOLDS, self.constants)}
        for fold in held.tolist() if len(held) > 1 else ():
            weight = self._weight_without(fold)
            with np.errstate(divide="ignore"):
                odds = np.maximum(np.log(weight / weight.max()), _NEVER)
            constants = np.zeros_like(self.constants)
            constants[:, 0] = self.across.T @ (odds - odds[0])
            searches[fold] = self._search(fold, constants)
        return replace(self, searches=searches, found=dict.fromkeys(searches, ()))

    def _search(self, left_out: int, constants: Floats) -> ProximalNewton:
        l2, first = self.l2 * self._share(left_out), float(self._strengths(left_out)[0])
        return ProximalNewton.begun(constants, first, l2, _TOLERANCE, _ROUNDS)

    def _chosen(self, losses: Floats) -> Chosen:
        held = sorted(set(self.searches) - {FOLDS})
        weight = sum(
            float(self.weight[fold][self._weight_without(fold) > 0].sum()) for fold in held
        )
        mean = losses[held].sum(axis=0) / weight if weight > 0 else None
        at = 0 if mean is None else int(mean.argmin())
        return Chosen(self.strengths, np.stack(self.found[FOLDS]), mean, at)
