"""Pictures of models. Each takes an Axes, or makes one, and returns it; none is shown."""

from satsuma.plot.class_chances import conditional
from satsuma.plot.class_densities import density
from satsuma.plot.decision_regions import regions
from satsuma.plot.drawn_tree import tree
from satsuma.plot.likelihood_contours import likelihoods
from satsuma.plot.nomograms import nomogram
from satsuma.plot.recall_curve import recall
from satsuma.plot.words import describe

__all__ = [
    "conditional",
    "density",
    "describe",
    "likelihoods",
    "nomogram",
    "recall",
    "regions",
    "tree",
]
