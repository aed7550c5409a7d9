"""Labelling inside a notebook: the same view as the page, without a server."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from satsuma.data.read import read
from satsuma.data.table import Table
from satsuma.errors import require_extra

if TYPE_CHECKING:
    from satsuma.app.widget import Label


def label(
    table: Any,
    *,
    target: str | None = None,
    classes: Sequence[str] = (),
    sought: str | None = None,
    key: str | None = None,
    guidelines: str | None = None,
    hidden: bool | None = None,
    number: bool | None = None,
    duplicates: bool | None = None,
    gold: float | None = None,
    audit: float | None = None,
    name: str = "me",
    log: str | os.PathLike[str] | None = None,
) -> "Label":
    """Label a table in a notebook: one row at a time, the one most worth asking about.

    Every answer is on disk before the next row appears; called again, it goes on where it
    stopped, and remembers everything but `name` and `log`. It needs ``satsuma[jupyter]``. In a
    terminal, ``satsuma label FILE`` opens the same view in the browser.

    Parameters
    ----------
    table
        The rows, or anything that `read` takes; some may have a label already. With goals and no
        target, the best row is searched for.
    target
        The column to fill in; a new one, if there is none of that name.
    classes
        Names to choose among, beside those that the table knows.
    sought
        The class to look for, if all others matter less; an empty one looks for none any more.
    key
        A column that tells rows apart: if the file changes, labels follow it. Unless given, a row
        is known by all its cells.
    guidelines
        What to know before answering, in Markdown. A line "yes: reports a trial" describes a class.
    hidden
        Whether nobody sees what the model predicts.
    number
        Whether a number is asked for, rather than a class.
    duplicates
        Whether texts that are equal are asked about one by one; otherwise they share one label.
    gold
        The share of questions whose answer is in the file already, to see how good people are.
    audit
        The share of questions about rows drawn at random, which prove how good the result is. Where
        a class is sought it is 0.1 once finds slow down, and 0 otherwise, unless given.
    name
        Who labels.
    log
        Where the answers are kept: beside the file if `table` is a path, or else in the current
        folder, by the name of the table.

    Returns
    -------
    Label
        To be shown; ``.labels`` are the rows labelled so far, ``.model`` is what was learned,
        ``.predictions`` what it predicts for the rest.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from satsuma import label, load
    >>> with TemporaryDirectory() as folder:
    ...     view = label(load("iris"), target="kind", log=f"{folder}/iris.sqlite")
    ...     len(view.labels)
    ...     view.close()
    0
    """
    with require_extra("jupyter", "A page to label rows in a notebook", "anywidget and jinja2"):
        from satsuma.app.widget import Label
    from satsuma.app.labelling.settings import resumed_task
    from satsuma.app.store.log_file import log_path

    rows = table if isinstance(table, Table) else read(table)
    file = isinstance(table, str | os.PathLike)
    beside = Path(table) if file else Path(rows.name or "table")  # type: ignore[arg-type]
    where = log_path(beside) if log is None else Path(log)
    task = resumed_task(
        rows, where, target=target, classes=classes, sought=sought, key=key, guidelines=guidelines,
        hidden=hidden, number=number, duplicates=duplicates, gold=gold, audit=audit,
    )  # fmt: skip
    return Label(task, where, name)
