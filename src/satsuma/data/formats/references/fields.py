"""Fields: what the fields of a reference are called as columns, in each of the formats."""

from typing import Any

from satsuma.errors import SatsumaError

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
    try:
        import rispy
    except ImportError:
        raise _missing("RIS", "rispy") from None
    return rispy


def bibtexparser() -> Any:
    """The package that knows BibTeX, or an error that says how to get it."""
    try:
        import bibtexparser
    except ImportError:
        raise _missing("BibTeX", "bibtexparser") from None
    return bibtexparser


def _missing(form: str, package: str) -> SatsumaError:
    return SatsumaError(
        f"{form} files need the package {package}. Install it with: pip install satsuma[review]"
    )
