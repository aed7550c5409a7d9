"""Files of models from anywhere: refused in a sentence, before anything is made of them."""

import io
import json
import resource
import zipfile

import numpy as np
import pytest

import satsuma
from satsuma import GetProbabilities
from satsuma.errors import ReadError
from satsuma.kernels import tree

DAMAGED = "The file is damaged or was not saved by Satsuma. Save the model again."


def changed(path, change):
    """The same file with other members: `change` is given them by name, arrays as arrays."""
    with zipfile.ZipFile(path) as file:
        parts = {name: file.read(name) for name in file.namelist()}
    arrays = {n: np.load(io.BytesIO(c)) for n, c in parts.items() if n.endswith(".npy")}
    head = json.loads(parts["model.json"])
    named = {k: v["$array"] + ".npy" for k, v in head["model"]["of"]["$dict"] if is_array(v)}
    change(head, {name: arrays[member] for name, member in named.items()})
    for name, member in named.items():
        content = io.BytesIO()
        np.save(content, arrays[member] if name not in NEW else NEW[name])
        parts[member] = content.getvalue()
    NEW.clear()
    parts["model.json"] = json.dumps(head).encode()
    written(path, parts)


#: Arrays that take the place of others, by name.
NEW = {}


def is_array(value):
    return isinstance(value, dict) and "$array" in value


def written(path, parts):
    with zipfile.ZipFile(path, "w") as file:
        for name, content in parts.items():
            file.writestr(name, content, zipfile.ZIP_DEFLATED)


@pytest.fixture
def iris_tree(tmp_path):
    path = tmp_path / "tree.satsuma"
    satsuma.Tree(satsuma.load("iris")).save(path)
    return path


@pytest.mark.parametrize("value", [-2_000_000_000, -40, -1, 99, 0])
def test_a_branch_that_leads_outside_of_the_tree(iris_tree, value):
    def change(_, arrays):
        arrays["branches"][1] = value

    changed(iris_tree, change)
    with pytest.raises(ReadError) as error:
        satsuma.open_model(iris_tree)
    assert str(iris_tree) in str(error.value)
    assert str(error.value).endswith(DAMAGED)
    if value == 99:
        assert "the tree's branch 1 leads to node 99, and it has 7 nodes" in str(error.value)


def chain_of(n):
    """Column, first and branches of a tree whose every second node is a leaf."""
    inner = np.arange(0, n - 1, 2)
    column = np.full(n, -1, np.int32)
    column[inner] = 0
    first = np.concatenate([[0], np.cumsum(np.where(column < 0, 0, 2))]).astype(np.int64)
    branches = np.stack([inner + 1, inner + 2], axis=1).ravel().astype(np.int32)
    return column, first, branches


def replaced(column, first, branches):
    """A change that puts another tree in the place of one."""
    n = len(column)

    def change(_, arrays):
        NEW["column"], NEW["first"], NEW["branches"] = column, first, branches
        NEW["threshold"] = np.where(column < 0, np.nan, 0.0)
        NEW["share"] = np.full(n, 0.5)
        NEW["counts"] = np.ones((n, arrays["counts"].shape[1]))

    return change


def test_a_very_deep_tree_is_harmless(iris_tree):
    column, first, branches = chain_of(1_000_001 if tree.compiled else 10_001)
    changed(iris_tree, replaced(column, first, branches))
    model = satsuma.open_model(iris_tree)
    found = model(model.asked({"Sepal.Length": None}), GetProbabilities)
    np.testing.assert_allclose(found, 1 / 3)
    assert "more nodes" in str(model)
    with pytest.raises(satsuma.SatsumaError, match="too many to be listed"):
        model.rules()


