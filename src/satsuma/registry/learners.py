"""Learners: a record of each, from the simplest on."""

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any, Literal, NamedTuple

from satsuma.registry import costs
from satsuma.registry.costs import Size


class Candidate(NamedTuple):
    """A learner that `compare` tries though nobody has named it, and how.

    Parameters
    ----------
    seconds
        About how long it takes for all folds together. How this grows with the rows is what counts:
        how long it takes at all is measured.
    parameters
        Those that are not as usual; a function is called with what is to be predicted, ``classes``
        or ``numbers``.
    widest
        Columns after one-hot encoding up to which it is tried on rows that are not in memory.
    target
        What it is tried for, ``classes`` or ``numbers``; all that it predicts unless given.
    name
        What it is called; the name of its class unless given.
    needs_numbers
        Whether it is another candidate over again where no column has numbers.
    """

    seconds: Callable[[Size], float]
    parameters: Mapping[str, Any] = {}
    widest: float = float("inf")
    target: Literal["classes", "numbers"] | None = None
    name: str = ""
    needs_numbers: bool = False


class Record(NamedTuple):
    """A learner: all that is to be known of it where it is not imported.

    Parameters
    ----------
    name
        Its class, which is a name in `satsuma`.
    module
        Where the class is.
    predicts
        ``classes``, ``numbers``, ``either`` where the target or a learner inside decides, or what
        is found without a target: ``clusters`` or ``outliers``.
    page
        The page of ``docs/reference`` that has it.
    command
        Whether the command knows it by name; unless given, if it predicts a target.
    aliases
        Other names for it on the command line, in small letters.
    compare
        How `compare` tries it unasked; not at all unless given.
    """

    name: str
    module: str
    predicts: Literal["classes", "numbers", "either", "clusters", "outliers"]
    page: Literal["learners", "clusters", "labels"] = "learners"
    command: bool | None = None
    aliases: tuple[str, ...] = ()
    compare: Candidate | None = None

    @property
    def in_command(self) -> bool:
        """Whether the command knows it by name."""
        supervised = self.predicts in ("classes", "numbers", "either")
        return supervised if self.command is None else self.command

    def fetch(self) -> Any:
        """The class itself, imported."""
        return getattr(import_module(self.module), self.name)

    def is_tried_for(self, target: Literal["classes", "numbers"]) -> bool:
        """Whether `compare` tries it unasked for such a target."""
        if self.compare is None or self.predicts not in (target, "either"):
            return False
        return self.compare.target in (target, None)


def _made(name: str, **parameters: Any) -> Any:
    return record_of(name).fetch()(**parameters)


def _stacked(target: str) -> list[Any]:
    """What a stack is made of: learners that err in different ways."""
    near, forest = _made("KNN"), _made("Forest", trees=50)
    if target == "numbers":
        return [_made("Ridge"), _made("ModelTree"), near, forest]
    return [_made("NaiveBayes", number="mdl"), _made("Logistic"), _made("Tree"), near, forest]


def _meta(target: str) -> Any:
    return None if target == "numbers" else _made("Logistic")


