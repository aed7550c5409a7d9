"""Online: a learner of one round that gets one row at a time, as river's do."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Self, cast

from satsuma.data.domain import Domain
from satsuma.errors import DomainError, ParameterError, check_number
from satsuma.learners.generative.block_learner import concluded_alike
from satsuma.learners.learner import Learner, learns_in_one_round
from satsuma.learners.model import Model
from satsuma.learners.predictions import GetProbabilities
from satsuma.learners.streaming.one_row import with_row
from satsuma.learners.streaming.row_batches import OneRow, RowBatches
from satsuma.learners.streaming.running_tallies import AllRows, FadingRows, LastRows, RunningTally
from satsuma.learners.takes import check_batch
from satsuma.numerics.arrays import Floats

#: Choices are kept until so many rows have come, as a share of those that they were made by.
KEPT = 0.05


class _Chosen(NamedTuple):
    """A model whose choices may be kept: how many rows had come, and how many it is of."""

    model: Model
    learned: int
    rows: int


class Online:
    """A learner that learns from one row at a time and predicts in between, with river's verbs.

    Any learner of one round will do, such as `NaiveBayes`, `LDA` or `Ridge`: its model is that of
    all rows so far, of the last ones, or of rows that fade, however they came. A row is a dict;
    what it lacks is missing, and classes and values may be new at any time. Columns are those of
    the first row, and of `kinds`.

    Parameters
    ----------
    learner
        The learner.
    window
        How many rows to learn from, the last ones; all unless given. What is learned is what the
        learner makes of these rows, but for rounding.
    half_life
        After how many rows a row counts half. Not together with `window`.
    kinds
        The kinds of columns, ``num`` or ``sym``, by name, where the first row does not show them.

    Notes
    -----
    Values and classes that were seen once stay known, also when the rows that had them are gone. A
    window keeps its rows; all else needs no more memory than a tally.

    What a learner chooses by a sample of its rows, such as intervals instead of a Gaussian or the
    temperature by which `NaiveBayes` is calibrated, is kept by `predict_one` and
    `predict_proba_one` until a twentieth as many rows have come as it was chosen by, or a value or
    a class is new; means, spreads and counts are always those of all rows. `model` chooses anew.

    Examples
    --------
    >>> from satsuma import NaiveBayes, Online
    >>> online = Online(NaiveBayes(), window=100)
    >>> for temp, play in [("hot", "no"), ("mild", "yes"), ("hot", "no"), ("mild", "yes")]:
    ...     before = online.predict_one({"temp": temp})
    ...     online = online.learn_one({"temp": temp}, play)
    >>> before, online.predict_one({"temp": "hot"})
    ('yes', 'no')
    >>> {label: round(p, 2) for label, p in online.predict_proba_one({"temp": "hot"}).items()}
    {'no': 0.75, 'yes': 0.25}
    >>> online.forget(keep=1).rows
    1
    """

    def __init__(
        self,
        learner: Learner,
        *,
        window: int | None = None,
        half_life: float | None = None,
        kinds: Mapping[str, str] | None = None,
    ) -> None:
        self.learner, self.window, self.half_life, self.kinds = learner, window, half_life, kinds
        self._check()
        self._batches = RowBatches(learner.takes.target == "number", kinds or {})
        self._running = self._started()
        self._model: Model | None = None
        self._asked: Model | None = None
        self._chosen: _Chosen | None = None
        self._checked: Domain | None = None
        self._learned = 0

    def _check(self) -> None:
        given: Any = self.learner
        # Where it depends on the columns, these are looked at once they are there.
        if not isinstance(given, Learner) or not learns_in_one_round(given, Domain([])):
            raise ParameterError(
                f"Online takes a learner of one round, such as NaiveBayes() or Ridge(), and "
                f"{given!r} is none."
            )
        if self.window is not None:
            check_number(self, "window", low=1, whole=True)
        if self.half_life is not None:
            check_number(self, "half_life", low=1e-3, high=1e15)
        if self.window is not None and self.half_life is not None:
            raise ParameterError("Online takes a window or a half_life, not both.")
        wrong = [kind for kind in (self.kinds or {}).values() if kind not in ("num", "sym")]
        if wrong:
            raise ParameterError(f"A column of a stream is 'num' or 'sym'. Got {wrong[0]!r}.")

    def _started(self) -> RunningTally:
        if self.window is not None:
            return LastRows(self._tallied, int(self.window))
        if self.half_life is not None:
            return FadingRows(self._tallied, float(self.half_life))
        return AllRows(self._tallied, with_row=self._with_row)

    def _tallied(self, rows: Sequence[OneRow], weights: Floats | None) -> Any:
        table = self._batches.table(rows, weights)
        learner: Any = self.learner
        if self._checked is not table.domain:  # rows of the same columns, values and classes
            learner.check_data(table)
            learner.check_one_round(table.domain)
            self._checked = table.domain
        elif not learner.takes.missing or any(row.weight != 1 for row in rows):
            check_batch(learner.takes, type(learner).__name__, table)
        return learner.checked_tally(table)

    def _with_row(self, tally: Any, row: OneRow) -> Any:
        domain = self._batches.domain
        return with_row(tally, row, domain) if self._checked is domain else None

    def learn_one(self, x: Mapping[str, Any], y: Any, w: float = 1.0) -> Self:
        """Learn from one more row.

        Parameters
        ----------
        x
            Its cells by column.
        y
            Its label.
        w
            What it weighs.
        """
        self._running.add(self._batches.row(x, y, w))
        self._model = self._asked = None
        self._learned += 1
        return self

    def learn_many(self, X: Any, y: Any) -> Self:
        """Learn from the rows of a data frame, one after the other.

        Parameters
        ----------
        X
            The rows.
        y
            A label for each.
        """
        for row, label in zip(X.to_dict("records"), list(y), strict=True):
            self.learn_one(row, label)
        return self

    @property
    def rows(self) -> int:
        """How many rows the model is of: those of the window, or all."""
        return len(self._running) if isinstance(self._running, LastRows) else self._learned

    @property
    def model(self) -> Model:
        """The model of the rows so far."""
        if self._model is None:
            total = self._running.total()
            if total is None:
                raise DomainError("Nothing was learned yet. Call learn_one first.")
            made: Model = cast("Any", self.learner).concluded(total)
            self._model = self._asked = made
            self._chosen = _Chosen(made, self._learned, self.rows)
        return self._model

    def _model_to_ask(self) -> Model:
        """The model of the rows so far, whose choices may be those of a few rows before."""
        if self._asked is None:
            chosen = self._chosen
            if chosen is not None and self._learned - chosen.learned <= KEPT * chosen.rows:
                self._asked = concluded_alike(self.learner, self._running.total(), chosen.model)
        return self.model if self._asked is None else self._asked

    def predict_one(self, x: Mapping[str, Any]) -> Any:
        """The label that is most probable, or the number; None before anything was learned."""
        if not self.rows:
            return None
        found = self._model_to_ask()(self._batches.query(x))
        return found if self._batches.predicts_number else self._batches.label(found)

    def predict_proba_one(self, x: Mapping[str, Any]) -> dict[Any, float]:
        """How probable each label is; empty before anything was learned."""
        if not self.rows:
            return {}
        found = self._model_to_ask()(self._batches.query(x), GetProbabilities)
        return {self._batches.label(value): float(p) for value, p in found.items()}

    def forget(self, keep: int = 0) -> Self:
        """Let all rows of a window leave but the last ones, as when a detector tells of drift.

        Parameters
        ----------
        keep
            How many rows stay.
        """
        if not isinstance(self._running, LastRows):
            raise ParameterError(
                "Only a window can forget its old rows. Give Online a window=, or a half_life= to "
                "forget little by little."
            )
        self._running.shorten(keep)
        self._model = self._asked = self._chosen = None
        return self

    def __repr__(self) -> str:
        given = {"window": self.window, "half_life": self.half_life, "kinds": self.kinds}
        told = [f"{name}={value!r}" for name, value in given.items() if value is not None]
        return f"Online({', '.join([repr(self.learner), *told])})"
