"""The map in CONTRIBUTING: its rooms are those of the import linter, its flows are what happens."""

import re
import tomllib

import pytest

from satsuma import kernels
from tools.docs.flows import PAGE, PROJECT, page

TEXT = PAGE.read_text("utf-8")


def rooms():
    """The rooms in the order in which they may import each other, as the linter has them."""
    settings = tomllib.loads((PROJECT / "pyproject.toml").read_text("utf-8"))
    contracts = settings["tool"]["importlinter"]["contracts"]
    layers = next(each["layers"] for each in contracts if each.get("containers") == ["satsuma"])
    return [each.strip("()") for each in layers]


def test_the_picture_has_every_room_in_order():
    (picture,) = re.findall(r"^```\n( what people touch.*?)^```", TEXT, re.DOTALL | re.MULTILINE)
    drawn = [re.split(r"\s{2,}", line.strip(), maxsplit=1)[1] for line in picture.splitlines()]
    assert [room for line in drawn for room in line.split(" · ")] == rooms()


def test_the_table_tells_of_every_room():
    section = TEXT.split("## Three flows")[0]
    told = [
        name
        for line in re.findall(r"^\| (`.*?`) \| \w", section, re.MULTILINE)
        for name in re.findall(r"`(\w+)`", line)
    ]
    assert told == rooms()


@pytest.mark.skipif(not kernels.compiled, reason="with the twins, their files are entered too")
def test_the_flows_are_what_happens():
    assert page() == TEXT, "Write them anew: python -m tools.docs.flows"
