"""Semi-supervised models: what was learned from spread labels, and how that was checked."""

from dataclasses import asdict, dataclass
from typing import ClassVar

from satsuma.data.fields import Flag, Number, Record
from satsuma.data.schema import Schema
from satsuma.learners.delegation import DelegatingClassifier, DelegatingRegressor
from satsuma.learners.model import Classifier, Regressor

_NAN = float("nan")


@dataclass(frozen=True)
class Spread:
    """How labels were spread, and how many of those that were held back came out right.

    Parameters
    ----------
    labelled
        Rows that had a label.
    unlabelled
        Rows that had none.
    spread
        Rows that got one.
    checked
        Labels that were held back in turn, each to be found again from the others.
    agreement
        The share of these that was spread as it was known to be; NaN where none was.
    with_spread
        The share that the learner gets right having learned from spread labels too.
    without
        The share that it gets right having learned from known labels alone.
    used
        Whether the model was learned from spread labels.

    Examples
    --------
    >>> print(Spread(50, 450, 430, 50, 0.9, 0.94, 0.86, True))
    50 rows with a label and 450 without, of which 430 got one. Of 50 labels held back, 90.0% came
    back as they were; the learner gets 94.0% right with labels spread, 86.0% without.
    """

    labelled: int
    unlabelled: int
    spread: int = 0
    checked: int = 0
    agreement: float = _NAN
    with_spread: float = _NAN
    without: float = _NAN
    used: bool = False

    def __str__(self) -> str:
        rows = f"{self.labelled:,} rows with a label and {self.unlabelled:,} without"
        if not self.unlabelled:
            return f"{rows}: there was nothing to spread to."
        if not self.checked:
            return f"{rows}: too few to check what would be spread, so nothing was."
        told = f"{rows}, of which {self.spread:,} got one. {self._found()}"
        more = "\nThat is no clear gain: what follows was learned from the known labels alone."
        return told if self.used else told + more

    def _found(self) -> str:
        return (
            f"Of {self.checked:,} labels held back, {self.agreement:.1%} came\nback as they were; "
            f"the learner gets {self.with_spread:.1%} right with labels spread, "
            f"{self.without:.1%} without."
        )


@dataclass(frozen=True)
class NumberSpread(Spread):
    """The same of labels that are numbers: `agreement` and the two others are errors (RMSE).

    Examples
    --------
    >>> print(NumberSpread(50, 450, 430, 50, 2.5, 1.25, 1.75, True))
    50 rows with a label and 450 without, of which 430 got one. 50 labels held back were spread with
    an error (RMSE) of 2.5; the learner's is 1.25 with labels spread, 1.75 without.
    """

    def _found(self) -> str:
        return (
            f"{self.checked:,} labels held back were spread with\nan error (RMSE) of "
            f"{self.agreement:.4g}; the learner's is {self.with_spread:.4g} with labels spread, "
            f"{self.without:.4g} without."
        )


_COUNT, _SHARE = Number(low=0, whole=True), Number(low=0, high=1, missing=True)
_COUNTS = dict.fromkeys(("labelled", "unlabelled", "spread", "checked"), _COUNT)
_CHECKS = ("agreement", "with_spread", "without")


class SemiSupervisedClassifier(DelegatingClassifier):
    """A model of known labels, and of those that were spread from them where that is better.

    Parameters
    ----------
    model
        What was learned.
    spread
        How labels were spread, and what came of checking them.
    """

    schema: ClassVar[Schema] = Schema(
        checked=Record({**_COUNTS, **dict.fromkeys(_CHECKS, _SHARE), "used": Flag()})
    )

    def __init__(self, model: Classifier, spread: Spread) -> None:
        super().__init__(model)
        self.checked = asdict(spread)

    @property
    def spread(self) -> Spread:
        """How labels were spread, and what came of checking them."""
        return Spread(**self.checked)

    def __str__(self) -> str:
        return f"{self.spread}\n\n{self.model}"


class SemiSupervisedRegressor(DelegatingRegressor):
    """A model of known numbers, and of those that were spread from them where that is better.

    Parameters
    ----------
    model
        What was learned.
    spread
        How labels were spread, and what came of checking them.
    """

    schema: ClassVar[Schema] = Schema(
        checked=Record(
            {**_COUNTS, **dict.fromkeys(_CHECKS, Number(low=0, missing=True)), "used": Flag()}
        )
    )

    def __init__(self, model: Regressor, spread: NumberSpread) -> None:
        super().__init__(model)
        self.checked = asdict(spread)

    @property
    def spread(self) -> NumberSpread:
        """How labels were spread, and what came of checking them."""
        return NumberSpread(**self.checked)

    def __str__(self) -> str:
        return f"{self.spread}\n\n{self.model}"
