"""Batches to tally, with what is hard on sums: far from zero, hardly apart, tiny, missing."""

import numpy as np
from hypothesis import strategies as st

from satsuma.data.domain import Domain
from satsuma.data.table import Table
from satsuma.data.variable import Variable

NUMBERS = st.one_of(
    st.integers(-5, 5).map(float),
    st.integers(-40, 40).map(lambda k: 1e8 + k * 1e-7),
    st.sampled_from([0.1, 0.1, -0.0, 5e-324, -2.2e-308, 1e-160, 1e16, -1e16, 1e100, np.nan]),
    st.floats(-1e6, 1e6),
)
WEIGHTS = st.sampled_from([0.0, 1.0, 1.0, 2.0, 0.5, 3.25, 1e-3])
VALUES = ("a", "b", "c", "d")
CLASSES = ("no", "yes", "maybe")


@st.composite
def domains(draw, weighted=False):
    """A domain whose values come in any order; some may not be there at all."""
    variables = [
        Variable("x", "num"),
        Variable("s", "sym", tuple(draw(st.permutations(VALUES)))),
        Variable("y", "num"),
        Variable("t", "sym", tuple(draw(st.permutations(VALUES[:2])))),
        Variable("class", "sym", tuple(draw(st.permutations(CLASSES))), "target"),
    ]
    if weighted:
        variables.append(Variable("w", "num", role="weight"))
    return Domain(variables)


def cells(variable, n):
    if variable.role == "weight":
        return st.lists(WEIGHTS, min_size=n, max_size=n).map(np.array)
    if variable.kind == "num":
        return st.lists(NUMBERS, min_size=n, max_size=n).map(lambda x: np.array(x, float))
    codes = st.integers(-1, len(variable.values) - 1)
    return st.lists(codes, min_size=n, max_size=n).map(lambda c: np.array(c, np.int32))


@st.composite
def tables(draw, weighted=False, most=25, domain=None):
    if domain is None:
        domain = draw(domains(weighted))
    n = draw(st.integers(0, most))
    columns = [draw(cells(v, n)) for v in domain]
    columns = [
        c if len(c) else c.astype(float if v.kind == "num" else np.int32)
        for v, c in zip(domain, columns, strict=True)
    ]
    return Table(domain, columns)
