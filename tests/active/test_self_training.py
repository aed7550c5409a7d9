"""SelfTraining beside scikit-learn's, over the same learner."""

import numpy as np
import pytest
from sklearn.semi_supervised import SelfTrainingClassifier

from satsuma import KNN, LDA, NaiveBayes, SelfTraining
from satsuma.active.semi_supervised import labels_of
from tests.active.few import across, blobs


@pytest.mark.parametrize("threshold", [0.7, 0.999])
@pytest.mark.parametrize(
    "inside", [NaiveBayes(number="gaussian", calibrate=False), LDA(calibrate=False), KNN(k=5)]
)
@pytest.mark.parametrize("seed", range(2))
def test_labels_are_those_of_scikit_learn(seed, inside, threshold):
    table, _ = blobs(seed, labelled=24, apart=1.0)
    X = table.to_numpy([v.name for v in table.domain.attributes])
    theirs = SelfTrainingClassifier(inside, threshold=threshold, max_iter=4)
    theirs.fit(X, labels_of(table))
    ours = SelfTraining(inside, threshold=threshold, steps=4).spread(table, None)
    np.testing.assert_array_equal(ours.codes, theirs.transduction_)
    np.testing.assert_allclose(
        ours.model.probabilities(table), theirs.predict_proba(X), atol=1e-9, rtol=0
    )


def test_a_step_more_labels_rows_more():
    table, _ = blobs(labelled=15, apart=1.0)
    counts = [
        (
            SelfTraining(NaiveBayes(calibrate=False), threshold=0.99, steps=steps)
            .spread(table, None)
            .codes
            >= 0
        ).sum()
        for steps in (1, 2, 10)
    ]
    assert 15 < counts[0] < counts[1] <= counts[2]


def test_it_is_left_at_known_labels_where_these_do_better():
    table, _ = across()
    model = SelfTraining(NaiveBayes(calibrate=False))(table)
    assert model.spread.with_spread <= model.spread.without
    assert not model.spread.used
