"""Plots of models. Each takes an Axes, or makes one, and returns it; none is shown."""

from typing import TYPE_CHECKING, NoReturn

from satsuma.errors import MissingExtra, no_attribute, require_extra

try:
    with require_extra("plot", "A plot", "matplotlib"):
        from satsuma.plot.additive_shapes import pair, shape
        from satsuma.plot.anomaly_scores import anomalies
        from satsuma.plot.class_densities import density
        from satsuma.plot.cluster_map import clusters
        from satsuma.plot.cluster_tree_diagram import cluster_tree
        from satsuma.plot.coefficient_path import path
        from satsuma.plot.column_effects import effect, importances
        from satsuma.plot.conditional_probabilities import class_probabilities
        from satsuma.plot.contrast_bars import contrasts
        from satsuma.plot.decision_curves import gain, precision_recall, roc, threshold
        from satsuma.plot.decision_regions import regions
        from satsuma.plot.dendrogram_chart import dendrogram
        from satsuma.plot.descriptions import describe
        from satsuma.plot.discriminant_axes import discriminants
        from satsuma.plot.elbow_curve import elbow
        from satsuma.plot.labelling_curves import labelling_curves
        from satsuma.plot.likelihood_contours import likelihoods
        from satsuma.plot.nomogram_chart import nomogram
        from satsuma.plot.recall_curve import recall
        from satsuma.plot.reliability_diagram import calibration
        from satsuma.plot.search_path import convergence, goal_space
        from satsuma.plot.tree_diagram import tree
except MissingExtra as error:
    _missing = str(error)
else:
    _missing = ""

__all__ = [
    "anomalies",
    "calibration",
    "class_probabilities",
    "cluster_tree",
    "clusters",
    "contrasts",
    "convergence",
    "dendrogram",
    "density",
    "describe",
    "discriminants",
    "effect",
    "elbow",
    "gain",
    "goal_space",
    "importances",
    "labelling_curves",
    "likelihoods",
    "nomogram",
    "pair",
    "path",
    "precision_recall",
    "recall",
    "regions",
    "roc",
    "shape",
    "threshold",
    "tree",
]

if not TYPE_CHECKING:  # which then know that there is no other name
    _no_attribute = no_attribute(__name__, __all__)

    def __getattr__(name: str) -> NoReturn:
        if _missing and name in __all__:
            raise MissingExtra(_missing)
        _no_attribute(name)
