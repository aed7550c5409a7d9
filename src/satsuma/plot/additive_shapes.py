"""Shapes of an additive model: what a column adds, and what two add together."""

from typing import TYPE_CHECKING, Any

import numpy as np

from satsuma.errors import DomainError, ParameterError
from satsuma.learners.additive.additive_model import AdditiveClassifier
from satsuma.learners.additive.effect_shapes import AdditiveModel, Shape, interval
from satsuma.plot.descriptions import set_description, short
from satsuma.plot.style import GREY, INK, PALETTE, canvas, entitle

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from satsuma.numerics.arrays import Floats

#: Standard errors on each side of a shape: about 95 % of what it may be.
_BAND = 2.0

#: Cells of a pair whose effects are written into them, at most; names of bins along a side, and
#: their letters: two numbers of six digits, the word between, and room for signs.
_WRITTEN, _NAMES, _LETTERS = 64, 6, 24

#: Values of a symbol that are drawn at most: those of most rows.
_VALUES = 20


def shape(
    model: AdditiveModel, column: str, of: str | None = None, *, ax: "Axes | None" = None
) -> "Axes":
    """Draw what a column of an additive model adds, with a band of two standard errors.

    Parameters
    ----------
    model
        What `Additive` learned.
    column
        The name of the column.
    of
        Of more than two classes, the one whose score is drawn; the first unless given.
    ax
        Where to draw; a new figure unless given.

    Examples
    --------
    >>> import satsuma
    >>> from satsuma import plot
    >>> ax = plot.shape(satsuma.Additive()(satsuma.load("titanic")), "sex")
    >>> plot.describe(ax)
    'What sex adds to the log odds of survived = no against yes: most for male (+0.61), least for
    female (-2.23).'
    """
    score, what = _score(model, of)
    found = model.shape(column, score)
    rows = found.rows[:-1]
    with canvas(ax) as drawn:
        drawn.axhline(0, color=GREY, linewidth=0.8)
        if model.domain[column].kind == "sym":
            order = np.sort(np.argsort(-rows, kind="stable")[:_VALUES])
            _points(drawn, found, order)
        else:
            _steps(drawn, found)
        drawn.set_xlabel(short(column))
        drawn.set_ylabel("adds")
        note = f"to {what}; the band is two standard errors"
        if rows.sum() < found.rows.sum():
            missing, error = found.effects[-1], _BAND * found.errors[-1]
            drawn.axhspan(missing - error, missing + error, color=PALETTE[1], alpha=0.18, lw=0)
            drawn.axhline(missing, color=PALETTE[1], linewidth=1.2, linestyle=(0, (4, 3)))
            note += "; dashed where it is missing"
        entitle(drawn, f"What {short(column)} adds", note)
        return set_description(drawn, _sentence(model, found, what))


def pair(
    model: AdditiveModel,
    one: str,
    other: str,
    of: str | None = None,
    *,
    ax: "Axes | None" = None,
) -> "Axes":
    """Draw what two columns of an additive model add together, beside what each adds alone.

    Parameters
    ----------
    model
        What `Additive` learned; ``model.terms`` has its pairs.
    one, other
        The names of the columns: the first goes across, the second upwards.
    of
        Of more than two classes, the one whose score is drawn; the first unless given.
    ax
        Where to draw; a new figure unless given.

    Examples
    --------
    >>> import satsuma
    >>> from satsuma import plot
    >>> ax = plot.pair(satsuma.Additive()(satsuma.load("titanic")), "status", "sex")
    >>> plot.describe(ax)
    'What status and sex add together to the log odds of survived = no against yes: most for
    status third, sex female (+1.07).'
    """
    score, what = _score(model, of)
    cells, rows = model.grid(one, other, score)
    across, upwards = model.coarse_names(one), model.coarse_names(other)
    most = float(np.abs(cells).max(initial=0.0)) or 1.0
    with canvas(ax) as drawn:
        image = drawn.imshow(
            cells.T, origin="lower", aspect="auto", cmap="PuOr", vmin=-most, vmax=most
        )
        for a, b in np.ndindex(*cells.shape) if cells.size <= _WRITTEN else ():
            strong = abs(cells[a, b]) > 0.6 * most
            text = f"{cells[a, b]:+.2g}" if rows[a, b] > 0 else "no rows"
            drawn.text(
                a, b, text, ha="center", va="center", fontsize=7.5,
                color="white" if strong else INK,
            )  # fmt: skip
        places, names = _ticks(across)
        turned = _turned(names)
        drawn.set_xticks(places, names, rotation=turned, ha="right" if turned else "center")
        drawn.set_yticks(*_ticks(upwards))
        drawn.set_xlabel(short(one))
        drawn.set_ylabel(short(other))
        figure: Any = drawn.figure
        figure.colorbar(image, ax=drawn, label="adds")
        entitle(
            drawn,
            f"What {short(one)} and {short(other)} add together",
            f"to {what}, beside each alone",
        )
        a, b = np.unravel_index(int(np.argmax(np.where(rows > 0, cells, -np.inf))), cells.shape)
        told = (
            f"What {one} and {other} add together to {what}: most for {one} {across[int(a)]}, "
            f"{other} {upwards[int(b)]} ({cells[a, b]:+.2f})."
        )
        return set_description(drawn, told)


