"""Pages that several tests look at, made once; and a browser."""

import numpy as np
import pytest

import satsuma
from satsuma import KNN, Majority, Mean, NaiveBayes, RegressionTree, Ridge, Table, Tree
from satsuma.report.report_file import write_report
from tests.report import hostile

FEW = [Majority(), NaiveBayes(), KNN()]


def wide():
    """More columns than are shown."""
    rng = np.random.default_rng(0)
    cells = rng.normal(size=(60, 230))
    names = [f"column {at}" for at in range(230)]
    rows = [[*row, "up" if row[3] > 0 else "down"] for row in cells.tolist()]
    return Table.of(rows, [*names, "way"], name="wide")


#: What each page is made of: a table, and learners.
PAGES = {
    "iris": (lambda: satsuma.load("iris"), FEW),
    "voting": (lambda: satsuma.load("voting"), [Tree(), Majority()]),
    "numbers": (lambda: satsuma.load("auto-mpg"), [Mean(), Ridge(), RegressionTree()]),
    "goals": (lambda: satsuma.load("housing").with_roles({"MEDV": "+", "CRIM": "-"}), None),
    "nothing to predict": (lambda: satsuma.load("zoo").with_roles({"type": "x"}), None),
    "one class": (lambda: satsuma.load("titanic")[np.zeros(30, np.int64)], None),
    "wide": (wide, [Majority(), Tree()]),
    "hostile": (hostile.classes, hostile.LEARNERS),
    "hostile numbers": (hostile.numbers, [Ridge(), RegressionTree()]),
    "hostile goals": (hostile.goals, None),
}


@pytest.fixture(scope="session")
def page(tmp_path_factory):
    """The path of a page by its name."""
    made, folder = {}, tmp_path_factory.mktemp("pages")

    def find(name):
        if name not in made:
            table, learners = PAGES[name]
            path = folder / f"{name.replace(' ', '_')}.html"
            made[name] = write_report(table(), path, learners=learners, folds=3)
        return made[name]

    return find
