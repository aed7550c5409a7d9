"""The CSV files that duckdb tests its reader with, against duckdb, which gives cells as texts."""

import re

import duckdb
import pytest

from tests.suites.outcomes import Outcomes, check, compare_grid, outcome

#: The least shares of files that are as duckdb has them at once; or by the options that a refusal
#: names; or that are refused by both.
FLOORS = {
    ("same",): 0.28,
    ("same", "by options"): 0.66,
    ("same", "by options", "rightly refused", "alone"): 0.88,
}

#: Where duckdb guesses wrong.
OURS = {"bug_7578.csv": "a header of names is taken for none, as a cell holds quotes"}

#: Files that are read at once, and not as duckdb has them, by cause.
DIFFERENT: dict[str, list[str]] = {}


def oracle(connection, path):
    """The names and rows that duckdb finds; None if it finds none."""
    try:
        found = connection.execute(
            "SELECT * FROM read_csv(?, all_varchar=true, hive_partitioning=false)", [str(path)]
        )
        return [column[0] for column in found.description], found.fetchall()
    except (duckdb.Error, UnicodeDecodeError):
        return None


def compare_with(names, grid):
    """A comparison with duckdb; whether the first row holds names may be another guess."""
    made_up = [None if re.fullmatch(r"column\d+", name) else name for name in names]
    plain = compare_grid(made_up, grid)

    def compare(table):
        wrong = plain(table)
        if wrong is None or compare_grid(None, [names, *grid])(table) is not None:
            return wrong
        return None if _numbered(table) else wrong

    return compare


def _numbered(table):
    """Whether the columns have no names but those that the reader gives them."""
    return table.domain.names == tuple(f"column_{j}" for j in range(1, len(table.domain) + 1))


@pytest.mark.figures
@pytest.mark.needs("../suites/duckdb_csv.tar.xz")
def test_the_files_of_duckdb(unpacked):
    found = Outcomes()
    with duckdb.connect(config={"threads": 1}) as connection:
        for name, path in unpacked("duckdb_csv", "duckdb/data/csv").items():
            theirs = None if name in OURS else oracle(connection, path)
            word, why = outcome(path, None if theirs is None else compare_with(*theirs))
            both = word == "refused" and (theirs is None or not path.stat().st_size)
            found.add(name, "rightly refused" if both else word, why)
    check(found, DIFFERENT, FLOORS)
