"""Dawid-Skene: the labels that many people most probably mean, and how good each of them is."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from satsuma.active.agreement import is_missing
from satsuma.errors import DomainError, ParameterError
from satsuma.evaluate.results_display import aligned, grid_html
from satsuma.numerics.arrays import Floats

#: No label from somebody, as a code.
_NONE = -1


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
    def of(cls, codes: npt.NDArray[np.intp], truth: Floats) -> Self:
        """Count rows of people's answers, with the probability of each class."""
        people, n = codes.shape[1], truth.shape[1]
        confusion = np.zeros((people, n, n))
        for who in range(people):
            said = codes[:, who]
            for answer in range(n):
                confusion[who, :, answer] = truth[said == answer].sum(axis=0)
        return cls(truth.sum(axis=0), confusion)

    def __add__(self, other: "ConfusionTally") -> "ConfusionTally":
        return ConfusionTally(self.classes + other.classes, self.confusion + other.confusion)


@dataclass(frozen=True)
class Labellers:
    """What many people most probably mean, and how good each of them is.

    Parameters
    ----------
    people, classes
        Their names, and the labels they gave.
    probabilities
        Rows by classes.
    prior
        How frequent each class is.
    confusion
        People by classes by answers: how often each person answers what, where a class is true.
    answers
        How many labels each person gave.
    rounds
        Of expectation and maximization.
    """

    people: tuple[str, ...]
    classes: tuple[Any, ...]
    probabilities: Floats
    prior: Floats
    confusion: Floats
    answers: tuple[int, ...]
    rounds: int

    @property
    def labels(self) -> list[Any]:
        """The most probable label of each row; ties go to the class that was seen first."""
        return [self.classes[at] for at in self.probabilities.argmax(axis=1)]

    @property
    def accuracy(self) -> dict[str, float]:
        """By person: the share of answers that are expected to be right."""
        right = np.einsum("pcc,c->p", self.confusion, self.prior)
        return dict(zip(self.people, right.tolist(), strict=True))

    def _cells(self) -> list[list[str]]:
        counted = zip(self.people, self.answers, self.accuracy.values(), strict=True)
        lines = [[who, f"{count:,}", f"{share:.1%}", self._weakness(at)]
                 for at, (who, count, share) in enumerate(counted)]  # fmt: skip
        return [["who", "labels", "right", "most frequent error"], *lines]

    def _weakness(self, who: int) -> str:
        wrong = self.confusion[who] * self.prior[:, None]
        np.fill_diagonal(wrong, 0.0)
        true, said = np.unravel_index(int(wrong.argmax()), wrong.shape)
        if wrong[true, said] < 5e-4:
            return ""
        share = self.confusion[who, true, said]
        return f"{self.classes[said]} for {self.classes[true]} ({share:.0%})"

    def _title(self) -> str:
        return f"{len(self.people)} people, {len(self.probabilities):,} rows"

    def __str__(self) -> str:
        return "\n".join([self._title(), "", *aligned(self._cells())])

    def _repr_html_(self) -> str:
        return grid_html(self._title(), self._cells())


