"""Forest: a random forest, many trees of bootstrap samples whose predictions are averaged."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from math import isqrt
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from satsuma.data.fields import FloatArray, IntArray, Many, Maybe, Number, Word
from satsuma.data.schema import Schema
from satsuma.data.table import Table
from satsuma.errors import DomainError, ReadError, check_choice, check_number
from satsuma.kernels import tree as kernel
from satsuma.kernels.threads import map_tiles, thread_limit
from satsuma.kernels.tree import UNSEEN, VARIANCE, Flat, disorder
from satsuma.learners.informative import check_informative, missing_note
from satsuma.learners.learner import Learner
from satsuma.learners.model import Model
from satsuma.learners.takes import Takes
from satsuma.learners.tree.asked_columns import AskedColumns, asked_columns
from satsuma.learners.tree.growth import bin_rows
from satsuma.learners.tree.model import TREE, check_tree, refuse_infinite_in
from satsuma.learners.tree.shapley_models import ShapleyClassifier, ShapleyRegressor
from satsuma.learners.tree.structure import SQUARES, SUM, WEIGHT
from satsuma.learners.tree.tree_learner import MEASURES, check_growth, setup_of
from satsuma.learners.tree.tree_shapley import tree_shapley
from satsuma.numerics.arrays import Array, Floats
from satsuma.numerics.sums import weighted_bincount


@dataclass(kw_only=True, eq=False, repr=False)
class Forest(Learner):
    """A random forest: trees of bootstrap samples, whose nodes look at a few random columns each.

    Their probabilities are averaged (Breiman 2001). A table whose target is a number gets a forest
    whose means are averaged. Missing and unseen values are treated as by `Tree`.

    Parameters
    ----------
    trees
        How many trees.
    measure, split, min_leaf, min_split, max_depth, bins, missing
        As for `Tree`.
    tried
        How many columns a node looks at; the root of their number unless said, half of them, and
        at least four, where numbers are predicted.
    out_of_bag
        Whether to ask each tree about the rows it was not grown from, for `model.out_of_bag`: the
        out-of-bag accuracy, or R².
    seed
        What bootstrap samples and columns are drawn by.

    Examples
    --------
    >>> import satsuma
    >>> iris = satsuma.load("iris")
    >>> model = Forest(trees=20, out_of_bag=True)(iris)
    >>> model(iris[0]), model.out_of_bag > 0.9
    ('setosa', True)
    >>> max(model.importance(), key=model.importance().get)
    'Petal.Length'
    """

    trees: int = 100
    measure: str = "gini"
    split: str = "binary"
    min_leaf: float = 1
    min_split: float = 2
    max_depth: int | None = None
    tried: int | None = None
    bins: int = 255
    missing: str = field(default="auto", repr=False)
    out_of_bag: bool = False
    seed: int = 0

    takes: ClassVar[Takes] = Takes(target="either", rounds="rows")
    finds_infinite: ClassVar[bool] = True

    #: There is no pruning, so no rows are held out for it.
    held_out: ClassVar[None] = None

    def check(self) -> None:
        """Every parameter has a range."""
        check_choice(self, "measure", MEASURES)
        check_growth(self)
        check_number(self, "trees", low=1, whole=True)
        check_number(self, "seed", low=0, whole=True)
        if self.tried is not None:
            check_number(self, "tried", low=1, whole=True)

    def learn(self, data: Table) -> "ForestModel | RegressionForestModel":
        """Code the rows once, and grow all trees from them."""
        target = data.domain.target
        numbers = target is not None and target.kind == "num"
        setup = setup_of(self, data.domain, VARIANCE if numbers else MEASURES[self.measure])
        setup = setup._replace(rules=setup.rules._replace(copies=2.0))  # rows are drawn again
        if not data.domain.attributes:
            raise DomainError("Forest draws columns, and there is none beside the target.")
        setup, coded, centre = bin_rows(setup, data)
        n, width = len(coded.records), len(coded.columns)
        tried = self.tried or (min(width, max(4, -(-width // 2))) if numbers else isqrt(width))

        def grown(k: int, _: int) -> tuple[Flat, Floats, Array]:
            drawn = self._drawn(k, n)
            rows = np.repeat(np.arange(n, dtype=np.uint32), drawn)
            with thread_limit(1):
                made = kernel.grow(
                    coded, setup.forms, setup.rules, rows, tried=tried, seed=self._path(k)
                )
            return *made, drawn

        trees = map_tiles(grown, self.trees, 1)
        model = (RegressionForestModel if numbers else ForestModel)(
            [flat for flat, _, _ in trees], [stats for _, stats, _ in trees], centre
        )
        gains = sum(_gains(flat, stats, width, setup.rules.measure) for flat, stats, _ in trees)
        model.gains = np.asarray(gains)
        if setup.asked is not None:
            model.informative = list(setup.informative)
            source = np.array(setup.asked.source)
            model.gains = weighted_bincount(source, model.gains, len(data.domain.attributes))
        if self.out_of_bag:
            model.out_of_bag = _out_of_bag(model, coded, centre, [drawn for *_, drawn in trees])
        return model

    def _drawn(self, k: int, n: int) -> npt.NDArray[np.intp]:
        """How many times each row is drawn for a tree."""
        rng = np.random.default_rng([self.seed, k])
        return np.bincount(rng.integers(0, n, n), minlength=n)

    def _path(self, k: int) -> int:
        return int(np.random.default_rng([self.seed, k, 1]).integers(0, 2**63))


def _gains(flat: Flat, stats: Floats, width: int, measure: int) -> Floats:
    """What the divisions by each column have gained."""
    if measure == VARIANCE:
        weight = np.maximum(stats[:, WEIGHT], np.finfo(float).tiny)
        mixed = stats[:, SQUARES] - stats[:, SUM] ** 2 / weight
    else:
        mixed = disorder(stats, measure)
    gain = mixed.copy()
    above = np.repeat(np.arange(len(gain)), np.diff(flat.first))
    pairs = np.unique(np.stack([above, flat.branches], axis=1)[flat.branches >= 0], axis=0)
    np.subtract.at(gain, pairs[:, 0], mixed[pairs[:, 1]])
    asks = flat.column >= 0
    return weighted_bincount(flat.column[asks], np.maximum(gain[asks], 0.0), width)


def _out_of_bag(model: Any, coded: kernel.Coded, centre: float, drawn: list[Array]) -> float:
    """The out-of-bag score: how right trees are about the rows that they were not grown from."""
    n = len(coded.records)
    sums, asked = np.zeros((n, model.says.shape[1])), np.zeros(n)
    for (flat, says), counts in zip(model.trees(), drawn, strict=True):
        rows = np.flatnonzero(counts == 0)
        columns = [column[rows] for column in coded.columns]
        sums[rows] += kernel.average(flat, says, columns, len(rows))[0]
        asked[rows] += 1
    known = asked > 0
    if not known.any():
        return float("nan")
    if coded.target is None:
        right = sums[known].argmax(axis=1) == coded.records[known, len(coded.columns)]
        return float(right.mean())
    truth = coded.target[known] + centre
    error = ((sums[known, 0] / asked[known] - truth) ** 2).sum()
    spread = ((truth - truth.mean()) ** 2).sum()
    return float(1 - error / spread) if spread > 0 else 0.0


#: Trees that a forest in a file may have.
TREES = 1 << 16


class _Trees(Model):
    """Trees, one after the other in the same arrays."""

    #: A value that was not seen in learning ends the way down; one that is missing is spread.
    unseen: ClassVar[int] = UNSEEN

    gains: Floats

    schema: ClassVar[Schema] = Schema(
        *TREE.own_sizes,
        "answers",
        "trees",
        **TREE.fields,
        says=FloatArray("nodes", "answers"),
        sizes=IntArray("trees", 2, dtypes=(np.int64,)),
        informative=Many(Word()),
        gains=FloatArray("attributes", low=0),
        out_of_bag=Maybe(Number(missing=True), optional=True),
    )

    def check_state(self) -> None:
        """The trees share out the arrays, and each is one."""
        super().check_state()
        nodes, led = self.sizes.sum(axis=0).tolist() if len(self.sizes) else (0, 0)
        told = len(self.column), len(self.branches), len(self.first)
        if len(self.sizes) > TREES:
            raise ReadError(f"the forest has {len(self.sizes):,} trees, and {TREES:,} are allowed")
        if not len(self.sizes) or told != (nodes, led, nodes + len(self.sizes)):
            raise ReadError("the trees of the forest do not share out its nodes")
        check_informative(self.domain, self.informative)
        for flat, _ in self.trees():
            check_tree(flat, self.asked_columns.domain)

    #: How right trees are about rows they were not grown from; None if that was not asked for.
    out_of_bag: float | None = None

    def __init__(self, flats: list[Flat], says: list[Floats]) -> None:
        self.column = np.concatenate([flat.column for flat in flats])
        self.threshold = np.concatenate([flat.threshold for flat in flats])
        self.first = np.concatenate([flat.first for flat in flats])
        self.branches = np.concatenate([flat.branches for flat in flats])
        self.share = np.concatenate([flat.share for flat in flats])
        self.says = np.concatenate(says)
        self.sizes = np.array([[len(f.column), len(f.branches)] for f in flats])
        self.informative: list[str] = []

    @property
    def asked_columns(self) -> AskedColumns:
        """What nodes ask for: the attributes, and missing cells that tell something."""
        return asked_columns(self.domain, tuple(self.informative))

    def trees(self) -> Iterator[tuple[Flat, Floats]]:
        """Each tree, and what its nodes say."""
        node = led = 0
        for k, (size, branches) in enumerate(self.sizes.tolist()):
            here, first = slice(node, node + size), slice(node + k, node + k + size + 1)
            flat = Flat(
                self.column[here],
                self.threshold[here],
                self.first[first],
                self.branches[led : led + branches],
                self.share[here],
            )
            yield flat, self.says[here]
            node, led = node + size, led + branches

    def _average(self, batch: Table) -> Floats:
        columns = self.asked_columns.columns(batch)
        total = np.zeros((len(batch), self.says.shape[1]))
        for flat, says in self.trees():
            found, infinite = kernel.average(flat, says, columns, len(batch))
            if infinite:
                refuse_infinite_in(self.domain, batch)
            total += found
        return total / len(self.sizes)

    def contributions(self, data: Table) -> Floats:
        """What each column adds to what is predicted, exactly (TreeSHAP); see `explain`."""
        return tree_shapley(list(self.trees()), self.asked_columns, self._rows(data))

    def importance(self) -> dict[str, float]:
        """How much of what all divisions gained each column gained; they sum to 1."""
        total = float(self.gains.sum()) or 1.0
        names = [v.name for v in self.domain.attributes]
        return dict(zip(names, (self.gains / total).tolist(), strict=True))

    def permutation_importance(self, table: Table, seed: int = 0) -> dict[str, float]:
        """How much less is right when a column is shuffled: of all answers, or of R²."""
        rng = np.random.default_rng(seed)
        base = self._score(table)
        found: dict[str, float] = {}
        for variable in self.domain.attributes:
            columns = list(table.columns)
            at = table.domain.index(variable.name)
            columns[at] = columns[at][rng.permutation(len(table))]
            shuffled = Table(table.domain, columns, check=False)
            found[variable.name] = base - self._score(shuffled)
        return found

    def _score(self, table: Table) -> float:
        raise NotImplementedError

    def __str__(self) -> str:
        shown = sorted(self.importance().items(), key=lambda each: -each[1])[:12]
        width = max(len(name) for name, _ in shown)
        told = [f"{name:<{width}}  {share:.3f}" for name, share in shown]
        nodes = len(self.column) / len(self.sizes)
        head = f"{self.target.name}: {len(self.sizes)} trees of {nodes:.0f} nodes on average"
        score = [] if self.out_of_bag is None else [f"out of bag: {self.out_of_bag:.3f}"]
        notes = missing_note(self.informative)
        return "\n".join([head, *score, "what columns gained:", *told, *notes])


class ForestModel(_Trees, ShapleyClassifier):
    """Trees for classes, whose probabilities are averaged."""

    schema: ClassVar[Schema] = Schema(
        says=FloatArray("nodes", "classes", low=0, high=1 + 1e-9, sums_to_one=True)
    )

    def __init__(self, flats: list[Flat], stats: list[Floats], _: float = 0.0) -> None:
        super().__init__(flats, [each / each.sum(axis=1, keepdims=True) for each in stats])

    def probabilities(self, batch: Table) -> Floats:
        """The average of the shares of the classes where a row ends."""
        return self._average(batch)

    def _score(self, table: Table) -> float:
        found = np.array(self.classes, object)[self.codes(self._rows(table))]
        return float(np.asarray(found == table[self.target.name], np.float64).mean())


class RegressionForestModel(_Trees, ShapleyRegressor):
    """Trees for numbers, whose means are averaged."""

    schema: ClassVar[Schema] = Schema(says=FloatArray("nodes", 1))

    def __init__(self, flats: list[Flat], stats: list[Floats], centre: float) -> None:
        super().__init__(flats, [centre + each[:, [SUM]] / each[:, [WEIGHT]] for each in stats])

    def numbers(self, batch: Table) -> Floats:
        """The average of the means where a row ends."""
        return self._average(batch)[:, 0]

    def _score(self, table: Table) -> float:
        truth = table.column(self.target.name)
        known = ~np.isnan(truth)
        error = ((self(table)[known] - truth[known]) ** 2).sum()
        return float(1 - error / ((truth[known] - truth[known].mean()) ** 2).sum())
