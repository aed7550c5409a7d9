"""The page: sections that tell of a table, set in one HTML file that needs nothing else."""

import re
from collections.abc import Callable
from functools import cache
from importlib.resources import files
from os import PathLike
from pathlib import Path

import jinja2

from satsuma.data.files import replacing
from satsuma.data.summary import cut
from satsuma.data.table import Table
from satsuma.engines.thread_pool import Progress, unheard
from satsuma.errors import DomainError, ParameterError, SatsumaError
from satsuma.evaluate.request import SomeLearners, check_whole
from satsuma.report.analysis import Story
from satsuma.report.elements import Section
from satsuma.report.number_format import percent
from satsuma.report.sections.best_rows import about_goals
from satsuma.report.sections.clusters import about_groups
from satsuma.report.sections.contrast_sets import about_contrasts
from satsuma.report.sections.data_quality import about_doubts
from satsuma.report.sections.error_analysis import about_errors
from satsuma.report.sections.learner_comparison import about_comparison
from satsuma.report.sections.outliers import about_odd
from satsuma.report.sections.readable_model import about_model
from satsuma.report.sections.table_overview import about_table, holes

Make = Callable[[Story], Section]

#: A percent sign after a number.
_PERCENT = re.compile(r"(?<=\d) %")

#: Steps of the whole page: before the comparison, of it, and after it.
_STEPS, _BEFORE, _COMPARING, _AFTER = 100, 10, 60, 25


def write_report(
    table: Table,
    path: str | PathLike[str],
    *,
    learners: SomeLearners | None = None,
    folds: int = 10,
    seed: int = 1,
    progress: Progress | None = None,
    drawn_from: int | None = None,
) -> Path:
    """Write one HTML page about a table and its models; it needs no other file and no network.

    The page tells what is in the table and what may be wrong with it, which learner to take, what
    its model believes, where it errs, which rows are odd or belong together, and what sets the
    classes apart. What cannot be told of a table is said in a sentence. Of many rows, some are
    drawn by chance where all would take long; the page says where. Cells and names are shown as
    text, whatever is in them.

    Parameters
    ----------
    table
        The rows; with or without a target or goals.
    path
        Where the page is written; a file that is there is replaced.
    learners
        What to compare: one, a list, or a dict by name; a sensible set unless given.
    folds
        How many parts the rows are dealt into for the comparison.
    seed
        Where chance starts from. The same table and seed give the same page, but for the seconds
        that learners took.
    progress
        Called with the number of steps that are done and of all steps.
    drawn_from
        Where the table is a sample: how many rows it was drawn from, for the page to say so.

    Examples
    --------
    >>> import satsuma, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     page = write_report(
    ...         satsuma.load("lenses"), f"{folder}/lenses.html", learners=satsuma.ID3(), folds=3
    ...     )
    ...     "<h1>lenses</h1>" in page.read_text(encoding="utf-8")
    True
    """
    # Opened first: a folder that is not there is told of before the work is done, not after it.
    with replacing(path) as file:
        page = report(
            table, learners=learners, folds=folds, seed=seed, progress=progress,
            drawn_from=drawn_from,
        )  # fmt: skip
        # Half of a surrogate pair, which a string may hold, has no place in a file.
        file.write(page.encode("utf-8", "backslashreplace"))
    return Path(path)


def report(
    table: Table,
    *,
    learners: SomeLearners | None = None,
    folds: int = 10,
    seed: int = 1,
    progress: Progress | None = None,
    drawn_from: int | None = None,
) -> str:
    """The page as a string; see `write_report`."""
    import satsuma

    if not len(table) or not len(table.domain):
        raise DomainError("There is nothing to report on: the table has no rows or no columns.")
    tell = progress or unheard

    def comparing(done: int, total: int) -> None:
        tell(_BEFORE + _COMPARING * done // max(1, total), _STEPS)

    folds = check_whole("write_report", "folds", folds, 2)
    seed = check_whole("write_report", "seed", seed, 0)
    story = Story(table, learners, folds, seed, comparing, drawn_from)
    made = [about_table(story), about_doubts(story)]
    tell(_BEFORE, _STEPS)
    made += _compared(story)
    last = _sections(story)
    for at, (key, title, make) in enumerate(last):
        tell(_BEFORE + _COMPARING + _AFTER * at // len(last), _STEPS)
        made.append(_tried(story, key, title, make))
    page = _template().render(
        title=cut(table.name or "A table", 120),
        facts=_facts(story),
        sections=made,
        version=satsuma.__version__,
    )
    tell(_STEPS, _STEPS)
    return page


def _compared(story: Story) -> list[Section]:
    """The comparison, or one sentence that says why there is none."""
    try:
        return [about_comparison(story)]
    except SatsumaError as error:
        if isinstance(error, ParameterError) and story.learners is not None:
            raise  # that is a mistake in asking, and not in the table
        section = Section("comparison", "Which learner to take")
        section.say(f"Learners are not compared, and no model is shown. {error}")
        return [section]


def _sections(story: Story) -> list[tuple[str, str, Make]]:
    """What is told after the comparison, as far as there is something to be told of."""
    found: list[tuple[str, str, Make]] = []
    if story.was_compared:
        found.append(("model", "The model, to be read", about_model))
        found.append(("errors", "Where it errs", about_errors))
    found.append(("contrasts", "What the classes differ in", about_contrasts))
    if story.table.domain.goals:
        found.append(("goals", "The best rows", about_goals))
    found.append(("clusters", "Rows that belong together", about_groups))
    found.append(("odd", "Odd rows", about_odd))
    return found


def _tried(story: Story, key: str, title: str, make: Make) -> Section:
    """A section, or one that says why it could not be made."""
    try:
        return make(story)
    except SatsumaError as error:
        section = Section(key, title)
        section.say(f"This could not be told of the table. {error}")
        return section


def _facts(story: Story) -> list[tuple[str, str]]:
    table, target = story.table, story.table.domain.target
    missing = holes(table) / (len(table) * len(table.domain))
    facts = [
        (
            "rows",
            f"{len(table):,}"
            if story.drawn_from is None
            else (f"{len(table):,} of {story.drawn_from:,}"),
        ),
        ("columns", f"{len(table.domain):,}"),
        ("missing cells", percent(missing) if missing else "none"),
    ]
    return [*facts, ("to be predicted", cut(target.name, 32))] if target else facts


def _unbroken(value: object) -> object:
    """What is written on the page; no line ends between a number and its percent sign."""
    # What is markup already has been here before, as text.
    return _PERCENT.sub("\N{NO-BREAK SPACE}%", value) if type(value) is str else value


@cache
def _template() -> jinja2.Template:
    folder = files("satsuma.report").joinpath("templates")

    def load(name: str) -> str:
        return folder.joinpath(name).read_text(encoding="utf-8")

    made = jinja2.Environment(
        loader=jinja2.FunctionLoader(load),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
        finalize=_unbroken,
    )
    return made.get_template("report.html")
