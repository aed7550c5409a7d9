"""The README: what its commands print, and figures that other pages have too."""

import re
import subprocess
import sys

import pytest

from tests.site.conftest import ROOT

README = (ROOT / "README.md").read_text("utf-8")

#: A page that is served until it is stopped, and one that takes ten seconds: tests/cli has both.
ELSEWHERE = ("satsuma label ", "satsuma report ")


def sessions(text):
    """Each command of a session, with what stands below it."""
    blocks = re.findall(r"^```(\w*)\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
    for block in (block for language, block in blocks if not language):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, shown = part.partition("\n")
            yield command, shown


def masked(text):
    """The cells of each line, without the seconds that learning took."""
    seconds, found = None, []
    for line in text.strip().splitlines():
        cells = re.split(r"\s{2,}", line.strip())
        if "seconds" in cells:
            seconds = cells.index("seconds")
        elif line.startswith("* "):
            seconds = None
        elif seconds is not None:
            cells[seconds] = "..."
        found.append(cells)
    return found


RUN = [each for each in sessions(README) if not each[0].startswith(ELSEWHERE)]


@pytest.mark.parametrize(("command", "shown"), RUN, ids=[command for command, _ in RUN])
def test_commands_print_what_stands_below_them(command, shown, tmp_path):
    words = [sys.executable, "-m", *command.split()]
    ran = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert masked(ran.stdout) == masked(shown)


def test_there_are_commands_to_run():
    assert [command.split()[1] for command, _ in RUN] == ["compare"]
    assert [command.split()[1] for command, _ in sessions(README)] == ["compare", "report", "label"]


def test_a_learner_that_is_another_is_found_out():
    (_, shown) = RUN[0]
    assert masked(shown.replace("0.5413", "0.5414")) != masked(shown)
    assert masked(re.sub(r"0\.000\d+", "0.1", shown)) == masked(shown)


def test_labels_beside_asreview_are_those_of_the_guide():
    guide = (ROOT / "docs" / "few_labels.md").read_text("utf-8")
    table = guide.partition("| ASReview's scorer | `Text` |\n")[2].partition("\n\n")[0]
    rows = re.findall(r"^\| (.+) \| .+ \| .+ \| .+ \| (\d+) \| (\d+) \|$", table, re.MULTILINE)
    told = re.findall(r"^\| .* \| (\d+) \| ASReview's scorer (\d+) \|$", README, re.MULTILINE)
    reviews = [row for row in rows if "review" in row[0]]
    news = [row for row in rows if "review" not in row[0]]
    for group, size, (ours, theirs) in zip((reviews, news), (3, 6), told, strict=True):
        assert len(group) == size
        assert round(sum(int(each) for _, _, each in group) / size) == int(ours)
        assert round(sum(int(each) for _, each, _ in group) / size) == int(theirs)
    assert sum(int(ours) > int(theirs) for _, theirs, ours in rows) == 2
