"""Blocks: a stream of bytes, cut where records end."""

import codecs
import io
import os
from collections.abc import Callable, Iterator, Sequence
from typing import Any, BinaryIO, TypeVar, cast

from satsuma.data.files import (
    Content,
    Readable,
    RemoteFile,
    label,
    open_bytes,
    read_errors,
    size_of,
)
from satsuma.data.formats.delimited.repairs import Repair, Repairs
from satsuma.errors import ReadError
from satsuma.kernels import csv as scanner

#: How many bytes are read at a time.
BLOCK = 1 << 20

#: How many bytes at least are looked at before the first block.
PEEK = 1 << 17

#: How many bytes at least are read at a time, should a file have grown.
_LEAST = 1 << 12

#: A record of more bytes is refused: the scanner cannot take it, and nobody meant it.
LONGEST = 0x7FFFFF00

#: Byte order marks, the longer ones first: that of UTF-32 begins with that of UTF-16.
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)

T = TypeVar("T")

#: Whole records, and how many lines they have.
Block = tuple[memoryview, int]

#: Writes text anew, some at a time, and may keep some back until more comes, or none (True).
Filter = Callable[[bytes, bool], bytes]


class Blocks:
    r"""The records of delimited text, one by one at first, then in blocks.

    Bytes come out as UTF-8 without a byte order mark, whatever the encoding of the file, and as
    filters make them.

    Examples
    --------
    >>> blocks = Blocks(b"a,b\n1,2\n3,4\n", encoding=None)
    >>> blocks.record(",", '"')
    b'a,b\n'
    >>> [(bytes(block), lines) for block, lines in blocks.rest(",", '"')]
    [(b'1,2\n3,4\n', 2)]
    """

    def __init__(
        self,
        source: Readable,
        encoding: str | None,
        size: int | None = None,
        stop: int | None = None,
    ) -> None:
        self.file = label(source)
        self.size = size or BLOCK
        self._ended = False
        self._filters: tuple[Filter, ...] = ()
        self._repairs: Repairs | None = None
        self._lines, self._after_cr = 0, False  # of what was decoded
        self._stream = open_bytes(source)
        try:
            self.total = _size(source, self._stream)
            self._stop, self.total = stop, self.total if stop is None else stop
            self._begin(encoding)
        except ReadError:
            self.close()
            raise

    def _begin(self, encoding: str | None) -> None:
        """Find the encoding by the first bytes, and leave out a byte order mark."""
        start = self._read(4)
        marked = next((name for mark, name in _MARKS if start.startswith(mark)), None)
        self.encoding = self._codec(encoding or marked or "utf-8")
        self._decoder = None
        if start and self.encoding in ("utf-16", "utf-32") and marked != self.encoding:
            raise ReadError(
                f"the file does not start with the byte order mark of {self.encoding}",
                file=self.file,
                line=1,
                remedy=f"Pass encoding='{self.encoding}-le' or encoding='{self.encoding}-be'.",
            )
        if self.encoding != "utf-8":
            self.total = None
            self._decoder = codecs.getincrementaldecoder(self.encoding)("strict")
            start = self._recode(start)
        self._carry, self.marks = start, 0
        while self._starts_with_mark():
            self._carry, self.marks = self._carry[len(codecs.BOM_UTF8) :], self.marks + 1
        self._taken = self.marks * len(codecs.BOM_UTF8)

    def _starts_with_mark(self) -> bool:
        """Whether a byte order mark comes next; some programs put one before another."""
        while len(self._carry) < len(codecs.BOM_UTF8) and self._more(4):
            pass
        return self._carry.startswith(codecs.BOM_UTF8)

    def _codec(self, encoding: str) -> str:
        if encoding == "utf-8":
            return encoding
        try:
            name = codecs.lookup(encoding).name
            io.TextIOWrapper(io.BytesIO(), encoding)  # refuses codecs of something else than text
        except LookupError:
            raise ReadError(
                f"there is no encoding called {encoding!r}",
                file=self.file,
                remedy="Pass one that Python knows, such as 'latin-1', 'cp1252' or 'utf-16'.",
            ) from None
        return "utf-8" if name in ("ascii", "utf-8-sig") else name

    def skip(self, lines: int) -> None:
        """Take some lines from the start, whatever is in them."""
        for _ in range(lines):
            self.record(",", None)

    def filter_by(self, filters: Sequence[Filter]) -> None:
        """Write what is left anew; how many bytes that makes is not known."""
        if filters:
            self._filters, self.total = (*self._filters, *filters), None
            for each in filters:
                self._carry = each(self._carry, self._ended)

    def mend_by(self, repairs: Repairs) -> None:
        """Mend the rows that are left."""
        self._repairs = repairs
        self.filter_by([repairs])

    def take_repairs(self) -> list[Repair]:
        """The repairs in what was read since they were taken last."""
        return [] if self._repairs is None else self._repairs.take()

    @property
    def taken(self) -> int:
        """Bytes of UTF-8 that were taken; where in the file the next record starts."""
        return self._taken

    def _read(self, size: int) -> bytes:
        with read_errors(self.file):
            return self._stream.read(self._within(size))

    def _within(self, size: int) -> int:
        """How much of so many bytes is to be read of a file that ends before its end."""
        return size if self._stop is None else max(0, min(size, self._stop - self._stream.tell()))

    def _recode(self, chunk: bytes) -> bytes:
        assert self._decoder is not None
        state = self._decoder.getstate()
        try:
            text = self._decoder.decode(chunk, final=not chunk)
        except UnicodeDecodeError as error:
            self._decoder.setstate(state)
            good = error.object[len(state[0]) : error.start]
            self._count_lines(self._decoder.decode(good))
            raise ReadError(
                f"the file is not {self.encoding}: {error.reason}",
                file=self.file,
                line=self._lines + 1,
                remedy="Pass another encoding=, or mend the line.",
            ) from None
        self._count_lines(text)
        return text.encode("utf-8", "surrogatepass")

    def _count_lines(self, text: str) -> None:
        """Add the line ends of a chunk; a CR LF may lie in two."""
        self._lines += text.count("\n") + text.count("\r") - text.count("\r\n")
        self._lines -= self._after_cr and text.startswith("\n")
        self._after_cr = text.endswith("\r") if text else self._after_cr

    def _more(self, size: int) -> bool:
        """Read on; False at the end."""
        if not self._ended:
            chunk = self._read(size)
            self._ended = not chunk
            chunk = chunk if self._decoder is None else self._recode(chunk)
            for each in self._filters:
                chunk = each(chunk, self._ended)
            self._carry += chunk
        return not self._ended

    def peek(self, least: int | None = None) -> bytes:
        """What comes next, enough to go by and not blank, without taking it."""
        size = least or min(self.size, PEEK)
        while (len(self._carry) < size or self._carry.isspace()) and self._more(size):
            pass
        return self._carry

    def peek_record(self, delimiter: str, quote: str | None, start: int = 0) -> bytes:
        """The record at `start`, its line end included, without taking it; empty at the end."""
        size = self.size
        self.peek()
        more = True
        while (end := scanner.record_end(self._carry, start, delimiter, quote)) < 0:
            if not more:
                return self._carry[start:]
            more = self._more(size)
            size = self._larger(size)
        return self._carry[start:end]

    def record(self, delimiter: str, quote: str | None) -> bytes:
        """Take the next record; empty at the end."""
        taken = self.peek_record(delimiter, quote)
        self._carry = self._carry[len(taken) :]
        self._taken += len(taken)
        return taken

    def rest(self, delimiter: str, quote: str | None, ahead: int = 0) -> Iterator[Block]:
        """Take all that is left, in blocks of whole records, each with the number of its lines.

        The memory of a block is used again after `ahead` more have been taken: memory that is
        new to the process costs more than reading the file.
        """
        ring = [bytearray() for _ in range(ahead + 2)]
        size, turn = self.size, 0
        while True:
            more, block = self._next_block(ring, turn, size)
            if more:
                end, lines = scanner.cut(block, delimiter, quote)
            else:
                end, lines = len(block), scanner.count_lines(block)
            self._carry = bytes(block[end:])
            size = self.size if end else self._larger(size)
            if end:
                self._taken += end
                turn = (turn + 1) % len(ring)
                yield block[:end], lines
            if not more:
                return

    def _next_block(self, ring: list[bytearray], turn: int, size: int) -> tuple[bool, memoryview]:
        """What was left over, and `size` bytes more behind it; False at the end."""
        carry = self._carry
        if self._decoder is not None or self._filters:
            more = self._more(size)
            return more, memoryview(self._carry)
        if self.total is not None:  # memory that a small file does not need
            size = min(size, max(self.total - self._taken - len(carry), _LEAST))
        if len(ring[turn]) < len(carry) + size:
            ring[turn] = bytearray(len(carry) + size + size // 8)
        view = memoryview(ring[turn])
        view[: len(carry)] = carry
        into, size = cast("Any", self._stream).readinto, self._within(size)
        with read_errors(self.file):
            got = cast("int", into(view[len(carry) : len(carry) + size]))
        return got > 0, view[: len(carry) + got]

    def _larger(self, size: int) -> int:
        """How much to read of a record that is longer than a block."""
        if len(self._carry) > LONGEST:
            raise ReadError(
                f"the record that starts at byte {self._taken} is longer than {LONGEST:,} bytes",
                file=self.file,
                remedy="A quote may be opened and never closed. Close it, or pass quote=None if "
                "quotes are ordinary characters.",
            )
        longer = 1 if self._decoder is None else 4  # a byte may become as many in UTF-8
        return next_step(size, len(self._carry), longer)

    def close(self) -> None:
        """Close the file."""
        self._stream.close()


def next_step(step: int, held: int, longer: int = 1) -> int:
    """How many bytes to read of a record that goes on behind the `held` bytes that were read.

    The steps grow, so that it is not looked through from its start too often; but what is read
    does not outgrow what the scanner takes, though each byte may make `longer` ones.
    """
    return max(1, min(2 * step, LONGEST // 8, (LONGEST + 1 - held) // longer))


def _size(source: Readable, stream: BinaryIO) -> int | None:
    """How many bytes will come, where that is known beforehand."""
    if isinstance(source, bytes | Content) and isinstance(stream, io.BytesIO):
        return len(source if isinstance(source, bytes) else source.data)
    if not isinstance(stream, io.BufferedReader):
        return None
    return size_of(source) if isinstance(source, RemoteFile) else os.fstat(stream.fileno()).st_size
