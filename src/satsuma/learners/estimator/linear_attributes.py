"""LinearAttributes: `coef_` and `intercept_`, where scores are weighted sums of raw numbers."""

from typing import Any, NamedTuple, cast

from satsuma.numerics.arrays import Floats


class LinearScores(NamedTuple):
    """Scores of rows whose cells are all known, as weighted sums of their numbers.

    Parameters
    ----------
    slopes
        What one more of a number adds: (scores, attributes).
    constants
        The scores of a row whose numbers are all 0.
    """

    slopes: Floats
    constants: Floats

    def between(self) -> "LinearScores":
        """With two scores, the second less the first; else all of them."""
        if len(self.constants) != 2:
            return self
        slopes, constants = self
        return LinearScores(slopes[1:] - slopes[:1], constants[1:] - constants[:1])


class LinearAttributes:
    """A part of learners whose models have `linear_scores`."""

    @property
    def coef_(self) -> Floats:
        """What one more of each number adds to the prediction, or to `decision_function`.

        It is in the units of X, whatever the scale that the model was learned on, and holds for
        rows whose cells are all known. There is none where a column holds symbols.
        """
        return self._linear("coef_").slopes

    @property
    def intercept_(self) -> Any:
        """The prediction, or the `decision_function`, of a row whose numbers are all 0."""
        return self._linear("intercept_").constants

    def _linear(self, name: str) -> LinearScores:
        learner = cast("Any", self)
        model = learner.fitted_model()
        numbers = all(v.kind == "num" for v in model.domain.attributes)
        if not numbers or len(model.domain.attributes) != learner.n_features_in_:
            raise AttributeError(
                f"{type(self).__name__} has no {name}: not all columns that it learned from are "
                f"numbers. print(model_) has the coefficients.",
                name=name,
                obj=self,
            )
        found: LinearScores | None = model.linear_scores()
        if found is None:
            raise AttributeError(
                f"{type(self).__name__} has no {name}: with these parameters and classes, its "
                f"decision values are no weighted sums.",
                name=name,
                obj=self,
            )
        if hasattr(learner, "classes_"):
            return found.between()
        return LinearScores(found.slopes[0], found.constants[0])
