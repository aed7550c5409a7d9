"""Cell effects: what each cell of a row changes in what a model says of it."""

from typing import TYPE_CHECKING, Any

import numpy as np

from satsuma.data.row import Row
from satsuma.data.table import Table
from satsuma.learners.model import Classifier, Model, Query
from satsuma.numerics.arrays import MISSING

if TYPE_CHECKING:
    from satsuma.numerics.arrays import Array


def cell_effects(model: Model, query: Query) -> dict[str, float]:
    """What is lost when a cell is not known, for each column: largest first.

    Of classes, it is the change of the probability of the one that is predicted, of numbers the
    change of the number. A cell that is missing already changes nothing, and is not told. Columns
    are left out one at a time, so what two of them say together is not divided among them.

    Examples
    --------
    >>> import satsuma
    >>> voting = satsuma.load("voting")
    >>> told = cell_effects(satsuma.KNN(k=5)(voting), voting[2])
    >>> max(told.values()) <= 1
    True
    """
    rows = model.asked(
        query.table[query.index : query.index + 1] if isinstance(query, Row) else query
    )
    known = [at for at in range(len(rows.domain)) if not rows.missing(at)[0]]
    if not known:
        return {}
    columns: list[Array] = [np.repeat(column, len(known) + 1) for column in rows.columns]
    for place, at in enumerate(known):
        columns[at][place + 1] = MISSING[rows.domain[at].kind]
    asked: Any = model
    batch = Table(rows.domain, columns, check=False)
    if isinstance(model, Classifier):
        chances = model.probabilities(batch)
        said = chances[:, int(model.codes(batch)[0])]
    else:
        said = asked.numbers(batch)
    lost = (said[0] - said[1:]).tolist()
    told = {rows.domain[at].name: float(each) for at, each in zip(known, lost, strict=True)}
    return dict(sorted(told.items(), key=lambda part: -abs(part[1])))
