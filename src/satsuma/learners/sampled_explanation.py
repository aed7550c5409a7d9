"""Explanations by sampling, of models whose columns do not add up, and the rows that they need."""

from typing import TYPE_CHECKING, Any

import numpy as np

from satsuma.data.table import Table
from satsuma.errors import ParameterError, SatsumaError
from satsuma.learners.explanation import PRIOR, Explanation
from satsuma.learners.model import Classifier, Model
from satsuma.learners.predictions import numbers_of, probabilities_of
from satsuma.learners.shapley_values import BACKGROUND, SAMPLES, sampled_shapley
from satsuma.measures.marginals import Marginal
from satsuma.numerics.arrays import DTYPES, MISSING, Array

if TYPE_CHECKING:
    from satsuma.data.domain import Domain


def sampled_explanation(
    model: Model,
    batch: Table,
    value: str | None = None,
    *,
    table: Table | None = None,
    samples: int = SAMPLES,
    seed: int = 0,
) -> Explanation:
    """What each column adds to the probability of a class, or to a number: Shapley values.

    Parameters
    ----------
    model
        What predicts.
    batch
        One row, with the attributes of the model: see `Model.rows_of`.
    value
        The class; the one that is predicted unless given.
    table
        The background: rows that the row is held against. Unless given, rows that the model was
        learned from; where they are not at hand, rows drawn from its `marginals`.
    samples
        How many orders of the columns are drawn.
    seed
        Where chance starts from.
    """
    if samples < 2:
        raise ParameterError(f"samples must be 2 or more. Got {samples!r}.")
    if isinstance(model, Classifier):
        chances = probabilities_of(model, batch)
        predicted = model.classes[int(model.codes_given(chances, batch)[0])]
        this = model.target.code(predicted if value is None else value)
        if not model.domain.attributes:
            return _nothing_known(model.classes[this], predicted, float(chances[0, this]))
        rows = background_rows(model, table, seed)
        found = sampled_shapley(
            lambda some: probabilities_of(model, some)[:, [this]], batch, rows, samples, seed
        )
        parts, errors = _named(model.domain, found)
        told = model.classes[this]
        return Explanation(
            told, None, parts, predicted=predicted, of="probability", exact=False, errors=errors
        )
    numeric: Any = model
    predicted = float(numbers_of(numeric, batch)[0])
    if not model.domain.attributes:
        return Explanation(None, None, {PRIOR: predicted}, predicted=predicted, of="number")
    rows = background_rows(model, table, seed)
    found = sampled_shapley(
        lambda some: numbers_of(numeric, some)[:, None], batch, rows, samples, seed
    )
    parts, errors = _named(model.domain, found)
    return Explanation(
        None, None, parts, predicted=predicted, of="number", exact=False, errors=errors
    )


def _nothing_known(value: str, predicted: str, chance: float) -> Explanation:
    return Explanation(value, None, {PRIOR: chance}, predicted=predicted, of="probability")


def _named(domain: "Domain", found: Any) -> tuple[dict[str, float], dict[str, float]]:
    names = [v.name for v in domain.attributes]
    added: list[float] = found.added[:, 0].tolist()
    errors: list[float] = found.errors[:, 0].tolist()
    parts = {PRIOR: float(found.base[0]), **dict(zip(names, added, strict=True))}
    return parts, dict(zip(names, errors, strict=True))


def background_rows(
    model: Model, table: Table | None = None, seed: int = 0, most: int = BACKGROUND
) -> Table:
    """Rows to hold others against, with the columns of a model: of a table, kept ones, or drawn.

    Examples
    --------
    >>> import satsuma
    >>> iris = satsuma.load("iris")
    >>> len(background_rows(satsuma.KNN(iris)))
    100
    """
    kept: Table | None = vars(model).get("_sample")
    if table is not None or kept is not None:
        rows = model.rows_of(model.training_sample if table is None else table)
        if not len(rows):
            raise SatsumaError("The background has no rows. Give some: table=….")
        places = np.linspace(0, len(rows) - 1, min(most, len(rows))).round().astype(np.intp)
        return rows[places]
    if not model.has_marginals:
        raise SatsumaError(
            f"This {type(model).__name__} has no rows at hand to hold the row against: it was not "
            f"learned from a table in memory, or was copied. Give some rows: table=…."
        )
    return drawn_rows(model, most, seed)


def drawn_rows(model: Model, n: int, seed: int = 0) -> Table:
    """Rows of which each cell is drawn by itself, by the `marginals` of a model."""
    from satsuma.data.domain import Domain

    rng = np.random.default_rng(seed)
    columns: list[Array] = []
    for variable in model.domain.attributes:
        cells = np.full(n, MISSING[variable.kind], DTYPES[variable.kind])
        if variable.kind in ("num", "sym") and variable.name in model.marginals:
            held = model.marginals[variable.name]
            known = _known_cells(held, variable.codes if variable.kind == "sym" else None)
            shares = np.append(held.counts, held.missing)
            if shares.sum() > 0:
                known = np.append(known, MISSING[variable.kind])
                cells = rng.choice(known, n, p=shares / shares.sum()).astype(cells.dtype)
        columns.append(cells)
    return Table(Domain(model.domain.attributes), columns, check=False)


def _known_cells(held: Marginal, codes: Any) -> Array:
    """The values of a column as it holds them."""
    if codes is None:
        return held.points
    return np.array([codes.get(value, -1) for value in held.values], np.int64)
