"""Out-of-bag scores: how right trees are about rows that they were not grown from."""

from collections.abc import Iterable

import numpy as np

from satsuma.kernels import tree as kernel
from satsuma.kernels.tree import Coded, Flat
from satsuma.learners.bootstrap import Bootstrap
from satsuma.numerics.arrays import Array, Floats

#: The names of the scores; the first is what scikit-learn has as ``oob_score_``.
OF_CLASSES, OF_NUMBERS = ("CA", "log loss"), ("R2", "RMSE")


def out_of_bag_scores(
    trees: Iterable[tuple[Flat, Floats]], coded: Coded, centre: float, samples: Bootstrap
) -> dict[str, float]:
    """Scores of what the trees predict, on average, that a row was not drawn for.

    A row that weighs 2 is two rows, each of which may be drawn without the other. Rows that were
    drawn for every tree do not count; where all were, the scores are NaN.
    """
    rows, weights = samples.rows, samples.weights
    answers, times = np.zeros((len(rows), coded.classes or 1)), np.zeros(len(rows))
    for k, (flat, says) in enumerate(trees):
        absent = np.flatnonzero(samples.counts(k) == 0)
        columns = [column[rows[absent]] for column in coded.columns]
        answers[absent] += kernel.average(flat, says, columns, len(absent))[0]
        times[absent] += 1
    known = np.flatnonzero(times)
    predicted = answers[known] / times[known, None]
    weights = np.ones(len(known)) if weights is None else weights[known]
    if coded.target is None:
        labels = coded.records[rows[known], len(coded.columns)]
        return dict(zip(OF_CLASSES, _of_classes(predicted, labels, weights), strict=True))
    truth = coded.target[rows[known]] + centre
    return dict(zip(OF_NUMBERS, _of_numbers(predicted[:, 0], truth, weights), strict=True))


def _of_classes(predicted: Floats, labels: Array, weights: Floats) -> tuple[float, float]:
    if not len(labels):
        return np.nan, np.nan
    right = predicted.argmax(axis=1) == labels
    tiny = np.finfo(np.float64).eps
    probability = np.clip(predicted[np.arange(len(labels)), labels], tiny, 1 - tiny)
    return (
        float(np.average(right, weights=weights)),
        float(np.average(-np.log(probability), weights=weights)),
    )


def _of_numbers(predicted: Floats, truth: Floats, weights: Floats) -> tuple[float, float]:
    if not len(truth):
        return np.nan, np.nan
    error = float(np.average((predicted - truth) ** 2, weights=weights))
    spread = float(np.average((truth - np.average(truth, weights=weights)) ** 2, weights=weights))
    return (1 - error / spread if spread > 0 else float(error == 0)), float(np.sqrt(error))
