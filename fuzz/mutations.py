"""Mutations of a saved model: its bytes, its JSON, and its arrays."""

import copy
import io
import json
import zipfile
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

Rng = np.random.Generator
Parts = dict[str, bytes]

ODD_VALUES: tuple[Any, ...] = (
    "num", "sym", "text", "x", "target", "meta", "ignore", "goal", "weight", "+", "y", "z", "a",
    ["a"], ["a", "b"], ["u", "v", "w", "zz"],
    None, True, False, -1, 0, 1, 2, 7, -(2**31), 2**31, 2**63, 10**400, 0.5, -0.0, 1e308, -1e308,
    5e-324, "", "x", "\x1b[31m", "\ud800", [], {}, [[]], {"$float": "nan"}, {"$float": "inf"},
    {"$float": "-inf"}, {"$tuple": []}, {"$dict": []}, {"$array": "a0"}, {"$array": "a1"},
)  # fmt: skip
ODD_NUMBERS = (
    -1.0, 0.0, 1.0, 2.0, 0.5, 1e-320, 1e308, -1e308, 1e155, 1e30, -3.0, 99.0, -40.0, np.nan,
    np.inf, -np.inf, -2e9, 2e9, 2.0**63,
)  # fmt: skip
DTYPES = ("<f8", "<f4", "<i4", "<i8", "<u8", "|b1", "<u2", "<c16", "<U3", ">f8", "|S2")


def unpacked(content: bytes) -> Parts:
    """The members of a file."""
    with zipfile.ZipFile(io.BytesIO(content)) as file:
        return {name: file.read(name) for name in file.namelist()}


def packed(parts: Parts) -> bytes:
    """A file of these members."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as file:
        for name, content in parts.items():
            file.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)
    return out.getvalue()


def mutated(content: bytes, rng: Rng) -> bytes:
    """A file that differs in one thing, or in a few."""
    if rng.random() < 0.05:
        return _bytes(bytearray(content), rng)
    parts = unpacked(content)
    for _ in range(1 if rng.random() < 0.7 else int(rng.integers(2, 5))):
        arrays = [name for name in parts if name.endswith(".npy")]
        if arrays and rng.random() < 0.6:
            name = str(rng.choice(arrays))
            parts[name] = _array(parts[name], rng)
        else:
            parts["model.json"] = _head(parts.get("model.json", b""), rng)
        if rng.random() < 0.03:
            _members(parts, rng)
    return packed(parts)


def _bytes(content: bytearray, rng: Rng) -> bytes:
    at = int(rng.integers(len(content)))
    how = int(rng.integers(3))
    if how == 0:
        content[at] ^= 1 << int(rng.integers(8))
    elif how == 1:
        del content[at : at + int(rng.integers(1, 40))]
    else:
        content[at:at] = rng.bytes(int(rng.integers(1, 20)))
    return bytes(content)


def _members(parts: Parts, rng: Rng) -> None:
    names = list(parts)
    one, other = (str(each) for each in rng.choice(names, 2))
    how = int(rng.integers(3))
    if how == 0:
        parts[one], parts[other] = parts[other], parts[one]
    elif how == 1:
        del parts[one]
    else:
        parts["a999.npy"] = parts[one]


def _places(told: Any, at: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The way to every value in JSON."""
    inner = told.items() if isinstance(told, dict) else enumerate(told)
    found = [at] if at else []
    if isinstance(told, dict | list):
        for key, each in inner:
            found += _places(each, (*at, key)) if isinstance(each, dict | list) else [(*at, key)]
    return found


