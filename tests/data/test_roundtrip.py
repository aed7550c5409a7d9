"""Random tables, written and read back: equal, or refused before anything is written."""

import re
import uuid
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import event, given
from hypothesis import strategies as st

from satsuma import Domain, Table, Variable, read, write
from satsuma.data.formats.excel.orange_sheet import is_orange_sheet
from satsuma.data.missing_marks import symbol_marks
from satsuma.errors import WriteError
from satsuma.kernels.csv import TimeFormat
from satsuma.numerics.arrays import DTYPES

MARCH_1900 = np.datetime64("1900-03-01")
CSV_MISSING = {"", "?", "NA", "NaN", "nan", "null", "NULL"}
TAB_MISSING = {"", "?", ".", "NA", "*", "~"}

# Each of these is special to some format, or to some library below it.
NASTY = [
    *CSV_MISSING, *TAB_MISSING, " ", "a b", " a", "a ", "a\t", "\ta", "a\\", "\\", "a\\ b", "\\n",
    "5", "007", "1e5", "-", "+", "inf", "True", "=1+1", "#N/A", "'", '"', "''", '"a"', ",", ";",
    "|", "a,b", "a\nb", "a\r\nb", "\r", "\n", "\0", "\x0b", "\x1e", "\x85", "\u2028", "\ufeffa",
    "\ufffe", "_x000D_", "c", "d", "s", "string", "discrete", "continuous", "C#a", "mD#b", "#a",
    "@data", "%", "a % b", "{1 2}", "{}", "Mpg+", "lbs-", "play!", "AgeX", "é", "日本", "🍊",
    "__index_level_0__", "\\u0041", "column_1", "a_2", "a" * 40, "long text, mostly distinct " * 3,
]  # fmt: skip

whole = st.characters(exclude_categories=["Cs"])
wild = st.one_of(st.sampled_from(NASTY), st.text(whole, max_size=6))
# What every format holds: quotes, commas, line feeds and foreign letters inside of words.
tame = st.text(st.sampled_from("abzé日🍊 ,;|\"'\\\n\t%{}"), max_size=5).map(lambda s: f"v{s}w")
numbers = st.one_of(
    st.floats(allow_infinity=False),
    st.integers(-(2**60), 2**60).map(float),
    st.sampled_from([0.0, -0.0, 1e16, 2.0**53, -(2.0**53) - 2, 5e-324, 1.7e308, 0.1 + 0.2]),
)

DAYS, SECONDS = 86_400 * 10**9, 10**9
# A format, what its times are whole multiples of, and from when to when they are.
FORMATS_OF_TIMES = [
    (TimeFormat("%Y-%m-%d"), DAYS, -100_000, 100_000),
    (TimeFormat("%Y/%m/%d"), DAYS, 0, 30_000),
    (TimeFormat("%-d. %B %Y", "de"), DAYS, 0, 30_000),
    (TimeFormat("%Y-%m-%d %H:%M"), 60 * SECONDS, -(10**8), 10**8),
    (TimeFormat("%Y-%m-%d %H:%M:%S"), SECONDS, 0, 10**9),
    (TimeFormat("%Y-%m-%dT%H:%M:%S%.f"), 10**6, 0, 10**12),
    (TimeFormat("%Y-%m-%d %H:%M:%S.%9f"), 1, 0, 10**18),
    (TimeFormat("%Y-%m-%dT%H:%M:%S%z", zone="+02:00"), SECONDS, 0, 10**9),
    (TimeFormat("%Y-%m-%d %H:%M:%S%z", zone="Europe/Ljubljana"), SECONDS, 0, 10**9),
    (TimeFormat("%H:%M:%S"), SECONDS, 0, 86_399),
    (TimeFormat("%-I:%M %p"), 60 * SECONDS, 0, 24 * 60 - 1),
]


@st.composite
def tables(draw):
    strings = draw(st.sampled_from([tame, wild]))
    names = draw(st.lists(strings.filter(bool), max_size=4, unique=True))
    rows = draw(st.integers(0, 5))
    roles = st.sampled_from(["x", "x", "target", "meta", "ignore", "weight", "goal"])
    left = {"target", "weight"}
    variables, columns = [], []
    for name in names:
        kind = draw(st.sampled_from(["num", "sym", "text", "time"]))
        role = draw(roles)
        fits = kind == "num" or role not in ("weight", "goal")
        role = role if fits and (role in left or role not in ("target", "weight")) else "x"
        left.discard(role)
        goal = draw(st.sampled_from("+-")) if role == "goal" else None
        values = draw(st.lists(strings, max_size=4, unique=True)) if kind == "sym" else []
        form, grain, low, high = draw(st.sampled_from(FORMATS_OF_TIMES))
        times = st.integers(low, high).map(lambda n, grain=grain: np.datetime64(n * grain, "ns"))
        cells = {
            "num": numbers | st.just(np.nan),
            "sym": st.integers(-1, len(values) - 1),
            "text": strings | st.none(),
            "time": times | st.just(np.datetime64("NaT")),
        }[kind]
        column = np.empty(rows, DTYPES[kind])
        column[:] = draw(st.lists(cells, min_size=rows, max_size=rows))
        form = form if kind == "time" else None
        variables.append(Variable(name, kind, tuple(values), role, goal, form))
        columns.append(column)
    return Table(Domain(variables), columns, name=draw(strings))


