"""LogisticModel: log odds as weighted sums, and how sure their coefficients are."""

from functools import lru_cache
from math import erfc, exp, inf, sqrt
from typing import ClassVar, NamedTuple

import numpy as np

from satsuma.data.fields import LARGE, Flag, FloatArray, Maybe, Number
from satsuma.data.schema import Schema
from satsuma.data.table import Table
from satsuma.errors import DomainError, ReadError
from satsuma.learners.estimator.linear_attributes import LinearScores
from satsuma.learners.estimator.log_odds import among_all
from satsuma.learners.explanation import Explanation
from satsuma.learners.linear.logistic_path import Chosen
from satsuma.learners.linear.strengths import Path
from satsuma.learners.matrix_learner import EncodedClassifier
from satsuma.learners.model import Query, Scale
from satsuma.numerics.arrays import Array, Floats, frozen
from satsuma.prepare.encoding import Encoding


@lru_cache(maxsize=16)
def contrasts(classes: int) -> Floats:
    """What the coefficients are of: (classes, classes - 1).

    Of two classes, the second against the first; of more, orthogonal directions in which the
    classes sum to 0, so that squares cost as much as those of one coefficient for each class.

    Examples
    --------
    >>> contrasts(2).tolist()
    [[0.0], [1.0]]
    >>> three = contrasts(3)
    >>> (three.T @ three).round(12).tolist(), three.sum(axis=0).round(12).tolist()
    ([[1.0, 0.0], [0.0, 1.0]], [0.0, 0.0])
    """
    if classes == 2:
        return frozen(np.array([[0.0], [1.0]]))
    made = np.zeros((classes, max(classes - 1, 0)))
    for at in range(classes - 1):  # Helmert's, of unit length
        made[: at + 1, at] = -1.0
        made[at + 1, at] = at + 1.0
        made[:, at] /= sqrt((at + 1) * (at + 2))
    return frozen(made)


def directions(classes: int, *, sparse: bool) -> Floats:
    """What the coefficients are of: `contrasts`; with L1 regularization (sparse), of each class.

    What coefficients cost without their signs depends on what they are of: many are 0 for a class,
    hardly any for a contrast.
    """
    return np.eye(classes) if sparse and classes > 2 else contrasts(classes)


def centred(found: Floats) -> Floats:
    """The same coefficients of more than two classes, whose constants sum to 0.

    Constants that all classes share make no difference.
    """
    if found.shape[-2] < 2:
        return found
    shared = found[..., :1].mean(axis=-2, keepdims=True)
    return np.concatenate([found[..., :1] - shared, found[..., 1:]], axis=-1)


class Coefficient(NamedTuple):
    """One coefficient of the log odds of a class.

    Parameters
    ----------
    of
        The class.
    name
        What it belongs to: a number, a value of a symbol, or the constant.
    coefficient
        What one more of the number adds to the log odds, or having the value, beside an average of
        the values by their shares.
    se
        Its standard error; NaN where there are too many coefficients for that.
    """

    of: str
    name: str
    coefficient: float
    se: float

    @property
    def odds_ratio(self) -> float:
        """What the odds are multiplied by."""
        return exp(self.coefficient) if self.coefficient < 700 else inf

    @property
    def z(self) -> float:
        """The coefficient in standard errors."""
        return 0.0 if self.se == 0 else self.coefficient / self.se

    @property
    def p(self) -> float:
        """How probable so large a z is where the coefficient is truly 0 (Wald's test)."""
        return erfc(abs(self.z) / sqrt(2))


