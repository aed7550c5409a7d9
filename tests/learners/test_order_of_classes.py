"""Which class comes first decides nothing: rows in another order give the same probabilities."""

import numpy as np
import pytest

import satsuma
from satsuma import (
    LDA,
    QDA,
    SVM,
    AnDE,
    Boosting,
    GetProbabilities,
    LinearSVM,
    Logistic,
    NaiveBayes,
    Table,
    Tree,
)

LEARNERS = [
    NaiveBayes(),
    NaiveBayes(number="gaussian"),
    LDA(),
    QDA(),
    AnDE(),
    SVM(),
    LinearSVM(),
    Boosting(t=5),
    Logistic(),
    Tree(),
]


def in_order(table, rows):
    """The same rows as in a file that lists them so: values are known as they come."""
    names = [v.name for v in table.domain]
    kinds = {v.name: v.kind for v in table.domain}
    cells = [tuple(table[int(row)][name] for name in names) for row in rows]
    return Table.of(cells, names, target=table.domain.target.name, kinds=kinds)


@pytest.mark.parametrize("name", ["heart_disease", "voting"])
@pytest.mark.parametrize("learner", LEARNERS, ids=repr)
def test_probabilities_do_not_depend_on_the_order_of_classes(learner, name):
    table = satsuma.load(name)
    known = table.column(table.domain.target.name)
    given = in_order(table, np.argsort(known, kind="stable"))
    turned = in_order(table, np.argsort(-known, kind="stable"))
    assert given.domain.target.values == turned.domain.target.values[::-1]
    one, other = (learner(each)(given, GetProbabilities) for each in (given, turned))
    assert np.allclose(one, other[:, ::-1], atol=1e-9)
