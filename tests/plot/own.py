"""A learner of a user's own, whose models say no more than how probable classes are."""

from dataclasses import dataclass

import numpy as np

from satsuma import Learner
from satsuma.learners.model import Classifier


class OwnModel(Classifier):
    """The odds of the last class: e to the sum of the numbers, or to their product."""

    def __init__(self, product):
        self.product = product

    def probabilities(self, batch):
        numbers = [v.name for v in batch.domain.attributes if v.kind == "num"]
        columns = np.array([np.nan_to_num(batch.column(name)) for name in numbers])
        score = columns.prod(axis=0) if self.product else columns.sum(axis=0)
        odds = np.exp(np.clip(score, -300, 300))
        found = np.zeros((len(batch), len(self.classes)))
        found[:, 0], found[:, -1] = 1 / (1 + odds), odds / (1 + odds)
        return found


@dataclass(kw_only=True, eq=False)
class Own(Learner):
    product: bool = False

    def learn(self, data):  # noqa: ARG002 - it knows beforehand
        return OwnModel(self.product)
