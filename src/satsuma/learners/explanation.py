"""Explanation: what each column adds to the odds of a class; what each cell changes."""

import math
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from satsuma.data.row import Row
from satsuma.data.summary import width
from satsuma.data.table import Table
from satsuma.errors import SatsumaError
from satsuma.learners.model import Classifier, Model, Query
from satsuma.numerics.arrays import MISSING, Array, Floats

#: What the prior is called among the columns.
PRIOR = "(prior)"

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


class Explanation(Terms):
    """The log-odds of a class against another that the prior and each column add, largest first.

    They sum to the log-odds of the probabilities that the model gives. Natural logarithms: 0.69 is
    odds of 2 to 1, and a negative number speaks for the other class. Columns that a block does not
    tell apart are one line, with their names.

    Parameters
    ----------
    value, against
        The two classes.
    parts
        What the prior and each column add, by name; the prior is called ``(prior)``.
    threshold
        The sum from which on the class is predicted, where that is not 0.
    predicted
        The class that the model predicts.

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
    """

    def __init__(
        self,
        value: str,
        against: str,
        parts: Mapping[str, float],
        threshold: float = 0.0,
        predicted: str | None = None,
    ) -> None:
        self.value, self.against = value, against
        self.threshold, self.predicted = threshold, predicted
        self.parts = dict(sorted(parts.items(), key=lambda part: -abs(part[1])))

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

    def _lines(self) -> list[tuple[str, str]]:
        parts = [*self.parts.items(), ("sum", self.total)]
        return [(name, f"{added:+.3f}") for name, added in parts]

    def _sentences(self) -> list[str]:
        return [each for each in (self.remark, self.decision) if each]

    def __str__(self) -> str:
        lines = self._lines()
        room = max(width(name) for name, _ in lines)
        rows = [f"{name}{' ' * (room - width(name))}  {added}" for name, added in lines]
        return "\n".join([f"{self.value} against {self.against}", *rows, *self._sentences()])

    def __repr__(self) -> str:
        return f"Explanation({self.value!r}, {self.against!r}, {self.parts!r})"

    def _repr_html_(self) -> str:
        from html import escape

        head = f"<tr><th>{escape(self.value)} against {escape(self.against)}</th><th></th></tr>"
        rows = [
            f"<tr><td>{escape(name)}</td><td style='text-align:right'>{added}</td></tr>"
            for name, added in self._lines()
        ]
        sentences = [f"<p>{escape(each)}</p>" for each in self._sentences()]
        return f"<table>{head}{''.join(rows)}</table>{''.join(sentences)}"


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


def said_of(evidence: Any, batch: Table) -> list[tuple[str, Floats]]:
    """What each column of some evidence says of the first row, or all of them in one."""
    try:
        each: Floats = evidence.by_column(batch)[0]
    except (AttributeError, NotImplementedError):
        return [(", ".join(evidence.names), evidence.log_evidence(batch)[0])]
    return list(zip(evidence.names, each, strict=True))


def cell_effects(model: Model, query: Query) -> dict[str, float]:
    """What is lost when a cell is not known, for each column: largest first.

    Of classes, it is the change of the probability of the one that is predicted, of numbers the
    change of the number. A cell that is missing already changes nothing, and is not told. Columns
    are left out one at a time, so what two of them say together is not divided among them.

    Examples
    --------
    >>> import satsuma
    >>> voting = satsuma.load("voting")
    >>> effects = cell_effects(satsuma.KNN(k=5)(voting), voting[2])
    >>> max(effects.values()) <= 1
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
        outputs = chances[:, int(model.codes(batch)[0])]
    else:
        outputs = asked.numbers(batch)
    lost = (outputs[0] - outputs[1:]).tolist()
    effects = {rows.domain[at].name: float(each) for at, each in zip(known, lost, strict=True)}
    return dict(sorted(effects.items(), key=lambda part: -abs(part[1])))
