"""Dawid-Skene: the labels that many people most probably mean, and how good each of them is."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from satsuma.active.agreement import is_missing
from satsuma.active.latent_classes import NO_ANSWER, latent_classes
from satsuma.errors import DomainError, ParameterError
from satsuma.evaluate.results_display import aligned, grid_html
from satsuma.numerics.arrays import Floats


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
    >>> from satsuma import dawid_skene
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
    prior = np.full((len(people), len(classes), len(classes)), m / len(classes))
    found = latent_classes(
        codes, _votes(codes, len(classes)), known, prior, m=m, rounds=rounds, tolerance=tolerance
    )
    given = tuple(int(count) for count in (codes != NO_ANSWER).sum(axis=0))
    return Labellers(
        people, classes, found.probabilities, found.shares, found.confusion, given, found.rounds
    )


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
    codes = [[NO_ANSWER if is_missing(label) else seen[label] for label in each]
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
