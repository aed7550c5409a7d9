"""Explanation: what each column adds to a prediction, and what decides it."""

import math
from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from satsuma.data.grids import aligned
from satsuma.data.result_frame import ResultFrame
from satsuma.data.row import Cell
from satsuma.data.summary import cut, short_number
from satsuma.data.table import Table
from satsuma.errors import SatsumaError
from satsuma.learners.model import Classifier, Scale
from satsuma.learners.near_rows import NEAR, AlikeRow, Neighbour, alike_text, neighbour_text
from satsuma.learners.shapley_values import FEW, shapley_of_cells
from satsuma.numerics.arrays import Floats

if TYPE_CHECKING:
    import pandas as pd

    from satsuma.learners.counterfactual import Counterfactual

#: What the prior is called among the columns: of numbers, what is expected of any row.
PRIOR = "(prior)"

#: Characters of a cell, and terms that are shown.
CELL, MOST = 24, 20

#: What is too little to be shown, of log-odds.
LEAST = 5e-4


class Terms(Mapping[str, float]):
    """What columns add to a sum, by name: `parts`."""

    parts: dict[str, float]

    def __getitem__(self, name: str) -> float:
        return self.parts[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.parts)

    def __len__(self) -> int:
        return len(self.parts)


class Explanation(Terms, ResultFrame):
    """Why a model predicts what it predicts for a row: what the prior and each column add.

    By `of` they sum to the log-odds of a class against another, to the probability of a class, to a
    number, or to the logarithm of one. Of log-odds (natural logarithms, 0.69 is odds of 2 to 1)
    a negative term speaks for the other class. Columns that a model does not tell apart are
    one line, with their names.

    Parameters
    ----------
    value, against
        The class, and the one it is held against; None for a number, or for all others.
    parts
        What the prior and each column add, by name; the prior is called ``(prior)``.
    threshold
        The sum from which on the class is predicted, where that is not 0.
    predicted
        The class or the number that the model predicts.
    of
        What the terms sum to: ``log-odds``, ``probability``, ``number`` or ``log``.
    exact
        Whether the terms are what the model itself adds up, or exact Shapley values; if not,
        they are estimates of Shapley values, which still sum up exactly.
    errors
        The standard error of each estimate.
    path
        The conditions that decide, in order: the way down a tree, or a list of rules.
    neighbours
        The nearest of the rows that were learned from, where they decide.
    alike
        Of a forest that has its training rows at hand, those that it hardly tells from the row.
    target
        What is predicted.
    cells
        What the row holds, by column.
    change
        What would change the prediction, where that was searched for.

    Examples
    --------
    >>> explanation = Explanation("yes", "no", {"(prior)": -0.5, "sky": 2.0, "wind": -1.0})
    >>> print(explanation)
    yes against no
    sky      +2.000
    wind     -1.000
    (prior)  -0.500
    sum      +0.500
    >>> list(explanation), explanation["sky"]
    (['sky', 'wind', '(prior)'], 2.0)
    >>> print(
    ...     Explanation(
    ...         None,
    ...         None,
    ...         {"(prior)": 4, "x": 1},
    ...         predicted=5.0,
    ...         of="number",
    ...         cells={"x": 2.5},
    ...         target="y",
    ...     )
    ... )
    y = 5
    (prior)  +4.000
    x = 2.5  +1.000
    sum      +5.000
    """

    def __init__(
        self,
        value: str | None,
        against: str | None,
        parts: Mapping[str, float],
        threshold: float = 0.0,
        predicted: str | float | None = None,
        *,
        of: Scale = "log-odds",
        exact: bool = True,
        errors: Mapping[str, float] | None = None,
        path: Sequence[str] = (),
        neighbours: Sequence[Neighbour] = (),
        alike: Sequence[AlikeRow] = (),
        target: str = "",
        cells: Mapping[str, Cell] | None = None,
        change: "Counterfactual | None" = None,
    ) -> None:
        self.value, self.against, self.target = value, against, target
        self.threshold, self.predicted = threshold, predicted
        self.parts = dict(sorted(parts.items(), key=lambda part: -abs(part[1])))
        self.of, self.exact, self.errors = of, exact, dict(errors or {})
        self.path, self.neighbours, self.alike = tuple(path), tuple(neighbours), tuple(alike)
        self.cells, self.change = dict(cells or {}), change

    def also(self, **more: Any) -> "Explanation":
        """The same explanation with something more to be said."""
        made = copy(self)
        vars(made).update(more)
        return made

    def scaled(self, factor: float) -> "Explanation":
        """The same, with all terms multiplied by a factor."""
        parts = {name: factor * added for name, added in self.parts.items()}
        return self.also(parts=parts, threshold=factor * self.threshold)

    @property
    def total(self) -> float:
        """The sum: NaN where one column makes the one class impossible, and another the other."""
        held = list(self.parts.values())
        if math.inf in held and -math.inf in held:
            return math.nan
        return math.fsum(held)

    def to_dict(self) -> dict[str, float]:
        """What the prior and each column add, largest first."""
        return dict(self.parts)

    def to_pandas(self) -> "pd.DataFrame":
        """A pandas data frame: a line for each column, with what the row holds and what it adds."""
        import pandas as pd

        return pd.DataFrame(
            {
                "column": list(self.parts),
                "value": [self.cells.get(name) for name in self.parts],
                "adds": list(self.parts.values()),
            }
        )

    @property
    def title(self) -> str:
        """What is explained."""
        told = f"{self.target} = {self.value}" if self.target else self.value
        if self.of == "log-odds":
            return f"{told} against {self.against}"
        if self.of == "probability":
            return f"Probability of {told}"
        named = self.target or "prediction"
        shown = f"{self.predicted:.6g}" if isinstance(self.predicted, float) else "number"
        return f"{named} = {shown}" + (" (terms of its logarithm)" if self.of == "log" else "")

    @property
    def remark(self) -> str:
        """A sentence for a row that speaks neither for the class nor for the other; else nothing.

        Examples
        --------
        >>> print(Explanation("yes", "no", {"(prior)": 0.0, "sky": 0.0}).remark)
        Nothing speaks for yes over no: both are equally probable.
        """
        if any(abs(added) >= LEAST for name, added in self.parts.items() if name != PRIOR):
            return ""
        if self.of != "log-odds":
            return "No column of this row makes a difference." if self.parts else ""
        if abs(self.parts.get(PRIOR, 0.0)) >= LEAST:
            return f"Nothing in this row speaks for {self.value} over {self.against}, or against."
        return f"Nothing speaks for {self.value} over {self.against}: both are equally probable."

    @property
    def decision(self) -> str:
        """What follows from the sum, where the threshold is not 0; else nothing."""
        if not self.threshold:
            return ""
        rule = f"{self.value} is predicted from a sum of {self.threshold:+.3f} on"
        return f"{rule} (adjusted threshold): here, {self.predicted} is."

    @property
    def method(self) -> str:
        """How the terms were found, in a sentence; nothing where the model itself adds them up."""
        if self.exact or not self.parts:
            return ""
        most = max(self.errors.values(), default=0.0)
        return f"Shapley values by sampling, with standard errors up to {most:.2g}."

    def name_and_cell(self, name: str) -> str:
        """A column with what the row holds in it, where that is known: ``sky = rain``."""
        columns = [name] if name in self.cells else name.split(", ")
        if not all(each in self.cells for each in columns):
            return name
        told = [cut(spell_cell(self.cells[each]), CELL) for each in columns]
        return ", ".join(f"{each} = {cell}" for each, cell in zip(columns, told, strict=True))

    def terms(self) -> list[tuple[str, float, bool]]:
        """Each column that is shown, what it adds, and whether it is one; the rest; the sum.

        Columns that add nothing are one line if there are several, and so are all but the largest
        of very many.
        """
        parts = list(self.parts.items())
        nothing = [name for name, added in parts if abs(added) < LEAST and name != PRIOR]
        idle = set(nothing) if len(nothing) > 2 else set[str]()
        shown = [part for part in parts if part[0] not in idle]
        shown, rest = shown[:MOST], shown[MOST:]
        lines = [(self.name_and_cell(name), added, name != PRIOR) for name, added in shown]
        if rest:
            more = math.fsum(added for _, added in rest)
            lines.append((f"{len(rest)} more columns", more, True))
        if idle:
            lines.append((f"{len(idle)} columns that add nothing", 0.0, False))
        return [*lines, ("sum", self.total, False)]

    def neighbour_lines(self) -> list[str]:
        """The nearest neighbours, a line each; of a forest, the rows that are alike."""
        told = [neighbour_text(each) for each in self.neighbours[:NEAR]]
        more = len(self.neighbours) - len(told)
        told += [f"and {more} more"] if more > 0 else []
        return [*told, *(alike_text(each) for each in self.alike[:NEAR])]

    def sentences(self) -> list[str]:
        """What else is to be said."""
        found = [self.remark, self.decision, self.method]
        found += [] if self.change is None else [str(self.change)]
        return [each for each in found if each]

    def __str__(self) -> str:
        said = [self.title, *(f"- {step}" for step in self.path)]
        near = [f"- {each}" for each in self.neighbour_lines()]
        terms = aligned([[name, signed(added)] for name, added, _ in self.terms()])
        return "\n".join([*said, *near, *(terms if self.parts else []), *self.sentences()])

    def __repr__(self) -> str:
        return f"Explanation({self.value!r}, {self.against!r}, {self.parts!r})"

    def _repr_html_(self) -> str:
        from satsuma.learners.explanation_html import explanation_html

        return explanation_html(self)


