"""Leaf likelihoods: logistic models of all nodes at once, each drawn towards the one above."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from satsuma.kernels.tree import Flat
from satsuma.learners.linear.encoded_rows import EncodedBlock
from satsuma.learners.linear.log_likelihood import LogLikelihood
from satsuma.learners.linear.logistic_model import contrasts
from satsuma.learners.model_tree.design import DesignRows
from satsuma.learners.model_tree.grams import Parts, imputed, parts_of
from satsuma.learners.model_tree.shrinkage import penalty, ridge
from satsuma.numerics.arrays import Array, Bools, Floats

#: Coefficients of a node up to which the Hessian is used; of more, a bound of it.
_MOST_NEWTON = 256

#: Rounds that there may be, and what the last step is below, in standard errors.
_ROUNDS, _TOLERANCE = 40, 1e-7

#: The strength of regularization at the root.
_ROOT = 1.0

#: What a row tells about a score, at most.
_INFORMATION = 0.25

#: Rows that are looked at together.
_ROWS = 4096


class LeafLikelihoods(NamedTuple):
    """The log-likelihood of the rows at each node, with its derivatives."""

    nodes: tuple[LogLikelihood, ...]

    def __add__(self, other: Any) -> "LeafLikelihoods":
        """Those of the rows of both."""
        pairs = zip(self.nodes, other.nodes, strict=True)
        return LeafLikelihoods(tuple(a + b for a, b in pairs))


@dataclass(frozen=True)
class Climb:
    """Where the search for the coefficients has come to.

    Parameters
    ----------
    tree, up
        The tree, and the node above each.
    mean, variance
        Of a constant and the features at each node.
    kept
        Which of them have a coefficient at each node.
    smoothing
        Imaginary rows for which the model of the node above is right.
    tried
        The coefficients that the next round looks at: (nodes, contrasts, 1 + features).
    found, last
        The best so far, and what was found there.
    step
        What leads from `found` to `tried`.
    """

    tree: Flat
    up: Array
    mean: Floats
    variance: Floats
    kept: Bools
    smoothing: float
    tried: Floats
    found: Any = None
    last: tuple[LogLikelihood, ...] = ()
    step: Any = None
    rounds: int = 0
    done: bool = False

    def tally(self, rows: DesignRows) -> LeafLikelihoods:
        """The derivatives at what is tried."""
        across = contrasts(self.tried.shape[1] + 1)
        ends = parts_of(self.tree, rows, range(len(self.up)))
        below: list[list[int]] = [[at] for at in range(len(self.up))]
        for node in range(len(self.up) - 1, 0, -1):
            below[int(self.up[node])] += below[node]
        return LeafLikelihoods(
            tuple(
                self._at(node, rows, [ends[at] for at in below[node]], across)
                for node in range(len(self.up))
            )
        )

    def _at(
        self, node: int, rows: DesignRows, parts: Sequence[Parts], across: Floats
    ) -> LogLikelihood:
        kept = self.kept[node]
        at = np.ascontiguousarray(self.tried[node][:, kept])
        curved = at.size <= _MOST_NEWTON
        blocks: list[EncodedBlock] = []
        gram = np.zeros((int(kept.sum()),) * 2)
        for part in parts:
            for lo in range(0, len(part.row), _ROWS):
                row, weight = part.row[lo : lo + _ROWS], part.weight[lo : lo + _ROWS]
                x = imputed(rows, row, self.mean[node, 1:])[:, kept]
                blocks.append(EncodedBlock(x.T, rows.target[row], weight))
                if not curved:
                    gram += x.T @ (x * weight[:, None])
        found = LogLikelihood.of(blocks, at, across, np.arange(at.size if curved else 0))
        return found if curved else replace(found, hessian=gram)

    def advance(self, tally: LeafLikelihoods) -> "Climb":
        """Take a step of Newton's at each node, or half the last one where that went too far."""
        first = self.found is None
        found = self.tried.copy() if first else self.found.copy()
        last = list(tally.nodes if first else self.last)
        tried, step = self.tried.copy(), np.zeros_like(self.tried)
        largest = 0.0
        for node in range(len(self.up)):
            now = tally.nodes[node]
            price, centre = self._prior(node, found)
            if not first:
                before = last[node].loss + _paid(found[node] - centre, price)
                after = now.loss + _paid(self.tried[node] - centre, price)
                if not after <= before + 1e-9 * abs(before):
                    step[node] = self.step[node] / 2
                    tried[node] = found[node] + step[node]
                    largest = np.inf
                    continue
                found[node], last[node] = self.tried[node], now
            step[node], length = _newton(last[node], found[node], centre, price, self.kept[node])
            tried[node] = found[node] + step[node]
            largest = max(largest, length)
        rounds = self.rounds + 1
        done = largest <= _TOLERANCE or rounds >= _ROUNDS
        return replace(
            self,
            tried=tried,
            found=found,
            last=tuple(last),
            step=step,
            rounds=rounds,
            done=done,
        )

    def _prior(self, node: int, found: Floats) -> tuple[Floats, Floats]:
        """What coefficients cost, and where they cost nothing."""
        mean, variance = self.mean[node], self.variance[node]
        if node == 0:
            return ridge(variance, _ROOT), np.zeros_like(found[0])
        price = penalty(mean, variance, self.smoothing * _INFORMATION)
        return price, found[int(self.up[node])]


def _paid(away: Floats, price: Floats) -> float:
    return float((away * (away @ price)).sum()) / 2


def _newton(
    now: LogLikelihood, at: Floats, centre: Floats, price: Floats, kept: Bools
) -> tuple[Floats, float]:
    """A step, and its length in standard errors."""
    inside = price[np.ix_(kept, kept)]
    gradient = now.gradient + ((at - centre) @ price)[:, kept]
    n, width = gradient.shape
    step = np.zeros_like(at)
    jitter = 1e-9 * max(float(np.trace(now.hessian)), 1.0)
    if now.hessian.shape[0] == n * width:
        hessian = now.hessian + np.kron(np.eye(n), inside)
        hessian = hessian + jitter * np.eye(len(hessian))
        down = np.linalg.solve(hessian, gradient.ravel()).reshape(n, width)
    else:  # the curvature of any scores is at most a half, along contrasts of unit length
        matrix = now.hessian / 2 + inside + jitter * np.eye(width)
        down = np.linalg.solve(matrix, gradient.T).T
    step[:, kept] = -down
    return step, float(np.sqrt(max((gradient * down).sum(), 0.0)))
