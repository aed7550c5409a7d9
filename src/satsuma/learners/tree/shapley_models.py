"""Models of trees whose predictions are shared out among the columns (TreeSHAP)."""

from abc import abstractmethod

from satsuma.data.table import Table
from satsuma.learners.explanation import PRIOR, Explanation
from satsuma.learners.model import Classifier, Model, Query, Regressor, Scale
from satsuma.learners.near_rows import AlikeRow
from satsuma.learners.predictions import numbers_of, probabilities_of
from satsuma.numerics.arrays import Floats


class ShapleyTrees(Model):
    """What models of trees have in common that are explained by exact Shapley values."""

    @abstractmethod
    def contributions(self, data: Table) -> Floats:
        """(rows, outputs, columns and one more): what each column adds to what is predicted.

        Exact Shapley values, where a column that is not known goes all ways (path-dependent
        TreeSHAP, Lundberg et al. 2020); the last is what is expected of any row.
        """

    def alike_rows(self, batch: Table) -> list[AlikeRow]:  # noqa: ARG002 - for subclasses
        """Rows that were learned from and are like the first row, where these are at hand."""
        return []

    def _named(self, added: Floats) -> dict[str, float]:
        names = [*(v.name for v in self.domain.attributes), PRIOR]
        return dict(zip(names, added.tolist(), strict=True))


class ShapleyClassifier(ShapleyTrees, Classifier):
    """Trees for classes, explained by what columns add to a probability."""

    @property
    def terms_of(self) -> Scale:
        """What the terms of `explain` sum to."""
        return "probability"

    def explain(
        self, query: Query, value: str | None = None, against: str | None = None
    ) -> Explanation:
        """What each column adds to the probability of a class (TreeSHAP), and the way of the row.

        Of a forest it has the training rows that are alike, instead of a way. The parameters are
        those of `Classifier.explain`.
        """
        batch = self.rows_of(query)
        (found,) = self.explain_rows(batch, value, against)
        return self.with_reasons(found, batch).also(alike=tuple(self.alike_rows(batch)))

    def explain_rows(
        self, batch: Table, value: str | None = None, against: str | None = None
    ) -> list[Explanation]:
        """`explain` for rows that have the columns of the model, without their ways."""
        if against is not None:
            self.target.code(against)
        chances, added = probabilities_of(self, batch), self.contributions(batch)
        codes: list[int] = self.codes_given(chances, batch).tolist()
        found = list[Explanation]()
        for at, code in enumerate(codes):
            this = code if value is None else self.target.code(value)
            parts, predicted = self._named(added[at, this]), self.classes[code]
            told = self.classes[this]
            found.append(Explanation(told, None, parts, predicted=predicted, of="probability"))
        return found


class ShapleyRegressor(ShapleyTrees, Regressor):
    """Trees for numbers, explained by what columns add to the number."""

    @property
    def terms_of(self) -> Scale:
        """What the terms of `explain` sum to."""
        return "number"

    def explain(self, query: Query) -> Explanation:
        """What each column adds to the number (TreeSHAP), and the way of the row, or rows alike."""
        batch = self.rows_of(query)
        (found,) = self.explain_rows(batch)
        return self.with_reasons(found, batch).also(alike=tuple(self.alike_rows(batch)))

    def explain_rows(self, batch: Table) -> list[Explanation]:
        """`explain` for rows that have the columns of the model, without their ways."""
        numbers, added = numbers_of(self, batch).tolist(), self.contributions(batch)
        return [
            Explanation(None, None, self._named(parts[0]), predicted=number, of="number")
            for number, parts in zip(numbers, added, strict=True)
        ]
