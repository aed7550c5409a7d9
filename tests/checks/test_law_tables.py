import numpy as np
import pytest

from satsuma.checks.law_predictions import queries, with_unseen
from satsuma.checks.law_tables import table_of, tables, with_column
from satsuma.checks.variants import known_only, sorted_classes
from satsuma.data.variable import Variable
from satsuma.learners.takes import Takes, check_domain, check_rows

DECLARED = [
    Takes(),
    Takes(kinds=("num",)),
    Takes(kinds=("sym",), missing=False),
    Takes(kinds=("num", "sym", "text"), weights=False),
    Takes(kinds=("text",)),
    Takes(target="number"),
    Takes(target="nothing", missing=False, weights=False),
]


@pytest.mark.parametrize("takes", DECLARED, ids=range(len(DECLARED)))
def test_tables_are_such_as_are_taken(takes):
    made = tables(takes)
    assert len({table.name for table in made}) == len(made)
    for table in made:
        check_domain(takes, "a learner", table.domain)
        check_rows(takes, "a learner", table)
        assert len(queries(table, takes)) >= len(table)
    assert ("holes" in {table.name for table in made}) == takes.missing
    assert ("weighted" in {table.name for table in made}) == takes.weights


def test_tables_of_every_sort():
    made = {table.name: table for table in tables(Takes())}
    assert list(made) == [
        "mixed", "numbers", "symbols", "holes", "weighted", "unequal classes", "five classes",
        "odd names",
    ]  # fmt: skip
    assert {v.kind for v in made["mixed"].domain.attributes} == {"num", "sym"}
    assert [len(table.domain["aim"].values) for table in made.values()] == [3, 2, 2, 3, 3, 3, 5, 3]
    assert np.bincount(made["unequal classes"].column("aim")).tolist() == [50, 9, 1]
    assert not any(name.isascii() for name in made["odd names"].domain.names[:2])
    assert all(made["holes"].missing(v.name).any() for v in made["holes"].domain.attributes)
    assert 0 in made["weighted"].weights
    assert all(again.equals(made[again.name]) for again in tables(Takes()))


def test_every_class_is_there():
    for table in tables(Takes()):
        assert set(table["aim"]) == set(table.domain["aim"].values)


def test_columns_say_something_of_the_target():
    table = table_of(Takes(), "mixed", rows=3000)
    means = [table.column("a")[table.column("aim") == code].mean() for code in range(3)]
    assert means[0] + 0.5 < means[1] < means[2] - 0.5


def test_forms_have_the_same_cells():
    table = table_of(Takes(), "mixed")
    for form in (known_only(table), known_only(table, backwards=True), sorted_classes(table)):
        for name in table.domain.names:
            assert list(form[name]) == list(table[name])
    assert "never" not in known_only(table).domain["b"].values


def test_queries_have_holes_and_unseen_symbols():
    table = table_of(Takes(), "mixed")
    asked = queries(table, Takes())
    assert len(asked) == len(table) + 5
    assert all(cell is None for cell in asked[len(table)])
    assert asked[-1]["b"] == "unheard of"
    assert len(queries(table, Takes(missing=False))) == len(table)
    assert list(with_unseen(table)["b"]) == ["unheard of"] * len(table)


def test_a_column_is_replaced_or_added():
    table = table_of(Takes(), "mixed")
    assert with_column(table, Variable("a"), 1.0).shape == table.shape
    assert with_column(table, Variable("new"), 1.0).shape == (len(table), len(table.domain) + 1)