#: Every learner. `compare` tries them, and pages list them, in this order.
LEARNERS = (
    Record("Majority", "satsuma.learners.baselines", "classes", compare=Candidate(costs.instant)),
    Record("Mean", "satsuma.learners.baselines", "numbers", compare=Candidate(costs.instant)),
    Record("OneR", "satsuma.learners.one_r", "classes"),
    Record("FFT", "satsuma.learners.rules.fft", "classes"),
    Record(
        "NaiveBayes",
        "satsuma.learners.generative.naive_bayes",
        "classes",
        aliases=("bayes",),
        compare=Candidate(costs.instant, {"number": "mdl"}),
    ),
    Record(
        "AnDE",
        "satsuma.learners.generative.averaged_dependence",
        "classes",
        aliases=("a1de", "aode"),
        compare=Candidate(costs.pair_counts, widest=256),
    ),
    Record("Generative", "satsuma.learners.generative.naive_bayes", "classes", command=False),
    Record(
        "Ridge", "satsuma.learners.linear.ridge", "numbers", compare=Candidate(costs.least_squares)
    ),
    Record("Lasso", "satsuma.learners.linear.lasso", "numbers", aliases=("elasticnet",)),
    Record("ID3", "satsuma.learners.tree.decision_tree", "classes"),
    Record(
        "Tree",
        "satsuma.learners.tree.decision_tree",
        "either",
        compare=Candidate(costs.one_tree, target="classes"),
    ),
    Record(
        "Rules",
        "satsuma.learners.rules.rules",
        "classes",
        compare=Candidate(costs.rule_list),
    ),
    Record(
        "RegressionTree",
        "satsuma.learners.tree.decision_tree",
        "numbers",
        compare=Candidate(costs.one_tree),
    ),
    Record(
        "Logistic", "satsuma.learners.linear.logistic", "classes", compare=Candidate(costs.newton)
    ),
    Record(
        "ModelTree",
        "satsuma.learners.model_tree.model_tree",
        "either",
        aliases=("m5", "m5p"),
        compare=Candidate(costs.model_tree),
    ),
    Record(
        "Additive",
        "satsuma.learners.additive.additive",
        "either",
        aliases=("gam", "ebm"),
        compare=Candidate(costs.additive),
    ),
    Record(
        "LDA",
        "satsuma.learners.generative.discriminant",
        "classes",
        compare=Candidate(costs.covariances, widest=64),
    ),
    Record("QDA", "satsuma.learners.generative.discriminant", "classes"),
    Record(
        "KNN",
        "satsuma.learners.neighbours.knn",
        "either",
        aliases=("knearest", "neighbours"),
        compare=Candidate(costs.all_pairs),
    ),
    Record(
        "Forest",
        "satsuma.learners.tree.forest",
        "either",
        compare=Candidate(costs.forest),
    ),
    Record("RegressionForest", "satsuma.learners.tree.forest", "numbers"),
    Record(
        "BoostedTrees",
        "satsuma.learners.boosted_trees.boosted_trees",
        "either",
        aliases=("gbm",),
        compare=Candidate(costs.boosting),
    ),
    Record("LinearSVM", "satsuma.learners.linear.linear_svm", "classes"),
    Record("SVM", "satsuma.learners.linear.svm", "classes"),
    Record("GaussianProcess", "satsuma.learners.neighbours.gaussian_process", "numbers"),
    Record("Text", "satsuma.learners.text.text", "classes", compare=Candidate(costs.instant)),
    Record("Bagging", "satsuma.learners.ensembles.bagging", "either"),
    Record("Boosting", "satsuma.learners.ensembles.boosting", "classes"),
    Record(
        "Stacking",
        "satsuma.learners.ensembles.stacking",
        "either",
        compare=Candidate(costs.stack, {"learners": _stacked, "learner": _meta}),
    ),
    Record("Calibrated", "satsuma.learners.calibration.calibrated", "classes"),
    Record(
        "Discretized",
        "satsuma.learners.wrappers.discretized",
        "either",
        compare=Candidate(
            costs.newton_on_intervals,
            {"learner": _meta},
            target="classes",
            name="Discretized(Logistic)",
            needs_numbers=True,
        ),
    ),
    Record("Select", "satsuma.learners.wrappers.select", "either"),
    Record("Regression", "satsuma.learners.wrappers.regression", "numbers"),
    Record("ClusterThenLabel", "satsuma.active.cluster_then_label", "classes", page="labels"),
    Record("SelfTraining", "satsuma.active.self_training", "classes", page="labels"),
    Record("EM", "satsuma.active.em", "classes", page="labels"),
    Record("Bubbles", "satsuma.active.bubbles", "classes", page="labels", command=False),
    Record("KMeans", "satsuma.learners.kmeans.kmeans", "clusters", page="clusters"),
    Record("MiniBatchKMeans", "satsuma.learners.kmeans.minibatch", "clusters", page="clusters"),
    Record("BisectingKMeans", "satsuma.learners.kmeans.bisect", "clusters", page="clusters"),
    Record(
        "Agglomerative",
        "satsuma.learners.row_clusters.agglomerative",
        "clusters",
        page="clusters",
        aliases=("hierarchical",),
    ),
    Record("DBSCAN", "satsuma.learners.row_clusters.dbscan", "clusters", page="clusters"),
    Record("Consensus", "satsuma.learners.row_clusters.consensus", "clusters", page="clusters"),
    # With a model in its leaves it predicts, too.
    Record("RP0", "satsuma.learners.rp0.rp0", "clusters", page="clusters", command=True),
    Record("Anomaly", "satsuma.learners.anomaly.anomaly", "outliers", page="clusters"),
)

_BY_NAME = {each.name: each for each in LEARNERS}


def record_of(name: str) -> Record:
    """The record of a learner.

    Examples
    --------
    >>> record_of("Tree").module
    'satsuma.learners.tree.decision_tree'
    """
    return _BY_NAME[name]
