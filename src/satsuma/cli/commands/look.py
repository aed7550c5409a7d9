"""``satsuma look``: what is in a table, and what may be wrong with it."""

from typing import Any, NamedTuple

from satsuma.cli import command_options as o
from satsuma.cli.table_input import COLUMN_OPTIONS, TableInput, takes_table
from satsuma.cli.terminal import as_json, console, in_options, note, printable, say, show_grid
from satsuma.data.notes import note as decision_note
from satsuma.data.phrases import quantity
from satsuma.data.summary import cut, summarise, width
from satsuma.data.table import Table
from satsuma.data.variable import Variable

#: Columns that are shown, characters of a name, and rows that a look at a large file takes.
COLUMNS, NAME, SAMPLE = 40, 24, 100_000

#: Values of a column whose counts are in the JSON: the most frequent ones.
COUNTS = 1_000


@takes_table(*COLUMN_OPTIONS)
def look(
    asked: TableInput,
    *,
    json: o.Json = False,
) -> None:
    """Look at a table: its columns, what is missing, and what may be wrong with it.

    \b
    Examples:
      satsuma look iris
      satsuma look patients.csv --target died
      satsuma look patients.csv --kind zip=sym --ignore id --json
    """
    from satsuma.report.findings import inspect_table

    table, drawn_from, notes = sample_table(asked)
    found = inspect_table(table)
    if json:
        facts = _facts(table, drawn_from)
        as_json({**facts, "notes": notes, "findings": [each._asdict() for each in found]})
        return
    _show(table, drawn_from)
    for each in notes:
        note(each)
    where = "" if drawn_from is None else f"In the sample of {len(table):,} rows: "
    for each in found:
        note(f"{where}{each.sentence} {in_options(each.remedy)}")


def _facts(table: Table, drawn_from: int | None) -> dict[str, Any]:
    target = table.domain.target
    return {
        "name": table.name,
        "rows": drawn_from or len(table),
        "looked_at": len(table),
        "columns": _columns(table),
        "target": None if target is None else target.name,
    }


class TableSample(NamedTuple):
    """A table, how many rows it was drawn from if it is a sample, and notes on it."""

    table: Table
    drawn_from: int | None
    notes: list[str]


def sample_table(asked: TableInput) -> TableSample:
    """The table, or some rows of a large one."""
    if not asked.large:
        table = asked.table()
        return TableSample(table, None, list(table.notes))
    source = asked.scan()
    table = source.sample(SAMPLE).with_notes(*source.notes)
    if len(table) == len(source):
        return TableSample(table, None, list(source.notes))
    drawn = decision_note("sample", rows=f"{len(source):,}", some=f"{len(table):,}")
    return TableSample(table, len(source), [*source.notes, drawn])


def _show(table: Table, drawn_from: int | None) -> None:
    rows, columns = table.shape
    missing = sum(int(table.missing(at).sum()) for at in range(columns))
    holes = quantity(missing, "missing value")
    share = f"{holes} ({missing / max(1, rows * columns):.1%})"
    sample = "" if drawn_from is None else f" drawn at random from {drawn_from:,}"
    size = f"{rows:,} rows{sample}, {columns:,} columns, {share if missing else 'no missing value'}"
    say(f"{printable(table.name) or 'Table'}: {size}", "bold")
    head = ["column", "role", "kind", "missing"]
    lines = [_line(table, at) for at in range(min(columns, COLUMNS))]
    used = [at for at in range(4) if at in (0, 2) or any(line[at] for line in lines)]
    taken = sum(2 + max(width(line[at]) for line in [head, *lines]) for at in used)
    room = max(20, console().width - taken)
    values = [summarise(table.domain[at], table.columns[at], room) for at in range(len(lines))]
    show_grid(
        [*(head[at] for at in used), "values"],
        [[*(line[at] for at in used), each] for line, each in zip(lines, values, strict=True)],
        left=[n for n, at in enumerate([*used, 4]) if at != 3],
        wide=len(used),
    )
    if columns > COLUMNS:
        say(f"… and {columns - COLUMNS:,} more columns; --json lists all")


def _line(table: Table, at: int) -> list[str]:
    variable, missing = table.domain[at], int(table.missing(at).sum())
    role = _role(variable)
    return [
        cut(variable.name, NAME),
        "" if role == "x" else role,
        variable.kind,
        f"{missing:,}" if missing else "",
    ]


def _columns(table: Table) -> list[dict[str, Any]]:
    from satsuma.engines.sampling import Summaries
    from satsuma.tallies.num import Num

    summaries = Summaries.of(table).by_name
    found: list[dict[str, Any]] = []
    for at, variable in enumerate(table.domain):
        each: dict[str, Any] = {
            "name": variable.name,
            "kind": variable.kind,
            "role": _role(variable),
            "missing": int(table.missing(at).sum()),
        }
        known = summaries.get(variable.name)
        if isinstance(known, Num):
            each |= {"mean": known.mu, "sd": known.sd, "low": known.lo, "high": known.hi}
        elif known is not None:
            counts = sorted(known.bag.items(), key=lambda each: -each[1])[:COUNTS]
            each |= {"values": len(variable.values), "counts": dict(counts)}
        found.append(each)
    return found


def _role(variable: Variable) -> str:
    return f"goal {variable.goal}" if variable.role == "goal" else variable.role
