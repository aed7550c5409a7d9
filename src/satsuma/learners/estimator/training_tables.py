"""Arrays: tables from what scikit-learn's verbs are given."""

import numbers
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np

from satsuma.data.columns import from_cells, refuse_infinite
from satsuma.data.domain import Domain, free_name
from satsuma.data.matrix import MatrixColumns
from satsuma.data.table import Table
from satsuma.data.time_features import learned_columns, more_rows
from satsuma.data.variable import Variable
from satsuma.data.weights import check_weights, relative_weights
from satsuma.errors import DomainError
from satsuma.kernels.threads import TILE, map_tiles
from satsuma.learners.estimator.array_inputs import as_array
from satsuma.learners.estimator.class_labels import (
    checked_labels,
    encoded,
    known_labels,
    refuse_continuous,
)
from satsuma.learners.estimator.feature_names import check_features
from satsuma.learners.estimator.sparse_rows import (
    SparseRows,
    dense_rows,
    is_large,
    is_sparse,
    refuse_infinite_numbers,
)
from satsuma.learners.queries import fitted, missing_column
from satsuma.learners.takes import Takes
from satsuma.numerics.arrays import Array, Floats


def training_table(
    X: Any,
    y: Any,
    weights: Any,
    estimator: Any,
    *,
    classes: Any = None,
    more: bool = False,
    learned: Domain | None = None,
    relative: bool = False,
) -> tuple[Any, Array | None]:
    """A table to learn from, and the classes as they were given; None for a number.

    Of a large sparse matrix it is a source of its rows.

    Parameters
    ----------
    X, y, weights
        As in `fit`.
    estimator
        The learner.
    classes, more
        As in `encoded`.
    learned
        The columns of the rows that were learned from before, if there were any.
    relative
        Whether weights that are no whole numbers are to be 1 on average.
    """
    takes = estimator.takes
    if y is None and isinstance(X, Table) and takes.target != "nothing":
        y, weights = _own_labels(X), X.weights if weights is None else weights
    in_blocks = is_sparse(X) and is_large(X) and takes.rounds in ("one", "many")
    if in_blocks:
        refuse_infinite_numbers(X)
    variables, attributes = _attributes(
        X if not in_blocks else np.zeros((1, X.shape[1])),  # the columns alone
        type(estimator).__name__,
        finite=not estimator.finds_infinite,
    )
    if learned is not None:
        known = learned_columns(learned)
        check_features(estimator, X, len(variables), len(known))
        variables, attributes = _matched(variables, attributes, known)
    else:
        variables, attributes = _of_kinds(takes.kinds, variables, attributes)
    rows = X.shape[0] if in_blocks else len(attributes[0]) if len(attributes) else 0
    found: Array | None = None
    others, beside = list[Variable](), list[Array]()
    if takes.target != "nothing":
        labels = checked_labels(y, rows, type(estimator).__name__, holes=takes.unlabelled)
        name = free_name("y", _taken(variables))
        target, column, found = _target(name, labels, takes, classes, more=more)
        others, beside = [target], [column]
    if weights is not None:
        others.append(Variable(free_name("weight", _taken(variables)), "num", role="weight"))
        beside.append(_weights(weights, rows, relative=relative))
    if in_blocks:
        return SparseRows(X, _domain(variables, *others), beside), found
    if isinstance(attributes, MatrixColumns):
        columns: Sequence[Array] = MatrixColumns(attributes.matrix, beside)
    else:
        columns = [*attributes, *beside]
    table = Table(_domain(variables, *others), columns, check=False)
    if learned is None:
        return estimator.with_time_features(table), found
    return more_rows(table, learned), found


def _own_labels(table: Table) -> Array | None:
    """The target of a table that has one, as if it were given beside it."""
    target = table.domain.target
    if target is None:
        return None
    return table.column(target.name) if target.kind == "num" else np.array(table[target.name], "O")


def _target(
    name: str, labels: Array, takes: Takes, classes: Any, *, more: bool
) -> tuple[Variable, Array, Array | None]:
    """The target, its column, and the classes as they were given; None for a number."""
    floats = takes.target == "either" and labels.dtype.kind == "f"
    if takes.target == "number" or floats:
        return Variable(name, "num", role="target"), _numbers(labels), None
    found, column = _class_codes(labels, classes, more=more, holes=takes.unlabelled)
    return _classes(name, tuple(map(str, found))), column, found


