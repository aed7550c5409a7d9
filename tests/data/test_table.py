import copy
import datetime as dt
import decimal
import math
import pickle
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from satsuma.data.columns import convert, encode, from_cells, is_missing, is_text, remap
from satsuma.data.domain import Domain
from satsuma.data.row import Row
from satsuma.data.table import Table
from satsuma.data.variable import Variable
from satsuma.errors import DomainError, NoSuchColumn, SatsumaError

NAMES = ["sky", "heat", "why", "play"]
ROWS = [
    ("sun", 30, "It was far too hot, even in the shade of the trees.", "no"),
    ("rain", None, None, "yes"),
    (None, 21.5, "Nobody remembers, but all came and nobody complained.", "yes"),
    ("sun", 18, "A day as there are few of in a year in these parts.", None),
]


@pytest.fixture
def days():
    return Table.of(ROWS, NAMES, name="days")


def plain(table):
    """The cells as Python has them."""
    return [tuple(row) for row in table]


class TestOf:
    def test_kinds_are_found(self, days):
        assert [v.kind for v in days.domain] == ["sym", "num", "text", "sym"]

    def test_the_last_column_is_the_target(self, days):
        assert days.domain.target.name == "play"

    def test_cells_come_back(self, days):
        assert plain(days) == ROWS

    def test_columns_are_kept_as_documented(self, days):
        assert [column.dtype for column in days.columns] == [np.int32, np.float64, object, np.int32]
        assert days.column("sky").tolist() == [0, 1, -1, 0]
        assert math.isnan(days.column("heat")[1])
        assert days.column("why")[1] is None

    def test_values_are_in_the_order_seen(self, days):
        assert days.domain["sky"].values == ("sun", "rain")

    @pytest.mark.parametrize(("target", "name"), [("sky", "sky"), (0, "sky"), (-2, "why")])
    def test_another_target(self, target, name):
        assert Table.of(ROWS, NAMES, target=target).domain.target.name == name

    def test_no_target(self):
        assert Table.of(ROWS, NAMES, target=None).domain.target is None

    def test_roles(self):
        table = Table.of(ROWS, NAMES, target=None, roles={"heat": "+", "why": "meta"})
        assert [v.role for v in table.domain] == ["x", "goal", "meta", "x"]

    def test_kinds_can_be_said(self):
        table = Table.of(ROWS, NAMES, kinds={"heat": "sym", "why": "sym", "play": "text"})
        assert [v.kind for v in table.domain] == ["sym", "sym", "sym", "text"]
        assert table.domain["heat"].values == ("30", "21.5", "18")

    def test_no_rows(self):
        table = Table.of([], ["a", "b"])
        assert table.shape == (0, 2)
        assert [v.kind for v in table.domain] == ["num", "num"]

    def test_no_columns(self):
        assert Table.of([], []).shape == (0, 0)

    def test_rows_may_be_an_iterator(self):
        assert plain(Table.of(iter([(1, 2)]), ["a", "b"])) == [(1, 2)]

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (([(1, 2), (1,)], ["a", "b"]), "Row 1 has 1 cells, but there are 2 names"),
            (([(1, 2)], ["a", "a"]), "Two columns are called 'a'"),
            (([(1, 2)], ["a", ""]), "empty name"),
        ],
    )
    def test_refuses_what_does_not_fit(self, arguments, message):
        with pytest.raises(DomainError, match=message):
            Table.of(*arguments)

    @pytest.mark.parametrize(
        "options",
        [{"target": "c"}, {"target": 2}, {"kinds": {"c": "sym"}}, {"roles": {"c": "meta"}}],
    )
    def test_refuses_unknown_columns(self, options):
        with pytest.raises(NoSuchColumn, match="There is no column"):
            Table.of([(1, 2)], ["a", "b"], **options)

    def test_refuses_unknown_kinds(self):
        with pytest.raises(DomainError, match=r"must be one of num, sym, text, time. Got 'number'"):
            Table.of([(1, 2)], ["a", "b"], kinds={"a": "number"})

    def test_refuses_words_as_numbers(self):
        with pytest.raises(DomainError, match="'sky' was to hold numbers, but row 0 holds 'sun'"):
            Table.of(ROWS, NAMES, kinds={"sky": "num"})

    @pytest.mark.parametrize("infinite", [math.inf, -math.inf, np.float32("inf")])
    def test_refuses_infinite_numbers_and_names_the_row(self, infinite):
        with pytest.raises(DomainError, match=r"'a' holds -?inf in row 1"):
            Table.of([(1, 2), (infinite, 3)], ["a", "b"])


