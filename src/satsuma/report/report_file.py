"""The page in a file: the door to the report, which needs packages that reading does not."""

from collections.abc import Callable, Iterable
from os import PathLike
from pathlib import Path

from satsuma.data.files import replacing
from satsuma.data.table import Table
from satsuma.engines.thread_pool import Progress
from satsuma.errors import require_extra
from satsuma.evaluate.request import SomeLearners
from satsuma.evaluate.suspected_leakage import Leaks


def write_report(
    table: Table,
    path: str | PathLike[str],
    *,
    learners: SomeLearners | None = None,
    folds: int | None = None,
    limit: float = 30.0,
    leaks: Leaks | Iterable[str] | None = None,
    seed: int = 1,
    against: Table | None = None,
    progress: Progress | None = None,
    drawn_from: int | None = None,
    wording: Callable[[str], str] = str,
) -> Path:
    """Write one HTML page about a table and its models; it needs no other file and no network.

    The page says what is in the table and what may be wrong with it, how learners compare in
    cross-validation and which to take, what its model believes, where it errs, what the classes
    differ in, and shows clusters and outliers. What cannot be done with a table is said in a
    sentence. Of many rows, some are drawn at random where all would take long; the page says
    where. Cells and names are shown as text, whatever is in them.

    Parameters
    ----------
    table
        The rows; with or without a target or goals.
    path
        Where the page is written; a file that is there is replaced.
    learners
        What to compare: one, a list, or a dict by name; what suits the table unless given.
    folds
        The folds of the cross-validation; as many as `compare` takes unless given.
    limit
        Seconds that all learners together may take, where none is named; the page says which were
        left out, or learned from a sample, to keep to that.
    leaks
        Columns that nothing is learned from, as they may know the target: by name, or with reasons.
        Unless given, those that alone predict nearly all of it; with ``()`` none is left out.
    seed
        The seed of everything random. The same table and seed give the same page, but for the
        seconds that learners took.
    against
        Another table, such as rows to be predicted: the page says which columns differ, by tests,
        and how well a classifier tells the rows of the two tables apart.
    progress
        Called with the number of steps that are done and of all steps.
    drawn_from
        Where the table is a sample: how many rows it was drawn from, for the page to say so.
    wording
        What makes the text of the page from a note or an error, whose remedy is in Python; the
        command has the remedy in its options.

    Examples
    --------
    >>> import satsuma, tempfile
    >>> from satsuma import write_report
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     page = write_report(
    ...         satsuma.load("lenses"), f"{folder}/lenses.html", learners=satsuma.ID3(), folds=3
    ...     )
    ...     "<h1>lenses</h1>" in page.read_text(encoding="utf-8")
    True
    """
    with require_extra("report", "A report", "jinja2 and matplotlib"):
        from satsuma.report.page import report
    # Opened first: a folder that is not there is an error before the work is done, not after it.
    with replacing(path) as file:
        page = report(
            table, learners=learners, folds=folds, limit=limit, leaks=leaks, seed=seed,
            against=against, progress=progress, drawn_from=drawn_from, wording=wording,
        )  # fmt: skip
        # Half of a surrogate pair, which a string may hold, has no place in a file.
        file.write(page.encode("utf-8", "backslashreplace"))
    return Path(path)
