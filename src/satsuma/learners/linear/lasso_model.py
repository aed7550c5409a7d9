"""LassoModel: a weighted sum of few columns, and the path on which they came in."""

from typing import ClassVar

from satsuma.data.fields import LARGE, FloatArray, Maybe, Number
from satsuma.data.schema import Schema
from satsuma.learners.linear.ridge import RidgeModel
from satsuma.learners.linear.strengths import Path
from satsuma.numerics.arrays import Floats
from satsuma.prepare.encoding import Encoding


class LassoModel(RidgeModel):
    """A weighted sum, in which many slopes may be 0.

    Parameters
    ----------
    encoding, middle, slopes, sd
        As in `RidgeModel`.
    l1
        The strength of regularization, given or chosen.
    strengths, path_slopes, path_errors
        As in `Path`.
    """

    schema: ClassVar[Schema] = Schema(
        "strengths",
        l1=Number(low=0, high=LARGE),
        strengths=FloatArray("strengths", low=0, high=LARGE),
        path_slopes=FloatArray("strengths", "encoded", low=-LARGE, high=LARGE),
        path_errors=Maybe(FloatArray("strengths", low=0, high=LARGE)),
    )

    def __init__(
        self,
        encoding: Encoding,
        middle: float,
        slopes: Floats,
        sd: float,
        *,
        l1: float,
        strengths: Floats,
        path_slopes: Floats,
        path_errors: Floats | None,
    ) -> None:
        super().__init__(encoding, middle, slopes, sd)
        self.l1, self.strengths = l1, strengths
        self.path_slopes, self.path_errors = path_slopes, path_errors

    @property
    def path(self) -> Path:
        """The slopes at each of many strengths."""
        names = tuple(self.feature_names())
        return Path(self.strengths, self.path_slopes, names, self.path_errors)

    def coefficients(self) -> dict[str, float]:
        """A constant; what one more of a number adds, and what having a value of a symbol does.

        What is 0 makes no difference: a value is not measured beside the average of the others.
        """
        numbers = self.encoding().in_plain_units(self.middle, self.slopes)
        return dict(zip(["constant", *self.feature_names()], numbers.tolist(), strict=True))

    def __str__(self) -> str:
        told = {
            name: number
            for name, number in self.coefficients().items()
            if number != 0 or name == "constant"
        }
        width = max(map(len, told))
        lines = [f"{name:<{width}}  {number:>11.5g}" for name, number in told.items()]
        zeros = len(self.slopes) - len(told) + 1
        more = [f"… and {zeros} more that are 0, at l1 = {self.l1:.4g}"] if zeros else []
        return "\n".join([f"{self.target.name} ± {self.sd:.3g} is the sum of:", *lines, *more])
