"""Anomaly scores: how unlike the others rows are, and which ones are outliers."""

from typing import TYPE_CHECKING

import numpy as np

from satsuma.learners.anomaly.model import AnomalyModel
from satsuma.plot.descriptions import set_description, short
from satsuma.plot.plot_data import drawn_as, rows_to_draw
from satsuma.plot.style import GREY, INK, PALETTE, canvas, entitle

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from satsuma.data.table import Table
    from satsuma.learners.model import Model
    from satsuma.numerics.arrays import Array, Floats

#: Outliers that are named, with the columns that make them so.
_NAMED = 5

_USUAL, _OUTLIER = PALETTE[0], PALETTE[5]


def anomalies(model: "Model", *, table: "Table | None" = None, ax: "Axes | None" = None) -> "Axes":
    """Draw the anomaly scores of rows, from the lowest to the highest.

    Rows above the model's limit are marked; the highest are named by their number and by the
    columns that make them outliers. At a half, a row is as far from its neighbours as is usual
    there.

    Parameters
    ----------
    model
        Of `Anomaly`.
    table
        The rows; those that the model keeps as a sample unless given.
    ax
        Where to draw; a new figure unless given.

    Examples
    --------
    >>> import satsuma
    >>> from satsuma import plot
    >>> iris = satsuma.load("iris")
    >>> ax = plot.anomalies(satsuma.Anomaly()(iris), table=iris)
    >>> ax.get_title("left")
    'Anomaly scores of 150 rows'
    """
    model = drawn_as(model, AnomalyModel, "plot.anomalies draws the models of Anomaly")
    rows = rows_to_draw(model, table)
    scores = model.scores(rows)
    order = np.argsort(scores, kind="stable")
    outliers = int((scores > model.limit).sum())
    with canvas(ax) as drawn:
        across, up = np.arange(len(scores)), scores[order]
        for mine, fill in ((up <= model.limit, _USUAL), (up > model.limit, _OUTLIER)):
            drawn.fill_between(across, 0, up, where=mine, color=fill, alpha=0.15, linewidth=0)
            drawn.scatter(across[mine], up[mine], s=10, color=fill, zorder=3)
        _lines(drawn, model.limit)
        named = _name(drawn, model, rows, scores, order[::-1][: min(_NAMED, outliers)])
        drawn.set_xlim(-0.02 * len(scores) - 0.6, len(scores) - 0.4 + 0.02 * len(scores))
        drawn.set_ylim(0, 1.03)
        drawn.set_xlabel("rows, by anomaly score")
        drawn.set_ylabel("anomaly score")
        entitle(
            drawn,
            f"Anomaly scores of {len(scores)} rows",
            f"{outliers} outliers above {model.limit:.3f}",
        )
        return set_description(drawn, _description(model, scores, outliers, named))


def _lines(ax: "Axes", limit: float) -> None:
    for height, told, fill in ((0.5, "usual", GREY), (limit, "outliers above this", _OUTLIER)):
        ax.axhline(height, color=fill, linewidth=0.9, linestyle="--", zorder=2)
        ax.annotate(
            told, (0, height), (4, 3), xycoords=("axes fraction", "data"),
            textcoords="offset points", fontsize=8, color=fill, annotation_clip=False,
        )  # fmt: skip


def _name(
    ax: "Axes", model: AnomalyModel, rows: "Table", scores: "Floats", highest: "Array"
) -> list[str]:
    """Name the rows with the highest scores, one below the other so that they do not overlap."""
    named: list[str] = []
    numbers: list[int] = highest.tolist()
    last = len(scores) - 1
    for place, row in enumerate(numbers):
        why = [name for name, share in list(model.why(rows[row]).items())[:2] if share > 0]
        told = f"row {row}" + (f": {', '.join(short(name, 18) for name in why)}" if why else "")
        ax.annotate(
            told, (last - place, float(scores[row])), (0.78 * last, 0.99 - 0.055 * place),
            fontsize=8, color=INK, ha="right", va="center",
            arrowprops={"arrowstyle": "-", "color": GREY, "linewidth": 0.7, "relpos": (1, 0.5)},
        )  # fmt: skip
        named.append(told)
    return named


def _description(model: AnomalyModel, scores: "Floats", outliers: int, named: list[str]) -> str:
    told = f"Anomaly scores of {len(scores)} rows, from {scores.min():.2f} to {scores.max():.2f}; "
    told += f"{outliers} are outliers, above {model.limit:.3f}"
    return f"{told}. The highest is {named[0]}." if named else f"{told}."
