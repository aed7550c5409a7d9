import pandas as pd
import pytest

from satsuma import Table, read, scan, write
from satsuma.errors import ReadError, WriteError


def jsonl(text, **options):
    return read(text.encode("utf-8", "surrogatepass"), format="jsonl", **options)


def rows(table):
    return [list(row) for row in table]


def test_objects_become_rows():
    table = jsonl('{"n": 1, "s": "é"}\n{"s": null, "b": true, "n": 2.5}\r\n{}')
    assert table.domain.names == ("n", "s", "b")
    assert rows(table) == [[1.0, "é", None], [2.5, None, "True"], [None, None, None]]
    assert not table.notes


def test_a_byte_order_mark_and_blank_lines():
    table = jsonl('\ufeff{"a": 1}\n\n  \n{"a": 2}\n')
    assert rows(table) == [[1.0], [2.0]]
    assert table.notes == ("2 blank lines were left out, the first at line 2.",)


def test_an_empty_file_is_an_empty_table():
    assert jsonl("").shape == (0, 0)


def test_large_numbers_and_mixed_columns():
    table = jsonl('{"k": 9007199254740993, "m": 1}\n{"k": 1, "m": "x"}')
    assert table.domain["k"].values == ("9007199254740993", "1")
    assert table.domain["m"].values == ("1", "x")
    assert [each.code for each in table.notes] == ["large numbers", "numbers and words"]
    assert rows(jsonl('{"a": NaN}\n{"a": 1}')) == [[None], [1.0]]


def test_a_scan_tells_of_large_numbers_too(tmp_path):
    for power in (60, 130):
        path = tmp_path / "t.jsonl"
        path.write_text("".join(f'{{"a": {2**power + k}}}\n' for k in range(30)))
        for found in (read(path), scan(path)):
            assert [v.kind for v in found.domain] == ["sym"]
            assert any(each.code == "large numbers" for each in found.notes)
        assert read(path, kinds={"a": "num"})["a"][0] == 2.0**power


def test_kinds_and_target():
    table = jsonl('{"a": 7, "b": "x"}', kinds={"a": "sym", "b": "text"}, target="a")
    assert rows(table) == [["7", "x"]]
    assert table.domain["b"].kind == "text"
    with pytest.raises(ReadError, match=r"line 2: column 'a' is to hold numbers.*'x'"):
        jsonl('{"a": 1}\n{"a": "x"}', kinds={"a": "num"})


GOOD = '{"a": 1}\n'


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (GOOD + '{"a": 1,}', "line 2: not JSON: .* at column 9"),
        (GOOD + '{"a": 1} {"a": 2}', "line 2: not JSON"),
        (GOOD + "[1, 2]", "line 2: a line that is no object.*json.load"),
        (GOOD + "5", "line 2: a line that is no object"),
        (GOOD + '{"a": [1]}', "line 2: the value of 'a' is nested"),
        (GOOD + '{"a": {"b": 1}}', "line 2: the value of 'a' is nested"),
        (GOOD + '{"a": 1, "a": 2}', "line 2: the key 'a' appears twice"),
        (GOOD + '{"a": Infinity}', "line 2: the value of 'a' is infinite"),
        (GOOD + '{"a": 1e999}', "line 2: the value of 'a' is infinite"),
        (GOOD + '{"a": "\\ud800"}', "line 2: the value of 'a' is not valid Unicode"),
        (GOOD + '{"a": "\ud800"}', "line 2: bytes that are not UTF-8"),
        (GOOD + '{"a": ' + "9" * 5000 + "}", "line 2: "),
        (GOOD + '{"a": ' + "[" * 100_000, "line 2: "),
    ],
    ids=range(13),
)
def test_errors_name_file_and_line(tmp_path, text, told):
    path = tmp_path / "bad.jsonl"
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    with pytest.raises(ReadError, match=told) as caught:
        read(path)
    assert caught.value.file == str(path)


def test_what_is_written_reads_the_same_in_pandas(tmp_path):
    table = Table.of([(1.5, "x,é"), (None, None), (3, 'say "hi"')], ["n", "s"])
    write(table, tmp_path / "t.jsonl")
    frame = pd.read_json(tmp_path / "t.jsonl", lines=True)
    pd.testing.assert_frame_equal(frame, table.to_pandas().astype({"s": frame["s"].dtype}))
    first = (tmp_path / "t.jsonl").read_text().splitlines()[0]
    assert first == '{"n": 1.5, "s": "x,é"}'


def test_no_rows_are_refused(tmp_path):
    with pytest.raises(WriteError, match="without rows"):
        write(Table.of([], ["a"]), tmp_path / "t.jsonl")
    with pytest.raises(WriteError, match=r"'s'.*surrogate"):
        write(Table.of([("\ud800",)], ["s"]), tmp_path / "t.jsonl")
    assert not list(tmp_path.iterdir())


def test_strings_that_are_dates_throughout_are_times(tmp_path):
    lines = [
        '{"day": "2024-02-29", "at": "2024-02-29T12:30:00Z", "eu": "29.02.2024", "s": "2024-02"}',
        '{"day": null, "at": "2024-02-29T12:30:00.5Z", "eu": "01.03.2024", "s": "soon"}',
    ]
    path = tmp_path / "t.jsonl"
    path.write_text("\n".join(lines))
    table = read(path)
    assert [v.kind for v in table.domain] == ["time", "time", "sym", "sym"]
    assert [row["at"] for row in table] == ["2024-02-29T12:30:00Z", "2024-02-29T12:30:00.5Z"]
    assert scan(path).domain == table.domain
    asked = read(path, kinds={"eu": "time", "day": "sym"})
    assert [v.kind for v in asked.domain] == ["sym", "time", "time", "sym"]
    table.write(tmp_path / "again.jsonl")
    assert read(tmp_path / "again.jsonl").equals(table)


def test_a_later_string_that_is_no_date_makes_symbols_of_all(tmp_path):
    path = tmp_path / "t.jsonl"
    path.write_text('{"day": "2024-02-29"}\n' * 2000 + '{"day": "soon"}\n')
    for table in (read(path), scan(path)):
        assert table.domain["day"].values == ("2024-02-29", "soon")
    with pytest.raises(ReadError, match="column 'day' is to hold times, but here it holds 'soon'"):
        read(path, kinds={"day": "time"})
