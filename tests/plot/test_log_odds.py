"""A nomogram is drawn only of a model whose columns add up: every learner, on several tables."""

import warnings

import numpy as np
import pytest

import satsuma
from satsuma import ID3, Forest, NaiveBayes, SatsumaError, Tree, plot
from satsuma.learners.model import Classifier
from satsuma.plot.log_odds import log_odds
from satsuma.plot.plot_data import points_of
from tests.every import LEARNERS

TABLES = ("tennis", "lenses", "titanic", "iris", "heart_disease")

#: Beyond these log-odds a probability is 0 or 1 in double precision, and so is as good as infinite.
CERTAIN = 650


def models(name):
    """A model of every learner that predicts the classes of a table."""
    table = satsuma.load(name)
    table = table[:: max(1, len(table) // 150)]
    for learner in LEARNERS:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                model = learner(table)
        except SatsumaError:
            continue
        if isinstance(model, Classifier):
            yield model, table


def real_odds(model, rows, value, against):
    """The log-odds by the probabilities that the model gives."""
    with np.errstate(divide="ignore", invalid="ignore"):
        logs = np.log(model.probabilities(rows))
        return logs[:, value] - logs[:, against]


def read_off(model, table, value, against):
    """What a reader of the nomogram adds up in each row of the two classes, and the rows."""
    points = points_of(model, table)
    odds = log_odds(model, value, against, points)
    rows = points.of(np.isin(points.truth, [value, against])).rows
    total = np.full(len(rows), odds.start)
    whole = np.ones(len(rows), bool)
    for variable in model.domain.attributes:
        known = ~rows.missing(variable.name)
        with np.errstate(invalid="ignore"):
            total[known] += odds.added(variable, rows.column(variable.name)[known])
        # Where columns add to a row in the middle, a missing cell has no place on the scale; of a
        # calibrated model, the others count for more then.
        whole &= known | (not odds.base and getattr(model, "temperature", 1) == 1)
    return total[whole], rows[np.flatnonzero(whole)]


@pytest.mark.parametrize("name", TABLES)
def test_every_model_is_refused_or_adds_up_on_every_row(name):
    drawn = set()
    for model, table in models(name):
        for value in range(min(2, len(model.classes))):
            against = (value + 1) % len(model.classes)
            try:
                total, rows = read_off(model, table, value, against)
            except SatsumaError:  # it is refused
                continue
            drawn.add(type(model.learner).__name__)
            real = real_odds(model, rows, value, against)
            known = ~np.isnan(real)
            assert known.any(), model.learner
            assert not np.isnan(total[known]).any(), model.learner
            np.testing.assert_allclose(
                np.clip(total[known], -CERTAIN, CERTAIN), np.clip(real[known], -CERTAIN, CERTAIN),
                rtol=1e-6, atol=1e-6, err_msg=repr(model.learner),
            )  # fmt: skip
    assert "NaiveBayes" in drawn


@pytest.mark.parametrize(
    ("learner", "name"),
    [
        (ID3(), "tennis"),
        (Tree(prune=None), "lenses"),
        (Tree(), "heart_disease"),
        (Tree(), "adult_sample"),
        (Forest(trees=10), "iris"),
    ],
)
def test_models_with_certain_leaves_are_refused(learner, name):
    with pytest.raises(SatsumaError, match="do not add up"):
        plot.nomogram(learner(satsuma.load(name)))


@pytest.mark.parametrize("name", ["tennis", "lenses", "titanic", "zoo", "voting"])
def test_a_veto_is_drawn(name):
    table = satsuma.load(name)
    model = NaiveBayes(table, m=0)
    plot.nomogram(model)
    total, rows = read_off(model, table, 0, 1)
    np.testing.assert_allclose(total, real_odds(model, rows, 0, 1), rtol=1e-6, atol=1e-6)


def test_vetoes_of_both_classes_in_rows_that_are_given_are_drawn():
    rows = [("u", "p", "yes"), ("v", "q", "no"), ("w", "r", "yes"), ("w", "r", "no")]
    model = NaiveBayes(satsuma.Table.of(rows, ["a", "b", "y"]), m=0)
    both = satsuma.Table.of([*rows, ("u", "q", "yes")], ["a", "b", "y"])
    plot.nomogram(model, table=both)
    assert np.isnan(read_off(model, both, 0, 1)[0][-1])


def test_cells_that_interact_only_in_rows_that_were_not_seen_are_refused():
    # The tree asks both columns; in the rows seen, the second follows from the first.
    rng = np.random.default_rng(3)
    a = rng.integers(0, 2, 400)
    y = np.where(rng.random(400) < np.where(a == 1, 0.9, 0.3), "yes", "no")
    rows = [(f"a{n}", "b" if n else rng.choice(["b", "c"]), t) for n, t in zip(a, y, strict=True)]
    model = Forest(satsuma.Table.of(rows, ["a", "b", "y"]), trees=3)
    with pytest.raises(SatsumaError, match="do not add up"):
        plot.nomogram(model)
