"""Run a Markdown page from top to bottom: its examples, its pictures, what its tables say.

An example is what a docstring would have: ``>>>`` and what comes of it. A picture of the folder
``pictures`` shows the Axes that is called ``ax`` when the page has come so far. In a table whose
last column is called Satsuma, what is set as code in that column is run.

One page: ``python -m tools.docs.pages docs/bayes.md``.
"""

import doctest
import io
import os
import re
import sys
import tempfile
import warnings
from collections.abc import Generator, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import chdir, contextmanager, redirect_stdout
from dataclasses import dataclass, field
from multiprocessing import get_context
from pathlib import Path
from typing import Any

OPTIONS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE

#: A picture that is drawn while the page runs; it stands on a line of its own.
PICTURE = re.compile(r"!\[([^\]]*)\]\((pictures/[\w-]+\.svg)\)")

_CODE = re.compile(r"`([^`]+)`")
_RULE = re.compile(r"\|?[\s:|-]+\|?")


_PYTHON = re.compile(r"^(?P<margin>[ \t]*)```python\n.*?^(?P=margin)```$", re.DOTALL | re.MULTILINE)


class FencedParser(doctest.DocTestParser):
    """Takes the fence that closes a block of Markdown as the end of the output above it.

    A block of ``python`` is a file to be written: examples in its docstrings are not the page's.
    """

    def parse(self, string: str, name: str = "<string>") -> list[Any]:
        """Find the examples of a page."""
        string = _PYTHON.sub(lambda block: "\n" * block[0].count("\n"), string)
        return super().parse(re.sub(r"^[ \t]*```.*$", "", string, flags=re.MULTILINE), name)


@dataclass
class Ran:
    """What came of a page."""

    failures: list[str] = field(default_factory=list[str])
    pictures: dict[str, bytes] = field(default_factory=dict[str, bytes])


def run(path: Path) -> Ran:
    """Run a page; warnings are failures too."""
    found, names = Ran(), {"__name__": "__main__"}
    steps = _steps(path.read_text("utf-8"))
    with warnings.catch_warnings(), _own_folder():
        warnings.simplefilter("error")
        for line, step in steps:
            if isinstance(step, doctest.Example):
                failure = _example(step, names, path)
            elif step.startswith("pictures/"):
                failure = _picture(step, names, found.pictures)
            else:
                failure = _snippet(step, names)
            if failure:
                found.failures.append(f"{path}, line {line + 1}: {failure}")
    return found


@contextmanager
def _own_folder() -> Generator[None]:
    """Whatever a page writes, there or into temporary folders, is gone when it has been run."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder, chdir(folder):
        tempfile.tempdir = folder
        try:
            yield
        finally:
            tempfile.tempdir = None


def run_all(paths: list[Path]) -> dict[Path, Ran]:
    """Run pages in processes of their own, the long ones first."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    order = sorted(paths, key=lambda path: -path.read_text("utf-8").count(">>>"))
    with ProcessPoolExecutor(min(2, os.cpu_count() or 1), get_context("spawn")) as pool:
        return dict(zip(order, pool.map(run, order), strict=True))


def _steps(text: str) -> list[tuple[int, doctest.Example | str]]:
    """What is to be done, in the order of the page, each with its line."""
    steps: list[tuple[int, doctest.Example | str]] = [
        (each.lineno, each) for each in FencedParser().get_examples(text)
    ]
    for line, row in enumerate(text.splitlines()):
        steps += [(line, picture[2]) for picture in PICTURE.finditer(row)]
    return sorted([*steps, *_snippets(text.splitlines())], key=lambda step: step[0])


def _snippets(lines: list[str]) -> Iterator[tuple[int, str]]:
    """The code in the last column of tables that are about Satsuma."""
    ours = False
    for line, row in enumerate(lines):
        if not row.startswith("|"):
            ours = False
            continue
        last = row.strip().strip("|").split(" | ")[-1].strip()
        if ours:
            yield from ((line, code) for code in _CODE.findall(last))
        elif line + 1 < len(lines) and _RULE.fullmatch(lines[line + 1]):
            ours = last == "Satsuma"


def _example(example: doctest.Example, names: dict[str, Any], path: Path) -> str:
    told = io.StringIO()
    test = doctest.DocTest([example], names, path.name, str(path), 0, None)
    runner = doctest.DocTestRunner(optionflags=OPTIONS)
    runner.run(test, out=told.write, clear_globs=False)
    names.update(test.globs)
    return told.getvalue()


def _picture(name: str, names: dict[str, Any], pictures: dict[str, bytes]) -> str:
    import matplotlib as mpl

    drawn = io.BytesIO()
    if "ax" not in names:
        return f"There is no ax to draw as {name}."
    with mpl.rc_context({"svg.hashsalt": name}):
        names["ax"].figure.savefig(drawn, format="svg", metadata={"Date": None})
    if name in pictures:
        return f"{name} is there twice."
    pictures[name] = drawn.getvalue()
    return ""


def _snippet(code: str, names: dict[str, Any]) -> str:
    try:
        with redirect_stdout(io.StringIO()):
            exec(compile(code, "<table>", "exec"), names)  # noqa: S102 (pages of our own)
    except Exception as error:  # noqa: BLE001 (whatever it is, the page is wrong)
        return f"`{code}`: {type(error).__name__}: {error}"
    return ""


if __name__ == "__main__":
    told = [failure for page in sys.argv[1:] for failure in run(Path(page)).failures]
    sys.exit("\n\n".join(told) or None)
