"""The troubles of others' files, in the smallest files that have them."""

import pytest

from tests.suites.harvest import CASES
from tests.suites.outcomes import compare_grid, outcome

#: What may come of a file, by how its case is to end.
RIGHT = {
    "at once": ("same",),
    "by options": ("same", "by options"),
    "refused": ("refused", "but for rows"),
}


@pytest.mark.parametrize("name", CASES)
def test_troubles_of_others(name, tmp_path):
    case = CASES[name]
    path = tmp_path / f"table.{case.ending}"
    path.write_bytes(case.content if isinstance(case.content, bytes) else case.content.encode())
    compare = compare_grid(case.names, case.rows) if case.rows else lambda _: "not refused"
    word, why = outcome(path, compare, {"target": "amount"}, **case.options)
    assert word in RIGHT[case.ends], f"{word}: {why}"
