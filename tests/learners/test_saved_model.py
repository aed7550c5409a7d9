"""Saved models: bit for bit, without pickle, and nothing in them is run."""

import json
import subprocess
import sys
import zipfile

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import satsuma
from satsuma import GetProbabilities, Majority, Mean, NaiveBayes, Table
from satsuma.errors import ReadError, WriteError
from satsuma.learners.baselines import MajorityModel
from satsuma.learners.model_files.saved_model import _Hearing, _tell
from satsuma.tallies import ClassCounts, Composite, Moments


@pytest.fixture
def table():
    rng = np.random.default_rng(0)
    rows = [
        (rng.normal() if rng.random() < 0.9 else None, str(rng.choice(["ä", "b"])), y)
        for y in rng.choice(["yes", "no"], 50)
    ]
    return Table.of(rows, ["x", "s", "y"])


@pytest.mark.parametrize("learner", [NaiveBayes(m=0.1), Majority(), NaiveBayes(m=0)])
def test_bit_for_bit(table, learner, tmp_path):
    model = learner(table)
    model(table)  # what is cached for asking is not saved
    model.save(tmp_path / "a.satsuma")
    again = satsuma.open_model(tmp_path / "a.satsuma")
    assert type(again) is type(model)
    assert again.domain == model.domain
    assert repr(again) == repr(model)
    assert str(again) == str(model)
    assert (again(table, GetProbabilities) == model(table, GetProbabilities)).all()
    again.save(tmp_path / "b.satsuma")
    assert (tmp_path / "a.satsuma").read_bytes() == (tmp_path / "b.satsuma").read_bytes()


def test_a_model_of_numbers(tmp_path):
    table = Table.of([("a", 0.1), ("b", 0.2)], ["s", "y"])
    model = Mean(table)
    model.save(tmp_path / "m.satsuma")
    assert satsuma.open_model(tmp_path / "m.satsuma")(table[0]) == model(table[0])


def test_another_process_opens_it_without_importing_anything_first(table, tmp_path):
    path = tmp_path / "m.satsuma"
    model = NaiveBayes(table)
    model.save(path)
    code = (
        f"import satsuma; print(satsuma.open_model({str(path)!r}).p('yes', {{'x': 1, 's': 'b'}}))"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert float(told.stdout) == model.p("yes", {"x": 1, "s": "b"})


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: (
        st.lists(inner)
        | st.tuples(inner, inner)
        | st.dictionaries(st.text() | st.integers() | st.tuples(st.integers()), inner)
    ),
    max_leaves=10,
)


@given(values)
def test_plain_values_come_back(value):
    told = json.loads(json.dumps(_tell(value, {})))
    assert repr(_Hearing(None, "", False).hear(told)) == repr(value)


def test_tallies_learners_and_models_may_be_inside_a_model(table, tmp_path):
    model = Majority(table)
    model.tally = Composite.of_kinds(ClassCounts, Moments).of(table)
    model.others = [NaiveBayes(m=3), NaiveBayes(table)]
    model.number = np.float32(1.5)
    model.save(tmp_path / "m.satsuma")
    again = satsuma.open_model(tmp_path / "m.satsuma")
    assert again.tally.close_to(model.tally, rel=0)
    assert again.others[0].m == 3
    assert again.number == 1.5
    assert again.others[1](table).tolist() == model.others[1](table).tolist()


def test_what_cannot_be_saved_is_told_and_leaves_the_old_file(table, tmp_path):
    path = tmp_path / "m.satsuma"
    model = Majority(table)
    model.save(path)
    old = path.read_bytes()
    model.function = lambda: 1
    with pytest.raises(WriteError, match="A function cannot be saved in a model"):
        model.save(path)
    model.function = np.array([object()])
    with pytest.raises(WriteError, match="A ndarray cannot be saved"):
        model.save(path)
    assert path.read_bytes() == old


def rewritten(path, change):
    """The same file with another head."""
    with zipfile.ZipFile(path) as file:
        parts = {name: file.read(name) for name in file.namelist()}
    head = json.loads(parts["model.json"])
    parts["model.json"] = json.dumps(change(head)).encode()
    with zipfile.ZipFile(path, "w") as file:
        for name, content in parts.items():
            file.writestr(name, content)


def renamed(name):
    def change(head):
        head["model"]["$model"] = name
        return head

    return change


@pytest.mark.parametrize(
    "change",
    [
        lambda _: [],
        lambda head: {**head, "satsuma": 99},
        lambda _: {"satsuma": 1},
        lambda _: {"satsuma": 1, "model": {"$array": "a77"}},
        lambda _: {
            "satsuma": 1,
            "model": {"$model": "satsuma.learners.generative.naive_bayes.NaiveBayesModel"},
        },
        lambda _: {"satsuma": 1, "model": {"$surprise": 1, "of": 2}},
        renamed("os.system"),
        renamed("satsuma.learners.generative.naive_bayes.NoSuchModel"),
        renamed("satsuma.learners.no_such_module.Model"),
        renamed("this.Zen"),
    ],
)
def test_files_that_are_no_models(table, tmp_path, change):
    path = tmp_path / "m.satsuma"
    NaiveBayes(table).save(path)
    rewritten(path, change)
    with pytest.raises(ReadError, match=r"m\.satsuma"):
        satsuma.open_model(path)
    assert "this" not in sys.modules


def test_other_files(tmp_path):
    path = tmp_path / "m.satsuma"
    with pytest.raises(ReadError, match="no such file"):
        satsuma.open_model(path)
    for content in (b"", b"hello", b"PK\x03\x04" + bytes(50)):
        path.write_bytes(content)
        with pytest.raises(ReadError, match=r"not a saved model \(it is no zip archive\)"):
            satsuma.open_model(path)
    with pytest.raises(ReadError):
        satsuma.open_model(tmp_path)


def test_a_file_cut_short_or_changed_never_opens_as_something_else(table, tmp_path):
    path = tmp_path / "m.satsuma"
    model = NaiveBayes(table)
    model.save(path)
    whole = path.read_bytes()
    rng = np.random.default_rng(0)
    for at in rng.integers(0, len(whole), 60):
        path.write_bytes(whole[:at])
        with pytest.raises(ReadError):
            satsuma.open_model(path)
        changed = bytearray(whole)
        changed[at] ^= 1 << int(rng.integers(8))
        path.write_bytes(changed)
        try:
            again = satsuma.open_model(path)
        except ReadError:
            continue
        assert (again(table, GetProbabilities) == model(table, GetProbabilities)).all()


def test_a_pickle_in_disguise_is_not_opened(table, tmp_path):
    path = tmp_path / "m.satsuma"
    MajorityModel(np.ones(1))
    Majority(table).save(path)
    with zipfile.ZipFile(path) as file:
        parts = {name: file.read(name) for name in file.namelist()}
    import io

    content = io.BytesIO()
    np.save(content, np.array([{"a": 1}]), allow_pickle=True)
    with zipfile.ZipFile(path, "w") as file:
        for name, each in parts.items():
            file.writestr(name, content.getvalue() if name.endswith(".npy") else each)
    with pytest.raises(ReadError, match="not a saved model"):
        satsuma.open_model(path)
