"""Times of pandas, polars, Arrow, duckdb, numpy and Python: read exactly, and given back."""

import datetime as dt
import json

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.feather as pf
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import satsuma
from satsuma import Table, read
from satsuma.kernels.csv import DAY, TimeFormat
from satsuma.numerics.arrays import TIME

UNITS = ["s", "ms", "us", "ns"]
ZONES = [None, "UTC", "Europe/Ljubljana", "America/St_Johns", "+05:30", "-03:00"]
MOST = 106_000 * DAY
PER_UNIT = {"s": 10**9, "ms": 10**6, "us": 10**3, "ns": 1}
FAR = dt.datetime(9999, 12, 31)  # noqa: DTZ001


def whole(unit):
    return st.integers(-MOST // PER_UNIT[unit], MOST // PER_UNIT[unit])


@st.composite
def arrow_times(draw):
    """A column of Arrow of any type that holds times."""
    sort = draw(st.sampled_from(["timestamp", "date32", "date64", "time"]))
    if sort == "timestamp":
        unit = draw(st.sampled_from(UNITS))
        of, values = pa.timestamp(unit, draw(st.sampled_from(ZONES))), whole(unit)
    elif sort == "time":
        unit = draw(st.sampled_from(UNITS))
        of = pa.time32(unit) if unit in ("s", "ms") else pa.time64(unit)
        values = st.integers(0, DAY // PER_UNIT[unit] - 1)
    else:
        of = pa.date32() if sort == "date32" else pa.date64()
        days = 1 if sort == "date32" else 86_400_000
        values = st.integers(-106_000, 106_000).map(lambda day: day * days)
    cells = draw(st.lists(values | st.none(), min_size=1, max_size=4))
    width = pa.int32() if of.bit_width == 32 else pa.int64()
    return pa.array(cells, width).cast(of)


def in_arrow(column):
    """Nanoseconds by Arrow's own arithmetic."""
    of = column.type
    if pa.types.is_time(of):
        return column.cast(pa.time64("ns")).cast(pa.int64()).to_pylist()
    return column.cast(pa.timestamp("ns", getattr(of, "tz", None))).cast(pa.int64()).to_pylist()


def in_table(table, name="at"):
    numbers = table.column(name).view(np.int64).tolist()
    return [None if missing else n for n, missing in zip(numbers, table.missing(name), strict=True)]


@given(arrow_times())
def test_every_type_of_arrow_is_read_exactly_and_given_back(column):
    data = pa.table({"at": column})
    table = read(data)
    assert table.domain["at"].kind == "time"
    assert in_table(table) == in_arrow(column)
    back = table.to_arrow().column("at")
    assert in_arrow(back.combine_chunks()) == in_arrow(column)
    kinds = (pa.types.is_date, pa.types.is_time, pa.types.is_timestamp)
    assert [is_it(back.type) for is_it in kinds] == [is_it(column.type) for is_it in kinds]
    assert getattr(back.type, "tz", None) == getattr(column.type, "tz", None)
    assert read(table.to_arrow()).equals(table)


@given(arrow_times())
def test_what_is_shown_is_what_python_says(column):
    table = read(pa.table({"at": column}))
    for row, cell in enumerate(column):
        shown = table.cell(row, "at")
        if not cell.is_valid:
            assert shown is None
        elif not pa.types.is_timestamp(column.type):
            told = in_arrow(column)[row]
            moment = np.datetime64(told, "ns").astype("datetime64[s]").item()
            assert shown.startswith(
                str(moment.date() if pa.types.is_date(column.type) else moment.time())
            )
        elif column.type.tz is not None and cell.value >= 0:  # before, some had odd seconds
            moment = column.cast(pa.timestamp("us", column.type.tz), safe=False)[row].as_py()
            assert shown.startswith(f"{moment:%Y-%m-%d %H:%M:%S}")
            assert shown.endswith((f"{moment:%z}"[-2:], "Z"))


@given(arrow_times())
@settings(max_examples=50)
def test_polars_and_pandas_get_times_of_their_own(column):
    table = read(pa.table({"at": column}))
    moments = pa.types.is_timestamp(column.type)
    again = read(table.to_polars())
    assert again.domain["at"].kind == "time"
    assert in_table(again) == in_table(table)
    frame = table.to_pandas()
    assert in_table(read(frame)) == in_table(table) or frame["at"].isna().all()
    if moments or pa.types.is_date(column.type):
        assert pd.api.types.is_datetime64_any_dtype(frame["at"])


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("zone", ZONES)
def test_pandas_frames_come_back_with_their_zone(unit, zone):
    moments = pd.to_datetime(["2024-01-31 10:20:30", None, "1969-12-31 23:59:59"])
    frame = pd.DataFrame({"at": moments.tz_localize(zone).as_unit(unit)})
    back = read(frame).to_pandas()
    assert str(getattr(back["at"].dtype, "tz", None)) == str(getattr(frame["at"].dtype, "tz", None))
    pd.testing.assert_frame_equal(back.astype(frame.dtypes), frame)


def test_pandas_days_are_shown_as_days_and_stay_moments():
    frame = pd.DataFrame({"day": pd.to_datetime(["2024-02-29", None])})
    table = read(frame)
    assert [row["day"] for row in table] == ["2024-02-29", None]
    assert table.to_pandas()["day"].dtype == "datetime64[ns]"


@pytest.mark.parametrize(
    ("freq", "first"),
    [("Y", "2024"), ("M", "2024-03"), ("D", "2024-03-05"), ("h", "2024-03-05 00:00")],
)
def test_periods_are_the_times_at_which_they_begin(freq, first):
    periods = pd.period_range("2024-03-05", periods=2, freq=freq)
    frame = pd.DataFrame({"p": [*periods, pd.NaT]}, dtype=periods.dtype)
    table = read(frame)
    assert table.cell(0, "p") == first
    assert table.cell(2, "p") is None
    starts = periods.to_timestamp()
    assert table.to_pandas()["p"].tolist()[:2] == starts.tolist()


def test_periods_that_are_no_times_are_symbols_as_pandas_spells_them():
    frame = pd.DataFrame({"p": pd.period_range("2024-01", periods=2, freq="Q")})
    table = read(frame)
    assert table.domain["p"].values == ("2024Q1", "2024Q2")
    assert "periods of pandas" in table.notes[0]


def test_objects_of_pandas_are_no_less_than_they_are():
    noon = dt.datetime(2024, 1, 2, 12)  # noqa: DTZ001
    frame = pd.DataFrame(
        {
            "mixed": [dt.date(2024, 1, 1), noon],
            "clock": [dt.time(1, 2, 3), None],
            "day": [dt.date(2024, 1, 1), None],
            "odd": [noon, noon.replace(tzinfo=dt.UTC)],
            "far": [FAR.date(), None],
        },
        dtype=object,
    )
    table = read(frame)
    assert {v.name: v.kind for v in table.domain} == {
        "mixed": "time", "clock": "time", "day": "time", "odd": "sym", "far": "sym",
    }  # fmt: skip
    assert table.cell(1, "mixed") == "2024-01-02 12:00:00"
    assert table.cell(0, "clock") == "01:02:03"
    assert ["several sorts" in note or "before 1678" in note for note in table.notes] == [True] * 2


def test_lengths_of_time_are_seconds_with_a_note():
    frames = [
        pd.DataFrame({"took": pd.to_timedelta(["90s", None])}),
        pl.DataFrame({"took": [dt.timedelta(seconds=90), None]}),
        {"took": np.array([90, "NaT"], "timedelta64[s]")},
        {"took": [dt.timedelta(seconds=90), None]},
    ]
    for frame in frames:
        table = read(frame)
        assert table["took"][0] == 90
        assert table.missing("took").tolist() == [False, True]
        (note,) = table.notes
        assert note == "Column 'took' holds lengths of time; they became numbers of seconds."


@pytest.mark.parametrize(
    "frame",
    [
        pl.DataFrame({"at": [FAR, None]}),
        pl.DataFrame({"at": [FAR.date(), None]}),
        pa.table({"at": pa.array([FAR, None], pa.timestamp("s"))}),
        {"at": np.array(["9999-12-31", "NaT"], "datetime64[D]")},
        {"at": np.array(["99999", "NaT"], "datetime64[Y]")},
        {"at": [FAR, None]},
        [{"at": FAR}, {"at": None}],
    ],
)
def test_what_nanoseconds_cannot_count_is_a_symbol_with_a_note(frame):
    table = read(frame)
    assert table.domain["at"].kind == "sym"
    assert "9999" in table.cell(0, "at")
    assert "before 1678 or after 2261" in table.notes[0]


def test_rows_of_python_hold_times():
    paris = dt.timezone(dt.timedelta(hours=2))
    rows = [(dt.date(2024, 4, 3), dt.datetime(2024, 4, 3, 12, tzinfo=paris), dt.time(7, 30), 1)]
    table = Table.of(rows, ["day", "at", "clock", "n"])
    assert [v.kind for v in table.domain] == ["time", "time", "time", "num"]
    assert list(table[0]) == ["2024-04-03", "2024-04-03 12:00:00+02:00", "07:30:00", 1]
    assert read(table.to_arrow()).equals(table)
    far = Table.of([(FAR, 1)], ["at", "n"])
    assert far.domain["at"].kind == "sym"
    assert "before 1678" in far.notes[0]


def test_moments_of_pandas_keep_their_nanoseconds():
    moment = pd.Timestamp("2024-01-01 00:00:00.123456789", tz="Asia/Tokyo")
    table = Table.of([(moment, 1)], ["at", "n"])
    assert in_table(table) == [moment.value]
    assert table.cell(0, "at") == "2024-01-01 00:00:00.123456789+09:00"


@pytest.mark.parametrize("unit", ["Y", "M", "W", "D", "h", "m", *UNITS])
def test_arrays_of_numpy_are_times(unit):
    array = np.array(["2024-02-29T12:30:15.5", "NaT", "1677-10-01"], "datetime64[ms]")
    array = array.astype(f"datetime64[{unit}]")
    array = np.where(array < np.datetime64("1677-10-01"), np.datetime64("1700-01-01"), array)
    array = array.astype(f"datetime64[{unit}]")
    table = read({"at": array})
    assert np.array_equal(table.column("at"), array.astype(TIME), equal_nan=True)
    assert read(array[:, None]).column("x1").dtype == TIME
    masked = read({"at": np.ma.array(array, mask=[True, False, False])})
    assert masked.missing("at").tolist() == [True, True, False]


def test_nanoseconds_are_not_copied():
    array = np.array(["2024-02-29", "2024-03-01"], TIME)
    assert np.shares_memory(read({"at": array}).column("at"), array)
    column = pa.array(array)
    table = read(pa.table({"at": column}))
    assert np.shares_memory(table.column("at"), np.asarray(column.to_numpy()))
    assert np.shares_memory(table.to_arrow().column("at").chunk(0).to_numpy(), table.column("at"))


def test_duckdb():
    table = read(
        duckdb.sql(
            "select date '2024-01-02' d, timestamp '2024-01-02 03:04:05.25' t, "
            "time '01:02:03' c, timestamp_ns '2024-01-02 00:00:00.000000001' n"
        )
    )
    assert list(table[0]) == [
        "2024-01-02", "2024-01-02 03:04:05.25", "01:02:03", "2024-01-02 00:00:00.000000001",
    ]  # fmt: skip
    arrow = table.to_arrow()
    again = duckdb.from_arrow(arrow).fetchall()[0]
    assert again[0] == dt.date(2024, 1, 2)
    assert again[1] == dt.datetime(2024, 1, 2, 3, 4, 5, 250_000)  # noqa: DTZ001
    assert again[2] == dt.time(1, 2, 3)


@given(arrow_times())
@settings(max_examples=30)
def test_files_keep_types_and_a_scan_sees_what_reading_sees(tmp_path_factory, column):
    folder = tmp_path_factory.mktemp("times")
    data = pa.table({"at": column})
    for ending, put in (("parquet", pq.write_table), ("feather", pf.write_feather)):
        path = folder / f"t.{ending}"
        put(data, path)
        table = read(path)
        assert in_table(table) == in_arrow(column)
        scanned = satsuma.scan(path)
        assert scanned.domain == table.domain
        (batch,) = scanned.batches()
        assert in_table(batch) == in_table(table)
        table.write(path)
        assert read(path).equals(table)


def test_a_scan_turns_to_symbols_where_a_later_row_is_too_far(tmp_path):
    path = tmp_path / "far.parquet"
    days = [dt.date(2024, 1, 1), FAR.date()]
    pq.write_table(pa.table({"day": days}), path, row_group_size=1)
    scanned = satsuma.scan(path)
    assert scanned.domain["day"].values == ("2024-01-01", "9999-12-31")
    assert "before 1678" in scanned.notes[0]
    assert read(path).domain["day"].values == ("2024-01-01", "9999-12-31")


def test_a_format_that_is_said_is_kept_only_while_it_says_all():
    table = Table.of([("23.04.2024", 1)], ["day", "n"], kinds={"day": "time"})
    arrow = table.to_arrow()
    assert arrow.column("day").type == pa.date32()
    assert read(arrow).domain["day"].time_format == TimeFormat("%d.%m.%Y")
    noon = pa.array([dt.datetime(2024, 4, 3, 12)])  # noqa: DTZ001
    changed = arrow.set_column(0, "day", noon).replace_schema_metadata(arrow.schema.metadata)
    assert read(changed).cell(0, "day") == "2024-04-03 12:00:00"


@pytest.mark.parametrize("wrong", [["%Q"], ["%Y", "xx"], 7, ["%Y", "en", "../../etc/passwd"], [3]])
def test_metadata_with_a_format_that_is_none_is_left_aside(wrong):
    table = Table.of([(dt.date(2024, 4, 3), 1)], ["day", "n"])
    arrow = table.to_arrow()
    said = arrow.schema.metadata[b"satsuma"].decode()
    told = json.loads(said)
    told["columns"][0]["format"] = wrong
    arrow = arrow.replace_schema_metadata({b"satsuma": json.dumps(told).encode()})
    again = read(arrow)
    assert again.cell(0, "day") == "2024-04-03"
    assert "damaged" in again.notes[0]
