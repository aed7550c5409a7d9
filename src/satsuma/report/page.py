"""The page: the sections about a table in one HTML file that needs nothing else."""

import base64
import re
from collections.abc import Callable, Iterable
from functools import cache
from hashlib import sha256
from importlib.resources import files

import jinja2
from markupsafe import Markup, escape

from satsuma.data.summary import cut
from satsuma.data.table import Table
from satsuma.engines import check_rows
from satsuma.engines.thread_pool import Progress, unheard
from satsuma.errors import DomainError, ParameterError, SatsumaError
from satsuma.evaluate.request import SomeLearners, check_whole
from satsuma.evaluate.suspected_leakage import Leaks
from satsuma.report.analysis import Analysis
from satsuma.report.elements import Section
from satsuma.report.next_steps import next_steps
from satsuma.report.number_format import percent
from satsuma.report.sections.association_map import association_section
from satsuma.report.sections.best_rows import best_rows_section
from satsuma.report.sections.clusters import cluster_section
from satsuma.report.sections.contrast_sets import contrast_section
from satsuma.report.sections.data_quality import data_quality_section
from satsuma.report.sections.error_analysis import error_section
from satsuma.report.sections.example_rows import rows_section
from satsuma.report.sections.explained_rows import explained_section
from satsuma.report.sections.learner_comparison import comparison_section
from satsuma.report.sections.missing_cells import missing_section
from satsuma.report.sections.outlier_rows import outlier_section
from satsuma.report.sections.over_time import time_section
from satsuma.report.sections.readable_model import model_section
from satsuma.report.sections.table_comparison import against_section
from satsuma.report.sections.table_overview import missing_values, table_overview_section

Make = Callable[[Analysis], Section]

#: A percent sign after a number.
_PERCENT = re.compile(r"(?<=\d) %")

#: A command or Python at the end of a sentence.
_CODE = re.compile(r"(?:satsuma (?:learn|report) |model = satsuma\.|table\.with_).+?(?=\.?$)")

#: Steps of the whole page: before the comparison, of it, and after it.
_STEPS, _BEFORE, _COMPARING, _AFTER = 100, 10, 60, 25


