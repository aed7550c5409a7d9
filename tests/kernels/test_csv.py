"""The scanner of delimited text: the twin is right, and the compiled one is as the twin."""

import random
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from satsuma.kernels.csv import twin as csv_twin
from satsuma.kernels.csv.piece import NUM, NUM_LOOSE, SKIP, SYM, Bad, Dialect, room

try:
    from satsuma.kernels.csv import _native as csv_compiled
except ImportError:
    csv_compiled = None

needs_compiled = pytest.mark.skipif(
    csv_compiled is None, reason="no compiled scanner is installed: there is only its twin"
)


@pytest.fixture(
    params=[
        pytest.param(csv_twin, id="twin"),
        pytest.param(csv_compiled, id="compiled", marks=needs_compiled),
    ]
)
def scanner(request):
    return request.param


def kinds(*each):
    return np.array(each, np.int8)


def spelled(piece, j):
    """The symbols of a column, a missing one as None."""
    return [None if code < 0 else piece.values[j][code] for code in piece.columns[j]]


def assert_same(one, other):
    for part in ("rows", "lines", "values", "bad", "failed", "infinite", "blank", "first_blank"):
        assert getattr(one, part) == getattr(other, part), part
    assert len(one.columns) == len(other.columns)
    for x, y in zip(one.columns, other.columns, strict=True):
        assert (x is None) == (y is None)
        if x is not None:
            assert x.dtype == y.dtype
            assert x.tobytes() == y.tobytes()


# ------------------------------------------------------------------ compiled and twin

PARTS = [
    *(b",", b",", b",", b"\n", b"\n", b"\r", b"\r\n", b'"', b'"', b'""', b"'"),
    *(b";", b"|", b" ", b"\t"),
    *(b"1", b"2.5", b"-3e4", b"007", b"0", b"-0", b"inf", b"-Infinity", b"nan", b"1e400", b".5"),
    *(b"5.", b"+", b"e5", b"1,234", b"12,34", b"1'234'567", b"9007199254740992"),
    *(b"9007199254740993", b"123456789012345678", b"1234567890123456789012"),
    *(b"0.30000000000000004", b"1.7976931348623157e308", b"4.9e-324", b"257.3993152189395630"),
    *(b"?", b"NA", b"a", b"bc", b"seven77", b"eight888", b"another-mark"),
    *(b"\0", b"\xe9", b"\xc3\xa9", b"\xed\xa0\x80", b"\xf0\x9f\x8d\x8a", b"\xef\xbb\xbf"),
]


MARKS = [(), ("seven77", "eight888"), ("another-mark",), ("-0", "2.5"), ("inf", "007")]


def random_dialect(rng, width):
    decimal = rng.choice("..,")
    return Dialect(
        width,
        delimiter=rng.choice(",,,;\t"),
        quote=rng.choice(['"', '"', '"', None, "'"]),
        decimal=decimal,
        thousands=rng.choice([None, None, "'", " ", "," if decimal == "." else "."]),
        strip=rng.random() < 0.5,
        missing=("", "?", "NA", *rng.choice(MARKS)),
        whole=frozenset(j for j in range(width) if rng.random() < 0.2),
    )


def assert_compiled_is_twin(block, dialect, each_kind, keep_bad, start):
    d = dialect
    assert_same(
        csv_compiled.scan(block, d, each_kind, keep_bad),
        csv_twin.scan(block, d, each_kind, keep_bad),
    )
    lines = csv_twin.count_lines(block)
    assert csv_compiled.count_lines(block) == lines
    known = [["a", "?", "some longer word", "seven77", "eight888"][j:] for j in range(d.width)]
    outs = [[room(int(kind), lines) for kind in each_kind] for _ in range(2)]
    assert_same(
        csv_compiled.scan(block, d, each_kind, keep_bad, known=known, out=outs[0]),
        csv_twin.scan(block, d, each_kind, keep_bad, known=known, out=outs[1]),
    )
    cuts = [s.cut(block, d.delimiter, d.quote) for s in (csv_compiled, csv_twin)]
    assert cuts[0] == cuts[1]
    ends = [s.record_end(block, start, d.delimiter, d.quote) for s in (csv_compiled, csv_twin)]
    assert ends[0] == ends[1]


