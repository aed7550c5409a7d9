"""Block and Evidence: what some columns say about the class, before and after learning."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar, cast

import numpy as np

from satsuma.data.fields import Many, Word
from satsuma.data.schema import Schema, check_sizes
from satsuma.data.table import Table
from satsuma.data.variable import Variable
from satsuma.errors import ReadError, SatsumaError
from satsuma.numerics.arrays import Array, Codes, Floats
from satsuma.tallies.base import Tally
from satsuma.tallies.row_sample import RowSample

#: A line of a printed model: a label, and a cell for each class.
Line = tuple[str, list[str]]


class Evidence(ABC):
    """What some columns say about the class, learned. It adds up over columns and blocks.

    An attribute without a leading underscore is saved with a model: arrays, numbers, strings,
    lists and dicts. One with a leading underscore is for what can be made anew from the rest.
    """

    #: The columns that it is about.
    names: tuple[str, ...]

    #: What else it consists of.
    schema: ClassVar[Schema] = Schema(names=Many(Word(), kind=tuple))

    def __init_subclass__(cls, **more: Any) -> None:
        super().__init_subclass__(**more)
        check_sizes(cls, ("names", "classes"))

    #: The kind of the columns; any unless said.
    column_kind: ClassVar[str | None] = None

    def dimensions(self) -> dict[str, int]:
        """The sizes of arrays that follow from the names, for `schema`."""
        names = vars(self).get("names")
        return {"names": len(cast("tuple[str, ...]", names))} if isinstance(names, tuple) else {}

    def check_columns(self, variables: Sequence[Variable], classes: int) -> None:  # noqa: ARG002
        """Raise a `ReadError` unless it can be about these columns and so many classes."""
        if any(self.column_kind not in (None, v.kind) for v in variables):
            raise ReadError(f"{type(self).__name__} is about a column of another kind")

    @abstractmethod
    def log_evidence(self, batch: Table) -> Floats:
        """Rows by classes: the logarithm of how probable each class makes what the columns show.

        A constant may be left out that is the same for all classes of a row only where the
        evidence says so (see `is_density`). A missing cell says nothing: it adds 0 to all classes.
        """

    def log_ratios(self, batch: Table) -> Floats:
        """As `log_evidence`, up to a summand that all classes of a row share: enough to decide.

        Evidence that has this at less cost says so here.
        """
        return self.log_evidence(batch)

    @classmethod
    def chosen_by(
        cls,
        evidence: Sequence[Any],  # noqa: ARG003 - a contract
        log_priors: Sequence[Floats],  # noqa: ARG003
        which: Codes | None,  # noqa: ARG003
        batch: Table,  # noqa: ARG003
    ) -> Codes | None:
        """The most probable class of each row, where this is all the evidence there is.

        -1 where it is not clear: there the probabilities decide. None, as here, where there is no
        way to it but the probabilities.

        Parameters
        ----------
        evidence, log_priors
            Of one model, or of several that are of the same columns and classes.
        which
            Which of several answers each row; a row of -1 gets 0.
        batch
            The rows.
        """
        return None

    #: Whether `log_evidence` is the logarithm of a density, or probability, of what is shown
    #: given the class. If not, it is known up to a factor that all classes of a row share.
    is_density: bool = True

    @property
    def figures(self) -> str:
        """What the figures are that `lines` has below the name of a column."""
        return "P(value | class)" if self.is_density else "P(class | value)"

    def by_column(self, batch: Table) -> Floats:
        """Rows by columns by classes: what each column adds to `log_ratios`."""
        if len(self.names) != 1:
            raise NotImplementedError(f"{type(self).__name__} does not tell its columns apart")
        return self.log_evidence(batch)[:, None, :]

    def sample(self, classes: Codes, rng: np.random.Generator) -> dict[str, Array]:  # noqa: ARG002
        """Cells of its columns, drawn for rows of these classes; by name.

        A cell is missing where nothing is said of the class. Evidence that is no likelihood of the
        value, or cannot be drawn from, raises an error, as this does.
        """
        raise SatsumaError(
            f"Rows cannot be drawn: {type(self).__name__} does not say how probable the values of "
            f"column {self.names[0]!r} are in a class. Give the column a block that does: "
            f"Gaussian, KDE, Binned, Categorical or MultivariateGaussian."
        )

    @abstractmethod
    def lines(self, variable: Variable, classes: int) -> list[Line]:
        """What it says of one of its columns, for a person to read; of so many classes."""

    def __getstate__(self) -> dict[str, Any]:
        return {name: each for name, each in vars(self).items() if not name.startswith("_")}

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(self.names)})"


class AnyBlock(ABC):  # noqa: B024 - what is abstract is in its children
    """What some columns say about the class, before it is learned: parameters, and no more.

    A block of your own is a dataclass (``@dataclass(kw_only=True, frozen=True)``) whose fields are
    its parameters, and a `Block` or, where the rows themselves are needed, a `RowsBlock`. Anything
    with the same methods serves as well; but a model can be saved only if its blocks and their
    evidence are of these classes.
    """

    #: Kinds of the columns that it takes.
    kinds: ClassVar[tuple[str, ...]] = ("num", "sym")

    #: The names of its columns; None for all of its kinds that no other block names.
    columns: tuple[str, ...] | None = None

    #: Whether it refuses an infinite number by itself, in learning and in predicting.
    finds_infinite: ClassVar[bool] = False

    def check(self) -> None:  # noqa: B027 - there need not be anything to check
        """Raise a `ParameterError` if a parameter has a value that it cannot have."""

    def check_columns(  # noqa: B027
        self, variables: Sequence[Variable], classes: int
    ) -> None:
        """Raise a `DomainError` if these columns, and so many classes, are more than it takes."""


class Block(AnyBlock):
    """A block that learns from a tally: from anything that can be reduced in batches.

    The batches that it is given hold its own columns, the target and the weights.
    """

    #: What makes the tally, where `tally` is no more than its `of`; see `TallyLearner.tally_kind`.
    tally_kind: ClassVar[Any] = None

    def tally(self, batch: Table) -> Tally:
        """All that is to be known of a batch of rows."""
        return self.tally_kind.of(batch)

    @abstractmethod
    def conclude(self, tally: Any) -> Evidence | list[Evidence]:
        """What the columns say, as it follows from a tally; in parts, if not all in one way."""


class PriorBlock(Block):
    """A block whose evidence depends on how probable the classes are before anything is seen."""

    @abstractmethod
    def conclude(self, tally: Any, prior: Floats | None = None) -> Evidence:
        """What the columns say; the prior is the share of each class, unless given."""


class SampleBlock(Block):
    """A block that learns from a tally, and from some of the rows, which its learner keeps."""

    #: What `of_sample` may find.
    sampled_kinds: ClassVar[tuple[type[Evidence], ...]]

    @abstractmethod
    def of_sample(
        self, sample: RowSample, columns: tuple[str, ...], fold: int | None = None
    ) -> list[Evidence]:
        """What some rows say of some columns, if anything; without those of a fold, if given."""

    @abstractmethod
    def conclude(self, tally: Any, sampled: Sequence[Evidence] = ()) -> Evidence | list[Evidence]:
        """What the columns say; `sampled` is what `of_sample` has found."""


class RowsBlock(AnyBlock):
    """A block that must have all rows in memory."""

    @abstractmethod
    def learn(self, table: Table) -> Evidence:
        """What the columns say: those of the table but its target and its weights."""
