"""How Orange reads the files of its own tests: figures that the tests compare with.

Run it where Orange is installed (the environment of the benchmarks):

    .venv-bench/bin/python -m tools.orange_figures ../shared/suites/orange_files.tar.xz

It writes ``tests/suites/orange.json``: for each file its rows, and for each column its kind, its
role and a hash of its cells.
"""

import json
import math
import sys
import tarfile
import tempfile
import warnings
from hashlib import blake2b
from pathlib import Path
from typing import Any

FIGURES = Path(__file__).parents[1] / "tests" / "suites" / "orange.json"


def hashed(cells: list[Any]) -> str:
    """A short hash of cells, None where one is missing; the symbol '1' and the number 1 are alike.

    >>> hashed(["1", " x ", None]) == hashed([1.0, "x", None])
    True
    >>> hashed(["01"]) == hashed([1.0])
    False
    """
    text = "\n".join(map(_spelled, cells))
    return blake2b(text.encode(), digest_size=5).hexdigest()


def _spelled(cell: Any) -> str:
    if cell is None:
        return "?"
    text = cell.strip() if isinstance(cell, str) else repr(float(cell))
    return text.removesuffix(".0")


def cells_of(table: Any, variable: Any) -> list[str | float | None]:
    """The cells of a column; a moment is the seconds since 1970."""
    column = table.get_column(variable)
    if variable.is_string:
        return [str(cell) or None for cell in column]
    if variable.is_discrete:
        return [None if math.isnan(code) else variable.values[int(code)] for code in column]
    return [None if math.isnan(value) else float(value) for value in column]


def kind_of(variable: Any) -> str:
    """What a column holds."""
    if variable.is_time:
        return "time"
    return "text" if variable.is_string else "sym" if variable.is_discrete else "num"


def figures(path: Path) -> dict[str, Any]:
    """What Orange finds in a file."""
    from Orange.data import Table

    table, columns = Table.from_file(str(path)), {}
    domain = table.domain
    for role, some in (
        ("x", domain.attributes),
        ("target", domain.class_vars),
        ("meta", domain.metas),
    ):
        for variable in some:
            columns[variable.name] = [kind_of(variable), role, hashed(cells_of(table, variable))]
    return {"rows": len(table), "columns": columns}


def main(archive: str) -> None:
    """Write the figures of all files of an archive."""
    warnings.simplefilter("ignore")
    found = dict[str, Any]()
    with tempfile.TemporaryDirectory() as folder, tarfile.open(archive) as files:
        files.extractall(folder, filter="data")
        for path in sorted(Path(folder).rglob("*.*")):
            name = path.relative_to(folder).as_posix()
            try:
                found[name] = figures(path)
            except Exception as error:  # noqa: BLE001 - whatever keeps Orange from reading it
                found[name] = {"error": f"{type(error).__name__}: {error}"[:100]}
    lines = [f"{json.dumps(name)}: {json.dumps(found[name])}" for name in sorted(found)]
    FIGURES.write_text("{\n" + ",\n".join(lines) + "\n}\n", "utf-8")
    print(f"{len(found)} files in {FIGURES}")


if __name__ == "__main__":
    main(sys.argv[1])
