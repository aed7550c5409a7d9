"""Models of BoostedTrees: scores as sums of what small trees say."""

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from satsuma.data.columns import refuse_infinite
from satsuma.data.fields import LARGE, FloatArray, IntArray, Many, Number, Word
from satsuma.data.schema import Schema
from satsuma.data.table import Table
from satsuma.errors import ParameterError, ReadError
from satsuma.kernels.boost import TreeOf, Trees, joined
from satsuma.learners.boosted_trees.code_layout import MOST, Layout
from satsuma.learners.boosted_trees.objective import FAR, Objective
from satsuma.learners.boosted_trees.tree_contributions import contributions_of
from satsuma.learners.estimator.log_odds import among_all
from satsuma.learners.explanation import PRIOR, Explanation, asked_classes
from satsuma.learners.matrix_learner import check_seen
from satsuma.learners.model import Classifier, Model, Query, Regressor, Scale
from satsuma.numerics.arrays import Array, Floats

#: Nodes of a tree, and trees, that a file may have.
_NODES, _TREES = 1 << 16, 1 << 20


class BoostedTreesModel(Model):
    """The first score, and what each tree adds to it.

    Parameters
    ----------
    layout
        How cells become codes.
    start
        The first score; one for each class, where there are more than two.
    trees
        One for each score and round.
    """

    schema: ClassVar[Schema] = Schema(
        "scores",
        "nodes",
        "trees",
        "cuts",
        "places",
        cuts=Many(FloatArray("cuts"), size="attributes"),
        places=Many(IntArray("places", low=-1), size="attributes"),
        start=FloatArray("scores", low=-LARGE, high=LARGE),
        first=IntArray("trees+1", dtypes=(np.int64,)),
        column=IntArray("nodes", low=-1, below="attributes"),
        left=IntArray("nodes", low=-1),
        value=FloatArray("nodes", low=-LARGE, high=LARGE),
        weight=FloatArray("nodes", low=0),
        gain=FloatArray("nodes", low=0),
        sets=IntArray("nodes", 4, dtypes=(np.uint64,)),
    )

    def __init__(self, layout: Layout, start: Floats, trees: Sequence[TreeOf]) -> None:
        self.cuts, self.places = list(layout.cuts), list(layout.places)
        self.start = start
        sizes = [len(each.column) for each in trees]
        self.first = np.cumsum([0, *sizes], dtype=np.int64)
        self.column, self.left, self.value, self.weight, self.gain, self.sets = joined(trees)

    def check_state(self) -> None:
        """The codes are those of the columns, and the trees are some."""
        super().check_state()
        for variable, cuts, places in zip(
            self.domain.attributes, self.cuts, self.places, strict=True
        ):
            right = 0 < len(cuts) <= MOST and not len(places) and (np.diff(cuts) > 0).all()
            if variable.kind == "sym":
                right = not len(cuts) and len(places) == len(variable.values)
                right = right and int(places.max(initial=-1)) < MOST
            if not right:
                raise ReadError(f"the codes of {variable.name!r} are not those of the column")
        count = len(self.first) - 1
        if count > _TREES or (count % len(self.start) if len(self.start) else count):
            raise ReadError("the trees of the model are not shared out among its scores")
        sizes = np.diff(self.first)
        if self.first[0] or self.first[-1] != len(self.column) or (sizes < 1).any():
            raise ReadError("the trees of the model do not share out its nodes")
        size = np.repeat(sizes, sizes)
        node = np.arange(len(self.column)) - np.repeat(self.first[:-1], sizes)
        inner = self.left >= 0
        fine = (self.left > node) & (self.left < size - 1) & (self.column >= 0)
        children = np.repeat(self.first[:-1], sizes)[inner] + self.left[inner]
        led = np.bincount(np.concatenate([children, children + 1]), minlength=len(node))
        if (sizes > _NODES).any() or (inner & ~fine).any() or (led != (node > 0)).any():
            raise ReadError("the nodes of the model are no trees")

    @property
    def layout(self) -> Layout:
        """How cells become codes."""
        names = tuple(v.name for v in self.domain.attributes)
        return Layout(names, tuple(self.cuts), tuple(self.places))

    @property
    def rounds(self) -> int:
        """How many rounds there were."""
        return (len(self.first) - 1) // max(1, len(self.start))

    def trees(self) -> list[TreeOf]:
        """Each tree; those of a round one after the other."""
        nodes = TreeOf(self.column, self.left, self.value, self.weight, self.gain, self.sets)
        ends = zip(self.first[:-1].tolist(), self.first[1:].tolist(), strict=True)
        return [nodes.part(lo, hi) for lo, hi in ends]

    @cached_property
    def _walk(self) -> Trees:
        return Trees(self.trees(), len(self.domain.attributes))

    def __getstate__(self) -> dict[str, Any]:
        return {name: each for name, each in super().__getstate__().items() if name != "_walk"}

    def _codes(self, batch: Table) -> Array:
        for variable in self.domain.attributes:
            if variable.kind == "num":
                refuse_infinite(variable.name, batch.column(variable.name))
        return self.layout.codes(batch)[0]

    def scores(self, batch: Table) -> Floats:
        """The sums of what trees say: (rows, scores)."""
        found = np.tile(self.start, (len(batch), 1))
        if len(self.first) > 1:
            self._walk.add(self._codes(batch), found)
        return found

    def staged_scores(self, batch: Table, every: int = 1) -> Iterator[Floats]:
        """The scores after some rounds, again and again: every so many rounds, and at the end."""
        given: Any = every
        if not isinstance(given, int | np.integer) or every < 1:
            raise ParameterError(
                f"The 'every' parameter of staged must be a whole number of at least 1: after how "
                f"many rounds each stage is. Got {given!r} instead."
            )
        codes, found = self._codes(batch), np.tile(self.start, (len(batch), 1))
        for first in range(0, self.rounds, every):
            last = min(first + every, self.rounds)
            self._walk.add(codes, found, first * len(self.start), last * len(self.start))
            yield found.copy()

    def importances(self) -> dict[str, float]:
        """The share of each column in what all divisions have gained; largest first."""
        inner = self.left >= 0
        gained = np.bincount(
            self.column[inner], self.gain[inner], minlength=len(self.domain.attributes)
        )
        total = float(gained.sum()) or 1.0
        names = [v.name for v in self.domain.attributes]
        found = dict(zip(names, (gained / total).tolist(), strict=True))
        return dict(sorted(found.items(), key=lambda each: -each[1]))

    def contributions(self, data: Table) -> Floats:
        """What each column adds to the scores of each row (TreeSHAP, Lundberg et al. 2020).

        An array (rows, scores, columns and one more): the last is what is expected of any row, and
        all together sum to the scores.
        """
        batch = self._rows(data)
        return contributions_of(self.trees(), self.start, self._codes(batch))

    def __str__(self) -> str:
        shown = list(self.importances().items())[:12]
        width = max((len(name) for name, _ in shown), default=0)
        told = [f"{name:<{width}}  {share:.3f}" for name, share in shown]
        leaves = int((self.left < 0).sum())
        count = len(self.first) - 1
        head = f"{self.target.name}: {self.rounds} rounds"
        if count:
            head += f", {count} trees of {leaves / count:.0f} leaves on average"
        return "\n".join([head, *(["what columns gained:", *told] if told else [])])


