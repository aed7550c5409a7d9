"""Dialect: what the first and the last lines of a file say of how it is written.

What is steady is taken and told in a note with the option that undoes it; what is in doubt is
refused with the options that decide it.
"""

import csv
import io
import re
from dataclasses import dataclass, field, replace

from satsuma.data.formats.delimited.head_lines import (
    HeadLines,
    Rows,
    names_and_rows,
    single_quoted,
    sniff,
    sniff_rare,
)
from satsuma.data.formats.delimited.heads import in_front
from satsuma.data.formats.delimited.options import DelimitedOptions
from satsuma.data.formats.delimited.orange_heads import declares, names_alone, surely_prefixed
from satsuma.data.notes import Note, note
from satsuma.errors import ReadError
from satsuma.kernels.csv import fields_of_any_size

#: Bytes in which a header ends.
_HEAD = 1 << 16

#: What comments begin with, and one behind a cell.
COMMENTS = ("#", "//", "%")
_COMMENT_BEHIND = re.compile(r"\S[ \t]+#[ \t]*\S")


@dataclass
class Settled:
    """The options, with what the file says where the user says nothing."""

    options: DelimitedOptions
    notes: list[str] = field(default_factory=list[str])

    def take(self, decision: Note, **found: object) -> None:
        """Go by what was found, and tell it."""
        self.options = replace(self.options, **found)  # type: ignore[arg-type]
        self.notes.append(decision)


def settle(sample: bytes, options: DelimitedOptions, file: str) -> Settled:
    """Find the delimiter, the quote, and what stands above the names.

    Parameters
    ----------
    sample
        What the file begins with, behind what the user skips.
    options
        What the user says.
    file
        What to call it.
    """
    settled = Settled(options)
    if options.layout == "tab":
        settled.options = replace(options, delimiter=options.delimiter or "\t")
        _, *below = header_lines(sample, settled.options)
        if len(below) < 2 or not names_alone(*below):
            return settled
        settled.take(note("no tab header"), layout="csv")
    return _Settling(sample, settled, file).settled


def header_lines(sample: bytes, options: DelimitedOptions) -> Rows:
    """The cells of the names, and of up to two lines below them, blank or not."""
    lines = io.StringIO(sample[:_HEAD].decode("utf-8", "replace").lstrip("\r\n"), newline="")
    quoting = csv.QUOTE_NONE if options.quote is None else csv.QUOTE_MINIMAL
    reader = csv.reader(
        lines, delimiter=options.delimiter or ",", quotechar=options.quote, quoting=quoting
    )
    try:
        with fields_of_any_size():
            return [cells for cells, _ in zip(reader, range(3), strict=False)]
    except csv.Error:
        return [[]]


