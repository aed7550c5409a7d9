"""Learning that asks for labels."""

import numpy as np
import pytest
from sklearn.metrics import cohen_kappa_score

import satsuma
from satsuma import (
    KNN,
    Active,
    AnDE,
    Answer,
    GaussianProcess,
    LinearSVM,
    Mean,
    NaiveBayes,
    Oracle,
    Table,
    Tree,
    agreement,
    simulate,
    suspicious,
)
from satsuma.active.acquisition.query_strategies import (
    QUERY_STRATEGIES,
    certain,
    committee,
    dense,
    expected_error,
    uncertain,
)
from satsuma.active.active_learning import hide_labels
from satsuma.active.cold_start import diverse_rows, keyword_rows
from satsuma.errors import DomainError, ParameterError, SatsumaError


def voting():
    return satsuma.load("voting")


@pytest.mark.parametrize(
    "how", sorted(QUERY_STRATEGIES.keys() - {"diverse", "greedy", "model change"})
)
def test_every_way_asks_once_for_each_row_and_no_more_than_the_budget(how):
    table = voting()
    oracle = Oracle(table)
    done = Active(learner=NaiveBayes(), acquire=how, budget=15)(hide_labels(table), oracle)
    assert oracle.asked == done.order
    assert len(set(done.order)) == 15
    assert (done.labelled["party"] == table["party"][np.sort(done.order)]).all()


def test_labels_that_are_not_asked_for_are_never_looked_at():
    table = voting()
    blind = hide_labels(table)
    assert blind.missing("party").all()
    other = Table.of([(cell,) for cell in table["party"]], ["party"])
    said = {}

    def answer(row):
        said[row.index] = other["party"][row.index]
        return said[row.index]

    done = Active(learner=NaiveBayes(), budget=12)(blind, Oracle(answer))
    assert list(said) == done.order
    assert (done.table["party"] != None).sum() == 12  # noqa: E711 - cell by cell


@pytest.mark.parametrize("learner", [NaiveBayes(), satsuma.LDA()])
def test_a_label_at_a_time_is_all_labels_at_once(learner):
    table = satsuma.load("iris")
    done = Active(learner=learner, budget=25)(hide_labels(table), Oracle(table))
    at_once = learner(done.labelled)
    found = done.model(table, satsuma.GetProbabilities)
    assert np.abs(found - at_once(table, satsuma.GetProbabilities)).max() < 1e-9


def test_the_model_of_one_round_is_never_learned_anew(monkeypatch):
    table = voting()
    sizes = []
    tally = NaiveBayes.tally

    def counted(self, batch):
        sizes.append(len(batch))
        return tally(self, batch)

    monkeypatch.setattr(NaiveBayes, "tally", counted)
    Active(learner=NaiveBayes(), budget=10)(hide_labels(table), Oracle(table))
    assert sizes == [1] * 10


def test_uncertain_is_what_it_is_for_each_learner():
    iris = satsuma.load("iris")
    two = iris[50:]
    bayes = NaiveBayes()(two)
    chances = bayes(two, satsuma.GetProbabilities)
    gap = np.sort(chances, axis=1)[:, -1] - np.sort(chances, axis=1)[:, -2]
    assert np.allclose(uncertain(bayes, two, two), -gap, rtol=0, atol=1e-12)
    assert np.allclose(
        uncertain(bayes, two, two, how="least confident"), -chances.max(axis=1), rtol=0, atol=0
    )
    logs = np.log(np.where(chances > 0, chances, 1))
    assert np.allclose(
        uncertain(bayes, two, two, how="entropy"), -(chances * logs).sum(axis=1), rtol=1e-12, atol=0
    )
    machine = LinearSVM()(two)
    nearest = np.argmax(uncertain(machine, two, two))
    decisions = machine.decisions(machine.asked(two))
    assert nearest == np.argmin(np.abs(decisions[:, 1] - decisions[:, 0]))
    numbers = satsuma.load("housing")[:60]
    process = GaussianProcess()(numbers)
    assert (uncertain(process, numbers, numbers) == process.deviations(numbers)).all()
    with pytest.raises(ParameterError, match="predicts numbers"):
        certain(Mean()(numbers), numbers, numbers)
    with pytest.raises(ParameterError, match="how"):
        uncertain(bayes, two, two, how="guess")


