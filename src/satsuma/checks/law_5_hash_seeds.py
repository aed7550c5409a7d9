"""Law 5, the slow part: nothing depends on hash seeds, which differ from process to process."""

import hashlib
import os
import pickle
import subprocess
import sys
from collections.abc import Sequence

from satsuma.checks.answers import answers, queries
from satsuma.checks.broken import LawBroken
from satsuma.checks.forms import aims, importable, seeded
from satsuma.checks.law_tables import tables
from satsuma.learners.learner import Learner

_SEEDS = ("1", "2")
_PROGRAM = """
import pickle, sys
sys.path[:], learners = pickle.load(sys.stdin.buffer)
from satsuma.checks.law_5_hash_seeds import digest
print(*map(digest, pickle.loads(learners)))
"""


def digest(learner: Learner) -> str:
    """What a learner makes of all tables, and says of it, in one word."""
    told = hashlib.sha256()
    for one in aims(learner):
        for table in tables(one.takes):
            model = seeded(one)(table)
            told.update(answers(model, queries(table, one.takes)).tobytes())
            told.update(f"{model!r}{model}".encode())
    return told.hexdigest()


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


SLOW = (hash_seeds_change_nothing,)
