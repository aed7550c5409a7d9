"""Naive Bayes: every column by itself, symbols by their shares, numbers by their Gaussians."""

from collections.abc import Mapping
from dataclasses import dataclass, field, is_dataclass, replace
from importlib import import_module
from typing import Any, ClassVar, Literal, cast

from satsuma.errors.parameter_checks import check_number, refuse
from satsuma.learners.generative.blocks import BlockColumns
from satsuma.learners.generative.generative import BlockLearner
from satsuma.likelihoods.categorical import Categorical

#: What numbers can be called, and where it is: imported when it is asked for.
NUMBERS: dict[str, tuple[str, str, dict[str, Any]]] = {
    "gaussian": ("gaussian", "Gaussian", {}),
    "kde": ("kde", "KDE", {}),
    "loess": ("loess", "Loess", {}),
    "mdl": ("binned", "Binned", {"method": "mdl"}),
}


@dataclass(kw_only=True, eq=False, repr=False)
class NaiveBayes(BlockLearner):
    """Bayes' rule, taking columns as independent given the class.

    A missing value says nothing: it is skipped in counting and in predicting. So does a value that
    was never seen in learning, and a number in a class that has no known number in its column.

    Parameters
    ----------
    m
        Weight of the prior of a value, in imaginary rows spread over all values of its column:
        P(value | class) = (rows of the class with the value + m / values) / (rows of the class + m)
        (Cestnik 1990). At 0, a value that was not seen with a class vetoes it; a row that is
        vetoed for every class gets the prior.
    number
        What numbers are to a class: ``gaussian``, ``kde`` (a sum of kernels), ``loess`` (a smooth
        curve of the probability of the class), ``mdl`` (intervals that tell classes apart; Fayyad
        and Irani 1993), or a block.
    symbol
        The block for symbols; ``Categorical(m=m)`` unless given.
    columns
        A block for single columns, by name.
    prior
        How the probability of a class is estimated from what its rows weigh: `RelativeFrequency`
        unless given, or `Laplace` or `MEstimate`.
    adjust_threshold
        Whether to predict the second of two classes from that probability on which has most of the
        rows right that are learned from, rather than from a half on. This takes a second round.

    Notes
    -----
    The rows of the class in the denominator are all of them, also those where the value is missing.
    See `Gaussian` for the spread of numbers.

    Examples
    --------
    >>> from satsuma import Table
    >>> days = Table.of([("hot", "no"), ("mild", "yes")], ["temp", "play"])
    >>> model = NaiveBayes(m=1)(days)
    >>> model(days[0])
    'no'
    >>> model.likelihood("temp", "hot", given="no")
    0.75
    """

    m: float = 2.0
    number: Literal["gaussian", "kde", "loess", "mdl"] | Any = field(default="gaussian", repr=False)
    symbol: Any = field(default=None, repr=False)
    columns: Mapping[str, Any] | None = field(default=None, repr=False)
    prior: Any = field(default=None, repr=False)
    adjust_threshold: bool = field(default=False, repr=False)
    readable: ClassVar[bool] = True

    def block_columns(self) -> list[BlockColumns]:
        """A block for single columns, for the rest of the numbers, and for that of the symbols."""
        symbol = Categorical(m=self.m) if self.symbol is None else self.symbol
        return [
            *self._named(),
            self._of_kind(self._number(), "number", "num"),
            self._of_kind(symbol, "symbol", "sym"),
        ]

    def _number(self) -> Any:
        """The block for numbers, by its name or as it is given."""
        if not isinstance(self.number, str):
            return self.number
        if self.number not in NUMBERS:
            raise refuse(self, "number", f"one of {', '.join(map(repr, NUMBERS))}, or a block")
        module, name, parameters = NUMBERS[self.number]
        return getattr(import_module(f"satsuma.likelihoods.{module}"), name)(**parameters)

    def _of_kind(self, block: Any, parameter: str, kind: str) -> BlockColumns:
        made = BlockColumns.of(_anywhere(block), self, parameter)
        if kind not in made.kinds:
            raise refuse(self, parameter, f"a block that takes columns of kind {kind!r}")
        return BlockColumns(made.block, None, (kind,))

    def _named(self) -> list[BlockColumns]:
        """Columns that have equal blocks go to one."""
        found: list[tuple[BlockColumns, list[str]]] = []
        given: Any = self.columns
        if not isinstance(given, Mapping | None):
            raise refuse(self, "columns", "a block by column, as {'age': KDE()}")
        for name, block in (self.columns or {}).items():
            made = BlockColumns.of(_anywhere(block), self, "columns")
            names = next((names for each, names in found if each == made), None)
            if names is None:
                found.append((made, [name]))
            else:
                names.append(name)
        return [BlockColumns(each.block, tuple(names), each.kinds) for each, names in found]

    def check(self) -> None:
        """The weight of the prior is a number from 0 on, and there are blocks for the rest."""
        check_number(self, "m", low=0)
        super().check()


def _anywhere(block: Any) -> Any:
    """The same block without columns of its own: others say what its columns are."""
    if is_dataclass(block) and not isinstance(block, type) and getattr(block, "columns", None):
        return replace(cast("Any", block), columns=None)
    return block
