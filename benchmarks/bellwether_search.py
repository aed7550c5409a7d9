"""Bubbles: a tenth of the rows at most, and what that loses against learning from all of them.

Accuracy is that on rows which were kept aside from the search.
"""

import numpy as np

from benchmarks.harness import OURS, Report, Row
from benchmarks.tables import shared

TABLES = ("kr.vs.kp", "mushroom", "letter")

#: As many rows as there are in the census of Adult.
ROWS = 48_842


def run(report: Report) -> None:
    """Naive Bayes and trees of few rows and of all, on three tables and on a large one."""
    import satsuma
    from satsuma import Bubbles, NaiveBayes, Tree

    tables = {
        name: satsuma.read(shared(f"moot/classify/{name}.csv"), marks=True) for name in TABLES
    }
    tables["made, 48,842 x 14"] = _made()
    for learner in (NaiveBayes(), Tree()):
        for name, table in tables.items():
            found = Bubbles(learner)(table).report
            workload = f"bellwethers, {name}, {type(learner).__name__}"
            few = f"{found.rows:,} of {found.of:,} rows"
            asked = "within 2 points of all" if found.succeeded else "says that it could not"
            report.add(Row(workload, "all rows", f"{found.of_all:.1%}"))
            report.add(Row(workload, f"{OURS}, {few}", f"{found.right:.1%}", asked=asked))


def _made():
    """Six numbers and eight symbols in several groups, and a class that a quarter of rows has."""
    from satsuma import Domain, Table, Variable

    rng = np.random.default_rng(0)
    group, score = rng.integers(0, 12, ROWS), np.zeros(ROWS)
    variables, columns = [], []
    for at in range(6):
        variables.append(Variable(f"x{at}"))
        columns.append(rng.normal(rng.normal(size=12)[group], 1.0))
        score += rng.normal() * columns[-1]
    for at in range(8):
        values = tuple(f"v{k}" for k in range(3 + at))
        drawn = rng.dirichlet(np.ones(len(values)), 12).cumsum(axis=1)[group]
        codes = np.minimum((rng.random(ROWS)[:, None] > drawn).sum(axis=1), len(values) - 1)
        variables.append(Variable(f"s{at}", "sym", values))
        columns.append(codes.astype(np.int32))
        score += rng.normal(size=len(values))[codes]
    high = score + rng.logistic(size=ROWS) > np.quantile(score, 0.75)
    target = Variable("class", "sym", ("low", "high"), "target")
    return Table(Domain([*variables, target]), [*columns, high.astype(np.int32)])