def _numbers(labels: Array) -> Floats:
    """The numbers that are to be predicted."""
    try:
        return labels.astype(np.float64)
    except ValueError as error:
        word = next(each for each in labels.tolist() if not _spells_number(each))
        raise DomainError(
            f"This learner predicts numbers, and y holds {word!r}. For classes, take one that "
            "predicts them, such as NaiveBayes, Logistic or Tree."
        ) from error


def _spells_number(label: Any) -> bool:
    try:
        float(0 if label is None else label)  # a missing number
    except ValueError:
        return False
    return True


def _class_codes(labels: Array, classes: Any, *, more: bool, holes: bool) -> tuple[Array, Array]:
    """The classes as they were given, and the code of each label; -1 for those that are missing."""
    there = known_labels(labels) if holes else None
    given = labels if there is None or there.all() else labels[there]
    refuse_continuous(given)
    found, codes = encoded(given, None if classes is None else np.asarray(classes), more=more)
    if len(given) == len(labels):
        return found, codes
    column = np.full(len(labels), -1, np.int32)
    column[there] = codes
    return found, column


def _of_kinds(
    kinds: Sequence[str], variables: Sequence[Variable], columns: Sequence[Array]
) -> tuple[Sequence[Variable], Sequence[Array]]:
    """Columns whose kind the cells leave open, of one that is learned from."""
    if "num" not in kinds:
        variables, columns = _empty_as_symbols(variables, columns)
    if "text" in kinds and all(v.kind != "text" for v in variables):
        variables, columns = _prose_as_text(variables, columns)
    return variables, columns


def _empty_as_symbols(
    variables: Sequence[Variable], columns: Sequence[Array]
) -> tuple[list[Variable], list[Array]]:
    """Columns that are missing altogether pass for numbers; here, for symbols without a value."""
    found, cells = list(variables), list(columns)
    for at, variable in enumerate(variables):
        if variable.kind == "num" and np.isnan(columns[at]).all():
            found[at] = Variable(variable.name, "sym", ())
            cells[at] = missing_column(found[at], len(columns[at]))
    return found, cells


def _prose_as_text(
    variables: Sequence[Variable], columns: Sequence[Array]
) -> tuple[Sequence[Variable], Sequence[Array]]:
    """Columns of strings most of which are several words, for learners that read words."""
    prose = [at for at, variable in enumerate(variables) if _is_prose(variable)]
    if not prose:
        return variables, columns
    found, cells = list(variables), list(columns)
    for at in prose:
        values = np.array([*variables[at].values, None], "O")  # -1, a missing cell, is the last
        found[at], cells[at] = from_cells(variables[at].name, values[columns[at]].tolist(), "text")
    return found, cells


def _is_prose(variable: Variable) -> bool:
    several = [len(value.split()) > 1 for value in variable.values]
    return variable.kind == "sym" and sum(several) > len(several) / 2


@lru_cache(maxsize=64)
def _numeric(width: int) -> tuple[Variable, ...]:
    """The variables of an array of numbers, which has no names."""
    return tuple(Variable(f"x{j}") for j in range(width))


@lru_cache(maxsize=64)
def _classes(name: str, values: tuple[str, ...]) -> Variable:
    return Variable(name, "sym", values, "target")


@lru_cache(maxsize=64)
def _names(width: int) -> tuple[str, ...]:
    return tuple(variable.name for variable in _numeric(width))


@lru_cache(maxsize=64)
def _numeric_domain(width: int, *others: Variable) -> Domain:
    return Domain((*_numeric(width), *others))


def _taken(attributes: Sequence[Variable]) -> Sequence[str]:
    plain = attributes is _numeric(len(attributes))
    return _names(len(attributes)) if plain else [variable.name for variable in attributes]


def _domain(attributes: Sequence[Variable], *others: Variable) -> Domain:
    # One batch after the other has the same columns: what is known of them is made once.
    width = len(attributes)
    if attributes is _numeric(width):
        return _numeric_domain(width, *others)
    return Domain((*attributes, *others))


def _matched(
    variables: Sequence[Variable], columns: Sequence[Array], learned: Sequence[Variable]
) -> tuple[Sequence[Variable], Sequence[Array]]:
    """Columns by position under the names that were learned from.

    A column that is missing altogether is of the kind that it had before.
    """
    pairs = list(zip(variables, learned, strict=True))
    if all(v is k or (v.name, v.kind) == (k.name, k.kind) for v, k in pairs):
        return variables, columns
    renamed = [replace(v, name=known.name) for v, known in pairs]
    batch = Table(Domain(renamed), columns, check=False)
    made = [
        (known, missing_column(known, len(batch)))
        if given.kind != known.kind and batch.missing(known.name).all()
        else (given, column)
        for given, known, column in zip(renamed, learned, columns, strict=True)
    ]
    return [variable for variable, _ in made], [column for _, column in made]