def test_ways_without_number_are_refused(iris_tree):
    """80 nodes, each of which leads to the next and to the one after it."""
    n = 80
    column = np.where(np.arange(n) < n - 2, 0, -1).astype(np.int32)
    first = np.minimum(2 * np.arange(n + 1), 2 * (n - 2)).astype(np.int64)
    branches = np.stack([np.arange(1, n - 1), np.arange(2, n)], axis=1).ravel().astype(np.int32)
    changed(iris_tree, replaced(column, first, branches))
    with pytest.raises(ReadError, match="two branches of the tree lead to one node"):
        satsuma.open_model(iris_tree)


def test_a_tree_that_goes_round_is_refused(iris_tree):
    def change(_, arrays):
        arrays["branches"][-1] = 2

    changed(iris_tree, change)
    with pytest.raises(ReadError, match=r"leads back|lead to one node"):
        satsuma.open_model(iris_tree)


@pytest.mark.parametrize(
    ("learner", "name", "value"),
    [
        (satsuma.RP0(M=8), "below", 0),
        (satsuma.RP0(M=8), "below", -77),
        (satsuma.BisectingKMeans(), "parts", 0),
        (satsuma.BisectingKMeans(), "cluster", -1),
    ],
)
def test_trees_of_clusters_that_are_none(tmp_path, learner, name, value):
    path = tmp_path / "m.satsuma"
    learner(satsuma.load("iris")).save(path)

    def change(_, arrays):
        arrays[name].reshape(-1)[-1] = value

    changed(path, change)
    with pytest.raises(ReadError, match=r"tree of clusters|division"):
        satsuma.open_model(path)


@pytest.mark.parametrize(
    ("learner", "name", "value", "told"),
    [
        (satsuma.NaiveBayes(), "prior", 0.9, "GenerativeModel.prior must be probabilities"),
        (satsuma.NaiveBayes(), "prior", np.nan, "GenerativeModel.prior must be numbers"),
        (satsuma.KNN(), "targets", 3, "KNNClassifier.targets must be whole numbers"),
        (satsuma.KNN(), "number", np.inf, "KNNClassifier.number must be numbers"),
        (satsuma.Logistic(), "found", np.inf, "LogisticModel.found must be numbers"),
        (satsuma.Logistic(), "seen", 1, "not distinct"),
        (satsuma.Forest(trees=2), "says", 2.0, "ForestModel.says must be"),
        (satsuma.Forest(trees=2), "sizes", 0, "do not share out"),
        (satsuma.Tree(), "threshold", np.nan, "threshold"),
        (satsuma.Tree(), "counts", -1.0, "TreeModel.counts must be numbers of at least 0"),
        (satsuma.KMeans(k=3), "near", np.nan, "KMeansModel.near must be numbers"),
        (satsuma.Majority(), "shares", 1.0, "MajorityModel.shares must be probabilities"),
    ],
)
def test_numbers_out_of_their_range(tmp_path, learner, name, value, told):
    path = tmp_path / "m.satsuma"
    learner(satsuma.load("iris")).save(path)

    def change(_, arrays):
        arrays[name].reshape(-1)[0] = value

    changed(path, change)
    with pytest.raises(ReadError, match=told):
        satsuma.open_model(path)


@pytest.mark.parametrize("values", [[], ["sunny"], ["sunny", "rain", "overcast", "fog"]])
def test_a_tree_that_asks_for_other_values_than_its_column_has(tmp_path, values):
    path = tmp_path / "m.satsuma"
    satsuma.ID3(satsuma.load("tennis")).save(path)

    def change(head, _):
        parts = dict(head["model"]["of"]["$dict"])
        outlook = next(v["of"] for v in parts["domain"]["of"] if v["of"][0] == "outlook")
        outlook[2] = values

    changed(path, change)
    with pytest.raises(ReadError, match="branches for other values than its column"):
        satsuma.open_model(path)


