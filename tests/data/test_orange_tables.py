"""Tables of Orange 3, from and to ours."""

import sys
from importlib.util import find_spec
from types import SimpleNamespace

import numpy as np
import pytest
from scipy import sparse

import satsuma
from satsuma import Domain, Table, Variable
from satsuma.errors import DomainError, SatsumaError

needs_orange = pytest.mark.skipif(
    find_spec("Orange") is None, reason="Orange3 is heavy, and among the benchmarks' packages alone"
)


def variable(name, kind, values=()):
    """A variable with what Orange's have, as its documentation says."""
    return SimpleNamespace(
        name=name,
        values=values,
        is_discrete=kind == "discrete",
        is_continuous=kind in ("continuous", "time"),
        is_time=kind == "time",
        is_string=kind == "string",
    )


def orange_table(weights=None, X=None):
    domain = SimpleNamespace(
        attributes=(
            variable("heat", "continuous"),
            variable("wind", "discrete", ("weak", "strong")),
        ),
        class_vars=(variable("play", "discrete", ("no", "yes")), variable("hours", "continuous")),
        metas=(variable("note", "string"), variable("day", "time")),
    )
    return SimpleNamespace(
        domain=domain,
        name="days",
        X=np.array([[30.5, 0], [np.nan, 1], [0, np.nan]]) if X is None else X,
        Y=np.array([[0, 1.5], [1, np.nan], [np.nan, 2]]),
        metas=np.array([["dry", 0.0], ["", 86400.5], [None, np.nan]], object),
        W=weights,
        has_weights=lambda: weights is not None,
    )


def test_columns_kinds_roles_and_holes_come_over():
    table = satsuma.from_orange(orange_table())
    assert table.name == "days"
    assert [(v.name, v.kind, v.role) for v in table.domain] == [
        ("heat", "num", "x"),
        ("wind", "sym", "x"),
        ("play", "sym", "target"),
        ("hours", "num", "meta"),
        ("note", "text", "meta"),
        ("day", "time", "meta"),
    ]
    assert table.domain["wind"].values == ("weak", "strong")
    assert table["wind"].tolist() == ["weak", "strong", None]
    assert table["play"].tolist() == ["no", "yes", None]
    assert table["note"].tolist() == ["dry", None, None]
    assert np.isnan(table["heat"][1])
    assert (
        table.column("day").tolist()
        == np.array(["1970-01-01", "1970-01-02T00:00:00.5", "NaT"], "datetime64[ns]").tolist()
    )


def test_weights_and_sparse_cells_come_over():
    table = satsuma.from_orange(
        orange_table(weights=[1, 2, 0.5], X=sparse.csr_matrix([[1.0, 0], [0, 1], [2, 1]]))
    )
    assert table.weights.tolist() == [1, 2, 0.5]
    assert table["heat"].tolist() == [1, 0, 2]
    assert table["wind"].tolist() == ["weak", "strong", "strong"]


def test_what_is_no_table_of_orange():
    with pytest.raises(DomainError, match=r"takes an Orange\.data\.Table, not list"):
        satsuma.from_orange([1])
    odd = orange_table()
    odd.domain.metas = (variable("odd", "other"), variable("day", "time"))
    with pytest.raises(DomainError, match="'odd' is a SimpleNamespace, which is neither"):
        satsuma.from_orange(odd)


def test_without_orange(monkeypatch):
    monkeypatch.setitem(sys.modules, "Orange", None)
    monkeypatch.setitem(sys.modules, "Orange.data", None)
    with pytest.raises(SatsumaError, match=r"pip install Orange3, or write a \.tab file"):
        satsuma.to_orange(satsuma.load("tennis"))


@needs_orange
@pytest.mark.parametrize("name", ["iris", "heart_disease", "titanic", "tennis", "housing"])
def test_there_and_back(name):
    table = satsuma.load(name)
    there = satsuma.to_orange(table)
    back = satsuma.from_orange(there)
    assert {*back.domain} == {*table.domain}
    for each in table.domain:
        assert np.array_equal(
            back.column(each.name), table.column(each.name), equal_nan=each.kind == "num"
        )
    assert len(there.domain.attributes) == len(table.domain.attributes)


@needs_orange
def test_texts_times_and_weights_there_and_back():
    domain = Domain(
        [
            Variable("t", "text"),
            Variable("d", "time"),
            Variable("y", role="target"),
            Variable("w", role="weight"),
        ]
    )
    days = np.array(["2024-02-29T12:00", "NaT"], "datetime64[ns]")
    table = Table(domain, [np.array(["a", None], object), days, np.ones(2), np.array([1.0, 2])])
    there = satsuma.to_orange(table)
    assert [m.name for m in there.domain.metas] == ["t"]
    back = satsuma.from_orange(there)
    assert back["t"].tolist() == ["a", None]
    assert back.column("d").tolist() == days.tolist()
    assert back.weights.tolist() == [1, 2]
