"""Pictures: how each plot of the library is made from a table and a few options."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from satsuma.data.table import Table
from satsuma.errors import DomainError, ParameterError


@dataclass(frozen=True)
class Wanted:
    """What a picture is made from.

    Parameters
    ----------
    table
        The rows.
    model
        A model to draw, or None for one that is learned from the rows.
    learner
        What to learn with, or None for what suits the picture.
    x, y
        Columns along the axes.
    column
        One column.
    value, against
        Classes.
    k
        How many clusters.
    seed
        Where chance starts from.
    """

    table: Table
    model: Any = None
    learner: Any = None
    x: str | None = None
    y: str | None = None
    column: str | None = None
    value: str | None = None
    against: str | None = None
    k: int | None = None
    seed: int = 1

    def asked(self, usual: Any) -> Any:
        """The model to draw."""
        return self.model if self.model is not None else (self.learner or usual)(self.table)

    @property
    def rows(self) -> Table:
        """Rows to draw as points."""
        return self.table[
            np.linspace(0, len(self.table) - 1, min(500, len(self.table))).astype(int)
        ]

    def columns(self, n: int, kind: str = "") -> list[str]:
        """The columns that are named, and beside them those that tell most of the target."""
        named = [each for each in (self.x, self.y) if each is not None]
        known = [v.name for v in self.table.domain.attributes if not kind or v.kind == kind]
        ranked = [each for each in [*self._telling(), *known] if each in known]
        found = [*named, *(each for each in dict.fromkeys(ranked) if each not in named)][:n]
        if len(found) < n:
            of = {"num": " of numbers"}.get(kind, "")
            raise DomainError(f"The picture needs {n} columns{of}, and there are {len(known)}.")
        return found

    def _telling(self) -> list[str]:
        from satsuma.measures.attribute_scores import score_attributes

        target = self.table.domain.target
        if target is None or target.kind != "sym":
            return []
        scores = score_attributes(self.table)
        return sorted(scores, key=lambda each: -scores[each])

    @property
    def one(self) -> str:
        """The column that is named, or the one that tells most."""
        return self.column or self.x or self.columns(1)[0]


def _regions(wanted: Wanted) -> Any:
    from satsuma import NaiveBayes, plot

    x, y = wanted.columns(2)
    return plot.regions(wanted.asked(NaiveBayes()), x=x, y=y, table=wanted.rows)


def _likelihoods(wanted: Wanted) -> Any:
    from satsuma import NaiveBayes, plot

    x, y = wanted.columns(2, "num")
    return plot.likelihoods(wanted.asked(NaiveBayes()), x=x, y=y, table=wanted.rows)


def _conditional(wanted: Wanted) -> Any:
    from satsuma import NaiveBayes, plot

    return plot.conditional(wanted.asked(NaiveBayes()), wanted.one, table=wanted.rows)


def _density(wanted: Wanted) -> Any:
    from satsuma import NaiveBayes, plot

    return plot.density(wanted.asked(NaiveBayes()), wanted.one, table=wanted.rows)


def _nomogram(wanted: Wanted) -> Any:
    from satsuma import NaiveBayes, plot

    model = wanted.asked(NaiveBayes())
    return plot.nomogram(model, wanted.value, against=wanted.against, table=wanted.rows)


def _tree(wanted: Wanted) -> Any:
    from satsuma import Tree, plot

    return plot.tree(wanted.asked(Tree(max_depth=4)))


def _clusters(wanted: Wanted) -> Any:
    from satsuma import KMeans, plot

    return plot.clusters(wanted.asked(KMeans(k=wanted.k or 3, seed=wanted.seed)))


def _cluster_tree(wanted: Wanted) -> Any:
    from satsuma import RP0, plot

    return plot.cluster_tree(wanted.asked(RP0(seed=wanted.seed)))


def _odd(wanted: Wanted) -> Any:
    from satsuma import Anomaly, plot

    return plot.anomalies(wanted.asked(Anomaly(seed=wanted.seed)), table=wanted.table)


def _elbow(wanted: Wanted) -> Any:
    from satsuma import choose_k, plot

    most = min(wanted.k or 10, len(wanted.table))
    return plot.elbow(choose_k(wanted.table, "elbow", ks=range(1, most + 1), seed=wanted.seed))


def _search(wanted: Wanted) -> Any:
    from satsuma import Oracle, optimise

    return optimise(wanted.table, Oracle(wanted.table), budget=30, seed=wanted.seed)


def _descent(wanted: Wanted) -> Any:
    from satsuma import plot

    return plot.descent(_search(wanted))


def _goal_space(wanted: Wanted) -> Any:
    from satsuma import plot

    goals = [v.name for v in wanted.table.domain.goals]
    if len(goals) < 2:
        raise DomainError("goal-space draws two goals. Name them: --more NAME, --less NAME.")
    return plot.goal_space(_search(wanted), x=wanted.x or goals[0], y=wanted.y or goals[1])


def _contrasts(wanted: Wanted) -> Any:
    from satsuma import contrast, disty, plot

    away = disty(wanted.table)(wanted.table)
    return plot.contrasts(contrast(wanted.table, away <= np.nanquantile(away, 0.2)))


def _labels(wanted: Wanted) -> Any:
    from satsuma import Active, NaiveBayes, plot, simulate

    learner = wanted.learner or NaiveBayes()
    ways = {how: Active(learner=learner, acquire=how, budget=40) for how in ("uncertain", "random")}
    return plot.labels(simulate(ways, wanted.table, seeds=3))


def _recall(wanted: Wanted) -> Any:
    from satsuma import Active, NaiveBayes, Oracle, plot
    from satsuma.active.learner import hide_labels

    target = wanted.table.domain.target
    if target is None or target.kind != "sym":
        raise DomainError("recall draws how rows of a class are found. Name a --target of symbols.")
    counts = np.bincount(wanted.table.column(target.name) + 1, minlength=len(target.values) + 1)[1:]
    sought = wanted.value or target.values[int(counts.argmin())]
    budget = min(len(wanted.table), 100)
    how = Active(learner=wanted.learner or NaiveBayes(), acquire="certain", budget=budget)
    return plot.recall(how(hide_labels(wanted.table), Oracle(wanted.table)), sought=sought)


def _scores(wanted: Wanted) -> Any:
    from satsuma import compare

    return compare(wanted.table, wanted.learner, seed=wanted.seed).results.plot()


def _learning_curve(wanted: Wanted) -> Any:
    from satsuma import learning_curve
    from satsuma.evaluate.candidates import candidates

    learners: Any = wanted.learner or {
        name: each
        for name, each in candidates(wanted.table, 10).learners.items()
        if name in ("NaiveBayes", "Tree", "Ridge", "RegressionTree")
    }
    return learning_curve(learners, wanted.table, seed=wanted.seed).plot()


#: Every picture by its name, and what it shows.
PICTURES: dict[str, tuple[Callable[[Wanted], Any], str]] = {
    "regions": (_regions, "which class is decided for, over two columns"),
    "likelihoods": (_likelihoods, "how probable pairs of numbers are in each class"),
    "conditional": (_conditional, "how probable each class is along a column"),
    "density": (_density, "how the values of a column are spread in each class"),
    "nomogram": (_nomogram, "what each value adds to the odds of a class"),
    "tree": (_tree, "a tree"),
    "scores": (_scores, "the scores of learners, fold by fold"),
    "learning-curve": (_learning_curve, "how scores rise with more rows"),
    "clusters": (_clusters, "rows in a plane, in the colours of their clusters"),
    "cluster-tree": (_cluster_tree, "how clusters were divided"),
    "elbow": (_elbow, "what more clusters gain"),
    "odd": (_odd, "how odd rows are"),
    "goal-space": (_goal_space, "a search over two goals"),
    "descent": (_descent, "how a search comes nearer to heaven"),
    "contrasts": (_contrasts, "what sets the best rows apart"),
    "labels": (_labels, "how few labels it takes"),
    "recall": (_recall, "how soon rows of a class are found"),
}


def drawn(kind: str, wanted: Wanted) -> Any:
    """The Axes of a picture, by its name."""
    from satsuma.errors import hint

    if kind not in PICTURES:
        raise ParameterError(
            f"There is no picture {kind!r}. {hint(kind, PICTURES, most=len(PICTURES))}"
        )
    return PICTURES[kind][0](wanted)
