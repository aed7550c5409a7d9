"""Inside: a model of classes that answers by the one inside it, of which it has more to tell."""

from typing import Any, ClassVar

from satsuma.data.columns import Array, Floats
from satsuma.data.fields import Instance
from satsuma.data.schema import Schema
from satsuma.data.table import Table
from satsuma.learners.model import Classifier
from satsuma.learners.queries import fitted


class InsideClassifier(Classifier):
    """A model that answers as another does.

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
        """What the model inside says."""
        return self.model.probabilities(fitted(batch, self.model.domain))

    def codes(self, batch: Table) -> Array:
        """What the model inside says."""
        return self.model.codes(fitted(batch, self.model.domain))

    def chosen(self, probabilities: Floats) -> Array:
        """What the model inside says."""
        return self.model.chosen(probabilities)
