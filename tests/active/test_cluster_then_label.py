"""Labels spread inside clusters."""

import numpy as np
import pytest

from satsuma import ClusterThenLabel, NaiveBayes
from satsuma.errors import ParameterError
from tests.active.few import Banded, blobs, numeric


def test_a_row_gets_the_label_of_most_in_its_cluster():
    numbers = np.array([[0.1], [0.2], [0.3], [0.4], [1.1], [1.2], [1.3], [2.5]])
    codes = np.array([0, 1, 1, -1, 2, 0, -1, -1], np.int32)
    learner = ClusterThenLabel(NaiveBayes(), clusters=Banded())
    table = numeric(numbers, codes)
    found = learner.spread(table, learner.look(table))
    # Of as many of each, the first; where none has a label there is none to be had.
    assert found.codes.tolist() == [0, 1, 1, 1, 2, 0, 0, -1]
    plain = NaiveBayes()(numeric(numbers[:7], found.codes[:7]))
    np.testing.assert_allclose(
        found.model.probabilities(table), plain.probabilities(table), atol=1e-12, rtol=0
    )


def test_clusterings_are_added_up_by_shares():
    """A row is in a cluster of a, and in one where b and c are; a has the larger sum."""
    codes = np.array([0, 1, 2, 1, -1], np.int32)
    table = numeric(np.zeros((5, 1)), codes)
    seen = [np.array([0, 1, 1, 1, 0], np.int32), np.array([1, 0, 0, 0, 0], np.int32)]
    found = ClusterThenLabel(NaiveBayes(), clusters=Banded()).spread(table, seen)
    assert found.codes[4] == 0


def test_a_clusterer_without_a_seed_is_asked_once():
    table, _ = blobs()
    assert len(ClusterThenLabel(NaiveBayes(), clusters=Banded(), t=5).look(table)) == 1


@pytest.mark.parametrize("wrong", [{"clusters": NaiveBayes()}, {"t": 0}])
def test_wrong_parameters_are_refused(wrong):
    table, _ = blobs()
    with pytest.raises(ParameterError, match=next(iter(wrong))):
        ClusterThenLabel(**{"learner": NaiveBayes(), "clusters": Banded(), **wrong})(table)
