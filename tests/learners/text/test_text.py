"""Text: beside scikit-learn's tf-idf, ridge and complement naive Bayes; what it can be asked."""

import numpy as np
import pandas as pd
import pytest
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import Ridge
from sklearn.svm import LinearSVC

import satsuma
from satsuma import Table, Text
from satsuma.active.acquisition.query_strategies import QUERY_STRATEGIES
from satsuma.learners.text.blend import blend_weights, log_ranks
from satsuma.learners.text.members import Problem, Settings
from satsuma.prepare import tf_idf as learned
from satsuma.prepare.tf_idf import learn_tf_idf

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
    words, matrix = learn_tf_idf(table, least=2, most=0.5)
    peer = TfidfVectorizer(ngram_range=(1, 2), sublinear_tf=True, min_df=2, max_df=0.5)
    peer = peer.set_params(min_df=1)
    wanted = peer.fit_transform(table["text0"])
    telling = [at for at, rarity in enumerate(words.rarity) if rarity]
    known = [words.words[at] for at in telling]
    assert known == sorted(set(known) & set(peer.vocabulary_))
    assert len(known) < len(peer.vocabulary_)
    columns = [peer.vocabulary_[word] for word in known]
    np.testing.assert_allclose(matrix.toarray()[:, telling], wanted.toarray()[:, columns])
    assert not np.delete(matrix.toarray(), telling, axis=1).any()
    np.testing.assert_allclose(words.matrix(table).toarray(), matrix.toarray())


def test_words_that_are_not_known_make_a_row_longer():
    table = papers(columns=1)
    words, matrix = learn_tf_idf(table)
    longer = Table.of([(f"{table.cell(0, 'text0')} xyzzy", "sea")], ["text0", "topic"],
                      kinds={"text0": "text"})  # fmt: skip
    row = words.matrix(longer).toarray()[0]
    shrunk = row[row > 0] / matrix.toarray()[0][row > 0]
    assert shrunk.max() < 1
    assert shrunk == pytest.approx(np.full(len(shrunk), shrunk[0]))


def test_the_machine_orders_rows_as_a_balanced_ridge_without_a_constant():
    table = papers(shares=[0.8, 0.2], columns=1)
    _, matrix = learn_tf_idf(table)
    aim = np.array([value == "hill" for value in table["topic"]])
    weights = np.where(aim, (~aim).sum() / aim.sum(), 1.0)
    peer = Ridge(alpha=5.0, fit_intercept=False, tol=1e-12, solver="sparse_cg")
    peer.fit(matrix, aim.astype(float), sample_weight=weights)
    model = Text(model="squares", sought="hill")(table)
    slope = model.slopes[0]
    assert np.corrcoef(slope, peer.coef_)[0, 1] == pytest.approx(1, abs=1e-8)


def test_the_margin_is_that_of_scikit_learn():
    table = papers(shares=[0.8, 0.2], columns=1)
    _, matrix = learn_tf_idf(table, most=0.95)
    aim = np.array([value == "hill" for value in table["topic"]])
    weights = np.where(aim, 1.0, aim.sum() / (9.8 * (~aim).sum()))
    weights *= len(aim) / weights.sum()
    peer = LinearSVC(C=0.11, loss="squared_hinge", tol=1e-8, max_iter=100_000, dual=True)
    peer.fit(matrix, aim, sample_weight=weights)
    fit = Settings(0.1, 5.0, 0.11, 9.8).margin(Problem(matrix, aim, np.ones(len(aim))), [])
    np.testing.assert_allclose(fit.slopes[0], peer.coef_[0], atol=1e-6)
    assert fit.constants[0] == pytest.approx(peer.intercept_[0], abs=1e-6)


def few_hills(rows=60):
    table = papers(rows, shares=[0.8, 0.2], columns=1)
    _, matrix = learn_tf_idf(table)
    aim = np.array([value == "hill" for value in table["topic"]])
    return table, matrix, aim


