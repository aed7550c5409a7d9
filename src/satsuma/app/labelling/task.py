"""Task: a table as it is to be labelled, and as its log remembers that it was labelled."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from satsuma.active.active_learning import START, Active
from satsuma.active.cold_start import diverse_rows
from satsuma.app.store.log import Log
from satsuma.data.domain import Domain, free_name
from satsuma.data.identifiers import key_like
from satsuma.data.table import Table
from satsuma.data.variable import Variable
from satsuma.engines.timed_source import with_time_features
from satsuma.errors import DomainError, ParameterError
from satsuma.learners.baselines import Majority
from satsuma.learners.generative.naive_bayes import NaiveBayes
from satsuma.learners.text.text import Text
from satsuma.numerics.arrays import Indices

#: Rows among which those to begin with are looked for.
SAMPLE = 20_000

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
    """

    table: Table
    learned: Table
    filled: tuple[str, ...]
    sought: str | None = None
    key: str | None = None

    @property
    def is_search(self) -> bool:
        """Whether the best row is looked for, over goals, rather than classes."""
        return self.table.domain.target is None

    @cached_property
    def how(self) -> Active:
        """The learner, and how it asks."""
        kinds = {v.kind for v in self.learned.domain.attributes}
        # Labels that were asked for are no sample to calibrate by, and every answer counts at once.
        plain = NaiveBayes(calibrate=False) if kinds else Majority()
        learner = Text(sought=self.sought) if "text" in kinds else plain
        return Active(
            learner=learner,
            acquire="certain" if self.sought else "uncertain",
            start=[int(at) for at in _first_rows(self.learned)],
            budget=max(len(self.table), 1),
            sought=self.sought,
        )


def task_of(
    table: Table,
    *,
    classes: Sequence[str] = (),
    sought: str | None = None,
    key: str | None = None,
) -> Task:
    """What is to be asked about a table.

    With goals and no target, the best row is searched for. Otherwise classes are asked for: of the
    target, or of a new column where there is none. Columns that name rows are not learned from. If
    some column is text, symbols count as words too, and numbers are only shown.

    Parameters
    ----------
    table
        The rows; some may have a label already.
    classes
        Names to choose among, beside those that the table knows.
    sought
        The class that rows are searched for; None where all count the same.
    key
        The column that rows are known by, if the file may change; see `RowKeys`.

    Examples
    --------
    >>> rows = [("crash on start", 3), ("a new colour", 1)]
    >>> issues = Table.of(rows, ["title", "size"], target=None, kinds={"title": "text"})
    >>> task = task_of(issues, classes=["bug", "wish"])
    >>> task.filled, task.table.domain.target.values, task.learned.domain.names
    (('label',), ('bug', 'wish'), ('title', 'label'))
    """
    if not len(table):
        raise DomainError("There is nothing to label: the table has no rows.")
    if table.domain.target is None and table.domain.goals and not classes:
        goals = tuple(goal.name for goal in table.domain.goals)
        return Task(table, table, goals, key=key)
    whole = _with_classes(table, classes, sought)
    target = whole.domain.target
    assert target is not None
    return Task(whole, _learned(whole), (target.name,), sought, key)


def resumed_task(
    table: Table,
    log: Path,
    *,
    target: str | None = None,
    classes: Sequence[str] = (),
    sought: str | None = None,
    key: str | None = None,
) -> Task:
    """What is to be asked about a table; what is not given is as it was when it was last labelled.

    Parameters
    ----------
    table
        The rows.
    log
        Where the answers are kept.
    target, classes, sought, key
        As in `task_of`; an empty `sought` searches for no class any more.
    """
    file = Log(log)
    try:
        before = file.settings()
    finally:
        file.close()
    filled = before.get("filled", [])
    if target is None and len(filled) == 1 and not table.domain.goals:
        target = filled[0]
    sought = before.get("sought") if sought is None else sought
    key = before.get("key") if key is None else key
    return task_of(with_target(table, target), classes=classes, sought=sought or None, key=key)


def check_settings(task: Task, log: Log) -> None:
    """Refuse to take labels for those of another column; the log remembers what is new."""
    before = log.settings()
    filled: list[str] = before.get("filled", list(task.filled))
    if filled != list(task.filled):
        there, here = (", ".join(map(repr, each)) for each in (filled, task.filled))
        raise DomainError(
            f"{log.path.name} has labels of {there}, not of {here}. Name the target as before, or "
            f"label {here} in a copy of the table."
        )
    if before.get("key") not in (None, task.key):
        raise DomainError(
            f"{log.path.name} knows rows by column {before['key']!r}, not by {task.key!r}. Name "
            f"the key as before, or label a copy of the table."
        )
    log.remember({"filled": list(task.filled), "sought": task.sought, "key": task.key})


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
    used = [v for v in table.domain.attributes if v.name not in naming]
    if any(v.kind == "text" for v in used):
        used = [v for v in used if v.kind != "num"]
        table = table.with_kinds({v.name: "text" for v in used if v.kind == "sym"})
    return table.select([*(v.name for v in used), target.name])


def _first_rows(table: Table) -> Indices:
    """Rows to begin with, unlike each other; of a large table, found in a sample of it."""
    if len(table) <= SAMPLE:
        return diverse_rows(table, START)
    some = np.sort(np.random.default_rng(0).choice(len(table), SAMPLE, replace=False))
    return some[diverse_rows(table[some], START)]
