"""AnDEModel: what columns say given the class and one column more, averaged over all of these."""

from functools import cached_property
from itertools import combinations
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from satsuma.data.fields import FloatArray, Instance, Maybe, Number
from satsuma.data.schema import Schema
from satsuma.data.table import Table
from satsuma.errors import ReadError
from satsuma.kernels.threads import map_tiles
from satsuma.learners.calibration.probability_maps import heated
from satsuma.learners.calibration.temperature_round import temperature_of
from satsuma.learners.explanation import PRIOR, Explanation, asked_classes, odds
from satsuma.learners.generative.dependence import Dependence, Smoothing
from satsuma.learners.generative.model import GenerativeModel
from satsuma.learners.model import Classifier, Query, Scale
from satsuma.learners.predictions import redefines
from satsuma.measures.estimates import relative
from satsuma.measures.information import mutual_information_of
from satsuma.numerics.arrays import Codes, Floats
from satsuma.tallies.composite import Composite
from satsuma.tallies.joint_counts import JointCounts, Places
from satsuma.tallies.row_sample import RowSample

#: Rows of a tile: few enough for what all parents say of them to stay in the cache.
TILE = 1 << 12


class AnDEModel(Classifier):
    """What each column says given the class and a parent, averaged over the parents.

    Parameters
    ----------
    tally
        How often values come together.
    weights
        What each parent counts in the average.
    prior
        How probable each class is before anything is seen.
    smoothing
        How probabilities are estimated.
    """

    schema: ClassVar[Schema] = Schema(
        "parents",
        tally=Instance(JointCounts),
        weights=FloatArray("parents", low=0, high=1 + 1e-9),
        prior=FloatArray("classes", low=0, sums_to_one=True),
        m=Number(low=0),
        alpha=Maybe(Number(low=0)),
        least=Number(low=0),
        temperature=Number(low=1e-3, high=1e3),
    )

    def __init__(
        self, tally: JointCounts, weights: Floats, prior: Floats, smoothing: Smoothing
    ) -> None:
        self.tally, self.weights, self.prior = tally, weights, prior
        self.m, self.alpha, self.least = smoothing

    def keep(self, sample: RowSample) -> None:
        """Keep some rows, to forget by, and to be calibrated by once it is asked."""
        self._rows_kept = sample

    @cached_property
    def temperature(self) -> float:
        """By what log-probabilities are divided, so that they are right as often as they say.

        It has the least log loss on the rows that are kept, each predicted as if it had been left
        out. It is 1 where nothing is calibrated. The rows by which it is found are not saved.
        """
        kept: RowSample | None = vars(self).get("_rows_kept")
        return 1.0 if kept is None else temperature_of(kept.weighing(kept.weight), self.left_out)

    def __getstate__(self) -> dict[str, Any]:
        return {**super().__getstate__(), "temperature": self.temperature}

    def check_state(self) -> None:
        """The counts are of the columns and classes of the model."""
        super().check_state()
        mine, theirs = self.domain.attributes, self.tally.domain.attributes
        if mine != theirs or self.tally.variables != theirs or self.tally.classes != self.classes:
            raise ReadError("the counts of AnDEModel are of other columns or classes")
        parents = len(self.parents(self.n))
        if len(self.weights) != parents or (parents and not self.weights.sum() > 0):
            raise ReadError("AnDEModel has the weights of other parents")
        if not self.tally.class_weight.sum() > 0:
            raise ReadError("AnDEModel was learned from nothing")

    @property
    def n(self) -> int:
        """How many columns are parents together."""
        return self.tally.order - 1

    def parents(self, n: int) -> list[Places]:
        """The columns that are parents together, by their places."""
        return list(combinations(range(len(self.tally.names)), n))

    @property
    def smoothing(self) -> Smoothing:
        """How probabilities are estimated."""
        return Smoothing(self.m, self.alpha, self.least)

    def dependences(self, n: int, without: float = 0.0) -> list[Dependence]:
        """What the columns say given each set of `n` parents, see `Dependence.of`; made once."""
        made: dict[Any, list[Dependence]] = vars(self).setdefault("_made", {})
        if (n, without) not in made:
            made[n, without] = [
                Dependence.of(self.tally, each, self.smoothing, self.shift, without)
                for each in self.parents(n)
            ]
        return made[n, without]

    def codes(self, batch: Table) -> npt.NDArray[np.int32]:
        """The class that is predicted for each row, as a code: the same at any temperature."""
        newer = any(redefines(self, each, "codes") for each in ("chosen", "probabilities"))
        return self.chosen(self.probabilities(batch) if newer else self._probabilities(batch, None))

    def chosen(self, probabilities: Floats) -> npt.NDArray[np.int32]:
        """The most probable class, the first of several."""
        return probabilities.argmax(axis=1).astype(np.int32)

    def probabilities(self, batch: Table) -> Floats:
        """Rows by classes; a row that is impossible for every class gets the prior."""
        found = self._probabilities(batch, None)
        return found if self.temperature == 1 else heated(found, self.temperature)

    def left_out(self, batch: Table) -> Floats:
        """The probabilities of rows that were learned from, each as if it had been left out.

        What counts say of other classes than its own does not depend on a row. What parents weigh
        is left as it is, as is what the prior adds to the counts, and nothing is calibrated.
        """
        return self._probabilities(batch, batch.column(self.target.name))

    def _probabilities(self, batch: Table, own: Codes | None) -> Floats:
        codes = self.tally.codes(batch) or [np.zeros(len(batch), np.int32)]
        found = np.empty((len(batch), len(self.classes)))

        def work(lo: int, hi: int) -> None:
            some = None if own is None else own[lo:hi]
            found[lo:hi] = self._by_parents([each[lo:hi] for each in codes], self.n, some)

        map_tiles(work, len(batch), tile=TILE)
        return found

    def _by_parents(self, codes: list[Codes], n: int, own: Codes | None) -> Floats:
        """The probabilities of rows by sets of `n` parents, and by fewer where there are none."""
        logs = self.log_joints(codes, n) if own is None else self._without_own(codes, n, own)
        top = logs.max(axis=(0, 2), initial=-np.inf)
        joint = np.exp(logs - np.where(np.isfinite(top), top, 0.0)[:, None]).sum(axis=0)
        total = joint.sum(axis=1, keepdims=True)
        found = np.where(total > 0, joint / np.where(total > 0, total, 1.0), self.prior)
        orphans = np.flatnonzero(~np.isfinite(top))
        if n and len(orphans):
            some = None if own is None else own[orphans]
            found[orphans] = self._by_parents([each[orphans] for each in codes], n - 1, some)
        return found

    def _without_own(self, codes: list[Codes], n: int, own: Codes) -> Floats:
        """`log_joints`, with what is said of the own class of each row without the row."""
        logs, weights, rows = self.log_joints(codes, n), self._weights(n), np.arange(len(own))
        both = zip(self.dependences(n), self.dependences(n, without=1.0), strict=True)
        for at, (whole, without) in enumerate(both):
            if weights[at] > 0:
                said, value = without.says(codes, self.tally.levels)
                if without.total > 0:
                    logs[at] += np.log(whole.total / without.total)
                logs[at, rows, own] = said[rows, own] + np.log(weights[at])
                logs[at, value < 0] = -np.inf
        return logs

    def _weights(self, n: int) -> Floats:
        return self.weights if n == self.n else np.ones(len(self.parents(n)))

    def log_joints(self, codes: list[Codes], n: int) -> Floats:
        """(sets of parents, rows, classes): what each says; minus infinity where it has no say."""
        made, levels = self.dependences(n), self.tally.levels
        logs = np.full((len(made), len(codes[0]), len(self.classes)), -np.inf)
        for each, weight, out in zip(made, self._weights(n), logs, strict=True):
            if weight > 0:
                said, value = each.says(codes, levels)
                out[value >= 0] = (said + np.log(weight))[value >= 0]
        return logs

    @property
    def shift(self) -> Floats:
        """What the prior adds to the logarithm of what the rows say of each class."""
        shares = relative(self.tally.class_weight)
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(shares > 0, np.log(self.prior) - np.log(shares), 0.0)

    @property
    def terms_of(self) -> Scale:
        """What the terms of `explain` sum to."""
        return "log-odds"

    def explain(
        self, query: Query, value: str | None = None, against: str | None = None
    ) -> Explanation:
        """What the prior and each column add to the log-odds of a class against another.

        Each parent has a sum of its own, of which the log-odds are a mean, weighed by the
        logarithmic means of what the parent says of the two classes (as in the decomposition of
        Ang 2005); so the parts of the columns, averaged with these weights, add up exactly.

        The parameters are those of `Classifier.explain`.
        """
        chances = self.probabilities(batch := self._rows(query))
        this, other = asked_classes(self, chances, value, against)
        parts = dict.fromkeys([PRIOR, *self.tally.names], 0.0)
        codes = self.tally.codes(batch) or [np.zeros(1, np.int32)]
        n = next((n for n in range(self.n, 0, -1) if self._has_say(codes, n)), 0)
        logs = self.log_joints(codes, n)[:, 0]
        shares = divided(logs[:, this], logs[:, other])
        with np.errstate(divide="ignore"):
            prior = np.log(self.prior)
        for each, share in zip(self.dependences(n), shares, strict=True):
            if share > 0:
                said = each.parts(codes, self.tally.levels)
                said[each.parents] = said[each.parents] - prior
                parts[PRIOR] += share * odds(prior, this, other)
                for places, logs_of in said.items():
                    name = ", ".join(self.tally.names[at] for at in places) or PRIOR
                    parts[name] = parts.get(name, 0.0) + share * odds(logs_of, this, other)
        parts = {name: part / self.temperature for name, part in parts.items()}
        predicted = self.classes[int(self.chosen(chances)[0])]
        return Explanation(self.classes[this], self.classes[other], parts, predicted=predicted)

    def _has_say(self, codes: list[Codes], n: int) -> bool:
        return bool(np.isfinite(self.log_joints(codes, n)).any())

    def forget(self, rows: Table) -> "AnDEModel":
        """The model that would have been learned without some rows, which are taken out again.

        One that was opened keeps its temperature: the rows by which it was found are not at hand.
        """
        learner: Any = self.learner
        learner.check_one_round(self.domain)
        learner.check_data(rows)
        less, kept = learner.tally(rows), vars(self).get("_rows_kept")
        if kept is not None:
            return learner.concluded(Composite(self.domain, [self.tally, kept]) - less)
        counts = less if isinstance(less, JointCounts) else less[JointCounts]
        model = learner.concluded(self.tally - counts)
        model.temperature = self.temperature
        return model

    def given(self, name: str, value: str | float) -> GenerativeModel:
        """Naive Bayes among the rows where one column has a value: what that parent says.

        It can be printed, explained and drawn as a nomogram; its numbers are intervals.

        Parameters
        ----------
        name
            The parent.
        value
            A symbol, or a number of the interval that is meant.
        """
        from satsuma.learners.generative.dependence_summary import given

        return given(self, name, value)

    def sample(self, n: int, of: str | None = None, seed: int = 0) -> Table:
        """Rows drawn from what the model believes: of a class, or of all by their prior.

        For each row a parent is drawn by its weight, then its value, and all other columns given
        both. A number lies anywhere in its interval; the first and the last, which have no end, are
        taken to be as wide as their neighbours. A column of numbers that is not cut is missing.

        Parameters
        ----------
        n
            How many rows.
        of
            The class; unless given, each row is of a class that is drawn by the prior.
        seed
            The seed of everything random.

        Examples
        --------
        >>> import satsuma
        >>> model = satsuma.AnDE(satsuma.load("voting"))
        >>> model.sample(2, of="democrat", seed=1)["party"].tolist()
        ['democrat', 'democrat']
        """
        from satsuma.learners.generative.dependence_sampling import sample_dependent_rows

        return sample_dependent_rows(self, n, of, seed)

    def __str__(self) -> str:
        from satsuma.learners.generative.dependence_summary import summary

        return summary(self)