class TestKindsOfPythonValues:
    @pytest.mark.parametrize(
        "cells",
        [
            [1, 2.5],
            [2**53],
            [np.float32(1.5), np.int8(3)],
            [decimal.Decimal("1.5"), Fraction(1, 2)],
            [None, None],
            [],
            [math.nan],
        ],
    )
    def test_numbers(self, cells):
        variable, column = from_cells("a", cells)
        assert variable.kind == "num"
        expected = [math.nan if is_missing(c) else float(c) for c in cells]
        np.testing.assert_array_equal(column, expected)

    @pytest.mark.parametrize(
        ("cells", "values"),
        [
            ([True, False], ("True", "False")),
            ([np.True_], ("True",)),
            ([2**53 + 1], ("9007199254740993",)),
            ([10**25], ("1" + "0" * 25,)),
            ([np.timedelta64(5, "D")], ("5 days",)),
            ([1, "1"], ("1",)),
            ([7.0, "a"], ("7", "a")),
            ([np.float32(7), "a"], ("7", "a")),
            ([7.25, "a"], ("7.25", "a")),
            ([dt.date(2024, 2, 29), "x"], ("2024-02-29", "x")),
            (["", " "], ("", " ")),
        ],
    )
    def test_symbols(self, cells, values):
        variable, column = from_cells("a", cells)
        assert (variable.kind, variable.values) == ("sym", values)
        assert column.dtype == np.int32

    def test_values_that_are_listed_come_first(self):
        variable, column = from_cells("a", ["c", "b"], values=["a", "b"])
        assert variable.values == ("a", "b", "c")
        assert column.tolist() == [2, 1]

    @pytest.mark.parametrize(
        "cell",
        [None, math.nan, np.nan, np.float32("nan"), np.datetime64("NaT"), np.timedelta64("NaT")],
    )
    def test_missing(self, cell):
        assert is_missing(cell)

    def test_missing_in_pandas(self):
        pandas = pytest.importorskip("pandas")
        assert is_missing(pandas.NA)
        assert is_missing(pandas.NaT)

    @pytest.mark.parametrize("cell", ["", "nan", 0, 0.0, False, 10**400, [], decimal.Decimal(1)])
    def test_not_missing(self, cell):
        assert not is_missing(cell)

    @pytest.mark.parametrize(
        ("values", "known", "text"),
        [
            (["x" * 31], 1, True),
            (["x" * 30], 1, False),
            (["x" * 31, "y" * 31], 4, False),
            (["x" * 31, "y" * 31], 3, True),
            ([], 0, False),
        ],
    )
    def test_text_is_long_and_mostly_distinct(self, values, known, text):
        assert is_text(values, known) == text

    @given(st.lists(st.none() | st.text(max_size=3)), st.lists(st.text(max_size=3), unique=True))
    def test_codes_spell_the_cells(self, cells, values):
        codes, found = encode(cells, values)
        assert [None if code < 0 else found[code] for code in codes] == cells
        assert found[: len(values)] == values
        assert len(set(found)) == len(found)

    def test_codes_move_to_another_list(self):
        codes = np.array([0, -1, 1], np.int32)
        moved = remap(codes, ["a", "b"], ["b", "c", "a"].index)
        assert moved.tolist() == [2, -1, 0]


