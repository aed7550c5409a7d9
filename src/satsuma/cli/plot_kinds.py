"""Plot kinds: how each plot of the library is made from a table and a few options."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from satsuma.data.table import Table
from satsuma.errors import DomainError, ParameterError


@dataclass(frozen=True)
class PlotRequest:
    """What a plot is made from.

    Parameters
    ----------
    table
        The rows.
    model
        A model to draw, or None for one that is learned from the rows.
    learner
        What to learn with, or None for what suits the plot.
    x, y
        Columns along the axes.
    column
        One column.
    value, against
        Classes.
    k
        How many clusters.
    seed
        The seed of everything random.
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

    def model_or(self, usual: Any) -> Any:
        """The model to draw."""
        return self.model if self.model is not None else (self.learner or usual)(self.table)

    @property
    def rows(self) -> Table:
        """Rows to draw as points."""
        return self.table[
            np.linspace(0, len(self.table) - 1, min(500, len(self.table))).astype(int)
        ]

    def columns(self, n: int, kind: str = "") -> list[str]:
        """The columns that are named, and then those with the highest score on the target."""
        named = [each for each in (self.x, self.y) if each is not None]
        known = [v.name for v in self.table.domain.attributes if not kind or v.kind == kind]
        ranked = [each for each in [*self._ranked(), *known] if each in known]
        found = [*named, *(each for each in dict.fromkeys(ranked) if each not in named)][:n]
        if len(found) < n:
            of = {"num": " of numbers"}.get(kind, "")
            raise DomainError(f"The plot needs {n} columns{of}, and there are {len(known)}.")
        return found

    def _ranked(self) -> list[str]:
        from satsuma.measures.attribute_scores import score_attributes

        target = self.table.domain.target
        if target is None or target.kind != "sym":
            return []
        scores = score_attributes(self.table)
        return sorted(scores, key=lambda each: -scores[each])

    def sought(self, plot: str) -> str:
        """The class that is named, or the rarest."""
        target = self.table.domain.target
        if target is None or target.kind != "sym":
            raise DomainError(
                f"{plot} draws how rows of a class are found. Name a --target of symbols."
            )
        codes = self.table.column(target.name)
        counts = np.bincount(codes[codes >= 0], minlength=len(target.values))
        return self.value or target.values[int(counts.argmin())]

    @property
    def one(self) -> str:
        """The column that is named, or the one with the highest score."""
        return self.column or self.x or self.columns(1)[0]


def _regions(request: PlotRequest) -> Any:
    from satsuma import NaiveBayes, plot

    x, y = request.columns(2)
    return plot.regions(request.model_or(NaiveBayes()), x=x, y=y, table=request.rows)


def _likelihoods(request: PlotRequest) -> Any:
    from satsuma import NaiveBayes, plot

    x, y = request.columns(2, "num")
    return plot.likelihoods(request.model_or(NaiveBayes()), x=x, y=y, table=request.rows)


def _class_probabilities(request: PlotRequest) -> Any:
    from satsuma import NaiveBayes, plot

    return plot.class_probabilities(request.model_or(NaiveBayes()), request.one, table=request.rows)


def _density(request: PlotRequest) -> Any:
    from satsuma import NaiveBayes, plot

    column = request.one
    target = request.table.domain.target
    if request.model is None and (target is None or target.kind != "sym" or column == target.name):
        return plot.density(request.table, column)
    return plot.density(request.model_or(NaiveBayes()), column, table=request.rows)


def _discriminants(request: PlotRequest) -> Any:
    from satsuma import LDA, plot

    return plot.discriminants(request.model_or(LDA()), request.rows)


def _nomogram(request: PlotRequest) -> Any:
    from satsuma import NaiveBayes, plot

    model = request.model_or(NaiveBayes())
    return plot.nomogram(model, request.value, against=request.against, table=request.rows)


def _shape(request: PlotRequest) -> Any:
    from satsuma import Additive, plot

    model = request.model_or(Additive())
    return plot.shape(model, request.column or next(iter(model.importances())), request.value)