def divided(this: Floats, other: Floats) -> Floats:
    """By how much each term counts in the logarithm of a ratio of two sums.

    It is the logarithmic mean of the two terms, by that of the two sums: then the logarithm of
    the ratio of the sums is the mean of those of the terms, with these weights (Ang 2005).

    Parameters
    ----------
    this, other
        Logarithms of the terms of both sums; minus infinity where there is none.

    Examples
    --------
    >>> a, b = np.log([1.0, 3.0]), np.log([2.0, 1.0])
    >>> shares = divided(a, b)
    >>> round(float(shares @ (a - b)), 6), round(float(np.log(4 / 3)), 6)
    (0.287682, 0.287682)
    """
    some = np.isfinite(this) & np.isfinite(other)
    shares = np.zeros(len(this))
    sums = np.logaddexp.reduce(this), np.logaddexp.reduce(other)
    if some.all() or np.isfinite(sums).all():
        means = _log_mean(this[some], other[some]) - _log_mean(*map(np.atleast_1d, sums))
        shares[some] = np.exp(means)
        return shares
    return np.where(np.isfinite(this) | np.isfinite(other), 1.0, 0.0)


def _log_mean(a: Floats, b: Floats) -> Floats:
    """The logarithm of the logarithmic mean of two numbers, from their logarithms."""
    apart = np.abs(a - b)
    with np.errstate(divide="ignore", invalid="ignore"):
        between = np.log(-np.expm1(-apart) / apart)
    return np.maximum(a, b) + np.where(apart > 1e-12, between, 0.0)


def parent_weights(tally: JointCounts, n: int, *, by_information: bool) -> Floats:
    """What each set of `n` parents counts in the average; their sum is 1.

    By information, it is what the columns and the class tell of each other.
    """
    sets = list(combinations(range(len(tally.names)), n))
    if not by_information or not n:
        return np.full(len(sets), 1 / max(len(sets), 1))
    return relative(np.array([mutual_information_of(tally.counts[each]) for each in sets]))
