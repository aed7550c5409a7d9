from collections.abc import Sequence

from satsuma.kernels.spelling.twin import Column, Room

def lines(
    columns: Sequence[Column],
    before: Sequence[bytes],
    end: bytes,
    missing: bytes,
    room: Room | None = None,
) -> memoryview: ...
