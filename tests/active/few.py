"""Tables with few labels, and a clusterer that is easy to see through."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from satsuma import Domain, Learner, Table, Variable
from satsuma.learners.clusterer import Clusterer
from satsuma.learners.takes import Takes


def blobs(seed=0, rows=300, labelled=12, apart=6.0, columns=4):
    """Three clusters far apart, some of whose rows have a label; and the truth."""
    rng = np.random.default_rng(seed)
    truth = rng.permutation(np.arange(rows) % 3).astype(np.int32)
    centres = rng.normal(size=(3, columns)) * apart
    numbers = centres[truth] + rng.normal(size=(rows, columns))
    return numeric(numbers, hidden(truth, labelled, rng)), truth


def across(seed=0, rows=400, labelled=20):
    """Two clusters far apart, which have nothing to do with the classes; and the truth."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 2, rows).astype(np.int32)
    numbers = rng.normal(size=(rows, 5))
    numbers[:, 0] += 2.0 * truth
    numbers[:, 1:] += 20.0 * rng.integers(0, 2, rows)[:, None]
    return numeric(numbers, hidden(truth, labelled, rng)), truth


def hidden(truth, labelled, rng):
    """The truth of some rows; -1 for the others."""
    found = np.full(len(truth), -1, np.int32)
    kept = rng.permutation(len(truth))[:labelled]
    found[kept] = truth[kept]
    return found


def numeric(numbers, codes, classes=("a", "b", "c")):
    variables = [Variable(f"x{at}") for at in range(numbers.shape[1])]
    target = Variable("y", "sym", classes, "target")
    columns = [np.ascontiguousarray(column) for column in numbers.T]
    return Table(Domain([*variables, target]), [*columns, codes])


def symbolic(seed=0, rows=200, labelled=80, columns=5, values=3):
    """Symbols that say something of two classes."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 2, rows).astype(np.int32)
    chances = rng.dirichlet(np.full(values, 4.0), (2, columns))
    variables, cells = [], []
    for at in range(columns):
        variables.append(Variable(f"s{at}", "sym", tuple("pqr"[:values])))
        drawn = [rng.choice(values, p=chances[label, at]) for label in truth]
        cells.append(np.array(drawn, np.int32))
    target = Variable("y", "sym", ("no", "yes"), "target")
    return Table(Domain([*variables, target]), [*cells, hidden(truth, labelled, rng)]), truth


class Bands(Clusterer):
    """Clusters by whole steps of the first number."""

    def __init__(self, width):
        self.width = width

    @property
    def k(self):
        return 1000

    def clusters(self, batch):
        return np.floor(batch.columns[0] / self.width + 500).astype(np.int32)


@dataclass(kw_only=True, eq=False)
class Banded(Learner):
    """Takes the first number for all there is to know of a row."""

    width: float = 1.0

    takes: ClassVar[Takes] = Takes(target="nothing", missing=False)

    def learn(self, data):
        del data
        return Bands(self.width)
