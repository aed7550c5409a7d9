"""The contract: a learner is called with data, and a model is asked; also a user's own."""

import pickle
from dataclasses import dataclass

import numpy as np
import pytest

import satsuma
from satsuma import (
    Categorical,
    GetBoth,
    GetProbabilities,
    GetValue,
    Majority,
    NaiveBayes,
    Table,
    TallyLearner,
)
from satsuma.errors import DomainError, NoSuchColumn, ParameterError
from satsuma.learners.model import Classifier
from satsuma.learners.predictions import Distribution
from satsuma.tallies import ClassCounts


# A learner of one's own: everything else that is tested below comes for free.
class MyBayesModel(Classifier):
    def __init__(self, prior, chances):
        self.prior, self.chances = prior, chances

    def probabilities(self, batch):
        joint = np.tile(self.prior, (len(batch), 1))
        for name, chance in self.chances.items():
            known = ~batch.missing(name)
            joint[known] *= chance[batch.column(name)[known]]
        return joint / joint.sum(axis=1, keepdims=True)


@dataclass(kw_only=True, eq=False)
class MyBayes(TallyLearner[ClassCounts]):
    m: float = 2.0

    def tally(self, batch):
        return ClassCounts.of(batch)

    def conclude(self, tally):
        n = tally.class_weight
        smooth = {a: (tally[a] + self.m / len(tally[a])) / (n + self.m) for a in tally.names}
        return MyBayesModel(n / n.sum(), smooth)


@pytest.fixture
def votes():
    rng = np.random.default_rng(0)
    party = rng.choice(["left", "right"], 80)
    vote = [
        [str(rng.choice(["y", "n"], p=[0.8, 0.2] if p == "left" else [0.3, 0.7])) for p in party]
        for _ in range(4)
    ]
    rows = [
        [None if rng.random() < 0.1 else cell for cell in cells]
        for cells in zip(*vote, strict=True)
    ]
    return Table.of([(*row, p) for row, p in zip(rows, party, strict=True)], [*"abcd", "party"])


# ---- a learner of one's own


def test_it_equals_the_one_that_comes_with_satsuma(votes):
    mine, theirs = (
        MyBayes(votes, m=3.0),
        NaiveBayes(votes, symbol=Categorical(m=3.0, rows="all"), calibrate=False),
    )
    np.testing.assert_allclose(
        mine(votes, GetProbabilities), theirs(votes, GetProbabilities), rtol=1e-12
    )
    assert repr(MyBayes()) == "MyBayes(m=2.0)"


def test_it_is_called_with_and_without_data(votes):
    one, other = MyBayes(votes, m=1), MyBayes(m=1)(votes)
    assert (one(votes, GetProbabilities) == other(votes, GetProbabilities)).all()
    assert one(votes[0]) in ("left", "right")


def test_it_takes_weights(votes):
    weights = np.arange(len(votes)) % 3.0
    weighted = Table(
        satsuma.Domain([*votes.domain, satsuma.Variable("w", role="weight")]),
        [*votes.columns, weights],
    )
    repeated = votes[np.repeat(np.arange(len(votes)), weights.astype(int))]
    np.testing.assert_allclose(
        MyBayes(weighted)(votes, GetProbabilities), MyBayes(repeated)(votes, GetProbabilities)
    )


def test_it_learns_in_batches(votes):
    X, y = votes.to_pandas()[[*"abcd"]], votes["party"]
    chained = MyBayes()
    for start in range(0, 80, 20):
        chained.partial_fit(X[start : start + 20], y[start : start + 20])
    whole = MyBayes().fit(X, y)
    order = [list(chained.classes_).index(each) for each in whole.classes_]
    np.testing.assert_allclose(chained.predict_proba(X)[:, order], whole.predict_proba(X))
    assert whole.score(X, y) > 0.7


def test_it_is_saved(votes, tmp_path):
    model = MyBayes(votes)
    model.save(tmp_path / "mine.satsuma")
    again = satsuma.open_model(tmp_path / "mine.satsuma")
    assert (again(votes, GetProbabilities) == model(votes, GetProbabilities)).all()
    assert again.learner.m == 2.0


# ---- calls


@pytest.mark.parametrize("learner", [NaiveBayes, Majority, MyBayes])
def test_an_unknown_parameter_is_told_at_once(learner):
    with pytest.raises(ParameterError, match=f"{learner.__name__} has no parameter 'mm'"):
        learner(mm=3)
    with pytest.raises(ParameterError, match=f"{learner.__name__} has no parameter 'mm'"):
        learner(Table.of([("a", "b")], ["s", "y"]), mm=3)


def test_a_hint_for_a_parameter_misspelled():
    @dataclass(kw_only=True, eq=False)
    class Pruned(MyBayes):
        m_for_pruning: float = 0.0

    with pytest.raises(ParameterError, match="Did you mean 'm_for_pruning'"):
        Pruned(m_for_prunning=1)


def test_an_empty_table_is_data_and_not_the_absence_of_it(votes):
    with pytest.raises(DomainError, match="given no rows"):
        NaiveBayes(votes[:0])
    assert isinstance(NaiveBayes(None), NaiveBayes)


