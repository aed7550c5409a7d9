"""Many labellers: figures of Krippendorff's own example and of crowd-kit, and brute force."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from satsuma import dawid_skene, krippendorff_alpha
from satsuma.active.latent_classes import ConfusionTally
from satsuma.errors import DomainError, ParameterError

#: Krippendorff, "Computing Krippendorff's alpha-reliability" (2011), section C: four observers.
_FOUR = [
    [1, 2, 3, 3, 2, 1, 4, 1, 2, None, None, None],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, None, 3],
    [None, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, None],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, None],
]


@pytest.mark.parametrize(
    ("level", "published"), [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849)]
)
def test_alpha_is_the_published_one(level, published):
    assert krippendorff_alpha(_FOUR, level) == pytest.approx(published, abs=5e-4)
    named = dict(zip("abcd", _FOUR, strict=True))
    assert krippendorff_alpha(named, level) == krippendorff_alpha(_FOUR, level)


def brute_alpha(people, distance):
    """One minus observed over expected disagreement, pair by pair."""
    units = [[x for x in row if x is not None] for row in zip(*people, strict=True)]
    units = [row for row in units if len(row) > 1]
    flat = [x for row in units for x in row]
    seen = sum(
        distance(a, b) / (len(row) - 1) for row in units for a, b in itertools.permutations(row, 2)
    ) / len(flat)
    chance = sum(distance(a, b) for a, b in itertools.permutations(flat, 2))
    chance /= len(flat) * (len(flat) - 1)
    return 1 - seen / chance if chance else float("nan")


@given(st.lists(st.lists(st.sampled_from([None, 1, 2, 4]), min_size=3, max_size=3), min_size=2,
                max_size=8))  # fmt: skip
def test_alpha_is_that_of_brute_force(rows):
    people = list(zip(*rows, strict=True))
    if not any(sum(x is not None for x in row) > 1 for row in rows):
        with pytest.raises(DomainError, match="no row that two"):
            krippendorff_alpha(people)
        return
    for level, distance in (("nominal", lambda a, b: float(a != b)),
                            ("interval", lambda a, b: (a - b) ** 2)):  # fmt: skip
        expected = brute_alpha(people, distance)
        assert krippendorff_alpha(people, level) == pytest.approx(expected, nan_ok=True)


def test_what_has_no_alpha():
    with pytest.raises(ParameterError, match="'nominal', 'ordinal', 'interval'"):
        krippendorff_alpha(_FOUR, "ratio")
    with pytest.raises(DomainError, match="two people or more"):
        krippendorff_alpha([[1, 2]])
    with pytest.raises(DomainError, match="must be numbers"):
        krippendorff_alpha([["a", "b"], ["a", "b"]], "interval")
    with pytest.raises(DomainError, match="must have an order"):
        krippendorff_alpha([["a", 1], ["a", 1]], "ordinal")


def crowd():
    """Four people of falling skill, each of whom has left out some of 60 rows."""
    rng = np.random.default_rng(7)
    truth = rng.integers(0, 3, 60)
    answers = {}
    for who, right in (("ann", 0.9), ("bob", 0.75), ("eve", 0.6), ("tim", 0.5)):
        said = np.where(rng.random(60) < right, truth, rng.integers(0, 3, 60))
        seen = rng.random(60) < 0.9
        answers[who] = ["abc"[s] if k else None for s, k in zip(said, seen, strict=True)]
    return ["abc"[t] for t in truth], answers


def test_maximum_likelihood_is_that_of_crowd_kit():
    """Figures of crowd-kit 1.4.2: DawidSkene(n_iter=2000, tol=1e-12) on the same answers."""
    found = dawid_skene(crowd()[1], m=0, rounds=2000, tolerance=1e-12)
    by_name = np.argsort(found.classes)
    np.testing.assert_allclose(found.prior[by_name], [0.242055, 0.415427, 0.342518], atol=1e-6)
    bob = [[0.891494, 0.108506, 0], [0.205568, 0.602848, 0.191584], [0.113542, 0, 0.886458]]
    np.testing.assert_allclose(found.confusion[1][np.ix_(by_name, by_name)], bob, atol=1e-6)
    first = [[0, 0.001549, 0.998451], [0, 1, 0], [0.794178, 0.063809, 0.142013]]
    np.testing.assert_allclose(found.probabilities[:3, by_name], first, atol=1e-6)
    labels = "cbacbccaaaaccabcbcabcabacacbbbbbbcbccbbcbacacbbabbabcbcccbbb"
    assert "".join(found.labels) == labels


def test_gold_is_not_guessed_and_shows_who_is_wrong():
    truth, answers = crowd()
    answers["all wrong"] = [{"a": "b", "b": "c", "c": "a"}[each] for each in truth]
    answers["the same"] = answers["all wrong"]
    answers["again"] = answers["all wrong"]
    fooled = dawid_skene(answers)
    assert max(fooled.accuracy, key=fooled.accuracy.get) in ("all wrong", "the same", "again")
    found = dawid_skene(answers, gold=dict(enumerate(truth[:20])))
    assert found.labels[:20] == truth[:20]
    assert max(found.accuracy, key=found.accuracy.get) == "ann"
    assert found.accuracy["all wrong"] < 0.1
    assert np.mean([a == b for a, b in zip(found.labels, truth, strict=True)]) > 0.95
    assert "all wrong" in str(found)
    assert "<table" in found._repr_html_()


def test_the_tally_adds_up():
    _, answers = crowd()
    codes = np.array([["abc".find(x) if x else -1 for x in each] for each in answers.values()]).T
    truth = np.random.default_rng(0).dirichlet(np.ones(3), 60)
    whole = ConfusionTally.of(codes, truth, 3)
    parts = ConfusionTally.of(codes[:13], truth[:13], 3) + ConfusionTally.of(
        codes[13:], truth[13:], 3
    )
    np.testing.assert_allclose(whole.confusion, parts.confusion, rtol=1e-12)
    np.testing.assert_allclose(whole.classes, parts.classes, rtol=1e-12)


def test_what_cannot_be_told():
    with pytest.raises(DomainError, match="all as many"):
        dawid_skene({"a": [1], "b": [1, 2]})
    with pytest.raises(DomainError, match="Nobody"):
        dawid_skene({"a": [None]})
    with pytest.raises(DomainError, match="no row 7"):
        dawid_skene({"a": ["x"]}, gold={7: "x"})
    with pytest.raises(ParameterError, match="'m'"):
        dawid_skene({"a": ["x"]}, m=-1)
    lone = dawid_skene({"a": ["x", None]})
    assert lone.labels == ["x", "x"]
