"""Prepare: what is done to columns first, as it is learned from the rows of training alone."""

from satsuma.prepare.chi_merge import ChiMerge
from satsuma.prepare.discretizers import MDL, EqualFrequency, EqualWidth
from satsuma.prepare.intervals import Intervals

__all__ = ["MDL", "ChiMerge", "EqualFrequency", "EqualWidth", "Intervals"]
