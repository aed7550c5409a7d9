"""Learners as the registry has them, for the pages of the site.

``<!-- reference: PAGE -->`` in a page stands for the descriptions of the learners whose record
names that page of the reference, and ``<!-- learners -->`` for a table of all of them.
"""

import re
from collections.abc import Iterator
from inspect import Parameter, getdoc, signature
from typing import Any

from satsuma.registry import LEARNERS, Record, record_of

_REFERENCE = re.compile(r"<!-- reference: (\w+) -->")
_TABLE = "<!-- learners -->"

#: Kinds of columns, and ways over the rows, as pages call them.
_KINDS = {"num": "numbers", "sym": "symbols", "text": "text"}
_ROUNDS = {
    "one": "one pass",
    "many": "several passes",
    "stream": "one pass, in order",
    "rows": "all rows in memory",
}


def listed(markdown: str) -> str:
    """A page with its marks replaced."""
    markdown = _REFERENCE.sub(lambda mark: "\n\n".join(_descriptions(mark[1])), markdown)
    return markdown.replace(_TABLE, "\n".join(_table())) if _TABLE in markdown else markdown


def _descriptions(page: str) -> Iterator[str]:
    for record in LEARNERS:
        if record.page == page:
            yield f"::: satsuma.{record.name}"


def _table() -> Iterator[str]:
    yield "| learner | what it is | predicts | takes | weights | goes over the rows in |"
    yield "|---|---|---|---|---|---|"
    for record in LEARNERS:
        yield f"| {' | '.join(_cells(record))} |"


def _cells(record: Record) -> Iterator[str]:
    takes = _example(record.fetch()).takes
    yield f"[{record.name}][satsuma.{record.name}]"
    yield (getdoc(record.fetch()) or "").split("\n\n")[0].replace("\n", " ").replace("|", "\\|")
    yield record.predicts
    yield ", ".join(_KINDS[kind] for kind in takes.kinds)
    yield "yes" if takes.weights else "no"
    yield _ROUNDS[takes.rounds]


def _example(kind: Any) -> Any:
    """A learner of a class; what must be inside it is naive Bayes."""
    bayes = record_of("NaiveBayes").fetch()()
    inside = {"learner": bayes, "learners": [bayes]}
    parameters = signature(kind).parameters.values()
    needed = [each.name for each in parameters if each.default is Parameter.empty]
    return kind(**{name: inside[name] for name in needed})
