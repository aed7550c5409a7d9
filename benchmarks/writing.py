"""Tables written to files, beside polars and pyarrow."""

from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from benchmarks.harness import OURS, Report, compare

ROWS = 100_000


def run(report: Report) -> None:
    """Twelve columns of numbers, four of whole ones and five of symbols."""
    import polars as pl
    import pyarrow.csv as arrow_csv
    import pyarrow.parquet as arrow_parquet

    import satsuma

    rng = np.random.default_rng(0)
    words = ["alpha", "beta", "gamma, delta"]
    columns = {f"n{at}": rng.normal(size=ROWS) for at in range(12)}
    columns |= {f"i{at}": rng.integers(0, 1000, ROWS) for at in range(4)}
    columns |= {f"s{at}": rng.choice(words, ROWS) for at in range(5)}
    frame = pl.DataFrame(columns)
    table, arrow = satsuma.read(frame), frame.to_arrow()
    with TemporaryDirectory() as folder:
        at = str(Path(folder) / "table")
        runs = {
            "csv": {
                "polars": lambda: frame.write_csv(at),
                "pyarrow": lambda: arrow_csv.write_csv(arrow, at),
            },
            "jsonl": {"polars": lambda: frame.write_ndjson(at)},
            "parquet": {
                "pyarrow": lambda: arrow_parquet.write_table(arrow, at),
                "polars": lambda: frame.write_parquet(at),
            },
        }
        for form, peers in runs.items():
            ours = {OURS: lambda form=form: satsuma.write(table, f"{at}.{form}")}
            asked = {next(iter(peers)): 1}
            compare(report, f"write {form}, {ROWS:,} x 21", {**ours, **peers}, asked, 5)
