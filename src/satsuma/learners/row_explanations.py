"""Row explanations: why a model predicts what it predicts, for a row or for several."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, overload

from satsuma.data.result_frame import ResultFrame
from satsuma.data.table import Table
from satsuma.errors import DomainError, ParameterError, described
from satsuma.learners.counterfactual import cell_of, counterfactual
from satsuma.learners.estimator.api import model_of
from satsuma.learners.explanation import PRIOR, Explanation
from satsuma.learners.model import Classifier, Model, Query, Regressor
from satsuma.learners.sampled_explanation import sampled_explanation
from satsuma.learners.shapley_values import SAMPLES

if TYPE_CHECKING:
    import pandas as pd

    from satsuma.learners.learner import Learner

#: Explanations that are printed.
_SHOWN = 10


class Explanations(Sequence[Explanation], ResultFrame):
    """The explanations of several rows, in order.

    Parameters
    ----------
    explanations
        One for each row.
    """

    def __init__(self, explanations: Iterable[Explanation]) -> None:
        self._held = list(explanations)

    @overload
    def __getitem__(self, at: int) -> Explanation: ...
    @overload
    def __getitem__(self, at: slice) -> "Explanations": ...
    def __getitem__(self, at: int | slice) -> "Explanation | Explanations":
        if isinstance(at, slice):
            return Explanations(self._held[at])
        return self._held[at]

    def __len__(self) -> int:
        return len(self._held)

    def __iter__(self) -> Iterator[Explanation]:
        return iter(self._held)

    def to_pandas(self) -> "pd.DataFrame":
        """A pandas data frame: a line for each row and column, with its value and what it adds."""
        import pandas as pd

        lines = [
            {
                "row": at,
                "predicted": each.predicted,
                "explained": each.value,
                "against": each.against,
                "column": name,
                "value": each.cells.get(name),
                "adds": added,
            }
            for at, each in enumerate(self)
            for name, added in each.items()
        ]
        return pd.DataFrame(lines)

    def __repr__(self) -> str:
        told = [f"Row {at}: {each}" for at, each in enumerate(self._held[:_SHOWN])]
        more = len(self) - _SHOWN
        return "\n\n".join([*told, *([f"… and {more} more rows"] if more > 0 else [])])

    def _repr_html_(self) -> str:
        told = [each._repr_html_() for each in self._held[:_SHOWN]]  # pyright: ignore[reportPrivateUsage]
        more = len(self) - _SHOWN
        return "\n".join([*told, *([f"<p>… and {more} more rows</p>"] if more > 0 else [])])


def explain(
    model: "Model | Learner",
    rows: Query | Table,
    *,
    value: str | None = None,
    against: str | None = None,
    to: Any = None,
    change: str | Iterable[str] | None = None,
    fixed: str | Iterable[str] = (),
    counterfactuals: bool | None = None,
    table: Table | None = None,
    samples: int = SAMPLES,
    seed: int = 0,
) -> Any:
    """Why a model predicts what it predicts, and what would change that.

    What the prior and each column add to the prediction is exact wherever a model adds up (naive
    Bayes, discriminant analysis, linear models, additive models, model trees), and for trees,
    forests and boosted trees (TreeSHAP). Of all others, Shapley values are estimated by sampling:
    cells of rows of a background are replaced by those of the row, in random orders. Trees and
    rules have a path, nearest neighbours their neighbours; a forest that has its training rows at
    hand has those that are like a single row. Terms always sum to the log-odds, the
    probability or the number that is predicted: see `Explanation`.

    Parameters
    ----------
    model
        A model that predicts classes or numbers, or a learner that was fitted.
    rows
        A row, or a table of rows.
    value
        The class that is explained; the one that is predicted unless given.
    against
        The class that it is held against, of log-odds; the most probable of the rest unless given.
    to
        What a change should lead to: a class; of numbers ``(low, high)``, of which one may be None.
    change
        Columns that a change may be made in; all unless given.
    fixed
        Columns that cannot be changed.
    counterfactuals
        Whether to search for a change; unless given, of a single row and if `to`, `change` or
        `fixed` is. A change of a number is searched for only with `to`.
    table
        Rows that the row is held against where terms are sampled, and whose values changes are
        made of; those that the model was learned from unless given.
    samples
        How many orders of the columns are drawn where terms are sampled.
    seed
        Where chance starts from.

    Returns
    -------
    Explanation
        Of one row; of a table, `Explanations`, one after the other.

    Notes
    -----
    A term says what a column does in the model, not what it causes: the target need not change
    when the cell is changed. The same is true of what would change the prediction.

    Examples
    --------
    >>> from satsuma import ID3, explain, load
    >>> days = load("tennis")
    >>> print(explain(ID3(days), days[0]))
    Probability of play = no
    - outlook = sunny
    - humidity = high
    ...
    """
    used: Any = model_of(model)
    _check(used, samples)
    several = isinstance(rows, Table)
    search = counterfactuals
    if search is None:
        search = not several or to is not None or change is not None or bool(list(fixed))
    asked = _queries(rows)
    sampled = partial(sampled_explanation, table=table, samples=samples, seed=seed)
    terms = _terms(used, rows, (value, against), sampled)
    found = list[Explanation]()
    possible = to is not None or (isinstance(used, Classifier) and len(used.classes) > 1)
    for query, each in zip(asked, terms, strict=True):
        batch = used.rows_of(query)
        cells = {v.name: cell_of(batch, query, v.name) for v in used.domain.attributes}
        told = each.also(target=used.target.name, cells=cells)
        if search and possible and used.domain.attributes and (used.has_marginals or table):
            wanted = counterfactual(used, query, to=to, change=change, fixed=fixed, table=table)
            told = told.also(change=wanted)
        found.append(told)
    return Explanations(found) if several else found[0]


def _check(model: Any, samples: Any) -> None:
    if not isinstance(model, Classifier | Regressor):
        if isinstance(model, Model):
            raise DomainError(
                f"{type(model).__name__} predicts no class and no number that could be explained."
            )
        raise ParameterError(
            f"explain takes a model and rows: satsuma.explain(model, table[0]). Got "
            f"{described(model)} instead of a model."
        )
    if not isinstance(samples, int) or samples < 2:
        raise ParameterError(f"samples must be a whole number of 2 or more. Got {samples!r}.")


def _queries(rows: Query | Table) -> list[Query]:
    return list(rows) if isinstance(rows, Table) else [rows]


def _terms(
    model: Any,
    rows: Query | Table,
    classes: tuple[str | None, str | None],
    sampled: Callable[..., Explanation],
) -> list[Explanation]:
    """The terms of each row, all at once where a model can do that."""
    asked = _queries(rows)
    both: list[str | None] = list(classes)
    if not isinstance(model, Classifier):
        if classes != (None, None):
            raise ParameterError("value and against are classes, and this model predicts a number.")
        both = []
    elif len(model.classes) < 2:
        (only,) = model.target.values
        one = Explanation(only, None, {PRIOR: 1.0}, predicted=only, of="probability")
        return [one for _ in asked]
    at_once: Any = getattr(model, "explain_rows", None)
    if model.terms_of is not None and at_once is not None and isinstance(rows, Table):
        batch: Table = model.rows_of(rows)
        found: list[Explanation] = at_once(batch, *both) if len(batch) else []
        return [model.with_reasons(each, batch[at : at + 1]) for at, each in enumerate(found)]
    if model.terms_of is not None:
        return [model.explain(each, *both) for each in asked]
    batches: list[Table] = [model.rows_of(each) for each in asked]
    return [model.with_reasons(sampled(model, each, *both[:1]), each) for each in batches]