def _pair(request: PlotRequest) -> Any:
    from satsuma import Additive, plot

    model = request.model_or(Additive())
    one, other = model.strongest_pair() if request.x is None else (request.x, request.y or "")
    return plot.pair(model, one, other, request.value)


def _importances(request: PlotRequest) -> Any:
    from satsuma import Forest, importances, plot

    table, model = request.table, request.model
    if model is None:  # one that has not seen the rows it is tested on
        model, table = (request.learner or Forest())(table[::2]), table[1::2]
    return plot.importances(importances(model, table, seed=request.seed))


def _effect(request: PlotRequest) -> Any:
    from satsuma import Forest, plot

    model = request.model_or(Forest())
    return plot.effect(model, request.one, request.table, value=request.value)


def _path(request: PlotRequest) -> Any:
    from satsuma import Lasso, Logistic, plot

    target = request.table.domain.target
    classes = target is not None and target.kind == "sym"
    return plot.path(request.model_or(Logistic(l1="auto") if classes else Lasso()))


def _tree(request: PlotRequest) -> Any:
    from satsuma import Tree, plot

    return plot.tree(request.model_or(Tree()))


def _clusters(request: PlotRequest) -> Any:
    from satsuma import KMeans, plot

    return plot.clusters(request.model_or(KMeans(k=request.k or 3, seed=request.seed)))


def _cluster_tree(request: PlotRequest) -> Any:
    from satsuma import RP0, plot

    return plot.cluster_tree(request.model_or(RP0(seed=request.seed)))


def _dendrogram(request: PlotRequest) -> Any:
    from satsuma import Agglomerative, plot

    return plot.dendrogram(request.model_or(Agglomerative(k=request.k)))


def _anomalies(request: PlotRequest) -> Any:
    from satsuma import Anomaly, plot

    return plot.anomalies(request.model_or(Anomaly(seed=request.seed)), table=request.table)


def _elbow(request: PlotRequest) -> Any:
    from satsuma import choose_k, plot

    most = min(request.k or 10, len(request.table))
    return plot.elbow(choose_k(request.table, "elbow", ks=range(1, most + 1), seed=request.seed))


def _search(request: PlotRequest) -> Any:
    from satsuma import Oracle, optimise

    return optimise(request.table, Oracle(request.table), budget=30, seed=request.seed)


def _convergence(request: PlotRequest) -> Any:
    from satsuma import plot

    return plot.convergence(_search(request))


def _goal_space(request: PlotRequest) -> Any:
    from satsuma import plot

    goals = [v.name for v in request.table.domain.goals]
    if len(goals) < 2:
        raise DomainError("goal-space draws two goals. Name them: --more NAME, --less NAME.")
    return plot.goal_space(_search(request), x=request.x or goals[0], y=request.y or goals[1])


def _contrasts(request: PlotRequest) -> Any:
    from satsuma import contrast, distance_to_ideal, plot

    away = distance_to_ideal(request.table)(request.table)
    return plot.contrasts(contrast(request.table, away <= np.nanquantile(away, 0.2)))


def _labelling_curves(request: PlotRequest) -> Any:
    from satsuma import Active, NaiveBayes, plot, simulate

    learner = request.learner or NaiveBayes()
    ways = {how: Active(learner=learner, acquire=how, budget=40) for how in ("uncertain", "random")}
    return plot.labelling_curves(simulate(ways, request.table, seeds=3))


def _recall(request: PlotRequest) -> Any:
    from satsuma import Active, NaiveBayes, Oracle, plot
    from satsuma.active.active_learning import hide_labels

    sought = request.sought("recall")
    budget = min(len(request.table), 100)
    how = Active(learner=request.learner or NaiveBayes(), acquire="certain", budget=budget)
    return plot.recall(how(hide_labels(request.table), Oracle(request.table)), sought=sought)


def _scores(request: PlotRequest) -> Any:
    from satsuma import compare

    return compare(request.table, request.learner, seed=request.seed).results.plot()