@pytest.mark.parametrize(("name", "near"), [("bayes", 1e-9), ("squares", 1e-9), ("margin", 0.05)])
def test_a_group_left_out_is_a_fit_without_its_rows(name, near):
    _, matrix, aim = few_hills()
    settings, heavy = Settings(0.1, 5.0, 0.11, 9.8), np.linspace(0.5, 2, len(aim))
    problem = Problem(matrix, aim, heavy)
    fits = settings.fit(name, problem, problem.groups)
    share = heavy[~aim].sum() / heavy[aim].sum()
    for at, group in enumerate(problem.groups):
        kept = np.setdiff1d(np.arange(len(aim)), group)
        few = Problem(matrix[kept], aim[kept], heavy[kept])
        if name == "squares":  # what classes weigh stays as it was
            peer = Ridge(alpha=5.0, fit_intercept=False, tol=1e-14, solver="cholesky")
            weights = np.where(aim[kept], heavy[kept] * share, heavy[kept])
            peer.fit(matrix[kept].toarray(), aim[kept].astype(float), sample_weight=weights)
            wanted = peer.coef_
        else:
            wanted = settings.fit(name, few, []).slopes[0]
        found = fits.slopes[1 + at]
        assert np.corrcoef(found, wanted)[0, 1] == pytest.approx(1, abs=near)


def test_groups_hold_every_row_of_the_class_once_and_the_same_rows_together():
    table, _, aim = few_hills()
    again = np.r_[np.arange(len(aim)), np.flatnonzero(aim)[:3]]
    _, matrix = learn_tf_idf(table[again])
    problem = Problem(matrix, aim[again], np.ones(len(again)))
    assert sorted(np.concatenate(problem.groups).tolist()) == np.flatnonzero(aim[again]).tolist()
    assert len(problem.groups) == 4
    for at in range(3):
        twins = {int(np.flatnonzero(aim)[at]), len(aim) + at}
        assert any(twins <= set(group.tolist()) for group in problem.groups)
    order = np.random.default_rng(0).permutation(len(again))
    other = Problem(matrix[order], aim[again][order], np.ones(len(again)))
    groups = {frozenset(order[group].tolist()) for group in other.groups}
    assert groups == {frozenset(group.tolist()) for group in problem.groups}


@pytest.mark.parametrize("name", ["margin", "squares"])
def test_many_rows_are_solved_step_by_step_to_the_same(name, monkeypatch):
    table, matrix, aim = few_hills(80)
    settings, problem = Settings(0.1, 5.0, 0.11, 9.8), Problem(matrix, aim, np.ones(len(aim)))
    dense = settings.fit(name, problem, [])
    monkeypatch.setattr("satsuma.learners.text.members._DENSE", 30)
    monkeypatch.setattr("satsuma.learners.text.members._TRIED", 20)
    steps = settings.fit(name, problem, [])
    np.testing.assert_allclose(steps.slopes, dense.slopes, atol=1e-9)
    np.testing.assert_allclose(steps.constants, dense.constants, atol=1e-9)
    few = problem.part()
    assert (len(few), aim[few].sum()) == (20, 10)
    model = Text(sought="hill")(table)
    assert (model(table) == table["topic"]).mean() > 0.95


def test_ranks_are_by_counting():
    rng = np.random.default_rng(0)
    pool, held = rng.normal(size=60).round(1), rng.normal(size=9).round(1)
    weights = rng.random(60)
    wanted = [np.log1p(weights[pool > each + 1e-9].sum()) for each in held]
    np.testing.assert_allclose(log_ranks(pool, held, weights), wanted, atol=1e-12)


def test_a_scorer_that_ranks_badly_weighs_next_to_nothing():
    rng = np.random.default_rng(1)
    pool, held = rng.normal(size=(3, 500)), rng.normal(size=(3, 60))
    held[:2] += 3
    shares = blend_weights(
        np.zeros(3), lambda each: float(log_ranks(each @ pool, each @ held, np.ones(500)).sum())
    )
    assert shares.sum() == pytest.approx(1)
    assert shares[2] < 0.05
    assert shares[:2] == pytest.approx([0.5, 0.5], abs=0.2)  # together they are better than alone


def test_bayes_is_the_ratio_of_balanced_sums():
    table = papers(columns=1, shares=[0.7, 0.3])
    _, matrix = learn_tf_idf(table)
    aim, dense = np.array([value == "hill" for value in table["topic"]]), matrix.toarray()
    mine, others = dense[aim].sum(axis=0), dense[~aim].sum(axis=0)
    mine = mine * others.sum() / mine.sum()
    wanted = np.log((mine + 0.5) / (others + 0.5))
    model = Text(model="bayes", alpha=0.5, sought="hill")(table)
    slope = model.slopes[0]
    assert np.corrcoef(slope, wanted)[0, 1] == pytest.approx(1, abs=1e-12)


@pytest.mark.parametrize("model", ["bayes", "squares", "margin", "blend"])
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
    np.testing.assert_array_equal(model.rarity, learn_tf_idf(table)[0].rarity)


