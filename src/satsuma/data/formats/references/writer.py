"""References, written: each row is a record; columns that no field is for become notes."""

import re
import textwrap
from collections.abc import Iterator
from typing import Any, BinaryIO

from satsuma.data.columns import spell
from satsuma.data.formats.references.fields import (
    BIBTEX,
    PUBMED,
    SEPARATOR,
    Record,
    bibtexparser,
    rispy,
)
from satsuma.data.formats.serialization import Put
from satsuma.data.table import Table

#: Columns whose cells hold several values.
_SEVERAL = ("authors", "first_authors", "secondary_authors", "tertiary_authors",
            "subsidiary_authors", "editors", "keywords", "mesh", "urls", "notes")  # fmt: skip


def ris_put(table: Table) -> Put:
    """RIS: other columns, such as labels, are notes (N1): ``relevant: yes``."""
    writer = rispy()
    fields = set(writer.TAG_KEY_MAPPING.values()) - {"unknown_tag", "end_of_reference"}
    fields -= _extra(table)  # a target may be called "label", as a field of RIS is
    several = {writer.TAG_KEY_MAPPING[tag] for tag in writer.LIST_TYPE_TAGS}
    made = list[dict[str, Any]]()
    for record in _records(table, fields, "[A-Z][A-Z0-9]"):
        unknown = {name: values for name, values in record.items() if name not in fields}
        one = {name: values if name in several else SEPARATOR.join(values)
               for name, values in record.items() if name in fields}  # fmt: skip
        made.append({**one, **({"unknown_tag": unknown} if unknown else {})})
    text = writer.dumps(made)
    return lambda stream: _put(stream, text)


def pubmed_put(table: Table) -> Put:
    """PubMed's .nbib; other columns are general notes (GN)."""
    fields = {*PUBMED, "notes", "doi", "year"}
    blocks = list[str]()
    for record in _records(table, fields, "[A-Z]{2,4}"):
        lines = [("PMID", record.pop("pmid", [""])[0])]
        if "date" in record:
            record.pop("year", None)
        for name, values in record.items():
            tag = {"notes": "GN", "doi": "LID", "year": "DP"}.get(name, PUBMED.get(name, name))
            ending = " [doi]" if name == "doi" else ""
            lines += [(tag, value + ending) for value in values]
        blocks.append("".join(_pubmed_line(tag, value) for tag, value in lines))
    return lambda stream: _put(stream, "\n".join(blocks))


def _pubmed_line(tag: str, value: str) -> str:
    wrapped = textwrap.wrap(value, 80, break_long_words=False, break_on_hyphens=False) or [""]
    return f"{tag:<4}- " + "\n      ".join(wrapped) + "\n"


def bibtex_put(table: Table) -> Put:
    """BibTeX; other columns are notes. Rows without an ``id`` are called row1, row2, …."""
    parser = bibtexparser()
    names = set(table.domain.names)
    entries, keys = list[Any](), set[str]()
    model = parser.model
    for at, record in enumerate(_records(table, names - _extra(table))):
        key = re.sub(r"[^\w:.-]", "", "".join(record.pop("id", [])[:1])) or f"row{at + 1}"
        key = key if key not in keys else f"{key}-{at + 1}"
        keys.add(key)
        kind = "".join(record.pop("type_of_reference", [])[:1]).lower()
        fields = list[Any]()
        for name, values in record.items():
            joint = " and " if name in ("authors", "editors") else SEPARATOR
            field = BIBTEX.get(name, {"notes": "note"}.get(name, re.sub(r"\W", "_", name)))
            fields.append(model.Field(field, joint.join(values)))
        entries.append(model.Entry(kind if kind.isalpha() else "article", key, fields))
    encoding = parser.middlewares.LatexEncodingMiddleware()
    text = parser.write_string(parser.Library(entries), prepend_middleware=[encoding])
    return lambda stream: _put(stream, text)


def _extra(table: Table) -> set[str]:
    """Columns that are no fields of a reference: the target, and what labelling adds."""
    target = table.domain.target
    return set() if target is None else {
        name for name in table.domain.names if name == target.name
        or name.startswith(f"{target.name} by ") or name in ("row", "comments")
    }  # fmt: skip


def _records(table: Table, fields: set[str], tags: str = "") -> Iterator[Record]:
    """Rows as records; a column that is neither a field nor a tag is a note with its name."""
    for row in table:
        record: Record = {}
        notes = list[str]()
        for name, cell in zip(table.domain.names, row, strict=True):
            if cell is None:
                continue
            text = re.sub(r"\s+", " ", spell(cell)).strip()
            if name in fields or re.fullmatch(tags, name):
                values = text.split(SEPARATOR) if name in _SEVERAL else [text]
                record[name] = [each for each in values if each]
            else:
                notes.append(f"{name}: {text}")
        if notes:
            record["notes"] = [*record.get("notes", []), *notes]
        yield record


def _put(stream: BinaryIO, text: str) -> None:
    stream.write(text.encode("utf-8"))
