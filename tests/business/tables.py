"""Business tables: the bytes of a file, and the values that made it."""

import codecs
import csv
import io
import random
from dataclasses import dataclass

from tests.business.columns import MAKERS, Column, with_missing
from tests.business.locales import LOCALES

#: What may stand around the rows: each needs a reader that recognises it.
LAYOUTS = (
    "a title",
    "comments",
    "a line of units",
    "a footer",
    "a line sep=",
    "cp1252",
    "utf-16",
    "a byte order mark",
)


@dataclass
class Business:
    """A table as an office exports it.

    Parameters
    ----------
    columns
        What its rows are.
    layouts
        What stands around them, of `LAYOUTS`.
    delimiter
        What parts the cells.
    locale
        How numbers and words are written.
    """

    columns: list[Column]
    layouts: frozenset[str]
    delimiter: str
    locale: object

    @property
    def encoding(self):
        """How its characters are written."""
        for encoding in ("utf-16", "cp1252"):
            if encoding in self.layouts:
                return encoding
        return "utf-8-sig" if "a byte order mark" in self.layouts else "utf-8"

    @property
    def text(self):
        """The whole file."""
        out = io.StringIO(newline="")
        sheet = csv.writer(out, delimiter=self.delimiter, lineterminator="\r\n")
        if "a line sep=" in self.layouts:
            out.write(f"sep={self.delimiter}\r\n")
        if "a title" in self.layouts:
            out.write(f"{self.locale.title}\r\n\r\n")
        if "comments" in self.layouts:
            out.write(f"# {self.locale.title}\r\n# 2024\r\n")
        sheet.writerow(column.name for column in self.columns)
        if "a line of units" in self.layouts:
            sheet.writerow(f"[{column.unit}]" if column.unit else "" for column in self.columns)
        sheet.writerows(zip(*(column.texts for column in self.columns), strict=True))
        if "a footer" in self.layouts:
            sheet.writerow(self._totals())
        return out.getvalue()

    @property
    def bytes(self):
        """The file as it is stored."""
        return self.text.encode(self.encoding)

    def _totals(self):
        yield self.locale.total
        for column in self.columns[1:]:
            plain = column.kind == "num" and not column.needs
            yield f"{sum(filter(None, column.cells)):.0f}" if plain else ""


def business(seed, locale=None, layouts=LAYOUTS, without=frozenset(), makers=MAKERS):
    """A table of a seed, without what is not to be recognised.

    Parameters
    ----------
    seed
        What it is drawn by.
    locale
        One of `LOCALES`; drawn if not given.
    layouts
        What may stand around its rows.
    without
        What no column may need, and what may not stand around the rows.
    makers
        The makers of the columns to draw from.
    """
    rng = random.Random(seed)
    locale = locale or rng.choice(LOCALES)
    rows = rng.randrange(12, 40)
    columns = [_first(rng, locale, rows)]
    drawn = rng.sample(makers, min(len(makers), rng.randrange(3, 9)))
    for make in drawn:
        column = _allowed(make, rng, locale, rows, without)
        if column is not None and column.name not in [each.name for each in columns]:
            columns.append(column)
    if not any(column.name in _with_fractions(locale) for column in columns):
        columns = [column for column in columns if "ambiguous numbers" not in column.needs]
    delimiters = ",;\t|" if locale.decimal == "." else ";\t|"
    around = {layout for layout in layouts if rng.random() < 0.3} - without
    around = frozenset(around - _excluded(around, columns, locale))
    return Business(columns, around, rng.choice(delimiters), locale)


def _with_fractions(locale):
    """The names of columns that tell which mark parts the fraction."""
    names = ["number", "percent", "unit"] + ["money"] * (locale.code != "ja")
    return [locale.names[name] for name in names]


def _excluded(around, columns, locale):
    """What cannot stand around these rows, or not together."""
    out = set()
    if locale.code == "ja" or not _fits(columns, "cp1252"):
        out |= {"cp1252"}
    if "cp1252" in around - out:
        out |= {"utf-16"}
    if (around - out) & {"cp1252", "utf-16"}:
        out |= {"a byte order mark"}
    if not any(column.unit for column in columns):
        out |= {"a line of units"}
    if len(columns) == 1:
        out |= {"a title"}
    if not any(column.kind == "num" and not column.needs for column in columns):
        out |= {"a footer"}
    if "a title" in around - out:
        out |= {"comments"}
    if (around - out) & {"a title", "comments"}:
        out |= {"a line sep="}
    return out


def _allowed(make, rng, locale, rows, without):
    """A column in one of the styles that are allowed, if there is one."""
    for _ in range(20):
        column = make(rng, locale, rows)
        column = with_missing(column, rng) if rng.random() < 0.3 else column
        if not column.needs & without:
            column.name = locale.names[column.name]
            return column
    return None


def _first(rng, locale, rows):
    """Words that no row shares, as a table of business has in front."""
    cells = [f"{rng.choice(locale.words)} {i}" for i in range(1, rows + 1)]
    return Column("Name", "sym", cells, list(cells))


def _fits(columns, encoding):
    try:
        for column in columns:
            codecs.encode(column.name + "".join(column.texts), encoding)
    except UnicodeEncodeError:
        return False
    return True
