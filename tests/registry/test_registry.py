"""The registry is true: what follows from it is what there is."""

import importlib

import pytest

import satsuma
from satsuma.registry import LEARNERS, NAMES
from tests.every import LEARNERS as EXAMPLES
from tests.every import UNLISTED, kinds
from tools.stub import STUB, stub

#: What a learner says in `takes` of its target, by what its record says that it predicts.
TARGETS = {
    "classes": "classes",
    "numbers": "number",
    "either": "either",
    "clusters": "nothing",
    "outliers": "nothing",
}


def test_type_checkers_see_every_name():
    now = STUB.read_text("utf-8")
    assert now == stub(), "Bring the stub up to date: .venv/bin/python -m tools.stub"


@pytest.mark.parametrize("name", NAMES)
def test_a_name_is_where_the_registry_says(name):
    module = importlib.import_module(NAMES[name])
    assert getattr(satsuma, name) is getattr(module, name)
    assert getattr(satsuma, name).__module__ == NAMES[name], f"{name} is only imported there"


def test_every_learner_is_registered():
    listed = {each.name for each in LEARNERS}
    lost = [each for each in kinds() if each.__name__ not in listed | UNLISTED]
    lines = [f'Record("{each.__name__}", "{each.__module__}", …),' for each in lost]
    told = "Add to LEARNERS in src/satsuma/registry/learners.py:"
    assert not lost, "\n".join([told, *lines])
    assert listed <= {each.__name__ for each in kinds()}


@pytest.mark.parametrize("record", LEARNERS, ids=lambda record: record.name)
def test_a_record_says_what_its_learner_predicts(record):
    examples = [one for one in EXAMPLES if type(one) is record.fetch()]
    targets = {one.takes.target for one in examples}
    either = {"classes", "number", "either"} if record.predicts == "either" else set()
    assert TARGETS[record.predicts] in targets or targets <= either


def test_names_and_aliases_are_told_apart():
    said = [each.name.lower() for each in LEARNERS]
    said += [alias for each in LEARNERS for alias in each.aliases]
    assert len(said) == len(set(said))
    assert len(NAMES) == len(set(NAMES))


@pytest.mark.parametrize(
    ("name", "meant"),
    [("Process", "GaussianProcess"), ("Bisect", "BisectingKMeans"), ("knn", "KNN"),
     ("Advice", "StopAdvice"), ("crossvalidate", "cross_validate")],
)  # fmt: skip
def test_a_name_that_is_not_there_is_refused_with_one_that_is(name, meant):
    with pytest.raises(AttributeError, match=rf"has no attribute '{name}'\. Did you .*'{meant}'"):
        getattr(satsuma, name)
    with pytest.raises(AttributeError, match=r"has no attribute 'qqqq'$"):
        satsuma.qqqq  # noqa: B018
