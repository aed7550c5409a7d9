# ruff: noqa: ARG001, ARG002, ARG005 - methods that ignore what they are given
"""What the author of a learner may write, and what is refused with the name of the class."""

import subprocess
import sys
from dataclasses import dataclass, field

import numpy as np
import pytest
from sklearn.base import clone

import satsuma
from satsuma import Majority, NaiveBayes, Table
from satsuma.errors import ContractError, ParameterError
from satsuma.extend import (
    ClassCounts,
    Classifier,
    Clusterer,
    Learner,
    Regressor,
    RoundsLearner,
    Takes,
    TallyLearner,
    check_learner,
)

DAYS = Table.of([("hot", "no"), ("mild", "yes"), ("hot", "no"), ("cool", "yes")], ["temp", "play"])
VISITS = Table.of([("hot", 3.0), ("mild", 5.0), ("cool", 9.0)], ["temp", "visits"])


class Shares(Classifier):
    def __init__(self, shares):
        self.shares = shares

    def probabilities(self, batch):
        return np.tile(self.shares, (len(batch), 1))


class Frequent(TallyLearner):
    """All that an author has to write: no decorator, and the tally by its kind."""

    m: float = 1.0
    names: list[str] = field(default_factory=list)
    tally_kind = ClassCounts

    def conclude(self, tally):
        if not tally.class_weight.any():
            raise satsuma.SatsumaError("No row weighs anything. Give some a weight.")
        smooth = tally.class_weight + self.m
        return Shares(smooth / smooth.sum())


# ---- parameters


def test_fields_are_parameters_without_a_decorator():
    learner = Frequent(m=2.0)
    assert repr(learner) == "Frequent(m=2.0, names=[])"
    assert learner.get_params() == {"m": 2.0, "names": []}
    assert Frequent().names is not Frequent().names
    assert clone(learner).m == 2.0
    assert learner(DAYS).learner.m == 2.0
    with pytest.raises(ParameterError, match=r"Frequent has no parameter 'mm'. Did you mean 'm'"):
        Frequent(mm=1)
    check_learner(Frequent())


def test_a_subclass_adds_fields_without_a_decorator():
    class Bolder(Frequent):
        boldness: int = 3

    class Quieter(NaiveBayes):
        volume: float = 0.5

    assert repr(Bolder(m=0.5)) == "Bolder(m=0.5, names=[], boldness=3)"
    assert repr(Quieter()) == "Quieter(m=2.0, volume=0.5)"
    assert Quieter(DAYS)(DAYS[0]) == NaiveBayes(DAYS)(DAYS[0])


def test_a_subclass_of_a_class_that_was_never_made_has_its_fields():
    class Quiet(TallyLearner):
        m: float = 1.0
        tally_kind = ClassCounts
        conclude = Frequent.conclude

    class Louder(Quiet):
        volume: int = 3

    assert repr(Louder(m=0.5)) == "Louder(m=0.5, volume=3)"
    assert repr(Quiet()) == "Quiet(m=1.0)"


def test_a_decorator_does_no_harm():
    @dataclass(kw_only=True, eq=False)
    class Decorated(TallyLearner):
        m: float = 1.0
        names: list[str] = field(default_factory=list)
        tally_kind = ClassCounts
        conclude = Frequent.conclude

    assert Decorated().get_params() == {"m": 1.0, "names": []}
    assert Decorated(DAYS)(DAYS[1]) == Frequent(DAYS)(DAYS[1])


class Own(Learner):
    """An `__init__` of one's own, as in scikit-learn."""

    def __init__(self, *, code=0, inner=None):
        self.code = code
        self.inner = inner

    def learn(self, data):
        return Shares(np.eye(len(data.domain.target.values))[self.code])


def test_an_init_of_ones_own(tmp_path):
    learner = Own(code=1)
    assert repr(learner) == "Own(code=1, inner=None)"
    assert learner.get_params() == {"code": 1, "inner": None}
    assert clone(Own(inner=Own(code=1))).get_params()["inner__code"] == 1
    model = learner(DAYS)
    assert model(DAYS[0]) == "yes"
    assert model.learner.code == 1
    learner.set_params(code=0)
    assert model.learner.code == 1
    model.save(tmp_path / "own.satsuma")
    assert satsuma.open_model(tmp_path / "own.satsuma").learner.code == 1
    with pytest.raises(ParameterError, match=r"Own has no parameter 'kode'. Did you mean 'code'"):
        Own(kode=1)


def test_a_parameter_that_is_kept_under_another_name():
    class Hidden(Own):
        def __init__(self, depth=3):
            self.levels = depth

    with pytest.raises(
        ContractError, match=r"Hidden does not keep .* 'depth'.*self\.depth = depth"
    ):
        Hidden().get_params()


