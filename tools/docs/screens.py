"""The pictures of the report and of the labelling page in the README.

To draw them anew: ``python -m tools.docs.screens``.
"""

import csv
import re
import subprocess
import sys
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

ASSETS = Path(__file__).parents[2] / "docs" / "assets"
#: What issues are called, by their kind; a third of them is answered before the page is opened.
ISSUES = {
    "bug": (
        "Crash when the file is empty", "Wrong total when a cell is empty", "Crash on save",
        "Button does nothing on a phone", "The total is wrong after a sort",
        "Error when a name has an accent", "Crash when two rows are equal",
        "The search finds nothing after an error", "Saving fails with an error on a full disk",
        "Wrong date when the zone changes", "The phone shows an empty page",
        "A crash loses what was typed",
    ),
    "feature": (
        "Add a dark theme", "Export to a spreadsheet", "Sort columns by name",
        "Add a search by date", "Support several languages", "Allow more than one file",
        "Add an export as text", "Allow keys instead of the mouse", "Support dark colours in print",
        "Add columns by drag and drop", "Allow a theme of one's own", "Support larger files",
    ),
    "docs": (
        "The page on plots has a dead link", "Explain what a fold is", "Typo on the first page",
        "The guide does not explain the options", "Explain the export in the guide",
        "A dead link in the tutorial", "The tutorial has a typo", "Explain errors on one page",
        "Examples in the guide are out of date", "The page on keys lacks a picture",
    ),
}  # fmt: skip


def main() -> None:
    """Draw both, from what a user would see."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as engine:
        here = Path(folder)
        browser = engine.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1080, "height": 760}, color_scheme="light")
        page.set_default_timeout(120_000)  # of milliseconds: a busy machine is slow
        report = here / "report.html"
        _satsuma("report", "heart_disease", "-o", str(report))
        page.goto(report.as_uri())
        page.screenshot(path=ASSETS / "report.png")
        issues = here / "issues.csv"
        with issues.open("w", newline="") as file:
            csv.writer(file).writerows([("title", "kind"), *_issues()])
        with _labelling(issues) as link:
            page.goto(link)
            _answer(page, times=9)
            page.screenshot(path=ASSETS / "labelling.png")


@contextmanager
def _labelling(issues: Path) -> Generator[str]:
    """The address of the labelling page, which is served for a while."""
    command = _command(
        *("label", str(issues), "-t", "kind", "-c", "bug,feature,docs"),
        *("-k", "title=text", "--name", "Ada", "--no-browser"),
    )
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as served:  # noqa: S603 (ours)
        try:
            assert served.stdout is not None
            links = (re.search(r"http\S+", line) for line in served.stdout)
            yield next(found[0] for found in links if found)
        finally:
            served.terminate()


def _answer(page: Page, times: int) -> None:
    """Label as somebody would who has read the titles."""
    for _ in range(times):
        page.wait_for_load_state("networkidle")
        shown = page.locator("article.row").inner_text()
        kinds = [kind for kind, titles in ISSUES.items() if any(one in shown for one in titles)]
        with page.expect_response(lambda answer: answer.request.method == "POST"):
            page.keyboard.press(str([*ISSUES].index(kinds[0]) + 1))
    page.wait_for_load_state("networkidle")


def _issues() -> list[tuple[str, str]]:
    """Titles of all kinds in turn, the first third of them with their kind."""
    turns = [
        (titles[at], kind)
        for at in range(max(map(len, ISSUES.values())))
        for kind, titles in ISSUES.items()
        if at < len(titles)
    ]
    return [(title, kind if 3 * at < len(turns) else "") for at, (title, kind) in enumerate(turns)]


def _command(*given: str) -> list[str]:
    return [sys.executable, "-m", "satsuma", *given]


def _satsuma(*given: str) -> None:
    subprocess.run(_command(*given), check=True)  # noqa: S603 (our own command)


if __name__ == "__main__":
    main()
