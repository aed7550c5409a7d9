"""An export of sales is read without an option: kinds, roles and values."""

import pytest

import satsuma
from tests.business.columns import nanoseconds
from tests.suites.grids import cells_of
from tools.docs.sales import SALES, sales


@pytest.fixture(scope="module")
def read_sales():
    made, cells = sales()
    return satsuma.read(made, format="csv", name="sales"), cells


def is_right(table, name, cells):
    """Whether a column has its kind and its values."""
    if table.domain[name].kind != SALES[name].kind:
        return False
    if SALES[name].kind == "time":
        cells = [None if cell is None else nanoseconds(cell) for cell in cells]
    return cells_of(table, name) == cells


@pytest.mark.parametrize("name", SALES)
def test_kinds_and_values(name, read_sales):
    table, cells = read_sales
    right = is_right(table, name, cells[name])
    assert right, (table.domain[name].kind, cells_of(table, name)[:3], cells[name][:3])


@pytest.mark.parametrize("name", SALES)
def test_roles(name, read_sales):
    role = read_sales[0].domain[name].role
    assert role == SALES[name].role
