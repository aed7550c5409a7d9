"""Estimates of symbols: against scikit-learn, and by hand."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from satsuma import (
    Categorical,
    Generative,
    GetProbabilities,
    Laplace,
    MEstimate,
    RelativeFrequency,
    Table,
)
from satsuma.errors import ParameterError
from satsuma.tallies.class_counts import ClassCounts

ROW = st.tuples(
    st.sampled_from(["a", "b", "c", None]),
    st.sampled_from(["p", "q", None]),
    st.sampled_from(["yes", "no", "maybe"]),
    st.integers(0, 2),
)
ROWS = st.lists(ROW, min_size=1, max_size=12).filter(lambda rows: sum(row[3] for row in rows))


def made(rows):
    kinds = dict.fromkeys("sty", "sym")
    return Table.of(rows, ["s", "t", "y", "w"], target="y", kinds=kinds, roles={"w": "weight"})


@given(
    rows=ROWS,
    m=st.sampled_from([0, 0.5, 2]),
    prior=st.sampled_from(["value", "class"]),
    of=st.sampled_from(["known", "all"]),
)
def test_value_given_class_by_hand(rows, m, prior, of):
    table = made(rows)
    found = Categorical(m=m, prior=prior, rows=of).conclude(ClassCounts.of(table))
    everyone = [row for row in rows for _ in range(row[3])]
    known = [row for row in everyone if row[0] is not None]
    for v, value in enumerate(table.domain["s"].values):
        for c, klass in enumerate(table.domain["y"].values):
            mine = [row for row in everyone if row[2] == klass]
            p = len(mine) / len(everyone)
            if prior == "value":
                share = sum(row[0] == value for row in known)
                p = share / len(known) if known else 1 / len(table.domain["s"].values)
            seen = sum(row[0] == value for row in mine)
            among = sum(of == "all" or row[0] is not None for row in mine)
            want = (seen + m * p) / (among + m) if among + m else 1.0
            assert found["s"][v, c] == pytest.approx(want, rel=1e-12)


#: How many imaginary rows of a class there are, given its prior, and in all, given the classes.
ESTIMATES = {
    RelativeFrequency(): (lambda _: 0.0, lambda _: 0.0),
    Laplace(): (lambda _: 1.0, float),
    MEstimate(1.5): (lambda prior: 1.5 * prior, lambda _: 1.5),
}


@pytest.mark.parametrize("block", ESTIMATES, ids=repr)
@given(rows=ROWS)
def test_class_given_value_by_hand(block, rows):
    """P(class) times the product of P(class | value) / P(class), over the values that are known.

    P(class) is estimated as P(class | value) is, from as many rows.
    """
    table = made(rows)
    model = Generative(table, blocks=[block], calibrate=False)
    everyone = [row for row in rows for _ in range(row[3])]
    classes = table.domain["y"].values
    prior = {c: sum(row[2] == c for row in everyone) / len(everyone) for c in classes}
    for s, t, *_ in rows:
        joint = dict(prior)
        for at, value in enumerate((s, t)):
            with_it = [row[2] for row in everyone if row[at] == value is not None]
            of_class, in_all = ESTIMATES[block]
            for c in classes if with_it else ():
                room = len(with_it) + in_all(len(classes))
                given = (with_it.count(c) + of_class(prior[c])) / room
                without = (len(with_it) * prior[c] + of_class(prior[c])) / room
                joint[c] *= given / without if prior[c] else 0
        total = sum(joint.values())
        want = {c: p / total for c, p in joint.items()} if total else prior
        found = model({"s": s, "t": t}, GetProbabilities)
        assert found == pytest.approx(want, rel=1e-9, abs=1e-12)


def test_a_value_that_is_listed_and_never_seen_says_nothing():
    table = made([("a", "p", "yes", 1), ("b", "p", "no", 1), ("b", "q", "no", 0)])
    for block in ESTIMATES:
        model = Generative(table, blocks=[block], calibrate=False)
        assert model({"s": None, "t": "q"}, GetProbabilities) == model.distribution
        assert model.conditional_distributions["t"]["q"] == model.distribution


def test_estimates_of_the_prior():
    table = made([("a", "p", "yes", 2), ("b", "p", "no", 1)])
    for prior, want in (
        (None, 2 / 3),
        (RelativeFrequency(), 2 / 3),
        (Laplace(), 3 / 5),
        (MEstimate(1), 2.5 / 4),
    ):
        model = Generative(table, prior=prior, calibrate=False)
        assert model.distribution["yes"] == pytest.approx(want, rel=1e-15)


def test_the_evidence_is_divided_by_the_prior_of_the_model():
    table = made([("a", "p", "yes", 2), ("b", "q", "no", 1), ("a", "q", "no", 1)])
    model = Generative(table, blocks=[RelativeFrequency()], prior=Laplace(), calibrate=False)
    found = model.conditional_distributions["s"]["a"]
    assert found == pytest.approx({"yes": 2 / 3, "no": 1 / 3}, rel=1e-12)


@pytest.mark.parametrize("m", [-1, "two", None, True, math.inf, math.nan])
def test_the_weight_of_the_prior_is_checked(m):
    table = made([("a", "p", "yes", 1)])
    for kind in (Categorical, MEstimate):
        with pytest.raises(ParameterError, match=rf"The 'm' parameter of {kind.__name__}"):
            Generative(table, blocks=[kind(m=m)], calibrate=False)
    with pytest.raises(ParameterError, match=r"The 'prior' parameter of Categorical"):
        Generative(table, blocks=[Categorical(prior="flat")], calibrate=False)


def test_is_density():
    counts = ClassCounts.of(made([("a", "p", "yes", 1)]))
    assert Categorical().conclude(counts).is_density
    assert not Laplace().conclude(counts).is_density


def test_by_column_adds_up():
    rng = np.random.default_rng(0)
    rows = list(zip(*rng.integers(0, 4, (3, 50)).astype(str), strict=True))
    table = Table.of(rows, ["s", "t", "y"], kinds=dict.fromkeys("sty", "sym"))
    for block in (Categorical(), Laplace()):
        evidence = block.conclude(ClassCounts.of(table))
        np.testing.assert_allclose(
            evidence.by_column(table).sum(axis=1), evidence.log_evidence(table), rtol=1e-12
        )
