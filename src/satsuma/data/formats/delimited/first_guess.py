"""First guess: what the header and the first rows of delimited text say of its columns."""

import re
from collections.abc import Collection
from dataclasses import replace
from itertools import islice
from typing import cast

import numpy as np

from satsuma.data.column_plan import ColumnPlan
from satsuma.data.columns import is_text
from satsuma.data.domain import Domain
from satsuma.data.example_cells import example_cells
from satsuma.data.flags import FLAG, FLAGS, NUMERIC_ROLES, bits_of
from satsuma.data.formats.delimited.heads import Head
from satsuma.data.formats.delimited.text_file import Kinds, TextFile, scan_sample
from satsuma.data.likeness import hints_like
from satsuma.data.missing_marks import symbol_marks
from satsuma.data.readings import Doubt
from satsuma.data.recognition import Hints, recognise_columns
from satsuma.data.spelling import COMMAS, Spelling
from satsuma.data.variable import Kind, Variable
from satsuma.kernels.csv import (
    BLANKS,
    NUM,
    NUM_LOOSE,
    SKIP,
    SYM,
    Format,
    NumberFormat,
    Piece,
    TimeFormat,
    read_number,
)

#: Strings of a column that are looked at; the rows confirm what they say, or withdraw it.
STRINGS = 200

#: Plain numbers that tell the decimal mark: others, as 1.234, may be thousands.
_FRACTION = re.compile(r"[+-]?(?:\d*\.(?!\d{3}$)\d+|0\.\d+|\d{4,}\.\d+)[ \t]*", re.ASCII)


def guess_plan(text: TextFile, sample: bytes) -> ColumnPlan:
    """What the header and the first rows say of the columns.

    A column holds numbers until a cell of the sample says otherwise; what is written in a format
    of its own is told by the strings of the sample.
    """
    guess = _Guess(text, sample)
    heads = text.header.heads
    return ColumnPlan(
        Domain(map(guess.variable, range(len(heads)))),
        strict=frozenset(head.name for head in heads if not head.doubtful),
        fixed=frozenset(head.name for head in heads if not head.doubtful or head.kind == "text"),
        flags=guess.flags,
        soft=frozenset(head.name for head in heads if head.role == "goal"),
        by_name=frozenset(head.name for head in heads if head.kind == "num" and head.doubtful),
        listed={head.name: len(head.values) for head in heads if head.values},
        spelling=guess.spelling,
    )


def _sample_kind(head: Head) -> int:
    """What a column of the sample is tried as; one that is numeric by its name is not tried.

    Where that is wrong, it is to be told.
    """
    if head.kind is None:
        return NUM
    if head.kind == "num":
        return SKIP if head.doubtful else NUM_LOOSE
    return SYM


