"""Tallies add up: in any order, cut anywhere, whatever the numbers."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from satsuma.data.domain import Domain
from satsuma.data.matrix import MatrixColumns
from satsuma.data.table import Table
from satsuma.data.variable import Variable
from satsuma.errors import SatsumaError
from satsuma.kernels.threads import thread_limit
from satsuma.tallies import (
    Bins,
    ClassCounts,
    Composite,
    JointCounts,
    Moments,
    Quantiles,
    RowSample,
    Scatter,
    Values,
)
from tests.tallies.batches import tables

EDGES = {"x": [-1.0, 0.0, 1e8], "y": [0.5]}
KINDS = [
    ClassCounts,
    Moments,
    Scatter,
    Quantiles,
    Values,
    Bins.on(EDGES),
    Composite.of_kinds(ClassCounts, Moments, Bins.on(EDGES)),
    JointCounts.on(EDGES, order=3),
    RowSample,
]
each_kind = pytest.mark.parametrize(
    "kind", KINDS, ids=lambda k: getattr(k, "__name__", type(k).__name__)
)
some_tables = st.booleans().flatmap(tables)


# Drawing tables takes longer than tallying them, so each is tallied in every way.


@given(one=some_tables, two=some_tables, three=some_tables)
def test_adding_is_associative_and_commutative(one, two, three):
    for kind in KINDS:
        a, b, c = kind.of(one), kind.of(two), kind.of(three)
        assert ((a + b) + c).close_to(a + (b + c)), kind
        assert (a + b).close_to(b + a), kind


@given(table=some_tables, other=some_tables)
def test_zero_changes_nothing(table, other):
    for kind in KINDS:
        a = kind.of(table)
        assert (a + kind.zero(table.domain)).close_to(a), kind
        assert (kind.zero(other.domain) + a).close_to(a), kind
        assert kind.of(table[:0]).close_to(kind.zero(table.domain)), kind


@given(table=some_tables, data=st.data())
def test_cutting_and_reordering_change_nothing(table, data):
    order = np.array(data.draw(st.permutations(range(len(table)))), int)
    at = data.draw(st.integers(0, len(table)))
    shuffled = table[order]
    for kind in KINDS:
        assert (kind.of(shuffled[:at]) + kind.of(shuffled[at:])).close_to(kind.of(table)), kind
        rows = kind.zero(table.domain)
        for row in range(len(table)):
            rows = rows + kind.of(shuffled[row : row + 1])
        assert rows.close_to(kind.of(table)), kind


@given(table=tables(weighted=True))
def test_a_weight_of_two_is_the_row_twice(table):
    whole = table.columns[-1] == np.floor(table.columns[-1])
    table = table[whole]
    times = table.columns[-1].astype(int)
    repeated = table[np.repeat(np.arange(len(table)), times)].with_roles({"w": "ignore"})
    for kind in KINDS:
        assert kind.of(repeated).close_to(kind.of(table)), kind


@given(one=some_tables, two=some_tables)
def test_rows_can_be_made_to_weigh_more_or_less(one, two):
    for kind in (
        ClassCounts,
        Moments,
        Scatter,
        RowSample,
        JointCounts.on(EDGES, order=3),
        Composite.of_kinds(ClassCounts, Moments),
    ):
        a, b = kind.of(one), kind.of(two)
        assert a.scaled(2.0).close_to(a + a), kind
        assert (a + b).scaled(0.5).close_to(a.scaled(0.5) + b.scaled(0.5)), kind
        assert a.scaled(0.25).scaled(4.0).close_to(a), kind
    with pytest.raises(SatsumaError, match="rows of Values cannot be made to weigh less"):
        Values.of(one).scaled(0.5)


@given(table=some_tables, data=st.data())
def test_by_fold_is_the_tally_of_the_rows_of_each_fold(table, data):
    n = len(table)
    folds = np.array(data.draw(st.lists(st.integers(-1, 2), min_size=n, max_size=n)), int)
    for kind in KINDS:
        split = kind.by_fold(table, folds, 3)
        assert len(split) == 3
        for fold, each in enumerate(split):
            assert each.close_to(kind.of(table[folds == fold])), kind


@given(table=some_tables)
def test_state_gives_back_the_same_bits(table):
    for kind in KINDS:
        a = kind.of(table)
        b = type(a).from_state(a.state())
        assert b.domain == a.domain
        one, two = a.state(), b.state()
        assert one.keys() == two.keys()
        for name, value in one.items():
            if isinstance(value, np.ndarray):
                assert value.dtype == two[name].dtype, (kind, name)
                assert np.array_equal(value, two[name], equal_nan=True), (kind, name)
            else:
                assert value == two[name], (kind, name)


@each_kind
def test_any_number_of_threads_gives_the_same_bits(kind):
    rng = np.random.default_rng(3)
    n = 150_000
    numbers = rng.normal(1e3, 5, (n, 2))
    numbers[rng.random((n, 2)) < 0.1] = np.nan
    domain = Domain(
        [
            Variable("x"),
            Variable("y"),
            Variable("s", "sym", tuple("abcd")),
            Variable("w", role="weight"),
            Variable("class", "sym", ("no", "yes"), "target"),
        ]
    )
    codes = rng.integers(-1, 4, n).astype(np.int32)
    classes = rng.integers(-1, 2, n).astype(np.int32)
    table = Table(domain, [*numbers.T, codes, rng.random(n), classes])
    states = []
    for threads in (1, 2, 3):
        with thread_limit(threads):
            states.append(kind.of(table).state())
    for other in states[1:]:
        for name, value in states[0].items():
            if isinstance(value, np.ndarray):
                assert value.tobytes() == other[name].tobytes()


@each_kind
def test_a_tally_is_a_value(kind):
    table = Table.of(
        [(1, "a", 2, "b", "no"), (3, "b", 4, "a", "yes")], ["x", "s", "y", "t", "class"]
    )
    a = kind.of(table)
    if isinstance(a, Composite):
        a = a.parts[0]
    with pytest.raises(ValueError, match="read-only"):
        (a.weight if kind is RowSample else a.class_weight)[0] = 7


@each_kind
def test_other_columns_cannot_be_added(kind):
    one = Table.of([(1, 2, "no")], ["x", "y", "class"])
    with pytest.raises(SatsumaError, match="'z' is only on the right"):
        ClassCounts.of(one) + ClassCounts.of(Table.of([(1, 2, 3, "no")], ["x", "y", "z", "class"]))
    with pytest.raises(SatsumaError, match="'y' is a num x on the left and a sym x on the right"):
        kind.of(one) + kind.zero(
            Table.of([(1, "a", "no")], ["x", "y", "class"]).domain
        ) if kind not in KINDS[5:] else ClassCounts.of(one) + ClassCounts.of(
            Table.of([(1, "a", "no")], ["x", "y", "class"])
        )


@pytest.mark.parametrize("bad", [-1.0, np.nan])
def test_a_weight_that_is_none_is_refused_with_its_row(bad):
    domain = Domain([Variable("x"), Variable("w", role="weight")])
    table = Table(domain, [np.zeros(3), np.array([1.0, 2.0, bad])])
    with pytest.raises(SatsumaError, match="row 2 weighs"):
        Moments.of(table)


def test_folds_out_of_range_are_refused():
    table = Table.of([(1, "a"), (2, "b")], ["x", "class"])
    with pytest.raises(SatsumaError, match="Row 1 is in fold 5, but there are 2 folds"):
        Moments.by_fold(table, np.array([0, 5]), 2)
    with pytest.raises(SatsumaError, match="one for each of the 2 rows"):
        Moments.by_fold(table, np.array([0]), 2)


@given(one=some_tables, two=some_tables)
def test_what_was_added_can_be_taken_away_from_values(one, two):
    a, b = Values.of(one), Values.of(two)
    assert (a + b - b).close_to(a)
    assert (a - a).close_to(Values.zero(one.domain))


def test_values_that_are_not_there_cannot_be_taken_away():
    table = Table.of([(1, "a"), (2, "a"), (1, "b")], ["x", "class"])
    values = Values.of(table)
    with pytest.raises(SatsumaError, match="column 'x' holds numbers that were not tallied"):
        values - Values.of(Table.of([(2, "b")], ["x", "class"]))
    with pytest.raises(SatsumaError, match="not so often"):
        values - Values.of(table[[0, 0]])
    with pytest.raises(SatsumaError, match="More is to be taken out"):
        values - Values.of(Table.of([(None, "b"), (None, "b")], ["x", "class"]))


def test_values_refuse_the_infinite():
    with pytest.raises(SatsumaError, match="'x' holds -inf in row 1"):
        Values.of(Table.of([(1.0, "a"), (-np.inf, "a")], ["x", "class"]))


def many_rows(n):
    rng = np.random.default_rng(4)
    domain = Domain(
        [
            Variable("x"),
            Variable("s", "sym", tuple("abc")),
            Variable("w", role="weight"),
            Variable("y", "sym", ("no", "yes"), "target"),
        ]
    )
    return Table(
        domain,
        [
            rng.normal(size=n),
            rng.integers(-1, 3, n).astype(np.int32),
            rng.integers(0, 3, n).astype(float),
            rng.integers(-1, 2, n).astype(np.int32),
        ],
    )


def test_a_sample_of_many_rows_is_the_same_however_they_are_cut():
    table = many_rows(30_000)
    whole = RowSample.of(table)
    assert len(whole.hashes) == 1000
    assert not whole.complete
    order = np.random.default_rng(5).permutation(len(table))
    parts = [RowSample.of(table[order[at::7]]) for at in range(7)]
    added = sum(parts[1:], parts[0])
    assert added.close_to(whole)
    assert added.rows.equals(whole.rows)
    folds = order % 3
    by_fold = RowSample.by_fold(table, folds, 3)
    for fold, each in enumerate(by_fold):
        assert each.close_to(RowSample.of(table[np.flatnonzero(folds == fold)]))
    assert (by_fold[0] + by_fold[1] + by_fold[2]).close_to(whole)


def test_a_sample_is_as_good_as_random():
    table = many_rows(50_000)
    sample, known = (
        RowSample.of(table),
        table[np.flatnonzero((table.weights > 0) & ~table.missing("y"))],
    )
    share = (sample.rows["s"] == "a").mean() - (known["s"] == "a").mean()
    assert abs(share) < 3 * np.sqrt(0.25 / 1000)
    assert abs(sample.rows["x"].mean()) < 3 / np.sqrt(1000)


def test_rows_are_taken_out_of_a_sample():
    table = many_rows(600)
    rest = RowSample.of(table) - RowSample.of(table[:100])
    assert rest.close_to(RowSample.of(table[100:]))


def test_rows_of_a_stream_make_the_sample_of_all_of_them():
    """One by one they wait to be put in order; from an array, and from columns."""
    table = many_rows(1500)
    added = RowSample.zero(table.domain)
    for at in range(len(table)):
        added += RowSample.of(table[at : at + 1])
    assert added.close_to(RowSample.of(table))
    assert added.rows.equals(RowSample.of(table).rows)
    rng = np.random.default_rng(0)
    cells, labels = rng.normal(size=(1500, 3)), rng.integers(0, 2, 1500).astype(np.int32)
    domain = Domain([*map(Variable, "abc"), Variable("y", "sym", ("no", "yes"), "target")])
    apart = Table(domain, [*cells.T, labels])
    pieces = [
        Table(domain, MatrixColumns(cells[at : at + 1], [labels[at : at + 1]]), check=False)
        for at in range(1500)
    ]
    streamed = sum(map(RowSample.of, pieces[1:]), RowSample.of(pieces[0]))
    assert streamed.close_to(RowSample.of(apart))
    assert streamed.rows.equals(RowSample.of(apart).rows)


def test_a_sample_does_not_depend_on_where_columns_stand_or_how_symbols_are_coded():
    table = many_rows(5000)
    turned = table.select(["y", "w", "s", "x"])
    coded = Domain(
        [v if v.name != "s" else Variable("s", "sym", tuple("cab")) for v in table.domain]
    )
    codes = np.array([1, 2, 0, -1], np.int32)[table.column("s")]
    again = Table(coded, [table.column("x"), codes, table.column("w"), table.column("y")])
    for other in (turned, again):
        np.testing.assert_array_equal(RowSample.of(other).hashes, RowSample.of(table).hashes)
