"""RuleList: rules in order, of which the first that applies to a row predicts its class."""

from collections.abc import Sequence
from functools import cached_property
from itertools import pairwise
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from satsuma.data.fields import LARGE, FloatArray, IntArray, Many, Number, Word
from satsuma.data.schema import Schema
from satsuma.data.summary import cut
from satsuma.data.table import Table
from satsuma.errors import ReadError
from satsuma.kernels.tree import UNSEEN
from satsuma.learners.explanation import Explanation
from satsuma.learners.informative import check_informative, missing_note
from satsuma.learners.model import Classifier, Query
from satsuma.learners.rules.condition import Condition, Conditions, meets
from satsuma.learners.tree.asked_columns import AskedColumns, asked_columns
from satsuma.learners.tree.show import WIDTH, Rule
from satsuma.numerics.arrays import Floats

#: Rules that are printed.
_LINES = 120


class RuleList(Classifier):
    """Rules in order: the first that applies to a row predicts its class; the last one always does.

    The conditions of all rules stand one after the other: `column`, `threshold` and `above` say
    what each asks, and the values of symbol i are ``values[first_value[i]:first_value[i + 1]]``;
    the conditions of rule i are those from ``first[i]`` up to ``first[i + 1]``.

    Parameters
    ----------
    rules
        The conditions of each rule; the last has none.
    counts
        By rule: the weight of each class among the rows that it is the first to apply to.
    m
        Imaginary rows of each rule, in the shares of all rows.
    factors
        What a row of each class counts where classes are weighed up; 1 unless given.
    informative
        The names of the columns whose missing cells tell something.
    """

    #: A value that was not seen in learning is no missing one.
    unseen: ClassVar[int] = UNSEEN

    schema: ClassVar[Schema] = Schema(
        "conditions",
        "rules",
        "values",
        column=IntArray("conditions"),
        threshold=FloatArray("conditions", missing=True),
        above=IntArray("conditions", below=2),
        first_value=IntArray("conditions+1"),
        values=IntArray("values"),
        first=IntArray("rules+1"),
        counts=FloatArray("rules", "classes", low=0, high=LARGE),
        m=Number(low=0, high=LARGE),
        factors=FloatArray("classes", low=0, high=LARGE),
        informative=Many(Word()),
    )

    def __init__(
        self,
        rules: Sequence[Conditions],
        counts: Floats,
        m: float,
        factors: Floats | None = None,
        *,
        informative: Sequence[str] = (),
    ) -> None:
        flat = [condition for conditions in rules for condition in conditions]
        self.column = np.array([each.column for each in flat], np.int32)
        self.threshold = np.array([each.threshold for each in flat], np.float64)
        self.above = np.array([each.above for each in flat], np.int32)
        self.first_value = _ends([len(each.values) for each in flat])
        self.values = np.array([code for each in flat for code in each.values], np.int32)
        self.first = _ends([len(each) for each in rules])
        self.counts, self.m = counts, float(m)
        self.factors = np.ones(counts.shape[1]) if factors is None else factors
        #: The names of the columns whose missing cells tell something of the target.
        self.informative = list(informative)

    @property
    def asked_columns(self) -> AskedColumns:
        """What `column` counts: the attributes, and missing cells that tell something."""
        return asked_columns(self.domain, tuple(self.informative))

    def check_state(self) -> None:
        """The arrays are rules about the attributes, and each has rows."""
        super().check_state()
        check_informative(self.domain, self.informative)
        if not len(self.counts) or not (self.counts.sum(axis=1) > 0).all():
            raise ReadError("a rule has no rows")
        if not (self.counts[:, self.factors > 0].sum(axis=1) > 0).all():
            raise ReadError("the rows of a rule are all of a class that does not count")
        for ends, size in ((self.first, len(self.column)), (self.first_value, len(self.values))):
            if ends[0] != 0 or ends[-1] != size or (np.diff(ends) < 0).any():
                raise ReadError("the conditions of the rules are not one after the other")
        if self.first[-1] != self.first[-2] or (np.diff(self.first)[:-1] == 0).any():
            raise ReadError("the last rule, and no other, must be without conditions")
        self._check_conditions()

    def _check_conditions(self) -> None:
        """Each condition is about a column, and such as its kind can meet."""
        asked = self.asked_columns.domain.attributes
        if self.column.max(initial=-1) >= len(asked):
            raise ReadError("a condition is about a column that is not there")
        for at, column in enumerate(self.column):
            variable = asked[int(column)]
            codes = self.values[self.first_value[at] : self.first_value[at + 1]]
            if (variable.kind == "num") == np.isnan(self.threshold[at]):
                raise ReadError("a condition has a threshold and no number, or none for a number")
            if variable.kind == "num" and (len(codes) or not np.isfinite(self.threshold[at])):
                raise ReadError("a condition on a number has values, or an infinite threshold")
            if variable.kind != "num" and codes.max(initial=-1) >= len(variable.values):
                raise ReadError("a condition is about a value that its column does not have")

    @cached_property
    def _rules(self) -> list[Conditions]:
        values = np.split(self.values, self.first_value[1:-1]) if len(self.column) else []
        parts = zip(self.column.tolist(), self.threshold.tolist(), self.above, values, strict=True)
        flat = [Condition(c, t, bool(above), tuple(v.tolist())) for c, t, above, v in parts]
        ends = self.first.tolist()
        return [tuple(flat[a:b]) for a, b in pairwise(ends)]

    @property
    def conditions(self) -> list[Conditions]:
        """The conditions of each rule; the last has none."""
        return self._rules

    @property
    def estimates(self) -> Floats:
        """How probable each class is where each rule applies."""
        weights = self.counts * self.factors
        prior = weights.sum(axis=0) / weights.sum()
        return (weights + self.m * prior) / (weights.sum(axis=1, keepdims=True) + self.m)

    def which_rule(self, batch: Table) -> npt.NDArray[np.intp]:
        """The number of the rule that applies to each row, from 0."""
        batch = self.asked_columns.rows(batch)
        found = np.full(len(batch), len(self._rules) - 1)
        waiting = np.arange(len(batch))
        for number, conditions in enumerate(self._rules[:-1]):
            met = meets(conditions, batch[waiting] if number else batch)
            found[waiting[met]] = number
            waiting = waiting[~met]
        return found

    def probabilities(self, batch: Table) -> Floats:
        """The m-estimates of the classes of the rule that applies to a row."""
        return self.estimates[self.which_rule(batch)]

    def rules(self) -> list[Rule]:
        """The rules in order, each with its support and its confidence in the rows it decides."""
        made = list[Rule]()
        codes: list[int] = self.estimates.argmax(axis=1).tolist()
        for conditions, counts, code in zip(self._rules, self.counts, codes, strict=True):
            weight = float(counts.sum())
            told = tuple(each.text(self.asked_columns) for each in conditions)
            made.append(Rule(told, self.classes[code], weight, float(counts[code]) / weight))
        return made

    def reasons(self, query: Query) -> list[str]:
        """Why a row is predicted as it is: for each rule before it why it does not apply, and it.

        Examples
        --------
        >>> import satsuma
        >>> iris = satsuma.load("iris")
        >>> for reason in satsuma.Rules(iris).reasons(iris[60]):
        ...     print(reason)
        Rule 1 does not apply: Petal.Length is 3.5, and not ≤ 2.45.
        Rule 2 does not apply: Petal.Width is 1, and not > 1.75.
        Rule 3 applies, because Petal.Length ≤ 4.95: versicolor (48 rows, 98%).
        """
        return self._reasons(self._rows(query))

    def _reasons(self, batch: Table) -> list[str]:
        rule = int(self.which_rule(batch)[0])
        told = [
            f"Rule {at + 1} does not apply: {self._failure(conditions, batch)}."
            for at, conditions in enumerate(self._rules[:rule])
        ]
        found = self.rules()[rule]
        last = f"because {_joined(found.conditions)}" if found.conditions else "as no other does"
        return [*told, f"Rule {rule + 1} applies, {last}: {_answer(found)}."]

    def with_reasons(self, found: Explanation, batch: Table) -> Explanation:
        """The rules that do not apply to a row, and the one that does."""
        return found.also(path=tuple(self._reasons(batch)))

    def _failure(self, conditions: Conditions, batch: Table) -> str:
        """The first condition that the first row does not meet, and what is there instead."""
        asked = self.asked_columns
        for each in conditions:
            if not meets((each,), asked.rows(batch))[0]:
                name = self.domain.attributes[asked.source[each.column]].name
                return f"{name} is {_cell_text(batch, name)}, and not {each.asks(asked)}"
        raise AssertionError

    def __str__(self) -> str:
        rules = self.rules()
        weights = self.counts * self.factors
        right = weights[np.arange(len(rules)), self.estimates.argmax(axis=1)].sum() / weights.sum()
        name = "accuracy" if (self.factors == 1).all() else "balanced accuracy"
        lines = [f"{self.target.name} ({name} on the rows learned from: {right:.1%})"]
        lines += [_sentence(at, rule) for at, rule in enumerate(rules[: _LINES - 1])]
        if len(rules) >= _LINES:
            more = len(rules) - _LINES
            lines += [f"… and {more} more rules"] if more else []
            lines += [_sentence(len(rules), rules[-1])]
        return "\n".join([*lines, *missing_note(self.asked_columns.telling(self.column))])


def _ends(sizes: Sequence[int]) -> npt.NDArray[np.int32]:
    return np.concatenate([[0], np.cumsum(sizes)]).astype(np.int32)


def _joined(conditions: Sequence[str]) -> str:
    return " and ".join(cut(each, WIDTH) for each in conditions)


def _answer(rule: Rule) -> str:
    rows = "1 row" if rule.support == 1 else f"{rule.support:.6g} rows"
    return f"{rule.value} ({rows}, {rule.confidence:.0%})"


def _sentence(at: int, rule: Rule) -> str:
    if not rule.conditions:
        return f"{'Else' if at else 'Always'}: {_answer(rule)}."
    return f"{'Else if' if at else 'If'} {_joined(rule.conditions)}: {_answer(rule)}."


def _cell_text(batch: Table, name: str) -> str:
    """What the first row holds."""
    cell = batch.cell(0, name)
    if cell is not None:
        return f"{cell:.6g}" if isinstance(cell, float) else str(cell)
    unseen = batch.column(name)[0] == UNSEEN  # never so of a number
    return "of a value never seen before" if unseen else "missing"
