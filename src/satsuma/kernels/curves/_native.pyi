from collections.abc import Sequence

from satsuma.kernels.curves.twin import Packed
from satsuma.numerics.arrays import Array, Floats

def add_rows(columns: Sequence[Array], packed: Packed, logs: bool, out: Floats) -> int: ...
