"""``python -m tools.docs.flows`` writes the three flows of the library into CONTRIBUTING.md.

Each flow is run, and the files that it opens are listed in the order in which they are entered.
"""

import ast
import json
import re
import sys
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from types import FrameType
from typing import Any

import satsuma

PROJECT = Path(__file__).parents[2]
PAGE = PROJECT / "CONTRIBUTING.md"
SOURCES = PROJECT / "src" / "satsuma"

#: Where a flow stands in the page.
_PLACE = r"(<!-- flow: {name} -->\n)(.*?)(<!-- end -->)"


def entered(function: Callable[[], Any]) -> list[str]:
    """The files of the library that a call enters, in order, when it is made a second time."""
    function()  # modules are imported, and what is remembered is remembered
    found: dict[str, None] = {}

    def note(frame: FrameType, event: str, _: Any) -> None:
        path = Path(frame.f_code.co_filename)
        if event == "call" and SOURCES in path.parents and path.suffix == ".py":
            found.setdefault(path.relative_to(SOURCES).as_posix())

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        function()
    finally:
        sys.setprofile(before)
    return list(found)


def flows() -> dict[str, list[str]]:
    """The files of each flow, by its name."""
    with TemporaryDirectory() as folder:
        return {
            "read": _read(Path(folder)),
            "learn": _learn(),
            "predict": _predict(),
            "cross-validate": _cross_validate(),
            "label": _label(Path(folder)),
        }


def _read(folder: Path) -> list[str]:
    path = folder / "iris.csv"
    satsuma.load("iris").write(path)
    return entered(lambda: satsuma.read(path, target="Species"))


def _learn() -> list[str]:
    iris = satsuma.load("iris")
    return entered(lambda: satsuma.NaiveBayes()(iris))


def _predict() -> list[str]:
    iris = satsuma.load("iris")
    model = satsuma.NaiveBayes()(iris)
    return entered(lambda: model(iris[0]))


def _cross_validate() -> list[str]:
    iris, learners = satsuma.load("iris"), [satsuma.NaiveBayes(), satsuma.Majority()]
    return entered(lambda: satsuma.cross_validate(learners, iris).scores("CA"))


def _label(folder: Path) -> list[str]:
    """The files of the page alone: below them, active learning learns as any learner does."""
    from satsuma.app.http.views import Views
    from satsuma.app.labelling.task import task_of

    iris = satsuma.load("iris")
    unlabelled = iris.select([v.name for v in iris.domain.attributes])
    views = Views(task_of(unlabelled, classes=("red", "blue")), folder / "labels.sqlite")
    turn = iter(range(1000))

    def answer() -> None:
        at = next(turn)
        row = views.ask("Ada", b"{}")["row"]
        sent = {"id": f"{at:08}", "row": row, "what": "label", "value": ["red", "blue"][at % 2]}
        views.answer("Ada", json.dumps(sent).encode())

    for _ in range(20):  # until there is a model
        answer()
    files = entered(answer)
    views.close()
    return [each for each in files if each.startswith("app/")]


def purpose(file: str) -> str:
    """The first sentence of a module, without its name in front."""
    text = ast.get_docstring(ast.parse((SOURCES / file).read_text("utf-8"))) or ""
    sentence = " ".join(text.split("\n\n")[0].split()).removesuffix(".")
    return re.sub(r"^[\w -]{1,30}: ", "", sentence)


def listed(files: list[str]) -> str:
    """The files of a flow as a numbered list."""
    return "".join(f"{at}. `{each}`: {purpose(each)}\n" for at, each in enumerate(files, 1))


def page() -> str:
    """The page, with the flows as they are."""
    text = PAGE.read_text("utf-8")
    for name, files in flows().items():
        place = re.compile(_PLACE.format(name=name), re.DOTALL)
        if not place.search(text):
            raise SystemExit(f"CONTRIBUTING.md has no place for the flow {name!r}.")
        text = place.sub(lambda found, files=files: found[1] + listed(files) + found[3], text)
    return text


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
