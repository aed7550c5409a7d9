"""The project's own tables and figures, beside those that the shared folder has."""

import json

import pytest

from tests.tables import FILES, MADE, OWN, SHARED, find

#: Tables whose rows are the same, in another order.
IN_ANOTHER_ORDER = {"moot/optimize/auto93.csv"}


def contained(ours, theirs):
    """Whether all that is said in ours is said in theirs."""
    if isinstance(ours, dict):
        return all(key in theirs and contained(each, theirs[key]) for key, each in ours.items())
    return ours == theirs


def test_every_case_has_its_table_in_the_project(cases):
    wanted = {each["data"]["file"] for each in cases.values() if "file" in each.get("data", {})}
    assert len(wanted) >= 6
    assert wanted <= set(OWN)


@pytest.mark.needs("../cases.json")
def test_figures_are_those_of_the_shared_folder(cases):
    theirs = json.loads((SHARED / "../cases.json").read_text("utf-8"))["cases"]
    assert [each["id"] for each in theirs] == list(cases)
    for each in theirs:
        for part in ("input", "expected", "tolerance"):
            assert contained(cases[each["id"]].get(part, {}), each[part]), each["id"]


@pytest.mark.needs("r", "moot/optimize")
def test_tables_are_those_of_the_shared_folder(tmp_path):
    for name in OWN:
        ours, theirs = find(name, tmp_path).read_bytes(), (SHARED / name).read_bytes()
        if name in IN_ANOTHER_ORDER:
            ours, theirs = sorted(ours.splitlines()), sorted(theirs.splitlines())
        assert ours == theirs, name


def test_what_is_made_is_found(tmp_path):
    assert set(MADE) <= set(OWN) <= set(FILES)
    for name in MADE:
        assert find(name, tmp_path).read_bytes() == MADE[name]()
    assert find("nothing.csv", tmp_path) is None
