"""Naive Bayes, and Generative: classifiers made of what each block of columns says of the class."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, is_dataclass, replace
from importlib import import_module
from typing import Any, ClassVar, Literal, cast

from satsuma.errors import check_number, refuse
from satsuma.learners.generative.block_learner import BlockLearner
from satsuma.learners.generative.blocks import BlockColumns
from satsuma.likelihoods.categorical import Categorical
from satsuma.likelihoods.gaussian import Gaussian

#: What numbers can be called, and where it is: imported when it is asked for.
NUMBERS: dict[str, tuple[str, str, dict[str, Any]]] = {
    "gaussian": ("gaussian", "Gaussian", {}),
    "kde": ("kde", "KDE", {}),
    "loess": ("loess", "Loess", {}),
    "mdl": ("binned", "Binned", {"method": "mdl"}),
    "auto": ("best_fit", "BestFit", {}),
    "any": ("best_fit", "BestFit", {"densities": True}),
}


@dataclass(kw_only=True, eq=False, repr=False)
class Generative(BlockLearner):
    """Bayes' rule, with what you say of each column or block of columns.

    Blocks are independent given the class. A missing value says nothing.

    Parameters
    ----------
    blocks
        What each is, and for which columns. One that names no columns takes all of its kinds that
        no other names; the first of several does.
    prior
        The probability of each class by name, as ``{"yes": 0.1, "no": 0.9}``, where classes are
        not as frequent as among these rows; or how it is estimated from what their rows weigh:
        `RelativeFrequency` unless given, or `Laplace` or `MEstimate`.
    adjust_threshold
        Whether to predict the second of two classes from that probability on which has most of the
        rows right that are learned from, rather than from a half on. This takes a second round.
    calibrate
        Whether probabilities are calibrated, so that they are right as often as they say: columns
        repeat each other, and log-odds are divided by a temperature (Guo et al. 2017). The same
        classes are predicted, and what a single column says stays as it is. The temperature is
        found by up to 1,000 rows, each predicted by a model that has not seen it, when
        probabilities are first asked for. False is the naive Bayes of textbooks. A model with a
        block that needs all rows is not calibrated, nor one whose `prior` is given by name.

    Examples
    --------
    >>> from satsuma import Categorical, Gaussian, Generative, Table
    >>> days = Table.of([(30, "hot", "no"), (20, "mild", "yes")], ["heat", "temp", "play"])
    >>> model = Generative(blocks=[Gaussian(), Categorical(m=1)])(days)
    >>> model(days[0])
    'no'
    """

    blocks: Sequence[Any] = (Gaussian(), Categorical())
    prior: Any = field(default=None, repr=False)
    adjust_threshold: bool = field(default=False, repr=False)
    calibrate: bool = field(default=True, repr=False)

    def block_columns(self) -> list[BlockColumns]:
        """The blocks, and the columns that each names."""
        return [BlockColumns.of(each, self, "blocks") for each in self.blocks]


@dataclass(kw_only=True, eq=False, repr=False)
class NaiveBayes(BlockLearner):
    """Bayes' rule, taking columns as independent given the class.

    A missing value says nothing: it is skipped in counting and in predicting. So does a value that
    was never seen in learning, and a number in a class that has no known number in its column.

    Parameters
    ----------
    m
        Weight of the prior of a value, in imaginary rows spread over all values of its column:
        P(value | class) = (rows of the class with the value + m / values) / (rows of the class
        where the column is known + m) (Cestnik 1990). At 0, a value that was not seen with a class
        vetoes it; a row that is vetoed for every class gets the prior.
    number
        What numbers are to a class: ``gaussian``, ``kde`` (a sum of kernels), ``loess`` (a smooth
        curve of the probability of the class), ``mdl`` (intervals that tell classes apart; Fayyad
        and Irani 1993), ``auto`` (for each column a Gaussian or such intervals, whichever is least
        wrong about rows that were not learned from), ``any`` (the same, with ``kde`` among them; it
        takes longer to learn), or a block. ``gaussian`` is the naive Bayes of textbooks.
    symbol
        The block for symbols; ``Categorical(m=m)`` unless given.
    columns
        A block for single columns, by name.
    prior
        The probability of each class by name, as ``{"yes": 0.1, "no": 0.9}``, where classes are
        not as frequent as among these rows; or how it is estimated from what their rows weigh:
        `RelativeFrequency` unless given, or `Laplace` or `MEstimate`.
    adjust_threshold
        Whether to predict the second of two classes from that probability on which has most of the
        rows right that are learned from, rather than from a half on. This takes a second round.
    calibrate
        Whether probabilities are calibrated, so that they are right as often as they say: columns
        repeat each other, and log-odds are divided by a temperature (Guo et al. 2017). The same
        classes are predicted, and what a single column says stays as it is. The temperature is
        found by up to 1,000 rows, each predicted by a model that has not seen it, when
        probabilities are first asked for. False is the naive Bayes of textbooks. A model with a
        block that needs all rows is not calibrated, nor one whose `prior` is given by name.

    Notes
    -----
    ``symbol=Categorical(rows="all")`` divides by all rows of the class, also those where the value
    is missing. See `Gaussian` for the spread of numbers. Up to 1,000 rows are kept in learning, to
    choose between Gaussians and intervals and to calibrate by; of more, the Gaussians are those of
    all rows, and the intervals those of the rows that are kept. Fewer than 30 rows have Gaussians,
    and a column that is better not believed at all says nothing.

    Examples
    --------
    >>> from satsuma import NaiveBayes, Table
    >>> days = Table.of([("hot", "no"), ("mild", "yes")], ["temp", "play"])
    >>> model = NaiveBayes(m=1)(days)
    >>> model(days[0])
    'no'
    >>> model.likelihood("temp", "hot", given="no")
    0.75
    """

    m: float = 2.0
    number: Literal["gaussian", "kde", "loess", "mdl", "auto", "any"] | Any = field(
        default="auto", repr=False
    )
    symbol: Any = field(default=None, repr=False)
    columns: Mapping[str, Any] | None = field(default=None, repr=False)
    prior: Any = field(default=None, repr=False)
    adjust_threshold: bool = field(default=False, repr=False)
    calibrate: bool = field(default=True, repr=False)
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