def report(
    table: Table,
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
) -> str:
    """The page as a string; see `write_report`."""
    import satsuma

    check_rows("write_report takes", table, sources=False)
    if not len(table) or not len(table.domain):
        raise DomainError("There is nothing to report on: the table has no rows or no columns.")
    tell = progress or unheard

    def comparing(done: int, total: int) -> None:
        tell(_BEFORE + _COMPARING * done // max(1, total), _STEPS)

    folds = None if folds is None else check_whole("write_report", "folds", folds, 2)
    seed = check_whole("write_report", "seed", seed, 0)
    _check_against(against)
    analysis = Analysis(
        table,
        learners,
        folds,
        seed,
        comparing,
        drawn_from,
        wording,
        against,
        _seconds(limit),
        leaks,
    )
    sections = _sections(analysis, tell)
    page = _template().render(
        title=cut(table.name or "A table", 120),
        facts=_facts(analysis),
        steps=next_steps(analysis, sections),
        sections=sections,
        version=satsuma.__version__,
        script=Markup(_script()),  # noqa: S704 (it comes with this file)
        script_hash=base64.b64encode(sha256(_script().encode()).digest()).decode(),
    )
    tell(_STEPS, _STEPS)
    return page


def _seconds(limit: object) -> float:
    if isinstance(limit, bool) or not isinstance(limit, int | float) or not limit >= 0:
        raise ParameterError(
            f"The 'limit' parameter of write_report must be a number of seconds, 0 or more. Got "
            f"{limit!r} instead."
        )
    return float(limit)


def _check_against(against: object) -> None:
    if against is not None and not isinstance(against, Table):
        raise ParameterError(
            f"The 'against' parameter of write_report must be a table, made by satsuma.read. Got a "
            f"{type(against).__qualname__} instead."
        )
    if against is not None and not len(against):
        raise ParameterError("The 'against' parameter of write_report is a table without rows.")


def _sections(analysis: Analysis, tell: Progress) -> list[Section]:
    made = [table_overview_section(analysis), data_quality_section(analysis)]
    made += [_tried(analysis, *each) for each in _first_sections(analysis)]
    tell(_BEFORE, _STEPS)
    made += _compared(analysis)
    last = _last_sections(analysis)
    for at, (key, title, make) in enumerate(last):
        tell(_BEFORE + _COMPARING + _AFTER * at // len(last), _STEPS)
        made.append(_tried(analysis, key, title, make))
    return made


def _first_sections(analysis: Analysis) -> list[tuple[str, str, Make]]:
    """The sections before the comparison, as far as the table has something for them."""
    found: list[tuple[str, str, Make]] = []
    if analysis.against is not None:
        found.append(("against", "Compared with another table", against_section))
    found.append(("associations", "What goes together", association_section))
    if missing_values(analysis.table):
        found.append(("missing", "Missing values", missing_section))
    if any(variable.kind == "time" for variable in analysis.table.domain):
        found.append(("time", "Over time", time_section))
    found.append(("rows", "Some of the rows", rows_section))
    return found


def _compared(analysis: Analysis) -> list[Section]:
    """The comparison, or one sentence that says why there is none."""
    try:
        return [comparison_section(analysis)]
    except SatsumaError as error:
        if isinstance(error, ParameterError) and analysis.learners is not None:
            raise  # that is a mistake in asking, and not in the table
        section = Section("comparison", "Which learner to use")
        why = analysis.wording(str(error))
        section.say(f"Learners are not compared, and no model is shown. {why}")
        return [section]


def _last_sections(analysis: Analysis) -> list[tuple[str, str, Make]]:
    """The sections after the comparison, as far as the table has something for them."""
    found: list[tuple[str, str, Make]] = []
    if analysis.has_comparison:
        found.append(("model", "How the model decides", model_section))
        found.append(("errors", "Where the model is wrong", error_section))
        found.append(("explained", "Single rows explained", explained_section))
    found.append(("contrasts", "How the classes differ", contrast_section))
    if analysis.table.domain.goals:
        found.append(("goals", "The best rows", best_rows_section))
    found.append(("clusters", "Clusters", cluster_section))
    found.append(("outliers", "Outliers", outlier_section))
    return found


def _tried(analysis: Analysis, key: str, title: str, make: Make) -> Section:
    """A section, or one that says why it could not be made."""
    try:
        return make(analysis)
    except SatsumaError as error:
        section = Section(key, title)
        section.say(f"This could not be done with the table. {analysis.wording(str(error))}")
        return section


def _facts(analysis: Analysis) -> list[tuple[str, str]]:
    table, target = analysis.table, analysis.table.domain.target
    missing = missing_values(table) / (len(table) * len(table.domain))
    facts = [
        (
            "rows",
            f"{len(table):,}"
            if analysis.drawn_from is None
            else (f"{len(table):,} of {analysis.drawn_from:,}"),
        ),
        ("columns", f"{len(table.domain):,}"),
        ("missing values", percent(missing) if missing else "none"),
    ]
    return [*facts, ("target", cut(target.name, 32))] if target else facts


def _set_as_code(text: str) -> Markup:
    """A sentence that may end in a command or in Python, which is set as code, word by word."""
    text = str(_unbroken(text))
    found = _CODE.search(text)
    if found is None:
        return escape(text)
    words = [Markup("<span>{}</span>").format(word) for word in found[0].split(" ")]
    code = Markup("<code>{}</code>").format(Markup(" ").join(words))
    return escape(text[: found.start()]) + code + escape(text[found.end() :])


def _unbroken(value: object) -> object:
    """What is written on the page; no line ends between a number and its percent sign."""
    # What is markup already has been here before, as text.
    return _PERCENT.sub("\N{NO-BREAK SPACE}%", value) if type(value) is str else value


def _load(name: str) -> str:
    return files("satsuma.report").joinpath("templates", name).read_text(encoding="utf-8")


@cache
def _script() -> str:
    """The script of the page: no other may run there, by the hash in its policy."""
    return _load("report.js")


@cache
def _template() -> jinja2.Template:
    made = jinja2.Environment(
        loader=jinja2.FunctionLoader(_load),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
        finalize=_unbroken,
    )
    made.filters["code"] = _set_as_code
    return made.get_template("report.html")