def test_what_is_no_table_is_told_from_one(votes):
    with pytest.raises(DomainError, match=r"not from a DataFrame.*satsuma\.read"):
        NaiveBayes(votes.to_pandas())


def test_no_target_and_targets_of_another_kind(votes):
    with pytest.raises(DomainError, match="needs a target"):
        NaiveBayes(votes.with_roles({"party": "meta"}))
    with pytest.raises(DomainError, match="predicts symbols"):
        NaiveBayes(Table.of([("a", 1.0)], ["s", "y"]))
    with pytest.raises(DomainError, match="no row whose target 'y' is known"):
        NaiveBayes(Table.of([("a", None)], ["s", "y"], kinds={"y": "sym"}))
    with pytest.raises(DomainError, match=r"kind 'text', and 't' is one.*'meta'"):
        NaiveBayes(Table.of([("long", "a")], ["t", "y"], kinds={"t": "text"}))


def test_learning_changes_neither_learner_nor_table(votes):
    learner = NaiveBayes(m=1)
    before, columns = dict(vars(learner)), [column.copy() for column in votes.columns]
    model = learner(votes)
    assert vars(learner) == before
    assert all((a == b).all() for a, b in zip(votes.columns, columns, strict=True))
    learner.set_params(m=7)
    assert model.learner.m == 1


# ---- questions


def test_a_row_a_dict_and_a_table_get_the_same_answer(votes):
    model = NaiveBayes(votes)
    row = votes[3]
    found = model(row, GetProbabilities)
    assert isinstance(found, Distribution)
    assert model(dict(row.items()), GetProbabilities) == found
    table = model(votes, GetProbabilities)
    assert list(found.values()) == table[3].tolist()
    assert model(row) == model(row, GetValue) == found.mode == model(votes)[3]
    values, probabilities = model(votes, GetBoth)
    assert (values == model(votes)).all()
    assert (probabilities == table).all()
    assert model(row, GetBoth) == (found.mode, found)


def test_columns_are_found_by_name(votes):
    model = NaiveBayes(votes)
    turned = votes.select(["d", "party", "a", "c", "b"])
    assert (model(turned, GetProbabilities) == model(votes, GetProbabilities)).all()
    assert (model(votes.select([*"abcd"])) == model(votes)).all()
    with pytest.raises(NoSuchColumn, match="no column 'd'"):
        model(votes.select([*"abc"]))


def test_values_are_found_by_value():
    model = NaiveBayes(Table.of([("x", "1"), ("y", "2")], ["s", "c"]))
    other = Table.of([("new", "1"), ("y", "1"), ("x", "1")], ["s", "c"])
    assert model(other).tolist() == ["1", "2", "1"]
    assert model(other[0], GetProbabilities) == {"1": 0.5, "2": 0.5}


def test_symbols_that_are_spelled_like_numbers_may_be_asked_about_as_numbers():
    table = Table.of([(7, "a"), (8, "b")], ["zip", "y"], kinds={"zip": "sym"})
    assert NaiveBayes(table)({"zip": 8}) == "b"


def test_a_dict_that_lacks_a_column_says_what_to_give(votes):
    with pytest.raises(NoSuchColumn, match=r"no column 'b'.*There are: 'a'\. .*give None\."):
        NaiveBayes(votes)({"a": "y"})


def test_questions_of_the_wrong_kind(votes):
    model = NaiveBayes(votes)
    with pytest.raises(DomainError, match="not about a list"):
        model([1, 2, 3])
    with pytest.raises(ParameterError, match="GetValue, GetProbabilities or GetBoth"):
        model(votes[0], "probabilities")
    wrong = votes.select([*"bcd"]).to_pandas().assign(a=1.5)
    with pytest.raises(DomainError, match="Column 'a' was learned as 'sym', but here it is 'num'"):
        model(satsuma.read(wrong))


def test_a_column_that_is_missing_throughout_is_of_any_kind(votes):
    model = NaiveBayes(votes)
    empty = {**dict(votes[0].items()), "a": None}
    assert model(empty) in model.classes
    hollow = satsuma.read([{**dict(row.items()), "a": None} for row in votes])
    assert len(model(hollow)) == len(votes)


def test_no_rows_get_no_answers(votes):
    model = NaiveBayes(votes)
    assert model(votes[:0]).shape == (0,)
    assert model(votes[:0], GetProbabilities).shape == (0, 2)


def test_a_distribution_is_an_ordered_mapping():
    found = Distribution(("no", "yes"), [0.25, 0.75])
    assert dict(found) == {"no": 0.25, "yes": 0.75}
    assert (found.mode, len(found), "no" in found, "maybe" in found) == ("yes", 2, True, False)
    with pytest.raises(KeyError):
        found["maybe"]
    again = pickle.loads(pickle.dumps(found))
    assert again == found


@pytest.mark.parametrize("learner", [NaiveBayes(m=0.5), Majority(), MyBayes(m=1)])
def test_repr_and_pickle(votes, learner):
    assert repr(eval(repr(learner))) == repr(learner)
    model = learner(votes)
    model(votes[0])
    again = pickle.loads(pickle.dumps(model))
    assert (again(votes, GetProbabilities) == model(votes, GetProbabilities)).all()
    assert repr(again) == repr(model)
