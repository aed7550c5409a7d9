"""Measures: how much columns tell, how probable a value is, how far rows are apart.

Examples
--------
>>> from satsuma import load, measures
>>> days = load("tennis")
>>> round(measures.information_gain(days["outlook"], days["play"]), 3)
0.247
"""

from typing import TYPE_CHECKING

from satsuma.errors import no_attribute
from satsuma.measures.attribute_scores import AttributeScores, best_attribute, score_attributes
from satsuma.measures.contingency import chi_square, chi_square_test, most_common
from satsuma.measures.cut_points import mdl_cuts
from satsuma.measures.distance import Distance
from satsuma.measures.drift import drift
from satsuma.measures.ideal_point import IdealPoint, distance_to_ideal
from satsuma.measures.information import (
    conditional_entropy,
    entropy,
    gain_ratio,
    gini,
    gini_gain,
    information_gain,
    mdl,
)
from satsuma.measures.mutual_information import mutual_information
from satsuma.measures.relieff import relief
from satsuma.measures.rrelieff import rrelief
from satsuma.measures.variance import correlation_ratio, variance_gain

__all__ = [
    "AttributeScores",
    "Distance",
    "IdealPoint",
    "best_attribute",
    "chi_square",
    "chi_square_test",
    "conditional_entropy",
    "correlation_ratio",
    "distance_to_ideal",
    "drift",
    "entropy",
    "gain_ratio",
    "gini",
    "gini_gain",
    "information_gain",
    "mdl",
    "mdl_cuts",
    "most_common",
    "mutual_information",
    "relief",
    "rrelief",
    "score_attributes",
    "variance_gain",
]

if not TYPE_CHECKING:  # which then know that there is no other name
    __getattr__ = no_attribute(__name__, __all__)