class LogisticModel(EncodedClassifier):
    """Log odds as weighted sums.

    Parameters
    ----------
    encoding
        How numbers are scaled and symbols taken apart.
    seen
        The codes of the classes that were there in learning.
    found
        The coefficients of contrasts between classes: (contrasts, 1 + columns).
    covariance
        Their covariance: (contrasts, 1 + columns, contrasts, 1 + columns); None of too many.
    converged
        Whether the rounds were enough.
    l1
        The strength of L1 regularization. Above 0, more than two classes have coefficients of their
        own in `found`, (classes, 1 + columns), in place of those of contrasts.
    path
        What was found at many strengths, where one of them was to be chosen.
    """

    schema: ClassVar[Schema] = Schema(
        "contrasts",
        "coefficients",
        "strengths",
        found=FloatArray("contrasts", "coefficients", low=-LARGE, high=LARGE),
        covariance=Maybe(
            FloatArray(
                "contrasts", "coefficients", "contrasts", "coefficients", low=-LARGE, high=LARGE
            )
        ),
        converged=Flag(),
        l1=Number(low=0),
        strengths=Maybe(FloatArray("strengths", low=0, high=LARGE), optional=True),
        path_found=Maybe(
            FloatArray("strengths", "contrasts", "coefficients", low=-LARGE, high=LARGE),
            optional=True,
        ),
        path_losses=Maybe(FloatArray("strengths", low=0, high=LARGE), optional=True),
    )

    def check_state(self) -> None:
        """There is a coefficient for each contrast and column, and a constant."""
        super().check_state()
        if self.found.shape != (self._directions().shape[1], 1 + len(self.mean)):
            raise ReadError("LogisticModel has the coefficients of other classes or columns")

    def __init__(
        self,
        encoding: Encoding,
        seen: Array,
        found: Floats,
        covariance: Floats | None,
        *,
        converged: bool,
        l1: float = 0.0,
        path: Chosen | None = None,
    ) -> None:
        super().__init__(encoding, seen)
        self.found, self.covariance, self.converged = found, covariance, converged
        self.l1 = l1
        self.strengths = None if path is None else path.strengths
        self.path_found = None if path is None else centred(path.found)
        self.path_losses = None if path is None else path.losses

    def _directions(self) -> Floats:
        return directions(len(self.seen), sparse=self.l1 > 0)

    @property
    def slopes(self) -> Floats:
        """The coefficients but for the constants, laid flat."""
        return self.found[:, 1:].ravel()

    @property
    def path(self) -> Path:
        """The slopes at each of many strengths; with more than two classes, those of each class.

        Errors are mean negative log-likelihoods of rows that were not learned from.
        """
        if self.strengths is None or self.path_found is None:
            raise DomainError(
                "A path has the coefficients at many strengths. Learn it with Logistic(l1='auto')."
            )
        names = self.feature_names()
        if len(self.found) > 1:
            names = [f"{self.classes[int(code)]}: {name}" for code in self.seen for name in names]
        slopes = self.path_found[:, :, 1:].reshape(len(self.strengths), -1)
        return Path(self.strengths, slopes, tuple(names), self.path_losses)

    @property
    def terms_of(self) -> Scale:
        """What the terms of `explain` sum to."""
        return "log-odds"

    def explain(
        self, query: Query, value: str | None = None, against: str | None = None
    ) -> Explanation:
        """What the constant and each column add to the log-odds of two classes.

        A row that is as the mean of all rows has the constant alone.

        The parameters are those of `Classifier.explain`.
        """
        scores = self._directions() @ self.found
        return self.linear_explanation(self._rows(query), scores, value, against)

    def _scores(self, batch: Table) -> Floats:
        by_class = self._directions() @ self.found
        return self.matrix(batch) @ by_class[:, 1:].T + by_class[:, 0]

    def probabilities(self, batch: Table) -> Floats:
        """The probabilities that go with the log odds."""
        return self.from_scores(self._scores(batch))

    def log_scores(self, batch: Table) -> Floats:
        """The logarithms of the probabilities, but for a constant in each row."""
        return among_all(self._scores(batch), self.seen, len(self.classes))

    def linear_scores(self) -> LinearScores:
        """What `log_scores` are of raw numbers."""
        return self.linear_scores_of(self._directions() @ self.found)

    def coefficients(self) -> list[Coefficient]:
        """All coefficients, per unit of a number; a column that says nothing has none.

        With two classes, those of the log odds of the second against the first. With L1
        regularization, what is 0 makes no difference: a value of a symbol is then not measured
        beside the average of the others.
        """
        encoding = self.encoding()
        kept = np.flatnonzero(np.isfinite(self.scale))
        features = self.feature_names()
        names = ["constant", *(features[at] for at in kept)]
        found: list[Coefficient] = []
        in_units = encoding.in_plain_units if self.l1 > 0 else encoding.in_units
        for code, mix in zip(self.seen, self._directions(), strict=True):
            if not mix.any():
                continue
            constant, *slopes = mix @ self.found
            numbers = in_units(constant, np.array(slopes))[np.append(0, 1 + kept)]
            errors = self._errors(mix, kept)
            found += [
                Coefficient(self.classes[code], name, float(number), float(se))
                for name, number, se in zip(names, numbers, errors, strict=True)
            ]
        return found

    def _errors(self, mix: Floats, kept: Array) -> Floats:
        """The standard errors of the coefficients of a class, per unit; NaN if there are none."""
        if self.covariance is None:
            return np.full(1 + len(kept), np.nan)
        across = self.encoding().per_unit()[np.append(0, 1 + kept)]
        covariance = np.einsum("a,aibj,b->ij", mix, self.covariance, mix)
        return np.sqrt(np.maximum(np.diagonal(across @ covariance @ across.T), 0.0))

    def __str__(self) -> str:
        every = self.coefficients()
        told = [
            each for each in every if each.name == "constant" or each.coefficient or not self.l1
        ]
        first = self.classes[int(self.seen[0])]
        if not told:
            return f"{self.target.name} is always {first}"
        against = first if len(self.seen) == 2 else "all classes"
        width = max(len(each.name) for each in told)
        head = f"{'':<{width}}  coefficient"
        if self.covariance is not None:
            head += "      error  odds ratio       z        p"
        lines: list[str] = []
        before = None
        for each in told:
            if each.of != before:
                lines += [""] * (before is not None)
                before = each.of
                lines += [f"log odds of {self.target.name} = {each.of} against {against}:", head]
            line = f"{each.name:<{width}}  {each.coefficient:>11.5g}"
            if self.covariance is not None:
                line += f"  {each.se:>9.4g}  {each.odds_ratio:>10.4g}  {each.z:>6.2f}"
                line += f"  {each.p:>7.2g}"
            lines.append(line)
        if zeros := len(every) - len(told):
            lines.append(f"… and {zeros} more that are 0, at l1 = {self.l1:.4g}")
        if not self.converged:
            lines += ["", "The rounds were not enough: these are not the best coefficients."]
        return "\n".join(lines)
