"""Nomogram: what each value of each column adds to the odds of a class."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.ticker import MaxNLocator

from satsuma.data.variable import Variable
from satsuma.errors import ParameterError, SatsumaError
from satsuma.learners.additive.additive_model import AdditiveClassifier
from satsuma.plot.axis_scales import shown_codes
from satsuma.plot.descriptions import set_description, short
from satsuma.plot.log_odds import LogOdds, log_odds
from satsuma.plot.nomogram_scales import NomogramScale, draw_scales, format_tick
from satsuma.plot.plot_data import Points, attribute, classifier, name_of, points_of
from satsuma.plot.style import canvas, entitle

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from satsuma.data.table import Table
    from satsuma.learners.model import Classifier, Model

#: Columns that are drawn unless said otherwise.
_MOST = 12


def nomogram(
    model: "Model",
    value: str | None = None,
    *,
    against: str | None = None,
    columns: int | Sequence[str] | None = None,
    table: "Table | None" = None,
    ax: "Axes | None" = None,
) -> "Axes":
    """What each value of each column adds to the log-odds of a class, and what the sum means.

    Find the values of a row, add up what the scale on top says above them, and read the
    probability below the sum. The column that can add most is on top (Možina, Demšar, Kattan and
    Zupan 2004). Numbers are drawn from the 1st to the 99th percentile: along a line, or along a
    curve that rises with the number where the log-odds turn. What is beyond 7 stands at the end.
    Where the threshold was adjusted, a diamond on the scale of the sum shows it.

    Parameters
    ----------
    model
        Any model that predicts classes where the columns add up, such as `NaiveBayes`; it is
        tried out on the rows, and one where they do not is refused. Of an `Additive` model, the
        part without pairs is drawn.
    value
        The class; the first unless said otherwise.
    against
        The class it is compared with. Of two classes it is the other; of more it is, unless said
        otherwise, the one that is most probable besides it in its own rows. The probability is
        that of `value` among these two.
    columns
        The columns to draw, or how many; 12 unless said otherwise. Others add nothing.
    table
        The rows to take ranges from; without it, a sample of those that the model was learned
        from.
    ax
        Where to draw; without it, on a new figure.

    Examples
    --------
    >>> import satsuma
    >>> ax = satsuma.plot.nomogram(satsuma.NaiveBayes(satsuma.load("titanic")), "yes")
    >>> [label.get_text() for label in ax.get_yticklabels()][:3]
    ['sex', 'status', 'age']
    """
    asked = classifier(model)
    points, pairs = points_of(asked, table), 0
    if isinstance(asked, AdditiveClassifier):
        pairs, asked = len(asked.pairs), asked.without_pairs()
    pair = _pair(asked, value, against, points)
    odds = log_odds(asked, *pair, points)
    scales, hidden = _chosen(odds, columns, points)
    with canvas(ax, width=7.2, height=1.9 + 0.52 * len(scales)) as axes:
        draw_scales(axes, odds, scales)
        first, second = (short(asked.classes[code], 18) for code in pair)
        note = f" (not shown: {hidden} of {len(asked.domain.attributes)} columns)" if hidden else ""
        if pairs:
            note += f"\nwithout what {pairs} {'pair' if pairs == 1 else 'pairs'} of columns add"
        if odds.threshold:
            note += f"\ndiamond: {first} is predicted from here on (adjusted threshold)"
        title = f"Log-odds of {first} against {second}"
        entitle(axes, title, pad=10)
        axes.set_xlabel(f"log-odds that a value adds in {name_of(asked)}{note}")
    return set_description(axes, _description(asked, pair, scales))


def _pair(
    model: "Classifier", value: str | None, against: str | None, points: Points
) -> tuple[int, int]:
    """The codes of a class and of the one that it is compared with."""
    if len(model.classes) < 2:
        raise SatsumaError(f"{name_of(model)} knows one class alone: there are no odds to draw.")
    first = 0 if value is None else model.target.code(value)
    if against is not None:
        second = model.target.code(against)
        if second == first:
            raise ParameterError(f"value and against are both {against!r}. Name two classes.")
        return first, second
    mine = points.truth == first
    rows: Table = points.rows[np.flatnonzero(mine)] if mine.any() else points.rows
    probabilities = (
        model.probabilities(rows).mean(axis=0) if len(rows) else np.ones(len(model.classes))
    )
    probabilities[first] = -1
    return first, int(probabilities.argmax())


def _chosen(
    odds: LogOdds, columns: int | Sequence[str] | None, points: Points
) -> tuple[list[NomogramScale], int]:
    """The columns to draw, the one with the longest reach first, and how many are not drawn."""
    every = odds.model.domain.attributes
    most = _MOST if columns is None else columns
    if isinstance(most, str) or (isinstance(most, int) and most < 1):
        raise ParameterError(
            f"columns must be a list of names, or a number from 1 on. Got {most!r} instead."
        )
    named = list(every) if isinstance(most, int) else [
        attribute(odds.model, name) for name in most]  # fmt: skip
    found = [_scale(odds, variable, points) for variable in named]
    found = sorted((each for each in found if each), key=lambda each: -each.span)
    if not found:
        raise SatsumaError("No column tells these two classes apart: there is nothing to draw.")
    drawn = found[:most] if isinstance(most, int) else found
    return drawn, len(every) - len(drawn)


def _scale(odds: LogOdds, variable: Variable, points: Points) -> NomogramScale | None:
    """A column with what it adds; None if no row has a value in it."""
    cells = points.rows.column(variable.name)[~points.rows.missing(variable.name)]
    if not len(cells):
        return None
    if variable.kind == "sym":
        codes = shown_codes(points, variable)
        added = odds.added(variable, codes)
        names = [variable.values[int(code)] for code in codes]
        scale = NomogramScale(variable, added, names, added, np.zeros(len(codes)))
        return scale if not np.isnan(added).all() else None
    low, high = (float(end) for end in np.quantile(cells, [0.01, 0.99]))
    ticks: Any = MaxNLocator(5, steps=[1, 2, 2.5, 5, 10]).tick_values(low, high)
    inside = ticks[(ticks >= low) & (ticks <= high)] if low < high else np.array([low])
    line = odds.added(variable, np.linspace(low, high, 200))
    places = (inside - low) / ((high - low) or 1.0)
    names = [format_tick(tick) for tick in inside]
    scale = NomogramScale(variable, line, names, odds.added(variable, inside), places)
    return scale if not np.isnan(line).all() else None


def _description(model: "Classifier", pair: tuple[int, int], scales: list[NomogramScale]) -> str:
    first, second = (model.classes[code] for code in pair)
    parts: list[str] = []
    for scale in scales[:3]:
        known = not np.isnan(scale.added).all()
        best = scale.cells[int(np.nanargmax(scale.added))] if known else "?"
        parts.append(f"{scale.variable.name} (most for it: {best})")
    return (
        f"Nomogram of {name_of(model)}: the log-odds of {first} against {second}; the columns "
        f"that can add most are {', '.join(parts)}."
    )
