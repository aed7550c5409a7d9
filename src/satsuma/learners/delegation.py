"""Delegation: models of classes that have another one inside, and may predict as it does."""

from typing import Any, ClassVar

from satsuma.data.fields import Instance
from satsuma.data.schema import Schema
from satsuma.data.table import Table
from satsuma.learners.model import Classifier
from satsuma.learners.queries import fitted
from satsuma.numerics.arrays import Array, Floats


class OuterClassifier(Classifier):
    """A model with another one inside, of the same classes.

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


class DelegatingClassifier(OuterClassifier):
    """A model that predicts as the one inside it does."""

    def probabilities(self, batch: Table) -> Floats:
        """The prediction of the model inside."""
        return self.model.probabilities(fitted(batch, self.model.domain))

    def codes(self, batch: Table) -> Array:
        """The prediction of the model inside."""
        return self.model.codes(fitted(batch, self.model.domain))

    def chosen(self, probabilities: Floats) -> Array:
        """The prediction of the model inside."""
        return self.model.chosen(probabilities)
