"""Space: rows that are in no table, drawn from ranges and lists of values, to be searched."""

from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any, cast

import numpy as np

from satsuma.data.domain import Domain
from satsuma.data.table import Table
from satsuma.data.variable import Variable
from satsuma.errors import ParameterError
from satsuma.numerics.arrays import Array, Floats

#: What a column may hold: a range of numbers, with "log" if it is of powers, or a list of values.
Choice = tuple[float, float] | tuple[float, float, str] | Sequence[Any]


def space(
    columns: Mapping[str, Choice],
    goals: Mapping[str, str],
    *,
    rows: int = 4096,
    seed: int = 0,
) -> Table:
    """Rows to be searched by `optimise`, evenly drawn from ranges and lists of values.

    Parameters
    ----------
    columns
        By name: ``(low, high)`` for numbers (whole ones, if both are), ``(low, high, "log")`` for
        numbers over powers of ten, or a list of values: symbols, or numbers.
    goals
        By name: ``+`` or ``-``. They are unknown.
    rows
        How many; if there are fewer, all of them.
    seed
        Of what is drawn at random.

    Notes
    -----
    Points are those of Sobol (1967), scrambled: they fill the space more evenly than random ones.

    Examples
    --------
    >>> import numpy as np
    >>> from satsuma import optimise, space
    >>> settings = space(
    ...     {"rate": (1e-5, 1.0, "log"), "depth": (1, 8), "kind": ["a", "b"]},
    ...     {"error": "-"},
    ...     rows=256,
    ... )
    >>> def error(row):
    ...     return abs(np.log10(row["rate"]) + 2) + abs(row["depth"] - 5) + (row["kind"] == "a")
    >>> found = optimise(settings, error, budget=30)
    >>> found.best["kind"], found.best["depth"]
    ('b', 5.0)
    """
    _check(columns, goals, rows)
    lists = {name: _listed(choice) for name, choice in columns.items()}
    sizes = [None if each is None else len(each) for each in lists.values()]
    if None not in sizes and np.prod(np.array(sizes, float)) <= rows:
        places = np.array(list(product(*(range(cast("int", size)) for size in sizes))))
    else:
        places = _sobol(len(columns), rows, seed)
    made: list[Array] = []
    variables: list[Variable] = []
    for at, (name, choice) in enumerate(columns.items()):
        values = lists[name]
        column: Any = places[:, at]
        if values is None:
            made.append(_numbers(column, cast("tuple[Any, ...]", choice)))
            variables.append(Variable(name))
            continue
        if column.dtype.kind == "f":
            column = np.minimum((column * len(values)).astype(np.intp), len(values) - 1)
        if all(isinstance(each, int | float) for each in values):
            made.append(np.array(values, np.float64)[column])
            variables.append(Variable(name))
        else:
            made.append(column.astype(np.int32))
            variables.append(Variable(name, "sym", tuple(str(each) for each in values)))
    for name, goal in goals.items():
        made.append(np.full(len(places), np.nan))
        variables.append(Variable(name, role="goal", goal=cast("Any", goal)))
    table = Table(Domain(variables), made)
    return table[_first_of_equals(made[: len(columns)])]


def _check(columns: Mapping[str, Choice], goals: Mapping[str, str], rows: int) -> None:
    if not columns:
        raise ParameterError("A space needs a column: {'rate': (1e-5, 1.0, 'log')}, for example.")
    if not goals or any(goal not in ("+", "-") for goal in goals.values()):
        raise ParameterError(f"goals must be '+' or '-' by name, as {{'error': '-'}}. Got {goals}.")
    if both := sorted(set(columns) & set(goals)):
        raise ParameterError(f"{both[0]!r} is a column and a goal. Give one of them another name.")
    if rows < 1:
        raise ParameterError(f"rows must be a whole number of at least 1. Got {rows!r}.")
    for name, choice in columns.items():
        if not isinstance(choice, tuple):
            if isinstance(choice, str) or not len(choice):
                raise ParameterError(f"{name!r} needs a list of values. Got {choice!r}.")
            continue
        given = cast("tuple[Any, ...]", choice)
        numbers = [each for each in given[:2] if isinstance(each, int | float)]
        ok = len(numbers) == 2 and np.isfinite(numbers).all() and numbers[0] < numbers[1]
        if not ok or given[2:] not in ((), ("log",)):
            raise ParameterError(
                f"The range of {name!r} must be (low, high) or (low, high, 'log'). Got {choice!r}."
            )
        if given[2:] and numbers[0] <= 0:
            raise ParameterError(f"The range of {name!r} is by powers: it must be above 0.")


def _listed(choice: Choice) -> list[Any] | None:
    """All values, if they are listed or are whole numbers without powers."""
    if not isinstance(choice, tuple):
        return list(choice)
    low, high = cast("tuple[Any, ...]", choice)[:2]
    whole = isinstance(low, int) and isinstance(high, int) and len(choice) == 2
    return list(range(low, high + 1)) if whole else None


def _numbers(share: Floats, choice: tuple[Any, ...]) -> Floats:
    low, high = float(choice[0]), float(choice[1])
    if len(choice) == 2:
        return low + share * (high - low)
    found: Floats = np.exp(np.log(low) + share * (np.log(high) - np.log(low)))
    whole = isinstance(choice[0], int) and isinstance(choice[1], int)
    return np.round(found) if whole else found


def _sobol(columns: int, rows: int, seed: int) -> Floats:
    from scipy.stats import qmc

    points: Any = cast("Any", qmc).Sobol(columns, scramble=True, rng=np.random.default_rng(seed))
    return np.asarray(points.random_base2(int(np.ceil(np.log2(max(rows, 2))))))[:rows]


def _first_of_equals(columns: list[Array]) -> Array:
    """Rows that are not like one before them."""
    _, first = np.unique(np.column_stack(columns), axis=0, return_index=True)
    return np.sort(first)