def spell_cell(cell: Cell) -> str:
    """A cell as it is shown beside its column.

    Examples
    --------
    >>> spell_cell(0.1 + 0.2), spell_cell("rain"), spell_cell(None)
    ('0.3', 'rain', 'missing')
    """
    if cell is None:
        return "missing"
    return short_number(cell) if isinstance(cell, float) else str(cell)


def signed(added: float) -> str:
    """What a column adds, as it is shown: three decimals, or fewer of a large number.

    Examples
    --------
    >>> signed(0.5), signed(-123456.7), signed(0.00001)
    ('+0.500', '-1.235e+05', '+0.000')
    """
    return f"{added:+.4g}" if abs(added) >= 1e4 and math.isfinite(added) else f"{added:+.3f}"


def mean_parts(explanations: Sequence[Explanation]) -> dict[str, float]:
    """What the columns of several explanations of a row add on average."""
    parts: dict[str, float] = {}
    for each in explanations:
        for name, added in each.items():
            parts[name] = parts.get(name, 0.0) + added / len(explanations)
    return parts


def odds(logs: Floats, this: int, other: int) -> float:
    """What logarithms of two classes make of the odds; nothing where both are impossible.

    Examples
    --------
    >>> import numpy as np
    >>> odds(np.array([1.0, -np.inf, -np.inf]), 1, 2), odds(np.array([1.0, 0.5]), 0, 1)
    (0.0, 0.5)
    """
    return 0.0 if logs[this] == logs[other] else float(logs[this] - logs[other])


