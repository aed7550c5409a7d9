"""Measures: how much columns tell, how probable a value is, how far rows are apart."""

from satsuma.measures.counting import most_common
from satsuma.measures.dependence import chi_square, chi_square_test

# The function of this name comes after the module, and so takes its place.
from satsuma.measures.mdl import mdl_cuts  # isort: skip
from satsuma.measures.description import mdl  # isort: skip
from satsuma.measures.distance import Distance
from satsuma.measures.heaven import Heaven, disty
from satsuma.measures.impurity import gini, gini_gain
from satsuma.measures.information import (
    conditional_entropy,
    entropy,
    gain_ratio,
    information_gain,
)
from satsuma.measures.relieff import relief
from satsuma.measures.scores import Scores, best_attribute, score_attributes

__all__ = [
    "Distance",
    "Heaven",
    "Scores",
    "best_attribute",
    "chi_square",
    "chi_square_test",
    "conditional_entropy",
    "disty",
    "entropy",
    "gain_ratio",
    "gini",
    "gini_gain",
    "information_gain",
    "mdl",
    "mdl_cuts",
    "most_common",
    "relief",
    "score_attributes",
]