class BoostedTreesClassifier(BoostedTreesModel, Classifier):
    """Log odds as sums of what trees say.

    Parameters
    ----------
    layout, start, trees
        As of any such model; with two classes, scores are the log odds of the second.
    seen
        The codes of the classes that were there in learning.
    """

    schema: ClassVar[Schema] = Schema(
        "seen", seen=IntArray("seen", below="classes", dtypes=(np.int64,))
    )

    def __init__(self, layout: Layout, start: Floats, trees: Sequence[TreeOf], seen: Array) -> None:
        super().__init__(layout, start, trees)
        self.seen = seen.astype(np.int64)

    def check_state(self) -> None:
        """There is a score for each class that was seen, or one for two."""
        super().check_state()
        check_seen(self.seen)
        if len(self.start) != {1: 0, 2: 1}.get(len(self.seen), len(self.seen)):
            raise ReadError("the model has the scores of other classes")

    def _by_class(self, scores: Floats) -> Floats:
        """A score for each class that was seen, given those of the model."""
        if len(self.seen) > 2:
            return scores
        return np.hstack([np.zeros((len(scores), 1)), scores])

    def log_scores(self, batch: Table) -> Floats:
        """The logarithms of the probabilities, but for a constant in each row."""
        return among_all(self._by_class(self.scores(batch)), self.seen, len(self.classes))

    def _chances(self, scores: Floats) -> Floats:
        scores = self._by_class(scores)
        chances = np.exp(scores - scores.max(axis=1, keepdims=True))
        found = np.zeros((len(scores), len(self.classes)))
        found[:, self.seen] = chances / chances.sum(axis=1, keepdims=True)
        return found

    def probabilities(self, batch: Table) -> Floats:
        """The probabilities that go with the scores."""
        return self._chances(self.scores(batch))

    def staged(self, data: Table, every: int = 1) -> Iterator[Floats]:
        """The probabilities after some rounds, again and again, without learning anew.

        Parameters
        ----------
        data
            The rows.
        every
            After how many rounds each.
        """
        for scores in self.staged_scores(self._rows(data), every):
            yield self._chances(scores)

    @property
    def terms_of(self) -> Scale:
        """What the terms of `explain` sum to."""
        return "log-odds"

    def explain(
        self, query: Query, value: str | None = None, against: str | None = None
    ) -> Explanation:
        """What each column adds to the log odds of two classes (TreeSHAP).

        The parameters are those of `Classifier.explain`.
        """
        return self.explain_rows(self._rows(query), value, against)[0]

    def explain_rows(
        self, batch: Table, value: str | None = None, against: str | None = None
    ) -> list[Explanation]:
        """`explain` for rows that have the columns of the model."""
        chances, found = self.probabilities(batch), list[Explanation]()
        names = [*(v.name for v in self.domain.attributes), PRIOR]
        for row, said in zip(chances, self.contributions(batch), strict=True):
            this, other = asked_classes(self, row[None], value, against)
            parts = {name: self._between(said[:, at], this, other) for at, name in enumerate(names)}
            predicted = self.classes[int(self.chosen(row[None])[0])]
            both = self.classes[this], self.classes[other]
            found.append(Explanation(*both, parts, predicted=predicted))
        return found

    def _between(self, scores: Floats, this: int, other: int) -> float:
        """What scores say of two classes; of one that was not there in learning, nothing."""
        each = [0.0, *scores.tolist()] if len(self.seen) <= 2 else scores.tolist()
        by_class = dict(zip(self.seen.tolist(), each, strict=True))
        return float(by_class.get(this, 0.0) - by_class.get(other, 0.0))


