"""Screening: labels to find 95 % of the relevant papers, and what comes of advice to stop.

Each run starts from one relevant and one irrelevant row, drawn by its seed, and asks for the row
that is most probably relevant, one at a time. It goes on until 95 % are found and advice to stop
was given.
"""

from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.harness import OURS, Report, Row
from benchmarks.tables import shared

#: Tables, their title, target and relevant class, and the median of ASReview 3.0.8 from the same
#: ten starts, as recorded: it was not measured in this run.
TABLES = {
    "ace": ("title", "label_included", "1", 388),
    "nudging": ("title", "included", "1", 448),
    "kitchenham": ("document_title", "label", "yes", 478),
}
SEEDS = range(10)
RECALL = 0.95


def run(report: Report) -> None:
    """Text on each table, and how far advice to stop can be trusted."""
    held = []
    for name, (title, target, sought, peer) in TABLES.items():
        table = read_screening(shared(f"screening/{name}.csv"), target, title)
        found = [screen(table, seed, sought) for seed in SEEDS]
        needed = [labels for labels, _, _ in found]
        middle = float(np.median(needed))
        workload = f"labels to 95% of the relevant, {name}"
        report.add(Row(workload, "ASReview 3.0.8, recorded", f"{peer}", f"{peer / middle:.2f}"))
        spread = f"{min(needed)} to {max(needed)}"
        report.add(Row(workload, f"{OURS}, {len(SEEDS)} seeds", f"{middle:.0f}", "", spread))
        stops = [(recall, stop / labels) for labels, stop, recall in found]
        both = [recall >= RECALL and cost <= 2 for recall, cost in stops]
        held += both
        recalls, costs = zip(*stops, strict=True)
        recall = f"recall {min(recalls):.3f} to {max(recalls):.3f}"
        report.add(
            Row(
                f"stop_advice, {name}", recall, f"{np.median(costs):.2f} x", "", f"{max(costs):.2f}"
            )
        )
    stopped = f"{sum(held)} of {len(held)}"
    report.add(Row("stopped at recall 0.95, labels up to 2 x", OURS, stopped, "", "95% of runs"))


def read_screening(path: Path, target: str, title: str = "title") -> Any:
    """Titles and abstracts as texts, and whether each paper is relevant."""
    import satsuma

    kinds = {title: "text", "abstract": "text", target: "sym"}
    table = satsuma.read(path, target=target, kinds=kinds)
    return table.select([title, "abstract", target])


def screen(table: Any, seed: int, sought: str = "1") -> tuple[int, int, float]:
    """Labels until 95 % were found, labels at the advised stop, and the recall there."""
    from satsuma import Text
    from satsuma.active.active_learning import Active, hide_labels
    from satsuma.active.stop_by_recall import finds_of, recall_advice

    relevant = np.array([value == sought for value in table[table.domain.target.name]])
    rng = np.random.default_rng(seed)
    start = [int(rng.choice(np.flatnonzero(of))) for of in (relevant, ~relevant)]
    active = Active(learner=Text(sought=sought), acquire="certain", start=start, seed=seed)
    labelling, needed, stop, recall = active.begin(hide_labels(table)), 0, 0, 0.0
    while not (needed and stop):
        (row,) = labelling.ask()
        labelling.tell(row, table.cell(row, table.domain.target.name))
        labels, found = len(labelling.order), int(relevant[labelling.order].sum())
        if not needed and found >= RECALL * relevant.sum():
            needed = labels
        if not stop and recall_advice(finds_of(labelling, sought)).stop:
            stop, recall = labels, found / relevant.sum()
    return needed, stop, float(recall)
