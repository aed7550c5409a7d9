"""Shape listing: an additive model in text, columns that matter most first."""

from collections.abc import Iterator

import numpy as np

from satsuma.learners.additive.additive_model import (
    AND,
    AdditiveClassifier,
    AdditiveModel,
    AdditiveRegressor,
    interval,
)
from satsuma.numerics.arrays import Floats

#: Effects of neighbouring bins that differ by less than this part of the largest are one line.
_ALIKE = 0.12

#: Effects below this are nothing.
_NOTHING = 1e-6

Line = tuple[str, list[float], float]


def listing(model: AdditiveModel) -> str:
    """What the sum is of, and what each column and each pair adds, bin by bin."""
    matters = model.importances()
    largest = max(matters.values(), default=0.0)
    lines = [_head(model)]
    for name, importance in matters.items():
        if importance <= 1e-3 * largest:
            continue
        lines += ["", f"{name}, which moves it by {importance:.3g}:"]
        lines += _table(list(_lines(model, name)))
    idle = [name for name, moved in matters.items() if moved <= 1e-3 * largest and AND not in name]
    if idle:
        lines += ["", f"These make no difference: {', '.join(idle)}."]
    return "\n".join(lines)


def _head(model: AdditiveModel) -> str:
    target, constants = model.target.name, ", ".join(f"{c:.4g}" for c in model.constant)
    if isinstance(model, AdditiveRegressor):
        noun = f"{target} ± {model.sd:.3g}"
        noun = f"the logarithm of {target}" if model.link == "log" else noun
        return f"{noun} is {constants} and what these add:"
    assert isinstance(model, AdditiveClassifier)
    names: list[str] = [model.classes[int(code)] for code in model.seen]
    if len(names) == 1:
        return f"{target} is always {names[0]}"
    if len(names) == 2:
        odds = f"log odds of {target} = {names[1]} against {names[0]}"
        return f"{odds} are {constants} and what these add:"
    return f"scores of {target} = {', '.join(names)} are {constants} and what these add:"


def _lines(model: AdditiveModel, name: str) -> Iterator[Line]:
    """The bins of a column, or the cells of a pair: what they are called, effects, rows."""
    if AND in name and name not in model.layout.names:
        yield from _cells(model, name)
        return
    shapes = [model.shape(name, score) for score in range(len(model.constant))]
    rows, bins = shapes[0].rows, shapes[0].bins
    effects = np.array([shape.effects for shape in shapes])
    limit = _ALIKE * float(np.abs(effects[:, : len(bins)]).max(initial=0.0))
    if model.domain[name].kind == "sym":
        for at, value in enumerate(bins):
            if rows[at] > 0:
                yield value, effects[:, at].tolist(), float(rows[at])
    else:
        for first, last in _runs(effects[:, : len(bins)], limit):
            own = slice(first, last + 1)
            mean = effects[:, own] @ rows[own] / max(rows[own].sum(), 1e-300)
            yield interval(bins, first, last), mean.tolist(), float(rows[own].sum())
    if rows[-1] > 0:
        yield "missing", effects[:, -1].tolist(), float(rows[-1])


def _runs(effects: Floats, limit: float) -> Iterator[tuple[int, int]]:
    """Neighbours whose effects differ little from the first of them."""
    first = 0
    for at in range(1, effects.shape[1]):
        if np.abs(effects[:, at] - effects[:, first]).max() > limit:
            yield first, at - 1
            first = at
    yield first, effects.shape[1] - 1


def _cells(model: AdditiveModel, name: str) -> Iterator[Line]:
    """The cells of a pair that matter, strongest first: at most eight."""
    layout = model.layout
    at = model.terms.index(name)
    (a, b), (_, across) = layout.pairs[at - len(layout.names)], layout.grids[at - len(layout.names)]
    one, other = layout.names[a], layout.names[b]
    ones, others = model.coarse_names(one), model.coarse_names(other)
    own = slice(layout.starts[at], layout.starts[at] + layout.widths[at])
    effects, rows = model.effects[:, own], model.rows[own]
    moved = np.abs(effects).max(axis=0) * (rows > 0)
    for cell in np.argsort(-moved, kind="stable")[:8].tolist():
        if moved[cell] > 0:
            label = f"{one} {ones[cell // across]}, {other} {others[cell % across]}"
            yield label, effects[:, cell].tolist(), float(rows[cell])


def _table(lines: list[Line]) -> list[str]:
    wide = max((len(label) for label, *_ in lines), default=0)
    return [
        f"  {label:<{wide}}  {'  '.join(map(_signed, effects))}  {rows:>8g} "
        + ("row" if rows == 1 else "rows")
        for label, effects, rows in lines
    ]


def _signed(effect: float) -> str:
    """An effect in a table; what is nothing but rounding is shown as 0."""
    return f"{effect if abs(effect) >= _NOTHING else 0.0:>+9.3g}"
