"""Tallies: values that say all a learner needs to know of some rows, and that add up."""

from typing import TYPE_CHECKING

from satsuma.errors import no_attribute
from satsuma.tallies.base import Tally, TallyKind
from satsuma.tallies.bins import Bins
from satsuma.tallies.class_counts import ClassCounts
from satsuma.tallies.composite import Composite
from satsuma.tallies.joint_counts import JointCounts
from satsuma.tallies.moments import Moments
from satsuma.tallies.num import Num
from satsuma.tallies.quantile_sketch import QuantileSketch
from satsuma.tallies.quantiles import Quantiles
from satsuma.tallies.row_sample import RowSample
from satsuma.tallies.scatter import Scatter
from satsuma.tallies.sym import Sym
from satsuma.tallies.values import Values

__all__ = [
    "Bins",
    "ClassCounts",
    "Composite",
    "JointCounts",
    "Moments",
    "Num",
    "QuantileSketch",
    "Quantiles",
    "RowSample",
    "Scatter",
    "Sym",
    "Tally",
    "TallyKind",
    "Values",
]

if not TYPE_CHECKING:  # which then know that there is no other name
    __getattr__ = no_attribute(__name__, __all__)
