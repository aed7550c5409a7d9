import re
import unicodedata
import warnings
from html.parser import HTMLParser

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from satsuma.data.display import COLUMNS, NOTES, WIDTH, show, show_html
from satsuma.data.domain import Domain
from satsuma.data.shipped import load, names
from satsuma.data.summary import cut, summarise, width
from satsuma.data.table import Table
from satsuma.data.variable import Variable

BARS = " ▁▂▃▄▅▆▇█"


def one(kind, cells, values=()):
    """A column of one kind, summarised."""
    dtype = {"num": np.float64, "sym": np.int32, "text": object}[kind]
    column = np.empty(len(cells), dtype)
    column[:] = cells
    return summarise(Variable("a", kind, tuple(values)), column)


def places(line):
    """What a terminal shows: wide characters take two places, combining marks none."""
    return sum(
        (unicodedata.category(c) not in ("Mn", "Me")) + (unicodedata.east_asian_width(c) in "WF")
        for c in line
    )


class TestNumbers:
    @pytest.mark.parametrize(
        ("cells", "told"),
        [
            ([1, 2, 6], "1 to 6, mean 3"),
            ([0.1, 0.25, np.nan], "0.1 to 0.25, mean 0.175"),
            ([-5, 5], "-5 to 5, mean 0"),
            ([1000000, 1000001], "1000000 to 1000001, mean 1000000.5"),
            ([123456.789, 0], "0 to 123457, mean 61728.4"),
            ([1e-7, 1], "1e-07 to 1, mean 0.5"),
            ([1234.5, 17], "17 to 1234.5, mean 625.75"),
            ([1234567.89, 0.05], "0.05 to 1234567.89, mean 617283.97"),
            ([1, 1.00000002], "1 to 1.00000002, mean 1.00000001"),
            ([999.96, 0.5], "0.5 to 999.96, mean 500.23"),
            ([-0.0, 1], "0 to 1, mean 0.5"),
        ],
    )
    def test_range_and_mean(self, cells, told):
        assert one("num", cells).partition("  ")[2].lstrip(" ▁▂▃▄▅▆▇█") == told

    @pytest.mark.parametrize(
        ("cells", "shape"),
        [
            ([0, 8], "█       █"),
            ([0, 1, 2, 3, 4, 5, 6, 8], "███████ █"),
            ([*[0] * 8, *[4] * 4, 8], "█   ▄   ▁"),
            ([0] * 10**4 + [8], "█       ▁"),
            ([*range(1, 12)] * 100, "███████████"),
            ([*range(1, 32)] * 10, "█" * 16),
            ([0] * 66 + [1] * 136 + [2] * 20, "▄█▂"),
        ],
    )
    def test_shape(self, cells, shape):
        assert one("num", cells).startswith(f"{shape}  {min(cells)} to {max(cells)}, mean ")

    def test_a_shape_is_a_histogram(self):
        numbers = np.random.default_rng(3).gamma(2, size=1000)
        assert numbers.min() < 1
        assert 10 < numbers.max() < 11
        counts, _ = np.histogram(numbers, np.arange(14) * 0.8)
        expected = "".join(BARS[int(np.ceil(8 * count / counts.max()))] for count in counts)
        assert one("num", numbers).startswith(f"{expected}  ")

    def test_many_even_numbers_make_an_even_shape(self):
        numbers = np.random.default_rng(3).random(300_000)
        levels = [BARS.index(bar) for bar in one("num", numbers)[:8]]
        assert min(levels) >= 7

    def test_a_rhythm_in_the_rows_is_no_trouble(self):
        numbers = np.tile(np.arange(4.0), 100_000)
        assert one("num", numbers).startswith("████  0 to 3")

    @pytest.mark.parametrize(
        ("cells", "told"),
        [
            ([], "none"),
            ([np.nan, np.nan], "none"),
            ([3], "always 3"),
            ([2.5, np.nan, 2.5], "always 2.5"),
            ([1, np.inf], "1 to inf"),
            ([-np.inf, np.inf], "-inf to inf"),
            ([np.inf], "always inf"),
        ],
    )
    def test_nothing_one_number_and_the_infinite(self, cells, told):
        assert one("num", cells) == told

    @pytest.mark.parametrize("cells", [[-1.7e308, 1.7e308], [5e-324, 1e-323], [1.7e308] * 3 + [0]])
    def test_huge_and_tiny_numbers(self, cells):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            assert re.fullmatch(r"[ ▁-█]{1,16}  \S+ to \S+, mean \S+", one("num", cells))

    @given(st.lists(st.floats(allow_infinity=False)))
    def test_any_numbers(self, cells):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            assert width(one("num", cells)) <= 80


