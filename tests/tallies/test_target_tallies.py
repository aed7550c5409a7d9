"""Tallies in which a numeric target is one of the columns."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from satsuma.tallies.target_tallies import TargetMoments, TargetScatter
from satsuma.tallies.target_where_missing import TargetWhereMissing
from tests.tallies.batches import tables

each_kind = pytest.mark.parametrize("kind", [TargetMoments, TargetScatter, TargetWhereMissing])


def aimed(table):
    """The same rows, to be learned for the number `y`, without the classes."""
    return table.with_roles({"class": "ignore"}).with_roles(target="y")


some_tables = st.booleans().flatmap(tables).map(aimed)


@each_kind
@given(one=some_tables, two=some_tables)
def test_adding_is_tallying_both(kind, one, two):
    assert (kind.of(one) + kind.of(two)).close_to(kind.of(two) + kind.of(one))
    assert (kind.of(one[:7]) + kind.of(one[7:])).close_to(kind.of(one))
    assert (kind.zero(one.domain) + kind.of(one)).close_to(kind.of(one))


@each_kind
@given(table=some_tables, data=st.data())
def test_folds_are_tallied_in_one_pass(kind, table, data):
    n = len(table)
    folds = np.array(data.draw(st.lists(st.integers(-1, 2), min_size=n, max_size=n)), int)
    for fold, tally in enumerate(kind.by_fold(table, folds, 3)):
        assert tally.close_to(kind.of(table[np.flatnonzero(folds == fold)]))


@each_kind
@given(table=some_tables)
def test_state_round_trips(kind, table):
    tally = kind.of(table)
    again = kind.from_state(tally.state())
    assert again.close_to(tally, rel=0)
    assert again.domain == tally.domain


@given(table=some_tables)
def test_rows_without_a_target_are_left_out(table):
    known = table[np.flatnonzero(~table.missing("y"))]
    assert TargetScatter.of(table).close_to(TargetScatter.of(known), rel=0)
    weights = known.weights if known.weights is not None else np.ones(len(known))
    assert TargetScatter.of(table).held.class_weight[0] == pytest.approx(weights.sum())
    assert not TargetScatter.of(table).close_to(TargetMoments.of(table))
