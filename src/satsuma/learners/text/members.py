"""Scorers of texts, each learned with all rows and without some that are alike."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple, cast
from zlib import crc32

import numpy as np
import numpy.typing as npt

from satsuma.numerics.arrays import Floats, Indices

#: The scorers, by name.
MEMBERS = ("margin", "squares", "bayes")

#: So near does the solver come, beside the size of the answer.
_TOLERANCE = 1e-13

#: Of more labelled rows than this, equations are solved step by step.
_DENSE = 1500

#: Labelled rows by which scorers are weighed, at the most, and groups that are left out in turn.
_TRIED, _GROUPS = 500, 4

#: Steps until the rows inside the margin are known.
_STEPS = 50

_TINY = np.finfo(float).tiny


@dataclass(frozen=True)
class Problem:
    """The labelled rows, one class against all others.

    Parameters
    ----------
    rows
        Rows by words, or by numbers of another view of the texts, sparse.
    mine
        Which rows are of the class.
    weights
        What each row weighs.
    """

    rows: Any
    mine: npt.NDArray[np.bool_]
    weights: Floats

    def plus(self, rows: Any, weights: Floats) -> "Problem":
        """These rows, and others that are taken for not of the class, at the end."""
        if not len(weights):
            return self
        from scipy import sparse

        made: Any = sparse
        mine = np.append(self.mine, np.zeros(len(weights), np.bool_))
        both = made.vstack([self.rows, rows], format="csr")
        return Problem(both, mine, np.append(self.weights, weights))

    @cached_property
    def alike(self) -> Floats:
        """How alike rows are: the products of each with each."""
        return (self.rows @ self.rows.T).toarray()

    @cached_property
    def _distinct(self) -> list[Indices]:
        """The rows of the class, the same ones together, in an order that follows from them."""
        found = dict[bytes, list[int]]()
        for at in np.flatnonzero(self.mine).tolist():
            found.setdefault(_spelled(self.rows, at), []).append(at)
        return [np.array(found[key], np.intp) for key in sorted(found)]

    @cached_property
    def groups(self) -> list[Indices]:
        """The rows of the class in a few groups of those that are alike; none of fewer than three.

        The first centre is the row that is least like the others, each further one that which is
        least like the centres so far; every row goes with the centre that it is most like.
        """
        rows = [each[0] for each in self._distinct]
        if len(rows) < 3:
            return []
        alike = self.alike[np.ix_(rows, rows)]
        centres = [int(np.argmin(alike.mean(axis=1)))]
        while len(centres) < min(_GROUPS, len(rows)):
            nearest = alike[:, centres].max(axis=1)
            nearest[centres] = np.inf
            centres.append(int(np.argmin(nearest)))
        group = np.argmax(alike[:, centres], axis=1)
        group[centres] = np.arange(len(centres))
        return [np.concatenate([self._distinct[at] for at in np.flatnonzero(group == each)])
                for each in range(len(centres))]  # fmt: skip

    def part(self) -> Indices:
        """The rows by which scorers are weighed: all, or of many some of each class."""
        if len(self.mine) <= _TRIED:
            return np.arange(len(self.mine))
        keys = np.array([crc32(_spelled(self.rows, at)) for at in range(len(self.mine))])
        order = np.argsort(keys, kind="stable")
        own, others = (order[self.mine[order] == which] for which in (True, False))
        half = min(_TRIED // 2, len(own))
        return np.sort(np.concatenate([own[:half], others[: _TRIED - half]]))


def _spelled(rows: Any, at: int) -> bytes:
    """A row as bytes: the same for rows of the same words."""
    own = slice(rows.indptr[at], rows.indptr[at + 1])
    return rows.indices[own].tobytes() + rows.data[own].tobytes()


class Fits(NamedTuple):
    """What a scorer learned from all rows, and without each of some groups.

    Parameters
    ----------
    slopes
        What each word adds to the score, fit by fit, that of all rows first.
    constants
        What is added without any word.
    """

    slopes: Floats
    constants: Floats


class Settings(NamedTuple):
    """The settings of the scorers.

    Parameters
    ----------
    alpha
        ``bayes``: how much of each word was seen beforehand, in each class.
    penalty
        ``squares``: what squared coefficients cost.
    cost, ratio
        ``margin``: what a squared shortfall costs, and how much more the class weighs in all.
    """

    alpha: float
    penalty: float
    cost: float
    ratio: float

    def fit(self, name: str, problem: Problem, groups: list[Indices]) -> Fits:
        """What a scorer learns, from all rows and without each group."""
        return cast("Fits", getattr(self, name)(problem, groups))

    def bayes(self, problem: Problem, groups: list[Indices]) -> Fits:
        """Naive Bayes: how much more there is of a word in a class, classes weighing the same."""
        across, mine, weights = problem.rows.T, problem.mine, problem.weights
        others: Floats = across @ (weights * ~mine)
        rest, base = float(others.sum()), np.log(others + self.alpha)
        slopes = np.empty((1 + len(groups), len(others)))
        for at, group in enumerate([np.zeros(0, np.intp), *groups]):
            kept = weights * mine
            kept[group] = 0.0
            words: Floats = across @ kept
            scale = rest / max(float(words.sum()), _TINY)
            slopes[at] = np.log(words * scale + self.alpha) - base
        return Fits(slopes, np.zeros(len(slopes)))

    def squares(self, problem: Problem, groups: list[Indices]) -> Fits:
        """A least-squares support vector machine without a constant, classes weighing the same."""
        mine, weights = problem.mine, problem.weights
        share = weights[~mine].sum() / weights[mine].sum()
        ridge = self.penalty / np.where(mine, weights * share, weights)
        equations = _Equations(problem, ridge, mine.astype(np.float64), 0.0)
        return equations.fits(np.arange(len(mine)), groups)

    def margin(self, problem: Problem, groups: list[Indices]) -> Fits:
        """A support vector machine whose loss is the squared hinge, as `LinearSVM`'s."""
        mine, weights = problem.mine, problem.weights
        factors = np.where(mine, 1.0, weights[mine].sum() / (self.ratio * weights[~mine].sum()))
        heavy = weights * factors
        heavy *= weights.sum() / heavy.sum()
        aims = np.where(mine, 1.0, -1.0)
        equations = _Equations(problem, 1 / (2 * self.cost * heavy), aims, 1.0)
        inside = np.arange(len(aims))
        for _ in range(_STEPS):
            short = np.flatnonzero(aims * equations.scores(equations.duals(inside)) < 1)
            if np.array_equal(short, inside):
                break
            inside = short
        return equations.fits(inside, groups)