class TestAValue:
    def test_arrays_cannot_be_written_to(self, days):
        for column in days.columns:
            with pytest.raises(ValueError, match="read-only"):
                column[0] = column[1]

    @pytest.mark.parametrize("key", ["heat", "why"])
    def test_nor_can_the_cells_of_a_column(self, days, key):
        with pytest.raises(ValueError, match="read-only"):
            days[key][0] = None

    def test_nor_can_those_of_a_part(self, days):
        for part in (days[:2], days[[0, 1]], days[np.array([True, False, True, True])]):
            with pytest.raises(ValueError, match="read-only"):
                part.column("heat")[0] = 1

    def test_an_array_that_is_given_stays_writable(self):
        mine = np.array([1.0, 2.0])
        Table(Domain([Variable("a")]), [mine])
        mine[0] = 3.0
        assert mine[0] == 3.0

    @pytest.mark.parametrize("order", ["C", "F"])
    def test_columns_of_an_array_enter_without_a_copy(self, order):
        numbers = np.asarray(np.random.default_rng(0).normal(size=(50, 3)), order=order)
        before = numbers.copy()
        table = Table(Domain(map(Variable, "abc")), numbers.T)
        for at, column in enumerate(table.columns):
            assert np.shares_memory(column, numbers)
            np.testing.assert_array_equal(column, numbers[:, at])
        repr(table), table.to_numpy(), table[::2], table.with_kinds({"a": "sym"})
        np.testing.assert_array_equal(numbers, before)

    def test_slices_are_views(self, days):
        assert np.shares_memory(days[1:].column("heat"), days.column("heat"))

    def test_other_roles_share_the_columns(self, days):
        changed = days.with_roles({"heat": "-"})
        assert np.shares_memory(changed.column("heat"), days.column("heat"))

    @pytest.mark.parametrize("duplicate", [copy.copy, copy.deepcopy, None])
    def test_a_copy_is_equal_and_cannot_be_written_to_either(self, days, duplicate):
        table = Table(days.domain, days.columns, name="days", notes=["a note"])
        back = duplicate(table) if duplicate else pickle.loads(pickle.dumps(table))
        assert back.equals(table)
        assert (back.name, back.notes) == ("days", ("a note",))
        with pytest.raises(ValueError, match="read-only"):
            back.column("heat")[0] = 1

    def test_nothing_done_with_it_changes_it(self, days):
        before = plain(days), days.domain
        days.with_roles({"heat": "+"}, target="sky")
        days.with_kinds({"heat": "sym"})
        days.select(["play"])
        days.to_numpy(["heat", "sky"])
        assert (plain(days), days.domain) == before


class TestConstructor:
    @pytest.mark.parametrize(
        ("variable", "column"),
        [
            (Variable("a"), np.array([1, 2])),
            (Variable("a"), np.array([1.0], np.float32)),
            (Variable("a"), np.array([[1.0]])),
            (Variable("a"), np.array(1.0)),
            (Variable("a", "sym", ("b",)), np.array([0])),
            (Variable("a", "sym", ("b",)), np.array(["b"])),
            (Variable("a", "text"), np.array(["b"])),
        ],
    )
    def test_refuses_arrays_of_another_type(self, variable, column):
        with pytest.raises(DomainError, match=r"Column 'a' of kind '.*' must be a one-dimensional"):
            Table(Domain([variable]), [column])

    def test_refuses_columns_of_different_lengths(self):
        with pytest.raises(DomainError, match=r"equally long. They are: 'a' 2, 'b' 3"):
            Table(Domain([Variable("a"), Variable("b")]), [np.zeros(2), np.zeros(3)])

    @pytest.mark.parametrize("columns", [0, 1, 3])
    def test_refuses_another_number_of_columns(self, columns):
        with pytest.raises(DomainError, match=f"There are {columns} columns, but 2 variables"):
            Table(Domain([Variable("a"), Variable("b")]), [np.zeros(2)] * columns)

    def test_columns_may_be_an_iterator(self):
        assert Table(Domain([Variable("a")]), iter([np.zeros(2)])).shape == (2, 1)

    def test_name_and_notes(self):
        table = Table(Domain([]), [], name="t", notes=iter(["one", "two"]))
        assert (table.name, table.notes, table.aside) == ("t", ("one", "two"), ())


