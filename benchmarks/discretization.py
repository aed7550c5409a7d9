"""Cuts of numbers by their classes, beside Orange."""

import warnings

import numpy as np

from benchmarks.harness import OURS, Report, compare

ROWS = 1_000_000


def run(report: Report) -> None:
    """One column of a million distinct numbers, three classes."""
    warnings.simplefilter("ignore")
    import Orange.data
    from Orange.preprocess.discretize import EntropyMDL

    from satsuma import MDL, Domain, Table, Variable

    rng = np.random.default_rng(0)
    labels = rng.integers(0, 3, ROWS)
    numbers = rng.normal(size=ROWS) + labels
    target = Variable("y", "sym", ("0", "1", "2"), "target")
    table = Table(Domain([Variable("x"), target]), [numbers, labels.astype(np.int32)])
    column = Orange.data.ContinuousVariable("x")
    classes = Orange.data.DiscreteVariable("y", values=("0", "1", "2"))
    theirs = Orange.data.Table.from_numpy(
        Orange.data.Domain([column], classes), numbers[:, None], labels
    )
    peer = "Orange 3 EntropyMDL"
    compare(
        report,
        "MDL cuts of 1e6 numbers",
        {OURS: lambda: MDL()(table), peer: lambda: EntropyMDL()(theirs, column)},
        {peer: 8},
        3,
    )