def test_of_two_classes_one_is_sought():
    table = papers()
    assert Text()(table).sought == table.domain.target.values[-1]
    for sought in ("sea", "hill"):
        model = Text(sought=sought)(table)
        assert model.sought == sought
        for word, added in model.drivers(n=3):
            assert added > 0
            assert set(word.split()) & set(TOPICS[sought])


def searched(rows=600, labels=20, **more):
    table = papers(rows, shares=[0.9, 0.1], columns=1)
    return table, hide(table, np.arange(labels, rows)), Text(sought="hill", **more)


def test_rows_are_presumed_irrelevant_wherever_they_stand_and_others_with_each_label():
    table, bare, learner = searched()
    model, order = learner(bare), np.random.default_rng(1).permutation(600)
    np.testing.assert_allclose(learner(bare[order]).slopes, model.slopes, rtol=1e-9)
    codes, (_, matrix) = bare.column("topic"), learn_tf_idf(bare)
    seen, drawn = np.unique(codes[codes >= 0]), []
    for labels in (20, 21, 22):
        codes = hide(table, np.arange(labels, 600)).column("topic")
        drawn.append(set(learner._presumed(codes, seen, matrix, bare).tolist()))
        assert len(drawn[-1]) == (600 - labels) // 10
        assert min(drawn[-1]) >= labels
    assert len(drawn[0] & drawn[1]) < 20  # of 58, a tenth is expected
    assert len(drawn[1] & drawn[2]) < 20


def test_nothing_is_presumed_where_no_class_is_sought():
    _, bare, _ = searched()
    alone = Text(model="margin")(bare)
    np.testing.assert_array_equal(Text(model="margin", sought="hill")(bare).slopes, alone.slopes)
    known = bare[:20]
    np.testing.assert_array_equal(Text(sought="hill")(known).slopes, Text()(known).slopes)


def test_the_margin_alone_asks_every_third_question():
    _, bare, learner = searched()
    model, margin = learner(bare), Text(model="margin", sought="hill")(bare)
    asked = model.asked(bare)
    assert model.ranks_in_turn(asked, 20) is None
    assert model.ranks_in_turn(asked, 22) is None
    ranks = np.argsort(model.ranks_in_turn(asked, 21))
    np.testing.assert_array_equal(np.argsort(margin.scores(asked)[:, 1]), ranks)
    np.testing.assert_array_equal(
        QUERY_STRATEGIES["certain"](model, bare, bare[:21]), model.ranks_in_turn(asked, 21)
    )
    chances = model.probabilities(asked)[:, 1]
    np.testing.assert_array_equal(QUERY_STRATEGIES["certain"](model, bare, bare[:20]), chances)


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


@pytest.mark.parametrize("frame", [False, True])
def test_columns_of_several_words_are_texts_of_scikit_learns_verbs(frame):
    texts = ["win money now", "lunch at noon", "win a prize", "see you at lunch"] * 5
    labels = ["spam", "ham"] * 10

    def rows(texts):
        cells = [texts, ["left"] * len(texts)]
        return pd.DataFrame(dict(zip("ab", cells, strict=True))) if frame else np.array(cells).T

    learner = Text().fit(rows(texts), labels)
    assert [v.kind for v in learner.model_.domain.attributes] == ["text", "sym"]
    new = rows(["money and a prize", "a late lunch at three"])
    assert learner.predict(new).tolist() == ["spam", "ham"]


def test_a_class_that_is_not_there_cannot_be_sought():
    with pytest.raises(satsuma.SatsumaError, match="lake"):
        Text(sought="lake")(papers())


def test_the_words_of_a_large_table_stay_at_hand_while_parts_of_it_come_and_go(monkeypatch):
    monkeypatch.setattr("satsuma.prepare.tf_idf._seen", {})
    monkeypatch.setattr("satsuma.prepare.tf_idf._asked", {})
    learn_tf_idf(papers(200))  # larger, and not asked for again
    table = papers(80)
    words, matrix = learn_tf_idf(table)
    for rows in range(20, 60, 5):
        learn_tf_idf(table[:rows])
    assert learn_tf_idf(table)[1] is matrix
    assert words.matrix(table) is matrix
    for at in range(60):
        learn_tf_idf(table[: 20 + at % 9])
        assert learn_tf_idf(table)[1] is matrix
    assert max(map(len, (cells for *_, cells in learned._seen.values()))) == 80
