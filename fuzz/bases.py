"""Models to be mutated: of every learner, on small tables of classes and of numbers."""

import re
import warnings

import numpy as np

import satsuma
from satsuma import Table
from satsuma.errors import SatsumaError
from tests.every import LEARNERS

#: Learners whose models have parts that none of the others has.
MORE = (
    satsuma.NaiveBayes(number="kde"),
    satsuma.NaiveBayes(number="loess"),
    satsuma.NaiveBayes(number="mdl"),
    satsuma.NaiveBayes(symbol=satsuma.Laplace()),
    satsuma.Generative(blocks=[satsuma.KDE(kernel="epanechnikov"), satsuma.Laplace()]),
    satsuma.Generative(blocks=[satsuma.MultivariateGaussian()]),
    satsuma.Forest(trees=2, out_of_bag=True),
    satsuma.Tree(split="auto", measure="gini"),
    satsuma.SVM(kernel="poly"),
    satsuma.GaussianProcess(kernel="matern"),
)


def table_of(target: str, rows: int = 60, seed: int = 0) -> Table:
    """Numbers, symbols and holes, that say something of a target; "text" for a column of words."""
    rng = np.random.default_rng(seed)
    words = ["red", "green", "blue", "sea", "sky", "tree"]
    made = []
    for _ in range(rows):
        c = int(rng.integers(3))
        first = float(rng.normal() + c) if rng.random() < 0.9 else None
        symbol = str(rng.choice(["u", "v", "w"])) if rng.random() < 0.9 else None
        told = float(c + rng.normal() * 0.3) if target == "numbers" else "abc"[c]
        other = "pq"[int(rng.random() < 0.3 + 0.2 * c)]
        made.append((first, float(rng.integers(5)), symbol, other, told))
    if target != "text":
        return Table.of(made, ["x", "z", "s", "t", "y"])
    texts = [(" ".join(rng.choice(words, 6)) + f" {words[ord(m[4]) % 3]}", m[4]) for m in made]
    return Table.of(texts, ["text", "y"], kinds={"text": "text"})


def bases(only: str = "") -> "list[tuple[str, object, Table]]":
    """Every model that can be learned: its name, itself, and its rows. `only` is a pattern."""
    found = []
    for target in ("classes", "numbers", "text"):
        table = table_of(target)
        for learner in (each for each in (*LEARNERS, *MORE) if re.match(only, repr(each))):
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    found.append((f"{learner!r} of {target}", learner(table), table))
            except SatsumaError:
                continue
    return found
