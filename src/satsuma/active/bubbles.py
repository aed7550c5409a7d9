"""Bubbles: the bellwether search, for a few rows that stand for all."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, NamedTuple

import numpy as np

from satsuma.active.bubbles_model import BubblesClassifier, BubblesRegressor, BubblesReport
from satsuma.active.semi_supervised import has_label, labels_of, weights_or_ones
from satsuma.data.table import Table
from satsuma.errors import check_number
from satsuma.evaluate.paired_tests import adjusted_p_values, corrected_p
from satsuma.folds import even_order
from satsuma.learners.ensembles.ensemble import check_inside, takes_of_member
from satsuma.learners.learner import Learner
from satsuma.learners.queries import fitted
from satsuma.learners.rp0.rp0 import RP0
from satsuma.learners.takes import Takes, TakesBy, training_rows
from satsuma.numerics.arrays import Floats, Indices

#: Fewer rows than this are not kept aside to find out what was lost.
_FEW = 20

_TINY = np.finfo(float).tiny


class Candidate(NamedTuple):
    """A model, and the numbers of the rows that it was learned from."""

    model: Any
    rows: Indices


def _takes(learner: Any) -> Takes:
    inside = takes_of_member(learner.learner)
    kinds = tuple(kind for kind in inside.kinds if kind in RP0.takes.kinds)
    return replace(inside, kinds=kinds)


@dataclass(kw_only=True, eq=False)
class Bubbles(Learner):
    """A few rows that all others can be predicted from, and the model of these.

    Rows are clustered, and clusters again, down to small ones, of which each has a model. These
    go up: at each cluster of clusters every model is tested on the clusters beside its own, and
    those that cannot be told from the best stay. One more is learned from a sample of the best
    clusters, as large as one of them; if it beats the best on rows that neither was learned from,
    it goes up, and else the best does. What comes out at the top was learned from few rows; what
    that has lost against learning from all is found on rows that were kept aside (Menzies'
    BUBBLES, after the bellwethers of Krishna, Menzies and Fu 2016).

    Parameters
    ----------
    learner
        Any learner of classes or numbers; it may stand first, without its name.
    most
        The share of rows that may be learned from, at most.
    loss
        What may be lost, as a share of right answers, or of the variance of numbers that is
        explained, for the search to have succeeded.
    draws
        How many samples of the best clusters are drawn; the best of them counts.
    M, P
        As in `RP0`: rows of a small cluster (at most 2M), and pairs that are drawn for poles.
    seed
        Where chance starts from.

    Notes
    -----
    At each cluster of clusters these are found by `RP0`, so that none has more than a fifth of the
    rows. The best model is compared with the others as in `Results.rank`; models of numbers by
    their squared errors. A fifth of all rows is
    kept aside, if there are 20; of these the report tells, and no choice is made by them. The
    search pays where the learner is slow or the rows are to be looked at; where all rows can be
    learned from, that is better.

    Examples
    --------
    >>> import satsuma
    >>> from satsuma import Bubbles, NaiveBayes
    >>> model = Bubbles(NaiveBayes())(satsuma.load("voting"))
    >>> print(model.report)
    Learned from 22 of 435 rows (5.1%). Of 87 kept aside it gets
    93.1% right; a model of all 348 others gets 93.1%.
    >>> len(model.rows)
    22
    """

    learner: Learner
    most: float = 0.1
    loss: float = 0.02
    draws: int = 8
    M: int = 32
    P: int = 10
    seed: int = 0

    takes: ClassVar[Any] = TakesBy(_takes)

    def check(self) -> None:
        """A learner that predicts, two shares, a size, a number of pairs and a seed."""
        check_inside(self, "learner", self.learner)
        check_number(self, "most", low=1e-6, high=1)
        check_number(self, "loss", low=0, high=1)
        check_number(self, "draws", low=1, whole=True)
        check_number(self, "M", low=1, whole=True)
        check_number(self, "P", low=1, whole=True)
        check_number(self, "seed", low=0, whole=True)

    def learn(self, data: Table) -> BubblesClassifier | BubblesRegressor:
        """Search among most rows, and find on the others what was lost."""
        used = training_rows(data, type(self).__name__)
        rng = np.random.default_rng(self.seed)
        labels = labels_of(used)
        numeric = labels.dtype.kind == "f"
        order = rng.permutation(len(used)) if numeric else even_order(labels, rng)
        aside = len(order) // 5 if len(order) >= _FEW else 0
        kept, test = np.sort(order[aside:]), np.sort(order[:aside])
        found = self._best(used, kept, max(1, round(self.most * len(used))), rng)
        told = self._told(used, found, kept, test)
        kind = BubblesRegressor if numeric else BubblesClassifier
        return kind(found.model, _numbers(data, used)[found.rows], told)

    def _told(self, used: Table, found: Candidate, kept: Indices, test: Indices) -> BubblesReport:
        nan = float("nan")
        few = BubblesReport(
            len(found.rows), len(used), len(kept), len(test), nan, nan, self.most, self.loss
        )
        if not len(test):
            return few
        models = [found.model, self.learner(used[kept])]
        weights = weights_or_ones(used)[test]
        scores = prediction_scores(models, used[test])
        shares = np.average(scores, axis=1, weights=weights)
        if (truth := labels_of(used[test])).dtype.kind == "f":
            middle = np.average(truth, weights=weights)
            spread = float(np.average((truth - middle) ** 2, weights=weights))
            shares = 1 + shares / spread if spread > 0 else np.full(2, np.nan)
        return replace(few, right=float(shares[0]), of_all=float(shares[1]))

    def _best(self, rows: Table, here: Indices, limit: int, rng: np.random.Generator) -> Candidate:
        """The model of a cluster, by those of the clusters that it is made of."""
        parts = self._parts(rows, here, rng) if len(here) > 2 * self.M else [here]
        if len(parts) < 2:
            few = here if len(here) <= limit else np.sort(rng.permutation(here)[:limit])
            return Candidate(self.learner(rows[few]), few)
        # Each part has a chance of its own, so that threads cannot change what comes out.
        chances = rng.spawn(len(parts))
        models = [
            self._best(rows, part, limit, chance)
            for part, chance in zip(parts, chances, strict=True)
        ]
        return self._survivor(rows, parts, models, limit, rng)

    def _survivor(
        self,
        rows: Table,
        parts: list[Indices],
        models: list[Candidate],
        limit: int,
        rng: np.random.Generator,
    ) -> Candidate:
        """The best model of some clusters, or a fresh one of rows from the best of these."""
        every = np.concatenate(parts)
        batch = rows[every]
        weights = weights_or_ones(batch)
        right = prediction_scores([each.model for each in models], batch)
        best = indistinguishably_best(right, weights, [len(part) for part in parts])
        among = np.concatenate([parts[at] for at in best])
        size = min(limit, len(every) // len(parts), len(among))
        drawn = [np.sort(rng.permutation(among)[:size]) for _ in range(int(self.draws))]
        rivals = [models[best[0]], *(Candidate(self.learner(rows[each]), each) for each in drawn)]
        right = prediction_scores([each.model for each in rivals], batch)
        unseen = [weights * ~np.isin(every, each.rows) for each in rivals]
        shares = [a @ b / max(b.sum(), _TINY) for a, b in zip(right, unseen, strict=True)]
        return rivals[int(np.argmax(shares))]

    def _parts(self, rows: Table, here: Indices, rng: np.random.Generator) -> list[Indices]:
        """The clusters that rows are made of: each has at most a fifth, or few rows."""
        asked = rows[here].select(v.name for v in rows.domain if v.role != "weight")
        size = max(self.M, len(here) // 10)
        model = RP0(M=size, P=self.P, seed=int(rng.integers(1 << 31)))(asked)
        groups = model.clusters(asked)
        found = [here[groups == at] for at in range(model.k)]
        return [each for each in found if len(each)]


def _numbers(data: Table, used: Table) -> Indices:
    """The row numbers of what is learned from."""
    if len(used) == len(data):
        return np.arange(len(data))
    known = has_label(labels_of(data))
    return np.flatnonzero(known & (weights_or_ones(data) > 0))


def prediction_scores(models: Sequence[Any], batch: Table) -> Floats:
    """Models by rows: 1 for a right class and 0 for a wrong one; of numbers, -(error squared)."""
    truth = labels_of(batch)
    if truth.dtype.kind == "f":
        told = [model.numbers(fitted(batch, model.domain)) for model in models]
        return np.array([-((each - truth) ** 2) for each in told])
    said = [model.codes(fitted(batch, model.domain, model.unseen)) for model in models]
    return np.array([each == truth for each in said], np.float64)


def indistinguishably_best(
    right: Floats, weights: Floats, sizes: Sequence[int], alpha: float = 0.05
) -> list[int]:
    """Which models cannot be told from the best by the parts that they were not learned from.

    The best is compared with each other one by a paired t-test over the parts that neither is
    of, and with all of them together by the method of Holm (1979), as in `Results.rank`; parts do
    not overlap, so nothing is to be corrected for that.

    Parameters
    ----------
    right
        Models by rows: which rows each gets right, or how well. The rows of part i, which model i
        was learned from, stand together, one part after the other.
    weights
        What each row weighs.
    sizes
        How many rows each part has.
    alpha
        How often models that are alike may be told apart.

    Examples
    --------
    >>> right = np.array([[1, 1, 1, 1, 1, 1], [0, 1, 1, 1, 1, 0], [0, 0, 0, 1, 0, 0]], float)
    >>> indistinguishably_best(right, np.ones(6), [2, 2, 2])
    [0, 1, 2]
    """
    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    totals = np.add.reduceat(weights, starts)
    scores = np.add.reduceat(right * weights, starts, axis=1) / totals
    means = _without_own(right @ weights, scores * totals, totals)
    np.fill_diagonal(scores, np.nan)
    first, *others = (int(at) for at in np.argsort(-means, kind="stable"))
    chances = {(str(first), str(at)): corrected_p(scores[first] - scores[at], 0.0) for at in others}
    told = adjusted_p_values(chances)
    return [first, *(at for at in others if told[str(first), str(at)] >= alpha)]


def _without_own(sums: Floats, by_part: Floats, totals: Floats) -> Floats:
    return (sums - by_part.diagonal()) / (totals.sum() - totals)
