import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from satsuma.kernels import spelling
from satsuma.kernels.spelling import Room, Spelled, lines
from satsuma.kernels.spelling import twin as spelling_twin

FORM = [b""], b"\n", b"?"


def same(numbers):
    assert lines([numbers], *FORM) == spelling_twin.lines([numbers], *FORM)


@given(st.lists(st.floats()))
def test_numbers_are_spelled_as_by_the_twin(numbers):
    same(np.array(numbers, np.float64))


def test_numbers_of_all_sizes_are_spelled_as_by_the_twin():
    rng = np.random.default_rng(0)
    same(rng.integers(0, 2**64, 50_000, dtype=np.uint64).view(np.float64))
    same(rng.normal(size=20_000))
    same(np.round(rng.normal(size=20_000) * 1e4, 3))
    same(2.0 ** np.arange(-1074, 1024))
    same(np.array([float(f"{d}e{p}") for p in range(-324, 309) for d in (1, 2, 9.5, 9.999)]))
    same(2.0**53 + np.arange(-5, 5))
    same(1e16 + np.arange(-5, 5) * 2)


def test_numbers_that_are_read_back_are_the_same():
    numbers = np.random.default_rng(1).integers(0, 2**63, 20_000, dtype=np.uint64)
    numbers = numbers.view(np.float64)[np.isfinite(numbers.view(np.float64))]
    read = [float(line) for line in bytes(lines([numbers], *FORM)).split()]
    np.testing.assert_array_equal(read, numbers)


def test_columns_far_apart_in_memory_and_strings_beside_them():
    numbers = np.arange(12.0).reshape(4, 3) / 8
    numbers[1, 1] = np.nan
    strings = Spelled.of(np.array([0, -1, 1, 0], np.int32), ['"é"', '""', "null"])
    columns = [numbers[:, 1], strings, numbers[::-1, 2]]
    form = [b'{"a": ', b', "b": ', b', "c": '], b"}\n", b"null"
    written = lines(columns, *form)
    assert written == spelling_twin.lines(columns, *form)
    records = [json.loads(line) for line in bytes(written).decode().splitlines()]
    assert [each["a"] for each in records] == [0.125, None, 0.875, 1.25]
    assert [each["b"] for each in records] == ["é", None, "", "é"]
    assert [each["c"] for each in records] == [1.375, 1, 0.625, 0.25]


def test_whole_numbers_of_every_length_are_spelled_as_by_the_twin():
    whole = np.array([int("9" * size) for size in range(1, 17)] + [10**size for size in range(16)])
    for numbers in (whole.astype(np.float64), whole / 8, whole / 1e8, -whole / 1e19):
        same(numbers)


def test_room_is_used_again_and_grows():
    room = Room()
    for size in (3, 1, 200, 2):
        numbers = np.linspace(0, 1, size)
        given = lines([numbers, numbers], [b"", b","], b"\n", b"", room)
        assert given == lines([numbers, numbers], [b"", b","], b"\n", b"")
        del given


def test_no_rows_and_no_columns_are_no_lines():
    assert lines([np.zeros(0)], *FORM) == b""
    assert lines([], [], b"\n", b"") == b""


@pytest.mark.skipif(not spelling.compiled, reason="the twin trusts its caller")
def test_what_does_not_fit_is_refused():
    two, three = np.zeros(2), np.zeros(3)
    strings = Spelled.of(np.zeros(2, np.int32), ["a"])
    wrong = [
        ([two, three], [b"", b","]),
        ([two], [b"", b","]),
        ([strings._replace(codes=np.ones(2, np.int32))], [b""]),
        ([strings._replace(text=b"")], [b""]),
        ([strings._replace(edges=np.array([0, 2, 1]))], [b""]),
    ]
    for columns, before in wrong:
        with pytest.raises(ValueError, match=r".+"):
            lines(columns, before, b"\n", b"")
