"""Law 5: probabilities are probabilities, and nothing is left to chance."""

import hashlib
import os
import pickle
import subprocess
import sys
from collections.abc import Sequence

import numpy as np

from satsuma.checks.law_broken import LawBroken, on
from satsuma.checks.law_predictions import check_legal, predictions, queries, stack_tables
from satsuma.checks.law_tables import attributes_of, tables, with_column
from satsuma.checks.variants import aims, importable, with_seed
from satsuma.data.table import Table
from satsuma.learners.learner import Learner
from satsuma.learners.model import Classifier, Model
from satsuma.learners.predictions import GetBoth, GetProbabilities

#: Hash seeds that are compared, and what a process with one of them runs.
_SEEDS = ("1", "2")
_PROGRAM = """
import pickle, sys
sys.path[:], learners = pickle.load(sys.stdin.buffer)
from satsuma.checks.law_5_probabilities import digest
print(*map(digest, pickle.loads(learners)))
"""


def _tables(learner: Learner) -> list[Table]:
    return tables(learner.takes, holes=False, weighted=False)


def predictions_are_legal(learner: Learner) -> None:
    """Probabilities are finite, not negative and sum to 1 within 1e-12; numbers are finite.

    No rows have no predictions.
    """
    for table in _tables(learner):
        with on(table, "asking about rows like those learned from"):
            model, asked = learner(table), attributes_of(table)
            check_legal(model, asked, "asking about such rows")
        with on(table, "asking about no rows"):
            check_legal(model, asked[:0], "asking about no rows")


def predictions_far_away_are_legal(learner: Learner) -> None:
    """So they are for numbers far from all that were learned from."""
    if "num" not in learner.takes.kinds:
        return
    far = (1e6, -1e6, 0.0, 5e-324)
    far = (*far, 1e100, -1e100) if learner.takes.target == "classes" else far
    for table in _tables(learner):
        with on(table, "learning"):
            model = learner(table)
        for number in far:
            asked = attributes_of(table)[:5]
            for variable in [v for v in asked.domain if v.kind == "num"]:
                asked = with_column(asked, variable, number)
            doing = f"asking about rows with the number {number!r}"
            with on(table, doing):
                check_legal(model, asked, doing)


def _check_values(model: Model, asked: Table) -> None:
    """Make sure that the value is the first among the most probable ones, however asked."""
    if not isinstance(model, Classifier):
        return
    probabilities = model(asked, GetProbabilities)
    first = [model.classes[int(code)] for code in np.argmax(probabilities, axis=1)]
    both, beside = model(asked, GetBoth)
    for what, values in (("the value", model(asked)), ("the value of GetBoth", both)):
        if list(values) != first:
            row = int(np.argmax(np.array(values, object) != np.array(first, object)))
            raise LawBroken(
                f"{what} of row {row} is {values[row]!r}, but the first of the most probable "
                f"classes is {first[row]!r} (probabilities {probabilities[row]})"
            )
    if not np.array_equal(beside, probabilities):
        raise LawBroken("GetBoth has other probabilities than GetProbabilities")


def ties_go_to_the_first_class(learner: Learner) -> None:
    """The value is the most probable class; where classes tie, the first of them."""
    for table in _tables(learner) if learner.takes.target == "classes" else ():
        with on(table, "asking for values and probabilities"):
            _check_values(learner(table), attributes_of(table))
        target = table.domain["aim"]
        # The same rows under each class in turn: whatever is believed, the classes tie.
        turns = [with_column(table, target, code) for code in range(len(target.values))]
        with on(tied := stack_tables(*turns), "asking where all classes tie"):
            _check_values(learner(tied), attributes_of(table))


def one_row_or_many(learner: Learner) -> None:
    """Rows asked about one by one get the predictions that they get together."""
    for table in _tables(learner):
        with on(table, "asking row by row"):
            model = learner(table)
            asked = attributes_of(table)
            together = model(asked)
            for at in (0, len(asked) // 2, len(asked) - 1):
                alone = model(asked[at])
                if alone != together[at] and not _near(alone, together[at]):
                    raise LawBroken(
                        f"row {at} gets the prediction {alone!r} alone, {together[at]!r} in all"
                    )


def _near(one: object, other: object) -> bool:
    return isinstance(one, float) and bool(np.isclose(one, float(str(other)), rtol=1e-12))


def digest(learner: Learner) -> str:
    """What a learner makes of all tables, and says of it, in one word."""
    found = hashlib.sha256()
    for one in aims(learner):
        for table in tables(one.takes):
            model = with_seed(one)(table)
            found.update(predictions(model, queries(table, one.takes)).tobytes())
            found.update(f"{model!r}{model}".encode())
    return found.hexdigest()


def digests(learners: Sequence[Learner], seed: str) -> list[str]:
    """The digests of learners in a process of its own with a hash seed."""
    sent = pickle.dumps((sys.path, pickle.dumps(list(learners))))
    ran = subprocess.run(  # noqa: S603 - the same Python, on what is told here
        [sys.executable, "-c", _PROGRAM],
        input=sent,
        env={**os.environ, "PYTHONHASHSEED": seed},
        capture_output=True,
        check=False,
    )
    if ran.returncode:
        raise LawBroken(f"learning in another process failed: {ran.stderr.decode().strip()}")
    return ran.stdout.decode().split()


def hash_seeds_change_nothing(*learners: Learner) -> None:
    """Processes with different hash seeds give the same models, which say the same of themselves.

    A class that no other process can import is passed over.
    """
    known = [learner for learner in learners if importable(type(learner))]
    known = [learner for learner in known if type(learner).__module__ != "__main__"]
    first, second = (digests(known, seed) for seed in _SEEDS)
    for learner, one, other in zip(known, first, second, strict=True):
        if one != other:
            raise LawBroken(f"the models of {learner!r} differ with the hash seed")


CHECKS = (
    predictions_are_legal,
    predictions_far_away_are_legal,
    ties_go_to_the_first_class,
    one_row_or_many,
)

SLOW = (hash_seeds_change_nothing,)