def used(table):
    """The symbols and texts that some row has."""
    for cells in by_column(table):
        yield from cells


def listed(table):
    for variable in table.domain:
        yield from variable.values


def in_csv(table):
    names, cells = table.domain.names, list(used(table))
    return (
        bool(names)
        and all(name.strip() == name for name in names)
        and not any("\0" in text for text in (*names, *cells))
        and not CSV_MISSING & set(cells)
        and not any(symbol_marks(values) & values for values in map(set, by_column(table)))
    )


def by_column(table):
    """The symbols and texts that some row has, of each column."""
    for variable in table.domain:
        if variable.kind in ("sym", "text"):
            yield [cell for cell in table[variable.name] if cell is not None]


def in_tab(table):
    names, cells = table.domain.names, [*used(table), *listed(table)]
    return (
        bool(names)
        and all(name.strip() == name for name in names)
        and not any(re.match("([mciw][CDS]?|[CDS])#", name) for name in names)
        and not any("\0" in text for text in (*names, *cells))
        and not TAB_MISSING & set(cells)
        and not table.domain.goals
    )


def times_of(table):
    """The formats of the columns of times, and the times that are there."""
    for variable in table.domain:
        if variable.kind == "time":
            column = table.column(variable.name)
            yield variable.time_format, column[~np.isnat(column)]


def in_arff(table):
    fine = any("%9f" in form.pattern and _below(times, "ms") for form, times in times_of(table))
    return len(table.domain) > 0 and not fine


def _below(times, unit):
    return (times.astype(f"datetime64[{unit}]") != times).any()


def in_excel(table):
    texts = [*table.domain.names, *used(table)]
    last_is_empty = len(table) > 0 and all(cell is None for cell in table[-1])
    return (
        len(table.domain) > 0
        and all(texts)
        and not any(re.search(r"_x[\da-fA-F]{4}_", text) for text in texts)
        and not any((c < " " and c not in "\t\n") or c in "\ufffe\uffff" for t in texts for c in t)
        and not last_is_empty
        and not is_orange_sheet(table.domain.names, [list(row) for row in table[:2]])
        and all(
            not len(times)
            or (
                not ("%z" in form.pattern or _below(times, "ms"))
                and ("%d" not in form.pattern.replace("-", "") or min(times) >= MARCH_1900)
            )
            for form, times in times_of(table)
        )
    )


def roles_of(table):
    return {v.name: v.goal or v.role for v in table.domain}


def kinds_of(table):
    return {v.name: v.kind for v in table.domain}


def cells_of(table):
    """Names, kinds, roles and cells; values of symbols and formats of times are not compared."""
    kept = [(v.name, v.kind, v.role, v.goal) for v in table.domain]
    columns = [
        table.column(v.name).view(np.int64).tolist() if v.kind == "time"
        else [row[v.name] for row in table]
        for v in table.domain
    ]  # fmt: skip
    return kept, columns, len(table)


def plain(table):
    """The table with one format for all times."""
    domain = Domain(replace(v, format="%Y-%m-%d") if v.kind == "time" else v for v in table.domain)
    return Table(domain, table.columns)


def same(table, path):
    return read(path).equals(table)


def same_but_formats(table, path):
    return plain(read(path)).equals(plain(table))


def same_with_roles(table, path):
    return plain(read(path, roles=roles_of(table))).equals(plain(table))


def same_cells(table, path, **options):
    back = read(path, kinds=kinds_of(table), roles=roles_of(table), **options)
    return cells_of(back) == cells_of(table)


def same_in_csv(table, path):
    return same_cells(table, path, header=True, quote='"')


def same_in_excel(table, path):
    return same_cells(table, path)


def always(_):
    return True


FORMATS = {
    "parquet": (always, same),
    "feather": (always, same),
    "tab": (in_tab, same_but_formats),
    "tab.zst": (in_tab, same_but_formats),
    "arff": (in_arff, same_with_roles),
    "csv": (in_csv, same_in_csv),
    "csv.gz": (in_csv, same_in_csv),
    "tsv": (in_csv, same_in_csv),
    "jsonl": (lambda table: len(table) > 0, same_cells),
    "xlsx": (in_excel, same_in_excel),
}


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("roundtrip")


@pytest.mark.parametrize("ending", FORMATS)
@given(table=tables())
def test_a_table_comes_back_or_is_refused(folder, ending, table):
    fits, same_as = FORMATS[ending]
    path = folder / f"{uuid.uuid4().hex}.{ending}"
    if not fits(table):
        event("refused")
        with pytest.raises(WriteError):
            write(table, path)
        assert not path.exists()
        return
    event("held")
    write(table, path)
    assert same_as(table, path)
    path.unlink()


@given(table=tables())
def test_arrow_gives_back_the_same_table(table):
    assert read(table.to_arrow()).equals(table)
    assert read(table).equals(table)


def test_the_order_of_rows_is_kept_across_blocks(tmp_path):
    rows = [(at, f"s{at % 7}") for at in range(25_000)]
    table = Table.of(rows, ["at", "s"])
    for ending in ("csv", "tab", "arff", "jsonl"):
        write(table, tmp_path / f"t.{ending}")
        at = read(tmp_path / f"t.{ending}", target="s").column("at")
        assert len(at) == 25_000
        assert all(after - before == 1 for before, after in pairwise(at))
