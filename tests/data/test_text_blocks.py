"""Blocks: a stream of bytes, cut where records end."""

import gzip
import io
import random

import pyarrow as pa
import pytest

from satsuma.data.files import Content
from satsuma.data.formats.delimited import text_blocks as blocks
from satsuma.data.formats.delimited.text_blocks import Blocks
from satsuma.errors import ReadError

TEXT = 'a,b\r\n1,"x\r\ny"\r\n2,"z ""w"""\n3,é🍊\r4,"\n"\n5,'.encode()
RECORDS = [b"a,b\r\n", b'1,"x\r\ny"\r\n', b'2,"z ""w"""\n', "3,é🍊\r".encode(), b'4,"\n"\n', b"5,"]


def taken(some, quote='"'):
    return [bytes(block) for block, _ in some.rest(",", quote)]


def rest(source, size, encoding=None, quote='"'):
    return taken(Blocks(source, encoding, size), quote)


@pytest.mark.parametrize("size", range(1, len(TEXT) + 2))
def test_blocks_are_whole_records_and_all_of_the_text(size):
    found = rest(TEXT, size)
    assert b"".join(found) == TEXT
    ends = {len(b"".join(RECORDS[: k + 1])) for k in range(len(RECORDS))}
    assert {len(b"".join(found[: k + 1])) for k in range(len(found))} <= ends


@pytest.mark.parametrize("size", [1, 2, 5, 100])
def test_records_are_taken_one_by_one(size):
    some = Blocks(TEXT, None, size)
    assert some.peek_record(",", '"') == RECORDS[0]
    assert [some.record(",", '"') for _ in RECORDS] == RECORDS
    assert some.record(",", '"') == b""
    assert taken(some) == []


@pytest.mark.parametrize("size", [1, 2, 5, 100])
def test_some_records_then_the_rest(size):
    some = Blocks(TEXT, None, size)
    assert some.record(",", '"') == RECORDS[0]
    assert some.record(",", '"') == RECORDS[1]
    assert b"".join(taken(some)) == b"".join(RECORDS[2:])


def test_a_record_further_on_can_be_looked_at():
    some = Blocks(b"\n\na,b\n1,2\n", None, 1)
    assert some.peek_record(",", '"', 2) == b"a,b\n"
    assert some.record(",", '"') == b"\n"


def test_peek_takes_nothing():
    some = Blocks(TEXT, None, 4)
    seen = some.peek()
    assert len(seen) >= 4
    assert TEXT.startswith(seen)
    assert b"".join(taken(some)) == TEXT


def test_peek_goes_on_until_there_is_something_to_see():
    assert b"a" in Blocks(b"\n" * 50 + b"a\n", None, 4).peek()


def test_without_quotes_every_line_end_is_the_end_of_a_record():
    text = b'a\n"b\n' + b"c\n" * 20
    assert len(rest(text, 1, quote=None)[0]) < len(rest(text, 1)[-1])
    assert b"".join(rest(text, 1, quote=None)) == text


@pytest.mark.parametrize("ahead", [0, 1, 5])
@pytest.mark.parametrize("encoding", [None, "latin-1"])
def test_a_block_stays_as_it_is_until_enough_others_are_taken(ahead, encoding):
    """Its memory is used again, but not while it may still be looked at."""
    text = b"".join(b"%d,x\n" % k for k in range(2000))
    held = []
    for block, _ in Blocks(text, encoding, 100).rest(",", '"', ahead):
        held.append((block, bytes(block)))
        assert all(bytes(view) == copy for view, copy in held[-ahead - 1 :])
    assert b"".join(copy for _, copy in held) == text


def test_nothing():
    assert rest(b"", 10) == []
    assert Blocks(b"", None).peek() == b""


@pytest.mark.parametrize("size", [1, 3, 8, 1000])
def test_a_record_longer_than_many_blocks(size):
    text = b'"' + b"line\n" * 2000 + b'",x\ny,z\n'
    assert b"".join(rest(text, size)) == text
    assert len(rest(text, size)[0]) >= len(text) - 4


def test_a_record_without_an_end_is_refused_before_memory_runs_out(monkeypatch):
    monkeypatch.setattr(blocks, "LONGEST", 1000)
    text = b'a,b\n1,"x\n' + b"2,y\n" * 1000
    with pytest.raises(ReadError, match="starts at byte 4 is longer than 1,000 bytes") as caught:
        rest(text, 4)
    assert "quote=None" in caught.value.remedy
    with pytest.raises(ReadError, match="starts at byte 0"):
        Blocks(text[6:], None, 100).record(",", '"')


# ------------------------------------------------------------------ encodings


@pytest.mark.parametrize("size", [1, 2, 3, 7, 100])
@pytest.mark.parametrize(
    "encoding",
    ["utf-16-le", "utf-16-be", "utf-32-le", "utf-8-sig", "utf-7", "gb18030", "utf8", "UTF-8"],
)
def test_every_encoding_comes_out_as_utf_8(encoding, size):
    assert b"".join(rest(TEXT.decode().encode(encoding), size, encoding)) == TEXT