def asked_table(X: Any, domain: Domain, estimator: Any, unseen: int = -1) -> Table:
    """A table to be asked about, with the columns that were learned from, by position."""
    learned = learned_columns(domain)
    finite = not estimator.finds_infinite
    variables, columns = _attributes(X, type(estimator).__name__, finite=finite)
    check_features(estimator, X, len(variables), len(learned))
    renamed = [
        v if v.name == known.name else replace(v, name=known.name)
        for v, known in zip(variables, learned, strict=True)
    ]
    plain = learned == domain.attributes  # then the rows may be as they are, in one matrix
    asked = Table(Domain(renamed), columns, check=False)
    return fitted(asked, Domain(learned) if plain else domain, unseen)


def _attributes(
    X: Any, learner: str, *, finite: bool = False
) -> tuple[Sequence[Variable], Sequence[Array]]:
    """Columns of an array or a data frame; numbers in an array of floats are not copied."""
    if hasattr(X, "__arrow_c_stream__") or isinstance(X, Table):
        from satsuma.data.read import read

        table = read(X)
        attributes = table.domain.attributes
        return attributes, [table.column(v.name) for v in attributes]
    if is_sparse(X) and is_large(X):
        raise DomainError(
            f"{learner} needs all of X in memory, and as an array its {X.shape[0]:,} rows of "
            f"{X.shape[1]:,} columns are too large for that. Leave out columns or rows, or use "
            f"NaiveBayes, Logistic or Ridge, which go over the rows in blocks."
        )
    array = dense_rows(X) if is_sparse(X) else as_array(X)
    _check_shape(array, learner)
    names = _names(array.shape[1])
    if array.dtype.kind in "MOUS":
        kind = "time" if array.dtype.kind == "M" else None
        made = [from_cells(name, _cells(array[:, j]), kind) for j, name in enumerate(names)]
        return [variable for variable, _ in made], [column for _, column in made]
    columns = MatrixColumns(_floats(array))
    if finite and np.isinf(columns.matrix).any():
        for name, column in zip(names, columns, strict=True):
            refuse_infinite(name, column)
    return _numeric(array.shape[1]), columns


def _floats(array: Array) -> Floats:
    """Numbers as they are, or side by side as doubles: loops are slow over others."""
    whole = array.flags.c_contiguous or array.flags.f_contiguous
    if len(array) <= TILE or (array.dtype == np.float64 and whole):
        return array.astype(np.float64, copy=False)
    made = np.empty(array.shape, order="F" if array.flags.fnc else "C")

    def tile(low: int, high: int) -> None:
        made[low:high] = array[low:high]

    map_tiles(tile, len(array))
    return made


def _check_shape(array: Array, learner: str) -> None:
    """Refuse an array that is no table, in the words that scikit-learn's checks look for."""
    if array.dtype.kind == "c":
        raise DomainError("Complex data not supported: X holds complex numbers.")
    if array.ndim != 2:
        raise DomainError(
            f"Expected 2D array, got {array.ndim}D array instead. Reshape your data: rows by "
            f"columns, X.reshape(-1, 1) for a single column or X.reshape(1, -1) for a single row."
        )
    if array.shape[0] == 0:
        raise DomainError(
            f"Found array with 0 sample(s) while a minimum of 1 is required by {learner}."
        )
    if array.shape[1] == 0:
        raise DomainError(
            f"0 feature(s) (shape={array.shape}) while a minimum of 1 is required by {learner}."
        )


def _cells(column: Array) -> list[Any]:
    return [*column] if column.dtype.kind == "M" else column.tolist()


def _weights(weights: Any, rows: int, *, relative: bool) -> Array:
    if isinstance(weights, numbers.Real):
        weights = np.full(rows, float(weights))
    made = as_array(weights).astype(np.float64, copy=False)
    if made.shape != (rows,):
        raise DomainError(f"sample_weight has the shape {made.shape}; it must have {rows} numbers.")
    made = relative_weights(made) if relative else made
    check_weights(made, "sample_weight")
    return made
