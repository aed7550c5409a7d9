"""Decision curves: what comes of calling rows a class from each probability on."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from satsuma.data.table import Table
from satsuma.data.variable import Variable
from satsuma.engines import check_rows
from satsuma.errors import DomainError, ParameterError, described
from satsuma.evaluate.request import known_rows
from satsuma.evaluate.results import Results
from satsuma.folds import Strata
from satsuma.learners.model import Classifier
from satsuma.learners.predictions import probabilities_of
from satsuma.learners.queries import fitted
from satsuma.numerics.arrays import Floats


@dataclass(frozen=True)
class Thoughts:
    """Probabilities of rows that were not learned from, what is true of them, and their weights.

    Parameters
    ----------
    target
        What was to be predicted.
    probabilities
        Rows by classes.
    truth
        The class of each row as a code.
    weights
        What each row weighs.
    """

    target: Variable
    probabilities: Floats
    truth: Strata
    weights: Floats

    @classmethod
    def of(cls, given: Any, table: Table | None = None, learner: str | None = None) -> "Thoughts":
        """Of results, of which one learner may have to be named, or of a model and a table."""
        if isinstance(given, Results):
            return cls._of_results(given, learner)
        if isinstance(given, Classifier) and table is not None:
            return cls._of_model(given, table)
        raise DomainError(
            "Decisions are made about the results of a learner of classes, "
            "cross_validate(NaiveBayes(), table), or about a model of classes and a table of rows "
            f"that it has not learned from. Got {described(given)}"
            f"{' without a table' if isinstance(given, Classifier) else ''}."
        )

    @classmethod
    def _of_results(cls, results: Results, learner: str | None) -> "Thoughts":
        if results.target.kind != "sym":
            raise DomainError(
                f"Decisions are made about classes, and {results.target.name!r} has numbers."
            )
        tested = [trial.parts >= 0 for trial in results.trials]
        thought = [results.probabilities(learner, at)[rows] for at, rows in enumerate(tested)]
        truth = [trial.truth[rows] for trial, rows in zip(results.trials, tested, strict=True)]
        weights = np.concatenate([trial.tested_weights for trial in results.trials])
        return cls(
            results.target, np.concatenate(thought), np.concatenate(truth), weights / len(tested)
        )

    @classmethod
    def _of_model(cls, model: Classifier, table: Table) -> "Thoughts":
        check_rows("Decisions are made of the probabilities of", table, sources=False)
        aimed = table if table.domain.target else table.with_roles(target=model.target.name)
        rows = known_rows(aimed, {})
        used = aimed[np.flatnonzero(rows.used)]
        places = np.array([model.target.codes.get(value, -1) for value in rows.target.values])
        truth = places[rows.truth[rows.used]]
        weights = np.ones(len(used)) if rows.weights is None else rows.weights[rows.used]
        thought = probabilities_of(model, fitted(used, model.domain, model.unseen))
        known = truth >= 0
        return cls(model.target, thought[known], truth[known], weights[known])

    def with_priors(self, priors: Mapping[str, float] | None) -> "Thoughts":
        """As they would be where the classes are as frequent as is said, rather than as here.

        Rows weigh as much more as their class is more frequent, and so do probabilities (Saerens
        et al. 2002).
        """
        if priors is None:
            return self
        wanted = self._priors(priors)
        there = np.bincount(self.truth, self.weights, len(self.target.values)) / self.weights.sum()
        ratio = np.divide(wanted, there, out=np.zeros(len(wanted)), where=there > 0)
        moved = self.probabilities * ratio
        total = moved.sum(axis=1, keepdims=True)
        even = np.broadcast_to(wanted, moved.shape).copy()
        moved = np.divide(moved, total, out=even, where=total > 0)
        return Thoughts(self.target, moved, self.truth, self.weights * ratio[self.truth])

    def _priors(self, priors: Mapping[str, float]) -> Floats:
        given: Any = priors
        known = dict(priors) if isinstance(given, Mapping) else {}
        named = set(known) == set(self.target.values)
        wanted = np.array([float(known[each]) for each in self.target.values]) if named else None
        if wanted is None or not (wanted >= 0).all() or not np.isclose(wanted.sum(), 1):
            raise ParameterError(
                f"priors= must have a probability for each class of {self.target.name!r}, which "
                f"sum to 1, as in {{{self.target.values[0]!r}: 0.9, …}}."
            )
        return wanted

    def code(self, value: str | None) -> int:
        """The class that is meant: the rarer of two unless one is named."""
        if value is not None:
            return self.target.code(value)
        weight = np.bincount(self.truth, self.weights, len(self.target.values))
        if len(weight) != 2:
            raise ParameterError(
                f"{self.target.name!r} has {len(weight)} classes. Name the one that rows are "
                f"called or not: value=."
            )
        return int(weight.argmin())

    def curve(self, value: str | None = None) -> "DecisionCurve":
        """What comes of calling rows a class from each probability on."""
        code = self.code(value)
        return DecisionCurve.of(
            self.target.values[code], self.probabilities[:, code], self.truth == code, self.weights
        )


@dataclass(frozen=True)
class DecisionCurve:
    """How many rows are called a class, and how many of them rightly, from each threshold on.

    The first point calls no row; each of the others calls those of a probability of the threshold
    or more.

    Parameters
    ----------
    value
        The class.
    thresholds
        From infinity down: all probabilities that there are.
    hits, alarms
        What the rows weigh that are rightly and wrongly called so.
    """

    value: str
    thresholds: Floats
    hits: Floats
    alarms: Floats

    @classmethod
    def of(cls, value: str, thought: Floats, true: Strata, weights: Floats) -> "DecisionCurve":
        """Of the probabilities of the class.

        Examples
        --------
        >>> thought, true = np.array([0.9, 0.6, 0.6, 0.2]), np.array([True, True, False, False])
        >>> curve = DecisionCurve.of("yes", thought, true, np.ones(4))
        >>> curve.thresholds.tolist(), curve.recall.tolist(), curve.false_alarms.tolist()
        ([inf, 0.9, 0.6, 0.2], [0.0, 0.5, 1.0, 1.0], [0.0, 0.0, 0.5, 1.0])
        """
        order = np.argsort(-thought, kind="stable")
        ranked = thought[order]
        last = np.flatnonzero(np.r_[ranked[1:] != ranked[:-1], len(ranked) > 0])
        hits = np.cumsum(np.where(true, weights, 0.0)[order])[last]
        alarms = np.cumsum(np.where(true, 0.0, weights)[order])[last]
        return cls(value, np.r_[np.inf, ranked[last]], np.r_[0.0, hits], np.r_[0.0, alarms])

    @property
    def total(self) -> float:
        """What all rows weigh."""
        return float(self.hits[-1] + self.alarms[-1])

    @cached_property
    def recall(self) -> Floats:
        """The share of the rows of the class that is called so (the rate of true positives)."""
        return self.hits / (self.hits[-1] or 1.0)

    @cached_property
    def false_alarms(self) -> Floats:
        """The share of the other rows that is called so (the rate of false positives)."""
        return self.alarms / (self.alarms[-1] or 1.0)

    @cached_property
    def called(self) -> Floats:
        """The share of all rows that is called so."""
        return (self.hits + self.alarms) / (self.total or 1.0)

    @cached_property
    def precision(self) -> Floats:
        """The share of the rows called so that is of the class; 1 where none is called."""
        called = self.hits + self.alarms
        return np.divide(self.hits, called, out=np.ones(len(called)), where=called > 0)

    @cached_property
    def f1(self) -> Floats:
        """The harmonic mean of precision and recall."""
        return 2 * self.hits / (self.hits + self.alarms + (self.hits[-1] or 1.0))

    def costs(self, amounts: Floats) -> Floats:
        """The mean cost of a row at each threshold.

        Parameters
        ----------
        amounts
            Truth by decision, 2 by 2, the class behind what is not of it.
        """
        misses, rest = self.hits[-1] - self.hits, self.alarms[-1] - self.alarms
        cells = np.array([[rest, self.alarms], [misses, self.hits]])
        return np.einsum("ij,ijk->k", amounts, cells) / (self.total or 1.0)

    def at(self, threshold: float) -> int:
        """The point of a threshold."""
        return int(np.searchsorted(-self.thresholds, -threshold, side="right")) - 1

    @property
    def area(self) -> float:
        """The area under the ROC curve."""
        return float(np.trapezoid(self.recall, self.false_alarms))

    @property
    def average_precision(self) -> float:
        """The mean precision at the rows of the class, as they come."""
        return float(np.diff(self.recall) @ self.precision[1:])
