"""Batches in which a column is missing altogether, before and after its kind is known."""

import numpy as np
import pandas as pd
import pytest

from satsuma import LDA, QDA, Generative, Majority, Mean, NaiveBayes, Ridge
from satsuma.errors import SatsumaError
from satsuma.learners.estimator import undetermined
from tests.every import LEARNERS

CHAINED = [one for one in LEARNERS if one.takes.rounds == "one"] + [NaiveBayes(number="mdl")]


def fresh(learner):
    return type(learner)(**learner.get_params(deep=False))


def target_of(learner, labels):
    return np.array(labels, float) if learner.takes.target == "number" else np.array(labels)


def answers(learner, frame):
    numbers = learner.takes.target == "number"
    return learner.predict(frame) if numbers else learner.predict_proba(frame)


def suited(learner, frame):
    """The frame; its numbers as symbols for a learner that takes no numbers."""
    if "num" in learner.takes.kinds:
        return frame
    return frame.apply(lambda column: [None if pd.isna(each) else f"_{each}" for each in column])


def check_chain(learner, frames, labels):
    """One batch after the other gives what `fit` gives of all rows."""
    frames = [suited(learner, frame) for frame in frames]
    chained = fresh(learner)
    for frame, some in zip(frames, labels, strict=True):
        chained.partial_fit(frame, target_of(learner, some), classes=None)
    whole = pd.concat([each.astype(object) for each in frames], ignore_index=True)
    whole = whole.convert_dtypes()
    fitted = fresh(learner).fit(whole, target_of(learner, np.concatenate(labels)))
    np.testing.assert_allclose(answers(chained, whole), answers(fitted, whole), rtol=1e-9)


@pytest.mark.parametrize("learner", CHAINED, ids=repr)
@pytest.mark.parametrize("cells", [["x", "y", "x"], [1.0, 2.5, 4.0]])
@pytest.mark.parametrize("hole", [None, float("nan")])
@pytest.mark.parametrize("turn", [1, -1])
def test_a_batch_without_any_value_of_a_column(learner, cells, hole, turn):
    known = pd.DataFrame({"s": cells, "n": [1.0, 2.0, 4.0]})
    holed = pd.DataFrame({"s": [hole] * 3, "n": [2.0, 3.0, 3.5]})
    check_chain(learner, [known, holed][::turn], [[0, 1, 0], [1, 0, 1]])
    check_chain(learner, [holed, holed, known, holed], [[0, 1, 0], [1, 0, 1]] * 2)


@pytest.mark.parametrize("learner", CHAINED, ids=repr)
def test_a_stream_of_single_rows_with_missing_values(learner):
    rng = np.random.default_rng(2)
    n = 40
    y = rng.integers(0, 2, n)
    y[:2] = [0, 1]
    s = np.where(
        rng.random(n) < 0.4, None, np.array(["a", "b", "c"], object)[rng.integers(0, 3, n)]
    )
    t = np.where(rng.random(n) < 0.4, None, np.where(y == 1, "u", "v").astype(object))
    x = np.where(rng.random(n) < 0.4, np.nan, rng.normal(size=n) + y)
    s[:5], x[:3], t[:8] = None, np.nan, None
    rows = [pd.DataFrame({"s": [s[i]], "x": [x[i]], "t": [t[i]]}) for i in range(n)]
    check_chain(learner, rows, [[each] for each in y])


def test_arrays_with_a_column_that_is_missing_first():
    for learner in (NaiveBayes(), LDA(), QDA(), Generative(), Majority(), Mean(), Ridge()):
        y = target_of(learner, [0, 1])
        chained = fresh(learner).partial_fit(np.array([[np.nan, 1.0], [np.nan, 2.0]]), y)
        chained.partial_fit(np.array([["a", 1.5], ["b", 2.5]], object), y)
        assert np.isfinite(answers(chained, np.array([["a", 2.0]], object))).all()
        assert chained.tally_.domain["x0"].values == ("a", "b")


def test_only_so_many_cells_are_kept(monkeypatch):
    monkeypatch.setattr(undetermined, "CELLS", 8)
    holed, known = pd.DataFrame({"s": [None] * 3}), pd.DataFrame({"s": ["x", "y", "x"]})
    learner = NaiveBayes().partial_fit(holed, [0, 1, 0])
    assert learner.partial_fit(holed, [0, 1, 0])._undetermined_ is None
    with pytest.raises(SatsumaError):
        learner.partial_fit(known, [0, 1, 0])
    again = NaiveBayes().partial_fit(known, [0, 1, 0])
    assert again._undetermined_ is None
    again.partial_fit(holed, [0, 1, 0])


def test_going_on_after_fit():
    holed, known = pd.DataFrame({"s": [None] * 3}), pd.DataFrame({"s": ["x", "y", "x"]})
    chained = NaiveBayes().fit(holed, [0, 1, 0]).partial_fit(known, [0, 1, 0])
    whole = NaiveBayes().fit(pd.concat([holed, known]), [0, 1, 0, 0, 1, 0])
    np.testing.assert_allclose(chained.predict_proba(known), whole.predict_proba(known), rtol=1e-9)
