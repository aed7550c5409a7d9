"""Polluted tables are read right, or refused; none is read as another one."""

import pytest

from tests.suites.outcomes import Outcomes, compare_grid, outcome
from tests.suites.pollution import POLLUTIONS


@pytest.mark.parametrize("name", POLLUTIONS)
def test_no_pollution_is_read_as_another_table(name, tmp_path):
    make, floor = POLLUTIONS[name]
    path, found = tmp_path / "sales.csv", Outcomes()
    for number, made in enumerate(make()):
        path.write_text(made.text, "utf-8", newline="")
        word, why = outcome(path, compare_grid(made.names, made.rows), made.known)
        found.add(f"{number}: {made.text[:300]!r}", word, why)
    assert not found.named("different"), found.told("different")
    assert not found.named("crash"), found.told("crash")
    right = found.counts["same"] + found.counts["by options"]
    assert right >= floor * len(found.words), (found.counts, found.told("refused")[:3000])
