"""Text with a model of sentences: a tiny one that is made here, of vectors of a few words."""

import builtins
import json
import pickle
import sys

import numpy as np
import pytest

import satsuma
from satsuma import GetProbabilities, Table, Text
from satsuma.errors import MissingExtra, ParameterError, ReadError, SatsumaError
from satsuma.prepare.sentence_encoder import SentenceEncoder, sentence_encoder

#: By word: boats, bread, and neither.
WORDS = ["[UNK]", "sail", "mast", "keel", "hull", "crust", "flour", "oven", "dough", "old", "red"]
VECTORS = np.array(
    [[0, 0, 0.1], *[[1, 0, at / 9] for at in range(4)], *[[0, 1, at / 9] for at in range(4)],
     [0.1, 0.1, 1], [0.2, 0.1, 1]],
    np.float32,
)  # fmt: skip


def make(folder, *, output="last_hidden_state", inputs=("input_ids", "attention_mask")):
    """A folder with a model that looks words up, and a tokenizer that cuts at blanks."""
    onnx = pytest.importorskip("onnx")
    helper, kinds = onnx.helper, onnx.TensorProto
    takes = [helper.make_tensor_value_info(each, kinds.INT64, [1, None]) for each in inputs]
    nodes = [helper.make_node("Gather", ["vectors", inputs[0]], ["pieces"])]
    if output == "sentence_embedding":
        axes = [onnx.numpy_helper.from_array(np.array([1]), "axes")]
        nodes.append(helper.make_node("ReduceMax", ["pieces", "axes"], [output], keepdims=0))
    else:
        axes = []
        nodes.append(helper.make_node("Identity", ["pieces"], [output]))
    gives = [helper.make_tensor_value_info(output, kinds.FLOAT, None)]
    held = [onnx.numpy_helper.from_array(VECTORS, "vectors"), *axes]
    graph = helper.make_graph(nodes, "tiny", takes, gives, held)
    folder.mkdir(exist_ok=True)
    opset = [helper.make_opsetid("", 18)]
    onnx.save(helper.make_model(graph, opset_imports=opset, ir_version=9), folder / "model.onnx")
    tokenizer(folder, WORDS)
    return str(folder)


def tokenizer(folder, words):
    vocabulary = {word: at for at, word in enumerate(words)}
    told = {
        "version": "1.0",
        "added_tokens": [],
        "normalizer": {"type": "Lowercase"},
        "pre_tokenizer": {"type": "Whitespace"},
        "model": {"type": "WordLevel", "vocab": vocabulary, "unk_token": "[UNK]"},
    }
    (folder / "tokenizer.json").write_text(json.dumps(told))


@pytest.fixture
def folder(tmp_path):
    pytest.importorskip("onnxruntime")
    pytest.importorskip("tokenizers")
    return make(tmp_path / "tiny")


def notes(words, rows=12):
    """Of so many notes each, about boats and about bread; the words of each are given."""
    made = [(f"{['old', 'red'][at // 2 % 2]} {words[topic][at % len(words[topic])]}", topic)
            for at in range(rows) for topic in words]  # fmt: skip
    return Table.of(made, ["note", "topic"], kinds={"note": "text"})


LEARNED = {"boats": ["sail", "mast"], "bread": ["crust", "flour"]}
ASKED = {"boats": ["keel", "hull"], "bread": ["oven", "dough"]}


def test_a_text_is_the_mean_of_its_pieces(folder):
    table = Table.of([("Sail, old!",), ("xyzzy dough",), (None,), ("  ",)], ["a"], target=None,
                     kinds={"a": "text"})  # fmt: skip
    found = sentence_encoder(folder).matrix(table).toarray()
    at = {word: vector.astype(float) for word, vector in zip(WORDS, VECTORS, strict=True)}
    unknown = at["[UNK]"]  # the signs are one piece each
    means = [at["sail"] + at["old"] + 2 * unknown, unknown + at["dough"]]
    wanted = np.array([mean / np.linalg.norm(mean) for mean in means])
    np.testing.assert_allclose(found[:2], wanted, atol=1e-6)
    assert not found[2:].any()


@pytest.mark.usefixtures("folder")
def test_the_vector_of_a_whole_text_is_taken_as_it_is(tmp_path):
    other = sentence_encoder(make(tmp_path / "whole", output="sentence_embedding"))
    greatest = VECTORS[[1, 9]].max(axis=0)
    found = other.vectors(["sail old"])[0]
    np.testing.assert_allclose(found, greatest / np.linalg.norm(greatest), atol=1e-6)


def test_columns_of_a_row_are_read_as_one_text(folder):
    encoder = sentence_encoder(folder)
    table = Table.of([("sail", "dough")], ["a", "b"], target=None,
                     kinds={"a": "text", "b": "text"})  # fmt: skip
    assert (encoder.matrix(table).toarray()[0] == encoder.vectors(["sail\ndough"])[0]).all()


def test_a_text_does_not_depend_on_those_beside_it(folder, monkeypatch):
    texts = [f"{a} {b}" for a in WORDS[1:] for b in WORDS[1:]]
    encoder = SentenceEncoder(folder)
    together = encoder.vectors(texts)
    monkeypatch.setattr("satsuma.prepare.sentence_encoder._KEPT", 3)
    for text, vector in zip(texts, together, strict=True):
        assert (SentenceEncoder(folder).vectors([text])[0] == vector).all()
    assert (encoder.vectors(["sail", *texts])[1:] == together).all()
    encoder.vectors(["mast"])
    assert list(encoder._known) == ["mast"]  # more than are kept: those of the last table stay