class TestRowsOfATable:
    @pytest.mark.parametrize("at", [0, 3, -1, -4, np.int64(2)])
    def test_a_row_by_number(self, days, at):
        assert tuple(days[at]) == ROWS[at]

    @pytest.mark.parametrize("at", [4, -5])
    def test_no_such_row(self, days, at):
        with pytest.raises(IndexError, match=f"no row {at}: the table has 4 rows"):
            days[at]

    @pytest.mark.parametrize(
        "which",
        [slice(None), slice(1, 3), slice(None, None, -1), slice(9, None), slice(-2, None)],
    )
    def test_a_slice(self, days, which):
        assert plain(days[which]) == ROWS[which]

    @pytest.mark.parametrize("which", [[2, 0, 2], [-1], [], np.array([3, 1]), (0, 1), range(2)])
    def test_row_numbers(self, days, which):
        assert plain(days[which]) == [ROWS[at] for at in which]

    @pytest.mark.parametrize("mask", [[True, False, False, True], [False] * 4, [True] * 4])
    def test_a_mask(self, days, mask):
        expected = [row for row, kept in zip(ROWS, mask, strict=True) if kept]
        assert plain(days[mask]) == plain(days[np.array(mask)]) == expected

    def test_a_part_keeps_domain_name_and_notes(self):
        table = Table(Domain([Variable("a")]), [np.zeros(3)], name="t", notes=["n"])
        part = table[:1]
        assert (part.domain, part.name, part.notes) == (table.domain, "t", ("n",))

    @pytest.mark.parametrize("which", [[True], np.ones(5, bool), np.zeros(0, bool)])
    def test_a_mask_of_another_length(self, days, which):
        with pytest.raises(DomainError, match=f"mask has {len(which)} entries, .* 4 rows"):
            days[which]

    @pytest.mark.parametrize(("which", "row"), [([0, 4], 4), ([-5], -5), (np.array([7, 9]), 7)])
    def test_row_numbers_beyond_the_end(self, days, which, row):
        with pytest.raises(DomainError, match=f"There is no row {row}: the table has 4 rows"):
            days[which]

    @pytest.mark.parametrize("which", [[0.5], ["sky", "heat"], [[0, 1]], np.zeros((1, 4), bool)])
    def test_other_ways_to_choose_are_refused(self, days, which):
        with pytest.raises(DomainError, match="Rows are chosen by"):
            days[which]

    @given(st.data())
    def test_any_choice_is_that_of_a_list(self, data):
        size = data.draw(st.integers(1, 9))
        table = Table.of([(i, str(i)) for i in range(size)], ["n", "s"])
        which = data.draw(st.slices(size) | st.lists(st.integers(-size, size - 1)))
        rows = list(range(size))
        kept = rows[which] if isinstance(which, slice) else [rows[at] for at in which]
        assert plain(table[which]) == [(i, str(i)) for i in kept]


class TestARow:
    def test_cells_by_name_and_position(self, days):
        row = days[0]
        assert (row["sky"], row[1], row[-1]) == ("sun", 30.0, "no")
        assert isinstance(row["heat"], float)

    def test_missing_cells_are_none(self, days):
        assert list(days[1]) == ["rain", None, None, "yes"]

    def test_as_a_dictionary(self, days):
        assert dict(days[1].items()) == dict(zip(NAMES, ROWS[1], strict=True))

    def test_target(self, days):
        assert [row.target for row in days] == ["no", "yes", "yes", None]
        assert Table.of(ROWS, NAMES, target=None)[0].target is None

    def test_has_the_length_and_domain_of_its_table(self, days):
        assert len(days[0]) == 4
        assert days[0].domain is days.domain

    def test_knows_where_it_is_from(self, days):
        assert (days[-1].table, days[-1].index) == (days, 3)

    def test_equal_if_names_and_cells_are(self, days):
        again = Table.of(ROWS, NAMES)
        assert days[1] == again[1]
        assert hash(days[1]) == hash(again[1])
        assert days[0] != again[1]
        assert days[0] != Table.of(ROWS, ["a", "b", "c", "d"])[0]
        assert days[0] != ROWS[0]

    def test_an_unknown_cell(self, days):
        with pytest.raises(NoSuchColumn, match=r"'skye'. Did you mean 'sky'"):
            days[0]["skye"]

    def test_repr(self):
        table = Table.of([("it's", 3.0, None, 1234567.25)], ["a", "b", "c", "d"])
        assert repr(table[0]) == """Row(a="it's", b=3, c=?, d=1234567.25)"""

    def test_is_a_row(self, days):
        assert all(isinstance(row, Row) for row in days)


