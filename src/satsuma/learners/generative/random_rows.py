"""Sampling: rows drawn from what a generative model believes of the classes."""

from collections.abc import Callable
from typing import Any

import numpy as np

from satsuma.data.domain import Domain
from satsuma.data.table import Table
from satsuma.errors import ParameterError, SatsumaError
from satsuma.likelihoods.categorical import draw_codes
from satsuma.numerics.arrays import Array, Codes

Cells = dict[str, Array]


def sample_rows(model: Any, n: int, of: str | None, seed: int) -> Table:
    """Rows of a class, or of all classes by their prior; see `GenerativeModel.sample`."""
    rng = np.random.default_rng(seed)
    classes = draw_classes(model, n, of, rng)
    cells: Cells = {}
    for each in model.evidence:
        cells |= _drawer(each)(classes, rng)
    return table_of(model, classes, cells)


def draw_classes(model: Any, n: Any, of: str | None, rng: np.random.Generator) -> Codes:
    """The class of each row, as a code."""
    if isinstance(n, bool) or not hasattr(n, "__index__") or n < 1:
        raise ParameterError(f"A sample has at least one row. Got n={n!r}.")
    if of is not None:
        return np.full(int(n), model.target.code(of), np.int32)
    return draw_codes(np.repeat(model.prior[:, None], int(n), axis=1), rng)


def table_of(model: Any, classes: Codes, cells: Cells) -> Table:
    """The rows, with the attributes and the target of the model in their order."""
    variables = [v for v in model.domain if v.role in ("x", "target")]
    columns = [classes if v.role == "target" else cells[v.name] for v in variables]
    return Table(Domain(variables), columns)


def _drawer(evidence: Any) -> Callable[[Codes, np.random.Generator], Cells]:
    found = getattr(evidence, "sample", None)
    if found is None:  # evidence may be anything with `log_evidence`
        raise SatsumaError(
            f"Rows cannot be drawn: {type(evidence).__name__} has no `sample(classes, rng)`, "
            f"which draws cells of its columns."
        )
    return found
