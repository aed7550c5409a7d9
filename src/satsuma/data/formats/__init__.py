"""Formats: which one a file's ending names, and which options it takes."""

import os
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import PurePath
from typing import Any, Literal, NamedTuple, TypedDict

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
    "ris": "ris",
    "nbib": "nbib",
    "bib": "bibtex",
    "bibtex": "bibtex",
}

#: Formats of records of literature.
REFERENCES = ("ris", "nbib", "bibtex")

#: Endings of what is known and is no table.
NO_TABLES = {
    "basket": "a .basket file lists words and no columns. Write its rows as a table, with a column "
    "for each word."
}

#: What a text format may be compressed with; the others compress within.
COMPRESSED = {"gz": "gzip", "zst": "zstd", "bz2": "bzip2", "xz": "xz", "zip": "zip"}
TEXT = frozenset({"tab", "csv", "tsv", "arff", "jsonl", *REFERENCES})

_DELIMITED = (
    "delimiter",
    "quote",
    "escape",
    "comment",
    "skip",
    "header",
    "footer",
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

#: What to do with rows that cannot be read.
BAD_ROWS = ("error", "keep aside", "mend")

#: The options of each format in reading.
READING = {
    **dict.fromkeys(("tab", "csv", "tsv"), _DELIMITED),
    "arff": ("encoding",),
    "parquet": (),
    "feather": (),
    "jsonl": (),
    "xlsx": ("sheet", "header", "missing"),
    **dict.fromkeys(REFERENCES, ()),
}

#: The options of each format in writing.
WRITING = {
    **dict.fromkeys(("csv", "tsv"), ("delimiter", "missing", "escape_formulas", "marks")),
    "tab": ("escape_formulas",),
    **dict.fromkeys(("arff", "parquet", "feather", "jsonl"), ()),
    "xlsx": ("sheet", "escape_formulas"),
    **dict.fromkeys(REFERENCES, ()),
}


class ReadOptions(TypedDict, total=False):
    """What `satsuma.read` takes beside its own parameters; described there."""

    delimiter: str | None
    quote: str | None
    escape: str | None
    comment: str | bool | None
    skip: int | None
    header: bool | int | Sequence[str] | None
    footer: int | None
    encoding: str | None
    missing: Sequence[str] | None
    decimal: str | None
    thousands: str | None
    dates: Literal["dmy", "mdy", "ymd"] | None
    strip: bool | None
    marks: bool | None
    bad_rows: Literal["error", "keep aside", "mend"]
    threads: int | None
    sheet: str | int
    table: str
    query: str
    storage_options: Mapping[str, Any] | None


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
        name = _packed_name(path, stem) if compression == "zip" else stem
        stem, _, last = name.rpartition(".")
    ending = last.lower() if stem else ""
    found = ENDINGS[said] if said else ENDINGS.get(ending)
    if found is None and ending in NO_TABLES:
        raise error(f"{_label(path)}: {NO_TABLES[ending]}")
    if found is None:
        told = f"its ending {'.' + ending!r}" if ending else "a name without an ending"
        told = "its content alone" if path is None else told
        raise error(f"{_label(path)}: {told} does not say the format. {_say(ending)}")
    if compression and found not in TEXT:
        remedy = "Leave that ending out: the format compresses within."
        raise error(f"{_label(path)}: {found} is not compressed as a whole. {remedy}")
    return Format(found, compression, stem if ending in ENDINGS else name)


def _packed_name(path: str | os.PathLike[str] | None, stem: str) -> str:
    """What a file in a .zip archive is called: by the archive, or else by itself."""
    from satsuma.data.files import member_name

    if path is None or stem.rpartition(".")[2].lower() in ENDINGS:
        return stem
    return PurePath(member_name(path) or stem).name


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