class _Settling:
    """The steps, each of which may go by those before it."""

    def __init__(self, sample: bytes, settled: Settled, file: str) -> None:
        self.settled, self.file, self.user = settled, file, settled.options
        self.first, self.sample = settled.options.skip or 0, sample
        self.above = 0
        self._separator()
        self.head = self._head()
        if isinstance(self.user.comment, str):
            self.settled.notes.append(note("comments", mark=self.user.comment))
        if self.settled.options.delimiter is None:
            found = sniff(self.head, self.user.decimal_mark)
            self.settled.options = replace(self.settled.options, delimiter=found)
        self.delimiter = self.settled.options.delimiter or ","
        self._single_quotes()
        if self._orange():
            return
        if self.user.skip is None:
            self._comments()
            self._titles()
        self._rare_delimiter()
        rows = self._rows()
        self._comment_behind(rows)
        self._last_delimiter(rows)

    def _head(self) -> HeadLines:
        """The lines, without the comments that the user names."""
        head = HeadLines.of(self.sample, self.settled.options.quote)
        if isinstance(self.user.comment, str):
            mark = re.escape(self.user.comment)
            head.text = re.sub(rf"[ \t]*{mark}[^\r\n]*", "", head.text)
        return head

    def _rows(self) -> Rows:
        return self.head.rows(self.delimiter, self.above)

    def _skip(self, lines: int, decision: Note) -> None:
        self.above = lines
        skip = self.first + self.head.physical(lines)
        self.settled.take(decision, skip=skip)

    def _separator(self) -> None:
        """A first line such as Excel's ``sep=;``."""
        end = re.search(rb"\r\n|\n|\r|\Z", self.sample)
        line = self.sample[: end.start() if end else None]
        named = separator(line)
        if named is None or self.user.skip is not None:
            return
        delimiter = self.user.delimiter or named
        decision = note("separator line", named=named, delimiter=delimiter)
        self.settled.take(decision, delimiter=delimiter, skip=1)
        self.sample, self.first = self.sample[end.end() if end else 0 :], 1

    def _single_quotes(self) -> None:
        sort = "" if self.user.quote_said else single_quoted(self.head, self.delimiter)
        if sort:
            decision = note(
                "single quotes", inside=", which may hold apostrophes" * (sort == "loose")
            )
            self.settled.take(decision, quote="'", quote_said=True, loose_quotes=sort == "loose")
            self.head = self._head()

    def _orange(self) -> bool:
        """Whether the header is one of Orange's, whatever the file is called."""
        options = self.settled.options
        if self.user.header is not None or self.user.marks is not None or len(self.delimiter) > 1:
            return False
        names, *below = header_lines(self.head.text.encode(), options) or [[]]
        if in_front(names):
            return False
        if len(below) == 2 and len(below[0]) == len(names) and declares(*below):
            decision = note("tab header")
        elif surely_prefixed(names):
            decision = note("tab prefixes")
        else:
            return False
        self.settled.take(decision, layout="tab")
        return True

    def _comments(self) -> None:
        """Lines at the start that begin with a mark of comments."""
        lines = self.head.lines
        mark = next((each for each in COMMENTS if lines and lines[0].startswith(each)), None)
        if mark is None or self.user.comment is not None:
            return
        count = next((at for at, line in enumerate(lines) if line and line[: len(mark)] != mark), 0)
        if not count or self._is_names(count - 1, mark):
            count -= 1
        if count < 1:
            return
        what = "line that begins" if count == 1 else "lines that begin"
        if any(mark in line for line in lines[count:]):
            raise ReadError(
                f"the first {'line begins' if count == 1 else 'lines begin'} with {mark!r}, which "
                "is in lines below them too",
                file=self.file,
                line=self.first + 1,
                remedy=f"Pass comment={mark!r} if what stands behind it is a comment everywhere, "
                f"or skip={self.first + count} if only the first lines are.",
            )
        skipped = f"{count} {what} with {mark!r} {'was' if count == 1 else 'were'}"
        self._skip(count, note("comment lines", lines=skipped))

    def _is_names(self, at: int, mark: str) -> bool:
        """Whether a line that begins like a comment holds the names of the rows below it."""
        widths = self.head.widths(self.delimiter)
        if widths[at] != widths[at + 1] or names_and_rows(self.head.rows(self.delimiter, at + 1)):
            return False
        return widths[at] > 1 or not re.match(rf"{re.escape(mark)}+[ \t]", self.head.lines[at])

    def _titles(self) -> None:
        """Lines of one cell above a table of several columns."""
        start = self.head.steady_from(self.delimiter)
        if start is None or start < self.above:
            return
        rows = self.head.rows(self.delimiter, start)
        padded = _padded(rows) if start == self.above else 0
        if padded:
            filled = [at for at, line in enumerate(self.head.lines) if line and at >= start]
            start, rows = filled[padded], rows[padded:]
        above = [line for line in self.head.lines[self.above : start] if line]
        titles = [line for line in above if len(_filled(line, self.delimiter)) <= 1]
        if not above or len(titles) < len(above) or not rows:
            return
        if names_and_rows(rows) and self.user.header in (None, True):
            title = above[0].strip(self.delimiter + " \t")[:60]
            more = f" and {len(above) - 1} more" if len(above) > 1 else ""
            blank = start - self.above - len(above)
            more += f" and {blank} blank line{'' if blank == 1 else 's'}" if blank else ""
            line = self.first + self.head.physical(self.above) + 1
            self._skip(start, note("title", line=line, title=f"{title!r}{more}"))
        elif not padded:
            self._refuse_title(start, len(rows[0]))

    def _refuse_title(self, start: int, width: int) -> None:
        raise ReadError(
            f"the first line is one cell, but {self.delimiter!r} cuts the lines below it into "
            f"{width} each",
            file=self.file,
            line=self.first + 1,
            remedy=f"Pass skip={self.first + self.head.physical(start)} to leave out what stands "
            "above the names, or skip=0 and another delimiter= if every line is one cell.",
        )

    def _rare_delimiter(self) -> None:
        """A single column that another character cuts into several."""
        widths = {*self.head.widths(self.delimiter)} - {0}
        if self.user.delimiter is not None or self.settled.notes or widths != {1}:
            return
        found = sniff_rare(self.head, self.delimiter)
        if found is not None:
            raise ReadError(
                f"every line is one cell, but {found!r} cuts all of them into equally many",
                file=self.file,
                line=self.first + 1,
                remedy=f"Pass delimiter={found!r} to have them, or delimiter={self.delimiter!r} "
                "if there is one column.",
            )

    def _comment_behind(self, rows: Rows) -> None:
        """Comments behind the names, and behind rows."""
        if self.user.comment is not None or len(rows) < 2:
            return
        has_comment = _COMMENT_BEHIND.search
        if not has_comment(rows[0][-1]) or not any(has_comment(row[-1]) for row in rows[1:]):
            return
        if self.user.header in (None, True):
            raise ReadError(
                f"the last name, {rows[0][-1]!r}, seems to have a comment behind it",
                file=self.file,
                line=self.first + self.head.physical(self.above) + 1,
                remedy="Pass comment='#' if it has, or comment=False if that is a name.",
            )

    def _last_delimiter(self, rows: Rows) -> None:
        """A delimiter behind the last cell of every line, the names included."""
        if len(rows) < 3 or len(rows[0]) < 2 or any(row[-1].strip() for row in rows):
            return
        if self.user.header not in (None, True) or self.user.skip is not None:
            return
        if len({len(row) for row in rows}) == 1:
            decision = note("last delimiter", delimiter=self.delimiter)
            self.settled.take(decision, drops_last=True)


def _filled(line: str, delimiter: str) -> list[str]:
    return [cell for cell in line.split(delimiter) if cell.strip()]


def _padded(rows: Rows) -> int:
    """How many rows at the start have one cell that is filled, above one in which all are."""
    count = 0
    while count < len(rows) and len([cell for cell in rows[count] if cell.strip()]) <= 1:
        count += 1
    is_table = 0 < count < len(rows) - 1 and all(cell.strip() for cell in rows[count])
    return count if is_table and len(rows[0]) > 1 else 0


def separator(line: bytes) -> str | None:
    r"""The delimiter that a first line such as Excel's ``sep=;`` names, if it does.

    Examples
    --------
    >>> separator(b"sep=;\r\n"), separator(b'"sep=|"'), separator(b"sep=no")
    (';', '|', None)
    """
    found = re.fullmatch(rb'("?)sep=([\t -~])\1\r?\n?', line, re.IGNORECASE)
    sign = found[2].decode() if found else '"'
    return None if sign == '"' or sign.isalnum() else sign