def _calibration(request: PlotRequest) -> Any:
    from satsuma import NaiveBayes, cross_validate, plot

    usual = {"NaiveBayes": NaiveBayes(), "not calibrated": NaiveBayes(calibrate=False)}
    results = cross_validate(request.learner or usual, request.table, seed=request.seed)
    return plot.calibration(results, request.value)


def _decisions(name: str) -> Callable[[PlotRequest], Any]:
    """A plot of decisions, from predictions for rows that were not learned from."""

    def draw(request: PlotRequest) -> Any:
        from satsuma import Logistic, NaiveBayes, Tree, cross_validate, plot

        value = request.sought(name.replace("_", "-"))
        usual = [Logistic()] if name == "threshold" else [NaiveBayes(), Tree(), Logistic()]
        results = cross_validate(request.learner or usual, request.table, seed=request.seed)
        return getattr(plot, name)(results, value)

    return draw


def _learning_curve(request: PlotRequest) -> Any:
    from satsuma import learning_curve
    from satsuma.evaluate.candidates import candidates

    learners: Any = request.learner or {
        name: each
        for name, each in candidates(request.table, 10).learners.items()
        if name in ("NaiveBayes", "Tree", "Ridge", "RegressionTree")
    }
    return learning_curve(learners, request.table, seed=request.seed).plot()


#: Every plot by its name, and what it shows.
PLOTS: dict[str, tuple[Callable[[PlotRequest], Any], str]] = {
    "regions": (_regions, "decision regions: the predicted class over two columns"),
    "likelihoods": (_likelihoods, "the likelihood of each class over two columns of numbers"),
    "class-probabilities": (_class_probabilities, "the probability of each class along a column"),
    "density": (_density, "the distribution of a column, in each class if there are classes"),
    "discriminants": (_discriminants, "rows on the discriminant axes of LDA"),
    "nomogram": (_nomogram, "what each value adds to the odds of a class"),
    "shape": (_shape, "what a column of an additive model adds"),
    "pair": (_pair, "what two columns of an additive model add together"),
    "importances": (_importances, "how much worse a model predicts without each column"),
    "effect": (_effect, "what is predicted along a column: partial dependence, and single rows"),
    "path": (_path, "the coefficient path: slopes by the strength of L1 regularization"),
    "tree": (_tree, "a tree"),
    "scores": (_scores, "the scores of learners, fold by fold"),
    "calibration": (_calibration, "the reliability diagram: how often probabilities are right"),
    "roc": (_decisions("roc"), "ROC curves: what is found of a class by false alarms"),
    "precision-recall": (
        _decisions("precision_recall"),
        "precision by recall: how right rows are that are called a class",
    ),
    "threshold": (_decisions("threshold"), "precision, recall and F1 by the threshold"),
    "gain": (_decisions("gain"), "cumulative gain: what is found by the share of rows looked at"),
    "learning-curve": (_learning_curve, "learning curves: scores by the number of rows"),
    "clusters": (_clusters, "a map of the rows in the colours of their clusters"),
    "cluster-tree": (_cluster_tree, "the tree of clusters"),
    "dendrogram": (_dendrogram, "the dendrogram: how rows are joined to clusters"),
    "elbow": (_elbow, "the elbow curve: inertia by the number of clusters"),
    "anomalies": (_anomalies, "the anomaly scores of the rows"),
    "goal-space": (_goal_space, "a search over two goals"),
    "convergence": (_convergence, "convergence: how a search comes nearer to the ideal point"),
    "contrasts": (_contrasts, "what sets the best rows apart"),
    "labelling-curves": (_labelling_curves, "accuracy by the number of labels"),
    "recall": (_recall, "how soon rows of a class are found"),
}


def draw_plot(kind: str, request: PlotRequest) -> Any:
    """The Axes of a plot, by its name."""
    from satsuma.errors import hint

    if kind not in PLOTS:
        raise ParameterError(f"There is no plot {kind!r}. {hint(kind, PLOTS, most=len(PLOTS))}")
    return PLOTS[kind][0](request)
