"""Tables with holes and unseen values, and a model of each kind that has a form."""

from functools import cache

import numpy as np
import pyarrow as pa

import satsuma

#: Learner, target and parameters; by these the cases are known.
CASES = [
    ("NaiveBayes", "three", {}),
    ("NaiveBayes", "two", {"calibrate": False}),
    ("NaiveBayes", "three", {"m": 0, "calibrate": False}),
    ("AnDE", "three", {}),
    ("AnDE", "two", {"number": "mdl", "m": 0}),
    ("AnDE", "two", {"prior": {"no": 0.9, "yes": 0.1}}),
    ("AnDE", "three", {"n": 0}),
    ("LDA", "three", {}),
    ("LDA", "two", {"missing": "informative"}),
    ("Logistic", "three", {}),
    ("Logistic", "two", {"l1": 1.0}),
    ("Logistic", "three", {"missing": "informative"}),
    ("Additive", "three", {}),
    ("Additive", "two", {}),
    ("Additive", "two", {"missing": "ignore"}),
    ("Tree", "three", {}),
    ("Tree", "three", {"missing": "informative"}),
    ("ID3", "three", {}),
    ("Forest", "two", {"trees": 3, "min_leaf": 20}),
    ("BoostedTrees", "three", {"rounds": 5}),
    ("Rules", "three", {}),
    ("Rules", "three", {"missing": "informative"}),
    ("FFT", "two", {}),
    ("FFT", "two", {"missing": "informative"}),
    ("OneR", "three", {}),
    ("OneR", "two", {}),
    ("Majority", "three", {}),
    ("Ridge", "number", {}),
    ("Lasso", "number", {}),
    ("Lasso", "number", {"missing": "informative"}),
    ("Additive", "number", {}),
    ("RegressionTree", "number", {}),
    ("RegressionForest", "number", {"trees": 3, "min_leaf": 20}),
    ("BoostedTrees", "number", {"rounds": 5}),
    ("Mean", "number", {}),
    ("KMeans", None, {"k": 5}),
    ("MiniBatchKMeans", None, {"k": 3}),
]

TARGETS = ("three", "two", "number")

ODD = 'b "odd" name'


def columns(rows, *, seed, unseen=False, holes=0.1):
    """Columns of cells, None where one is missing."""
    rng = np.random.default_rng(seed)
    a, b, c = rng.normal(size=rows).round(2), rng.normal(5, 2, rows), rng.integers(0, 9, rows)
    colours = ["red", "it's", 'say "x"', "grün"] + ["never"] * unseen
    colour, sort = rng.choice(colours, rows), rng.choice(["p", "q", "r"], rows)
    flag = rng.random(rows) < 0.3
    z = a + 0.3 * b + (colour == "red") - 0.7 * (sort == "q") + rng.normal(0, 0.5, rows)
    z += 0.8 * flag

    def with_holes(column, share):
        lost = rng.random(len(column)) < share
        return [None if gone else cell for gone, cell in zip(lost, column.tolist(), strict=True)]

    found = {
        "a": with_holes(a, holes),
        ODD: with_holes(b, holes),
        "c": with_holes(c.astype(float), holes + 0.2 * (z.mean() > 0)),
        "colour": with_holes(colour, holes),
        "sort": with_holes(sort, holes),
        "flag": with_holes(flag, holes),
    }
    three = np.where(z > 2.2, "hi", np.where(z > 1, "o'k", "lo"))
    return {**found, "three": three.tolist(), "two": np.where(z > 1.5, "yes", "no").tolist(),
            "number": (2 * z + 3).tolist()}  # fmt: skip


@cache
def asked(rows=2000):
    """The rows that are predicted; some of their values were never seen."""
    return columns(rows, seed=2, unseen=True)


def table_of(cells, learner, target):
    """A table for a learner, with its target."""
    left = [t for t in TARGETS if t != target]
    if learner == "ID3" or (learner == "OneR" and target == "three"):
        left += ["a", ODD, "c"]
    held = {name: column for name, column in cells.items() if name not in left}
    return satsuma.read(pa.table(held), target=target)


@cache
def model_of(at):
    """The model of a case."""
    learner, target, parameters = CASES[at]
    return getattr(satsuma, learner)(**parameters)(table_of(columns(600, seed=1), learner, target))


@cache
def predicted(at, rows=2000):
    """What the model says: the class or the number, and probabilities if there are any."""
    learner, target, _ = CASES[at]
    table, model = table_of(asked(rows), learner, target), model_of(at)
    if target in ("three", "two"):
        return model(table, satsuma.GetBoth)
    return np.asarray(model(table), float), None


def check(at, classes, numbers, *, close, rows=2000):
    """Hold rows of answers against those of the model; classes that tie may swap."""
    expected, chances = predicted(at, rows)
    expected = expected[: len(classes)]
    if chances is None:
        assert np.abs(np.asarray(classes, float) - expected).max() < close
        return
    chances = chances[: len(classes)]
    assert np.abs(np.asarray(numbers, float) - chances).max() < close
    top = np.sort(chances, axis=1)
    clear = top[:, -1] - top[:, -2] > close
    assert (np.asarray(classes)[clear] == expected[clear]).all()


NAMES = ["-".join(map(str, (a, b, *c.values()))) for a, b, c in CASES]
EVERY = range(len(CASES))