def asked_classes(
    model: Classifier, chances: Floats, value: str | None, against: str | None
) -> tuple[int, int]:
    """The class that is explained, the predicted one unless given, and what it is held against.

    Parameters
    ----------
    model
        Whose classes they are.
    chances
        The probabilities of the row.
    value, against
        What the user says; the other class is the most probable of the rest unless given.
    """
    if len(model.classes) < 2:
        raise SatsumaError(f"{model.target.name!r} has a single class: there are no odds.")
    this = int(model.chosen(chances)[0]) if value is None else model.target.code(value)
    rest = np.where(np.arange(len(model.classes)) == this, -1.0, chances[0])
    return this, int(rest.argmax()) if against is None else model.target.code(against)


class Said(NamedTuple):
    """What some columns add to the log-odds of two classes.

    Parameters
    ----------
    parts
        By name; columns that are not told apart are one part.
    errors
        Standard errors, by name, of parts that were sampled.
    """

    parts: dict[str, float]
    errors: dict[str, float]


def said_of(evidence: Any, batch: Table, this: int, other: int) -> Said:
    """What each column of some evidence adds to the log-odds of two classes, for the first row.

    What columns say together is shared out by the evidence itself. Where it does not, each cell
    says as much as it adds when it becomes known, on average over orders of the cells (their
    Shapley value): over all orders of few columns, and over some that are drawn of more.
    """
    names: list[str] = list(evidence.names)
    row = batch[:1]
    try:
        each: Floats = evidence.by_column(row)[0]
    except (AttributeError, NotImplementedError):
        whole: Floats = evidence.log_evidence(row)[0]
        together = Said({", ".join(names): odds(whole, this, other)}, {})
        if len(names) == 1 or not np.isfinite(whole).all():
            return together
        found = shapley_of_cells(evidence.log_evidence, row, names, (this, other))
        if not np.isfinite(found.added).all():
            return together
        added = found.added[:, 0]
        # What is said where no cell is known is nothing but for rounding.
        added[0] += odds(whole, this, other) - added.sum()
        errors = dict(zip(names, found.errors[:, 0].tolist(), strict=True))
        parts = dict(zip(names, added.tolist(), strict=True))
        return Said(parts, errors if len(names) > FEW else {})
    return Said({name: odds(logs, this, other) for name, logs in zip(names, each, strict=True)}, {})
