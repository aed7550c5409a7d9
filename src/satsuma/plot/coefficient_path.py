"""Coefficient path: slopes at every strength of L1 regularization."""

from typing import TYPE_CHECKING

import numpy as np

from satsuma.errors import DomainError
from satsuma.learners.linear.lasso_model import LassoModel
from satsuma.learners.linear.logistic_model import LogisticModel
from satsuma.plot.descriptions import set_description, short, some
from satsuma.plot.plot_data import drawn_as
from satsuma.plot.style import GREY, INK, canvas, colour, dash, entitle, legend, line_key

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from satsuma.learners.model import Model

#: Features that have a colour and a name; the others are grey.
_NAMED = 8


def path(model: "Model", *, ax: "Axes | None" = None) -> "Axes":
    """Draw the slope of each feature against the strength of L1 regularization.

    At the left all slopes are 0; to the right, regularization is weaker, and feature after feature
    comes in. A line marks the strength of the model. The eight features with the largest slopes
    have colours.

    Parameters
    ----------
    model
        Of `Lasso`, or of `Logistic` with ``l1="auto"``.
    ax
        Where to draw; without it, on a new figure.

    Examples
    --------
    >>> import satsuma
    >>> satsuma.plot.path(satsuma.Lasso(satsuma.load("housing"))).get_ylabel()
    'slope per standard deviation'
    """
    what = "plot.path draws models of Lasso, and of Logistic with l1='auto'"
    asked = model if isinstance(model, LogisticModel) else drawn_as(model, LassoModel, what)
    strengths, slopes, names, errors = asked.path
    if not np.abs(slopes).max(initial=0.0) > 0:
        raise DomainError(
            "No column varies together with the target, so that all slopes are 0 at any strength. "
            "Learn from other rows or columns."
        )
    largest = np.argsort(-np.abs(slopes).max(axis=0, initial=0.0), kind="stable")[:_NAMED]
    shown = [int(at) for at in largest if np.abs(slopes[:, at]).max() > 0]
    with canvas(ax) as axes:
        others = np.setdiff1d(np.arange(len(names)), shown)
        axes.plot(strengths, slopes[:, others], color=GREY, linewidth=0.8, alpha=0.6)
        for code, at in enumerate(shown):
            axes.plot(
                strengths, slopes[:, at], color=colour(code), linestyle=dash(code), linewidth=2
            )
        axes.axhline(0, color=INK, linewidth=0.8)
        inside = min(max(asked.l1, float(strengths.min())), float(strengths.max()))
        axes.axvline(inside, color=INK, linewidth=1, linestyle=":")
        axes.set_xscale("log")
        axes.set_xlim(float(strengths.max()), float(strengths.min()))
        axes.set(xlabel="strength l1 (weaker to the right)", ylabel="slope per standard deviation")
        how = "given" if errors is None else "least error by cross-validation"
        note = f"dotted: l1 = {asked.l1:.4g}, {how}; {_count(asked)} slopes are not 0"
        entitle(axes, f"Coefficient path of {short(asked.target.name)}", note)
        keys = [line_key(code, names[at]) for code, at in enumerate(shown)]
        legend(axes, "feature", keys)
    first = [names[at] for at in _order(slopes) if np.abs(slopes[:, at]).max() > 0]
    return set_description(
        axes, f"Coefficient path of {asked.target.name}: as regularization gets weaker, "
        f"features come in, first {some(first, 4)}; at l1 = {asked.l1:.4g}, {_count(asked)} slopes "
        f"are not 0.",
    )  # fmt: skip


def _count(model: LassoModel | LogisticModel) -> str:
    return f"{int(np.count_nonzero(model.slopes))} of {len(model.slopes)}"


def _order(slopes: "np.ndarray[tuple[int, int], np.dtype[np.float64]]") -> list[int]:
    """The features in the order in which they come in."""
    came = np.where((slopes != 0).any(axis=0), (slopes != 0).argmax(axis=0), len(slopes))
    return np.argsort(came, kind="stable").tolist()