def test_a_committee_of_one_mind_has_nothing_to_ask():
    rows = [("a", "yes")] * 20 + [("b", "no")] * 20
    table = Table.of(rows, ["x", "y"])
    model = NaiveBayes()(table)
    assert (committee(model, table, table) == 0).all()
    assert (committee(model, table, table, how="KL") >= -1e-12).all()
    with pytest.raises(ParameterError, match="vote"):
        committee(model, table, table, how="shout")


@pytest.mark.parametrize("learner", [NaiveBayes(), AnDE()], ids=repr)
def test_expected_error_is_that_of_learning_anew(learner):
    table = voting()
    labelled, pool = table[:30], table[30:80]
    model = learner(labelled)
    scores = expected_error(model, pool, labelled, most=3)
    tried = np.flatnonzero(scores > -np.inf)
    assert len(tried) == 3
    at = int(tried[0])
    guess = model(pool, satsuma.GetProbabilities)[at]
    error = 0.0
    for code, value in enumerate(model.classes):
        if guess[code] > 1e-3:
            rows = [[row[name] for name in table.domain.names] for row in labelled]
            asked = [value if n == "party" else pool[at][n] for n in table.domain.names]
            after = learner(_like(table, [*rows, asked]))
            sure = after(pool, satsuma.GetProbabilities).max(axis=1)
            error += guess[code] * (1 - sure).mean()
    assert scores[at] == pytest.approx(-error, rel=1e-9)
    with pytest.raises(ParameterError, match="one round"):
        expected_error(Tree()(labelled), pool, labelled)


def _like(table, rows):
    made = Table.of(rows, list(table.domain.names), target="party")
    columns = []
    for variable in table.domain:
        cells = made[variable.name]
        columns.append(
            np.array([-1 if cell is None else variable.code(cell) for cell in cells], np.int32)
        )
    return Table(table.domain, columns)


def test_dense_goes_by_its_seed_and_not_by_who_asked_before():
    pool, anew = satsuma.load("heart_disease"), satsuma.load("heart_disease")
    labelled = pool[:40]
    model = NaiveBayes()(labelled)
    first = dense(model, pool, labelled, seed=0)
    second = dense(model, pool, labelled, seed=1)
    assert (second != first).any()
    assert (second == dense(model, anew, labelled, seed=1)).all()
    assert (first == dense(model, pool, labelled, seed=0)).all()


def test_certain_looks_for_the_rare_class():
    rows = [(k % 7, "rare" if k % 7 == 0 and k < 30 else "common") for k in range(60)]
    table = Table.of(rows, ["x", "y"], kinds={"x": "sym"})
    model = NaiveBayes()(table)
    best = np.argmax(certain(model, table, table))
    assert table[int(best)]["x"] == "0"
    assert np.argmax(certain(model, table, table, sought="common")) != best


def test_answers_may_be_unknown_or_unsure():
    table = voting()
    done = Active(learner=NaiveBayes(), budget=20)(
        hide_labels(table), Oracle(lambda row: None if row.index % 2 else Answer("democrat", 0.5))
    )
    assert len(done.order) + len(done.unknown) == 20
    assert all(row % 2 for row in done.unknown)
    assert done.labelled.weights is not None
    assert (done.labelled.weights == 0.5).all()


