"""Formats: which one a file's ending names, and which options it takes."""

import os
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any, Literal, NamedTuple, TypedDict

from satsuma.data.variable import KINDS
from satsuma.errors import ParameterError, SatsumaError, hint

#: The format that each ending stands for.
ENDINGS = {
    "tab": "tab",
    "csv": "csv",
    "txt": "csv",
    "tsv": "tsv",
    "arff": "arff",
    "parquet": "parquet",
    "feather": "feather",
    "arrow": "feather",
    "ipc": "feather",
    "jsonl": "jsonl",
    "ndjson": "jsonl",
    "xlsx": "xlsx",
}

#: Orders of day, month and year that can be asked for.
ORDERS = ("dmy", "mdy", "ymd")

#: What a text format may be compressed with; the others compress within.
COMPRESSED = {"gz": "gzip", "zst": "zstd"}
TEXT = frozenset({"tab", "csv", "tsv", "arff", "jsonl"})

_DELIMITED = (
    "delimiter",
    "quote",
    "header",
    "encoding",
    "missing",
    "decimal",
    "thousands",
    "dates",
    "strip",
    "marks",
    "bad_rows",
    "threads",
)

#: The options of each format in reading.
READING = {
    **dict.fromkeys(("tab", "csv", "tsv"), _DELIMITED),
    "arff": ("encoding",),
    "parquet": (),
    "feather": (),
    "jsonl": (),
    "xlsx": ("sheet", "header", "missing"),
}

#: The options of each format in writing.
WRITING = {
    **dict.fromkeys(("csv", "tsv"), ("delimiter", "missing", "escape_formulas", "marks")),
    "tab": ("escape_formulas",),
    **dict.fromkeys(("arff", "parquet", "feather", "jsonl"), ()),
    "xlsx": ("sheet", "escape_formulas"),
}


class ReadOptions(TypedDict, total=False):
    """What `satsuma.read` takes beside its own parameters; described there."""

    delimiter: str | None
    quote: str | None
    header: bool | Sequence[str] | None
    encoding: str | None
    missing: Sequence[str] | None
    decimal: str | None
    thousands: str | None
    dates: Literal["dmy", "mdy", "ymd"] | None
    strip: bool | None
    marks: bool | None
    bad_rows: Literal["error", "keep aside"]
    threads: int | None
    sheet: str | int


@dataclass(kw_only=True)
class DelimitedOptions:
    """How the user wants delimited text to be read; None leaves it to the file."""

    layout: Literal["csv", "tab"] = "csv"
    delimiter: str | None = None
    quote: str | None = '"'
    header: bool | Sequence[str] | None = None
    encoding: str | None = None
    missing: Sequence[str] | None = None
    decimal: str | None = None
    thousands: str | None = None
    dates: Literal["dmy", "mdy", "ymd"] | None = None
    strip: bool | None = None
    marks: bool | None = None
    bad_rows: Literal["error", "keep aside"] = "error"
    kinds: Mapping[str, str] | None = None
    target: str | None = None

    def __post_init__(self) -> None:
        self._check_signs()
        if isinstance(self.missing, str):
            raise ParameterError(
                f"The 'missing' parameter must be a list of spellings. Got {self.missing!r} "
                f"instead; write [{self.missing!r}]."
            )
        if self.layout == "tab" and self.header is not None:
            raise ParameterError(
                "header= goes with CSV and TSV: a .tab file has a header of its own. If this one "
                "has only names, or none, pass format='tsv'."
            )
        for name, kind in (self.kinds or {}).items():
            if kind not in KINDS:
                raise ParameterError(
                    f"The 'kinds' parameter must give {', '.join(KINDS)}. "
                    f"Got {kind!r} for {name!r} instead."
                )

        if self.dates not in (None, *ORDERS):
            raise ParameterError(
                f"The 'dates' parameter must be {', '.join(map(repr, ORDERS))}: the order of day, "
                f"month and year. Got {self.dates!r} instead."
            )
        if self.bad_rows not in ("error", "keep aside"):
            raise ParameterError(
                f"The 'bad_rows' parameter must be 'error' or 'keep aside'. "
                f"Got {self.bad_rows!r} instead."
            )

    @classmethod
    def of_format(cls, form: str, **options: Any) -> "DelimitedOptions":
        r"""The options for one of the formats ``csv``, ``tsv`` and ``tab``.

        Examples
        --------
        >>> DelimitedOptions.of_format("tsv").delimiter
        '\t'
        """
        if form == "tsv":
            options = {"delimiter": "\t"} | options
        return cls(layout="tab" if form == "tab" else "csv", **options)

    @property
    def decimal_mark(self) -> str:
        """The decimal mark of plain numbers."""
        return self.decimal or "."

    @property
    def keeps_aside(self) -> bool:
        """Whether rows that cannot be read are kept aside."""
        return self.bad_rows == "keep aside"

    def _check_signs(self) -> None:
        signs = {
            "delimiter": self.delimiter,
            "quote": self.quote,
            "decimal": self.decimal_mark,
            "thousands": self.thousands,
        }
        for name, sign in signs.items():
            if sign is not None and (len(sign) != 1 or not sign.isascii() or sign in "\r\n\0"):
                raise ParameterError(
                    f"The '{name}' parameter must be one ASCII character. Got {sign!r} instead."
                )
        for one, other in (("delimiter", "quote"), ("decimal", "thousands")):
            if signs[one] is not None and signs[one] == signs[other]:
                raise ParameterError(
                    f"{one}= and {other}= are both {signs[one]!r}. They must differ."
                )
        for name in ("decimal", "thousands"):
            if (sign := signs[name]) is not None and (sign.isalnum() or sign in "+-"):
                raise ParameterError(
                    f"The '{name}' parameter must not be a letter, a digit or a sign: {sign!r} "
                    f"has a meaning of its own in a number."
                )