def _head(content: bytes, rng: Rng) -> bytes:  # noqa: C901 - one line for each way
    try:
        head = json.loads(content)
    except ValueError:
        return content
    places = _places(head) if isinstance(head, dict | list) else []
    if not places:
        return content

    def drawn() -> tuple[Any, Any]:
        *way, last = places[int(rng.integers(len(places)))]
        found = head
        for key in way:
            found = found[key]
        return found, last

    holder, key = drawn()
    how = int(rng.integers(6))
    if how == 0:
        del holder[key]
    elif how == 1:
        other, place = drawn()
        holder[key], other[place] = copy.deepcopy(other[place]), copy.deepcopy(holder[key])
    elif how == 2 and isinstance(holder, list):
        holder.insert(int(rng.integers(len(holder) + 1)), copy.deepcopy(holder[key]))
    elif how == 3 and isinstance(holder, dict):
        holder[str(rng.choice(["_made", "codes", "probabilities", "x", "$model", "of"]))] = (
            holder.pop(key)
        )
    elif how == 4 and isinstance(holder[key], int | float) and not isinstance(holder[key], bool):
        holder[key] = type(holder[key])(rng.choice([-1, 0, 1, 2, 100])) + holder[key]
    else:
        holder[key] = ODD_VALUES[int(rng.integers(len(ODD_VALUES)))]
    try:
        return json.dumps(head).encode()
    except (ValueError, RecursionError, UnicodeError):  # a value may be inside itself
        return content


def _array(content: bytes, rng: Rng) -> bytes:
    try:
        array = np.load(io.BytesIO(content), allow_pickle=False)
    except (ValueError, EOFError, OSError, MemoryError):  # changed before
        return content
    changes: list[Callable[[Any, Rng], Any]] = [_values] * 8 + [_shape] * 2 + [_dtype, _lie]
    made = changes[int(rng.integers(len(changes)))](array, rng)
    if isinstance(made, bytes):
        return made
    out = io.BytesIO()
    np.save(out, made, allow_pickle=False)
    return out.getvalue()


def _values(array: Any, rng: Rng) -> Any:
    made = np.array(array)
    flat = made.reshape(-1)
    if not len(flat) or made.dtype.kind not in "iuf":
        return made
    with np.errstate(all="ignore"):
        for _ in range(1 if rng.random() < 0.6 else int(rng.integers(1, 6))):
            at, other = rng.integers(len(flat), size=2)
            how = int(rng.integers(6))
            if how < 3:
                odd = np.float64(ODD_NUMBERS[int(rng.integers(len(ODD_NUMBERS)))])
                flat[at] = odd.astype(made.dtype)
            elif how == 3:
                flat[at], flat[other] = flat[other], flat[at]
            elif how == 4:
                flat[at] = (flat[at] + np.float64(rng.integers(-2, 3))).astype(made.dtype)
            elif rng.random() < 0.3:
                rng.shuffle(flat)
            elif made.dtype.kind == "f":
                flat *= rng.choice([-1.0, 0.0, 1e200, 1e-200, 2.0])
            else:
                flat[:] = flat[at]
    return made


def _shape(array: Any, rng: Rng) -> Any:
    how = int(rng.integers(6))
    if how == 0:
        return array[:-1] if array.ndim and len(array) else array
    if how == 1:
        return np.concatenate([array, array[:1]]) if array.ndim else array
    if how == 2:
        return array.T.copy()
    if how == 3:
        return array.reshape(-1)
    if how == 4:
        return array[None]
    return array[:0] if array.ndim else array


def _dtype(array: Any, rng: Rng) -> Any:
    with np.errstate(all="ignore"):
        try:
            return array.astype(str(rng.choice(DTYPES)))
        except (ValueError, TypeError):
            return array


def _lie(array: Any, rng: Rng) -> bytes:
    """A header that says another shape than there is."""
    out = io.BytesIO()
    shape = [(1 << 33,), (1 << 44,), (-1,), (2**62, 2**62), (0,), (len(array.reshape(-1)) + 1,)]
    told = {
        "descr": "<f8" if rng.random() < 0.8 else "|O",
        "fortran_order": bool(rng.random() < 0.3),
        "shape": shape[int(rng.integers(len(shape)))],
    }
    np.lib.format.write_array_header_1_0(out, told)
    return out.getvalue() + array.tobytes()
