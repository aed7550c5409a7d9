"""Translation: text in a dialect that the scanner does not know, written in one that it knows.

Escapes, comments, delimiters of several characters and delimiters behind the last cell are rare,
and not worth a place in the scanner. Lines stay lines, so that messages name the right ones: a
comment leaves a blank line.
"""

import re
from dataclasses import replace

from satsuma.data.formats.delimited.options import DelimitedOptions, is_sign

_END = re.compile(r"\r\n|\n|\r")

#: A cell and whether it was quoted.
Cell = tuple[str, bool]


def scanned_options(options: DelimitedOptions) -> DelimitedOptions:
    """The options that go with the text once it is translated."""
    if not options.is_translated:
        return options
    delimiter, quote = options.delimiter or ",", options.quote or '"'
    return replace(
        options,
        delimiter=delimiter if is_sign(delimiter) and delimiter != quote else ",",
        quote=quote,
        escape=None,
        drops_last=False,
        loose_quotes=False,
    )


class Translation:
    r"""A filter that writes records anew, as the scanner reads them.

    Examples
    --------
    >>> translate = Translation(DelimitedOptions(delimiter="||", escape="\\", comment="#"))
    >>> translate(b"# made by hand\na||b\n1,5||2\\||3\n", True)
    b'\na,b\n"1,5",2||3\n'
    """

    def __init__(self, options: DelimitedOptions) -> None:
        scanned = scanned_options(options)
        self._to, self._to_quote = scanned.delimiter or ",", scanned.quote or '"'
        self._delimiter = options.delimiter or ","
        self._quote, self._escape = options.quote, options.escape
        self._comment = options.comment if isinstance(options.comment, str) else None
        self._drops_last = options.drops_last
        signs = [self._delimiter, self._comment, self._escape]
        stops = "|".join(re.escape(sign) for sign in signs if sign)
        self._stop = re.compile(rf"{stops}|[\r\n]|\Z")
        closing = "|".join(re.escape(sign) for sign in (self._quote, self._escape) if sign)
        if options.loose_quotes:
            closing = rf"{closing}(?={re.escape(self._delimiter)}|[\r\n]|\Z)"
        self._closing = re.compile(closing or "(?!)")
        self._special = re.compile(f"[\r\n{re.escape(self._to + self._to_quote)}]")
        self._held = b""

    def __call__(self, chunk: bytes, final: bool) -> bytes:
        """The records that are complete, written anew; at the end, all of them."""
        text = (self._held + chunk).decode("utf-8", "surrogateescape")
        out, at = list[str](), 0
        while at < len(text):
            found = self._record(text, at)
            if found is None and final:  # it is broken, which the scanner is to say
                found = self._line(text, at)
            if found is None or (not final and _may_go_on(text, found[1])):
                break
            out.append(found[0])
            at = found[1]
        self._held = text[at:].encode("utf-8", "surrogateescape")
        return "".join(out).encode("utf-8", "surrogateescape")

    def _line(self, text: str, at: int) -> tuple[str, int]:
        """The line that starts at `at`, as it is."""
        found = _END.search(text, at)
        end = found.end() if found else len(text)
        return text[at:end], end

    def _record(self, text: str, at: int) -> tuple[str, int] | None:
        """The record that starts at `at`, written anew, and where it ends; None if it is open."""
        start, cells = at, list[Cell]()
        while True:
            quoted = self._quote is not None and text.startswith(self._quote, at)
            cell, at = self._quoted(text, at + 1) if quoted else self._bare(text, at)
            if at < 0:
                return None
            if self._comment and text.startswith(self._comment, at):
                at = self._line_end(text, at)
                if not quoted:
                    cell = cell.rstrip(" \t")
                cells += [(cell, quoted)] if cells or cell or quoted else []
                break
            cells.append((cell, quoted))
            if not text.startswith(self._delimiter, at):
                break
            at += len(self._delimiter)
        if at < len(text) and text[at] not in "\r\n":  # text behind a closing quote
            return self._line(text, start)
        end = _END.match(text, at)
        return self._written(cells) + (end[0] if end else ""), end.end() if end else at

    def _line_end(self, text: str, at: int) -> int:
        found = _END.search(text, at)
        return found.start() if found else len(text)

    def _bare(self, text: str, at: int) -> tuple[str, int]:
        parts = list[str]()
        while True:
            found = self._stop.search(text, at)
            stop = found.start() if found else len(text)
            parts.append(text[at:stop])
            if self._escape is None or not text.startswith(self._escape, stop):
                return "".join(parts), stop
            parts.append(text[stop + 1 : stop + 2])
            at = stop + 2

    def _quoted(self, text: str, at: int) -> tuple[str, int]:
        """A quoted cell and where it ends; below 0 if it does not."""
        parts = list[str]()
        while (found := self._closing.search(text, at)) is not None:
            stop = found.start()
            parts.append(text[at:stop])
            doubled = text.startswith(found[0], stop + 1) and found[0] == self._quote
            if not doubled and found[0] != self._escape:
                return "".join(parts), stop + 1
            parts.append(text[stop + 1 : stop + 2])
            at = stop + 2
        return "", -1

    def _written(self, cells: list[Cell]) -> str:
        if self._drops_last and len(cells) > 1 and cells[-1] == ("", False):
            cells.pop()
        return self._to.join(self._cell(*cell) for cell in cells)

    def _cell(self, cell: str, quoted: bool) -> str:
        if not quoted and not self._special.search(cell):
            return cell
        quote = self._to_quote
        return quote + cell.replace(quote, quote + quote) + quote


def _may_go_on(text: str, end: int) -> bool:
    """Whether a record that ends there may have more behind it that was not read yet."""
    return end == len(text) and not text.endswith("\n")
