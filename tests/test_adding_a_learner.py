"""A learner is added to a copy of the project by the steps of CONTRIBUTING, and nothing else."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from importlib.machinery import EXTENSION_SUFFIXES
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PARTS = ("benchmarks", "docs", "fuzz", "src", "tests", "tools")
FILES = ("README.md", "conftest.py", "pyproject.toml")

PAGE = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
STEPS = re.search(r"^## Add a learner in three steps\n.*?(?=^## )", PAGE, re.DOTALL | re.MULTILINE)[
    0
]

#: A file that is to be written: its name, and what stands in it.
FILE = re.compile(
    r"^ *`(?P<name>[\w/.]+)`[^\n]*:\n\n(?P<code> *```python\n.*?) *```$", re.DOTALL | re.MULTILINE
)


def unindented(block):
    """The text of a fenced block that stands within a step."""
    lines = block.splitlines()
    margin = len(lines[0]) - len(lines[0].lstrip())
    return "\n".join(line[margin:] for line in lines[1:]) + "\n"


def written():
    """What the steps say to write: files, by their names."""
    return {found["name"]: unindented(found["code"]) for found in FILE.finditer(STEPS)}


def commands():
    """What the steps say to run, in this environment."""
    here = {
        ".venv/bin/python": [sys.executable],
        ".venv/bin/pytest": [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"],
        ".venv/bin/ruff": [sys.executable, "-m", "ruff"],
        ".venv/bin/satsuma": [sys.executable, "-m", "satsuma"],
    }
    for block in re.findall(r"^( *```sh\n.*?) *```$", STEPS, flags=re.DOTALL | re.MULTILINE):
        for line in unindented(block).replace("\\\n", "").splitlines():
            first, *rest = shlex.split(line)
            yield [*here[first], *rest]


def link_kernels(copy):
    """Put compiled kernels where the copy looks for them: there is nothing to compile anew."""
    for source in (ROOT / "src").rglob("_*.pyx"):
        place = source.relative_to(ROOT / "src").with_suffix("")
        spec = find_spec(".".join(place.parts))
        if spec is not None and str(spec.origin).endswith(tuple(EXTENSION_SUFFIXES)):
            (copy / "src" / place.parent / Path(spec.origin).name).symlink_to(spec.origin)


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    """A copy of the project, and how a command is run in it."""
    top = tmp_path_factory.mktemp("copy")
    left_out = shutil.ignore_patterns("__pycache__", "*.c", "golden", "pictures")
    for name in PARTS:
        shutil.copytree(ROOT / name, top / name, ignore=left_out, symlinks=True)
    for name in FILES:
        shutil.copy(ROOT / name, top / name)
    (top / "tests" / "golden").symlink_to(ROOT / "tests" / "golden")
    link_kernels(top)
    return top


def run(copy, *words):
    """Run a command on the copy: what is installed here in place of it is skipped."""
    builds = [each._build_path for each in sys.meta_path if hasattr(each, "_build_path")]
    told = {"PYTHONPATH": str(copy / "src"), "MESONPY_EDITABLE_SKIP": os.pathsep.join(builds)}
    ran = subprocess.run(
        words, cwd=copy, env={**os.environ, **told}, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, f"{shlex.join(words)}\n{ran.stdout[-8000:]}\n{ran.stderr[-4000:]}"
    return ran.stdout


def test_a_learner_is_added_by_the_written_steps(copy):
    where = run(copy, sys.executable, "-c", "import satsuma; print(satsuma.__file__)")
    assert Path(where.strip()).is_relative_to(copy)
    files = written()
    record = files.pop("src/satsuma/registry/learners.py")
    for name, text in files.items():
        assert not (copy / name).exists()
        (copy / name).write_text(text, "utf-8")
    registry = copy / "src/satsuma/registry/learners.py"
    text = registry.read_text("utf-8")
    assert text.count("LEARNERS = (\n") == 1
    registry.write_text(
        text.replace("LEARNERS = (\n", f"LEARNERS = (\n    {record.strip()},\n"), "utf-8"
    )
    for words in commands():
        run(copy, *words)


def test_the_steps_are_three():
    assert re.findall(r"^(\d)\. \*\*", STEPS, flags=re.MULTILINE) == ["1", "2", "3"]
    assert len(written()) == 3