def test_a_class_may_be_new_and_an_answer_may_be_changed():
    table = Table.of([(k, None) for k in range(8)], ["x", "y"], kinds={"y": "sym"})
    labelling = Active(learner=NaiveBayes(), start=0).begin(table)
    with pytest.raises(SatsumaError, match="Nothing is labelled"):
        _ = labelling.model
    labelling.tell(0, "a")
    labelling.tell(7, "b")
    labelling.tell(7, "a")
    labelling.tell(6, "b")
    want = NaiveBayes()(Table.of([(0, "a"), (6, "b"), (7, "a")], ["x", "y"]))
    found = labelling.model(table, satsuma.GetProbabilities)
    assert np.allclose(found, want(table, satsuma.GetProbabilities), rtol=0, atol=1e-12)
    with pytest.raises(DomainError, match="no row 8"):
        labelling.tell(8, "a")


def test_all_rows_are_asked_about_at_last():
    table = satsuma.load("tennis")
    done = Active(learner=KNN(k=1), budget=100, batch=3)(hide_labels(table), Oracle(table))
    assert sorted(done.order) == list(range(len(table)))
    assert done.ask() == []


def test_numbers_are_asked_for_too():
    table = satsuma.load("housing")[:80]
    done = Active(learner=GaussianProcess(), budget=12)(hide_labels(table), Oracle(table))
    assert len(done.order) == 12
    assert np.isfinite(done.model(table)).all()