@pytest.mark.parametrize("size", [1, 2, 3, 7, 100])
@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32"])
def test_a_byte_order_mark_says_the_encoding(encoding, size):
    content = TEXT.decode().encode(encoding)
    assert b"".join(rest(content, size)) == TEXT
    assert Blocks(content, None).encoding == encoding.removesuffix("-sig")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16-le", "utf-16-be", "utf-32-be", "gb18030"])
def test_a_byte_order_mark_is_no_part_of_the_text(encoding):
    assert b"".join(rest("\ufeffa,b\n".encode(encoding), 1, encoding)) == b"a,b\n"


def test_byte_order_marks_are_left_out_at_the_start_alone():
    text = "\ufeff\ufeffa\n\ufeffb\n"
    assert b"".join(rest(text.encode(), 1)).decode() == text[2:]


def test_single_bytes():
    assert b"".join(rest(b"\xe9\n", 1, "latin-1")) == "é\n".encode()
    assert b"".join(rest(b"\x80\n", 1, "cp1252")) == "€\n".encode()
    assert b"".join(rest(b"\xe9\n", 1, "ascii")) == b"\xe9\n"  # left to the scanner to refuse


@pytest.mark.parametrize("encoding", ["latin-99", "hex", "rot13", "zip"])
def test_what_is_no_encoding(encoding):
    with pytest.raises(ReadError, match="no encoding called") as caught:
        Blocks(b"a\n", encoding)
    assert "'latin-1'" in caught.value.remedy


@pytest.mark.parametrize("size", [1, 2, 3, 4, 5, 9, 100])
@pytest.mark.parametrize("end", ["\n", "\r", "\r\n"])
def test_the_line_that_cannot_be_decoded(size, end):
    """A CR LF may lie at the edge of two blocks; it is one line end all the same."""
    good = end.join(["a", "bb", "ccc", "", "d"]) + end
    for encoding, wrong in (
        ("cp1252", b"x\x81"),
        ("utf-16-le", b"x\0\x00\xd8x\0"),
        ("gb18030", b"\xff"),
    ):
        with pytest.raises(ReadError, match=f"not {encoding}") as caught:
            rest(good.encode(encoding) + wrong + good.encode(encoding), size, encoding)
        assert caught.value.line == 6


@pytest.mark.parametrize("encoding", ["utf-16", "utf-32"])
def test_a_byte_order_that_nobody_said(encoding):
    with pytest.raises(ReadError, match="byte order mark") as caught:
        Blocks("a,b\n".encode(f"{encoding}-be"), encoding)
    assert f"{encoding}-be" in caught.value.remedy
    assert rest(b"", 1, encoding) == []


# ------------------------------------------------------------------ sources


def packed(content, how):
    if how == "plain":
        return content
    return (
        gzip.compress(content)
        if how == "gzip"
        else pa.compress(content, codec="zstd", asbytes=True)
    )


@pytest.mark.parametrize("how", ["plain", "gzip", "zstd"])
@pytest.mark.parametrize("size", [1, 100, 1 << 20])
def test_files_bytes_and_streams(tmp_path, how, size):
    content = TEXT * 50
    path = tmp_path / "some.csv"
    path.write_bytes(packed(content, how))
    # The ending of the name does not matter: the first bytes say how it is compressed.
    for source in (path, str(path), path.read_bytes(), io.BytesIO(path.read_bytes())):
        some = Blocks(source, None, size)
        assert b"".join(taken(some)) == content
        some.close()


def test_how_much_will_come_is_known_of_plain_files_alone(tmp_path):
    path = tmp_path / "some.csv"
    path.write_bytes(TEXT)
    for source in (path, TEXT):
        some = Blocks(source, None)
        assert some.total == len(TEXT)
        some.close()
    assert Blocks(gzip.compress(TEXT), None).total is None
    assert Blocks(TEXT, "latin-1").total is None


@pytest.mark.parametrize("how", ["gzip", "zstd"])
def test_compressed_files_that_are_damaged(how):
    content = random.Random(0).randbytes(20_000)
    whole = packed(content, how)
    for damaged in (whole[:-1], whole[: len(whole) // 2], whole[:12]):
        with pytest.raises(ReadError, match="cannot be read to its end") as caught:
            rest(damaged, 1000)
        assert caught.value.remedy


def test_what_cannot_be_opened(tmp_path):
    (tmp_path / "iris.csv").write_bytes(b"a\n")
    with pytest.raises(ReadError, match=r"no such file. Did you mean 'iris.csv'\?"):
        Blocks(tmp_path / "irsi.csv", None)
    with pytest.raises(ReadError, match=r"folder .*nowhere' does not exist either"):
        Blocks(tmp_path / "nowhere" / "iris.csv", None)
    with pytest.raises(ReadError, match="this is a folder"):
        Blocks(tmp_path, None)


def test_a_file_can_be_called_something_else():
    assert Blocks(b"a\n", None).file == "<bytes>"
    assert Blocks(Content(b"a\n", "upload.csv"), None).file == "upload.csv"
