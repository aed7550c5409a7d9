"""What the author of a learner needs, in one place.

A learner is a class whose fields are its parameters. It returns a model, which predicts. See the
tutorial "Build your own learner".

Examples
--------
The most frequent class, from counts that add up:

>>> import satsuma
>>> from satsuma.extend import ClassCounts, Classifier, TallyLearner, check_learner
>>> import numpy as np
>>> class FrequentModel(Classifier):
...     def __init__(self, shares):
...         self.shares = shares
...
...     def probabilities(self, batch):
...         return np.tile(self.shares, (len(batch), 1))
>>> class Frequent(TallyLearner):
...     m: float = 1.0
...     tally_kind = ClassCounts
...
...     def conclude(self, tally):
...         smooth = tally.class_weight + self.m
...         return FrequentModel(smooth / smooth.sum())
>>> days = satsuma.load("tennis")
>>> Frequent(days)(days[0])
'yes'
>>> check_learner(Frequent(), laws=[1, 3, 5])
"""

from satsuma.checks import LawBroken, check_learner, checks
from satsuma.engines import Source, reduce
from satsuma.errors import (
    ContractError,
    DomainError,
    ParameterError,
    SatsumaError,
    check_choice,
    check_number,
)
from satsuma.learners.clusterer import Clusterer
from satsuma.learners.learner import Learner, RoundsLearner, TallyLearner
from satsuma.learners.model import Classifier, Model, Regressor
from satsuma.learners.takes import Takes, TakesBy
from satsuma.tallies import (
    Bins,
    ClassCounts,
    Composite,
    JointCounts,
    Moments,
    Num,
    Quantiles,
    QuantileSketch,
    Scatter,
    Sym,
    Tally,
    TallyKind,
    Values,
)
from satsuma.tallies.content_hashes import hashes_of

__all__ = [
    "Bins",
    "ClassCounts",
    "Classifier",
    "Clusterer",
    "Composite",
    "ContractError",
    "DomainError",
    "JointCounts",
    "LawBroken",
    "Learner",
    "Model",
    "Moments",
    "Num",
    "ParameterError",
    "QuantileSketch",
    "Quantiles",
    "Regressor",
    "RoundsLearner",
    "SatsumaError",
    "Scatter",
    "Source",
    "Sym",
    "Takes",
    "TakesBy",
    "Tally",
    "TallyKind",
    "TallyLearner",
    "Values",
    "check_choice",
    "check_learner",
    "check_number",
    "checks",
    "hashes_of",
    "reduce",
]
