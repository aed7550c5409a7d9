"""Text: beside scikit-learn's tf-idf, ridge and complement naive Bayes; what it can be asked."""

import numpy as np
import pytest
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import Ridge

import satsuma
from satsuma import Table, Text
from satsuma.prepare import tf_idf as learned
from satsuma.prepare.tf_idf import learned_words

TOPICS = {
    "sea": ["ship", "wave", "salt", "fish", "tide", "harbour"],
    "hill": ["rock", "goat", "snow", "path", "pine", "summit"],
    "town": ["street", "shop", "tram", "crowd", "school", "market"],
}
COMMON = ["the", "of", "day", "old", "long", "under", "with"]


def papers(rows=60, topics=("sea", "hill"), shares=None, seed=0, columns=2):
    rng = np.random.default_rng(seed)
    made = []
    for _ in range(rows):
        topic = topics[rng.choice(len(topics), p=shares)]
        words = [*rng.choice(TOPICS[topic], 3), *rng.choice(COMMON, 5)]
        made.append((*(" ".join(rng.permutation(words)) for _ in range(columns)), topic))
    names = [f"text{at}" for at in range(columns)]
    return Table.of(made, [*names, "topic"], kinds=dict.fromkeys(names, "text"))


def hide(table, rows):
    codes = table.column("topic").copy()
    codes[rows] = -1
    return Table(table.domain, [*table.columns[:-1], codes])


def test_the_matrix_is_that_of_scikit_learn():
    table = papers(columns=1)
    words, matrix = learned_words(table, least=2, most=0.5)
    peer = TfidfVectorizer(ngram_range=(1, 2), sublinear_tf=True, min_df=2, max_df=0.5)
    wanted = peer.fit_transform(table["text0"])
    assert words.words == sorted(peer.vocabulary_)
    np.testing.assert_allclose(matrix.toarray(), wanted.toarray(), atol=1e-12)
    other = papers(seed=3, columns=1)
    found = words.matrix(other).toarray()
    np.testing.assert_allclose(found, peer.transform(other["text0"]).toarray(), atol=1e-12)


def test_the_machine_orders_rows_as_a_balanced_ridge_without_a_constant():
    table = papers(shares=[0.8, 0.2], columns=1)
    _, matrix = learned_words(table)
    aim = np.array([value == "hill" for value in table["topic"]])
    weights = np.where(aim, (~aim).sum() / aim.sum(), 1.0)
    peer = Ridge(alpha=5.0, fit_intercept=False, tol=1e-12, solver="sparse_cg")
    peer.fit(matrix, aim.astype(float), sample_weight=weights)
    model = Text(model="svm", sought="hill")(table)
    slope = model.slopes[0]
    assert np.corrcoef(slope, peer.coef_)[0, 1] == pytest.approx(1, abs=1e-8)


def test_bayes_is_the_ratio_of_balanced_sums():
    table = papers(columns=1, shares=[0.7, 0.3])
    _, matrix = learned_words(table)
    aim, dense = np.array([value == "hill" for value in table["topic"]]), matrix.toarray()
    mine, others = dense[aim].sum(axis=0), dense[~aim].sum(axis=0)
    mine = mine * others.sum() / mine.sum()
    wanted = np.log((mine + 0.5) / (others + 0.5))
    model = Text(model="bayes", alpha=0.5, sought="hill")(table)
    slope = model.slopes[0]
    assert np.corrcoef(slope, wanted)[0, 1] == pytest.approx(1, abs=1e-12)


@pytest.mark.parametrize("model", ["bayes", "svm", "both"])
@pytest.mark.parametrize("topics", [("sea", "hill"), ("sea", "hill", "town")])
def test_new_rows_are_told_apart(model, topics):
    table, new = papers(topics=topics), papers(topics=topics, seed=5)
    assert (Text(model=model)(table)(new) == new["topic"]).mean() > 0.95


def test_few_of_a_class_weigh_as_much_as_many_of_another():
    table, new = papers(200, shares=[0.96, 0.04]), papers(seed=5)
    assert (Text()(table)(new) == new["topic"]).mean() > 0.95


def test_rows_without_a_label_teach_words():
    table = papers()
    rows = np.array([int(np.argmax(table["topic"] == topic)) for topic in ("sea", "hill")])
    known, bare = table[rows], hide(table, np.setdiff1d(np.arange(60), rows))
    model = Text()(bare)
    assert len(model.words) > len(Text(least=1)(known).words)
    np.testing.assert_array_equal(model.rarity, learned_words(table)[0].rarity)


def test_of_two_classes_one_is_sought():
    table = papers()
    assert Text()(table).sought == table.domain.target.values[-1]
    for sought in ("sea", "hill"):
        model = Text(sought=sought)(table)
        assert model.sought == sought
        for word, added in model.drivers(n=3):
            assert added > 0
            assert set(word.split()) & set(TOPICS[sought])


@pytest.mark.parametrize("topics", [("sea", "hill"), ("sea", "hill", "town")])
def test_words_that_drive_a_guess_add_up_to_its_odds(topics):
    table = papers(topics=topics)
    model = Text()(table)
    for value, against in [(None, None), ("sea", "hill"), ("hill", "sea")]:
        told = model.explain(table[7], value, against, most=4)
        chances = model(table[7], satsuma.GetProbabilities)
        odds = np.log(chances[told.value] / chances[told.against])
        assert told.total == pytest.approx(odds, rel=1e-9, abs=1e-9)
        assert len(told) <= 6


def test_a_model_reads_as_its_words():
    said = str(Text(sought="sea")(papers()))
    assert said.startswith("topic, by ")
    assert any(word in said for word in TOPICS["sea"])


def test_a_row_of_no_known_word_is_answered():
    model = Text()(papers())
    chances = model(Table.of([("xyzzy", None)], ["text0", "text1"], target=None,
                             kinds={"text0": "text", "text1": "text"}),
                    satsuma.GetProbabilities)  # fmt: skip
    assert np.isfinite(chances).all()


def test_a_class_that_is_not_there_cannot_be_sought():
    with pytest.raises(satsuma.SatsumaError, match="lake"):
        Text(sought="lake")(papers())


def test_the_words_of_a_large_table_stay_at_hand_while_parts_of_it_come_and_go(monkeypatch):
    monkeypatch.setattr("satsuma.prepare.tf_idf._seen", {})
    monkeypatch.setattr("satsuma.prepare.tf_idf._asked", {})
    learned_words(papers(200))  # larger, and not asked for again
    table = papers(80)
    words, matrix = learned_words(table)
    for rows in range(20, 60, 5):
        learned_words(table[:rows])
    assert learned_words(table)[1] is matrix
    assert words.matrix(table) is matrix
    for at in range(60):
        learned_words(table[: 20 + at % 9])
        assert learned_words(table)[1] is matrix
    assert max(map(len, (cells for *_, cells in learned._seen.values()))) == 80
