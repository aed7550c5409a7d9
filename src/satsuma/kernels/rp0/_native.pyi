from satsuma.kernels.rp0.twin import Division, Grown, Rows
from satsuma.numerics.arrays import Codes, Floats, Integers

def divide(rows: Rows, lo: int, hi: int, key: int, pairs: int) -> Division: ...
def grow(rows: Rows, lo: int, hi: int, key: int, pairs: int, most: int) -> Grown: ...
def walk(
    below: Codes,
    pole_number: Floats,
    pole_symbol: Codes,
    rows: Rows,
) -> Codes: ...
def near(
    rows: Rows,
    asked: Rows,
    first: Integers,
    last: Integers,
    found: Floats,
) -> None: ...
