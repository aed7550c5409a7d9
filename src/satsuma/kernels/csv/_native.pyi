from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from satsuma.kernels.csv.piece import Dialect, Piece
from satsuma.numerics.arrays import Array

Block: TypeAlias = bytes | bytearray | memoryview

def record_end(block: Block, start: int, delimiter: str, quote: str | None) -> int: ...
def cut(block: Block, delimiter: str, quote: str | None) -> tuple[int, int]: ...
def count_lines(block: Block) -> int: ...
def scan(
    block: Block,
    dialect: Dialect,
    kinds: npt.NDArray[np.int8],
    keep_bad: bool = False,
    *,
    known: Sequence[Sequence[str]] | None = None,
    out: Sequence[Array | None] | None = None,
) -> Piece: ...
