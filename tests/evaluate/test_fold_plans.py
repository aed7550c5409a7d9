"""Folds of one's own: a column, an array, groups, time, splitters; beside scikit-learn's."""

import numpy as np
import pytest
from sklearn.model_selection import (
    GroupKFold,
    KFold,
    PredefinedSplit,
    RepeatedStratifiedKFold,
    ShuffleSplit,
    StratifiedKFold,
    TimeSeriesSplit,
    cross_val_predict,
)

from satsuma import (
    KNN,
    Domain,
    Logistic,
    Majority,
    NaiveBayes,
    Table,
    Tree,
    Variable,
    compare,
    cross_validate,
    load,
)
from satsuma.errors import DomainError, ParameterError, SatsumaError
from satsuma.learners.learner import Learner
from satsuma.learners.takes import Takes
from tests.evaluate.small import Bayes, LevelModel, RefittedBayes, mixed

IRIS = load("iris")


def with_column(table, name, values):
    """The table with a column of one's own in front."""
    return Table(
        Domain([Variable(name), *table.domain]), [np.asarray(values, float), *table.columns]
    )


@pytest.mark.parametrize("form", [list, np.asarray, lambda each: [f"fold {k}" for k in each]])
def test_published_folds_are_run_again(form):
    folds = np.random.default_rng(0).permutation(150) % 4
    found = cross_validate(NaiveBayes(), IRIS, folds=form(folds))
    assert (found.trials[0].parts == folds).all()
    X, y = np.column_stack(IRIS.columns[:-1]), IRIS["Species"]
    want = cross_val_predict(NaiveBayes(), X, y, cv=PredefinedSplit(folds))
    assert (found.predictions() == want).all()


def test_a_column_of_folds_is_not_learned_from():
    folds = np.arange(150) % 3
    found = cross_validate([Tree(), NaiveBayes()], with_column(IRIS, "fold", folds), folds="fold")
    want = cross_validate([Tree(), NaiveBayes()], IRIS, folds=folds)
    assert found.what == "3 folds of column 'fold'"
    assert found.scores() == want.scores()
    compared = compare(with_column(IRIS, "fold", folds), [Majority(), Tree()], folds="fold")
    assert compared.scores()["Tree"] == want.scores()["Tree"]


def test_merged_and_refitted_give_the_same_for_folds_of_all_sorts():
    table = mixed(1, 200)
    both = {"merged": Bayes(), "refitted": RefittedBayes()}
    ways = [
        {"folds": [k % 3 for k in range(200)]},
        {"folds": [k % 4 - 1 for k in range(200)]},
        {"folds": StratifiedKFold(4, shuffle=True, random_state=1)},
        {"folds": ShuffleSplit(5, test_size=0.3, random_state=1)},
        {"folds": 4, "time": np.arange(200.0)},
        {"folds": 4, "time": np.arange(200.0), "window": 2},
    ]
    for way in ways:
        found = cross_validate(both, table, **way)
        first, second = found.probabilities("merged"), found.probabilities("refitted")
        np.testing.assert_allclose(first, second, rtol=1e-9)


def test_a_row_of_no_fold_is_learned_from_and_never_tested():
    folds = np.where(np.arange(150) < 30, -1, np.arange(150) % 3)
    found = cross_validate(KNN(), IRIS, folds=folds).trials[0]
    assert (found.parts < 0).sum() == 30
    assert found.ratio == pytest.approx(40 / 110)