class TestSymbols:
    @pytest.mark.parametrize(
        ("cells", "values", "told"),
        [
            ([0, 1, 1, -1], "ab", "2 values: b (2), a (1)"),
            ([0, 0], "a", "1 value: a (2)"),
            ([0], "a", "1 value: a (1)"),
            ([0, 1], "ab", "2 values, each once: a, b"),
            ([0, 0], "abc", "3 values, 2 never seen: a (2)"),
            ([-1], "ab", "2 values, never seen: a, b"),
            ([], "", "none"),
            ([-1, -1], "", "none"),
        ],
    )
    def test_the_most_common_come_first(self, cells, values, told):
        assert one("sym", cells, values) == told

    def test_equally_common_values_keep_their_order(self):
        assert one("sym", [2, 1, 0, 2, 1, 0], "abc") == "3 values: a (2), b (2), c (2)"

    def test_more_than_fit_are_counted_and_cut(self):
        told = one("sym", np.arange(1000).repeat(2), [f"value {i}" for i in range(1000)])
        assert told.startswith("1,000 values: value 0 (2), value 1 (2), ")
        assert told.endswith(", …")
        assert width(told) <= 80

    def test_as_many_as_fit_are_told(self):
        variable = Variable("a", "sym", ("a" * 20, "b" * 20, "c" * 20))
        codes = np.array([0, 0, 1, 2], np.int32)
        whole = f"3 values: {'a' * 20} (2), {'b' * 20} (1), {'c' * 20} (1)"
        assert summarise(variable, codes, len(whole)) == whole
        assert summarise(variable, codes, len(whole) - 1) == whole[:60] + ", …"

    def test_long_values_are_cut(self):
        assert one("sym", [0, 0, 1], ["x" * 500, "y"]) == f"2 values: {'x' * 23}… (2), y (1)"


class TestText:
    def test_begins_with_the_first_known(self):
        assert one("text", [None, "To be", "or not"]) == "about 6 characters: “To be”"

    def test_however_late_the_first_known_comes(self):
        assert one("text", [None] * 200_000 + ["late"]) == "about 4 characters: “late”"

    def test_is_cut(self):
        told = one("text", ["word " * 1000])
        assert told.startswith("about 5,000 characters: “word word")
        assert told.endswith("…”")
        assert width(told) <= 80

    @pytest.mark.parametrize("cells", [[], [None, None]])
    def test_none(self, cells):
        assert one("text", cells) == "none"


class TestCut:
    @pytest.mark.parametrize(
        ("text", "shown"),
        [
            ("short", "short"),
            ("just right", "just right"),
            ("a bit too long", "a bit too…"),
            ("蜜柑蜜柑蜜", "蜜柑蜜柑蜜"),
            ("蜜柑蜜柑蜜柑", "蜜柑蜜柑…"),
            ("e\u0301" * 10, "e\u0301" * 10),
            ("a\nb\tc", "a\\nb\\tc"),
            ("\x1b[31mred", "\\x1b[31mr…"),
            ("\ud800", "\\ud800"),
            ("\u202eabc", "\\u202eabc"),
            ("", ""),
        ],
    )
    def test_to_ten_places(self, text, shown):
        assert cut(text, 10) == shown

    @given(st.text(st.characters(), max_size=60), st.integers(1, 40))
    def test_never_wider_and_always_printable(self, text, room):
        shown = cut(text, room)
        assert width(shown) <= room
        assert shown.isprintable()
        shown.encode()


