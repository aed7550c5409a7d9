"""Learners of one's own on the command line, by module and class."""

import subprocess
import sys

import pytest

import satsuma
from satsuma.cli.learner_specs import learner_of, spec_of
from tests.cli.running import ran_well, refused

MINE = '''
from dataclasses import dataclass
from typing import Literal

import numpy as np

from satsuma import Learner
from satsuma.learners.model import Classifier


class StubbornModel(Classifier):
    def __init__(self, code):
        self.code = code

    def probabilities(self, batch):
        return np.eye(len(self.classes))[np.full(len(batch), self.code)]


@dataclass(kw_only=True, eq=False)
class Stubborn(Learner):
    """Always the same class."""

    code: int = 0
    pace: "float | None" = None
    named: str = "no"
    way: Literal["up", "down", 3] = "up"

    def learn(self, data):
        return StubbornModel(self.code)


@dataclass(kw_only=True, eq=False)
class Needy(Stubborn):
    learner: Learner
    least: int


class Abstract(Learner):
    pass


class Plain(Learner):
    def learn(self, data):
        return StubbornModel(0)


def helper():
    pass


class Raising(Learner):
    def learn(self, data):
        return "1" + 1
'''


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with a module of learners, which is left as it was."""
    before, path = set(sys.modules), list(sys.path)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine_own.py").write_text(MINE)
    (tmp_path / "broken_own.py").write_text("x = 1\ny = x / 0\n")
    (tmp_path / "lacking_own.py").write_text("import no_such_library\n")
    (tmp_path / "wrong_own.py").write_text("def f(:\n")
    (tmp_path / "leaving_own.py").write_text("raise SystemExit(3)\n")
    yield tmp_path
    for name in set(sys.modules) - before:
        if name.endswith("_own"):
            del sys.modules[name]
    sys.path[:] = path


def test_a_learner_of_ones_own_is_compared_and_learned(capfd, folder):
    specs = "mine_own:Stubborn:code=1,majority,mine_own:Stubborn"
    found = ran_well(capfd, "compare", "tennis", "--learners", specs, "--json").json
    names = {each["name"] for each in found["learners"]}
    assert names == {"mine_own:Stubborn:code=1", "Majority", "mine_own:Stubborn"}
    words = ["--learner", "mine_own:Stubborn:code=1", "-o", "m.satsuma"]
    told = ran_well(capfd, "learn", "tennis", *words, "--json").json
    assert told["learner"] == "Stubborn(code=1, pace=None, named='no', way='up')"
    assert satsuma.open_model(folder / "m.satsuma")(satsuma.load("tennis")[0]) == "yes"


@pytest.mark.usefixtures("folder")
def test_a_model_of_ones_own_is_asked_once_its_module_is_named():
    def satsuma_says(*words):
        told = [sys.executable, "-m", "satsuma", *words]
        return subprocess.run(told, capture_output=True, text=True, check=False)

    words = ["--learner", "mine_own:Stubborn:code=1", "-o", "m.satsuma"]
    assert satsuma_says("learn", "tennis", *words).returncode == 0
    bare = satsuma_says("show", "m.satsuma")
    assert (bare.returncode, bare.stdout) == (1, "")
    assert bare.stderr == (
        "satsuma: m.satsuma: the model needs mine_own.Stubborn, which is not known here. "
        "Name its module: --import mine_own.\n"
    )
    asked = satsuma_says("predict", "m.satsuma", "tennis", "--import", "mine_own")
    assert asked.stdout.splitlines()[1].endswith(",yes"), asked
    lost = satsuma_says("predict", "m.satsuma", "tennis", "--import", "mine_owm")
    assert "There is no module 'mine_owm', neither in this folder nor installed." in lost.stderr


@pytest.mark.usefixtures("folder")
def test_values_are_of_the_types_that_a_class_declares():
    learner = learner_of("mine_own:Stubborn:code=2,pace=1,named=3,way=down")
    assert (learner.code, learner.pace, learner.named, learner.way) == (2, 1, "3", "down")
    assert learner_of("mine_own:Stubborn:pace=none,way=3").way == 3


@pytest.mark.usefixtures("folder")
def test_learners_inside_learners():
    learner = learner_of("bagging:learner=mine_own:Stubborn:code=1,t=3")
    assert repr(learner.learner) == "Stubborn(code=1, pace=None, named='no', way='up')"
    assert learner.t == 3
    assert spec_of(learner) == "bagging:learner=mine_own:Stubborn:code=1,t=3"
    assert spec_of(learner_of("mine_own:Plain")) == "mine_own:Plain"
    several = learner_of("stacking:learners=tree+mine_own:Stubborn")
    assert [type(each).__name__ for each in several.learners] == ["Tree", "Stubborn"]


WRONG = {
    "nine_own:Stubborn": "There is no learner or module 'nine_own', neither in this folder nor "
    "installed. Did you mean 'mine_own' ",
    "tre:Stubborn": "Did you mean 'tree'?",
    "a.b:Stubborn": "There is no learner or module 'a.b', neither in this folder nor installed.",
    ":Stubborn": "There is no learner or module '', neither",
    "mine_own.py:Stubborn": "Name the module without .py: mine_own:Stubborn.",
    "mine_own.Stubborn": "A learner of your own is named as MODULE:CLASS.",
    "broken_own:Stubborn": "The module 'broken_own' cannot be imported: ZeroDivisionError: "
    "division by zero (broken_own.py, line 2).",
    "lacking_own:Stubborn": "The module 'lacking_own' cannot be imported: ModuleNotFoundError: No "
    "module named 'no_such_library' (lacking_own.py, line 1).",
    "wrong_own:Stubborn": "The module 'wrong_own' cannot be imported: SyntaxError: ",
    "leaving_own:Stubborn": "The module 'leaving_own' cannot be imported: SystemExit: 3 ",
    "mine_own:Stuborn": "The module 'mine_own' has no learner 'Stuborn'. Did you mean 'Stubborn'?",
    "mine_own:helper": "mine_own:helper is a function, and no learner: a learner is a class that",
    "mine_own:StubbornModel": "mine_own:StubbornModel is a class, and no learner: ",
    "mine_own:Abstract": "mine_own:Abstract cannot learn: it does not define learn.",
    "mine_own:Needy": "Needy needs its parameter 'learner', as in mine_own:Needy:learner=tree.",
    "mine_own:Needy:learner=tree": "Needy needs its parameter 'least', as in "
    "mine_own:Needy:learner=tree,least=VALUE.",
    "mine_own:Stubborn:kode=1": "Stubborn has no parameter 'kode'. Did you mean 'code'?",
    "mine_own:Stubborn:1": "Stubborn takes parameters as NAME=VALUE. Got '1' instead.",
    "mine_own:Stubborn:code=abc": "The 'code' parameter of Stubborn must be a whole number. Got "
    "'abc' instead.",
    "mine_own:Stubborn:code=1.5": "must be a whole number. Got 1.5 instead.",
    "mine_own:Stubborn:code=true": "must be a whole number. Got True instead.",
    "mine_own:Stubborn:pace=fast": "must be a number or none. Got 'fast' instead.",
    "mine_own:Stubborn:way=left": "must be 'up', 'down' or 3. Got 'left' instead.",
    "mine_own:Raising": 'Raising.learn failed: TypeError: can only concatenate str (not "int") to '
    "str (mine_own.py, line 53). To see more, call it again with --debug.",
    "knn:3": "KNN takes parameters as NAME=VALUE. Got '3' instead.",
    "calibrated": "Calibrated needs its parameter 'learner', as in calibrated:learner=tree.",
    "stacking": "Stacking needs its parameter 'learners', as in stacking:learners=tree+knn.",
}


@pytest.mark.parametrize("spec", WRONG)
@pytest.mark.usefixtures("folder")
def test_what_is_no_learner_is_refused_in_one_line(capfd, spec):
    assert WRONG[spec] in refused(capfd, "compare", "tennis", "--learners", spec)