def _ticks(names: list[str]) -> tuple[list[int], list[str]]:
    """Where names of bins are written, and these: of many, some."""
    places = list(range(0, len(names), -(-len(names) // _NAMES)))
    return places, [short(names[at], _LETTERS) for at in places]


def _turned(names: list[str]) -> int:
    """By how many degrees names across are turned, so that they do not overlap."""
    return 30 if sum(map(len, names)) > 60 else 0


def _score(model: Any, of: str | None) -> tuple[int, str]:
    """Which score is meant, and what it is of."""
    if not isinstance(model, AdditiveModel):
        raise DomainError(
            f"plot.shape and plot.pair draw what Additive learned; this is of type "
            f"{type(model).__name__}."
        )
    if not isinstance(model, AdditiveClassifier):
        return 0, f"{model.target.name}"
    names = [model.classes[int(code)] for code in model.seen]
    if len(names) == 1:
        raise DomainError(f"{model.target.name} is always {names[0]}: there is no shape to draw.")
    if len(names) == 2:
        return 0, f"the log odds of {model.target.name} = {names[1]} against {names[0]}"
    if of is not None and of not in names:
        raise ParameterError(f"There is no class {of!r}. There are: {', '.join(map(repr, names))}.")
    at = 0 if of is None else names.index(of)
    return at, f"the score of {model.target.name} = {names[at]}"


def _steps(drawn: "Axes", found: Shape) -> None:
    """The shape of a number, from bin to bin."""
    edges, effects, errors = np.array(found.bins), found.effects[:-1], found.errors[:-1]
    first = edges[0] - (edges[1] - edges[0] if len(edges) > 1 else 1.0)
    ends = np.concatenate([[first], edges])
    drawn.stairs(
        effects + _BAND * errors, ends, baseline=effects - _BAND * errors, fill=True,
        color=PALETTE[0], alpha=0.18, linewidth=0,
    )  # fmt: skip
    drawn.stairs(effects, ends, baseline=None, color=PALETTE[0], linewidth=1.6)


def _points(drawn: "Axes", found: Shape, order: Any) -> None:
    """The effects of the values of a symbol."""
    at, effects = np.arange(len(order)), found.effects[order]
    drawn.errorbar(
        at, effects, _BAND * found.errors[order], fmt="o", color=PALETTE[0], ecolor=PALETTE[0],
        elinewidth=1.2, capsize=3, markersize=5,
    )  # fmt: skip
    names = [short(str(found.bins[each]), 14) for each in order.tolist()]
    turned = _turned(names)
    drawn.set_xticks(at, names, rotation=turned, ha="right" if turned else "center")
    drawn.set_xlim(-0.6, len(order) - 0.4)


def _sentence(model: AdditiveModel, found: Shape, what: str) -> str:
    effects: Floats = np.where(found.rows[:-1] > 0, found.effects[:-1], np.nan)
    start = f"What {found.column} adds to {what}"
    if not np.isfinite(effects).any():
        return f"{start}: it is always missing."
    high, low = int(np.nanargmax(effects)), int(np.nanargmin(effects))
    if model.domain[found.column].kind == "num":
        ends = [f"for {interval(found.bins, at, at)}" for at in (high, low)]
    else:
        ends = [f"for {found.bins[at]}" for at in (high, low)]
    return f"{start}: most {ends[0]} ({effects[high]:+.2f}), least {ends[1]} ({effects[low]:+.2f})."