class TestShow:
    def test_is_what_a_table_prints(self):
        table = load("tennis")
        assert str(table) == repr(table) == show(table)
        assert table._repr_html_() == show_html(table)

    def test_the_first_line_tells_the_size(self):
        assert show(load("voting")).startswith(
            "voting: 435 rows, 17 columns, 392 missing values (5.3%)"
        )
        assert show(load("tennis")).startswith("tennis: 14 rows, 5 columns, no missing value\n")

    def test_one_of_each(self):
        table = Table.of([(None,)], ["a"])
        assert show(table).startswith("Table: 1 row, 1 column, 1 missing value (100.0%)")

    def test_few_missing_cells_are_not_rounded_away(self):
        column = np.zeros(10000)
        column[0] = np.nan
        table = Table(Domain([Variable("a")]), [column])
        assert "1 missing value (under 0.1%)" in show(table)

    def test_a_line_for_each_column(self):
        table = load("heart_disease")
        lines = show(table).splitlines()[3:]
        assert [line.split("  ")[0] for line in lines] == list(table.domain.names)

    def test_roles_and_missing_cells_are_told_where_there_are_any(self):
        table = Table.of([(1, 2), (3, None)], ["a", "b"], target=None)
        assert show(table).splitlines()[2].split() == ["column", "kind", "missing", "values"]
        table = Table.of([(1, 2), (3, 4)], ["a", "b"], target=None, roles={"b": "-"})
        assert show(table).splitlines()[2].split() == ["column", "role", "kind", "values"]
        assert "goal -" in show(table)

    @pytest.mark.parametrize("role", ["target", "meta", "ignore", "weight"])
    def test_every_role(self, role):
        assert role in show(Table.of([(1,)], ["a"], target=None, roles={"a": role}))

    @pytest.mark.parametrize("name", names())
    def test_lines_are_short(self, name):
        assert max(map(places, show(load(name)).splitlines())) <= WIDTH

    def test_no_columns(self):
        assert show(Table(Domain([]), [])) == "Table: 0 rows, 0 columns, no missing value"

    def test_no_rows(self):
        assert show(load("iris")[:0]).count("none") == 4

    def test_many_columns_are_cut(self):
        table = Table(Domain(Variable(f"c{i}") for i in range(1234)), np.zeros((1234, 3)))
        lines = show(table).splitlines()
        assert len(lines) == 3 + COLUMNS + 1
        assert lines[-1] == "… and 1,194 more columns"
        assert "c39" in lines[-2]

    def test_one_column_too_many(self):
        table = Table(Domain(Variable(f"c{i}") for i in range(41)), np.zeros((41, 3)))
        assert show(table).endswith("… and 1 more column")

    def test_missing_cells_of_columns_that_are_not_shown_count(self):
        table = Table(Domain(Variable(f"c{i}") for i in range(50)), np.full((50, 2), np.nan))
        assert "100 missing values (100.0%)" in show(table)

    def test_columns_stay_aligned_under_wide_and_odd_names(self):
        odd = ["蜜柑", "e\u0301" * 5, "a\nb", "x" * 99, "蜜" * 99, "🍊"]
        table = Table(Domain(map(Variable, odd)), np.zeros((6, 2)))
        lines = show(table).splitlines()[2:]
        assert len(lines) == 7
        assert len({places(line[: line.index("num")]) for line in lines[1:]}) == 1

    def test_notes_come_last(self):
        notes = ["Column 2 was called 'on' as well.", "long " * 60]
        table = Table(Domain([Variable("a")]), [np.zeros(2)], notes=notes)
        shown = show(table)
        assert "\n\n- Column 2 was called 'on' as well.\n- long long" in shown
        assert max(map(len, shown.splitlines())) <= WIDTH

    def test_many_notes_are_cut(self):
        table = Table(Domain([]), [], notes=[f"note {i}" for i in range(NOTES + 3)])
        assert show(table).endswith("- note 9\n- … and 3 more notes: see table.notes")

    def test_rows_kept_aside_are_told(self):
        table = Table(Domain([]), [], aside=["a row", "another"])
        assert show(table).endswith("- 2 rows kept aside: see table.aside")

    def test_a_long_name(self):
        table = Table(Domain([]), [], name="a/long/path/" * 20)
        assert len(show(table)) < WIDTH


class Page(HTMLParser):
    """Takes a page apart, and stumbles over tags that do not match."""

    def __init__(self, page):
        super().__init__()
        self.open, self.tags, self.cells = [], [], []
        self.feed(page)
        assert not self.open

    def handle_starttag(self, tag, _attributes):
        self.open.append(tag)
        self.tags.append(tag)
        if tag in ("td", "th"):
            self.cells.append("")

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open[-1:] in (["td"], ["th"]):
            self.cells[-1] += data


class TestShowHtml:
    @pytest.mark.parametrize("name", names())
    def test_a_row_for_each_column(self, name):
        table = load(name)
        page = Page(show_html(table))
        assert page.tags.count("tr") == len(table.domain) + 1
        assert page.cells[5::5] == [cut(name, 32) for name in table.domain.names]

    @pytest.mark.parametrize(
        "evil", ["<script>alert(1)</script>", '"><img src=x>', "a & b", "</td>"]
    )
    def test_everything_is_escaped(self, evil):
        column = np.empty(1, object)
        column[0] = evil
        table = Table(
            Domain([Variable(evil, "sym", (evil,)), Variable("t", "text")]),
            [np.zeros(1, np.int32), column],
            name=evil,
            notes=[evil],
        )
        page = Page(show_html(table))
        assert set(page.tags) == {"div", "p", "table", "tr", "th", "td", "ul", "li"}
        assert page.cells[5] == evil

    def test_no_columns(self):
        assert "table" not in Page(show_html(Table(Domain([]), []))).tags

    def test_many_columns_and_notes(self):
        table = Table(
            Domain(Variable(f"c{i}") for i in range(50)), np.zeros((50, 1)), notes=["a note"]
        )
        page = show_html(table)
        assert "… and 10 more columns" in page
        assert "<li>a note</li>" in page


CELLS = st.none() | st.floats(allow_infinity=False) | st.text(st.characters(), max_size=50)


@given(
    st.integers(0, 4).flatmap(
        lambda n: st.tuples(
            st.lists(st.text(st.characters(), min_size=1), min_size=n, max_size=n, unique=True),
            st.lists(st.tuples(*[CELLS] * n), max_size=6),
        )
    )
)
def test_any_table_is_shown(case):
    columns, rows = case
    table = Table.of(rows if columns else [], columns)
    shown = show(table)
    assert max(map(places, shown.splitlines())) <= WIDTH
    assert all(line.isprintable() for line in shown.split("\n"))
    Page(show_html(table))
