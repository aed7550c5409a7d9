"""Archive: the file of a model, a zip of JSON and arrays, read with a limit on what it may hold."""

import io
import json
import math
import re
import zipfile
import zlib
from os import PathLike
from typing import Any, Self, cast

import numpy as np
from numpy.lib import format as npy

from satsuma.errors import ReadError
from satsuma.numerics.arrays import Array

HEAD = "model.json"

#: Bytes that a model may hold unless said otherwise, and the part of them that may be JSON, which
#: takes up several times its size when it is read.
LIMIT = 1 << 30
_HEAD_SHARE = 8

#: Bytes of the header of an array, and kinds of its cells: no objects, and no records.
_HEADER = 4096
_KINDS = "biufcUSmM"

_NAME = re.compile(r"a\d{1,9}\.npy")

#: What comes of reading a file that is no zip, or half of one.
BROKEN = (
    zipfile.BadZipFile,
    zlib.error,
    OSError,
    EOFError,
    LookupError,
    TypeError,
    ValueError,
    AttributeError,
    NotImplementedError,
    RecursionError,
    OverflowError,
)


class Archive:
    """The members of a file, of which none is read before its size is known to be right.

    Parameters
    ----------
    path
        The file.
    limit
        Bytes that it may hold.
    """

    def __init__(self, path: str | PathLike[str], limit: float = LIMIT) -> None:
        self.limit = limit
        self._file = zipfile.ZipFile(path)
        self._known: dict[str, Array] = {}
        self._members = {each.filename: each for each in self._file.infolist()}
        try:
            self._check_members()
        except BaseException:
            self._file.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def _check_members(self) -> None:
        infos = self._file.infolist()
        if len(infos) != len(self._members) or HEAD not in self._members:
            raise ReadError(f"this is not a saved model (it has no {HEAD}, or a member twice)")
        for info in infos:
            if info.filename != HEAD and not _NAME.fullmatch(info.filename):
                raise ReadError(f"this is not a saved model (it has a member {info.filename!r})")
            if info.flag_bits & 1 or info.compress_type not in (
                zipfile.ZIP_STORED,
                zipfile.ZIP_DEFLATED,
            ):
                raise ReadError("this is not a saved model (it is encrypted, or packed strangely)")
        self._check_size(sum(info.file_size for info in infos), "", 1)
        self._check_size(self._members[HEAD].file_size, " of JSON", _HEAD_SHARE)

    def _check_size(self, size: int, of: str, part: int) -> None:
        if size * part > self.limit:
            raise ReadError(
                f"the model holds {size:,} bytes{of}, and {int(self.limit / part):,} are allowed",
                remedy=f"If you trust the file, open it with limit={size * part}.",
            )

    def head(self) -> Any:
        """What is in the JSON."""
        return json.loads(self._file.read(HEAD), parse_constant=_no_constant)

    def array(self, name: object) -> Array:
        """An array, by its name; it is read when it is first asked for."""
        member = f"{name}.npy"
        if member not in self._members:
            raise ReadError(f"the model's array {name!r} is missing")
        if member not in self._known:
            self._known[member] = self._read(self._members[member])
        return self._known[member]

    def check_used(self) -> None:
        """Raise if an array belongs to nothing."""
        left = self._members.keys() - self._known.keys() - {HEAD}
        if left:
            raise ReadError(f"the model has an array that belongs to nothing: {min(left)}")

    def _read(self, info: zipfile.ZipInfo) -> Array:
        with self._file.open(info) as stream:
            shape, order, dtype = _header(stream, info)
            made = np.empty(shape, dtype, order)
            flat: Any = made.reshape(-1, order="A")
            room = memoryview(flat.view(np.uint8) if made.size else b"")
            done = 0
            while done < len(room):
                got = stream.read(min(1 << 20, len(room) - done))
                if not got:
                    raise ReadError(f"the model's array {info.filename} is cut short")
                room[done : done + len(got)] = got
                done += len(got)
            stream.read(1)  # the end, where the checksum is compared
        return made


def _no_constant(word: str) -> Any:
    raise ValueError(f"{word} is no JSON")


def _header(stream: Any, info: zipfile.ZipInfo) -> tuple[tuple[int, ...], Any, np.dtype[Any]]:
    """Shape, order and type of an array that is as large as its member says."""
    start = io.BytesIO(stream.read(12))
    version = npy.read_magic(start)
    size = 10 if version == (1, 0) else 12
    length = int.from_bytes(start.getvalue()[8:size], "little")
    if version > (3, 0) or length > _HEADER:
        raise ReadError(f"this is not a saved model (the header of {info.filename} is strange)")
    whole = io.BytesIO(start.getvalue() + stream.read(size + length - 12))
    whole.seek(8)
    reader: Any = npy.read_array_header_1_0 if version == (1, 0) else npy.read_array_header_2_0
    shape, fortran, dtype = reader(whole)
    if dtype.kind not in _KINDS or not dtype.isnative or dtype.itemsize == 0:
        raise ReadError(f"this is not a saved model ({info.filename} is of {dtype})")
    told = math.prod(shape) * dtype.itemsize
    if min(shape, default=0) < 0 or told != info.file_size - size - length or len(shape) > 8:
        raise ReadError(
            f"the model's array {info.filename} is of shape {shape}, which is not its size"
        )
    order = "F" if fortran else "C"
    return cast("tuple[int, ...]", shape), order, dtype


def pack(head: Any, arrays: dict[str, Array], stream: Any) -> None:
    """Write JSON and arrays, without a date: equal models give equal files."""
    told = json.dumps(head, ensure_ascii=False)
    with zipfile.ZipFile(stream, "w") as file:
        file.writestr(zipfile.ZipInfo(HEAD), told, zipfile.ZIP_DEFLATED)
        for name, array in arrays.items():
            content = io.BytesIO()
            np.save(content, array, allow_pickle=False)
            file.writestr(zipfile.ZipInfo(f"{name}.npy"), content.getvalue(), zipfile.ZIP_DEFLATED)
