"""Weka, with the jar of Debian's package `weka`: folds of a table as ARFF, and what it prints."""

import subprocess
from pathlib import Path
from typing import Any

import numpy as np

_JAR = "/usr/share/java/weka.jar"


def printed(kind: str, *words: str) -> str:
    """What a class of Weka prints; the last attribute is the target."""
    command = ["java", "-Xmx1g", "-cp", _JAR, f"weka.classifiers.{kind}", "-c", "last", *words]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def write_fold(table: Any, test: Any, folder: str) -> tuple[str, str]:
    """Write the rows to learn from and those to test on, and say where."""
    paths = f"{folder}/train.arff", f"{folder}/test.arff"
    for path, rows in zip(paths, (~test, test), strict=True):
        _write_arff(table[np.flatnonzero(rows)], path)
    return paths


def _write_arff(table: Any, path: str) -> None:
    """Attributes by number, symbols by code, so that no name needs quotes."""
    lines, cells = ["@relation t"], []
    for at, v in enumerate([*table.domain.attributes, table.domain.target]):
        column = table.column(v.name)
        kind = "numeric" if v.kind == "num" else f"{{{','.join(map(str, range(len(v.values))))}}}"
        lines.append(f"@attribute a{at} {kind}")
        known = ~np.isnan(column) if v.kind == "num" else column >= 0
        cells.append([repr(c) if k else "?" for c, k in zip(column.tolist(), known, strict=True)])
    lines += ["@data", *(",".join(row) for row in zip(*cells, strict=True))]
    Path(path).write_text("\n".join(lines) + "\n", encoding="utf-8")
