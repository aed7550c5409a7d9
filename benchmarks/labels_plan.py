"""Labels for planning: how good the best of a few labelled rows is, beside ezr and chance."""

import random
import warnings
from collections.abc import Callable
from pathlib import Path

import numpy as np

from benchmarks.harness import OURS, Report, Row
from benchmarks.tables import SHARED

TABLES = (
    "auto93",
    "nasa93dem",
    "coc1000",
    "pom3d",
    "Wine_quality",
    "SS-H",
    "Apache_AllMeasurements",
)
BUDGETS = (20, 30, 50)

#: ezr's ways of choosing: by distance, and by likelihood (`xploit`, `xplor`).
PEERS = ("near", "xploit", "xplor")
CHANCE = "random"

#: Not a peer but a bound: a forest of all other rows picks, out of fold, without asking.
ALL_ROWS = "a forest of all other rows"

#: Of one table, a mean of 20 seeds is off by about 2.5: where seeds are cheap, there are more.
FEW = 20
SEEDS = {OURS: 60, **{f"ezr {peer}": FEW for peer in PEERS}, CHANCE: 200, ALL_ROWS: 5}

#: The rows that are labelled with a seed, in the order in which they are asked about.
Labelling = Callable[[int], list[int]]


def run(report: Report) -> None:
    """The score of the best labelled row, 100 for the best row and 0 for the median one."""
    warnings.simplefilter("ignore")
    scores = {name: _scores(SHARED / "moot" / "optimize" / f"{name}.csv") for name in TABLES}
    for name, found in scores.items():
        for who in SEEDS:
            means = " / ".join(f"{mean:.1f}" for mean in found[who].mean(axis=0))
            report.add(Row(f"best of 20/30/50 labels, {name}", who, means))
    for at, budget in enumerate(BUDGETS):
        for who, seeds in ((OURS, FEW), *SEEDS.items()):
            # The mean over tables of each seed, and how far seeds are apart.
            means = np.mean([found[who][:seeds, at] for found in scores.values()], axis=0)
            asked = "above all below" if who == OURS else ""
            spread = f"{means.mean():.2f} ± {means.std(ddof=1):.2f}"
            workload = f"best of {budget} labels, mean of {len(TABLES)} tables"
            report.add(Row(workload, f"{who}, {seeds} seeds", spread, "", asked))
    for seeds in (FEW, SEEDS[OURS]):
        gap, name, budget = min(
            (float(found[OURS][:seeds, at].mean() - found[CHANCE][:, at].mean()), name, budget)
            for name, found in scores.items()
            for at, budget in enumerate(BUDGETS)
        )
        workload = f"least gap to random: {name}, {budget} labels"
        report.add(Row(workload, f"{OURS}, {seeds} seeds", f"{gap:+.1f}", "", "at least -1"))


def _scores(path: Path) -> dict[str, np.ndarray]:
    """By who labels: (seeds, budgets), the score of the best labelled row."""
    import satsuma

    table = satsuma.read(path, marks=True)
    away = satsuma.distance_to_ideal(table)(table)
    low, middle = away.min(), np.median(away)
    labelling: dict[str, Labelling] = {
        OURS: lambda seed: _ours(table, seed),
        **{f"ezr {peer}": _peer(path, peer) for peer in PEERS},
        CHANCE: lambda seed: random.Random(seed).sample(range(len(table)), max(BUDGETS)),
        ALL_ROWS: lambda seed: _picked(table, away, seed),
    }
    found: dict[str, np.ndarray] = {}
    for who, label in labelling.items():
        rows = []
        for seed in range(SEEDS[who]):
            order = label(seed)
            assert len(set(order)) == len(order) == max(BUDGETS)
            nearest = [away[order[:budget]].min() for budget in BUDGETS]
            rows.append([100 * (1 - (near - low) / (middle - low)) for near in nearest])
        found[who] = np.array(rows)
    return found


def _ours(table: object, seed: int) -> list[int]:
    """What is asked first does not depend on the budget, so the smaller budgets are in this one."""
    from satsuma import Oracle, optimise

    oracle = Oracle(table)
    optimise(table, oracle, budget=max(BUDGETS), seed=seed)
    return oracle.asked


def _picked(table: object, away: np.ndarray, seed: int) -> list[int]:
    """The rows that a forest of nine tenths of all rows, labelled, expects to be the best."""
    from satsuma import Domain, RegressionForest, Table, Variable, cross_validate

    attributes = table.domain.attributes
    columns = [table.column(v.name) for v in attributes]
    known = Table(Domain([*attributes, Variable("far", role="target")]), [*columns, away])
    results = cross_validate(RegressionForest(trees=100), known, folds=10, seed=seed)
    return np.argsort(results.predictions(), kind="stable")[: max(BUDGETS)].tolist()


def _peer(path: Path, acquire: str) -> Labelling:
    """ezr with its own start, which is counted; it tells which rows it labels, through `label`."""
    from ezr import ezr

    data = ezr.Data(ezr.csv(str(path)))
    rows = list(data.rows)
    number = {id(row): at for at, row in enumerate(rows)}

    def label(seed: int) -> list[int]:
        asked: list[int] = []
        ezr.label = lambda row: asked.append(number[id(row)]) or row
        ezr.the.acq, ezr.the.Budget, data.rows = acquire, max(BUDGETS), list(rows)
        random.seed(seed)
        ezr.likely(data)
        return asked

    return label
