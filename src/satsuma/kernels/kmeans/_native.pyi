from satsuma.kernels.kmeans.twin import Flags, Moved
from satsuma.numerics.arrays import Codes, Floats, Integers

def step(
    number: Floats,
    symbol: Codes,
    weight: Floats | None,
    holed: Flags,
    at: Floats,
    mode: Codes,
    moved: Moved | None,
    label: Codes,
    up: Floats,
    low: Floats,
    sums: tuple[Floats, Floats, Floats, Floats, Integers] | None,
) -> int: ...
def away(
    number: Floats, symbol: Codes, at: Floats, mode: Codes, label: Codes, out: Floats
) -> None: ...
def batches(
    number: Floats,
    symbol: Codes,
    weight: Floats | None,
    batch: int,
    at: Floats,
    mode: Codes,
    z: Floats,
    lo: Floats,
    hi: Floats,
    shift: Floats | None,
    seed: int,
    seen: int,
) -> None: ...
