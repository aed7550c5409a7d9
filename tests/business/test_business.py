"""Tables as offices export them are read to the exact values that made them."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import satsuma
from satsuma.errors import WriteError
from tests.business.columns import MAKERS
from tests.business.locales import LOCALES
from tests.business.tables import LAYOUTS, business
from tests.suites.grids import ANY, cells_of, styles
from tests.suites.remedies import attempts


def wrong(table, made):
    """In what a table differs from the values that made it; None if in nothing."""
    if list(table.domain.names) != [column.name for column in made.columns]:
        return f"the names are {table.domain.names}"
    for column in made.columns:
        kind, cells = table.domain[column.name].kind, cells_of(table, column.name)
        if (kind == "text" and column.kind != "sym") or kind not in (column.kind, "text"):
            return f"{column.name!r} is {kind}, not {column.kind}: {column.texts[:4]}"
        if cells != column.cells:
            different = [
                at for at in zip(cells, column.cells, column.texts, strict=False) if at[0] != at[1]
            ]
            return f"{column.name!r} has {len(cells)} cells: {different[:3]}"
    return None


def read_wrong(made):
    """In what the file of a table is read wrong, at once and by the remedies of its refusal.

    What stands around the rows may be asked about; how they are encoded may not.
    """
    told = []
    for options, found in attempts(made.bytes, format="csv"):
        problem = str(found) if isinstance(found, Exception) else wrong(found, made)
        if problem is None and "encoding" not in options:
            return None
        told.append(f"{options}: {problem}")
        if len(told) == 1 and not isinstance(found, Exception):
            break  # what is read without a question must be right
    return "\n".join([*told, made.text[:600]])


@pytest.mark.parametrize("seed", range(40))
def test_tables_of_business(seed):
    made = business(seed, LOCALES[seed % len(LOCALES)])
    assert read_wrong(made) is None, read_wrong(made)


@settings(max_examples=200)
@given(
    st.integers(0, 2**32),
    st.sampled_from(LOCALES),
    st.lists(st.sampled_from(LAYOUTS), unique=True),
    st.lists(st.sampled_from(MAKERS), min_size=1, max_size=6, unique=True),
)
def test_random_tables_of_business(seed, locale, layouts, makers):
    made = business(seed, locale, layouts, makers=makers)
    assert read_wrong(made) is None, read_wrong(made)


@settings(max_examples=50)
@given(st.integers(0, 2**32), st.sampled_from(LOCALES))
def test_what_is_not_recognised_is_read_or_refused(seed, locale):
    for _, found in attempts(business(seed, locale).bytes, format="csv"):
        assert isinstance(found, satsuma.Table | satsuma.SatsumaError)


@pytest.mark.parametrize("seed", range(10))
def test_kinds_undo_what_is_recognised(seed):
    made = business(seed, LOCALES[seed % len(LOCALES)], ())
    table = satsuma.read(made.bytes, format="csv", kinds={c.name: "sym" for c in made.columns})
    for column in made.columns:
        cells = cells_of(table, column.name)
        spelled = [text for text, cell in zip(column.texts, cells, strict=True) if cell is not None]
        assert [cell for cell in cells if cell is not None] == spelled
        assert all(column.cells[i] is None for i, cell in enumerate(cells) if cell is None)


@pytest.mark.parametrize(
    "ending", ["csv", "tsv", "tab", "arff", "parquet", "feather", "jsonl", "xlsx"]
)
def test_tables_of_business_come_back(ending, tmp_path):
    held = 0
    for seed in range(10):
        made = business(seed, LOCALES[seed % len(LOCALES)], layouts=())
        table = satsuma.read(made.bytes, format="csv")
        try:
            satsuma.write(table, tmp_path / f"{seed}.{ending}")
        except WriteError:
            continue  # the format cannot hold it, and says so
        kinds = {variable.name: variable.kind for variable in table.domain}
        again = satsuma.read(tmp_path / f"{seed}.{ending}", kinds=kinds)
        assert wrong(again, made) is None
        held += 1
    assert held


@pytest.mark.parametrize("seed", range(40))
def test_spellings_mean_their_cells(seed):
    """The tables themselves are right: somebody else reads the same in every spelling."""
    for column in business(seed).columns:
        style = ANY
        for cell, text in zip(column.cells, column.texts, strict=True):
            style &= styles(cell, text, column.kind)
            assert style, (column.kind, cell, text)
