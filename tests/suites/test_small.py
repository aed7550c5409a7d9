"""The small files of csv-spectrum, PapaParse and polars, against what stands beside them.

csv-spectrum has its answers in JSON; the others are plain, and Python's csv module reads them.
"""

import csv
import json

import pytest

from tests.suites.outcomes import Outcomes, check, compare_grid, outcome

#: The least share of files that are read right.
FLOORS = {("same", "by options", "rightly refused", "alone"): 0.96}

#: What has to be refused, and why.
BROKEN = {
    "papa/tests/verylong-sample.csv": "a row with a cell too few",
    "polars/py-polars/tests/unit/io/files/empty.csv": "there is nothing in it",
}

#: Files that are read at once, and not as they are, by cause. The aim is none.
DIFFERENT = {}

#: Files without a line of names.
NO_NAMES = ("papa/tests/long-sample.csv",)

#: The file and the answer hold different telephone numbers.
NO_ANSWER = ("spectrum/csvs/location_coordinates.csv",)


def of_json(path):
    """The names and rows of a file of csv-spectrum."""
    rows = json.loads(path.read_text("utf-8"))
    return list(rows[0]), [list(row.values()) for row in rows]


def of_csv(path, named):
    """The names and rows that Python's csv module finds."""
    with path.open(newline="", encoding="utf-8-sig") as lines:
        rows = [row for row in csv.reader(lines) if row]
    if not rows or any(len(row) != len(rows[0]) for row in rows):
        return None
    return (rows[0], rows[1:]) if named else ([None] * len(rows[0]), rows)


@pytest.mark.needs("../suites/small_csv.tar.xz")
def test_small_files(unpacked):
    files, found = unpacked("small_csv"), Outcomes()
    for name, path in files.items():
        if not name.endswith(".csv"):
            continue
        if name in NO_ANSWER:
            theirs = None
        elif "/csvs/" in name:
            theirs = of_json(files[name.replace("csvs/", "json/").removesuffix("csv") + "json"])
        else:
            theirs = of_csv(path, name not in NO_NAMES)
        word, why = outcome(path, None if theirs is None else compare_grid(*theirs))
        if name in BROKEN:
            assert word == "refused", name
            word = "rightly refused"
        found.add(name, word, why)
    check(found, DIFFERENT, FLOORS)