@needs_compiled
@pytest.mark.parametrize("seed", range(12))
def test_compiled_equals_twin_on_texts_made_of_awkward_parts(seed):
    rng = random.Random(seed)
    for _ in range(1000):
        most = 40 if rng.random() < 0.95 else 400
        block = b"".join(rng.choices(PARTS, k=rng.randrange(most)))
        width = rng.choice([1, 1, 2, 2, 3, 4])
        each_kind = kinds(*(rng.randrange(4) for _ in range(width)))
        start = rng.randrange(len(block) + 1)
        assert_compiled_is_twin(
            block, random_dialect(rng, width), each_kind, rng.random() < 0.8, start
        )


@needs_compiled
@settings(max_examples=300)
@given(st.binary(max_size=200), st.randoms(use_true_random=False))
def test_compiled_equals_twin_on_any_bytes(block, rng):
    width = rng.choice([1, 2, 3])
    each_kind = kinds(*(rng.randrange(4) for _ in range(width)))
    start = rng.randrange(len(block) + 1)
    assert_compiled_is_twin(block, random_dialect(rng, width), each_kind, True, start)


@needs_compiled
@pytest.mark.parametrize("seed", range(4))
def test_compiled_equals_twin_on_many_rows(seed):
    """Rows are put into columns some hundreds at a time: the edges of that must not show."""
    rng = random.Random(seed)
    width = rng.choice([1, 3, 40])
    cells = ["", "?", "7", "2.5", '"a ""b"""', '"x\r\ny"', "some longer word", "né"]
    rows = [",".join(rng.choices(cells, k=width)) for _ in range(6000 // width)]
    for _ in range(20):
        rows.insert(
            rng.randrange(len(rows)), rng.choice(["", "a,b", 'a"b', '"a"b', "1" + ",2" * width])
        )
    block = "\n".join(rows).encode()
    each_kind = kinds(*(rng.choice([SYM, SKIP, NUM]) for _ in range(width)))
    assert_compiled_is_twin(block, Dialect(width, missing=("", "?")), each_kind, True, 0)


@needs_compiled
@pytest.mark.parametrize("before", [2, 3])
@pytest.mark.parametrize(("kind", "plain"), [(NUM, "-2.5"), (NUM_LOOSE, "-2.5"), (NUM, "-25")])
def test_compiled_equals_twin_on_every_short_cell_among_numbers(before, kind, plain):
    """Numbers are read two at a time where both are plain: each is the first and the second."""
    letters = ["0", "1", "9", "-", ".", "+", "e", " "]
    words = ["".join(word) for size in range(5) for word in product(letters, repeat=size)]
    words += [sign + "9" * k for k in range(14, 20) for sign in ("", "-")]
    words += ["1" * k + "." + "7" * (n - k) for n in range(13, 18) for k in range(n + 1)]
    long = [lead + word for lead in ("-", "0", "00", "-0") for word in words[-80:]]
    words += long + [word.replace(".", "") for word in long]
    for some in (words[k : k + 61] for k in range(0, len(words), 61)):
        row = ",".join([plain] * len(some)) + "\n"
        block = (row * before + ",".join(some) + "\n" + row * 3).encode()
        dialect = Dialect(len(some), whole=frozenset(range(len(some)) if plain == "-25" else ()))
        assert_same(
            csv_compiled.scan(block, dialect, kinds(*[kind] * len(some))),
            csv_twin.scan(block, dialect, kinds(*[kind] * len(some))),
        )


@needs_compiled
@pytest.mark.parametrize("buffer", [bytes, bytearray, memoryview])
def test_any_buffer_will_do(buffer):
    block, dialect = buffer(b"a,1\nb,2"), Dialect(2)
    assert_compiled_is_twin(block, dialect, kinds(SYM, NUM), False, 4)


# ------------------------------------------------------------------ records and rows


def test_a_plain_block(scanner):
    piece = scanner.scan(b"1,red\n2.5,blue\n?,red\n", Dialect(2, missing=("?",)), kinds(NUM, SYM))
    assert (piece.rows, piece.lines, piece.blank, piece.bad) == (3, 3, 0, [])
    np.testing.assert_array_equal(piece.columns[0], [1.0, 2.5, np.nan])
    assert piece.values == [[], ["red", "blue"]]
    np.testing.assert_array_equal(piece.columns[1], [0, 1, 0])
    assert piece.columns[1].dtype == np.int32


def test_nothing(scanner):
    piece = scanner.scan(b"", Dialect(2), kinds(NUM, SYM))
    assert (piece.rows, piece.lines, piece.bad) == (0, 0, [])
    assert [len(column) for column in piece.columns] == [0, 0]
    assert scanner.cut(b"", ",", '"') == (0, 0)
    assert scanner.record_end(b"", 0, ",", '"') == -1


def test_a_skipped_column_is_none(scanner):
    piece = scanner.scan(b"a,b\n", Dialect(2), kinds(SKIP, SYM))
    assert piece.columns[0] is None
    assert spelled(piece, 1) == ["b"]


@pytest.mark.parametrize(
    ("cell", "meant"),
    [
        (b'"a,b"', "a,b"),
        (b'"a""b"', 'a"b'),
        (b'""""', '"'),
        (b'"a\nb"', "a\nb"),
        (b'"a\r\nb"', "a\r\nb"),
        (b'"a\rb"', "a\rb"),
        (b'5" pipe', '5" pipe'),
        (b' "a"', ' "a"'),
        (b" a ", " a "),
        ("né🍊".encode(), "né🍊"),
    ],
)
def test_what_a_cell_means(scanner, cell, meant):
    assert spelled(scanner.scan(cell + b",x\n", Dialect(2), kinds(SYM, SYM)), 0) == [meant]


@pytest.mark.parametrize(
    ("text", "bad"),
    [
        (b"a,b\nc\n", Bad(4, 6, 2, 1, "short")),
        (b"a,b\nc,d,e\n", Bad(4, 10, 2, 3, "long")),
        (b'a,b\n"c"d,e\n', Bad(4, 11, 2, 2, "after quote")),
        (b'a,b\ny"r, s"\n', Bad(4, 12, 2, 2, "stray quotes")),
        (b'a,b\nc,"d\ne,f\n', Bad(4, 13, 2, 2, "unclosed")),
        (b"a,b\nc,\0\n", Bad(4, 8, 2, 2, "nul")),
        (b"a,b\nc,\xe9\n", Bad(4, 8, 2, 2, "not utf-8")),
        (b'"a\n\nb",c\nd\n', Bad(9, 11, 4, 1, "short")),
        (b"a,b\r\n\r\nc\r\n", Bad(7, 10, 3, 1, "short")),
        (b"a,b\rc\r", Bad(4, 6, 2, 1, "short")),
        (b"a,b\nc", Bad(4, 5, 2, 1, "short")),
    ],
)
def test_a_bad_row_is_told_with_its_line_and_reason(scanner, text, bad):
    piece = scanner.scan(text, Dialect(2), kinds(SYM, SYM), keep_bad=True)
    assert piece.bad == [bad]
    assert piece.rows == 1


def test_of_several_faults_the_graver_is_told(scanner):
    piece = scanner.scan(b'\0\xff"a\n"b"c\n\0"\n', Dialect(2), kinds(SYM, SYM), keep_bad=True)
    assert [bad.reason for bad in piece.bad] == ["not utf-8", "after quote", "nul"]


def test_symbols_that_are_known_have_the_first_codes(scanner):
    known = [["z", "?", "y"], []]
    text, dialect = b"x,p\ny,q\n?,p\nz,\nx,p\n", Dialect(2, missing=("", "?"))
    piece = scanner.scan(text, dialect, kinds(SYM, SYM), known=known)
    assert piece.columns[0].tolist() == [3, 2, -1, 0, 3]
    assert piece.columns[1].tolist() == [0, 1, 0, -1, 0]
    assert piece.values == [["x"], ["p", "q"]]


def test_rows_are_written_to_the_arrays_given(scanner):
    out = [np.full(5, 9.0), None, np.full(5, 9, np.int32)]
    places = [array if array is None else array[1:4] for array in out]
    each_kind = kinds(NUM, SKIP, SYM)
    piece = scanner.scan(b"1,x,a\n\n2,y,b\n", Dialect(3), each_kind, out=places)
    assert piece.rows == 2
    assert out[0].tolist() == [9, 1, 2, 9, 9]
    assert out[2].tolist() == [9, 0, 1, 9, 9]
    assert np.shares_memory(piece.columns[0], out[0])
    assert piece.columns[1] is None


def test_more_rows_than_there_is_room_for_are_refused(scanner):
    with pytest.raises(ValueError, match="more than 2 rows"):
        scanner.scan(b"1\n2\n3\n", Dialect(1), kinds(NUM), out=[np.empty(2)])
    with pytest.raises(ValueError, match="a column without room"):
        scanner.scan(b"1,2\n", Dialect(2), kinds(NUM, SYM), out=[np.empty(2), None])


@needs_compiled
def test_an_array_of_another_kind_is_refused():
    for kind, dtype in ((SYM, np.float64), (NUM, np.int32)):
        with pytest.raises(ValueError, match="another kind"):
            csv_compiled.scan(b"1\n", Dialect(1), kinds(kind), out=[np.empty(2, dtype)])


@pytest.mark.parametrize(
    ("text", "lines"), [(b"", 0), (b"a", 1), (b"a\n", 1), (b"a\r\nb\rc\n\r", 4), (b"\n" * 999, 999)]
)
def test_lines_are_counted(scanner, text, lines):
    assert scanner.count_lines(text) == lines


def test_it_stops_at_the_first_bad_row_unless_they_are_kept(scanner):
    text = b"a,b\nc\nd,e\nf\n"
    piece = scanner.scan(text, Dialect(2), kinds(SYM, SYM))
    assert (piece.rows, len(piece.bad)) == (1, 1)
    piece = scanner.scan(text, Dialect(2), kinds(SYM, SYM), keep_bad=True)
    assert (piece.rows, len(piece.bad)) == (2, 2)


def test_blank_lines_are_cells_of_one_column_and_counted_between_many(scanner):
    one = scanner.scan(b"a\n\nb\n\n", Dialect(1), kinds(SYM))
    assert (spelled(one, 0), one.blank) == (["a", None, "b", None], 0)
    two = scanner.scan(b"a,b\n\r\n\nc,d\n", Dialect(2), kinds(SYM, SYM))
    assert (two.rows, two.blank, two.first_blank) == (2, 2, 2)


def test_without_a_quote_quotes_are_plain(scanner):
    piece = scanner.scan(b'"a,b"\n', Dialect(2, quote=None), kinds(SYM, SYM))
    assert (spelled(piece, 0), spelled(piece, 1)) == (['"a'], ['b"'])


def test_strip_and_marks(scanner):
    dialect = Dialect(1, strip=True, missing=("", "?", "not known at all"))
    piece = scanner.scan(b' a\n\t?\nnot known at all \n" a "\n', dialect, kinds(SYM))
    assert spelled(piece, 0) == ["a", None, None, "a"]
    piece = scanner.scan(b" a\n ?\na\n", Dialect(1, missing=("?",)), kinds(SYM))
    assert spelled(piece, 0) == [" a", " ?", "a"]


def test_a_number_may_be_a_mark(scanner):
    block, dialect = b'-9\n 1\n-9 \n-9.0\n"-9"\n', Dialect(1, missing=("-9", "1.5"))
    piece = scanner.scan(block, dialect, kinds(NUM))
    np.testing.assert_array_equal(piece.columns[0], [np.nan, 1, np.nan, -9, np.nan])
    assert spelled(scanner.scan(block, dialect, kinds(SYM)), 0) == [None, " 1", "-9 ", "-9.0", None]


def test_infinity_may_be_a_mark(scanner):
    piece = scanner.scan(b"1\ninf\n1e999\n", Dialect(1, missing=("inf", "1e999")), kinds(NUM))
    np.testing.assert_array_equal(piece.columns[0], [1, np.nan, np.nan])
    assert piece.infinite == {}


@pytest.mark.parametrize("size", range(5, 19))
def test_marks_and_symbols_of_every_size(scanner, size):
    """Spellings of up to 7 bytes are kept in another way than longer ones."""
    words = [
        "x" * size,
        "x" * (size - 1) + "y",
        "x" * (size - 1),
        "y" + "x" * (size - 1),
        "x" * (size + 1),
    ]
    words += ["é" * (size // 2), "\x01" * size]
    mark = "m" * size
    cells = [*words, mark, *reversed(words)]
    piece = scanner.scan("\n".join(cells).encode(), Dialect(1, missing=(mark,)), kinds(SYM))
    assert spelled(piece, 0) == [None if cell == mark else cell for cell in cells]
    assert piece.values == [words]


def test_a_hundred_thousand_symbols(scanner):
    words = [f"{k * 7919 % 100_000}" for k in range(50_000)]
    words += [f"a longer word, number {k}" for k in range(50_000)]
    cells = [*words, *words[::-1]]
    block = "\n".join(f'"{cell}"' for cell in cells).encode()
    piece = scanner.scan(block, Dialect(1), kinds(SYM))
    assert piece.values == [words]
    np.testing.assert_array_equal(piece.columns[0], [*range(100_000), *range(99_999, -1, -1)])


# ------------------------------------------------------------------ numbers

SPELLED = """
    0 -0 0.0 1 -1 +1 1. .5 -.5 1e5 1E-5 1e+5 00 007 -012.50 0e0 0e999 0.000e-400
    9007199254740991 9007199254740992 9007199254740993 9007199254740995 -9007199254740993
    18446744073709551615 18446744073709551616 9999999999999999999 10000000000000000000
    1e22 1e23 8.5e22 123456789e22 1e-22 1e-23 123456789012345678e-22 9007199254740993e-1
    1.7976931348623157e308 1.7976931348623158e308 -1.7976931348623157e308
    2.2250738585072014e-308 2.2250738585072011e-308 4.9406564584124654e-324 5e-324
    2.4703282292062327e-324 2.4703282292062328e-324 2.47e-324 1e-323 1e-400 -1e-400
"""
#: A quotient of 64 bits, rounded once more to 53, gets these wrong.
ROUNDED_TWICE = """
    590.5438539185294644 34.78146548058665033 4.354152155211045372
    705.9439655640387059 646.0973322729022925 257.3993152189395630
"""
#: Half way between two doubles, and a hair to either side.
HALF_WAY = """
    1.00000000000000011102230246251565404236316680908203125
    1.00000000000000011102230246251565404236316680908203124
    1.00000000000000011102230246251565404236316680908203126
"""
HARD = [
    *(SPELLED + ROUNDED_TWICE + HALF_WAY).split(),
    "1" * 400 + "e-400",
    "0." + "0" * 300 + "1234567890123456789",
    "." + "3" * 400,
    "12345678901234567890" * 15,
    "1" + "0" * 308,
    "0" * 500 + "1",
]


def bits(numbers):
    return np.asarray(numbers, np.float64).view(np.int64).tolist()


def assert_reads_as_float(scanner, cells):
    block = "\n".join([*cells, "x" * 20]).encode()  # a last cell, so that others lie within
    piece = scanner.scan(block[:-21], Dialect(1), kinds(NUM_LOOSE))
    assert (piece.failed, piece.infinite) == ({}, {})
    wrong = [
        cell
        for cell, got, meant in zip(
            cells, bits(piece.columns[0]), bits([*map(float, cells)]), strict=True
        )
        if got != meant
    ]
    assert wrong == []


def test_hard_numbers_are_right_to_the_last_bit(scanner):
    assert_reads_as_float(scanner, HARD)


@pytest.mark.parametrize("cell", HARD)
def test_each_hard_number_alone_between_blanks_and_in_quotes(scanner, cell):
    text = f'{cell}\n \t{cell} \n" {cell}"\n'.encode()
    piece = scanner.scan(text, Dialect(1), kinds(NUM_LOOSE))
    assert bits(piece.columns[0]) == bits([float(cell)] * 3)


@pytest.mark.parametrize("seed", range(4))
def test_random_numbers_are_right_to_the_last_bit(scanner, seed):
    rng = random.Random(seed)
    cells = []
    for _ in range(2000):
        digits = str(rng.randrange(10 ** rng.randrange(1, 25)))
        at = rng.randrange(len(digits) + 1)
        power = rng.choice(["", "", f"e{rng.randrange(-30, 30)}", f"E{rng.randrange(-330, 280)}"])
        cells.append(rng.choice(["", "-", "+"]) + digits[:at] + "." + digits[at:] + power)
        cells.append(digits + power)
        cells.append(repr(rng.uniform(-1, 1) * 10.0 ** rng.randrange(-300, 300)))
        cells.append(f"{rng.gauss(0, 100):.{rng.randrange(20)}f}")
    assert_reads_as_float(scanner, [cell for cell in cells if np.isfinite(float(cell))])


@pytest.mark.parametrize("seed", range(4))
def test_numbers_next_to_the_middle_of_two_doubles(scanner, seed):
    rng = random.Random(seed)
    cells = []
    for _ in range(1000):
        low = rng.uniform(1, 10) * 10.0 ** rng.randrange(-4, 4)
        middle = (Fraction(low) + Fraction(float(np.nextafter(low, np.inf)))) / 2
        places = rng.randrange(10, 22)
        near = round(middle * 10**places)
        digits = [f"{near + d:0{places + 1}d}" for d in (-1, 0, 1)]
        cells += [f"{each[:-places]}.{each[-places:]}" for each in digits]
    assert_reads_as_float(scanner, cells)


@pytest.mark.parametrize(
    "word", ["", " ", "x", "1x", "1 2", "1e", "e5", "+", "-", ".", "--1", "1..2", "1e5.5"]
)
def test_what_is_no_number(scanner, word):
    piece = scanner.scan(f"1,\n{word},\n".encode(), Dialect(2), kinds(NUM_LOOSE, SKIP))
    assert piece.failed == ({0: (2, word)} if word.strip() else {})


@pytest.mark.parametrize("word", ["0x10", "1_000", "١٢", "1d5", "nan", "1,5", "infinit", "in", "½"])
def test_what_python_or_others_would_take_for_a_number(scanner, word):
    piece = scanner.scan(f'"{word}"\n'.encode(), Dialect(1), kinds(NUM_LOOSE))
    assert piece.failed == {0: (1, word)}


@pytest.mark.parametrize("word", ["inf", "-inf", "+Infinity", "INF", "1e400", "-1e309", "1" * 310])
def test_infinite_numbers_are_told(scanner, word):
    piece = scanner.scan(f"1\n{word}\n".encode(), Dialect(1), kinds(NUM_LOOSE))
    assert piece.infinite == {0: (2, word)}
    np.testing.assert_array_equal(piece.columns[0], [1, np.nan])


@pytest.mark.parametrize(
    "word",
    ["007", "00", "-01", "00.5", "9007199254740993", "-9007199254740994", "1" * 30],
)
def test_names_made_of_digits_are_no_numbers_unless_asked_for(scanner, word):
    assert scanner.scan(word.encode(), Dialect(1), kinds(NUM)).failed == {0: (1, word)}
    assert bits(scanner.scan(word.encode(), Dialect(1), kinds(NUM_LOOSE)).columns[0]) == bits(
        [float(word)]
    )


@pytest.mark.parametrize(
    "word", ["0", "0.5", "-0", "0e5", "9007199254740992", "9007199254740993.0", "1e30"]
)
def test_numbers_that_look_like_names_but_are_none(scanner, word):
    assert bits(scanner.scan(word.encode(), Dialect(1), kinds(NUM)).columns[0]) == bits(
        [float(word)]
    )


def test_thousands_of_digits(scanner):
    """More than Python turns into an integer."""
    word = "1" * 5000
    assert scanner.scan(word.encode(), Dialect(1), kinds(NUM)).failed == {0: (1, word)}
    assert scanner.scan(word.encode(), Dialect(1), kinds(NUM_LOOSE)).infinite == {0: (1, word)}


@pytest.mark.parametrize(
    ("cell", "decimal", "thousands", "value"),
    [
        ("1,5", ",", None, 1.5),
        ("1.234,5", ",", ".", 1234.5),
        ("1,234", ".", ",", 1234),
        ("1,234,567.25", ".", ",", 1234567.25),
        ("-1'234", ".", "'", -1234),
        ("1 234 567", ".", " ", 1234567),
        ("999", ".", ",", 999),
        ("1234", ".", ",", 1234),
        ("9,007,199,254,740,993.5", ".", ",", 9007199254740993.5),
        ("12,34", ".", ",", None),
        ("1,2345", ".", ",", None),
        ("1234,567", ".", ",", None),
        (",123", ".", ",", None),
        ("1,,234", ".", ",", None),
        ("1,", ".", ",", None),
        ("0,123", ".", ",", None),
        ("1.5,000", ".", ",", None),
        ("1.5", ",", None, None),
        ("9,007,199,254,740,993", ".", ",", None),
    ],
)
def test_decimals_and_thousands(scanner, cell, decimal, thousands, value):
    dialect = Dialect(1, ";", decimal=decimal, thousands=thousands)
    piece = scanner.scan(cell.encode(), dialect, kinds(NUM))
    if value is None:
        assert piece.failed == {0: (1, cell)}
    else:
        assert bits(piece.columns[0]) == bits([value])


@pytest.mark.parametrize("cell", ["1.5", "1,5", "1.", ".5", "1.234", "1.0e3"])
@pytest.mark.parametrize("kind", [NUM, NUM_LOOSE])
def test_whole_numbers_have_no_decimal_mark(scanner, cell, kind):
    dialect = Dialect(2, ";", whole=frozenset([0]))
    piece = scanner.scan(f"-12;1.5\n1e3;1.5\n{cell};1.5\n".encode(), dialect, kinds(kind, NUM))
    assert piece.failed == {0: (3, cell)}
    assert bits(piece.columns[1]) == bits([1.5] * 3)
    piece = scanner.scan(b"-12;1.5\n1e3;2\n", dialect, kinds(kind, NUM))
    assert bits(piece.columns[0]) == bits([-12, 1000])


def test_the_first_cell_that_is_no_number_ends_the_column(scanner):
    piece = scanner.scan(b'1,a\n"2\n",b\nx,c\ny,d\n', Dialect(2), kinds(NUM, SYM))
    assert piece.failed == {0: (2, "2\n")}
    assert piece.columns[0] is None
    assert spelled(piece, 1) == ["a", "b", "c", "d"]


def test_a_cell_that_is_told_is_told_as_it_is_meant(scanner):
    piece = scanner.scan(b'"a ""b"""\n', Dialect(1), kinds(NUM))
    assert piece.failed == {0: (1, 'a "b"')}


# ------------------------------------------------------------------ cut anywhere


@pytest.mark.parametrize(
    ("text", "quote", "at"),
    [
        (b"a\nb\nc", '"', 4),
        (b"a\nb\n", '"', 4),
        (b"abc", '"', 0),
        (b"a\r", '"', 0),
        (b"a\rb", '"', 2),
        (b"a\r\n", '"', 3),
        (b'a\n"b\n', '"', 2),
        (b'a\n"b\n', None, 5),
        (b'a\n"b"', '"', 2),
        (b'a\n"b"\n', '"', 6),
        (b'a\n"b""\n', '"', 2),
        (b'a\n5" pipe\n', '"', 10),
        (b"a\n'b\n", "'", 2),
    ],
)
def test_where_the_last_complete_record_ends(scanner, text, quote, at):
    assert scanner.cut(text, ",", quote) == (at, len(text[:at].splitlines()))


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        (b"a,b\nc\n", 0, 4),
        (b"a,b\nc\n", 4, 6),
        (b"a,b", 0, -1),
        (b"a,b\r", 0, -1),
        (b"a,b\r\nc", 0, 5),
        (b"a,b\rc", 0, 4),
        (b'"a\nb"\n', 0, 6),
        (b'"a\nb', 0, -1),
        (b"\nb", 0, 1),
    ],
)
def test_where_a_record_ends(scanner, text, start, end):
    assert scanner.record_end(text, start, ",", '"') == end


def rows_of(scanner, blocks, dialect, each_kind):
    """Rows, and lines of bad ones, of a text that comes in blocks."""
    rows, bad, lines = [], [], 0
    for block in blocks:
        piece = scanner.scan(block, dialect, each_kind, True)
        columns = [
            spelled(piece, j) if kind == SYM else piece.columns[j].tolist()
            for j, kind in enumerate(each_kind)
        ]
        rows += map(repr, zip(*columns, strict=True))  # as text, since NaN is not itself
        bad += [(lines + b.line, b.reason) for b in piece.bad]
        lines += piece.lines
    return rows, bad, lines


@pytest.mark.parametrize("seed", range(6))
def test_two_blocks_give_the_same_rows_as_one(scanner, seed):
    rng = random.Random(seed)
    cells = [b"1", b"", b"2.5", b'"3"', b'"4\r\n"', b'" 5 "', b'"\r"', b'""']
    names = [
        b"a",
        b"",
        b'"b\nc"',
        b'"d""e"',
        b'5" pipe',
        b'"\r\n"',
        b'"f,g"',
        b"\r",
        b'"h"i',
        b"j,k",
    ]
    ends = [b"\n", b"\r\n", b"\r"]
    text = b"".join(
        rng.choice(cells).replace(b"\r\n", b" ").replace(b"\r", b"")
        + b","
        + rng.choice(names)
        + rng.choice(ends)
        for _ in range(25)
    )
    dialect, each_kind = Dialect(2), kinds(NUM, SYM)
    whole = rows_of(scanner, [text], dialect, each_kind)
    for seen in range(len(text) + 1):
        cut, lines = scanner.cut(text[:seen], ",", '"')
        assert lines == scanner.count_lines(text[:cut])
        assert cut <= seen
        assert rows_of(scanner, [text[:cut], text[cut:]], dialect, each_kind) == whole


@pytest.mark.parametrize(
    "row", ['5",6"', '5" pipe,6" pipe', 'a"b"c,d"', '"a""b",c"', 'a"b,c"d', 'a,b"', '"a","b"']
)
def test_quotes_that_are_ordinary_characters(scanner, row):
    assert not scanner.scan(row.encode() + b"\n", Dialect(2), kinds(SYM, SYM), True).bad
