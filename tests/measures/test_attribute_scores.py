import numpy as np
import pytest

import satsuma
from satsuma import MDL, Table, best_attribute, score_attributes
from satsuma.checks import Batches
from satsuma.errors import DomainError, NoSuchColumn, ParameterError
from satsuma.measures import chi_square, gini, information_gain, relief
from satsuma.measures.information import mdl


def test_case_ref_infogain_lenses(shared, cases):
    case = cases["ref-infogain-lenses"]
    table = satsuma.read(shared("orange/lenses.tab"))
    scores = score_attributes(table)
    for name, expected in case["expected"]["exact"].items():
        assert scores[name] == pytest.approx(expected, abs=case["tolerance"]["abs"])
        assert information_gain(table[name], table["lenses"]) == pytest.approx(expected, abs=1e-9)
    for name, printed in case["expected"]["printed"].items():
        assert scores[name] == pytest.approx(printed, abs=case["tolerance"]["printed"])
    both = [f"{a} {t}" for a, t in zip(table["astigmatic"], table["tear_rate"], strict=True)]
    together = information_gain(both, table["lenses"])
    assert together == pytest.approx(case["expected"]["cartesian_astigmatic_tear"], abs=5e-4)


def test_scores_are_those_of_columns_once_numbers_are_cut():
    table = satsuma.load("heart_disease")
    cut = MDL()(table)(table)
    target = table.domain.target.name
    for name, measure in (
        ("information_gain", information_gain),
        ("chi_square", chi_square),
        ("mdl", mdl),
    ):
        scores = score_attributes(table, name)
        for variable in table.domain.attributes:
            expected = measure(cut[variable.name], table[target])
            assert scores[variable.name] == pytest.approx(expected, abs=1e-9)
        assert score_attributes(table, measure)[variable.name] == scores[variable.name]


def test_a_source_gives_the_scores_of_the_table():
    table = satsuma.load("heart_disease")
    whole, parts = score_attributes(table), score_attributes(Batches(table, size=50))
    assert list(whole) == list(parts)
    assert dict(whole) == pytest.approx(dict(parts), abs=1e-12)


def test_weights_are_rows_repeated():
    table = satsuma.load("iris")
    weights = np.arange(len(table)) % 3
    weighted = Table(
        satsuma.Domain([*table.domain, satsuma.Variable("w", role="weight")]),
        [*table.columns, weights.astype(float)],
    )
    again = table[np.repeat(np.arange(len(table)), weights)]
    for measure in ("information_gain", "mdl", "relief"):
        found, expected = score_attributes(weighted, measure), score_attributes(again, measure)
        assert dict(found) == pytest.approx(dict(expected), abs=1e-9), measure


def test_the_best_come_first_and_equals_in_the_order_of_columns():
    rows = [("a", "p", 1, "x"), ("b", "q", 1, "y"), ("a", "p", 1, "x"), ("b", "q", 1, "y")]
    table = Table.of(rows, ["first", "second", "third", "class"])
    scores = score_attributes(table)
    assert list(scores) == ["first", "second", "third"]
    assert list(score_attributes(table, "conditional_entropy")) == ["first", "second", "third"]
    assert best_attribute(table, gini) == "first"
    assert scores.best(1) == ["first"]
    assert scores.best(threshold=0.5) == ["first", "second"]
    assert score_attributes(table, "conditional_entropy").best(threshold=0.5)[0] == "first"


def test_scores_can_be_read():
    scores = score_attributes(satsuma.load("tennis"))
    frame = scores.to_pandas()
    assert frame["attribute"].tolist() == list(scores)
    assert frame["information_gain"].tolist() == list(scores.values())
    assert "<td>outlook</td><td>0.2467</td>" in scores._repr_html_()
    assert str(scores).splitlines()[1].split() == ["outlook", "0.2467"]
    with pytest.raises(NoSuchColumn, match="outlook"):
        scores["outlok"]


def test_a_measure_of_ones_own():
    def values(found):
        return float((found.counts.sum(axis=1) > 0).sum())

    scores = score_attributes(satsuma.load("tennis"), values)
    assert scores["outlook"] == 3
    assert scores.measure == "values"


def test_what_cannot_be_scored():
    with pytest.raises(ParameterError, match="'gain_ratio'"):
        score_attributes(satsuma.load("tennis"), "gain_ration")
    texts = Table.of([("a", "b")], ["x", "y"]).with_kinds({"y": "text"})
    with pytest.raises(DomainError, match="is 'text'"):
        score_attributes(texts)
    with pytest.raises(DomainError, match="there is none"):
        score_attributes(Table.of([(1, 2)], ["a", "b"], target=None))
    with pytest.raises(DomainError, match="memory"):
        score_attributes(Batches(satsuma.load("tennis")), "relief")
    with pytest.raises(DomainError, match="no attribute"):
        best_attribute(satsuma.load("tennis").select(["play"]))
    with pytest.raises(ParameterError, match="'k' parameter of relief"):
        relief(satsuma.load("iris"), k=0)
    with pytest.raises(DomainError, match="symbols"):
        relief(satsuma.load("housing"))
