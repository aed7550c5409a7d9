"""Calibrated models: a model of classes, and a map of its probabilities."""

from abc import abstractmethod
from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from satsuma.data.fields import FloatArray, Many, Number
from satsuma.data.schema import Schema
from satsuma.data.table import Table
from satsuma.errors import ReadError
from satsuma.learners.calibration.probability_maps import Steps, at_log_odds, heated
from satsuma.learners.cross_fitting import prediction_matrix
from satsuma.learners.delegation import OuterClassifier
from satsuma.learners.explanation import Explanation
from satsuma.learners.model import Classifier, Query, Scale
from satsuma.learners.queries import fitted
from satsuma.numerics.arrays import Array, Floats


class CalibratedClassifier(OuterClassifier):
    """A model whose probabilities are calibrated; what is inside was learned from all rows."""

    @abstractmethod
    def calibrated(self, probabilities: Floats) -> Floats:
        """What probabilities of the model inside, rows by classes, are worth."""

    def probabilities(self, batch: Table) -> Floats:
        """Those of the model inside, calibrated."""
        return self.calibrated(prediction_matrix(self.model, batch))

    @abstractmethod
    def told(self) -> str:
        """What calibration changes, in a few words."""

    def __str__(self) -> str:
        return f"{self.model}\n\n{self.told()}"


class HeatedClassifier(CalibratedClassifier):
    """A model calibrated by a temperature: it predicts the same classes as without."""

    schema: ClassVar[Schema] = Schema(temperature=Number(low=1e-3, high=1e3))

    def __init__(self, model: Classifier, temperature: float) -> None:
        super().__init__(model)
        self.temperature = temperature

    @property
    def terms_of(self) -> Scale | None:
        """Log-odds, where those of the model inside are."""
        return "log-odds" if self.model.terms_of == "log-odds" else None

    def explain(
        self, query: Query, value: str | None = None, against: str | None = None
    ) -> Explanation:
        """The terms of the model inside, all divided by the temperature, where they are log-odds.

        The parameters are those of `Classifier.explain`.
        """
        if self.terms_of is None:
            return super().explain(query, value, against)
        row = fitted(self._rows(query), self.model.domain, self.model.unseen)[0]
        return self.model.explain(row, value, against).scaled(1 / self.temperature)

    def calibrated(self, probabilities: Floats) -> Floats:
        """To the power of one by the temperature, and so that they sum to 1."""
        return heated(probabilities, self.temperature)

    def codes(self, batch: Table) -> Array:
        """What the model inside predicts."""
        return self.model.codes(fitted(batch, self.model.domain, self.model.unseen))

    def chosen(self, probabilities: Floats) -> Array:
        """What the model inside chooses, given its own probabilities."""
        return self.model.chosen(heated(probabilities, 1 / self.temperature))

    def told(self) -> str:
        """The temperature."""
        return f"Calibrated by a temperature of {self.temperature:.3g}"


class _ByClass(CalibratedClassifier):
    """A map for each class, or for the second alone where there are two."""

    def maps(self) -> int:
        """How many maps there must be."""
        return 1 if len(self.classes) == 2 else len(self.classes)

    @abstractmethod
    def mapped(self, at: int, probability: Floats) -> Floats:
        """The calibrated probabilities of a map."""

    def calibrated(self, probabilities: Floats) -> Floats:
        """Each class against the rest, and so that they sum to 1."""
        if self.maps() == 1 and len(self.classes) == 2:
            second = self.mapped(0, probabilities[:, 1])
            return np.column_stack([1 - second, second])
        found = np.column_stack([self.mapped(at, each) for at, each in enumerate(probabilities.T)])
        total = found.sum(axis=1, keepdims=True)
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.where(total > 0, found / total, probabilities)


class LogOddsClassifier(_ByClass):
    """A model whose log-odds are calibrated: sigmoid and beta calibration.

    Parameters
    ----------
    model
        What was learned from all rows.
    map_coefficients
        Maps by a, b, c: the calibrated log-odds are a log p - b log(1 - p) + c.
    """

    schema: ClassVar[Schema] = Schema("maps", map_coefficients=FloatArray("maps", 3))

    def check_state(self) -> None:
        """A map for each class, and none that falls."""
        super().check_state()
        if len(self.map_coefficients) != self.maps() or (self.map_coefficients[:, :2] < 0).any():
            raise ReadError("LogOddsClassifier.map_coefficients must be rising, for each class")
        if (np.abs(self.map_coefficients) > 1e6).any():
            raise ReadError("LogOddsClassifier.map_coefficients must be at most 1e6")

    def __init__(self, model: Classifier, map_coefficients: Floats) -> None:
        super().__init__(model)
        self.map_coefficients = map_coefficients

    def mapped(self, at: int, probability: Floats) -> Floats:
        """By the coefficients."""
        return at_log_odds(probability, self.map_coefficients[at])

    def told(self) -> str:
        """The coefficients."""
        lines = ["Calibrated log-odds: a log p - b log(1 - p) + c", f"{'a':>11}{'b':>9}{'c':>9}"]
        names = self.classes[1:] if len(self.classes) == 2 else self.classes
        for name, row in zip(names, self.map_coefficients, strict=True):
            lines.append("  " + "".join(f"{each:9.3f}" for each in row.tolist()) + f"  {name}")
        return "\n".join(lines)


class IsotonicClassifier(_ByClass):
    """A model whose probabilities are calibrated by rising curves.

    Parameters
    ----------
    model
        What was learned from all rows.
    curves
        What is right at some probabilities.
    """

    schema: ClassVar[Schema] = Schema(
        "maps",
        "knots",
        at=Many(FloatArray("knots", low=0, high=1 + 1e-9), size="maps"),
        right=Many(FloatArray("knots", low=0, high=1), size="maps"),
    )

    def check_state(self) -> None:
        """A curve for each class, all of which rise."""
        super().check_state()
        lengths = [len(each) for each in self.at]
        if len(lengths) != self.maps() or lengths != [len(each) for each in self.right]:
            raise ReadError("IsotonicClassifier must have a curve for each class")
        rising = all((np.diff(each) > 0).all() for each in self.at)
        if 0 in lengths or not rising or any((np.diff(each) < 0).any() for each in self.right):
            raise ReadError("the curves of IsotonicClassifier must rise")

    def __init__(self, model: Classifier, curves: Sequence[Steps]) -> None:
        super().__init__(model)
        self.at, self.right = [each.at for each in curves], [each.right for each in curves]

    def mapped(self, at: int, probability: Floats) -> Floats:
        """Straight between the knots, and flat beyond them."""
        return np.interp(probability, self.at[at], self.right[at])

    def told(self) -> str:
        """How many knots there are."""
        count = sum(map(len, self.at))
        return f"Calibrated by isotonic regression, of {count} knots"
