"""Evidence: what some columns have been found to say about the class."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar, cast

from satsuma.data.columns import Codes, Floats
from satsuma.data.fields import Many, Word
from satsuma.data.schema import Schema
from satsuma.data.table import Table
from satsuma.data.variable import Variable
from satsuma.errors import ReadError

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
        """Rows by columns by classes: what each column adds to `log_evidence`."""
        if len(self.names) != 1:
            raise NotImplementedError(f"{type(self).__name__} does not tell its columns apart")
        return self.log_evidence(batch)[:, None, :]

    @abstractmethod
    def lines(self, variable: Variable, classes: int) -> list[Line]:
        """What it says of one of its columns, for a person to read; of so many classes."""

    def __getstate__(self) -> dict[str, Any]:
        return {name: each for name, each in vars(self).items() if not name.startswith("_")}

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(self.names)})"