def test_splitters_of_scikit_learn():
    one = cross_validate(Bayes(), IRIS, folds=KFold(5, shuffle=True, random_state=0))
    assert one.what == "5 splits of KFold"
    many = cross_validate(Bayes(), IRIS, folds=RepeatedStratifiedKFold(n_splits=3, n_repeats=4))
    assert (len(many.trials), many.trials[0].count) == (4, 3)
    time = cross_validate(Bayes(), IRIS[np.arange(0, 150, 3)], folds=TimeSeriesSplit(4))
    assert time.trials[0].count == 4
    groups = np.arange(150) % 7
    kept = cross_validate(Bayes(), IRIS, folds=GroupKFold(3), groups=groups).trials[0]
    assert all(len(set(kept.parts[groups == each])) == 1 for each in range(7))
    pairs = list(KFold(3).split(np.zeros(150)))
    assert cross_validate(Bayes(), IRIS, folds=pairs).trials[0].count == 3
    assert cross_validate(Bayes(), IRIS, folds=iter(pairs)).trials[0].count == 3


def test_groups_by_name_are_not_learned_from():
    table = mixed(0, 200, holes=0.0)
    found = cross_validate(Logistic(), table, folds=3, groups="s1")
    want = cross_validate(Logistic(), table.with_roles({"s1": "meta"}), folds=3, groups="s1")
    assert found.scores() == want.scores()
    assert found.what == "3-fold cross-validation by 's1'"


def test_what_comes_later_is_never_learned_from():
    times = np.random.default_rng(0).permutation(200) // 3
    for window in (None, 2):
        asked = {"folds": 5, "time": times, "window": window}
        trial = cross_validate(Guessing(), timed(times), **asked).trials[0]
        assert trial.count == 5
        seen = trial.predictions["Guessing"].predicted
        for part in range(5):
            here = trial.parts == part
            assert seen[here].max() < times[here].min()  # the latest time that was learned from
        assert len({times[trial.parts == part].min() for part in range(5)}) == 5


def timed(times):
    return Table.of([(float(t), float(t)) for t in times], ["t", "y"])


class Guessing(Learner):
    """It says the latest number that it has learned from."""

    takes = Takes(target="number")

    def learn(self, data):
        return LevelModel(data.column("y").max())


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ({"folds": [0, 1, 2]}, "Got 3 values for 150 rows"),
        ({"folds": [0] * 150}, "needs two folds at least"),
        ({"folds": "ten"}, "There is no column 'ten'"),
        ({"folds": 1.5}, "must be a whole number of at least 2. Got 1.5"),
        ({"folds": object()}, "Got an object for 150 rows"),
        ({"folds": [k % 3 for k in range(150)], "repeats": 2}, "these folds are fixed"),
        ({"time": np.arange(150), "groups": np.arange(150)}, "do not go together"),
        ({"window": 2}, "window= goes with time="),
        ({"time": "Species"}, "symbols, which have no order"),
        ({"time": [1, 2]}, "each of the 150 rows"),
        ({"time": np.full(150, np.nan)}, "no time"),
        ({"time": np.zeros(150)}, "different times at least"),
        ({"time": np.arange(150), "folds": "Species"}, "how many stretches"),
        ({"folds": [([0, 1], [1, 2])]}, "tests rows that it learns from"),
        ({"folds": [([0, 1], [200])]}, "from 0 to 149"),
        ({"folds": [([0, 1], [])]}, "no rows with a known target to test"),
    ],
)
def test_errors_say_what_is_wrong_in_a_line(asked, told):
    with pytest.raises(SatsumaError) as caught:
        cross_validate(Majority(), IRIS, **asked)
    assert told in str(caught.value)
    assert len(str(caught.value)) < 330


def test_a_fold_without_a_known_target():
    table = Table.of([(k, None if k < 3 else k) for k in range(9)], ["x", "y"])
    with pytest.raises(DomainError, match="Fold 1 of 3 has no row"):
        cross_validate(Guessing(), table, folds=[k // 3 for k in range(9)])


def test_a_source_takes_a_number_alone(tmp_path):
    from satsuma import scan

    IRIS.write(tmp_path / "iris.csv")
    source = scan(tmp_path / "iris.csv", target="Species")
    with pytest.raises(ParameterError, match="folds of your own go with a table"):
        cross_validate(Majority(), source, folds="Species")
