"""What learners get out of times, held against Python's own calendar."""

import datetime as dt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from satsuma import Domain, Table, Variable, with_time_features
from satsuma.data.time_features import (
    MONTHS,
    WEEKDAYS,
    TimeFeatures,
    TimeSpan,
    learned_columns,
)
from satsuma.numerics.arrays import TIME


def table_of(moments, form="%Y-%m-%d %H:%M:%S", role="x"):
    column = np.array(moments, TIME)
    return Table(Domain([Variable("due", "time", format=form, role=role)]), [column])


def names(table):
    return [v.name for v in table.domain.attributes]


MOMENTS = st.datetimes(dt.datetime(1700, 1, 1), dt.datetime(2250, 1, 1))  # noqa: DTZ001


@given(st.lists(MOMENTS | st.none(), min_size=1, max_size=20))
def test_as_python_has_it(moments):
    made = with_time_features(table_of([np.datetime64(each or "NaT", "ns") for each in moments]))
    known = [each for each in moments if each is not None]
    first = min((each.date() for each in known), default=None)
    last = max((each.date() for each in known), default=None)
    expected = {}
    if known:
        expected = {
            "due:year": lambda each: each.year,
            "due:month": lambda each: MONTHS[each.month - 1],
            "due:weekday": lambda each: WEEKDAYS[each.weekday()],
            "due:hour": lambda each: (
                (each - dt.datetime.combine(each, dt.time())) / dt.timedelta(hours=1)
            ),
            f"due:days since {first}": lambda each: (each.date() - first).days,
        }
        if first.year == last.year:
            del expected["due:year"]
        if 12 * last.year + last.month - 12 * first.year - first.month < 2:
            del expected["due:month"]
        if (last - first).days < 6:
            del expected["due:weekday"]
        if all(each.time() == dt.time() for each in known):
            del expected["due:hour"]
    assert names(made) == list(expected)
    for row, each in enumerate(moments):
        for name, value in expected.items():
            found = made.cell(row, name)
            if each is None:
                assert found is None
            elif name == "due:hour":
                assert found == pytest.approx(value(each), rel=1e-15)
            else:
                assert found == value(each)


def test_the_column_is_kept_beside_its_features():
    made = with_time_features(table_of(["2024-01-01", "NaT"]))
    assert made.domain["due"].role == "meta"
    assert made.column("due").tolist() == table_of(["2024-01-01", "NaT"]).column("due").tolist()


def test_a_time_of_day_gives_its_hour_alone():
    made = with_time_features(table_of(["1970-01-01T06:45", "1970-01-01T23:15"], "%H:%M"))
    assert names(made) == ["due:hour"]
    assert made["due:hour"].tolist() == [6.75, 23.25]


def test_times_of_a_zone_are_by_its_clock():
    domain = Domain([Variable("due", "time", format=_zoned("+02:00"))])
    made = with_time_features(
        Table(domain, [np.array(["2024-03-31T23:00", "2024-04-08T12:00"], TIME)])
    )
    assert names(made) == ["due:weekday", "due:hour", "due:days since 2024-04-01"]
    assert (made[0]["due:weekday"], made[0]["due:hour"]) == ("Monday", 1.0)


def _zoned(zone):
    from satsuma.kernels.csv import TimeFormat

    return TimeFormat("%Y-%m-%d %H:%M%z", zone=zone)


def test_without_times_it_is_the_same_object():
    table = Table.of([(1, "a")], ["n", "s"])
    assert with_time_features(table) is table
    beside = table_of(["2024-01-01"], role="meta")
    assert with_time_features(beside) is beside
    made = with_time_features(table_of(["2024-01-01"]))
    assert with_time_features(made) is made


def test_only_some_kinds():
    long = table_of(["2021-01-01", "2024-01-01"])
    assert names(with_time_features(long, ["sym"])) == ["due:month", "due:weekday"]
    assert names(with_time_features(long, ["num"])) == ["due:year", "due:days since 2021-01-01"]
    assert names(with_time_features(long, ["text"])) == []


def test_a_column_that_has_the_name_already_stays():
    domain = Domain([Variable("due", "time"), Variable("due:year")])
    made = with_time_features(
        Table(domain, [np.array(["2021-01-01", "2024-01-01"], TIME), np.array([1.0, 2])])
    )
    assert made["due:year"].tolist() == [1.0, 2.0]


def test_rows_that_weigh_nothing_or_have_no_target_do_not_count():
    days = np.array(["2020-01-01", "2024-01-01", "2024-01-02", "2025-01-01"], TIME)
    domain = Domain(
        [Variable("due", "time"), Variable("w", role="weight"), Variable("y", role="target")]
    )
    table = Table(domain, [days, np.array([0.0, 1, 1, 1]), np.array([1.0, 1, 1, np.nan])])
    assert names(with_time_features(table)) == ["due:days since 2024-01-01"]
    assert "due:year" in with_time_features(table, unlabelled=True).domain


def test_spans_add_up_in_any_cut():
    days = np.array(["2024-05-01", "NaT", "2024-03-01T12:00", "2025-01-01"], TIME)
    whole = TimeSpan.of(days)
    for at in range(5):
        assert TimeSpan.of(days[:at]) + TimeSpan.of(days[at:]) == whole


def test_years_before_1970_and_on_leap_days():
    made = with_time_features(table_of(["1900-02-28", "1904-02-29", "1969-12-31"]))
    assert made["due:year"].tolist() == [1900, 1904, 1969]
    assert made["due:weekday"].tolist() == ["Wednesday", "Monday", "Wednesday"]


def test_columns_of_the_rows_that_were_learned_from():
    days = [("2021-01-01", 1), ("2024-01-01", 2)]
    made = with_time_features(Table.of(days, ["due", "n"], kinds={"due": "time"}, target=None))
    assert [v.name for v in learned_columns(made.domain)] == ["due", "n"]
    assert set(TimeFeatures.of_domain(made.domain).by_time) == {"due"}
