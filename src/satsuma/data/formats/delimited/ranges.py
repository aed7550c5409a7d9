"""Ranges: a stretch of a file of delimited text, cut where records start."""

from collections.abc import Iterator
from typing import Any, cast

import numpy as np

from satsuma.data.cell_errors import changed
from satsuma.data.files import Readable, label, open_path
from satsuma.data.formats.delimited.text_blocks import LONGEST, next_step
from satsuma.errors import ReadError
from satsuma.kernels.csv import SKIP, Dialect, cut, record_end, scan

#: How much is looked at to find where a record starts, and what is read to end the last one.
_WINDOW = 1 << 16

#: Line ends that are tried before the first is taken.
_TRIED = 64


class Range:
    """The records of a file that start within a stretch of it, in blocks.

    The start of a record is guessed by what follows it, for quoted cells may hold line ends.
    `edges` says where the first record started and the last one ended, so that whoever has read
    the stretch before can tell whether the guess was right.

    Parameters
    ----------
    source
        The file.
    dialect
        How cells are told apart.
    stretch
        Its first byte, and the one behind it. The last record may end later.
    exact
        Whether a record is known to start and one to end at these.
    size
        Bytes of a block.
    """

    def __init__(
        self, source: Readable, dialect: Dialect, stretch: tuple[int, int], exact: bool, size: int
    ) -> None:
        self.source, self.path, self.dialect = source, label(source), dialect
        (self.start, self.stop), self.exact, self.size = stretch, exact, size
        self.edges: tuple[int, int] | None = None

    def __iter__(self) -> Iterator[memoryview]:
        with open_path(cast("str", self.source), buffering=0) as stream:
            start = self.start if self.exact else self._guess(stream)
            stream.seek(start)
            at = start
            for block in self._blocks(stream, start):
                at += len(block)
                yield block
            self.edges = start, at

    def _blocks(self, stream: Any, start: int) -> Iterator[memoryview]:
        """Whole records up to the one that reaches the end of the stretch."""
        d, q = self.dialect.delimiter, self.dialect.quote
        buffer, held, at = bytearray(self.size + _WINDOW), 0, start
        step, beyond = self.size, _WINDOW
        while at < self.stop:  # `at` is where a record starts, and buffer[:held] is read from there
            left = self.stop - at - held
            wanted = min(step, left) if left > 0 else beyond
            if len(buffer) < held + wanted:
                buffer = buffer[:held] + bytearray(2 * wanted)
            view = memoryview(buffer)
            got = stream.readinto(view[held : held + wanted])
            held += got
            reached = at + held >= self.stop
            end, _ = cut(view[: min(held, self.stop - at)], d, q)
            if reached and at + end < self.stop:
                last = record_end(view[:held], end, d, q)
                end = last if last >= 0 else held if not got else 0
            elif not got:
                self._check_end(at + held)
                end = held
            if end:
                yield view[:end]
                buffer[: held - end] = buffer[end:held]
                at, held, step = at + end, held - end, self.size
                if not got:
                    return
            elif held > LONGEST:
                raise self._too_long(at)
            elif not got:
                return
            else:
                step, beyond = next_step(step, held), next_step(beyond, held)

    def _check_end(self, at: int) -> None:
        if at < self.stop and self.exact:
            raise changed(self.path, f"the file has {at:,} bytes, and had {self.stop:,} or more")

    def _too_long(self, at: int) -> ReadError:
        return ReadError(
            f"the record that starts at byte {at} is longer than {LONGEST:,} bytes",
            file=self.path,
            remedy="A quote may be opened and never closed. Close it, or pass quote=None if "
            "quotes are ordinary characters.",
        )

    def _guess(self, stream: Any) -> int:
        """Where the first record starts that does not start before the stretch."""
        stream.seek(self.start - 1)
        window, candidates = stream.read(_WINDOW), list[int]()
        while not (candidates := _line_starts(window)):
            more = stream.read(len(window))
            if not more:
                return self.start - 1 + len(window)
            window += more
        quote = self.dialect.quote
        if quote is None or quote.encode() not in window:
            return self.start - 1 + candidates[0]
        good = (each for each in candidates if self._looks_right(window[each:]))
        return self.start - 1 + next(good, candidates[0])

    def _looks_right(self, text: bytes) -> bool:
        """Whether text starts with rows as they should be."""
        end, _ = cut(text, self.dialect.delimiter, self.dialect.quote)
        kinds = np.full(self.dialect.width, SKIP, np.int8)
        return bool(end) and not scan(text[:end], self.dialect, kinds, False).bad


def _line_starts(text: bytes) -> list[int]:
    """Where lines start behind the first line end of a text, some of them."""
    found, at = list[int](), 0
    while len(found) < _TRIED:
        ends = [e for e in (text.find(b"\n", at), text.find(b"\r", at)) if e >= 0]
        if not ends:
            break
        at = min(ends) + 1
        if text[at - 1 : at] == b"\r" and text[at : at + 1] == b"\n":
            at += 1
        if text[at - 1 : at] != b"\r" or at < len(text):  # an LF may follow
            found.append(at)
    return found
