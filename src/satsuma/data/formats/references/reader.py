"""References, read: RIS with rispy, BibTeX with bibtexparser, and PubMed's .nbib."""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from satsuma.data.cells import Found, as_kinds, check_kinds, column_of
from satsuma.data.files import Readable, label, open_bytes
from satsuma.data.formats.references.fields import (
    BIBTEX,
    FIRST,
    LEARNED,
    NUMBERS,
    PUBMED,
    SEPARATOR,
    Record,
    bibtexparser,
    rispy,
)
from satsuma.data.parts import Opened
from satsuma.errors import ReadError

_START, _END = re.compile(r"^TY  -", re.MULTILINE), re.compile(r"^ER  -", re.MULTILINE)
_PUBMED_LINE = re.compile(r"^([A-Z]{2,4}) *- ?(.*)$")


def open_references(
    source: Readable, form: str, *, kinds: Mapping[str, str] | None = None
) -> Opened:
    r"""Records as rows of one part: a column for each field that some record has.

    Titles, abstracts and keywords are texts to learn from. All other fields are beside them (role
    ``meta``): who wrote a paper, and where it appeared, says little of what it is about.

    Parameters
    ----------
    source
        A path, bytes, or an open binary file.
    form
        ``ris``, ``nbib`` or ``bibtex``.
    kinds
        ``num``, ``sym`` or ``text`` by name, where the kind that is found is not the one meant.

    Examples
    --------
    >>> told = b"TY  - JOUR\nTI  - On rain\nAU  - Doe, A.\nAU  - Roe, B.\nPY  - 1999\nER  - \n"
    >>> open_references(told, "ris").table()[0]
    Row(title='On rain', authors='Doe, A.; Roe, B.', year=1999, type_of_reference='JOUR')
    """
    file = label(source)
    with open_bytes(source) as stream:
        data = stream.read()
    try:
        text = data.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError as error:
        raise ReadError(
            f"byte {error.start:,} is not UTF-8", file=file, remedy="Export it anew in UTF-8."
        ) from None
    records = {"ris": _ris, "nbib": _pubmed, "bibtex": _bibtex}[form](text, file)
    if not records:
        raise ReadError(f"there is no {form} record in it", file=file, remedy="Look at the file.")
    names = dict.fromkeys(name for record in records for name in record)
    order = [*(n for n in FIRST if n in names), *(n for n in names if n not in FIRST)]
    kinds = check_kinds(kinds, order)
    found = [_column(name, records, file) for name in order]
    return Opened.holding(as_kinds(found, kinds), (), file=file)


def _column(name: str, records: list[Record], file: str) -> Found:
    cells: list[Any] = [
        SEPARATOR.join(record[name]) if record.get(name) else None for record in records
    ]
    if name in LEARNED:
        return column_of(name, cells, "text", file)
    if name in NUMBERS and all(cell is None or cell.isdecimal() for cell in cells):
        cells = [None if cell is None else float(cell) for cell in cells]
        found = column_of(name, cells, "num", file)
    else:
        found = column_of(name, cells, "sym", file)
    return found._replace(variable=found.variable.with_role("meta"), sure=True)


def _ris(text: str, file: str) -> list[Record]:
    """Records of RIS; tags that nobody knows are columns of their own name."""
    reader, starts = rispy(), [each.start() for each in _START.finditer(text)]
    ends = [each.start() for each in _END.finditer(text)]
    for at, start in enumerate(starts):
        stop = starts[at + 1] if at + 1 < len(starts) else len(text)
        if not any(start < end < stop for end in ends):
            line = text.count("\n", 0, start) + 1
            raise ReadError(
                "a record does not end with 'ER  -'", file=file, line=line, remedy="Add that line."
            )
    try:
        found = reader.loads(text, enforce_list_tags=False)
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise ReadError(f"it is no RIS ({error})", file=file, remedy="Export it anew.") from None
    records = list[Record]()
    for each in found:
        unknown = each.pop("unknown_tag", {})
        records.append({name: _values(cell) for name, cell in (each | dict(unknown)).items()})
    return [_cleaned(record) for record in records]


def _values(cell: Any) -> list[str]:
    return [str(each) for each in cell] if isinstance(cell, list) else [str(cell)]  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]


def _cleaned(record: Record) -> Record:
    """Without fields that are empty."""
    full = {name: [each.strip() for each in values if each.strip()]
            for name, values in record.items()}  # fmt: skip
    return {name: values for name, values in full.items() if values}


def _pubmed(text: str, file: str) -> list[Record]:  # noqa: ARG001 - all take the same two
    """Records of PubMed: blocks of tagged lines, with lines that go on below them."""
    columns = {tag: name for name, tag in PUBMED.items()} | {"AU": "authors_short"}
    records = list[Record]()
    for block in re.split(r"\n\s*\n", text):
        tagged = list(_pubmed_fields(block.split("\n")))
        if not any(tag == "PMID" for tag, _ in tagged):
            continue
        record: Record = {}
        for tag, value in tagged:
            record.setdefault(columns.get(tag, tag), []).append(value)
        dois = [v.removesuffix("[doi]") for tag, v in tagged if tag in ("LID", "AID")
                and v.endswith("[doi]")]  # fmt: skip
        record["doi"] = dois[:1]
        for tag in ("LID", "AID"):
            record[tag] = [
                v for v in record.get(tag, []) if v.removesuffix("[doi]") not in dois[:1]
            ]
        record["year"] = [each[:4] for each in record.get("date", [])[:1]]
        record.setdefault("authors", record.pop("authors_short", []))
        record.pop("authors_short", None)
        records.append(_cleaned(record))
    return records


def _pubmed_fields(lines: Iterable[str]) -> Iterable[tuple[str, str]]:
    tag, value = "", ""
    for line in lines:
        found = _PUBMED_LINE.match(line)
        if found is None:
            value = f"{value} {line.strip()}"
            continue
        if tag:
            yield tag, value.strip()
        tag, value = found.groups()
    if tag:
        yield tag, value.strip()


def _bibtex(text: str, file: str) -> list[Record]:
    """Entries of BibTeX, with LaTeX's accents as letters; an entry's key is its id."""
    parser = bibtexparser()
    decoding = parser.middlewares.LatexDecodingMiddleware()
    found = parser.parse_string(text, append_middleware=[decoding])
    entries = list(found.entries)
    for block in found.failed_blocks:
        if not isinstance(block, parser.model.DuplicateBlockKeyBlock):
            line = (block.start_line or 0) + 1
            raise ReadError(f"it is no BibTeX: {block.error}", file=file, line=line,
                            remedy="Mend this entry.")  # fmt: skip
        # A key that is there twice is no reason to leave a paper out.
        alone = parser.Library([*found.strings, block.ignore_error_block])
        for step in (*parser.middlewares.default_parse_stack(), decoding):
            alone = step.transform(alone)
        entries += alone.entries
    columns = {field: name for name, field in BIBTEX.items()}
    records = list[Record]()
    for entry in sorted(entries, key=lambda each: each.start_line or 0):
        record: Record = {"id": [entry.key], "type_of_reference": [entry.entry_type]}
        for field in entry.fields:
            key = str(field.key).lower()
            name = columns.get(key, key)
            value = re.sub(r"\s+", " ", str(field.value))
            record[name] = value.split(" and ") if name in ("authors", "editors") else [value]
        records.append(_cleaned(record))
    return records
