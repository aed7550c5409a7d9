from satsuma.numerics.arrays import Array, Floats, Integers

def runs_of(
    column: Array,
    order: Integers,
    starts: Integers,
    weights: Floats | None,
    value: Floats,
    weight: Floats,
) -> Integers: ...
def add(
    value1: Floats, weight1: Floats, value2: Floats, weight2: Floats, value: Floats, weight: Floats
) -> int: ...
def side_by_side(value: Floats, weight: Floats, starts: Integers) -> tuple[Floats, Floats]: ...
def on_lattice(
    value: Floats, weight: Floats, first: float, scale: float
) -> tuple[Integers, Integers, Floats]: ...
