"""JSON lines as typed columns: compiled as the twin, whatever the bytes."""

import json
import random
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from satsuma.kernels import jsonl
from satsuma.kernels.jsonl import Records, twin

TEXTS = st.text(max_size=12) | st.sampled_from(["", "a", "\U0001f34a", 'say "so"\\', "\ud800"])
CELLS = {
    "number": st.integers(-(2**54), 2**54) | st.floats(allow_nan=True) | st.none(),
    "word": TEXTS | st.none(),
    "boolean": st.booleans() | st.none(),
    "null": st.none(),
    "odd": st.integers() | TEXTS | st.booleans() | st.lists(st.integers(), max_size=2),
}
#: What a mistake or a strange writer would put somewhere.
SPLICES = (
    *(
        b'"',
        b"\\",
        b"{",
        b"}",
        b"[",
        b",",
        b":",
        b"\n",
        b"\r\n",
        b"\t",
        b" ",
        b"\x00",
        b"\x0b",
        b"\xff",
    ),
    *(
        b"null",
        b"true",
        b"nul",
        b"NaN",
        b"-",
        b"01",
        b"1.",
        b".5",
        b"1e",
        b"1e999",
        b"-0",
        b"9" * 20,
    ),
    *(b"\\u12", b"\\ud83c\\udf4a", b"\\ud83c", b"\\udf4a", b"\\x", b"\xc3\xa9", b"\xc3", b'"a":1,'),
    *(b"9007199254740992", b"9007199254740991", b"1e-400", b"0.1e+5", b"-0.0", b"4.9e-324"),
)


def same(one: Records | None, other: Records | None) -> None:
    """Fail where one build gives what the other does not."""
    assert (one is None) == (other is None)
    if one is None or other is None:
        return
    assert one[1:4] == other[1:4]
    np.testing.assert_array_equal(one.line, other.line)
    assert list(one.columns) == list(other.columns)
    for mine, theirs in zip(one.columns.values(), other.columns.values(), strict=True):
        assert (mine.sort, list(mine.values)) == (theirs.sort, list(theirs.values))
        assert (mine.cells is None) == (theirs.cells is None)
        if mine.cells is not None and theirs.cells is not None:
            assert mine.cells.dtype == theirs.cells.dtype
            assert mine.cells.tobytes() == theirs.cells.tobytes() or _equal(mine, theirs)


def _equal(mine: jsonl.Column, theirs: jsonl.Column) -> bool:
    """Numbers to the last bit; one missing number is as good as another."""
    a, b = np.asarray(mine.cells), np.asarray(theirs.cells)
    return np.array_equal(a, b, equal_nan=True) and np.array_equal(np.signbit(a), np.signbit(b))


@st.composite
def lines(draw: st.DrawFn) -> bytes:
    """Lines of objects, as some writer has them."""
    keys = draw(st.lists(TEXTS, max_size=4, unique=True))
    sorts = [CELLS[draw(st.sampled_from(sorted(CELLS)))] for _ in keys]
    ascii_only, gap = draw(st.booleans()), draw(st.sampled_from([(",", ":"), (", ", ": ")]))
    made = list[str]()
    for _ in range(draw(st.integers(0, 6))):
        record = dict[str, Any]()
        for key, cells in zip(keys, sorts, strict=True):
            if draw(st.integers(0, 5)):
                record[key] = draw(cells)
        made.append(json.dumps(record, ensure_ascii=ascii_only, separators=gap))
        if not draw(st.integers(0, 9)):
            made.append(draw(st.sampled_from(["", " ", "\t\r", "\x0b"])))
    end = draw(st.sampled_from(["\n", "\r\n"]))
    return (end.join(made) + draw(st.sampled_from(["", end]))).encode("utf-8", "surrogatepass")


@given(text=lines())
@example(text=b"")
@example(text=b"\n\n")
@example(text=b"{}")
@example(text=b'{"a": 1}\n{"a": 2')
@example(text=b'{"": 1, "": 2}')
@example(text=b'{"a": 9007199254740992}')
@example(text=b'{"a": 9007199254740992.0}')
@example(text=b'{"a": 9007199254740992.0}\n{"a": 1}')
@example(text=b'{"a": -0}\n{"a": -0.0}')
@example(text=b'\xef\xbb\xbf{"a": 1}')
def test_compiled_as_the_twin(text: bytes) -> None:
    same(jsonl.read(text), twin.read(text))


def test_compiled_as_the_twin_where_bytes_were_changed() -> None:
    """Whatever is put in, left out or written over, both builds read the same or leave it alone."""
    draw = random.Random(7)
    plain = [
        b'{"a": 1.5, "b": "x", "c": true}\n{"a": -3e2, "b": "y\\n", "c": null}\n',
        b'{"a key of many letters":"a text that is longer than eight bytes","n":1234567890}',
        b'{"s":"\\u00e9\\ud83c\\udf4a and more","t":"\xc3\xa9"}\r\n\r\n{"t":"","s":null}\r\n',
        b'{}\n{"a":0}\n \n{"b":false,"a":0.1}\n{"a":null}',
    ]
    read = 0
    for _ in range(10_000):
        text = bytearray(draw.choice(plain))
        for _ in range(draw.randint(1, 3)):
            at = draw.randrange(len(text) + 1)
            match draw.randrange(3):
                case 0:
                    text[at:at] = draw.choice(SPLICES)
                case 1:
                    del text[at : at + draw.randint(1, 4)]
                case _:
                    text[at : at + 1] = draw.randbytes(1)
        found = jsonl.read(bytes(text))
        same(found, twin.read(bytes(text)))
        read += found is not None
    assert read > 500, "most changes make what no build reads"


@pytest.mark.parametrize(
    "line",
    [
        *('{"a": 1e400}', '{"a": NaN}', '{"a": [1]}', '{"a": {"b": 1}}', '{"a": 1}{"a": 2}', "[1]"),
        *('{"a": 1, "a": 2}', '{"a": 01}', '{"a": +1}', '{"a": .5}', '{"a": 1,}', '{"a"}', "1"),
        *(
            '{"a": "\\ud800"}',
            '{"a": "\x01"}',
            '{"a": tru}',
            '{"a": 1} x',
            '{"a": 123456789012345678}',
        ),
    ],
)
def test_what_is_not_plain_is_left_alone(line: str) -> None:
    for read in (jsonl.read, twin.read):
        assert read(f'{{"a": 1}}\n{line}\n'.encode()) is None


def test_columns_that_come_late_are_missing_before() -> None:
    found = jsonl.read(b"{}\n" * 100 + b'{"a": 1, "b": "x"}\n\n{"c": true}')
    assert found is not None
    assert (found.lines, found.blank, found.first_blank) == (103, 1, 102)
    assert found.line.tolist() == [*range(1, 102), 103]
    a, b, c = (np.asarray(found.columns[key].cells) for key in "abc")
    assert np.flatnonzero(~np.isnan(a)).tolist() == np.flatnonzero(b >= 0).tolist() == [100]
    assert np.flatnonzero(c >= 0).tolist() == [101]
