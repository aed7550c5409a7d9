"""Every table of the shared data, as learners take them."""

import satsuma
from tests.conftest import SHARED

#: The files, by their paths below the shared data.
FILES = sorted(
    str(path.relative_to(SHARED)).replace("\\", "/")
    for path in SHARED.rglob("*")
    if path.suffix in (".tab", ".csv")
)


def read_shared(path):
    """A table of the shared data; those of moot have marks in their names."""
    return satsuma.read(path, marks=True if "moot" in path.parts else None)


def without_text(path):
    """A table; columns of text, which have no distance, are set aside."""
    table = read_shared(path)
    text = {v.name: "meta" for v in table.domain if v.kind == "text" and v.role == "x"}
    return table.with_roles(text)