def dawid_skene(
    answers: Mapping[str, Sequence[Any]],
    *,
    gold: Mapping[int, Any] | None = None,
    m: float = 1.0,
    rounds: int = 200,
    tolerance: float = 1e-6,
) -> Labellers:
    """What many people most probably mean, and how good each is (Dawid and Skene 1979).

    Each person has a probability of every answer, given the true class. These and the classes of
    the rows are found in turn, by expectation and maximization, from the shares of votes on. Where
    people err much alike, that is taken for the truth: gold questions guard against it.

    Parameters
    ----------
    answers
        By person, the labels row by row; None where there is none.
    gold
        The true label of some rows, by number: what is known is not guessed.
    m
        Weight of the prior, in imaginary answers of each person to rows of each class, as many of
        each label. At 0, it is maximum likelihood.
    rounds
        The most rounds.
    tolerance
        The change of probabilities, in the mean, at which it ends.

    Examples
    --------
    >>> found = dawid_skene(
    ...     {
    ...         "ann": ["yes", "no", "no", "yes", "no"],
    ...         "bob": ["yes", "no", "yes", "yes", None],
    ...         "eve": ["no", "yes", "no", "yes", "yes"],
    ...     }
    ... )
    >>> found.labels
    ['yes', 'no', 'yes', 'yes', 'no']
    >>> max(found.accuracy, key=found.accuracy.get)
    'bob'
    """
    people, classes, codes = _coded(answers, gold or {})
    if not m >= 0:
        raise ParameterError(f"The 'm' parameter of dawid_skene must be 0 or more, not {m!r}.")
    known = _known(gold or {}, classes, len(codes))
    truth = _with_known(_votes(codes, len(classes)), known)
    done = 0
    while done < rounds:
        done += 1
        prior, confusion = _concluded(ConfusionTally.of(codes, truth), m)
        after = _with_known(_expected(codes, prior, confusion), known)
        change, truth = float(np.abs(after - truth).mean()), after
        if change < tolerance:
            break
    prior, confusion = _concluded(ConfusionTally.of(codes, truth), m)
    given = tuple(int(count) for count in (codes != _NONE).sum(axis=0))
    return Labellers(people, classes, truth, prior, confusion, given, done)


def _coded(
    answers: Mapping[str, Sequence[Any]], gold: Mapping[int, Any]
) -> tuple[tuple[str, ...], tuple[Any, ...], npt.NDArray[np.intp]]:
    if not answers or len({len(each) for each in answers.values()}) > 1:
        raise DomainError("dawid_skene needs the labels of each person, row by row, all as many.")
    seen: dict[Any, int] = {}
    for label in (*gold.values(), *(label for each in answers.values() for label in each)):
        if not is_missing(label):
            seen.setdefault(label, len(seen))
    if not seen:
        raise DomainError("Nobody has given a label.")
    codes = [[_NONE if is_missing(label) else seen[label] for label in each]
             for each in answers.values()]  # fmt: skip
    return tuple(answers), tuple(seen), np.array(codes, np.intp).T


def _known(gold: Mapping[int, Any], classes: tuple[Any, ...], rows: int) -> dict[int, int]:
    for row in gold:
        if not 0 <= row < rows:
            raise DomainError(f"There is no row {row} for a gold label: there are {rows} rows.")
    return {row: classes.index(label) for row, label in gold.items()}


def _votes(codes: npt.NDArray[np.intp], n: int) -> Floats:
    counts = np.stack([(codes == c).sum(axis=1) for c in range(n)], axis=1).astype(np.float64)
    total = counts.sum(axis=1, keepdims=True)
    return np.where(total > 0, counts / np.maximum(total, 1), 1 / n)


def _with_known(truth: Floats, known: dict[int, int]) -> Floats:
    for row, code in known.items():
        truth[row] = 0.0
        truth[row, code] = 1.0
    return truth


def _concluded(tally: ConfusionTally, m: float) -> tuple[Floats, Floats]:
    """How frequent classes are, and each person's answers by class: an m-estimate."""
    n = len(tally.classes)
    prior = (tally.classes + m / n) / (tally.classes.sum() + m)
    counts = tally.confusion + m / n
    total = counts.sum(axis=2, keepdims=True)
    return prior, np.where(total > 0, counts / np.where(total > 0, total, 1.0), 1 / n)


def _expected(codes: npt.NDArray[np.intp], prior: Floats, confusion: Floats) -> Floats:
    """Rows by classes: how probable each class is, by all answers together."""
    with np.errstate(divide="ignore"):
        logs, log_prior = np.log(confusion), np.log(prior)
    total = np.tile(log_prior, (len(codes), 1))
    for who in range(codes.shape[1]):
        said = np.flatnonzero(codes[:, who] != _NONE)
        total[said] += logs[who][:, codes[said, who]].T
    total -= total.max(axis=1, keepdims=True)
    odds = np.exp(total)
    return odds / odds.sum(axis=1, keepdims=True)