def test_starting_rows_are_spread():
    iris = satsuma.load("iris")
    for seed in range(5):
        rows = diverse_rows(iris.select(iris.domain.names[:4]), 6, seed)
        assert len(set(rows.tolist())) == 6
        assert len(set(iris["Species"][rows])) >= 2
    assert diverse_rows(iris, 500).shape == (150,)
    # Of many rows a sample is seen: four groups, the smallest a tenth of all.
    groups = np.random.default_rng(1).choice(4, 50_000, p=[0.4, 0.3, 0.2, 0.1])
    far = satsuma.read(np.column_stack([groups % 2, groups // 2]) * 10.0, names=["a", "b"])
    assert set(groups[diverse_rows(far, 4, 3)]) == {0, 1, 2, 3}
    assert diverse_rows(iris, 0).shape == (0,)


def test_starting_from_words():
    told = ["red fish", "blue car", "blue red car", None]
    table = Table.of([(t, None) for t in told], ["t", "y"], kinds={"t": "text", "y": "sym"})
    assert keyword_rows(table, ["Blue", "car"], 2).tolist() == [1, 2]
    assert Active(learner=NaiveBayes(), start=["red"]).first(table)[:2].tolist() == [0, 2]


@pytest.mark.parametrize(
    ("parameters", "told"),
    [
        ({"acquire": "guess"}, "acquire"),
        ({"budget": 0}, "budget"),
        ({"batch": 0}, "batch"),
        ({"learner": 3}, "learner"),
        ({"start": [999]}, "start"),
        ({"acquire": lambda *_: [1.0]}, "score for each"),
    ],
)
def test_parameters_that_cannot_be(parameters, told):
    table = voting()
    with pytest.raises(ParameterError, match=told):
        Active(**{"learner": NaiveBayes(), **parameters})(hide_labels(table), Oracle(table))


def test_simulating():
    ways = {
        "asking": Active(learner=NaiveBayes(), budget=60),
        "random": Active(learner=NaiveBayes(), acquire="random", start=0, budget=60),
    }
    found = simulate(ways, voting(), seeds=3, goal=0.9, hold=2)
    assert list(found.by_seed) == ["asking", "random"]
    assert all(len(own) == 3 for own in found.by_seed.values())
    for own in found.curves.values():
        for curve in own:
            first = curve.needed(0.9, 2)
            at = curve.labels.index(int(first))
            assert min(curve.scores[at : at + 2]) >= 0.9 * curve.full
    assert "Labels needed to reach 90%" in str(found)
    assert "<table>" in found._repr_html_()
    assert set(found.rank().values()) <= {1, 2}


def test_simulating_a_search():
    rows = [(k % 10, "rare" if k % 10 == 4 else "common") for k in range(200)]
    table = Table.of(rows, ["x", "y"], kinds={"x": "sym"})
    ways = {
        "certain": Active(learner=NaiveBayes(), acquire="certain", budget=200),
        "random": Active(learner=NaiveBayes(), acquire="random", budget=200),
    }
    found = simulate(ways, table, seeds=3, sought="rare")
    assert found.needed["certain"] < 40 < found.needed["random"]
    assert found.work_saved["certain"] == pytest.approx(1 - found.needed["certain"] / 200 - 0.05)
    assert "work saved" in str(found)
    with pytest.raises(DomainError, match="No row"):
        simulate(ways, Table.of([(1, "a"), (2, "b")], ["x", "y"])[:1], sought="b", seeds=1)


def test_flipped_labels_are_suspicious():
    table = voting()
    rng = np.random.default_rng(0)
    flipped = rng.choice(len(table), len(table) // 10, replace=False)
    codes = table.column("party").copy()
    codes[flipped] = 1 - codes[flipped]
    columns = [
        codes if v.name == "party" else c for v, c in zip(table.domain, table.columns, strict=True)
    ]
    wrong = Table(table.domain, columns)
    found = suspicious(NaiveBayes(), wrong, seed=1)
    assert len(found) == len(table)
    again = found.rows[: len(table) // 10]
    assert len(set(again.tolist()) & set(flipped.tolist())) >= 0.5 * len(flipped)
    assert "less likely than another" in str(found)
    assert (np.diff(found.doubt) <= 0).all()
    with pytest.raises(DomainError, match="four labels"):
        suspicious(NaiveBayes(), table[:3])


def test_kappa_is_that_of_scikit_learn():
    rng = np.random.default_rng(3)
    for _ in range(20):
        a, b = rng.integers(0, 4, (2, 50))
        found = agreement(list(map(str, a)), list(map(str, b)))
        assert found.kappa == pytest.approx(cohen_kappa_score(a, b), rel=1e-12)
        assert len(found.disagreements) == (a != b).sum()
    assert np.isnan(agreement(["a", "a"], ["a", "a"]).kappa)
    assert "kappa" in str(agreement(["a", "b"], ["b", "b"]))
    with pytest.raises(DomainError, match="both have labelled"):
        agreement([None, "a"], ["a", None])
    with pytest.raises(DomainError, match="match"):
        agreement(["a"], [])


@pytest.mark.parametrize("learner", [NaiveBayes(), KNN(k=3)])
def test_what_is_forgotten_was_never_said(learner):
    voting = satsuma.load("voting")
    pool = hide_labels(voting)
    how = Active(learner=learner, start=[3, 9, 100, 200, 300])
    once, never = how.begin(pool), how.begin(pool)
    for row in (3, 9, 100, 200, 300):
        once.tell(row, voting.cell(row, "party"))
        if row not in (9, 300):
            never.tell(row, voting.cell(row, "party"))
    once.forget(9)
    once.forget(300)
    assert once.order == never.order == [3, 100, 200]
    assert once.labelled.equals(never.labelled)
    chances = [each.model(voting, satsuma.GetProbabilities) for each in (once, never)]
    assert chances[0] == pytest.approx(chances[1], abs=1e-12)
    assert once.ask() == never.ask() == [9]
    once.tell(50, None)
    once.forget(50)  # "don't know" is taken back too
    assert once.unknown == []
    with pytest.raises(DomainError, match="no row 999"):
        once.forget(999)


def test_rows_that_others_have_in_hand_are_not_asked_about():
    voting = satsuma.load("voting")
    labelling = Active(learner=NaiveBayes(), start=[5, 6]).begin(hide_labels(voting))
    assert labelling.ask(without=[5]) == [6]
    assert labelling.ask(2, without=[5, 6]) not in ([5], [6])
    for row in (5, 6, 7):
        labelling.tell(row, voting.cell(row, "party"))
    first, second = labelling.ask(2)
    assert labelling.ask(without={first}) == [second]
    assert labelling.ask(without=range(435)) == []
    assert labelling.ask() == [first]