class WriteOptions(TypedDict, total=False):
    """What `satsuma.write` takes beside its own parameters; described there."""

    delimiter: str
    missing: str
    sheet: str
    escape_formulas: bool
    marks: bool | None


class Format(NamedTuple):
    """A format, how it is compressed, and the stem of the file's name."""

    name: str
    compression: str
    stem: str


def find_format(
    path: str | os.PathLike[str] | None, said: str | None, error: type[SatsumaError]
) -> Format:
    """The format of a file, by what is said of it or else by its ending.

    Examples
    --------
    >>> find_format("data/iris.csv.gz", None, SatsumaError)
    Format(name='csv', compression='gzip', stem='iris')
    """
    if said is not None and said not in ENDINGS:
        raise ParameterError(f"There is no format {said!r}. {_known(said, ENDINGS)}")
    name = PurePath(path or "").name
    stem, _, last = name.rpartition(".")
    compression = COMPRESSED.get(last.lower(), "") if stem else ""
    if compression:
        name = stem
        stem, _, last = name.rpartition(".")
    ending = last.lower() if stem else ""
    found = ENDINGS[said] if said else ENDINGS.get(ending)
    if found is None:
        told = f"its ending {'.' + ending!r}" if ending else "a name without an ending"
        told = "its content alone" if path is None else told
        raise error(f"{_label(path)}: {told} does not say the format. {_say(ending)}")
    if compression and found not in TEXT:
        remedy = "Leave that ending out: the format compresses within."
        raise error(f"{_label(path)}: {found} is not compressed as a whole. {remedy}")
    return Format(found, compression, stem if ending in ENDINGS else name)


def _label(path: str | os.PathLike[str] | None) -> str:
    return "<file>" if path is None else os.fspath(path)


def _say(ending: str) -> str:
    return f"Say it with format=. {_known(ending, ENDINGS)}"


def _known(word: str, known: Iterable[str]) -> str:
    known = list(known)
    return hint(word, known, most=len(known))


def check_options(given: Iterable[str], known: Collection[str], what: str) -> None:
    """Raise if an option is given that is not known.

    Examples
    --------
    >>> check_options(["delimeter"], ["delimiter", "missing"], "the format csv")
    Traceback (most recent call last):
    ...
    satsuma.errors.ParameterError: There is no option 'delimeter' for the format csv. \
Did you mean 'delimiter'?
    """
    for option in given:
        if option not in known:
            raise ParameterError(
                f"There is no option {option!r} for {what}. {_known(option, known)}"
            )
