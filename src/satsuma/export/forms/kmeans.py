"""Clusters around centres: a row belongs to the nearest, or to the first of those."""

import numpy as np

from satsuma.export.columns import Columns
from satsuma.export.expressions import (
    Expression,
    Known,
    Number,
    Operation,
    Program,
    Whole,
    case,
    compared,
    difference,
    lookup,
    product,
    square,
    total,
)
from satsuma.kernels.kmeans import TIE
from satsuma.learners.kmeans.nearest_centre import NearestCentreModel


def nearest_centre(model: NearestCentreModel) -> Program:
    """The first centre that is as near as the nearest."""
    columns = Columns(model.domain)
    numbers = [v.name for v in model.domain.attributes if v.kind == "num"]
    cells = [_scaled(model, columns, at, name) for at, name in enumerate(numbers)]
    symbols = [v for v in model.domain.attributes if v.kind == "sym"]
    at = model.space.scaled(model.at)
    far = list[Expression]()
    for centre, modes in zip(at, model.mode, strict=True):
        terms: list[Expression] = [
            Known(square(difference(cell, Number(float(middle)))), 0.0)
            for cell, middle in zip(cells, centre, strict=True)
            if not np.isnan(middle)
        ]
        for variable, mode in zip(symbols, modes.tolist(), strict=True):
            differs = [float(code != mode) for code in range(len(variable.values))]
            terms.append(lookup(columns.code(variable.name), differs))
        far.append(total(*terms))
    return Program(_first_least(far))


def _scaled(model: NearestCentreModel, columns: Columns, at: int, name: str) -> Expression:
    """A number as the distance sees it; beyond the range it is brought to it."""
    space = model.space
    shift, width = float(space.shift[at]), float(space.width[at])
    away = difference(columns.number(name), Number(shift))
    if not space.scale:
        return away
    scaled = Operation("quotient", (away, Number(width)))
    low, high = Number(0.0), Number(1.0)
    return case(
        (compared(scaled, "<=", low), low), (compared(scaled, ">", high), high), otherwise=scaled
    )


def _first_least(far: list[Expression]) -> Expression:
    if len(far) == 1:
        return Whole(0)
    least = product(-1.0, Operation("greatest", tuple(product(-1.0, each) for each in far)))
    near = product(1 + TIE, least)
    whens = [(compared(each, "<=", near), Whole(at)) for at, each in enumerate(far[:-1])]
    return case(*whens, otherwise=Whole(len(far) - 1))
