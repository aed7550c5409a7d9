"""Spelling: how the cells of a text are written, from a first guess to what all of its rows tell.

A format is guessed from the first strings of a column. A cell that is not written so withdraws it:
the column is read as symbols, and once all of its strings are known they are looked at once more.
"""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace

from satsuma.data.example_cells import example_cells
from satsuma.data.missing_marks import symbol_marks
from satsuma.data.profile import Profile
from satsuma.data.readings import Doubt
from satsuma.data.recognition import Hints, recognise_columns, settle_doubt
from satsuma.kernels.csv import Format, NumberFormat, TimeFormat, read_number

#: How numbers are written in a file with decimal commas, unless a cell says otherwise.
COMMAS = NumberFormat(",", ".")

#: A plain number with a decimal point.
_POINT = re.compile(r"[ \t]*[+-]?(?:\d+\.\d*|\.\d+)(?:[eE][+-]?\d+)?[ \t]*", re.ASCII)

#: How times are written where all are missing.
ISO_DAY = TimeFormat("%Y-%m-%d")


@dataclass(frozen=True)
class Spelling:
    """How the columns of a text are written, beside the times, whose variables say it.

    Parameters
    ----------
    hints
        What the user says.
    likely
        What the columns tell about the file.
    numbers
        By column, how numbers are written that are not plain ones.
    whole
        Columns of plain numbers without any decimal mark, in a file whose others have commas.
    apart
        Columns of plain numbers with points, which do not follow the others.
    marks
        By column, the symbols that stand for a missing cell.
    open
        Columns whose strings are looked at once all of them are known.
    known
        Columns whose strings were.
    doubts
        By column the formats that are left where several fit.
    wanted
        By column the kind that was asked for and that its strings have yet to confirm.
    examples
        By column one or two cells to show.
    taken
        What this text leaves open, and a table that it is to be like tells.
    told
        Whether missing marks are looked for.
    """

    hints: Hints = field(default_factory=Hints)
    likely: Hints = field(default_factory=Hints)
    numbers: Mapping[str, NumberFormat] = field(default_factory=dict[str, NumberFormat])
    whole: frozenset[str] = frozenset()
    apart: frozenset[str] = frozenset()
    marks: Mapping[str, frozenset[str]] = field(default_factory=dict[str, frozenset[str]])
    open: frozenset[str] = frozenset()
    known: frozenset[str] = frozenset()
    doubts: Mapping[str, Doubt] = field(default_factory=dict[str, Doubt])
    wanted: Mapping[str, str] = field(default_factory=dict[str, str])
    examples: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    taken: Hints = field(default_factory=Hints)
    told: bool = True

    def reads_like(self, other: "Spelling") -> bool:
        """Whether cells are read in the same way."""
        return (self.numbers, self.whole, self.marks) == (other.numbers, other.whole, other.marks)

    def without(self, failed: Collection[str]) -> "Spelling":
        """The same without the formats of columns that have cells of another format."""
        if not failed:
            return self
        numbers = {name: form for name, form in self.numbers.items() if name not in failed}
        opened = frozenset(failed) - self.known
        return replace(self, numbers=numbers, open=self.open | opened)

    def with_strings(self, profile: Profile) -> "tuple[Spelling, dict[str, Format]]":
        """What all strings of the open columns say, and the formats that are new."""
        columns = {
            name: words.values
            for name in sorted(self.open)
            if (words := profile.words.get(name)) is not None and not words.too_many
        }
        if not columns:
            return self, {}
        found, likely = recognise_columns(columns, self.hints, self.likely)
        found = {name: self._as_wanted(name, form) for name, form in found.items()}
        doubts = {name: form for name, form in found.items() if isinstance(form, Doubt)}
        forms: dict[str, Format] = {
            name: form for name, form in found.items() if not isinstance(form, Doubt)
        }
        forms |= {name: ISO_DAY for name in columns if self._is_empty_time(name, columns[name])}
        for name, doubt in self.doubts.items():
            if name not in columns and not isinstance(form := settle_doubt(doubt, likely), Doubt):
                forms[name] = form
        left = {name: each for name, each in self.doubts.items() if name not in (*forms, *columns)}
        missing = self.hints.missing
        examples = {name: example_cells(values, missing) for name, values in columns.items()}
        made = replace(
            self,
            likely=likely,
            open=self.open.difference(columns),
            known=self.known.union(columns),
            doubts={**left, **doubts},
            examples={**self.examples, **examples},
        )
        return made.with_numbers(forms), forms

    def _as_wanted(self, name: str, form: Format | Doubt) -> Format | Doubt:
        """The one format in doubt, where a column is to hold what it makes of the strings."""
        if not isinstance(form, Doubt) or len(form.formats) != 1:
            return form
        kind = "num" if isinstance(form.formats[0], NumberFormat) else "time"
        return form.formats[0] if self.wanted.get(name) == kind else form

    def _is_empty_time(self, name: str, values: Collection[str]) -> bool:
        """Whether a column is to hold times, and all of its cells are missing."""
        return self.wanted.get(name) == "time" and not example_cells(values, self.hints.missing)

    def with_numbers(self, forms: Mapping[str, Format]) -> "Spelling":
        """The same with formats of numbers, those among these."""
        numbers = {name: form for name, form in forms.items() if isinstance(form, NumberFormat)}
        return replace(self, numbers={**self.numbers, **numbers}) if numbers else self

    def with_marks(self, profile: Profile) -> "Spelling":
        """The same with the missing marks that the symbols of whole columns leave."""
        if not self.told:
            return self
        changes: dict[str, frozenset[str]] = {}
        for name, words in profile.words.items():
            marks, old = symbol_marks(words.values), self.marks.get(name, frozenset())
            if not (marks ^ old).isdisjoint(words.values):
                changes[name] = marks
        return replace(self, marks={**self.marks, **changes}) if changes else self

    @property
    def has_commas(self) -> bool:
        """Whether other columns tell that the decimal marks of the file are commas."""
        return self.likely.decimal == "," and not self.hints.decimal

    def following(self, plain: Collection[str]) -> "Spelling":
        """The same with columns of plain numbers held to have no mark, if the file has commas."""
        if not self.has_commas:
            return self
        told = {*self.numbers, *self.apart, *self.known}
        return replace(self, whole=self.whole.union(plain).difference(told))

    def with_first_marks(self, cells: Mapping[str, str]) -> "tuple[Spelling, dict[str, Format]]":
        """What the first cell with a mark says of columns that were held to have none.

        A point where the file has commas parts thousands if it can; if it cannot, the column does
        not follow the file, and its numbers are plain ones.

        Parameters
        ----------
        cells
            By column the first cell that is no whole number.
        """
        found = {name: cell for name, cell in cells.items() if name in self.whole}
        commas = {name: c for name, c in found.items() if read_number(c, COMMAS) is not None}
        points = {name for name, c in found.items() if name not in commas and _POINT.fullmatch(c)}
        made = replace(
            self,
            whole=self.whole.difference(found),
            apart=self.apart | points,
            examples={**self.examples, **{name: (cell,) for name, cell in commas.items()}},
        )
        forms: dict[str, Format] = dict.fromkeys(commas, COMMAS)
        return made.with_numbers(forms), forms


#: That of a source whose cells have types.
UNSPELLED = Spelling(told=False)
