"""The tool that runs scikit-learn's own tests on our learners."""

import pytest
from sklearn.linear_model import Ridge
from sklearn.tree import DecisionTreeClassifier

import satsuma
from tools.peer_tests.__main__ import ASKS, causes, row, run
from tools.peer_tests.adapter import NotOurs, swapped
from tools.peer_tests.causes import cause
from tools.peer_tests.swaps import SWAPS

#: A test file as theirs are, that has a test of each sort.
THEIRS = """
import pytest
from sklearn.base import clone
from sklearn.tree import DecisionTreeClassifier

X, y = [[0], [1], [2], [3]] * 2, [0, 0, 1, 1] * 2

@pytest.mark.parametrize("Tree", [DecisionTreeClassifier])
def test_right(Tree):
    assert (clone(Tree(max_depth=1, random_state=3)).fit(X, y).predict(X) == y).all()

def test_asks_for_an_attribute():
    assert DecisionTreeClassifier().fit(X, y).tree_.node_count == 3

def test_asks_for_a_parameter():
    with pytest.raises(Exception):
        DecisionTreeClassifier(ccp_alpha=0.1).fit(X, y)

def test_wrong():
    assert (DecisionTreeClassifier().fit(X, y).predict(X) != y).all()

def test_without_learning():
    DecisionTreeClassifier()
"""


def swap_of(theirs):
    kind = swapped(next(each for each in SWAPS if each.theirs == theirs.__name__), theirs)
    assert kind.__name__ == theirs.__name__
    return kind


def test_a_file_of_tests(tmp_path):
    (tmp_path / "test_small.py").write_text(THEIRS, "utf-8")
    found = run("test_small", tmp_path)
    assert {each["test"].rpartition("::")[2]: each["outcome"] for each in found} == {
        "test_right[DecisionTreeClassifier]": "passed",
        "test_asks_for_an_attribute": ASKS,
        "test_asks_for_a_parameter": ASKS,
        "test_wrong": "failed",
    }
    assert [each["why"] for each in found if each["outcome"] == ASKS] == [
        "attribute tree_",
        "parameter ccp_alpha",
    ]
    assert row("test_small", causes(found)) == "| small | 4 | 2 | 1 of 2 | **unknown** (1) |"


def test_a_file_that_cannot_be_run_is_told(tmp_path):
    with pytest.raises(SystemExit, match="test_absent was not run"):
        run("test_absent", tmp_path)


def test_parameters_are_handed_on():
    tree = swap_of(DecisionTreeClassifier)
    ours = tree(max_depth=2, min_samples_leaf=3, criterion="entropy", random_state=1).learner_of()
    assert isinstance(ours, satsuma.Tree)
    assert (ours.max_depth, ours.min_leaf, ours.measure) == (2, 3, "gain")
    assert swap_of(Ridge)(alpha=2.5, solver="svd").learner_of().l2 == 2.5


@pytest.mark.parametrize("parameter", [{"ccp_alpha": 0.1}, {"min_samples_leaf": 0.5}])
def test_a_parameter_that_is_not_ours_sets_the_test_aside(parameter):
    with pytest.raises(pytest.skip.Exception, match=next(iter(parameter))):
        swap_of(DecisionTreeClassifier)(**parameter).learner_of()


def test_an_attribute_that_is_not_ours_is_named():
    tree = swap_of(DecisionTreeClassifier)()
    assert not hasattr(tree, "tree_")
    with pytest.raises(NotOurs, match="Tree has no tree_"):
        _ = tree.tree_


def test_only_known_failures_have_a_cause():
    wrong = "AssertionError: Arrays are not equal"
    assert cause("::test_gnb_priors", wrong) == "spreads over n - 1"
    assert cause("::test_gnb_accuracy[2]", wrong) == ""
    assert cause("::test_nan", "Failed: DID NOT RAISE ValueError") == "answers where theirs refuses"
    assert cause("::test_nan", wrong) == ""
    assert cause("::test_any", "Failed: Regex pattern did not match") == "refused in other words"