def test_fields_below_an_init_of_ones_own_are_refused():
    class Mixed(Own):
        depth: int = 3

    with pytest.raises(ContractError, match=r"Mixed has fields .* Own has an __init__"):
        Mixed()


def test_an_attribute_without_a_type_is_no_parameter():
    class Untyped(Frequent):
        depth = 3

    with pytest.raises(
        ParameterError, match=r"'depth' is an attribute .* without a type.*depth: int"
    ):
        Untyped(depth=4)


def test_a_new_default_needs_no_type():
    class Bolder(Frequent):
        m = 5.0

    class Other(NaiveBayes):
        m = 7.0

    assert Bolder().m == 5.0
    assert Bolder(m=1.0).m == 1.0
    assert repr(Bolder()) == "Bolder(m=5.0, names=[])"
    assert Other().get_params()["m"] == 7.0
    assert Frequent().m == 1.0


def test_parameters_are_given_by_name():
    with pytest.raises(
        satsuma.SatsumaError, match=r"not from a float.*Parameters are given by name"
    ):
        Frequent(2.0)


# ---- one source of the tally


def test_a_tally_of_its_own_replaces_the_kind_of_the_parent():
    class Doubled(Frequent):
        def tally(self, batch):
            return super().tally(batch) + super().tally(batch)

    assert Frequent().shared_kind is ClassCounts
    assert Doubled().shared_kind is None
    assert Doubled().tally(DAYS).class_weight.tolist() == [4, 4]
    assert Frequent().tally(DAYS).class_weight.tolist() == [2, 2]


def test_a_kind_of_its_own_replaces_the_tally_of_the_parent():
    class Counted(Frequent):
        def tally(self, batch):
            raise AssertionError

    class Again(Counted):
        tally_kind = ClassCounts

    assert Again().shared_kind is ClassCounts
    assert Again().tally(DAYS).class_weight.tolist() == [2, 2]


def test_both_in_one_class_are_refused():
    with pytest.raises(ContractError, match=r"Both defines `tally` and `tally_kind`. Write one"):

        class Both(TallyLearner):
            tally_kind = ClassCounts

            def tally(self, batch):
                return ClassCounts.of(batch)


def test_neither_is_refused():
    class Neither(TallyLearner):
        conclude = Frequent.conclude

    with pytest.raises(ContractError, match=r"Neither has no tally. Name its kind"):
        Neither(DAYS)


@pytest.mark.parametrize("kind", [(ClassCounts, ClassCounts), "ClassCounts"])
def test_a_kind_that_is_none_is_refused(kind):
    with pytest.raises(ContractError, match=r"Wrong\.tally_kind is a \w+\. .*Composite\.of_kinds"):
        type("Wrong", (TallyLearner,), {"tally_kind": kind})


def test_takes_that_says_nothing_is_refused():
    with pytest.raises(ContractError, match=r"Wrong\.takes is a tuple"):
        type("Wrong", (Learner,), {"takes": ("sym",)})
    for kinds in (("symbol",), "sym"):
        with pytest.raises(ContractError, match=r"Takes\(kinds=.*'num', 'sym', 'text'"):
            Takes(kinds=kinds)


# ---- models of the wrong shape


def learner_of(**methods):
    return type("Mine", (Learner,), {"takes": Takes(target="either"), **methods})()


@pytest.mark.parametrize("returned", [None, "yes", Shares])
def test_what_is_learned_must_be_a_model(returned):
    learner = learner_of(learn=lambda self, data: returned)
    with pytest.raises(ContractError, match=r"Mine\.learn returned .*, not a model"):
        learner(DAYS)
    with pytest.raises(ContractError, match=r"Mine\.learn returned"):
        learner.fit([["a"], ["b"]], ["x", "y"])


def refused_in_any_way(kind, told):
    """A class of learners is refused whether it is called, fitted or cross-validated."""
    for learn in (
        lambda: kind(DAYS),
        lambda: kind().fit([["a"]], ["x"]),
        lambda: satsuma.cross_validate(kind(), DAYS, folds=2),
    ):
        with pytest.raises(ContractError, match=told):
            learn()


def test_what_is_concluded_must_be_a_model():
    class Mute(Frequent):
        def conclude(self, tally):
            Shares(tally.class_weight)

    refused_in_any_way(Mute, r"Mute\.conclude returned None, not a model")


def test_what_is_tallied_must_be_something():
    class Empty(Frequent):
        def tally(self, batch):
            ClassCounts.of(batch)

    refused_in_any_way(Empty, r"Empty\.tally returned None")


def test_a_state_must_say_whether_it_is_done():
    class Rounds(RoundsLearner):
        def start(self, domain):
            return None

        def tally(self, state, batch):
            return ClassCounts.of(batch)

        def advance(self, state, tally):
            return None

        def conclude(self, state):
            return Shares(np.ones(2) / 2)

    with pytest.raises(ContractError, match=r"Rounds\.start returned None.*`done`"):
        Rounds(DAYS)