@dataclass(frozen=True)
class _Equations:
    """A ridge in its duals, one for each row: those outside the margin are 0."""

    problem: Problem
    ridge: Floats
    aims: Floats
    constant: float

    def duals(self, inside: Indices) -> Floats:
        found = np.zeros(len(self.aims))
        if len(self.aims) > _DENSE:
            found[inside] = self._step_by_step(inside)
        elif len(inside):
            found[inside] = np.linalg.solve(self._system(inside), self.aims[inside])
        return found

    def scores(self, duals: Floats) -> Floats:
        rows = self.problem.rows
        return rows @ (rows.T @ duals) + self.constant * float(duals.sum())

    def fits(self, inside: Indices, groups: list[Indices]) -> Fits:
        """With all rows, and without each group: the margin stays where it was."""
        made = [self.duals(inside)]
        place = np.full(len(self.aims), -1, np.intp)
        place[inside] = np.arange(len(inside))
        inverse = np.linalg.inv(self._system(inside)) if groups else np.zeros((0, 0))
        for group in groups:
            at, duals = place[group][place[group] >= 0], made[0].copy()
            gone = np.linalg.solve(inverse[np.ix_(at, at)], duals[inside[at]])
            duals[inside] -= inverse[:, at] @ gone
            duals[inside[at]] = 0.0
            made.append(duals)
        duals = np.array(made)
        slopes: Floats = (self.problem.rows.T @ duals.T).T
        return Fits(slopes, self.constant * duals.sum(axis=1))

    def _system(self, inside: Indices) -> Floats:
        alike = self.problem.alike[np.ix_(inside, inside)] + self.constant
        return alike + np.diag(self.ridge[inside])

    def _step_by_step(self, inside: Indices) -> Floats:
        """By conjugate gradients: without the products of all rows with all."""
        from scipy.sparse import linalg

        rows = self.problem.rows[inside]
        across, own, of = rows.T, self.ridge[inside], (len(inside), len(inside))

        def system(v: Floats) -> Floats:
            return rows @ (across @ v) + self.constant * v.sum() + own * v

        def easier(v: Floats) -> Floats:
            return v / (1 + self.constant + own)

        solve: Any = linalg
        found, _ = solve.cg(
            solve.LinearOperator(of, matvec=system),
            self.aims[inside],
            rtol=_TOLERANCE,
            M=solve.LinearOperator(of, matvec=easier),
        )
        return cast("Floats", found)
