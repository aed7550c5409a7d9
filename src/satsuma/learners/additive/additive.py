"""Additive: a shape for each column, and small grids for pairs that need one (GA2M)."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Literal

import numpy as np

from satsuma.data.domain import Domain
from satsuma.data.table import Table
from satsuma.engines import Source
from satsuma.errors import DomainError, ParameterError, check_choice, check_number
from satsuma.kernels.threads import single_blas_thread
from satsuma.learners.additive.conclusion import model_of
from satsuma.learners.additive.effect_shapes import AdditiveModel
from satsuma.learners.additive.first_look import FirstLook, first_layout, loss_of
from satsuma.learners.additive.layout import Layout
from satsuma.learners.additive.loss import Loss
from satsuma.learners.additive.monotone import monotone
from satsuma.learners.additive.penalties import centring, penalties_of, strengths_at_first
from satsuma.learners.additive.screening import (
    Grids,
    all_pairs,
    chosen_pairs,
    evidence_of_pairs,
    grids_of,
)
from satsuma.learners.additive.smoothing import Fit, Problem, smoothed
from satsuma.learners.additive.weighted_pairs import WeightedPairs, scores_of, weighted_pairs
from satsuma.learners.estimator.log_odds import LogOdds
from satsuma.learners.learner import RoundsLearner
from satsuma.learners.model import Model
from satsuma.learners.takes import Takes, nothing_known
from satsuma.learners.target_rows import Rows, rows_of
from satsuma.numerics.arrays import Array, Floats

#: Rounds of Newton's method for one layout, at most; a round is one pass over the rows.
ROUNDS = 20

#: Rounds end when scores change by less than this, in the root mean square.
TOLERANCE = 1e-3

#: Steps towards the best strengths of penalties: at once for numbers, in each round for others.
_STEPS, _STEPS_OF_TWO, _STEPS_OF_MANY = 40, 3, 1

#: The factor by which a strength changes in a step, at most: at once for numbers, or for others.
_LEAP, _SMALL_LEAP = 30.0, 5.0

#: How far an effect on log odds or logarithms moves in a round, at most.
_FARTHEST = 4.0

#: Columns whose pairs are looked at, those that matter most alone.
_SCREENED = 40

#: How often pairs are looked for, at most: those that were found may hide others.
_SCREENINGS = 3

#: Coarse bins of a column in a pair.
_COARSE = 16


@dataclass(frozen=True)
class _State:
    """Where learning has come to.

    Parameters
    ----------
    stage
        What the next round is for: a ``look`` at the columns, a ``fit``, or to ``screen`` pairs.
    layout, loss, seen
        The cells, what scores are of, and the codes of the classes that weigh something.
    asked, screenings
        The layout of the pairs that are screened, and how often that was done.
    penalties
        What rough effects cost.
    tried
        The effects that the next round looks at: (scores, 1 + cells).
    found, cost
        The last that were better than those before, and their loss.
    step, rough
        What leads from `found` to `tried`, and the penalties that made it.
    fits
        Of each score.
    """

    stage: Literal["look", "fit", "screen", "done"] = "look"
    layout: Any = None
    loss: Any = None
    seen: Any = None
    penalties: Any = None
    tried: Any = None
    found: Any = None
    cost: float = np.inf
    step: Any = None
    rough: Any = None
    fits: tuple[Fit, ...] = ()
    weight: Any = None
    rounds: int = 0
    asked: Any = None
    screenings: int = 0

    @property
    def done(self) -> bool:
        """Whether no round is left."""
        return self.stage == "done"


@dataclass(kw_only=True, eq=False, repr=False)
class Additive(LogOdds, RoundsLearner):
    """The sum of a shape for each column and of small grids for a few pairs of them (GA2M).

    Columns are cut into bins, and the model says what each bin adds: to the number that is
    predicted, or to the log odds of a class. How smooth a shape is, is learned from the rows
    (restricted likelihood); a column that says nothing becomes flat. Pairs of columns that say more
    together than alone get a grid. It is what is known as a generalized additive model with
    interactions (Lou et al. 2013), learned as Wood et al. (2017) do: by Newton's method on how
    often bins come together.

    That a cell is missing is a bin of its own, whose effect is nothing unless the rows speak for
    it; a value that was not there in learning counts as missing.

    Parameters
    ----------
    pairs
        How many pairs of columns get a grid, at most; 0 for shapes alone.
    bins
        How many bins a number is cut into, at most.
    monotone
        Columns whose shape may only rise or only fall, as in ``{"age": 1, "price": -1}``. They are
        in no pair.
    counts
        Whether the target is a count of things: effects then multiply it (a log link), and what
        is left over is Poisson's.
    missing
        What a missing value tells: ``auto``, what the rows say of its bin; ``ignore``, nothing, so
        that it adds what its column adds on average where it is known. The columns whose bin of
        missing cells adds something beyond chance are in `model.informative`.

    Notes
    -----
    All that a round needs of the rows are sums over the rows in two bins, of numbers that are
    rounded so that sums are exact: the same model is learned from a table, from files cut in any
    way, and on a cluster.

    Examples
    --------
    >>> from satsuma import Additive, load
    >>> model = Additive()(load("titanic"))
    >>> model({"status": "crew", "age": "adult", "sex": "female"})
    'yes'
    >>> list(model.importances())[:3]
    ['sex', 'status', 'status & sex']
    """

    pairs: int = 100
    bins: int = 128
    monotone: Mapping[str, int] | None = None
    counts: bool = False
    missing: str = field(default="auto", repr=False)

    readable: ClassVar[bool] = True
    takes: ClassVar[Takes] = Takes(target="either", rounds="many")

    def check(self) -> None:
        """Numbers in their ranges."""
        check_number(self, "pairs", low=0, whole=True)
        check_number(self, "bins", low=2, high=255, whole=True)
        check_choice(self, "missing", ("auto", "ignore"))
        given: Any = self.monotone
        if not isinstance(given, Mapping | None) or not set(self._signs().values()) <= {-1, 1}:
            raise ParameterError(
                f"Additive takes monotone as columns with 1 (rising) or -1 (falling), as in "
                f"monotone={{'age': 1}}. Got {given!r}."
            )

    def check_data(self, data: Table | Source) -> None:
        """The columns of `monotone` are numbers, and counts are of things."""
        super().check_data(data)
        for name in self._signs():
            if data.domain[name].kind != "num" or data.domain[name].role != "x":
                raise DomainError(
                    f"Additive is to make {name!r} monotone, which is no column of numbers that "
                    f"is learned from. Leave it out of monotone=."
                )
        target = data.domain.target
        if self.counts and target is not None and target.kind != "num":
            raise DomainError(
                f"Additive is to predict counts, and {target.name!r} holds symbols. "
                f"Leave out counts=True to predict classes."
            )

    def _signs(self) -> Mapping[str, int]:
        return self.monotone or {}

    def learn(self, data: Table | Source) -> Model:
        """Go on in rounds, whose matrices are too small for threads to share."""
        with single_blas_thread():
            return super().learn(data)

    def start(self, domain: Domain) -> _State:  # noqa: ARG002 - the first tally has it
        """Nothing is known."""
        return _State()

    def tally(self, state: _State, batch: Table) -> FirstLook | WeightedPairs | Grids:
        """A look at the columns; then sums over the rows in two bins, given some effects."""
        if state.stage == "look":
            return FirstLook.of(batch, counts=self.counts)
        rows: Rows = rows_of(batch, state.seen)
        layout: Layout = state.layout
        codes: list[Array] = layout.codes(rows.batch)
        if state.stage == "screen":
            scores = scores_of(layout, state.found, codes, len(rows.target))
            return grids_of(state.asked, state.loss, scores, codes, rows)
        return weighted_pairs(layout, state.loss, state.tried, codes, rows)

    def advance(self, state: _State, tally: Any) -> _State:
        """Lay out the cells; fit; choose pairs, and fit again."""
        if state.stage == "look":
            return self._laid_out(tally)
        if state.stage == "screen":
            return self._with_pairs(state, tally)
        fitted = self._fitted(state, tally)
        return self._after_fit(fitted) if fitted.stage == "done" else fitted

    def conclude(self, state: _State) -> AdditiveModel:
        """The effects of all cells, about their averages."""
        return model_of(state.layout, state.loss, state.seen, state.fits, state.weight)

    def _laid_out(self, look: FirstLook) -> _State:
        if not look.total > 0:
            raise nothing_known("Additive")
        loss, seen = loss_of(look, counts=self.counts)
        layout = replace(first_layout(look, self.bins), missing_effects=self.missing == "auto")
        tried = np.zeros((loss.scores, 1 + layout.coefficients))
        if not loss.scores:  # all rows are of one class
            return _State("done", layout, loss, seen, (), weight=np.zeros(1 + layout.cells))
        tried[:, 0] = look.start(seen, counts=self.counts)
        return _State("fit", layout, loss, seen, penalties_of(layout), tried)

    def _problem(self, state: _State, tally: WeightedPairs, score: int) -> Problem:
        layout, loss, at = state.layout, state.loss, state.tried[score]
        gram, slope = tally.gram[score], tally.slope[score]
        fixed = centring(layout, gram[0])
        penalties = state.penalties
        if loss.of == "numbers":
            squares, weight = 2 * tally.loss, float(gram[0, 0])
            return Problem(gram, slope, fixed, penalties, squares, weight)
        return Problem(gram, gram @ at + slope, fixed, penalties)

    def _fitted(self, state: _State, tally: WeightedPairs) -> _State:
        """The state after a round of fitting; its stage is ``done`` where that was the last."""
        over = state.rounds + 1 >= ROUNDS
        if state.step is not None:
            gain = _penalised(state.cost, state.found, state.rough)
            now = _penalised(tally.loss, state.tried, state.rough)
            if not now <= gain + 1e-9 * abs(gain):
                step = state.step / 2
                tried = state.found if over else state.found + step
                at = replace(state, tried=tried, step=step, rounds=state.rounds + 1)
                return _ended(at) if over else at
        signs = {state.layout.names.index(name): sign for name, sign in self._signs().items()}
        fits: list[Fit] = []
        rough: list[Floats] = []
        for score in range(state.loss.scores):
            problem = self._problem(state, tally, score)
            strengths = (
                state.fits[score].strengths if state.fits else strengths_at_first(state.penalties)
            )
            fit = smoothed(problem, strengths, *_steps(state.loss))
            fits.append(monotone(problem, fit, state.layout, tally.gram[score][0], signs))
            rough.append(problem.roughness(fit.strengths))
        tried = np.stack([fit.effects for fit in fits])
        step = tried - state.tried
        if state.loss.of != "numbers":
            step *= min(1.0, _FARTHEST / max(float(np.abs(step).max()), 1e-300))
            tried = state.tried + step
        moved = float(np.einsum("si,sij,sj->", step, tally.gram, step))
        still = moved <= TOLERANCE**2 * float(tally.weight[0])
        last = state.loss.of == "numbers" or still
        if over and not last:  # what the rows have not been asked about may be anything
            tried = state.tried
        at = replace(
            state,
            tried=tried,
            found=state.tried,
            cost=tally.loss,
            step=step,
            rough=rough,
            fits=tuple(fits),
            weight=tally.weight,
            rounds=state.rounds + 1,
        )
        return _ended(at) if last or over else at

    def _after_fit(self, state: _State) -> _State:
        """Screen pairs that are not there yet, unless that was done often enough."""
        layout: Layout = state.layout
        held = {layout.names.index(name) for name in self._signs()}
        free = [at for at in range(len(layout.names)) if at not in held]
        if state.screenings >= _SCREENINGS or len(layout.pairs) >= self.pairs:
            return state
        if not layout.coarse:
            layout = layout.with_coarse(state.weight[1:], _COARSE)
        moves = _importances(layout, layout.effects(state.found.T).T, state.weight)
        free = sorted(free, key=lambda at: (-moves[at], at))[:_SCREENED]
        asked = tuple(each for each in all_pairs(free) if each not in layout.pairs)
        if not asked:
            return state
        return replace(
            state,
            stage="screen",
            layout=layout,
            asked=replace(layout, pairs=asked),
            screenings=state.screenings + 1,
        )

    def _with_pairs(self, state: _State, grids: Grids) -> _State:
        """Go on with the pairs that gain most; where none does, that is all."""
        spread = state.fits[0].spread
        effects = state.layout.effects(state.found.T).T
        gains = evidence_of_pairs(state.asked, grids, effects, spread)
        there, of = state.layout.pairs, state.loss.of
        pairs = chosen_pairs(state.asked, there, gains, self.pairs, of)
        if not pairs:
            return replace(state, stage="done")
        layout = replace(state.layout, pairs=(*state.layout.pairs, *pairs))
        more = layout.coefficients + 1 - state.found.shape[1]
        found = np.hstack([state.found, np.zeros((len(state.found), more))])
        if state.loss.of == "numbers":
            found = np.zeros_like(found)
        penalties = penalties_of(layout)
        strengths = [strengths_at_first(penalties) for _ in state.fits]
        for each, fit in zip(strengths, state.fits, strict=True):
            each[: len(fit.strengths)] = fit.strengths
        fits = tuple(
            replace(fit, strengths=each) for each, fit in zip(strengths, state.fits, strict=True)
        )
        return replace(
            state,
            stage="fit",
            layout=layout,
            penalties=penalties,
            tried=found,
            found=None,
            cost=np.inf,
            step=None,
            rough=None,
            fits=fits,
            rounds=0,
        )


def _ended(state: _State) -> _State:
    """The state where what was tried last is what was found."""
    fits = tuple(
        replace(fit, effects=effects) for fit, effects in zip(state.fits, state.tried, strict=True)
    )
    return replace(state, stage="done", found=state.tried, fits=fits)


def _steps(loss: Loss) -> tuple[int, float]:
    """How many steps strengths are changed by in a round, and by which factor at most in each."""
    if loss.of == "numbers":
        return _STEPS, _LEAP
    return (_STEPS_OF_TWO if loss.scores == 1 else _STEPS_OF_MANY), _SMALL_LEAP


def _penalised(loss: float, effects: Floats, rough: Any) -> float:
    return loss + sum(float(b @ r @ b) for b, r in zip(effects, rough, strict=True)) / 2


def _importances(layout: Layout, effects: Floats, weight: Floats) -> Floats:
    """How much each column moves the scores, on average over the rows."""
    moved = np.abs(effects[:, 1:]).sum(axis=0) * weight[1:]
    return np.add.reduceat(moved, layout.starts[:-1])[: len(layout.names)]
