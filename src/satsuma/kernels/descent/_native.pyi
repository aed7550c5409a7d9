from satsuma.numerics.arrays import Floats

def sweep(
    gram: Floats,
    l1: Floats,
    l2: Floats,
    slopes: Floats,
    left: Floats,
    tolerance: float,
    limit: int,
) -> int: ...
