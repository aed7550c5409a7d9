"""Delegation: a model of classes whose predictions are those of the model inside it."""

from typing import Any, ClassVar

from satsuma.data.fields import Instance
from satsuma.data.schema import Schema
from satsuma.data.table import Table
from satsuma.learners.model import Classifier
from satsuma.learners.queries import fitted
from satsuma.numerics.arrays import Array, Floats


class DelegatingClassifier(Classifier):
    """A model that predicts as the one inside it does.

    Parameters
    ----------
    model
        The one inside.
    """

    learner: Any

    schema: ClassVar[Schema] = Schema(model=Instance(Classifier))

    def check_state(self) -> None:
        """The model inside predicts the same classes."""
        super().check_state()
        self.check_inside(self.model)

    def __init__(self, model: Classifier) -> None:
        self.model = model

    def probabilities(self, batch: Table) -> Floats:
        """The prediction of the model inside."""
        return self.model.probabilities(fitted(batch, self.model.domain))

    def codes(self, batch: Table) -> Array:
        """The prediction of the model inside."""
        return self.model.codes(fitted(batch, self.model.domain))

    def chosen(self, probabilities: Floats) -> Array:
        """The prediction of the model inside."""
        return self.model.chosen(probabilities)
