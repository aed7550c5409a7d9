from collections.abc import Sequence

from satsuma.kernels.spelling.twin import Column

def lines(
    columns: Sequence[Column], before: Sequence[bytes], end: bytes, missing: bytes
) -> bytes: ...