class TestColumnsOfATable:
    def test_cells_of_a_column(self, days):
        assert days["sky"].tolist() == ["sun", "rain", None, "sun"]
        np.testing.assert_array_equal(days["heat"], [30, math.nan, 21.5, 18])
        assert days["why"].tolist() == [row[2] for row in ROWS]

    def test_an_unknown_column(self, days):
        with pytest.raises(NoSuchColumn, match="Did you mean 'heat'"):
            days["heatt"]
        with pytest.raises(NoSuchColumn):
            days.column(4)

    @pytest.mark.parametrize("at", range(4))
    def test_missing(self, days, at):
        expected = [row[at] is None for row in ROWS]
        assert days.missing(at).tolist() == days.missing(NAMES[at]).tolist() == expected
        assert days.missing(at).dtype == np.bool_

    @pytest.mark.parametrize("at", range(4))
    def test_missing_without_rows(self, days, at):
        assert days[:0].missing(at).shape == (0,)

    def test_one_cell(self, days):
        assert [days.cell(row, "sky") for row in range(4)] == ["sun", "rain", None, "sun"]
        assert days.cell(0, 1) == 30.0

    def test_weights(self, days):
        assert days.weights is None
        np.testing.assert_array_equal(
            days.with_roles({"heat": "weight"}).weights, days.column("heat")
        )

    def test_select(self, days):
        part = days.select(["play", "sky"])
        assert part.domain.names == ("play", "sky")
        assert plain(part) == [(row[3], row[0]) for row in ROWS]
        assert part.domain.target.name == "play"
        assert part.name == "days"

    def test_select_an_unknown_column_or_one_twice(self, days):
        with pytest.raises(NoSuchColumn, match="'wind'"):
            days.select(["sky", "wind"])
        with pytest.raises(DomainError, match="Two columns are called 'sky'"):
            days.select(["sky", "sky"])

    def test_with_roles(self, days):
        changed = days.with_roles({"heat": "-"}, target="sky")
        assert [v.role for v in changed.domain] == ["target", "goal", "x", "x"]
        assert plain(changed) == ROWS
        assert changed.name == "days"


class TestWithKinds:
    def test_there_and_back(self, days):
        there = days.with_kinds({"heat": "sym", "play": "text", "why": "sym"})
        assert [v.kind for v in there.domain] == ["sym", "sym", "sym", "text"]
        assert there.domain.target.name == "play"
        back = there.with_kinds({"heat": "num", "play": "sym", "why": "text"})
        assert back.equals(days)

    def test_numbers_are_spelled_without_needless_digits(self, days):
        assert days.with_kinds({"heat": "sym"}).domain["heat"].values == ("30", "21.5", "18")

    def test_the_same_kind_changes_nothing(self, days):
        same = days.with_kinds({"sky": "sym", "heat": "num"})
        assert same.equals(days)
        assert np.shares_memory(same.column("sky"), days.column("sky"))

    def test_values_keep_their_order_as_long_as_they_are_symbols(self):
        variable = Variable("a", "sym", ("never", "b"))
        assert convert(variable, np.array([1], np.int32), "sym")[0] == variable

    @pytest.mark.parametrize(
        ("kinds", "error", "message"),
        [
            ({"heat": "number"}, DomainError, "must be one of num, sym, text, time. Got 'number'"),
            ({"cold": "num"}, NoSuchColumn, "There is no column 'cold'"),
            ({"sky": "num"}, DomainError, "'sky' was to hold numbers, but row 0 holds 'sun'"),
        ],
    )
    def test_refuses_what_cannot_be(self, days, kinds, error, message):
        with pytest.raises(error, match=message):
            days.with_kinds(kinds)

    @pytest.mark.parametrize("cell", ["1_000", "nan", "inf", "-infinity", "٣", "0x10", "", "1,5"])
    def test_a_string_is_a_number_only_if_a_file_would_say_so(self, cell):
        table = Table.of([(cell,), ("a",)], ["s"])
        with pytest.raises(DomainError, match="was to hold numbers, but row 0"):
            table[:1].with_kinds({"s": "num"})

    @pytest.mark.parametrize("cell", ["1", "-1.50", "+.5", "5.", "1e3", " 7 ", "1E-3", "007"])
    def test_a_spelled_number_is_read(self, cell):
        table = Table.of([(cell,), ("a",)], ["s"])[:1]
        assert table.with_kinds({"s": "num"}).column("s").tolist() == [float(cell)]

    def test_a_goal_stays_a_number(self, days):
        with pytest.raises(DomainError, match="'heat' has the role 'goal'"):
            days.with_roles({"heat": "+"}).with_kinds({"heat": "sym"})

    @given(st.lists(st.none() | st.floats(allow_nan=False, allow_infinity=False)))
    def test_numbers_survive_being_symbols(self, numbers):
        table = Table.of([(number,) for number in numbers], ["a"])
        back = table.with_kinds({"a": "sym"}).with_kinds({"a": "num"})
        np.testing.assert_array_equal(back.column("a"), table.column("a"))


