r"""Delimited text (CSV, TSV, Orange's .tab) read whole: threads write its columns into place."""

from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from typing import Any, ClassVar, Self

import numpy as np

from satsuma.data.column_plan import ColumnPlan
from satsuma.data.files import Readable, hold_small
from satsuma.data.formats.delimited.first_guess import guess_plan
from satsuma.data.formats.delimited.options import DelimitedOptions
from satsuma.data.formats.delimited.relay import Assembly, Relay, thread_count
from satsuma.data.formats.delimited.text_blocks import PEEK
from satsuma.data.formats.delimited.text_file import (
    Kinds,
    TextFile,
    open_text,
    report_of,
    scan_sample,
    scan_settings,
)
from satsuma.data.parts import Opened, Rows
from satsuma.data.profile import Raw
from satsuma.errors import ReadError
from satsuma.kernels.csv import SKIP, Dialect, count_lines


def open_delimited(
    sources: Sequence[Readable],
    form: str,
    *,
    whole: bool,
    threads: int | None = None,
    **options: Any,
) -> Opened:
    r"""Delimited text as parts; each file that is read whole is one.

    Examples
    --------
    >>> table = open_delimited([b"age,play\n3,no\n?,yes\n"], "csv", whole=True).table()
    >>> table["age"], table.domain["play"].values
    (array([ 3., nan]), ('no', 'yes'))
    """
    wanted = DelimitedOptions.of_format(form, **options)
    if not whole or len(sources) > 1:
        from satsuma.data.formats.delimited.text_parts import open_parts

        return open_parts(sources, wanted, whole=whole)
    file, sample = open_text(hold_small(sources[0], PEEK), wanted)
    part = WholeText(file, sample, thread_count(threads))
    return Opened([part], guess_plan(file, sample), file.header.notes)


class WholeText:
    """A file of delimited text as its one part, read by threads into columns of the whole.

    Columns that were read before as a plan has them are not read again.
    """

    lined: ClassVar[bool] = True
    elsewhere: ClassVar[bool] = False

    def __init__(self, text: TextFile, sample: bytes, threads: int) -> None:
        self.text, self.sample, self.threads = text, sample, threads
        self._kinds: Kinds = np.zeros(0, np.int8)
        self._dialect = text.header.dialect
        self._assemblies: list[Assembly] = []  # of each column, where it was read into
        self._report = Raw(0, [], [])

    @property
    def file(self) -> str:
        """What to call the file."""
        return self.text.path

    @property
    def place(self) -> str:
        """What to call the part."""
        return self.text.path

    @property
    def header_lines(self) -> int:
        """Lines of the file that its header takes."""
        return self.text.header.lines

    def between(self, start: int, stop: int | None = None) -> Self:
        """Itself: it is the whole file."""
        del start, stop
        return self

    def read(self, plan: ColumnPlan) -> Rows:
        """The rows, all at once."""
        return Rows(self._rows(plan))

    def _rows(self, plan: ColumnPlan) -> Iterator[Raw]:
        kinds, dialect = scan_settings(self.text.header, range(len(plan.domain)), plan)
        if not self._assemblies:
            seen = [variable.values for variable in plan.domain]
            assembly = self._read(dialect, kinds, seen, self._report)
            self._assemblies = [assembly] * len(kinds)
        elif wrong := self._changed(kinds, dialect):
            self._read_again(dialect, kinds, wrong)
        self._kinds, self._dialect = kinds, dialect
        columns = [assembly.column(j) for j, assembly in enumerate(self._assemblies)]
        values = [assembly.values(j) for j, assembly in enumerate(self._assemblies)]
        yield replace(self._report, columns=columns, values=values)

    def _changed(self, kinds: Kinds, dialect: Dialect) -> list[int]:
        """The columns that were read as something else."""
        old = self._dialect
        return [
            j
            for j, kind in enumerate(kinds)
            if (kind, dialect.formats.get(j), j in dialect.whole)
            != (self._kinds[j], old.formats.get(j), j in old.whole)
        ]

    def _read_again(self, dialect: Dialect, kinds: Kinds, wrong: list[int]) -> None:
        """Read columns that were guessed wrong."""
        some = np.full_like(kinds, SKIP)
        some[wrong] = kinds[wrong]
        seen = scan_sample(dialect, self.sample, some).values
        report = Raw(0, [], [])
        again = self._read(dialect, some, seen, report)
        if again.rows != self._report.rows:
            raise ReadError(
                "the file has changed while it was read",
                file=self.file,
                remedy="Leave it alone, and read it again.",
            )
        self._report.failed = report.failed
        for j in wrong:
            self._assemblies[j] = again
            self._report.met[j] = report.met.get(j, set())

    def _read(
        self, dialect: Dialect, kinds: Kinds, seen: Sequence[Sequence[str]], report: Raw
    ) -> Assembly:
        """Read all rows as these kinds of columns, and add to the report what is found."""
        assembly, keep_bad = Assembly(kinds, seen), self.text.options.keeps_aside
        if self.text.is_all(self.sample):
            block = memoryview(self.sample)
            piece = assembly.scan(block, count_lines(block), dialect, keep_bad)
            report.join(report_of(piece, block, self.text, 0))
            assembly.add(piece)
            return assembly
        lines, blocks = 0, self.text.rows()
        with closing(blocks):
            relay = Relay(blocks, dialect, assembly, keep_bad=keep_bad, threads=self.threads)
            for block, piece in relay.scanned():
                report.join(report_of(piece, block, self.text, lines))
                if report.refused:
                    break
                lines += piece.lines
                assembly.add(piece)
            report.mended += [(each.line, each.what) for each in blocks.take_repairs()]
        return assembly
