"""Columns of one array: as a table's other columns, made when they are asked for."""

import pickle

import numpy as np
import pytest

from satsuma import Domain, Table, Variable
from satsuma.data.matrix import MatrixColumns
from satsuma.errors import DomainError
from satsuma.tallies import Moments

X = np.arange(12.0).reshape(4, 3)
CODES = np.array([0, 1, 0, -1], np.int32)


def table_of(matrix=X, codes=CODES, check=False):
    target = Variable("y", "sym", ("no", "yes"), "target")
    domain = Domain([*(Variable(name) for name in "abc"), target])
    return Table(domain, MatrixColumns(matrix, [codes]), check=check)


@pytest.mark.parametrize("matrix", [X, np.asfortranarray(X), np.repeat(X, 2, axis=1)[:, ::2]])
@pytest.mark.parametrize("check", [False, True])
def test_it_is_the_table_of_its_columns(matrix, check):
    table = table_of(matrix, check=check)
    apart = Table(table.domain, [*(matrix[:, j].copy() for j in range(3)), CODES])
    assert table.equals(apart)
    assert apart.equals(table)
    assert table[1:3].equals(apart[1:3])
    assert table.select(["y", "b"]).equals(apart.select(["y", "b"]))
    assert table.with_roles(target="a").equals(apart.with_roles(target="a"))
    assert [dict(row.items()) for row in table] == [dict(row.items()) for row in apart]


def test_columns_are_found_from_either_end_and_in_slices():
    columns = table_of().columns
    assert len(columns) == 4
    assert columns[-1].tolist() == CODES.tolist()
    assert columns[-2].tolist() == X[:, 2].tolist()
    assert [column.tolist() for column in columns[1:]] == [*X[:, 1:].T.tolist(), CODES.tolist()]
    with pytest.raises(IndexError):
        columns[4]


def test_nothing_is_copied_and_nothing_can_be_written_to():
    mine = X.copy()
    table = table_of(mine)
    assert np.shares_memory(table.column("b"), mine)
    for column in table.columns:
        with pytest.raises(ValueError, match="read-only"):
            column[0] = 9


def test_a_copy_cannot_be_written_to_either():
    again = pickle.loads(pickle.dumps(table_of()))
    assert again.equals(table_of())
    assert not any(column.flags.writeable for column in again.columns)


def test_columns_must_be_as_many_and_as_long_as_is_said():
    with pytest.raises(DomainError, match="4 columns, but 5 variables"):
        Table(Domain([Variable(name) for name in "abcde"]), MatrixColumns(X, [CODES]))
    with pytest.raises(DomainError, match="equally long"):
        table_of(codes=CODES[:2], check=True)
    with pytest.raises(DomainError, match="finite"):
        table_of(np.full((4, 3), np.inf), check=True)


def test_the_array_is_told_only_as_long_as_its_columns_are_the_attributes():
    table = table_of()
    assert np.shares_memory(table.matrix, X)
    assert table.matrix.shape == (4, 3)
    for other in (
        table.with_roles({"a": "meta"}),
        table.with_roles({"y": "x"}),
        table.with_roles({"b": "weight"}),
        table.select(["b", "y"]),
        table_of(check=True),
    ):
        assert other.matrix is None
        apart = Table(other.domain, [column.copy() for column in other.columns])
        assert Moments.of(other).close_to(Moments.of(apart), rel=0)
