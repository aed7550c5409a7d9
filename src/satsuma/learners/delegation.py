"""Delegation: models that have another one inside, and may predict as it does."""

from typing import Any, ClassVar

from satsuma.data.fields import Instance
from satsuma.data.schema import Schema
from satsuma.data.table import Table
from satsuma.learners.explanation import Explanation
from satsuma.learners.model import Classifier, Query, Regressor, Scale
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

    @property
    def terms_of(self) -> Scale | None:
        """What those of the model inside sum to."""
        return self.model.terms_of

    def explain(
        self, query: Query, value: str | None = None, against: str | None = None
    ) -> Explanation:
        """The explanation of the model inside, where its terms are exact.

        The parameters are those of `Classifier.explain`.
        """
        if self.terms_of is None:
            return super().explain(query, value, against)
        return self.model.explain(fitted(self._rows(query), self.model.domain)[0], value, against)

    def probabilities(self, batch: Table) -> Floats:
        """The prediction of the model inside."""
        return self.model.probabilities(fitted(batch, self.model.domain))

    def codes(self, batch: Table) -> Array:
        """The prediction of the model inside."""
        return self.model.codes(fitted(batch, self.model.domain))

    def chosen(self, probabilities: Floats) -> Array:
        """The prediction of the model inside."""
        return self.model.chosen(probabilities)


class DelegatingRegressor(Regressor):
    """A model of numbers that predicts as the one inside it does.

    Parameters
    ----------
    model
        The one inside.
    """

    learner: Any

    schema: ClassVar[Schema] = Schema(model=Instance(Regressor))

    def check_state(self) -> None:
        """The model inside predicts the same number."""
        super().check_state()
        self.check_inside(self.model)

    def __init__(self, model: Regressor) -> None:
        self.model = model

    @property
    def terms_of(self) -> Scale | None:
        """What those of the model inside sum to."""
        return self.model.terms_of

    def explain(self, query: Query) -> Explanation:
        """The explanation of the model inside, where its terms are exact.

        Parameters
        ----------
        query
            The row.
        """
        if self.terms_of is None:
            return super().explain(query)
        return self.model.explain(fitted(self._rows(query), self.model.domain)[0])

    def numbers(self, batch: Table) -> Floats:
        """The prediction of the model inside."""
        return self.model.numbers(fitted(batch, self.model.domain))
