"""Format notes: what is to be told of how the columns of a text are written."""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

from satsuma.data.column_plan import ColumnPlan
from satsuma.data.example_cells import number_marks
from satsuma.data.notes import Note, column_list, note
from satsuma.data.readings import Doubt
from satsuma.data.recognition import doubt_options
from satsuma.data.spelling import Spelling
from satsuma.data.summary import short_number
from satsuma.data.time_recognition import date_order
from satsuma.kernels.csv import Format, NumberFormat, TimeFormat, read_number

#: Blanks that are shown as a plain one.
_BLANK = re.compile("[\u00a0\u202f]")

#: A format, and the marks of it that a column is known to have.
_Shape = tuple[Format, frozenset[str]]


def format_notes(plan: ColumnPlan, spelling: Spelling) -> Iterator[Note]:
    """A note for the columns of each format that was recognised, with a cell of the first of them.

    Columns share a note if their cells have the same marks.
    """
    groups = defaultdict[_Shape, list[str]](list)
    for variable in plan.domain:
        form = _recognised(plan, spelling, variable.name)
        if form is not None and (cells := spelling.examples.get(variable.name)):
            marks = _marks(cells) if isinstance(form, NumberFormat) else frozenset[str]()
            groups[form, marks].append(variable.name)
    for (form, marks), names in groups.items():
        cells = spelling.examples[names[0]]
        facts = _facts(names, cells)
        if isinstance(form, TimeFormat):
            yield note("times", **facts)
        elif form.percent:
            share = read_number(cells[0], form)
            assert share is not None, "all cells of the column are numbers"
            yield note(
                "percent", cell=_BLANK.sub(" ", cells[0]), share=short_number(share), **facts
            )
        else:
            yield note("written numbers", how=_how(form, marks), **facts)


def likeness_notes(plan: ColumnPlan, spelling: Spelling) -> Iterator[Note]:
    """A note on what a table that this one is to be like has decided."""
    forms = [form for n in plan.domain.names if (form := _recognised(plan, spelling, n))]
    taken, others = spelling.taken, {",": ".", ".": ",", "dmy": "mdy", "mdy": "dmy", "ymd": "dmy"}
    numbers = [each for each in forms if isinstance(each, NumberFormat)]
    if taken.decimal and any(each.decimal == taken.decimal for each in numbers):
        how, other = f"the decimal mark is {taken.decimal!r}", others[taken.decimal]
        yield _likeness(how, "decimal", other)
    if taken.dates and any(date_order(each) == taken.dates for each in forms):
        yield _likeness(f"dates are written {taken.dates}", "dates", others[taken.dates])


def _likeness(how: str, option: str, other: str) -> Note:
    facts = {"python": f"{option}={other!r}", "command": f"--read {option}={other}"}
    return note("likeness", how=how, **facts)


def _recognised(plan: ColumnPlan, spelling: Spelling, name: str) -> Format | None:
    """How a column of numbers or times is written, if it has a format of its own."""
    variable = plan.domain[name]
    if variable.kind == "time" and plan.spelling is not None:
        return variable.time_format
    return spelling.numbers.get(name) if variable.kind == "num" else None


def _marks(cells: Sequence[str]) -> frozenset[str]:
    return frozenset[str]().union(*map(number_marks, cells))


def _facts(names: Sequence[str], cells: Sequence[str]) -> dict[str, Any]:
    listed = " and ".join(repr(_BLANK.sub(" ", cell)) for cell in cells)
    return {"columns": column_list(names, "is"), "name": names[0], "example": listed}


def _how(form: NumberFormat, marks: frozenset[str]) -> str:
    """What was made of the marks that the cells have."""
    thousands = form.thousands if form.thousands in marks else ""
    signs = [repr(mark) for mark in (form.before, form.after, thousands) if mark]
    told = [f"without {' and '.join(signs)}"] if signs else []
    told += ["with decimal commas"] if form.decimal == "," and "," in marks else []
    told += ["negative in parentheses"] if "(" in marks else []
    told += ["negative with a minus behind"] if "-" in marks else []
    return "".join(f", {each}" for each in told)


def doubt_notes(plan: ColumnPlan, spelling: Spelling) -> Iterator[Note]:
    """A note for the columns that may be read in the same several ways."""
    groups = defaultdict[Doubt, list[str]](list)
    for name in plan.domain.names:
        if name in spelling.doubts and plan.domain[name].kind in ("sym", "text"):
            groups[spelling.doubts[name]].append(name)
    for doubt, names in groups.items():
        facts = _facts(names, spelling.examples[names[0]])
        if len(doubt.formats) == 1:
            yield _weak_note(doubt.formats[0], facts)
            continue
        code = "numbers" if isinstance(doubt.formats[0], NumberFormat) else "dates"
        option, settings = doubt_options(doubt)
        facts["python"] = " or ".join(f"{option}={each!r}" for each in settings)
        facts["command"] = " or ".join(f"--read {option}={each}" for each in settings)
        yield note(f"doubtful {code}", **facts)


def _weak_note(form: Format, facts: dict[str, Any]) -> Note:
    """The note for columns that fit a format and may as well be something else."""
    if isinstance(form, NumberFormat):
        return note("doubtful units", unit=form.after, **facts)
    return note("doubtful times", **facts)
