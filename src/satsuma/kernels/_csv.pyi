from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from satsuma.kernels.csv_piece import Dialect, Piece

Block: TypeAlias = bytes | bytearray | memoryview

def record_end(block: Block, start: int, delimiter: str, quote: str | None) -> int: ...
def cut(block: Block, delimiter: str, quote: str | None) -> int: ...
def scan(
    block: Block, dialect: Dialect, kinds: npt.NDArray[np.int8], keep_bad: bool = False
) -> Piece: ...
