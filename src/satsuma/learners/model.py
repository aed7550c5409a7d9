"""Model: what was learned, ready to be asked."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from functools import partial
from os import PathLike
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np
import numpy.typing as npt

from satsuma.data.domain import Domain
from satsuma.data.fields import Instance
from satsuma.data.row import Row
from satsuma.data.schema import Schema, check_sizes
from satsuma.data.table import Table
from satsuma.data.variable import Variable
from satsuma.errors import ParameterError, ReadError, SatsumaError
from satsuma.learners.exported import Exported
from satsuma.learners.kept_rows import KeptRows
from satsuma.learners.predictions import (
    Distribution,
    Get,
    GetProbabilities,
    GetValue,
    codes_of,
    numbers_of,
    probabilities_of,
    redefines,
)
from satsuma.learners.queries import check_known, filled, fitted, one_row, plain_row
from satsuma.numerics.arrays import Floats

if TYPE_CHECKING:
    from satsuma.engines import Source
    from satsuma.engines.thread_pool import Progress
    from satsuma.learners.explanation import Explanation
    from satsuma.learners.learner import Learner

#: Sizes of arrays that follow from the columns.
SIZES = ("attributes", "features", "num", "sym", "classes")

#: What the terms of an explanation can sum to; ``log`` is the logarithm of a number.
Scale = Literal["log-odds", "probability", "number", "log"]

#: What a model can be asked about one by one.
Query = Row | Mapping[str, object]


def _learner() -> type:
    from satsuma.learners.learner import Learner

    return Learner


class Model(KeptRows, Exported, ABC):
    """What a learner returns. It answers for one row, or for a table of rows.

    The learner that made it sets `domain`, the columns it was learned from, and `learner`.
    Columns of a query are found by name; a value that was not seen in learning is missing.

    Examples
    --------
    >>> import satsuma
    >>> days = satsuma.load("tennis")
    >>> model = satsuma.NaiveBayes(days)
    >>> model(days[0]), model(days[:3]).tolist()
    ('no', ['no', 'no', 'yes'])
    >>> model.domain.target.name, model.learner
    ('play', NaiveBayes(m=2.0))
    """

    domain: Domain
    learner: "Learner"

    schema: ClassVar[Schema] = Schema(domain=Instance(Domain), learner=Instance(_learner))

    def __init_subclass__(cls, **more: Any) -> None:
        super().__init_subclass__(**more)
        check_sizes(cls, SIZES)

    #: The code of a symbol that was not seen in learning: that of a missing one.
    unseen: ClassVar[int] = -1

    @property
    def terms_of(self) -> Scale | None:
        """What the terms of `explain` sum to, where they are exact; None where it samples."""
        return None

    @property
    def target(self) -> Variable:
        """What is predicted."""
        target = self.domain.target
        if target is None:
            raise SatsumaError(f"{type(self).__name__} was learned without a target.")
        return target

    @abstractmethod
    def __call__(self, query: Query | Table, what: Get = GetValue) -> Any:
        """The answer for a row, or a column of answers for a table."""

    def predict(
        self,
        data: "Table | Source",
        out: str | PathLike[str],
        *,
        what: Get = GetValue,
        keep: Sequence[str] | None = None,
        resume: bool = False,
        progress: "Progress | None" = None,
        escape_formulas: bool = False,
    ) -> list[str]:
        """Write what it says about rows to files, in one pass; the rows need not fit in memory.

        A file appears when it is complete, or not at all: whatever stops the work leaves no
        half of one behind.

        Parameters
        ----------
        data
            A table, or what `satsuma.scan` gives.
        out
            Where to: one file, or with a ``*`` in its name one for each part of the source, as in
            ``scored/*.parquet``. The ending says the format.
        what
            The values, the probabilities of all classes, or both.
        keep
            Names of the columns of `data` to write in front of the answers; all unless said.
        resume
            Whether to go on where an earlier run ended: files that are there are kept.
        progress
            Called with the number of parts that are done and of all parts.
        escape_formulas
            For CSV, TSV, ``.tab`` and Excel: whether strings that a spreadsheet would compute get
            an apostrophe in front, as in `satsuma.write`.

        Returns
        -------
        list
            The files.
        """
        from satsuma.learners.prediction_files import predict, scored

        _check_what(what)
        change = partial(scored, self, keep, what)
        return predict(change, data, out, escape_formulas, resume=resume, progress=progress)

    def asked(self, known: Mapping[str, object] | Table) -> Table:
        """What is known of rows, with the columns of this model; the others are missing."""
        rows = known if isinstance(known, Table) else one_row(known, self.domain)
        return filled(rows, self.domain)

    def _rows(self, query: Query | Table) -> Table:
        """What is asked about, as a table with the columns of this model."""
        if isinstance(query, Table):
            return fitted(query, self.domain, self.unseen)
        plain = plain_row(query, self.domain) if isinstance(query, dict) else None
        if plain is not None:
            return plain
        rows = one_row(query, self.domain)
        check_known(query, self.domain)
        return fitted(rows, self.domain, self.unseen)

    def with_reasons(self, found: "Explanation", batch: Table) -> "Explanation":  # noqa: ARG002
        """An explanation of one row, with what else decides: a path, or neighbours."""
        return found

    def rows_of(self, query: Query | Table) -> Table:
        """What is asked about, with the attributes of this model and no other column."""
        rows = self._rows(query)
        names = [v.name for v in self.domain.attributes]
        return rows.select(names) if names else rows

    def save(self, path: str | PathLike[str]) -> None:
        """Write the model to a file: arrays and JSON in a zip, nothing that could be executed."""
        from satsuma.learners.model_files.saved_model import save

        save(self, path)

    def dimensions(self) -> dict[str, int]:
        """The sizes of arrays that follow from the columns, for `schema`."""
        domain = vars(self).get("domain")
        if not isinstance(domain, Domain):
            return {}
        kinds = [v.kind for v in domain.attributes]
        found = {kind: kinds.count(kind) for kind in ("num", "sym")}
        classes = {} if domain.target is None else {"classes": len(domain.target.values)}
        width = sum(len(v.values) if v.kind == "sym" else 1 for v in domain.attributes)
        return {"attributes": len(kinds), "features": width, **found, **classes}

    def check_state(self) -> None:
        """Raise a `ReadError` where attributes that fit `schema` do not fit each other."""
        wrong = [v for v in self.domain.attributes if v.kind not in self.learner.takes.kinds]
        if wrong:
            raise ReadError(
                f"{type(self.learner).__name__} cannot have learned from {wrong[0].name!r}, "
                f"of kind {wrong[0].kind!r}"
            )

    def check_inside(self, model: "Model") -> None:
        """Raise a `ReadError` unless a model inside this one predicts the same thing."""
        kind = Classifier if isinstance(self, Classifier) else Regressor
        mine, other = self.domain.target, model.domain.target
        same = other is not None and mine is not None and mine.values == other.values
        if not isinstance(model, kind) or not same:
            raise ReadError(f"a model inside {type(self).__name__} predicts something else")

    def __getstate__(self) -> dict[str, Any]:
        # A name with a leading underscore is for what can be made anew from the rest.
        return {name: each for name, each in vars(self).items() if not name.startswith("_")}

    def __repr__(self) -> str:
        return f"{type(self).__name__} of {self.learner!r}"

    def _repr_html_(self) -> str:
        from html import escape

        return f"<pre>{escape(str(self))}</pre>"


class Classifier(Model):
    """A model that predicts classes; it says how probable each one is.

    In cross-validation each row is answered by the model of its fold. A kind of model that can go
    over the rows once, whatever the model of each, may have two more class methods,
    ``codes_by_model(models, which, batch)`` and ``probabilities_by_model(models, which, batch)``:
    `which` is the number of the model that answers each row, and a row of -1 gets zeros. Models
    without them, or where they return None, or whose class has a newer `codes`, `chosen` or
    `probabilities`, are asked one after the other.
    """

    @abstractmethod
    def probabilities(self, batch: Table) -> Floats:
        """Rows by classes; every row sums to 1. The batch has the columns of this model."""

    def check_state(self) -> None:
        """There is a class."""
        super().check_state()
        if self.target.kind != "sym" or not self.classes:
            raise ReadError(f"{type(self).__name__} has no classes to predict")

    @property
    def classes(self) -> tuple[str, ...]:
        """The classes, in order."""
        return self.target.values

    def codes(self, batch: Table) -> npt.NDArray[np.integer[Any]]:
        """The class that is predicted for each row, as a code."""
        return self.chosen(probabilities_of(self, batch))

    def chosen(self, probabilities: Floats) -> npt.NDArray[np.integer[Any]]:
        """The most probable class of each row, as a code; ties go to the first."""
        return probabilities.argmax(axis=1)

    def codes_given(self, probabilities: Floats, batch: Table) -> npt.NDArray[np.integer[Any]]:
        """`codes` of rows whose probabilities are known already."""
        if redefines(self, "codes", "chosen"):
            return codes_of(self, batch)
        return self.chosen(probabilities)

    def __call__(self, query: Query | Table, what: Get = GetValue) -> Any:
        """The most probable class, the probabilities of all, or both."""
        _check_what(what)
        batch = self._rows(query)
        if isinstance(query, Table):
            return self._answers(batch, what)
        if what is GetValue:
            return self.classes[int(codes_of(self, batch)[0])]
        probabilities = probabilities_of(self, batch)
        found = Distribution(self.classes, probabilities[0])
        if what is GetProbabilities:
            return found
        return self.classes[int(self.codes_given(probabilities, batch)[0])], found

    def _answers(self, batch: Table, what: Get) -> Any:
        names = np.array(self.classes, object)
        if what is GetValue:
            return names[codes_of(self, batch)]
        found = probabilities_of(self, batch)
        return found if what is GetProbabilities else (names[self.codes_given(found, batch)], found)

    def explain(
        self, query: Query, value: str | None = None, against: str | None = None
    ) -> "Explanation":
        """What each column adds to the prediction of a row; see `satsuma.explain`.

        Here they are Shapley values of the probability of a class, estimated by sampling; where
        the columns of a model add up, the terms that it adds up itself, of log-odds.

        Parameters
        ----------
        query
            The row.
        value
            The class; the one that is predicted unless given.
        against
            The other, of log-odds: the most probable of the rest unless given. A probability is
            held against all others.
        """
        from satsuma.learners.sampled_explanation import sampled_explanation

        if against is not None:
            self.target.code(against)
        batch = self.rows_of(query)
        return self.with_reasons(sampled_explanation(self, batch, value), batch)

    def p(self, value: str, query: Query) -> float:
        """How probable a class is for a row; not normalised where a model says so."""
        return float(probabilities_of(self, self._rows(query))[0, self.target.code(value)])


class Regressor(Model):
    """A model that predicts a number."""

    def check_state(self) -> None:
        """The target is a number."""
        super().check_state()
        if self.target.kind != "num":
            raise ReadError(f"{type(self).__name__} has no number to predict")

    @abstractmethod
    def numbers(self, batch: Table) -> Floats:
        """A number for each row. The batch has the columns of this model."""

    def explain(self, query: Query) -> "Explanation":
        """What each column adds to the number that is predicted; see `satsuma.explain`.

        Here they are Shapley values, estimated by sampling; where the columns of a model add up,
        the terms that it adds up itself.

        Parameters
        ----------
        query
            The row.
        """
        from satsuma.learners.sampled_explanation import sampled_explanation

        batch = self.rows_of(query)
        return self.with_reasons(sampled_explanation(self, batch), batch)

    def __call__(self, query: Query | Table, what: Get = GetValue) -> Any:
        """The number that is expected."""
        _check_what(what)
        if what is not GetValue:
            raise SatsumaError(f"{type(self).__name__} predicts a number, without probabilities.")
        found = numbers_of(self, self._rows(query))
        return found if isinstance(query, Table) else float(found[0])


def _check_what(what: object) -> None:
    if not isinstance(what, Get):
        raise ParameterError(
            f"A model is asked for GetValue, GetProbabilities or GetBoth. Got {what!r} instead."
        )
