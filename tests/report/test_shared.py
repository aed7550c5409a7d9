"""Every shared file goes through the report; large ones are cut, to be quick."""

import numpy as np
import pytest

from satsuma import Majority, Mean, NaiveBayes, RegressionTree, Ridge, Tree
from satsuma.report.page import report
from tests.tables import FILES, read_shared

#: Rows that are kept, evenly spaced, so that classes in blocks stay.
ROWS = 120

#: With more columns a tree is drawn, which is quicker than nomograms.
WIDE = 9


@pytest.mark.parametrize("name", FILES)
def test_every_shared_file_gets_a_page(shared, name):
    table = read_shared(shared(name))
    few = table[np.unique(np.linspace(0, len(table) - 1, ROWS).astype(int))]
    target, wide = few.domain.target, len(few.domain) > WIDE
    if target and target.kind == "num":
        learners = [Mean(), RegressionTree() if wide else Ridge()]
    else:
        learners = [Majority(), Tree() if wide else NaiveBayes()]
    page = report(few, learners=learners, folds=2)
    assert page.count("<section") >= 7
    assert "<h1>" in page
    assert len(page) < 2_000_000
