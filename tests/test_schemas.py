"""Every class that can be saved says what it consists of, and what is saved is what it says."""

import importlib
import inspect
import pkgutil
from dataclasses import is_dataclass

import pytest

import satsuma
from fuzz.bases import bases
from satsuma.data.schema import schema_of
from satsuma.learners.learner import Learner
from satsuma.learners.model import Classifier, Model, Regressor
from satsuma.likelihoods.block import AnyBlock, Evidence
from satsuma.prepare.discretizers import Discretizer
from satsuma.tallies.base import Tally

ROOMS = ("learners", "tallies", "prepare", "likelihoods", "active", "plan")


def classes_of(*tops):
    """Every class of ours below some others that can be made."""
    for room in ROOMS:
        package = importlib.import_module(f"satsuma.{room}")
        for each in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            importlib.import_module(each.name)
    waiting, found = list(tops), set()
    while waiting:
        kind = waiting.pop()
        waiting += kind.__subclasses__()
        if kind.__module__.startswith("satsuma.") and not inspect.isabstract(kind):
            found.add(kind)
    return sorted(found - set(tops), key=lambda kind: kind.__qualname__)


@pytest.mark.parametrize("kind", classes_of(Model, Evidence), ids=lambda kind: kind.__name__)
def test_models_and_evidence_declare_their_attributes(kind):
    own = [each for each in kind.__mro__ if each not in (Model, Evidence, Classifier, Regressor)]
    assert any("schema" in vars(each) for each in own), (
        f"{kind.__name__} declares no schema: say what each of its attributes is, as in "
        f"schema: ClassVar[Schema] = Schema(shares=FloatArray('classes')). See docs/models.md."
    )


@pytest.mark.parametrize("kind", classes_of(Tally), ids=lambda kind: kind.__name__)
def test_tallies_declare_their_arrays(kind):
    assert kind.schema_in.__func__ is not Tally.schema_in.__func__, (
        f"{kind.__name__} declares no arrays: define the class method schema_in(domain), which "
        f"returns the Schema of its attributes for these columns."
    )


@pytest.mark.parametrize(
    "kind", classes_of(Learner, AnyBlock, Discretizer), ids=lambda kind: kind.__name__
)
def test_learners_blocks_and_cuttings_declare_their_parameters(kind):
    assert is_dataclass(kind), (
        f"{kind.__name__} is no dataclass: write @dataclass(kw_only=True, eq=False) above it, so "
        f"that its fields are its parameters."
    )
    assert callable(kind.check), (
        f"{kind.__name__}.check is no method: define check(self), which raises a ParameterError "
        f"unless the parameters can be used."
    )


def parts_of(value):
    """An object that was saved, and all that were saved with it."""
    if isinstance(value, Model | Evidence):
        yield value
        value = value.__getstate__()
    inner = value.values() if isinstance(value, dict) else value
    if isinstance(value, list | tuple | dict):
        for each in inner:
            yield from parts_of(each)


MODELS = bases()


@pytest.mark.parametrize(("model", "table"), [b[1:] for b in MODELS], ids=[b[0] for b in MODELS])
def test_what_is_saved_is_what_is_declared(model, table, tmp_path):
    for part in parts_of(model):
        kind = type(part)
        more = part.__getstate__().keys() - schema_of(kind).fields.keys()
        assert not more, (
            f"{kind.__name__} of {model.learner} saves {', '.join(sorted(more))}, which its schema "
            f"does not declare: add a field of satsuma.data.fields for each, or begin the name "
            f"with an underscore if it can be made anew."
        )
    model.save(tmp_path / "m.satsuma")
    again = satsuma.open_model(tmp_path / "m.satsuma", trust_estimators=True)
    again.save(tmp_path / "again.satsuma")
    one, other = (tmp_path / name for name in ("m.satsuma", "again.satsuma"))
    name = f"{type(model).__name__} of {model.learner}"
    assert one.read_bytes() == other.read_bytes(), (
        f"{name} is another when it is saved, opened and saved again: its schema and __getstate__ "
        f"must hold all that it learned."
    )
    assert list(again(table)) == list(model(table)), f"{name} predicts otherwise once opened"
