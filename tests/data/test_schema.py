"""Sizes in a schema: those that follow from the columns, and those that a class names itself."""

import pytest

from satsuma import Majority, load
from satsuma.data.fields import ByName, FloatArray, IntArray, Many, Maybe, Record, Word
from satsuma.data.schema import Schema
from satsuma.errors import ContractError
from satsuma.extend import Classifier
from satsuma.learners.model import SIZES
from satsuma.likelihoods.block import Evidence


def model_of(schema, *bases):
    """A class of models with a schema."""
    return type("Stump", bases or (Classifier,), {"schema": schema})


@pytest.mark.parametrize(
    "field",
    [
        FloatArray("clases"),
        IntArray("classes", below="clases"),
        IntArray("clases+1"),
        Many(Word(), size="clases"),
        Many(FloatArray("classes", "clases")),
        Maybe(FloatArray("clases")),
        ByName(FloatArray("clases")),
        Record({"shares": FloatArray("clases")}),
    ],
    ids=lambda field: type(field).__name__,
)
def test_a_size_that_nobody_declared_is_refused_when_the_class_is_made(field):
    with pytest.raises(ContractError) as told:
        model_of(Schema(shares=field))
    assert str(told.value) == (
        "Stump.schema: the size 'clases' of 'shares' is not declared. It can be 'attributes', "
        "'features', 'num', 'sym' or 'classes', which follow from the columns. A size of the "
        "model's own is declared first: Schema('clases', shares=…)."
    )


def test_a_size_of_its_own_is_declared_once_and_inherited():
    parent = model_of(Schema("nodes", counts=FloatArray("nodes", "classes")))
    child = model_of(Schema("rows", first=IntArray("nodes", below="rows")), parent)
    with pytest.raises(ContractError, match=r"'classes', which follow from the columns, 'nodes'"):
        model_of(Schema(more=FloatArray("node")), parent)
    assert issubclass(child, parent)


def test_evidence_has_sizes_of_its_own():
    with pytest.raises(ContractError, match="It can be 'names' or 'classes'"):
        model_of(Schema(mean=FloatArray("classes", "num")), Evidence)


def test_the_sizes_that_follow_from_the_columns_do():
    assert set(Majority(load("tennis")).dimensions()) == set(SIZES)
