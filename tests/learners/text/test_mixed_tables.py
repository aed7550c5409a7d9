"""Text: numbers and symbols beside texts, in the same model."""

import numpy as np
import pytest

import satsuma
from satsuma import GetProbabilities, Table, Text
from satsuma.errors import DomainError, ReadError
from satsuma.prepare.marks import Marks, learn_marks

WORDS = ["red", "old", "long", "big", "new"]


def notes(rows=80, seed=0):
    """The class follows from the number and the symbol; the words say nothing."""
    rng = np.random.default_rng(seed)
    made = []
    for _ in range(rows):
        size, kind = float(rng.uniform(0, 100)), str(rng.choice(["a", "b", "c"]))
        text = " ".join(rng.choice(WORDS, 4))
        made.append((text, size, kind, "yes" if size > 60 and kind != "c" else "no"))
    return Table.of(made, ["note", "size", "kind", "wanted"], kinds={"note": "text"})


def of_yes(model, rows):
    return model.probabilities(model.asked(rows))[:, model.classes.index("yes")]


@pytest.mark.parametrize("model", ["blend", "margin", "squares", "bayes"])
def test_numbers_and_symbols_are_learned_from(model):
    table, new = notes(200), notes(200, seed=1)
    learner = Text(model=model, sought="yes", least=1)
    texts = table.select(["note", "wanted"])
    found, bare = (of_yes(learner(rows), new) for rows in (table, texts))
    wanted = np.array([value == "yes" for value in new["wanted"]])
    rank = (found[wanted][:, None] > found[~wanted]).mean()
    assert rank > 0.93
    assert (bare[wanted][:, None] > bare[~wanted]).mean() < 0.65


def test_the_terms_add_up_and_name_the_cells():
    table = notes()
    model = Text(sought="yes")(table)
    row = table[3]
    found = model.explain(row, "yes", "no", most=50)
    chance = model(row, GetProbabilities)
    assert sum(found.parts.values()) == pytest.approx(np.log(chance["yes"] / chance["no"]))
    assert f"kind = {row['kind']}" in found.parts
    assert any(name.startswith("size ") for name in found.parts)
    assert "and 2 other columns" in str(model)


def test_a_saved_model_is_the_same(tmp_path):
    table = notes()
    model = Text()(table)
    model.save(tmp_path / "model.satsuma")
    again = satsuma.open_model(tmp_path / "model.satsuma")
    assert (again.probabilities(table) == model.probabilities(table)).all()
    assert again.drivers() == model.drivers()


def test_slopes_of_other_columns_are_refused():
    model = Text()(notes())
    model.beside = model.beside[:, 1:]
    with pytest.raises(ReadError, match="other columns"):
        model.check_state()


def test_marks_are_those_of_the_cells():
    table = notes(30)
    marks, cuts = learn_marks(table)
    found = marks.matrix(table).toarray()
    size, kind = np.digitize(table["size"], cuts["size"], right=True), table.column("kind")
    assert ((found > 0).sum(axis=1) == 2).all()
    assert (found[:, :5].argmax(axis=1) == size).all()
    assert (found[:, 5:].argmax(axis=1) == kind).all()
    assert np.linalg.norm(found, axis=1) == pytest.approx(1)
    counts = np.bincount(size)
    assert counts.max() - counts.min() <= 1


def test_what_is_missing_or_new_has_no_mark():
    table = notes(30)
    marks, _ = learn_marks(table)
    rows = Table.of([("red", None, "zebra", "no")], table.domain.names,
                    kinds={"note": "text", "size": "num"})  # fmt: skip
    asked = Text()(table).asked(rows)
    assert not marks.matrix(asked).nnz


def test_texts_alone_have_no_marks():
    table = notes(10).select(["note", "wanted"])
    assert not learn_marks(table)[0].names
    assert Marks(table.domain, {}).matrix(table).shape == (10, 0)


def test_an_infinite_number_is_refused():
    rows = [("a word", 1.0, "no"), ("a name", float("inf"), "yes")]
    with pytest.raises(DomainError, match="must be finite"):
        Text()(Table.of(rows, ["note", "size", "y"], kinds={"note": "text"}))