class Wide(Classifier):
    def probabilities(self, batch):
        return np.full((len(batch), 3), 1 / 3)


class Triple(Classifier):
    def probabilities(self, batch):
        return np.full((len(batch), 2), 1.5)


class NotANumber(Classifier):
    def probabilities(self, batch):
        return np.full((len(batch), 2), np.nan)


class Flat(Classifier):
    def probabilities(self, batch):
        return np.full(len(batch), 0.5)


class Listed(Classifier):
    def probabilities(self, batch):
        return [[0.5, 0.5] for _ in range(len(batch))]


class Single(Regressor):
    def numbers(self, batch):
        return 3.0


class Tall(Regressor):
    def numbers(self, batch):
        return np.zeros((len(batch), 1))


class NoCode(Classifier):
    def probabilities(self, batch):
        return np.full((len(batch), 2), 0.5)

    def codes(self, batch):
        return np.full(len(batch), 7)


class Lost(Clusterer):
    k = 2

    def clusters(self, batch):
        return np.zeros(len(batch) + 1, np.int32)


def ways(learner, table):
    """Every way to have a model predict."""
    name = table.domain.target.name
    attributes = [[value] for value in table["temp"]]
    return [
        lambda: learner(table)(table),
        lambda: learner(table)(table[0]),
        lambda: type(learner)().fit(attributes, table[name]).predict(attributes),
        lambda: satsuma.cross_validate(learner, table, folds=2, stratified=False),
    ]


@pytest.mark.parametrize(
    ("model", "table", "sentence"),
    [
        (Wide, DAYS, r"Wide\.probabilities .* shape \(\d, 3\) .* \d rows? and 2 classes"),
        (Triple, DAYS, r"Triple\.probabilities .* no distribution: 1\.5, 1\.5"),
        (NotANumber, DAYS, r"NotANumber\.probabilities .* no distribution: nan, nan"),
        (Flat, DAYS, r"Flat\.probabilities .* shape \(\d,\)"),
        (Listed, DAYS, r"Listed\.probabilities returned a list"),
        (NoCode, DAYS, r"NoCode\.codes .* 7, .* 2 classes"),
        (Single, VISITS, r"Single\.numbers returned a float"),
        (Tall, VISITS, r"Tall\.numbers .* shape \(\d, 1\)"),
    ],
)
def test_predictions_of_the_wrong_shape_name_the_class(model, table, sentence):
    learner = learner_of(learn=lambda self, data: model())
    for way in ways(learner, table):
        with pytest.raises(ContractError, match=sentence):
            way()


def test_probabilities_of_the_wrong_shape_name_the_class():
    learner = learner_of(learn=lambda self, data: Wide())
    model = learner(DAYS)
    for what in (satsuma.GetProbabilities, satsuma.GetBoth):
        with pytest.raises(ContractError, match=r"Wide\.probabilities"):
            model(DAYS, what)
    with pytest.raises(ContractError, match=r"Wide\.probabilities"):
        learner.fit([["a"], ["b"]], ["x", "y"]).predict_proba([["a"]])


def test_clusters_of_the_wrong_shape_name_the_class():
    class Lone(Learner):
        takes = Takes(target="nothing")

        def learn(self, data):
            return Lost()

    with pytest.raises(ContractError, match=r"Lost\.clusters .* shape \(5,\) for 4 rows"):
        Lone(DAYS)(DAYS)


# ---- nothing is wrapped


def test_methods_are_what_was_written():
    def learn(self, data):
        return Majority()(data)

    kind = type("Written", (Learner,), {"learn": learn})
    assert kind.learn is learn
    assert kind(DAYS)(DAYS[0]) in ("no", "yes")


def test_a_source_is_checked_for_a_learner_of_many_rounds(tmp_path):
    class Twice(Learner):
        takes = Takes(rounds="many", missing=False)

        def learn(self, data):
            return Majority()(data)

    Table.of([("a", "x"), (None, "y"), ("b", "y")], ["s", "y"]).write(tmp_path / "rows.csv")
    source = satsuma.scan(tmp_path / "rows.csv", target="y")
    with pytest.raises(satsuma.SatsumaError, match="Twice does not take missing values"):
        Twice(source)


def test_a_subclass_changes_no_parameter_of_a_class_beside_it():
    code = (
        "import satsuma\n"
        "class Mine(satsuma.NaiveBayes):\n"
        "    volume: int = 3\n"
        "print(Mine(), satsuma.LDA(), satsuma.QDA())\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "Mine(m=2.0, volume=3) LDA(shrinkage=None) QDA(shrinkage=None)\n"
