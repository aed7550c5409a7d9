r"""Delimited text (CSV, TSV, Orange's .tab) read whole: threads write its columns into place."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy as np

from satsuma.data.column_plan import ColumnPlan
from satsuma.data.files import Readable
from satsuma.data.formats.delimited.assembly import Assembly
from satsuma.data.formats.delimited.options import DelimitedOptions
from satsuma.data.formats.delimited.parts import report_of
from satsuma.data.formats.delimited.relay import Relay, thread_count
from satsuma.data.formats.delimited.text_blocks import Blocks
from satsuma.data.formats.delimited.text_file import (
    Kinds,
    TextFile,
    guess_plan,
    open_text,
    scan_sample,
    scanned_as,
)
from satsuma.data.notes import source_notes
from satsuma.data.profile import Profile
from satsuma.data.resolution import resolve
from satsuma.data.table import Table
from satsuma.errors import ReadError
from satsuma.kernels.csv import SKIP, SYM


def read_delimited(
    source: Readable,
    *,
    layout: Literal["csv", "tab"] = "csv",
    kinds: Mapping[str, str] | None = None,
    target: str | None = None,
    threads: int | None = None,
    **options: Any,
) -> Table:
    r"""A table from delimited text; `satsuma.read` tells what the parameters mean.

    Examples
    --------
    >>> table = read_delimited(b"age,play\n3,no\n?,yes\n", target="play")
    >>> table["age"], table.domain.target.values
    (array([ 3., nan]), ('no', 'yes'))
    """
    wanted = DelimitedOptions(layout=layout, kinds=kinds, target=target, **options)
    return read_text(source, wanted, thread_count(threads))


def read_text(source: Readable, options: DelimitedOptions, threads: int, name: str = "") -> Table:
    """A table from delimited text, which is a path or is held, so that it can be read twice."""
    file, blocks = open_text(source, options)
    whole = _WholeFile(file, blocks, threads)
    try:
        return whole.table(name)
    finally:
        whole.blocks.close()


class _WholeFile:
    """A file as its one part: a pass over all columns, and more over those guessed wrong."""

    def __init__(self, file: TextFile, blocks: Blocks, threads: int) -> None:
        self.file, self.blocks, self.threads = file, blocks, threads
        self.profile = Profile(most_aside=None)
        self._assemblies: list[Assembly] = []  # of each column, where it was read into
        self._kinds: Kinds = np.zeros(0, np.int8)

    def table(self, name: str) -> Table:
        header = self.file.header
        guess = guess_plan(header, self.blocks.peek())
        found = resolve(guess, self._pass)
        domain = found.plan.domain.with_roles(target=self.file.options.target)
        return Table(
            domain,
            [self._assemblies[j].column(j, v.kind) for j, v in enumerate(domain)],
            name=name,
            notes=[*header.notes, *source_notes(guess, found, lambda _, line: f"line {line}")],
            aside=[row for _, row in self.profile.aside],
            check=False,
        )

    def where(self, part: int, line: int) -> tuple[str, int]:
        """The file and the line to name in a message."""
        del part
        return self.file.path, line

    def _pass(self, plan: ColumnPlan) -> "_WholeFile":
        """Read the columns that were not yet read as the plan has them."""
        heads = self.file.header.heads
        pairs = zip(heads, plan.domain, strict=True)
        kinds = np.array([scanned_as(head, variable.kind) for head, variable in pairs], np.int8)
        if not self._assemblies:
            seen = [variable.values for variable in plan.domain]
            self._assemblies = [self._read(plan, kinds, seen, first=True)] * len(kinds)
        elif (wrong := kinds != self._kinds).any():
            self.profile.failed = {}
            self._read_again(plan, kinds, np.flatnonzero(wrong).tolist())
        self._kinds = kinds
        for j in np.flatnonzero(kinds == SYM).tolist():
            self.profile.words[heads[j].name] = self._assemblies[j].words(j)
        return self

    def _read_again(self, plan: ColumnPlan, kinds: Kinds, wrong: list[int]) -> None:
        self.blocks.close()
        self.blocks = self.file.rows()
        some = np.full_like(kinds, SKIP)
        some[wrong] = kinds[wrong]
        seen = scan_sample(self.file.header, self.blocks.peek(), some).values
        again = self._read(plan, some, seen, first=False)
        if again.rows != self._assemblies[0].rows:
            raise ReadError(
                "the file has changed while it was read",
                file=self.file.path,
                remedy="Leave it alone, and read it again.",
            )
        for j in wrong:
            self._assemblies[j] = again

    def _read(
        self, plan: ColumnPlan, kinds: Kinds, seen: Sequence[Sequence[str]], *, first: bool
    ) -> Assembly:
        """Read all that is left in the file as these kinds of columns."""
        dialect, assembly = (
            self.file.header.dialect,
            Assembly(kinds, seen),
        )
        lines, ahead, total = self.file.header.lines, 2 * self.threads, self.blocks.total
        relay = Relay(
            self.blocks.rest(dialect.delimiter, dialect.quote, ahead),
            dialect,
            assembly,
            total=total,
            keep_bad=self.file.options.keeps_aside,
            ahead=ahead,
        )
        small = total is not None and total <= 2 * self.blocks.size
        names = plan.domain.names
        for block, piece in relay.scanned(0 if small else self.threads - 1):
            if first:
                self.profile.add_report(report_of(piece, block, self.file, lines), names, 0)
                self._check_refused()
            lines += piece.lines
            assembly.add(piece)
        return assembly

    def _check_refused(self) -> None:
        if self.profile.refused:
            _, line, what, remedy = self.profile.refused
            raise ReadError(what, file=self.file.path, line=line, remedy=remedy)