def test_words_that_no_labelled_row_has_are_told_by_their_sentences(folder):
    table, asked = notes(LEARNED), notes(ASKED)
    blind, seeing = Text(least=1)(table), Text(least=1, embeddings=folder)(table)
    boats = np.array([topic == "boats" for topic in asked["topic"]])

    def above(model):
        found = model.probabilities(asked)[:, model.classes.index("boats")]
        return (found[boats][:, None] > found[~boats]).mean()

    assert above(blind) <= 0.5
    assert above(seeing) == 1
    assert (seeing(table) == table["topic"]).all()


def test_sentences_that_mislead_count_less(folder, tmp_path):
    """Beside vectors of the topics, those that know no word of them."""
    known = notes({"boats": LEARNED["boats"] + ASKED["boats"], "bread": LEARNED["bread"]}, rows=16)
    others = [(note, None) for note in notes({"bread": ASKED["bread"]}, rows=40)["note"]]
    rows = [*zip(known["note"], known["topic"], strict=True), *others]
    table = Table.of(rows, ["note", "topic"], kinds={"note": "text"})
    poor = tmp_path / "poor"
    make(poor)
    tokenizer(poor, [WORDS[0], *(f"word{at}" for at in range(8)), *WORDS[9:]])

    def share(where):
        model = Text(sought="boats", embeddings=str(where))(table)
        parts = {
            "words": model.vocabulary.matrix(table) @ model.slopes[0],
            "sentences": sentence_encoder(str(where)).matrix(table) @ model.sentences[0],
        }
        return np.std(parts["sentences"]) / np.std(parts["words"])

    assert share(poor) < 0.5 * share(folder)


def test_terms_add_up_and_are_of_words_and_of_sentences(folder):
    table = notes(LEARNED)
    model = Text(least=1, embeddings=folder)(table)
    found, chance = model.explain(table[0], "boats", "bread"), model(table[0], GetProbabilities)
    assert sum(found.parts.values()) == pytest.approx(np.log(chance["boats"] / chance["bread"]))
    assert found.parts["(sentences as a whole)"] > 0
    assert {word for word, _ in model.drivers("boats", n=100)} == set(model.words)


@pytest.mark.parametrize("topics", [2, 3])
def test_a_saved_model_reads_with_the_same_folder(folder, tmp_path, topics):
    table = notes({**LEARNED, "paint": ["old", "red"]} if topics == 3 else LEARNED)
    model = Text(embeddings=folder)(table)
    model.save(tmp_path / "notes.satsuma")
    for again in (
        satsuma.open_model(tmp_path / "notes.satsuma"),
        pickle.loads(pickle.dumps(model)),
    ):
        assert (again.probabilities(table) == model.probabilities(table)).all()
    tokenizer(tmp_path / "tiny", [WORDS[0], *WORDS[:0:-1]])
    with pytest.raises(ReadError, match="tiny: this is not the model of sentences that was"):
        model(table)


@pytest.mark.parametrize("change", [{"sentences": None}, {"embeddings": "//far/away"}])
def test_a_file_that_names_no_folder_of_this_machine_is_refused(folder, change):
    model = Text(embeddings=folder)(notes(LEARNED))
    vars(model).update(change)
    with pytest.raises(ReadError, match="which folder on this machine"):
        model.check_state()


@pytest.mark.parametrize("package", ["onnxruntime", "tokenizers"])
def test_an_extra_that_is_missing_is_asked_for_by_name(tmp_path, package, monkeypatch):
    folder = make(tmp_path / "tiny")
    known = builtins.__import__

    def imported(name, *rest):
        if name == package:
            raise ModuleNotFoundError(name=package)
        return known(name, *rest)

    monkeypatch.setattr(builtins, "__import__", imported)
    monkeypatch.delitem(sys.modules, package, raising=False)
    wanted = r"^A model of sentences needs onnxruntime and tokenizers; install it with: pip install"
    with pytest.raises(MissingExtra, match=wanted + r" 'satsuma\[embeddings\]'$"):
        Text(embeddings=folder)(notes(LEARNED))


def broken(folder, name, content):
    if content is None:
        (folder / name).unlink()
    else:
        (folder / name).write_bytes(content)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("model.onnx", None, "tiny: the folder of a model of sentences has no model.onnx$"),
        ("tokenizer.json", None, "tiny: the folder of a model .* has no tokenizer.json$"),
        ("model.onnx", b"no graph", "model.onnx: this is not a model that onnxruntime reads"),
        ("model.onnx", b"", "model.onnx: this is not a model that onnxruntime reads"),
        ("tokenizer.json", b"{}", "tokenizer.json: this is not a tokenizer"),
        ("tokenizer.json", b"\xff", "tokenizer.json: this is not a tokenizer"),
    ],
)
def test_files_that_are_missing_or_broken(folder, tmp_path, name, content, message):
    broken(tmp_path / "tiny", name, content)
    with pytest.raises(ReadError, match=message) as caught:
        Text(embeddings=folder)(notes(LEARNED))
    assert "\n" not in str(caught.value)


def test_folders_that_cannot_be(tmp_path):
    with pytest.raises(ReadError, match="absent: there is no such folder with a model"):
        Text(embeddings=str(tmp_path / "absent"))(notes(LEARNED))
    with pytest.raises(ParameterError, match="'embeddings' parameter of Text must be"):
        Text(embeddings=3)(notes(LEARNED))


def test_a_tokenizer_and_a_model_that_do_not_fit(folder, tmp_path):
    tokenizer(tmp_path / "tiny", [*WORDS, *(f"word{at}" for at in range(9)), "boat"])
    with pytest.raises(SatsumaError, match="tiny: the model cannot read a text"):
        SentenceEncoder(folder).vectors(["a boat"])
    with pytest.raises(ReadError, match="takes input_ids, this one pixels"):
        SentenceEncoder(make(tmp_path / "pictures", inputs=("pixels",)))
