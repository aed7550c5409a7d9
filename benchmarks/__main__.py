"""Run the benchmarks: all of speed, all of labels, of accuracy, or those named.

`python -m benchmarks`, `python -m benchmarks labels`, `python -m benchmarks accuracy`,
`python -m benchmarks reading import_time`.
"""

import sys
from importlib import import_module
from pathlib import Path

from benchmarks.harness import Report

ALL = (
    "reading",
    "import_time",
    "learning",
    "validation",
    "leaving_out",
    "discriminants",
    "linear_models",
    "curves",
    "neighbours",
    "clustering",
    "random_projection",
    "anomaly_detection",
    "ensembles",
    "discretization",
    "trees",
    "hard_tables",
    "few_columns",
    "one_row",
    "dtypes",
    "writing",
    "cores",
    "boosted_trees",
    "tree_shapley",
    "semi_supervised",
    "bellwether_search",
    "cold_start",
    "scanning",
    "command_time",
    "report_page",
    "labelling",
)
#: What is measured in labels that a person must give, not in seconds.
LABELS = ("labels_learning", "labels_screening", "labels_stopping", "labels_plan")

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
LABELLING = ("numpy", "scikit-learn", "ezr")
LABELS_HEAD = (
    "By `make bench-labels`: ours and the peers on the same tables, labels counted strictly. Where",
    "seeds are named, a figure is their mean ± their standard deviation.",
)


def main(names: list[str]) -> None:
    """Measure, print as it goes, and keep the table if all were measured."""
    import satsuma.kernels

    if not satsuma.kernels.compiled:
        sys.exit("The compiled kernels are missing: figures of the twins would mislead.")
    if names == ["accuracy"]:
        from benchmarks.accuracy import write

        _keep("ACCURACY.md", write())
        return
    report = Report()
    labels = names == ["labels"]
    known = ALL + LABELS
    for name in LABELS if labels else names or ALL:
        if name not in known:
            sys.exit(
                f"There is no benchmark {name!r}. There are: labels, accuracy, {', '.join(known)}."
            )
        import_module(f"benchmarks.{name}").run(report)
    if not names:
        _keep("RESULTS.md", report.markdown(PACKAGES))
    elif labels:
        _keep("LABELS.md", report.markdown(LABELLING, LABELS_HEAD))


def _keep(name: str, text: str) -> None:
    results = Path(__file__).parent / name
    results.write_text(text, encoding="utf-8")
    print(f"\nWritten to {results.relative_to(Path.cwd())}")


if __name__ == "__main__":
    main(sys.argv[1:])
