"""Labelling inside a notebook: the same view as the page, without a server."""

import os
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from satsuma.data.read import read
from satsuma.data.table import Table
from satsuma.errors import SatsumaError

if TYPE_CHECKING:
    from satsuma.app.widget import Label


def label(
    table: Any,
    *,
    target: str | None = None,
    classes: Sequence[str] = (),
    sought: str | None = None,
    key: str | None = None,
    name: str = "me",
    log: str | os.PathLike[str] | None = None,
) -> "Label":
    """Label a table in a notebook: one row at a time, the one most worth asking about.

    Every answer is on disk before the next row appears; called again, it goes on where it
    stopped, and remembers `target`, `sought` and `key`. It needs ``satsuma[jupyter]``. In a
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
    >>> import satsuma
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     view = label(satsuma.load("iris"), target="kind", log=f"{folder}/iris.sqlite")
    ...     len(view.labels)
    ...     view.close()
    0
    """
    if find_spec("anywidget") is None:
        raise SatsumaError(
            "label needs the package anywidget. Install it with: pip install satsuma[jupyter]"
        )
    from satsuma.app.labelling.task import resumed_task
    from satsuma.app.store.log_file import log_path
    from satsuma.app.widget import Label

    rows = table if isinstance(table, Table) else read(table)
    file = isinstance(table, str | os.PathLike)
    beside = Path(table) if file else Path(rows.name or "table")  # type: ignore[arg-type]
    where = log_path(beside) if log is None else Path(log)
    task = resumed_task(rows, where, target=target, classes=classes, sought=sought, key=key)
    return Label(task, where, name)