class _Guess:
    """What the first rows say."""

    def __init__(self, text: TextFile, sample: bytes) -> None:
        self.header = text.header
        self.sample, options, dialect = sample, text.options, text.header.dialect
        self.like = hints_like(options.like)
        fallback = "." if dialect.delimiter == "," else None
        self.hints = Hints(options.decimal, options.dates, dialect.number_missing, fallback)
        tried = np.array([_sample_kind(head) for head in self.header.heads], np.int8)
        self.numbers = self._scan(np.where(tried == SYM, np.int8(SKIP), tried))
        words = tried == SYM
        words[list(self.numbers.failed)] = True
        self.found = self._scan(np.where(words, np.int8(SYM), np.int8(SKIP)))
        self.forms, likely = self._recognised(np.flatnonzero(words).tolist())
        names = (head.name for j, head in enumerate(self.header.heads) if self._is_flag(j))
        self.flags = frozenset(names)
        self.spelling = self._spelling(words.tolist(), likely)
        self.flags -= self.spelling.numbers.keys()  # 1.000 among them is no 1

    def _scan(self, kinds: Kinds) -> Piece:
        return scan_sample(self.header.dialect, self.sample, kinds)

    def _recognised(self, words: Collection[int]) -> tuple[dict[str, Format | Doubt], Hints]:
        """The formats of columns that are no plain numbers, and what they tell about the file."""
        heads = self.header.heads
        columns = {
            heads[j].name: list(islice(self.found.values[j], STRINGS))
            for j in words
            if heads[j].kind in (None, "num", "time")
        }
        found, likely = recognise_columns(columns, self.hints)
        asked = likely.decimal == "," or any(map(_is_open_number, found.values()))
        if asked and self._has_fractions():
            found, likely = recognise_columns(columns, self.hints, Hints(decimal="."))
        self.taken = self._taken_over(likely)
        if self.taken != Hints():
            before = Hints(self.taken.decimal or likely.decimal, self.taken.dates or likely.dates)
            found, likely = recognise_columns(columns, self.hints, before)
        return {name: _for_later_rows(form, columns[name]) for name, form in found.items()}, likely

    def _taken_over(self, likely: Hints) -> Hints:
        """What is known of a table like this one, as far as this one tells nothing."""
        decimal = self.like.decimal if likely.decimal is None else None
        points = decimal == "," and self._has_fractions()
        return Hints(None if points else decimal, None if likely.dates else self.like.dates)

    def _plain(self) -> dict[str, list[str]]:
        """The strings of the columns of plain numbers."""
        heads = self.header.heads
        plain = [
            j
            for j, column in enumerate(self.numbers.columns)
            if column is not None and heads[j].kind is None
        ]
        kinds = np.full(len(heads), SKIP, np.int8)
        kinds[plain] = SYM
        values = self._scan(kinds).values
        return {heads[j].name: list(islice(values[j], STRINGS)) for j in plain}

    def _has_fractions(self) -> bool:
        """Whether plain numbers tell that the decimal mark is a point."""
        return any(any(map(_FRACTION.fullmatch, values)) for values in self._plain().values())

    def _spelling(self, words: list[bool], likely: Hints) -> Spelling:
        heads = self.header.heads
        strings = {heads[j].name: self.found.values[j] for j in np.flatnonzero(words)}
        opened = {name for name, form in self.forms.items() if isinstance(form, Doubt)}
        wanted = {
            head.name: cast("str", head.kind)
            for head in heads
            if head.kind in ("num", "time") and not head.doubtful and head.name in strings
            if head.name in opened or (head.kind == "time" and not self._is_time(head.name))
        }
        told, missing = bool(self.header.dialect.number_missing), self.hints.missing
        spelling = Spelling(
            hints=self.hints,
            likely=likely,
            numbers={n: form for n, form in self.forms.items() if isinstance(form, NumberFormat)},
            marks={name: symbol_marks(values) for name, values in strings.items()} if told else {},
            open=frozenset(opened | wanted.keys()),
            wanted=wanted,
            examples={name: example_cells(strings[name], missing) for name in self.forms},
            taken=self.taken,
            told=told,
        )
        if not spelling.has_commas:
            return spelling
        numbers = (
            head.name
            for head, column in zip(heads, self.numbers.columns, strict=True)
            if head.kind == "num" or column is not None
        )
        return self._with_points(spelling).following([*numbers])

    def _is_time(self, name: str) -> bool:
        form = self.forms.get(name)
        return form is not None and not isinstance(form, NumberFormat | Doubt)

    def _is_flag(self, j: int) -> bool:
        head, column = self.header.heads[j], self.numbers.columns[j]
        free = head.kind is None and head.role not in NUMERIC_ROLES
        return free and column is not None and bits_of(column) == FLAG

    def _with_points(self, spelling: Spelling) -> Spelling:
        """What is known once points were found in columns of a file with decimal commas."""
        missing = {"", *self.hints.missing}
        thousands, apart = dict[str, tuple[str, ...]](), set[str]()
        for name, values in self._plain().items():
            known = [value for value in values if value.strip(BLANKS) not in missing]
            points = [value for value in known if "." in value]
            if points and all(read_number(value, COMMAS) is not None for value in known):
                thousands[name] = example_cells(points, missing)
            elif points:
                apart.add(name)
        examples = {**spelling.examples, **thousands}
        made = replace(spelling, apart=frozenset(apart), examples=examples)
        return made.with_numbers(dict.fromkeys(thousands, COMMAS))

    def variable(self, j: int) -> Variable:
        """What a column is planned as."""
        head = self.header.heads[j]
        form, role = self.forms.get(head.name), "x" if head.role == "goal" else head.role
        if head.name in self.flags:
            return Variable(head.name, "sym", FLAGS, role)
        if head.name in self.spelling.wanted:
            return Variable(head.name, "sym", (), role)
        if self._is_time(head.name) and head.kind in (None, "time"):
            return Variable(head.name, "time", (), role, format=cast("TimeFormat", form))
        numeric = isinstance(form, NumberFormat) or head.kind == "num"
        if numeric or self.numbers.columns[j] is not None:
            return Variable(head.name, "num", (), head.role, head.goal)
        kind = self._kind(head, j)
        values = dict.fromkeys((*head.values, *self.found.values[j])) if kind == "sym" else {}
        marks = self.spelling.marks.get(head.name, frozenset())
        return Variable(head.name, kind, tuple(v for v in values if v not in marks), role)

    def _kind(self, head: Head, j: int) -> Kind:
        if head.kind == "text" or not head.doubtful:
            return cast("Kind", head.kind)
        codes = self.found.columns[j]
        known = 0 if codes is None else int((codes >= 0).sum())
        return "text" if is_text(self.found.values[j], known) else "sym"


def _is_open_number(form: Format | Doubt) -> bool:
    return isinstance(form, Doubt) and isinstance(form.formats[0], NumberFormat)


def _for_later_rows(form: Format | Doubt, values: Collection[str]) -> Format | Doubt:
    """The format that later rows are read by, which may hold what the first ones do not.

    Thousands are parted by the usual mark once the decimal mark is known. One that no string has is
    not taken for known, and the first one that has it is asked: otherwise 5 € in the first rows
    would make a fraction of 1.234 € in a later one.
    """
    if not isinstance(form, NumberFormat) or form.thousands in (".", ","):
        return form
    used = any(re.search(rf"[\d\s]{re.escape(form.decimal)}\d", f" {value}") for value in values)
    if not used:
        return replace(form, decimal="")
    return replace(form, thousands=form.thousands or ("," if form.decimal == "." else "."))
