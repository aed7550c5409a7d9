"""Models as Python, ONNX and JSON, held against themselves."""

import json
import re
import subprocess
import sys

import numpy as np
import pytest

import satsuma
from satsuma import SatsumaError, Table
from satsuma.export import json_schema
from tests.export.cases import CASES, EVERY, NAMES, asked, check, model_of

ROWS = 200


def rows():
    """The first of the rows that are asked about."""
    cells = asked()
    return [dict(zip(cells, row, strict=True)) for row in list(zip(*cells.values(), strict=True))][
        :ROWS
    ]


@pytest.mark.parametrize("at", EVERY, ids=NAMES)
def test_python_predicts_the_same(at):
    space = {}
    exec(model_of(at).to_python(), space)
    found = [space["predict"](row) for row in rows()]
    if isinstance(found[0], tuple):
        check(at, [row[0] for row in found], [list(row[1].values()) for row in found], close=1e-9)
    else:
        check(at, found, None, close=1e-9)


@pytest.mark.parametrize("at", EVERY, ids=NAMES)
def test_onnx_predicts_the_same(at):
    onnx, runtime = pytest.importorskip("onnx"), pytest.importorskip("onnxruntime")
    made = model_of(at).to_onnx()
    onnx.checker.check_model(made)
    session = runtime.InferenceSession(made.SerializeToString(), providers=["CPUExecutionProvider"])
    found = session.run(None, {each.name: tensor(each) for each in session.get_inputs()})
    if len(found) == 2:
        check(at, found[0][:, 0], found[1], close=1e-6)
    else:
        check(at, found[0][:, 0], None, close=1e-6)


def tensor(of):
    """The cells of an input: NaN, or an empty string, where one is missing."""
    cells = asked()[of.name]
    if "double" in of.type:
        return np.array([[np.nan if cell is None else cell] for cell in cells])
    return np.array([["" if cell is None else str(cell)] for cell in cells], object)


@pytest.mark.parametrize("at", EVERY, ids=NAMES)
def test_json_has_what_the_schema_says(at):
    found = json.loads(model_of(at).to_json(), parse_constant=pytest.fail)
    assert wrong_in(found, json_schema(), json_schema()) is None
    parts = found["model"]["of"]
    for name, value in vars(model_of(at)).items():
        # What begins with an underscore is made anew, and in no file.
        if isinstance(value, np.ndarray) and not name.startswith("_"):
            cells = [float(c["$float"]) if isinstance(c, dict) else c for c in parts[name]["data"]]
            back = np.array(cells, parts[name]["dtype"]).reshape(parts[name]["shape"])
            assert np.array_equal(back, value, equal_nan=value.dtype.kind == "f")


TYPES = {"object": dict, "array": list, "string": str, "boolean": bool, "null": type(None)}


def is_of(value, kind):
    """Whether a value is of a type of JSON."""
    if kind in ("number", "integer"):
        return isinstance(value, int | float) and not isinstance(value, bool)
    return isinstance(value, TYPES[kind])


def wrong_in(value, schema, whole):  # noqa: C901, PLR0911, PLR0912 - the words of JSON Schema
    """What of a value a schema does not allow; None of nothing. The words that ours uses."""
    known = {"$ref", "anyOf", "type", "const", "enum", "required", "properties", "items",
             "minItems", "additionalProperties", "patternProperties", "propertyNames",
             "prefixItems", "minimum",
             "maxItems", "minProperties", "maxProperties", "description", "title", "$schema",
             "$defs", "not", "pattern"}  # fmt: skip
    assert set(schema) <= known, "a word that is not looked at"
    if "$ref" in schema:
        return wrong_in(value, whole["$defs"][schema["$ref"].split("/")[-1]], whole)
    if "anyOf" in schema and all(wrong_in(value, each, whole) for each in schema["anyOf"]):
        return f"none of anyOf: {str(value)[:80]}"
    kinds = schema.get("type", [])
    kinds = kinds if isinstance(kinds, list) else [kinds]
    if kinds and not any(is_of(value, kind) for kind in kinds):
        return f"{str(value)[:80]} is no {kinds}"
    if value != schema.get("const", value) or value not in schema.get("enum", [value]):
        return f"{value} is another"
    if "pattern" in schema and not re.search(schema["pattern"], value):
        return f"{value} has another pattern"
    if "not" in schema and wrong_in(value, schema["not"], whole) is None:
        return f"{value} is not to be"
    if isinstance(value, list):
        each = [*schema.get("prefixItems", []), *[schema.get("items", {})] * len(value)]
        if not schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", 1e9):
            return "too many items, or too few"
        found = (wrong_in(one, of, whole) for one, of in zip(value, each, strict=False))
        return next((one for one in found if one), None)
    if isinstance(value, dict):
        if not set(schema.get("required", [])) <= set(value):
            return f"{set(schema['required']) - set(value)} is missing"
        if not schema.get("minProperties", 0) <= len(value) <= schema.get("maxProperties", 1e9):
            return "too many parts, or too few"
        for name, part in value.items():
            if found := wrong_in(name, schema.get("propertyNames", {}), whole):
                return found
            some = schema.get("properties", {}).get(name)
            for pattern, of in schema.get("patternProperties", {}).items():
                some = of if some is None and re.search(pattern, name) else some
            some = schema.get("additionalProperties", {}) if some is None else some
            if some is False:
                return f"{name} is one too many"
            if found := wrong_in(part, some, whole):
                return f"{name}: {found}"
    return None


def test_the_schema_refuses_other_documents():
    for other in ({}, {"satsuma": 1, "model": {"$model": "x"}}, {"satsuma": 2, "model": {}}):
        assert wrong_in(other, json_schema(), json_schema())


def test_python_needs_nothing_but_python(tmp_path):
    """The function runs where no package is."""
    path = tmp_path / "votes.py"
    path.write_text(
        satsuma.NaiveBayes(satsuma.load("tennis")).to_python()
        + "\nrow = dict.fromkeys(['outlook', 'temperature', 'humidity', 'wind'])\n"
        + "print(predict(row)[0])\n"
    )
    done = subprocess.run([sys.executable, "-I", "-S", str(path)], capture_output=True, check=True)
    assert done.stdout.decode().strip() == "yes"


def test_a_large_model_is_no_small_function(monkeypatch):
    monkeypatch.setattr("satsuma.export.python_source._MOST", 1000)
    with pytest.raises(SatsumaError, match="is to be a small one"):
        model_of(0).to_python()


def test_a_large_graph_is_refused(monkeypatch):
    pytest.importorskip("onnx")
    monkeypatch.setattr("satsuma.export.onnx_graph._MOST", 10)
    with pytest.raises(SatsumaError, match="Learn a smaller model"):
        model_of(0).to_onnx()


def test_without_onnx_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "onnx", None)
    with pytest.raises(SatsumaError, match=re.escape("pip install 'satsuma[onnx]'")):
        model_of(0).to_onnx()


def test_models_that_cannot_leave_say_which_can():
    knn = satsuma.KNN(Table.of([(1.0, "a"), (2.0, "b")], ["x", "y"]))
    for write in (knn.to_python, knn.to_onnx):
        with pytest.raises(SatsumaError, match="These can: the models of NaiveBayes"):
            write()
    assert json.loads(knn.to_json())["model"]["$model"].endswith("KNNClassifier")


def test_every_case_has_a_name():
    assert len(NAMES) == len(CASES)