def memory():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def bomb(path, size, name="a0"):
    """A small file with an array of zeros that takes up a lot."""
    header = io.BytesIO()
    told = {"descr": "<f8", "fortran_order": False, "shape": (size // 8,)}
    np.lib.format.write_array_header_1_0(header, told)
    with zipfile.ZipFile(path) as file:
        parts = {each: file.read(each) for each in file.namelist()}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        for each, content in parts.items():
            if each != f"{name}.npy":
                file.writestr(each, content)
        with file.open(f"{name}.npy", "w", force_zip64=True) as stream:
            stream.write(header.getvalue())
            for _ in range(size >> 24):
                stream.write(bytes(1 << 24))


@pytest.mark.parametrize("name", ["a0", "a99"])
def test_a_small_file_that_holds_a_lot_is_not_unpacked(iris_tree, name):
    bomb(iris_tree, 512 << 20, name)
    assert iris_tree.stat().st_size < 1 << 20
    before = memory()
    with pytest.raises(ReadError, match=r"holds 536,\d+,\d+ bytes.*open it with limit=536"):
        satsuma.open_model(iris_tree, limit=1 << 28)
    if name == "a99":  # within the limit, it still belongs to nothing
        with pytest.raises(ReadError, match=r"an array that belongs to nothing: a99\.npy"):
            satsuma.open_model(iris_tree)
    assert memory() - before < 100 << 10


@pytest.mark.parametrize("shape", [(1 << 33,), (1 << 44,), (1 << 60, 1 << 60), (-1,), (0,)])
def test_a_shape_that_is_not_the_size(iris_tree, shape):
    with zipfile.ZipFile(iris_tree) as file:
        parts = {name: file.read(name) for name in file.namelist()}
    content = io.BytesIO()
    told = {"descr": "<f8", "fortran_order": False, "shape": shape}
    np.lib.format.write_array_header_1_0(content, told)
    parts["a1.npy"] = content.getvalue() + bytes(64)
    written(iris_tree, parts)
    with pytest.raises(ReadError, match="which is not its size"):
        satsuma.open_model(iris_tree)


@pytest.mark.parametrize("told", ['{"$tuple": [' * 5000 + "]}" * 5000, "[" * 100_000, '"\\ud800"'])
def test_json_that_is_nested_or_cannot_be_printed(iris_tree, told):
    with zipfile.ZipFile(iris_tree) as file:
        parts = {name: file.read(name) for name in file.namelist()}
    parts["model.json"] = f'{{"satsuma": 1, "model": {told}}}'.encode()
    written(iris_tree, parts)
    with pytest.raises(ReadError):
        satsuma.open_model(iris_tree)


def test_models_inside_models_have_an_end(tmp_path):
    table, learner = satsuma.load("iris"), satsuma.Majority()
    model = learner(table)
    for _ in range(120):
        inner, model = model, learner(table)
        model.more = inner
    model.save(tmp_path / "m.satsuma")
    with pytest.raises(ReadError, match="nested more than 200 deep"):
        satsuma.open_model(tmp_path / "m.satsuma")


@pytest.mark.parametrize("name", ["probabilities", "codes", "__class__", "_made", "unseen"])
def test_no_attribute_hides_what_a_class_has(tmp_path, name):
    path = tmp_path / "m.satsuma"
    satsuma.Majority(satsuma.load("iris")).save(path)
    changed(path, lambda head, _: head["model"]["of"]["$dict"].append([name, 1]))
    with pytest.raises(ReadError, match="cannot have an attribute"):
        satsuma.open_model(path)


def test_a_member_twice_and_a_stray_member(iris_tree):
    with zipfile.ZipFile(iris_tree) as file:
        parts = {name: file.read(name) for name in file.namelist()}
    written(iris_tree, {**parts, "../evil.npy": b"x"})
    with pytest.raises(ReadError, match="not a saved model"):
        satsuma.open_model(iris_tree)
    written(iris_tree, parts)
    with zipfile.ZipFile(iris_tree, "a") as file, pytest.warns(UserWarning, match="Duplicate"):
        file.writestr("a0.npy", parts["a0.npy"])
    with pytest.raises(ReadError, match="a member twice"):
        satsuma.open_model(iris_tree)