class TestEquals:
    def test_itself_and_its_like(self, days):
        assert days.equals(days)
        assert days.equals(Table.of(ROWS, NAMES, name="another name"))

    @pytest.mark.parametrize(
        "other",
        [
            Table.of(ROWS[:3], NAMES),
            Table.of(ROWS[::-1], NAMES),
            Table.of(ROWS, ["a", "b", "c", "d"]),
            Table.of(ROWS, NAMES, target=None),
            Table.of(ROWS, NAMES, kinds={"heat": "sym"}),
            Table.of([*ROWS[:3], (*ROWS[3][:1], None, *ROWS[3][2:])], NAMES),
            Table.of([*ROWS[:3], (*ROWS[3][:3], "no")], NAMES),
            Table.of([*ROWS[:3], (*ROWS[3][:2], None, None)], NAMES),
        ],
    )
    def test_others(self, days, other):
        assert not days.equals(other)
        assert not other.equals(days)

    def test_no_rows_and_no_columns(self):
        assert Table(Domain([]), []).equals(Table(Domain([]), []))
        assert Table.of([], ["a"]).equals(Table.of([], ["a"]))


class TestToNumpy:
    def test_all_but_text(self, days):
        nan = math.nan
        np.testing.assert_array_equal(
            days.to_numpy(), [[0, 30, 0], [1, nan, 1], [nan, 21.5, 1], [0, 18, nan]]
        )

    def test_named_columns_in_their_order(self, days):
        np.testing.assert_array_equal(
            days.to_numpy(iter(["heat", "sky"]))[:, 1], [0, 1, math.nan, 0]
        )

    def test_text_has_no_number(self, days):
        with pytest.raises(DomainError, match="'why' is of kind 'text'"):
            days.to_numpy(["why"])

    def test_an_unknown_column(self, days):
        with pytest.raises(NoSuchColumn, match="'wind'"):
            days.to_numpy(["wind"])

    def test_the_array_is_the_users_own(self, days):
        array = days.to_numpy()
        array[:] = 0
        assert plain(days) == ROWS

    @pytest.mark.parametrize("names", [[], ["heat"]])
    def test_no_rows_or_no_columns(self, days, names):
        assert days[:0].to_numpy(names).shape == (0, len(names))
        assert days.to_numpy(names).shape == (4, len(names))


CELLS = st.none() | st.integers(-(2**53), 2**53) | st.text(max_size=5) | st.booleans()


@given(st.lists(st.tuples(CELLS, CELLS), max_size=20))
def test_any_cells_make_a_table_or_are_refused_with_reason(rows):
    table = Table.of(rows, ["a", "b"])
    assert len(table) == len(rows)
    for at, name in enumerate("ab"):
        assert table.missing(name).tolist() == [row[at] is None for row in rows]
        for got, row in zip(table[name], rows, strict=True):
            if row[at] is not None:
                assert got == (row[at] if table.domain[name].kind == "num" else str(row[at]))


def test_errors_of_tables_are_all_ours(days):
    for bad in (lambda: days["x"], lambda: days[[9]], lambda: days.select("x")):
        with pytest.raises(SatsumaError):
            bad()
