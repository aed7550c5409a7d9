"""Sorts of learners: whether they predict classes, numbers, or nothing that is given."""

from typing import Any


def has_classes(learner: Any) -> bool:
    """Whether it predicts classes; one that predicts either may have learned numbers."""
    target = learner.takes.target
    return target == "classes" or (target == "either" and not _learned_numbers(learner))


def has_target(learner: Any) -> bool:
    """Whether it predicts something that is given in learning."""
    return learner.takes.target != "nothing"


def _learned_numbers(learner: Any) -> bool:
    return learner.__sklearn_is_fitted__() and not hasattr(learner, "classes_")