class BoostedTreesRegressor(BoostedTreesModel, Regressor):
    """A number as a sum of what trees say, or a count as the exponent of one.

    Parameters
    ----------
    layout, start, trees
        As of any such model.
    objective
        What scores are of.
    """

    schema: ClassVar[Schema] = Schema(
        of=Word("numbers", "counts", "quantile"), quantile=Number(low=0, high=1)
    )

    def __init__(self, layout: Layout, trees: Sequence[TreeOf], objective: Objective) -> None:
        super().__init__(layout, objective.start, trees)
        self.of, self.quantile = objective.of, objective.quantile

    def check_state(self) -> None:
        """There is one score."""
        super().check_state()
        if len(self.start) != 1:
            raise ReadError("the model of a number has one score")

    def _numbers(self, scores: Floats) -> Floats:
        score = scores[:, 0]
        return np.exp(score.clip(-FAR, FAR)) if self.of == "counts" else score

    def numbers(self, batch: Table) -> Floats:
        """The score; of counts, its exponent."""
        return self._numbers(self.scores(batch))

    def staged(self, data: Table, every: int = 1) -> Iterator[Floats]:
        """The numbers after some rounds, again and again, without learning anew.

        Parameters
        ----------
        data
            The rows.
        every
            After how many rounds each.
        """
        for scores in self.staged_scores(self._rows(data), every):
            yield self._numbers(scores)

    @property
    def terms_of(self) -> Scale:
        """What the terms of `explain` sum to."""
        return "log" if self.of == "counts" else "number"

    def explain(self, query: Query) -> Explanation:
        """What each column adds to the number (TreeSHAP), largest first; of counts, to its log."""
        batch = self._rows(query)
        said = self.contributions(batch)[0, 0].tolist()
        names = [*(v.name for v in self.domain.attributes), PRIOR]
        parts = dict(zip(names, said, strict=True))
        predicted = float(self.numbers(batch)[0])
        return Explanation(None, None, parts, predicted=predicted, of=self.terms_of)
