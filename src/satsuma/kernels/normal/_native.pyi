from collections.abc import Sequence

from satsuma.kernels.normal.twin import Packed
from satsuma.numerics.arrays import Codes, Floats, Integers

class Asked:
    def __init__(
        self,
        columns: Sequence[Floats],
        models: Sequence[Packed],
        which: Codes | None = None,
    ) -> None: ...
    def fill(self, lo: int, hi: int, out: Floats) -> None: ...
    def choose(self, lo: int, hi: int, out: Codes) -> None: ...
    def fill_gaps(
        self, precision: Floats, pull: Floats, rows: Integers, lo: int, hi: int, out: Floats
    ) -> None: ...
    def choose_gaps(
        self, precision: Floats, pull: Floats, rows: Integers, lo: int, hi: int, out: Codes
    ) -> None: ...
