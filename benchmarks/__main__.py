"""Run the benchmarks: all of them, or those named. `python -m benchmarks [reading importing]`."""

import sys
from importlib import import_module
from pathlib import Path

from benchmarks.harness import Report

ALL = (
    "reading",
    "importing",
    "learning",
    "validating",
    "discriminants",
    "curves",
    "neighbours",
    "ensembles",
    "cutting",
    "trees",
    "half_labelled",
    "bellwethers",
    "starting",
)

#: Run by `make bench-labels`, and on request: they count labels, not seconds.
LABELS = ("labels_screening",)
PACKAGES = (
    "numpy",
    "pyarrow",
    "polars",
    "pandas",
    "duckdb",
    "scikit-learn",
    "lightgbm",
    "mixed-naive-bayes",
    "river",
    "Orange3",
)


def main(names: list[str]) -> None:
    """Measure, print as it goes, and keep the table if all were measured."""
    import satsuma.kernels

    if not satsuma.kernels.compiled:
        sys.exit("The compiled kernels are missing: figures of the twins would mislead.")
    report = Report()
    for name in names or ALL:
        if name not in ALL + LABELS:
            sys.exit(f"There is no benchmark {name!r}. There are: {', '.join(ALL + LABELS)}.")
        import_module(f"benchmarks.{name}").run(report)
    if not names:
        results = Path(__file__).parent / "RESULTS.md"
        results.write_text(report.markdown(PACKAGES), encoding="utf-8")
        print(f"\nWritten to {results.relative_to(Path.cwd())}")


if __name__ == "__main__":
    main(sys.argv[1:])
