"""Pictures of models. Each takes an Axes, or makes one, and returns it; none is shown."""

from satsuma.plot.class_chances import conditional
from satsuma.plot.class_densities import density
from satsuma.plot.cluster_map import clusters
from satsuma.plot.cluster_trees import cluster_tree
from satsuma.plot.contrast_bars import contrasts
from satsuma.plot.decision_regions import regions
from satsuma.plot.drawn_tree import tree
from satsuma.plot.elbow_curve import elbow
from satsuma.plot.label_curves import labels
from satsuma.plot.likelihood_contours import likelihoods
from satsuma.plot.nomograms import nomogram
from satsuma.plot.oddness import anomalies
from satsuma.plot.recall_curve import recall
from satsuma.plot.searches import descent, goal_space
from satsuma.plot.words import describe

__all__ = [
    "anomalies",
    "cluster_tree",
    "clusters",
    "conditional",
    "contrasts",
    "density",
    "descent",
    "describe",
    "elbow",
    "goal_space",
    "labels",
    "likelihoods",
    "nomogram",
    "recall",
    "regions",
    "tree",
]
