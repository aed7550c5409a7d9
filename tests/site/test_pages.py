"""The Markdown of the pages: what the build itself would not miss."""

import ast
import re
from inspect import getdoc, isclass, isfunction
from typing import get_args

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.image import imread

import satsuma
from satsuma import plot
from satsuma.registry import LEARNERS
from tests.site.conftest import ROOT
from tools.docs.at_work import PICTURE, drawn
from tools.docs.hooks import linked
from tools.docs.learners import listed
from tools.docs.pages import FencedParser, run
from tools.docs.results import expanded, read

DOCS = ROOT / "docs"


@pytest.mark.parametrize("name", [*satsuma.__all__, *(f"plot.{each}" for each in plot.__all__)])
def test_every_name_has_an_example(name):
    if name in {"__version__", "plot"}:
        return  # neither has a docstring of its own to put it in
    found = satsuma
    for part in name.split("."):
        found = getattr(found, part)
    assert ">>> " in (getdoc(found) or ""), f"satsuma.{name} has no example"


def test_the_reference_has_what_functions_return():
    text = "\n".join(page.read_text("utf-8") for page in (DOCS / "reference").glob("*.md"))
    described = set(re.findall(r"^::: ([\w.]+)$", text, flags=re.MULTILINE))
    described |= {f"satsuma.{name}" for name in satsuma.__all__}
    lost = {
        f"{name}: {path}"
        for room in (satsuma, satsuma.measures)
        for name in room.__all__
        for path in returned(getattr(room, name))
        if path not in described and f"satsuma.{path.split('.')[-1]}" not in described
    }
    assert not lost


def returned(function):
    """The classes of ours that a function returns, by their full names."""
    found = function.__annotations__.get("return") if isfunction(function) else None
    parts = [each for each in (found, *get_args(found)) if isclass(each)]
    return [f"{each.__module__}.{each.__qualname__}" for each in parts
            if each.__module__.startswith("satsuma.")]  # fmt: skip


@pytest.mark.parametrize("name", sorted(set(plot.__all__) - {"describe"}))
def test_the_gallery_has_every_plot(name):
    part = re.split(rf"^### {name}$", (DOCS / "plots.md").read_text("utf-8"), flags=re.MULTILINE)
    assert len(part) == 2, f"there is no part {name} in the gallery"
    mine = re.split(r"^##+ ", part[1], flags=re.MULTILINE)[0]
    assert f"plot.{name}(" in mine
    assert "](pictures/" in mine


def test_learners_of_the_tutorial_are_short():
    text = (DOCS / "tutorials" / "own_learner.md").read_text("utf-8")
    classes = {}
    for example in FencedParser().get_examples(text):
        if "class " in example.source:
            tree = ast.parse(example.source).body[0]
            lines = [line for line in example.source.splitlines() if line.strip()]
            classes[tree.name] = len(lines)
    for pair in (("Scratch", "ScratchModel"), ("CutBayes", "CutModel"), ("Votes", "VoteModel")):
        assert sum(classes[name] for name in pair) < 20, pair


def test_pages_list_every_learner_that_is_registered():
    names = [each.name for each in LEARNERS]
    table = listed((DOCS / "choosing.md").read_text("utf-8"))
    assert re.findall(r"^\| \[(\w+)\]\[satsuma\.\1\] \| \w", table, flags=re.MULTILINE) == names
    pages = [listed(each.read_text("utf-8")) for each in (DOCS / "reference").glob("*.md")]
    told = re.findall(r"^::: satsuma\.(\w+)$", "\n".join(pages), flags=re.MULTILINE)
    assert sorted(each for each in told if each in names) == sorted(names)


def test_the_picture_of_the_readme_is_what_comes_of_it():
    figure = drawn()
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    lines = [text.get_window_extent() for text in figure.texts]
    assert min(line.y0 for line in lines) > 0
    assert max(line.y1 for line in lines) < figure.bbox.height
    now = np.asarray(canvas.buffer_rgba())[..., :3].astype(float)
    kept = imread(PICTURE)[..., :3] * 255.0
    assert now.shape == kept.shape
    assert np.sqrt(((now - kept) ** 2).mean()) < 10


def test_a_page_that_lies_is_found_out(tmp_path):
    page = tmp_path / "page.md"
    page.write_text(
        "```pycon\n>>> 1 + 1\n3\n```\n\n![A picture of nothing](pictures/none.svg)\n\n"
        "| there | Satsuma |\n|---|---|\n| `a` | `no_such_name`, `1 + 1` |\n",
        "utf-8",
    )
    failures = run(page).failures
    assert [re.search(r"line (\d+)", each)[1] for each in failures] == ["2", "6", "10"]
    assert "Expected:" in failures[0]
    assert "no ax" in failures[1]
    assert "NameError" in failures[2]


def test_a_file_that_is_to_be_written_is_not_run(tmp_path):
    page = tmp_path / "page.md"
    page.write_text(
        "- a\n\n  ```python\n  >>> 1 + 1\n  3\n  ```\n\n```pycon\n>>> 1\n2\n```\n", "utf-8"
    )
    assert [re.search(r"line (\d+)", each)[1] for each in run(page).failures] == ["9"]


def test_a_page_draws(tmp_path):
    page = tmp_path / "page.md"
    page.write_text(
        "```pycon\n>>> from matplotlib.figure import Figure\n>>> ax = Figure().add_subplot()\n"
        "```\n\n![Axes without anything on them](pictures/bare.svg)\n",
        "utf-8",
    )
    ran = run(page)
    assert not ran.failures
    assert b"<svg" in ran.pictures["pictures/bare.svg"]
    assert run(page).pictures == ran.pictures  # the same each time


def test_links_are_turned_to_where_things_are():
    assert linked("[a](../CONTRIBUTING.md#x) [b](trees.md)", "docs/bayes.md") == (
        "[a](contributing.md#x) [b](trees.md)"
    )
    assert linked("[a](../../CHANGELOG.md)", "docs/tutorials/tree.md") == "[a](../changes.md)"
    assert linked("![a](docs/assets/b.png)", "README.md") == "![a](assets/b.png)"
    assert linked("[a](https://b.c) [d](#e)", "README.md") == "[a](https://b.c) [d](#e)"


@pytest.mark.parametrize("name", ["RESULTS", "LABELS"])
def test_all_figures_are_told(name):
    path = f"benchmarks/{name}.md"
    told = expanded(f"<!-- figures: {path} -->", ROOT)
    assert all(each.figure in told for each in read(ROOT / path))
    assert "2 cores" in expanded(f"<!-- machine: {path} -->", ROOT)


def test_losses_are_told(tmp_path):
    (tmp_path / "r.md").write_text(
        "| workload | who | figure | ratio | asked |\n|---|---|---|---|---|\n"
        "| a | satsuma | 20.0 ms |  |  |\n| a | peer | 10.0 ms | 0.50 | at least 2 |\n"
        "| b | satsuma | 10.0 ms |  |  |\n| b | peer | 20.0 ms | 2.00 | at least 1 |\n"
        "| AUC, c | satsuma | 0.9 |  |  |\n| AUC, c | peer | 0.95 |  |  |\n",
        "utf-8",
    )
    told = expanded("<!-- losses: r.md -->", tmp_path).splitlines()
    assert told == [
        "- a, peer: 0.50, where at least 2 was asked for.",
        "- a: peer 10.0 ms, satsuma 20.0 ms.",
        "- AUC, c: peer 0.95, satsuma 0.9.",
    ]
