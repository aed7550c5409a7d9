"""Opening delimited text: what the headers and the first rows say."""

from collections.abc import Mapping
from typing import Any, cast

from satsuma.data.column_plan import Opened, Part, Plan, check_names
from satsuma.data.domain import Domain
from satsuma.data.formats.delimited.layout import Delimiting
from satsuma.data.formats.delimited.parts import TextFile, guessed, open_text
from satsuma.data.variable import Kind, Variable
from satsuma.errors import ParameterError

_PLAIN: dict[str, Any] = {
    **dict.fromkeys(("delimiter", "header", "encoding", "missing", "thousands", "strip", "marks")),
    "quote": '"',
    "decimal": ".",
}


def open_delimited(
    paths: list[str],
    form: str,
    kinds: Mapping[str, str] | None,
    target: str | None,
    options: dict[str, Any],
) -> Opened:
    """Files of delimited text as parts."""
    how: dict[str, Any] = {**_PLAIN, **options}
    if form == "tsv":
        how = {**_PLAIN, "delimiter": "\t", **options}
    keep = how.pop("bad_rows", "error")
    if keep not in ("error", "keep aside"):
        raise ParameterError(
            f"The 'bad_rows' parameter must be 'error' or 'keep aside'. Got {keep!r} instead."
        )
    layout = "tab" if form == "tab" else "csv"
    asked = Delimiting(**how, layout=layout, kinds=kinds, target=target)
    files, samples = list[TextFile](), list[bytes]()
    for path in paths:
        file, sample = open_text(path, asked, keep == "keep aside")
        files.append(file)
        samples.append(sample)
    first = files[0].layout.heads
    names = [head.name for head in first]
    for file in files:
        check_names(file.path, [head.name for head in file.layout.heads], paths[0], names)
    found, values = guessed(files[0], samples[0])
    variables = [
        Variable(
            head.name,
            cast("Kind", kind),
            tuple(symbols) if kind == "sym" else (),
            "x" if head.role == "goal" and kind != "num" else head.role,
            head.goal if kind == "num" else None,
        )
        for head, kind, symbols in zip(first, found, values, strict=True)
    ]
    plan = Plan(
        Domain(variables).with_roles(target=target),
        strict=frozenset(head.name for head in first if not head.doubtful),
        fixed=frozenset(head.name for head in first if not head.doubtful or head.kind == "text"),
        soft=frozenset(head.name for head in first if head.role == "goal"),
        by_name=frozenset(head.name for head in first if head.kind == "num" and head.doubtful),
    )
    parts: list[Part] = [part for file in files for part in file.parts(names)]
    return Opened(parts, plan, list(dict.fromkeys(n for f in files for n in f.layout.notes)))
