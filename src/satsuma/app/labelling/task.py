"""Task: a table as it is to be labelled, and as its log remembers that it was labelled."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from satsuma.active.active_learning import START, Active
from satsuma.active.cold_start import diverse_rows
from satsuma.data.domain import Domain, free_name
from satsuma.data.identifiers import key_like
from satsuma.data.table import Table
from satsuma.data.variable import Variable
from satsuma.engines.timed_source import with_time_features
from satsuma.errors import DomainError, ParameterError
from satsuma.learners.baselines import Majority, Mean
from satsuma.learners.generative.naive_bayes import NaiveBayes
from satsuma.learners.text.text import Text
from satsuma.learners.tree.decision_tree import Tree
from satsuma.likelihoods.best_fit import BestFit
from satsuma.numerics.arrays import Indices

#: Rows among which those to begin with are looked for.
SAMPLE = 20_000

#: Imaginary rows by which the spread of a class is known before there are labels.
IMAGINARY = 4.0

#: The most classes that a page has room for.
MOST_CLASSES = 100


@dataclass(frozen=True)
class Task:
    """What is to be found out about a table.

    Parameters
    ----------
    table
        All rows and columns, as they are shown and exported.
    learned
        The same rows with the columns that are learned from.
    filled
        The columns that are to be filled in: the target, or the goals.
    sought
        The class that rows are searched for, if any.
    key
        The column that rows are known by; None where it is all their cells.
    classes
        Names to choose among that somebody has given, beside those in the table.
    guidelines
        What people should know before they answer, in Markdown.
    hidden
        Whether nobody sees what the model predicts.
    number
        Whether a number is asked for, rather than a class.
    duplicates
        Whether texts that are equal are asked about one by one; otherwise they share one label.
    gold
        The share of questions whose answer is in the file, to see how good people are.
    audit
        The share of questions about rows drawn at random; None as `Active` has it.
    reading
        How the file was read: kinds and roles of columns, and options.
    """

    table: Table
    learned: Table
    filled: tuple[str, ...]
    sought: str | None = None
    key: str | None = None
    classes: tuple[str, ...] = ()
    guidelines: str = ""
    hidden: bool = False
    number: bool = False
    duplicates: bool = False
    gold: float = 0.0
    audit: float | None = None
    reading: Mapping[str, Any] = field(default_factory=dict[str, Any])

    @property
    def is_search(self) -> bool:
        """Whether the best row is looked for, over goals, rather than classes."""
        return self.table.domain.target is None

    @property
    def settings(self) -> dict[str, Any]:
        """What the log remembers of it, by the names that are in its files."""
        return {
            "filled": list(self.filled),
            "sought": self.sought,
            "key": self.key,
            "classes": list(self.classes),
            "guidelines": self.guidelines,
            "hidden": self.hidden,
            "number": self.number,
            "duplicates": self.duplicates,
            "gold": self.gold,
            "audit": self.audit,
            "reading": dict(self.reading),
        }

    @cached_property
    def how(self) -> Active:
        """The learner, and how it asks."""
        kinds = {v.kind for v in self.learned.domain.attributes}
        if self.number:
            return Active(
                learner=Tree() if kinds else Mean(),
                acquire="greedy" if kinds else "random",
                start=[int(at) for at in _first_rows(self.learned)],
                budget=max(len(self.table), 1),
                audit=self.audit,
            )
        plain = NaiveBayes(number=BestFit(m=IMAGINARY)) if kinds else Majority()
        learner = Text(sought=self.sought) if "text" in kinds else plain
        return Active(
            learner=learner,
            acquire="certain" if self.sought else "uncertain",
            start=[int(at) for at in _first_rows(self.learned)],
            budget=max(len(self.table), 1),
            sought=self.sought,
            audit=self.audit,
            share="text" in kinds and not self.duplicates,
        )


def task_of(
    table: Table,
    *,
    classes: Sequence[str] = (),
    sought: str | None = None,
    key: str | None = None,
    **more: Any,
) -> Task:
    """What is to be asked about a table.

    With goals and no target, the best row is searched for. Otherwise classes are asked for: of the
    target, or of a new column where there is none. Columns that name rows are not learned from.

    Parameters
    ----------
    table
        The rows; some may have a label already.
    classes
        Names to choose among, beside those that the table knows.
    sought
        The class that rows are searched for; None where all count the same. If it is the only
        class, there is one more: "not" and its name.
    key
        The column that rows are known by, if the file may change; see `RowKeys`.
    more
        What else `Task` takes.

    Examples
    --------
    >>> rows = [("crash on start", 3), ("a new colour", 1)]
    >>> issues = Table.of(rows, ["title", "size"], target=None, kinds={"title": "text"})
    >>> task = task_of(issues, classes=["bug", "wish"])
    >>> task.filled, task.table.domain.target.values, task.learned.domain.names
    (('label',), ('bug', 'wish'), ('title', 'size', 'label'))
    """
    if not len(table):
        raise DomainError("There is nothing to label: the table has no rows.")
    if table.domain.target is None and table.domain.goals and not classes:
        goals = tuple(goal.name for goal in table.domain.goals)
        return Task(table, table, goals, key=key, **more)
    if more.get("number"):
        return _number_task(table, key, **more)
    whole = _with_classes(table, classes, sought)
    target = whole.domain.target
    assert target is not None
    named = tuple(dict.fromkeys(each.strip() for each in classes if each.strip()))
    return Task(whole, _learned(whole), (target.name,), sought, key, named, **more)


def _number_task(table: Table, key: str | None, **more: Any) -> Task:
    """A task whose answers are numbers, learned from numbers and symbols; texts are shown."""
    target = table.domain.target
    if target is None:
        table = _empty(table, free_name("number", table.domain.names))
        target = table.domain[-1]
    whole = table.with_kinds({target.name: "num"})
    timed = with_time_features(whole, unlabelled=True)
    naming = set(key_like(whole))
    used = [v.name for v in timed.domain.attributes
            if v.name not in naming and v.kind in ("num", "sym")]  # fmt: skip
    return Task(whole, timed.select([*used, target.name]), (target.name,), key=key, **more)


def with_target(table: Table, target: str | None) -> Table:
    """The same rows with a target; one that is no column becomes a new, empty one.

    Examples
    --------
    >>> with_target(Table.of([(1,)], ["x"], target=None), "kind")[0]
    Row(x=1, kind=?)
    """
    if target is None:
        return table
    return table.with_roles(target=target) if target in table.domain else _empty(table, target)


def _empty(table: Table, name: str) -> Table:
    others = [v.with_role("x") if v.role == "target" else v for v in table.domain]
    domain = Domain([*others, Variable(name, "sym", role="target")])
    nothing = np.full(len(table), -1, np.int32)
    return Table(domain, [*table.columns, nothing], name=table.name, notes=table.notes)


def _with_classes(table: Table, classes: Sequence[str], sought: str | None) -> Table:
    target = table.domain.target
    if target is None:
        table = _empty(table, free_name("label", table.domain.names))
        target = table.domain[-1]
    elif target.kind != "sym":
        table = table.with_kinds({target.name: "sym"})
        target = table.domain[target.name]
    given = [each.strip() for each in (*classes, *([sought] if sought else [])) if each.strip()]
    if sought and given == [sought] and not set(target.values) - {sought}:
        given.append(f"not {sought}")
    values = tuple(dict.fromkeys((*target.values, *given)))
    if len(values) > MOST_CLASSES:
        raise ParameterError(
            f"Column {target.name!r} has {len(values):,} different values, too many to choose "
            f"among. Name another target, or mark it as a goal: '+' or '-'."
        )
    wider = Variable(target.name, "sym", values, "target")
    variables = [wider if v.name == wider.name else v for v in table.domain]
    return Table(Domain(variables), table.columns, name=table.name, notes=table.notes, check=False)


def _learned(table: Table) -> Table:
    """The columns that are learned from; keys tell nothing of other rows."""
    target, naming = table.domain.target, set(key_like(table))
    assert target is not None
    table = with_time_features(table, unlabelled=True)
    used = [v.name for v in table.domain.attributes if v.name not in naming]
    return table.select([*used, target.name])


def _first_rows(table: Table) -> Indices:
    """Rows to begin with, unlike each other; of a large table, found in a sample of it."""
    if len(table) <= SAMPLE:
        return diverse_rows(table, START)
    some = np.sort(np.random.default_rng(0).choice(len(table), SAMPLE, replace=False))
    return some[diverse_rows(table[some], START)]
