import numpy as np
import pytest

from satsuma.errors import ParameterError
from satsuma.evaluate.cross_validation import cross_validate
from satsuma.evaluate.learning_curve import learning_curve
from tests.evaluate.small import Bayes, Level, Line, RefittedBayes, mixed, straight


def test_a_learning_curve_ends_where_cross_validation_is():
    table = mixed(1, 100, holes=0.0, weighted=False)
    learners = [Bayes(), RefittedBayes()]
    curve = learning_curve(learners, table, sizes=[1.0, 10, 0.5], folds=5, seed=3)
    assert curve.sizes == (10, 40, 80)
    whole = cross_validate(learners, table, folds=5, seed=3)
    assert curve.scores("Brier")["Bayes"][-1] == pytest.approx(whole.scores("Brier")["Bayes"])
    for each in curve.results:
        np.testing.assert_allclose(
            each.probabilities("Bayes"), each.probabilities("RefittedBayes"), atol=1e-9
        )
    assert list(curve.to_pandas("CA").columns) == ["Bayes", "RefittedBayes"]
    assert repr(curve).splitlines()[0] == "y: CA, the more rows are learned from"
    assert curve._repr_html_().count("<tr>") == 4


def test_more_rows_teach_more():
    curve = learning_curve([Line(), Level()], straight(0, 600), sizes=[5, 50, 400], folds=6)
    found = curve.scores("RMSE")["Line"]
    assert found[0] > found[1] > found[2]


def test_sizes_must_make_sense():
    for wrong in ([0], [1000], [2.5], ["a"], [True], [], [-0.5]):
        with pytest.raises(ParameterError, match="'sizes' parameter of learning_curve"):
            learning_curve(Bayes(), mixed(0), sizes=wrong)
