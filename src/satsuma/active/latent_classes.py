"""Latent classes: what is true of rows, and what each judge answers where it is true, in turn."""

from dataclasses import dataclass
from typing import NamedTuple, Self

import numpy as np
import numpy.typing as npt

from satsuma.numerics.arrays import Floats

#: No answer from somebody, as a code.
NO_ANSWER = -1


@dataclass(frozen=True)
class ConfusionTally:
    """What people answered, by what is probably true: a tally that adds up over batches of rows.

    Parameters
    ----------
    classes
        How many rows are of each class, weighed by how probable it is.
    confusion
        People by classes by answers.
    """

    classes: Floats
    confusion: Floats

    @classmethod
    def of(cls, codes: npt.NDArray[np.intp], truth: Floats, answers: int) -> Self:
        """Count rows of people's answers, with the probability of each class."""
        people, n = codes.shape[1], truth.shape[1]
        confusion = np.zeros((people, n, answers))
        for who in range(people):
            said = codes[:, who]
            for answer in range(answers):
                confusion[who, :, answer] = truth[said == answer].sum(axis=0)
        return cls(truth.sum(axis=0), confusion)

    def __add__(self, other: "ConfusionTally") -> "ConfusionTally":
        return ConfusionTally(self.classes + other.classes, self.confusion + other.confusion)


class LatentClasses(NamedTuple):
    """Rows by classes, how frequent each class is, judges by classes by answers, and rounds."""

    probabilities: Floats
    shares: Floats
    confusion: Floats
    rounds: int


def latent_classes(
    codes: npt.NDArray[np.intp],
    truth: Floats,
    known: dict[int, int],
    prior: Floats,
    *,
    m: float,
    rounds: int,
    tolerance: float,
) -> LatentClasses:
    """Classes of rows and answers of judges, by expectation and maximization.

    Parameters
    ----------
    codes
        Rows by judges: answers, or `NO_ANSWER`. The first answers are the classes.
    truth
        Rows by classes: how probable each is to begin with.
    known
        The class of some rows.
    prior
        Judges by classes by answers: how often each was given in imaginary rows.
    m
        Imaginary rows of all classes together, as many of each.
    rounds, tolerance
        The most rounds, and the change of probabilities, in the mean, at which it ends.
    """
    truth, done = _with_known(truth, known), 0
    while done < rounds:
        done += 1
        shares, confusion = concluded(ConfusionTally.of(codes, truth, prior.shape[2]), prior, m)
        after = _with_known(expected(codes, shares, confusion), known)
        change, truth = float(np.abs(after - truth).mean()), after
        if change < tolerance:
            break
    shares, confusion = concluded(ConfusionTally.of(codes, truth, prior.shape[2]), prior, m)
    return LatentClasses(truth, shares, confusion, done)


def concluded(tally: ConfusionTally, prior: Floats, m: float) -> tuple[Floats, Floats]:
    """How frequent classes are, and each judge's answers by class: an m-estimate."""
    n = len(tally.classes)
    shares = (tally.classes + m / n) / (tally.classes.sum() + m)
    counts = tally.confusion + prior
    total = counts.sum(axis=2, keepdims=True)
    even = 1 / prior.shape[2]
    return shares, np.where(total > 0, counts / np.where(total > 0, total, 1.0), even)


def expected(codes: npt.NDArray[np.intp], shares: Floats, confusion: Floats) -> Floats:
    """Rows by classes: how probable each class is, by all answers together."""
    with np.errstate(divide="ignore"):
        logs, log_shares = np.log(confusion), np.log(shares)
    total = np.tile(log_shares, (len(codes), 1))
    for who in range(codes.shape[1]):
        said = np.flatnonzero(codes[:, who] != NO_ANSWER)
        total[said] += logs[who][:, codes[said, who]].T
    total -= total.max(axis=1, keepdims=True)
    odds = np.exp(total)
    return odds / odds.sum(axis=1, keepdims=True)


def _with_known(truth: Floats, known: dict[int, int]) -> Floats:
    for row, code in known.items():
        truth[row] = 0.0
        truth[row, code] = 1.0
    return truth
