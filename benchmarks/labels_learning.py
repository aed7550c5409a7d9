"""Learning with few labels: how many are needed, wrong ones repaired, and the time to the next.

Labels needed are those until a model tests at 95 % of the accuracy with all labels, ten tests in a
row, on three rows of ten that are never asked about; the median of ten seeds. Random choice starts
at random, too. Whoever does not get there within the cap counts as having needed all of it.
Of numbers it is 90 % of the error saved, that is, of the RMSE below that of the mean.
"""

import time

import numpy as np

from benchmarks.harness import OURS, Report, Row
from benchmarks.tables import shared

#: The tables, and the most labels.
TABLES = {
    "diabetes": 530,
    "soybean": 470,
    "kr.vs.kp": 600,
    "mushroom": 300,
    "credit.g": 690,
    "vote": 300,
    "letter": 2000,
}
SEEDS = range(10)

#: Tables whose target is a number.
NUMBERS = {
    "servo": "moot/regression/servo.csv",
    "fishcatch": "moot/regression/fishcatch.csv",
    "autompg": "moot/regression/autompg.csv",
    "auto93": "moot/regression/auto93.csv",
    "housing": "orange/housing.tab",
    "imports-85": "orange/imports-85.tab",
}
CAP = 240
FLIPPED = 0.1


def run(report: Report) -> None:
    """Labels needed, labels repaired, and seconds to the next question."""
    _needed(report)
    _needed_of_numbers(report)
    _repaired(report)
    _next_question(report)


def _needed(report: Report) -> None:
    import satsuma
    from satsuma import Active, Forest, simulate

    ratios = []
    for name, budget in TABLES.items():
        table = satsuma.read(shared(f"moot/classify/{name}.csv"), marks=True)
        step = 20 if name == "letter" else 1
        learner = Forest(trees=100)
        ways = {
            OURS: Active(learner=learner, budget=budget, batch=step),
            "random": Active(learner=learner, acquire="random", start=0, budget=budget, batch=step),
        }
        found = simulate(ways, table, seeds=SEEDS, every=step, hold=10 // min(step, 5))
        needed, spans = found.needed, found.by_seed
        workload = f"labels to 95 % of the accuracy, {name}"
        for who in ways:
            least, middle, most = (
                f"{each:.0f}" if each < np.inf else f"over {budget}"
                for each in (min(spans[who]), needed[who], max(spans[who]))
            )
            report.add(Row(workload, who, f"{middle} ({least} to {most})"))
        counted = {who: min(each, budget) for who, each in needed.items()}
        ratios.append(counted[OURS] / counted["random"])
        report.add(Row(workload, "ours over random", f"{ratios[-1]:.2f}"))
    median = float(np.median(ratios))
    workload = "labels to 95 % of the accuracy, median"
    report.add(Row(workload, "ours over random", f"{median:.2f}", "", "at most 0.55"))


def _needed_of_numbers(report: Report) -> None:
    import satsuma
    from satsuma import Active, RegressionForest, simulate

    ratios = []
    for name, path in NUMBERS.items():
        table = satsuma.read(shared(path), marks=path.endswith("csv"))
        if name == "imports-85":
            table = table.with_roles(target="price")
        budget, step = min(CAP, round(0.7 * len(table))), 4 if len(table) > 100 else 2
        learner = RegressionForest(trees=30)
        ways = {
            OURS: Active(learner=learner, acquire="diverse", budget=budget),
            "random": Active(learner=learner, acquire="random", start=0, budget=budget, batch=step),
        }
        found = simulate(ways, table, seeds=SEEDS, goal=0.9, every=step, hold=2)
        counted = {who: min(each, budget) for who, each in found.needed.items()}
        ratios.append(counted[OURS] / counted["random"])
        told = f"{ratios[-1]:.2f} ({counted[OURS]:.0f} of {counted['random']:.0f})"
        report.add(Row(f"labels to 90 % of the error saved, {name}", "ours over random", told))
    workload = "labels to 90 % of the error saved, median"
    median = f"{float(np.median(ratios)):.2f}"
    report.add(Row(workload, "ours over random", median, "", "at most 0.6"))


def _repaired(report: Report) -> None:
    import satsuma
    from satsuma import Forest, Table, suspicious

    shares, workload = [], "wrong labels found in a tenth asked again"
    for name in TABLES:
        table = satsuma.read(shared(f"moot/classify/{name}.csv"), marks=True)
        target = table.domain.target
        rng = np.random.default_rng(0)
        table = table[rng.permutation(len(table))[:2000]]
        codes = table.column(target.name).copy()
        flipped = rng.choice(len(table), round(FLIPPED * len(table)), replace=False)
        codes[flipped] += rng.integers(1, len(target.values), len(flipped))
        codes[flipped] %= len(target.values)
        columns = [
            codes if v.name == target.name else column
            for v, column in zip(table.domain, table.columns, strict=True)
        ]
        found = suspicious(Forest(trees=50), Table(table.domain, columns)).rows[: len(flipped)]
        shares.append(len(set(found.tolist()) & set(flipped.tolist())) / len(flipped))
        report.add(Row(workload, name, f"{shares[-1]:.0%}", "", "at least 50 %"))
    report.add(Row(workload, "mean", f"{np.mean(shares):.0%}", "", "at least 50 %"))


def _next_question(report: Report) -> None:
    from satsuma import Active, Domain, NaiveBayes, Table, Variable

    for rows, limit in ((10_000, 10), (1_000_000, 200)):
        rng = np.random.default_rng(0)
        variables = [Variable(f"x{j}") for j in range(10)]
        variables += [Variable(f"s{j}", "sym", tuple("abcde")) for j in range(10)]
        columns = [*rng.normal(size=(10, rows)), *rng.integers(0, 5, (10, rows)).astype(np.int32)]
        variables.append(Variable("y", "sym", ("no", "yes"), "target"))
        table = Table(Domain(variables), [*columns, np.full(rows, -1, np.int32)])
        labelling = Active(learner=NaiveBayes()).begin(table)
        took = []
        for at in range(30):
            started = time.perf_counter()
            (row,) = labelling.ask()
            took.append(time.perf_counter() - started)
            started = time.perf_counter()
            labelling.tell(row, "yes" if at % 2 else "no")
            took[-1] += time.perf_counter() - started
        middle = 1e3 * float(np.median(took[6:]))
        workload = f"a label to the next question, {rows:,} rows"
        report.add(Row(workload, OURS, f"{middle:.1f} ms", "", f"under {limit} ms"))
