"""Crowd: how good many people are, by each other's answers and by gold questions."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from satsuma.active.dawid_skene import dawid_skene
from satsuma.active.reliability import krippendorff_alpha
from satsuma.app.labelling.state import State
from satsuma.app.labelling.strategy import Strategy

#: People, and rows with the labels of two or more, before anything is said of a crowd.
_PEOPLE, _ROWS = 3, 5


@dataclass(frozen=True)
class Crowd:
    """How far three or more people agree, and how good each of them is.

    Parameters
    ----------
    alpha
        Krippendorff's, by labels given without the others'; None where it is not known.
    quality
        By person: the share of right answers, by Dawid and Skene's model.
    """

    alpha: float | None = None
    quality: dict[str, float] = field(default_factory=dict[str, float])


def crowd_of(state: State) -> Crowd:
    """What the shared rows of three or more people tell; of fewer, nothing."""
    people = {who: person for who, person in state.people.items() if person.answers}
    if len(people) < _PEOPLE:
        return Crowd()
    rows = list(dict.fromkeys(row for person in people.values() for row in person.answers))
    firsts = {who: [p.first_label(row) for row in rows] for who, p in people.items()}
    shared = [at for at, labels in enumerate(zip(*firsts.values(), strict=True))
              if sum(label is not None for label in labels) > 1]  # fmt: skip
    if len(shared) < _ROWS:
        return Crowd()
    answers: dict[str, list[Any]] = {
        who: [labels[at] for at in shared] for who, labels in firsts.items()
    }
    alpha = krippendorff_alpha(answers)
    return Crowd(None if np.isnan(alpha) else alpha, dawid_skene(answers).accuracy)


def gold_scores(state: State, strategy: Strategy) -> list[tuple[str, int, int]]:
    """By person: how many gold questions were answered as the file has it, and how many in all."""
    made = list[tuple[str, int, int]]()
    for who, person in state.people.items():
        said = [(row, event.value) for row, event in person.gold.items() if event.what == "label"]
        if said:
            made.append((who, sum(strategy.truth(row) == value for row, value in said), len(said)))
    return made
