"""Shape listing: an additive model in text, columns that matter most first."""

from collections.abc import Iterator

import numpy as np

from satsuma.learners.additive.additive_model import AdditiveClassifier, AdditiveRegressor
from satsuma.learners.additive.effect_shapes import AND, AdditiveModel, interval
from satsuma.learners.informative import missing_note
from satsuma.numerics.arrays import Floats

#: Effects of neighbouring bins that differ by less than this part of the largest are one line.
_ALIKE = 0.12

#: Lines of a shape, at most.
_LINES = 12

#: Blocks that the bins of a number in a pair are put together to.
_BLOCKS = 4

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
    told = missing_note(model.informative)
    return "\n".join([*lines, *([""] if told else []), *told])


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
    if model.domain[name].kind == "sym":
        for at, value in enumerate(bins):
            if rows[at] > 0:
                yield value, effects[:, at].tolist(), float(rows[at])
    else:
        for first, last in _runs(effects[:, : len(bins)]):
            own = slice(first, last + 1)
            mean = effects[:, own] @ rows[own] / max(rows[own].sum(), 1e-300)
            yield interval(bins, first, last), mean.tolist(), float(rows[own].sum())
    if rows[-1] > 0:
        yield "missing", effects[:, -1].tolist(), float(rows[-1])


def _runs(effects: Floats) -> list[tuple[int, int]]:
    """Neighbours whose effects differ little from the first of them: as many runs as can be read.

    Examples
    --------
    >>> _runs(np.array([[0.0, 0.01, 1.0, 1.0]]))
    [(0, 1), (2, 3)]
    """
    limit = _ALIKE * float(np.abs(effects).max(initial=0.0))
    while True:
        starts = [0]
        for at in range(1, effects.shape[1]):
            if np.abs(effects[:, at] - effects[:, starts[-1]]).max() > limit:
                starts.append(at)
        if len(starts) <= _LINES:
            return [
                *zip(starts, [*(at - 1 for at in starts[1:]), effects.shape[1] - 1], strict=True)
            ]
        limit *= 1.2


def _cells(model: AdditiveModel, name: str) -> Iterator[Line]:
    """The blocks of a pair that matter, strongest first: at most eight."""
    layout = model.layout
    at = model.terms.index(name)
    pair, grid = layout.pairs[at - len(layout.names)], layout.grids[at - len(layout.names)]
    one, other = (layout.names[column] for column in pair)
    blocks = [
        np.arange(n) * min(n, _BLOCKS) // n if layout.is_number(column) else np.arange(n)
        for column, n in zip(pair, grid, strict=True)
    ]
    ones, others = (
        model.coarse_names(column, each) for column, each in zip((one, other), blocks, strict=True)
    )
    block = (blocks[0][:, np.newaxis] * len(others) + blocks[1]).ravel()
    own = slice(layout.starts[at], layout.starts[at] + layout.widths[at])
    rows = np.bincount(block, model.rows[own], len(ones) * len(others))
    sums = [np.bincount(block, each * model.rows[own], len(rows)) for each in model.effects[:, own]]
    effects = np.array(sums) / np.where(rows > 0, rows, 1.0)
    moved = np.abs(effects).max(axis=0)
    for cell in np.argsort(-moved, kind="stable")[:8].tolist():
        if moved[cell] > 0:
            a, b = divmod(cell, len(others))
            label = f"{one} {ones[a]}, {other} {others[b]}"
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
