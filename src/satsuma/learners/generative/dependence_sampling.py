"""Rows drawn from averaged dependence estimators: a parent, its value, and the others given it."""

from typing import TYPE_CHECKING, Any

import numpy as np

from satsuma.data.table import Table
from satsuma.learners.generative.dependence import Dependence
from satsuma.learners.generative.random_rows import Cells, draw_classes, table_of
from satsuma.likelihoods.categorical import draw_codes
from satsuma.numerics.arrays import Array, Codes, Floats

if TYPE_CHECKING:
    from satsuma.learners.generative.dependence_model import AnDEModel


def sample_dependent_rows(model: "AnDEModel", n: int, of: str | None, seed: int) -> Table:
    """Rows of a class, or of all classes by their prior; see `AnDEModel.sample`."""
    rng = np.random.default_rng(seed)
    classes = draw_classes(model, n, of, rng)
    codes = [np.full(len(classes), -1, np.int32) for _ in model.tally.names]
    made = model.dependences(model.n)
    tables = [_base(each) for each in made]
    # How probable each set of parents is together with a class, for values that have a say.
    pairs = zip(model.weights, tables, strict=True)
    say = np.array([weight * table.sum(axis=0) for weight, table in pairs])
    chosen = draw_codes(say[:, classes], rng)
    for at, (each, table) in enumerate(zip(made, tables, strict=True)):
        rows = np.flatnonzero(chosen == at)
        if len(rows):
            drawn = _draw(each, table, model.tally.levels, classes[rows], rng)
            for place, cells in drawn.items():
                codes[place][rows] = cells
    return table_of(model, classes, _cells(model.tally, codes, rng))


def _base(each: Dependence) -> Floats:
    """(values of the parents, classes): the probability of both, 0 where too few rows have it."""
    return np.where(each.enough[:-1, None], np.exp(each.base), 0.0)


def _draw(
    each: Dependence,
    table: Floats,
    levels: tuple[int, ...],
    classes: Codes,
    rng: np.random.Generator,
) -> dict[int, Codes]:
    """Codes by the place of the column: of the parents, and of the children given them."""
    value, found = draw_codes(table[:, classes], rng), dict[int, Codes]()
    left = value
    for place in reversed(each.parents):
        left, code = np.divmod(left, levels[place])
        found[place] = np.where(value < 0, -1, code).astype(np.int32)
    for place, logs in each.children.items():
        shares = np.exp(logs).reshape(len(table), levels[place], -1)
        drawn = draw_codes(shares[value, :, classes].T, rng)
        found[place] = np.where(value < 0, -1, drawn).astype(np.int32)
    return found


def _cells(tally: Any, codes: list[Codes], rng: np.random.Generator) -> Cells:
    found: Cells = {}
    for variable, each in zip(tally.variables, codes, strict=True):
        cuts = tally.cuts.get(variable.name) if variable.kind == "num" else None
        found[variable.name] = each if cuts is None else numbers_in(np.asarray(cuts), each, rng)
    return found


def numbers_in(cuts: Floats, codes: Codes, rng: np.random.Generator) -> Array:
    """Numbers anywhere in their intervals; missing where nothing is cut.

    The first and the last interval have no end. They are taken to be as wide as their neighbour,
    and with a single cut, as wide as the cut is far from 0.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> drawn = numbers_in(np.array([1.0, 3.0]), np.array([0, 1, 2, -1]), rng)
    >>> np.searchsorted([1.0, 3.0], drawn[:3]).tolist(), bool(np.isnan(drawn[3]))
    ([0, 1, 2], True)
    """
    if not len(cuts):
        return np.full(len(codes), np.nan)
    wide = np.diff(cuts) if len(cuts) > 1 else np.array([abs(cuts[0]) or 1.0])
    edges: Floats = np.concatenate(([cuts[0] - wide[0]], cuts, [cuts[-1] + wide[-1]]))
    share = 1 - rng.random(len(codes))  # open on the left
    cells = edges[codes] * (1 - share) + edges[codes + 1] * share
    return np.where(codes >= 0, cells, np.nan)
