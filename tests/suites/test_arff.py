"""ARFF files of Weka, statlib, SciPy and liac-arff, against SciPy's reader, or else liac-arff.

scikit-learn brings a copy of liac-arff along.
"""

import math
import warnings

import numpy as np
import pytest
from scipy.io import arff
from sklearn.externals import _arff

from tests.suites.grids import cells_of
from tests.suites.outcomes import Outcomes, check, outcome
from tests.suites.readings import moments

#: The least share of files that are as the oracle has them.
FLOORS = {("same",): 0.97, ("same", "by options", "rightly refused", "alone"): 1.0}

#: What is no table of rows and columns, or is broken, and has to be refused with its line.
BROKEN = {
    "arff/statlib/numeric/chscase_foot.arff": "a row with a cell too many, which SciPy drops",
    "arff/statlib/numeric/chscase_nba.arff": "a row with a cell too few",
    "arff/statlib/numeric/chscase_nyseotc.arff": "two commas in a row",
    "arff/statlib/numeric/chscase_prdq.arff": "two commas in each row",
    "arff/statlib/numeric/chscase_rock.arff": "a row with a cell too few",
    "arff/statlib/numeric/chscase_sex.arff": "two commas in a row",
    "arff/statlib/numeric/chscase_vote.arff": "two commas in each row",
    "arff/statlib/numeric/chscase_whale.arff": "two commas in each row",
    "arff/statlib/numeric/disclosure_x_bias.arff": "two commas in a row",
    "arff/statlib/numeric/papir_1.arff": "two commas in a row",
    "scipy/scipy/io/arff/tests/data/test3.arff": "an attribute of no type",
    "scipy/scipy/io/arff/tests/data/test8.arff": "UTC where the pattern asks for +0000",
    "scipy/scipy/io/arff/tests/data/test9.arff": "a relational attribute",
    "weka/packages/internal/timeSeriesFilters/src/test/java/weka/filters/unsupervised/timeseries/"
    "data/PAAweightsTest.arff": "a relational attribute",
}

#: Files that are read at once, and not as the oracle has them, by cause. The aim is none.
DIFFERENT: dict[str, list[str]] = {}


def of_scipy(path):
    """The columns of a file by their names, None where a cell is missing."""
    rows, meta = arff.loadarff(path)
    columns = {}
    for name, kind in zip(meta.names(), meta.types(), strict=True):
        cells = rows[name].tolist()
        if kind == "nominal":
            cells = [None if cell == b"?" else cell.decode() for cell in cells]
        elif kind == "date":
            found = rows[name].astype("M8[ns]")
            cells = [None if np.isnat(at) else at for at in found]
        else:
            cells = [None if math.isnan(cell) else cell for cell in cells]
        columns[name.strip("'\"")] = cells
    return columns


def of_liac(path):
    """The columns of a file by their names, cells of sparse rows filled in."""
    try:
        text = path.read_text("utf-8")
    except UnicodeDecodeError:
        text = path.read_text("cp1252")
    try:
        found = _arff.loads(text)
        rows = found["data"]
    except _arff.BadLayout:
        found = _arff.loads(text, return_type=_arff.LOD)
        zeros = [0.0 if isinstance(kind, str) else kind[0] for _, kind in found["attributes"]]
        rows = [[row.get(j, zero) for j, zero in enumerate(zeros)] for row in found["data"]]
    names = [name for name, _ in found["attributes"]]
    return {name: [row[j] for row in rows] for j, name in enumerate(names)}


def oracle(path):
    """What other readers find in a file; None if they find nothing."""
    for reader in (of_scipy, of_liac):
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                return reader(path)
        except Exception:  # noqa: BLE001 - they fail in many ways
            continue
    return None


def is_the_same(ours, theirs):
    """Whether two cells are; a moment may be told in words."""
    if isinstance(theirs, np.datetime64):
        at = theirs.astype("int64")
        return at in moments(ours).values() if isinstance(ours, str) else ours == at
    if isinstance(theirs, str) and isinstance(ours, str):
        return ours.strip() == theirs.strip()
    return ours == theirs


def compare_columns(columns):
    """A comparison with the columns that an oracle found."""

    def compare(table):
        names = [name.strip("'\"") for name in table.domain.names]
        if names != [*columns]:
            return f"the names {names[:5]} for {[*columns][:5]}"
        for name, cells in zip(table.domain.names, columns.values(), strict=True):
            ours = cells_of(table, name)
            if len(ours) != len(cells):
                return f"{len(ours)} rows for {len(cells)}"
            for i, pair in enumerate(zip(ours, cells, strict=True), 1):
                if not is_the_same(*pair):
                    return f"row {i} of {name!r}: {pair[0]!r} for {pair[1]!r}"
        return None

    return compare


@pytest.mark.needs("../suites/arff.tar.xz")
def test_the_arff_files_of_others(unpacked):
    found = Outcomes()
    for name, path in unpacked("arff").items():
        columns = None if name in BROKEN else oracle(path)
        word, why = outcome(path, None if columns is None else compare_columns(columns))
        if name in BROKEN:
            assert word == "refused", (name, word)
            word = "rightly refused"
        found.add(name, word, why)
    check(found, DIFFERENT, FLOORS)
