"""The polluted files of the Pollock benchmark, against the clean file beside each.

Vitagliano, Hameed, Jiang, Reisener, Wu and Naumann (2023): Pollock, a data loading benchmark.
"""

import csv
import json

import pytest

from tests.suites.outcomes import Outcomes, check, compare_grid, outcome

#: The least shares of files that are read right, at once or by the options that a refusal names.
#: And with those whose polluted rows are kept aside, all others being right.
FLOORS = {
    ("same", "by options", "rightly refused"): 0.95,
    ("same", "by options", "rightly refused", "but for rows"): 0.98,
}

#: Files that are read at once, and not as the clean ones, by cause.
DIFFERENT: dict[str, list[str]] = {}

#: What a user knows of a file, by the names of options, and of the parameters beside it.
KNOWN = {
    "delimiter": "delimiter",
    "quote": "quotechar",
    "escape": "escapechar",
    "encoding": "encoding",
    "skip": "preamble_lines",
    "footer": "footnote_lines",
}


@pytest.mark.figures
@pytest.mark.needs("../suites/pollock.tar.xz")
def test_polluted_files(unpacked):
    files = unpacked("pollock", "pollock/polluted_files")
    found = Outcomes()
    for name, path in files.items():
        if not name.startswith("csv/"):
            continue
        own = path.name
        with files[f"clean/{own}"].open(newline="", encoding="utf-8") as clean:
            names, *grid = list(csv.reader(clean)) or [[]]
        parameters = json.loads(files[f"parameters/{own}_parameters.json"].read_text("utf-8"))
        known = {option: parameters[name] for option, name in KNOWN.items()}
        word, why = outcome(path, compare_grid(names, grid) if names else None, known)
        if not names:
            assert word == "refused", own  # there is nothing in it
            word = "rightly refused"
        found.add(own, word, why)
    check(found, DIFFERENT, FLOORS)
