"""Fields: what the fields of a reference are called as columns, in each of the formats."""

from typing import Any

from satsuma.errors import require_extra

#: A reference by the names of columns; several authors or keywords are several values.
Record = dict[str, list[str]]

#: What stands between several values in one cell.
SEPARATOR = "; "

#: Columns in front, in this order; all that may be learned from are texts.
FIRST = ("title", "abstract", "keywords", "authors", "year", "journal_name", "doi")
LEARNED = ("title", "primary_title", "abstract", "notes_abstract", "keywords")

#: Columns of years, which are numbers where all of them are.
NUMBERS = ("year",)

#: Tags of PubMed's format, by column.
PUBMED = {
    "pmid": "PMID",
    "title": "TI",
    "abstract": "AB",
    "authors": "FAU",
    "keywords": "OT",
    "mesh": "MH",
    "journal_name": "JT",
    "date": "DP",
    "volume": "VI",
    "number": "IP",
    "pages": "PG",
    "language": "LA",
    "type_of_reference": "PT",
    "issn": "IS",
}

#: Names of BibTeX's fields, by column, where they differ.
BIBTEX = {
    "authors": "author",
    "editors": "editor",
    "journal_name": "journal",
    "urls": "url",
}


def rispy() -> Any:
    """The package that knows RIS, or an error that says how to get it."""
    with require_extra("review", "A RIS file", "rispy"):
        import rispy
    return rispy


def bibtexparser() -> Any:
    """The package that knows BibTeX, or an error that says how to get it."""
    with require_extra("review", "A BibTeX file", "bibtexparser"):
        import bibtexparser
    return bibtexparser
