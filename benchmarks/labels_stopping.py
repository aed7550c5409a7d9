"""Stopping: how far advice to stop, and intervals of accuracy, can be trusted, over many runs.

The class that is sought is any that a table of classes has at least twenty rows of, and no more
than three of ten. Each run starts from one relevant and one irrelevant row, drawn by its seed, and
asks for the row that is most probably relevant, until advice to stop was given. The accuracy is
that of models of rows that were chosen, with one question in ten about a row drawn at random.
"""

from typing import Any

import numpy as np

from benchmarks.harness import OURS, Report, Row
from benchmarks.tables import shared

#: Tables, and how many of their rows are drawn.
CLASSES = ("letter", "soybean", "splice", "hypothyroid", "audiology", "anneal", "credit.g")
WORDS = ("Hall", "Kitchenham", "Radjenovic", "Wahono")
ROWS = 3000
SEEDS = range(2)

#: Of the rows, how many are of a class that is sought.
FEWEST, MOST = 20, 0.3

#: Tables whose models are judged, seeds, and labels.
JUDGED = ("diabetes", "soybean", "kr.vs.kp", "mushroom", "credit.g", "vote")
JUDGES, LABELS = range(20), 300

RECALL = 0.95


def run(report: Report) -> None:
    """Recall where it was advised to stop, and how often an interval has the accuracy in it."""
    _stops(report)
    _intervals(report)


def _stops(report: Report) -> None:
    files = [f"moot/classify/{name}.csv" for name in CLASSES]
    files += [f"moot/text/{name}.csv" for name in WORDS]
    recalls, costs, labels = list[float](), list[float](), np.zeros(2)
    for file in files:
        table = _drawn(file)
        values, counts = np.unique(table[table.domain.target.name].tolist(), return_counts=True)
        sought = values[(counts >= FEWEST) & (counts <= MOST * len(table))]
        for each in sought.tolist():
            for seed in SEEDS:
                needed, stop, recall = screen(table, seed, each)
                recalls.append(recall)
                costs.append(stop / needed)
                labels += stop, needed
    reached, workload = np.array(recalls) >= RECALL, f"advice to stop, {len(recalls)} runs"
    report.add(Row(workload, "recall 0.95", f"{reached.mean():.1%}", "", "at least 95 %"))
    report.add(Row(workload, "least recall", f"{min(recalls):.3f}", "", "at least 0.8"))
    whole = f"{labels[0] / labels[1]:.2f} x"
    report.add(Row(workload, "labels beside those of 95 %, in all", whole, "", "at most 2"))
    cost = f"{np.mean(costs):.2f} x"
    report.add(Row(workload, "labels beside those of 95 %, mean of runs", cost))


def _drawn(file: str) -> Any:
    """A table whose target is known, and no more than some of its rows."""
    import satsuma

    table = satsuma.read(shared(file), marks=True)
    known = np.flatnonzero(table.column(table.domain.target.name) >= 0)
    return table[np.random.default_rng(0).permutation(known)[:ROWS]]


def screen(table: Any, seed: int, sought: str) -> tuple[int, int, float]:
    """Labels until 95 % were found, labels at the advised stop, and the recall there."""
    from satsuma import Active, NaiveBayes
    from satsuma.active.active_learning import hide_labels
    from satsuma.active.stop_by_recall import finds_of, recall_advice

    target = table.domain.target.name
    relevant = np.array([value == sought for value in table[target]])
    rng = np.random.default_rng(seed)
    start = [int(rng.choice(np.flatnonzero(of))) for of in (relevant, ~relevant)]
    how = Active(learner=NaiveBayes(), acquire="certain", sought=sought, start=start, seed=seed)
    labelling, needed, stop, recall = how.begin(hide_labels(table)), 0, 0, 0.0
    while not (needed and stop):
        (row,) = labelling.ask()
        labelling.tell(row, table.cell(row, target))
        labels, found = len(labelling.order), int(relevant[labelling.order].sum())
        if not needed and found >= RECALL * relevant.sum():
            needed = labels
        if not stop and recall_advice(finds_of(labelling, sought)).stop:
            stop, recall = labels, found / relevant.sum()
    return needed, stop, float(recall)


def _intervals(report: Report) -> None:
    import satsuma
    from satsuma import Active, NaiveBayes, Oracle, stop_advice
    from satsuma.active.active_learning import hide_labels

    inside = list[bool]()
    for name in JUDGED:
        table = satsuma.read(shared(f"moot/classify/{name}.csv"), marks=True)
        truth = table[table.domain.target.name]
        for seed in JUDGES:
            how = Active(learner=NaiveBayes(), audit=0.1, budget=LABELS, seed=seed)
            done = how(hide_labels(table), Oracle(table))
            advice = stop_advice(done)
            inside.append(advice.least <= float((done.model(table) == truth).mean()) <= advice.most)
    workload = f"intervals of accuracy, {len(inside)} runs"
    share = f"{np.mean(inside):.1%}"
    report.add(Row(workload, f"{OURS}, accuracy inside", share, "", "at least 93 %"))
