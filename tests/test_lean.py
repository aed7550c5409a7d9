"""The default install: most of the library works in it, and the rest names its extra."""

import re
import tomllib
from pathlib import Path

import pytest

import satsuma
from satsuma.errors import MissingExtra, require_extra
from satsuma.plot import __all__ as plots
from tests.lean import run_lean

LEARNERS = """
from satsuma import *
import satsuma
from satsuma.registry import LEARNERS
from satsuma.checks.law_tables import tables
for record in LEARNERS:
    learner = record.fetch()
    try:
        made = learner()
    except TypeError:  # it is made of others
        continue
    try:
        made(tables(made.takes)[0])
    except satsuma.SatsumaError as error:
        said[record.name] = str(error)
"""


def test_all_learners_but_two_need_no_scikit_learn():
    said = run_lean(LEARNERS)
    needs = "needs scikit-learn; install it with: pip install 'satsuma[sklearn]'"
    assert said == {name: f"{name} {needs}" for name in ("SVM", "GaussianProcess")}


WALK = """
import io, contextlib, warnings
import numpy as np
import satsuma
from satsuma.cli import main

def command(*words):
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main(words)
    return [code, out.getvalue(), err.getvalue()]

def error(make):
    try:
        make()
    except Exception as error:
        return [type(error).__name__, str(error)]

folder = sys.argv[1]
iris = satsuma.load("iris")
satsuma.write(iris, f"{folder}/iris.csv")
said["look"] = command("look", "iris")
said["compare"] = command("compare", "iris", "--folds", "2", "-l", "naive-bayes,tree,majority")
said["learn"] = command("learn", "iris", "-l", "tree", "-o", f"{folder}/m.satsuma")
said["predict"] = command(
    "predict", f"{folder}/m.satsuma", f"{folder}/iris.csv", "-o", f"{folder}/p.csv"
)
said["explain"] = command("explain", f"{folder}/m.satsuma", f"{folder}/iris.csv", "--row", "1")
x, y = np.random.default_rng(1).normal(size=(40, 2)), np.arange(40) % 2
fitted = satsuma.NaiveBayes().fit(x, y)
said["fit"] = len(fitted.predict(x))
said["unfitted"] = error(lambda: satsuma.NaiveBayes().predict(x))
said["column"] = error(lambda: satsuma.NaiveBayes().fit(x, y[:, None]))
model = satsuma.explain(satsuma.NaiveBayes(iris), iris[0])
said["plot"] = error(lambda: satsuma.plot.tree(satsuma.Tree(iris)))
said["plot import"] = error(lambda: exec("from satsuma.plot import tree"))
said["no plot"] = error(lambda: satsuma.plot.trees)
said["report"] = error(lambda: satsuma.write_report(iris, f"{folder}/iris.html"))
said["label"] = error(lambda: satsuma.label(iris))
said["wrap"] = error(lambda: satsuma.wrap(fitted))
said["plot command"] = command("plot", "tree", "iris", "-o", f"{folder}/p.png")
said["report command"] = command("report", "iris", "-o", f"{folder}/r.html")
said["label command"] = command("label", f"{folder}/iris.csv", "-t", "Species")
"""


@pytest.fixture(scope="module")
def walk(tmp_path_factory):
    return run_lean(WALK, tmp_path_factory.mktemp("lean"))


@pytest.mark.parametrize("name", ["look", "compare", "learn", "predict", "explain"])
def test_commands_work_in_the_default_install(walk, name):
    code, out, _ = walk[name]
    assert code == 0
    assert out


def test_estimators_work_in_the_default_install(walk):
    assert walk["fit"] == 40
    assert walk["unfitted"][0] == "SatsumaError"
    assert "not fitted yet" in walk["unfitted"][1]
    assert walk["column"][0] == "UserWarning"


NEEDS = {
    "plot": ("plot", "A plot needs matplotlib"),
    "plot import": ("plot", "A plot needs matplotlib"),
    "report": ("report", "A report needs jinja2 and matplotlib"),
    "label": ("jupyter", "A page to label rows in a notebook needs anywidget and jinja2"),
    "wrap": ("sklearn", "wrap needs scikit-learn"),
}


@pytest.mark.parametrize("name", NEEDS)
def test_a_missing_extra_is_asked_for_by_name(walk, name):
    extra, what = NEEDS[name]
    expected = f"{what}; install it with: pip install 'satsuma[{extra}]'"
    assert walk[name] == ["MissingExtra", expected]


@pytest.mark.parametrize("name", ["plot", "report", "label"])
def test_a_command_asks_for_its_extra_in_one_line(walk, name):
    code, out, err = walk[f"{name} command"]
    assert (code, out) == (1, "")
    assert err.endswith(f"install it with: pip install 'satsuma[{name}]'\n")
    assert err.count("\n") == 1


def test_another_name_is_still_unknown(walk):
    assert walk["no plot"][0] == "AttributeError"
    assert "Did you mean 'tree'?" in walk["no plot"][1]


def test_the_extra_that_is_asked_for_is_the_outermost():
    with (
        pytest.raises(MissingExtra, match=r"A report needs b; .*'satsuma\[report\]'"),
        require_extra("report", "A report", "b"),
        require_extra("plot", "A plot", "a"),
    ):
        import nothing_of_this_name  # noqa: F401


def test_a_module_of_ours_that_is_not_there_is_no_missing_extra():
    with pytest.raises(ModuleNotFoundError), require_extra("plot", "A plot", "a"):
        import satsuma.nothing_of_this_name  # noqa: F401


def test_plots_are_there_with_the_extra():
    assert all(callable(getattr(satsuma.plot, name)) for name in plots)


def test_every_extra_that_is_named_is_declared():
    root = Path(__file__).parents[1]
    project = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]
    texts = [*(root / "src").rglob("*.py"), *(root / "docs").rglob("*.md"), root / "README.md"]
    naming = re.compile(r"(?:satsuma\[|require_extra\(\s*\")([\w,]+)")
    found = [each for path in texts for each in naming.findall(path.read_text("utf-8"))]
    named = set(",".join(found).split(","))
    extras = project["optional-dependencies"]
    assert named - {"name"} == set(extras)
    every = set(re.findall(r"\w+", " ".join(extras["all"]))) - {"satsuma"}
    assert every == set(extras) - {"all", "dask", "spark"}
