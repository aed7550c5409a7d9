"""Saving: models as arrays and JSON in a zip. Nothing in such a file is executed."""

import io
import json
import re
import zipfile
import zlib
from collections.abc import Callable, Mapping
from dataclasses import fields
from importlib import import_module
from importlib.util import find_spec
from os import PathLike, fspath
from typing import Any, cast

import numpy as np

from satsuma.data.domain import Domain
from satsuma.data.files import replacing
from satsuma.data.variable import Variable
from satsuma.errors import ReadError, SatsumaError, WriteError
from satsuma.learners.estimators import dumped, is_estimator, loaded
from satsuma.learners.learner import Learner
from satsuma.learners.model import Model
from satsuma.likelihoods.block import AnyBlock
from satsuma.likelihoods.evidence import Evidence
from satsuma.prepare.cutting import Cutting
from satsuma.tallies.base import Tally

_FORMAT = 1
_HEAD = "model.json"
_PLAIN = (str, bool, int, float, type(None))

#: What comes of reading a file that is no model, or half of one.
_BROKEN = (
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
)

#: Rooms whose modules may be imported to open a model.
_OURS = re.compile(r"satsuma\.(learners|tallies|prepare|likelihoods|active|plan)(\.[a-z]\w*)+")

Arrays = dict[str, np.ndarray[Any, Any]]


def save(model: Model, path: str | PathLike[str]) -> None:
    """Write a model to a file; see `Model.save`."""
    arrays: Arrays = {}
    head = json.dumps({"satsuma": _FORMAT, "model": _tell(model, arrays)}, ensure_ascii=False)
    with replacing(path) as stream, zipfile.ZipFile(stream, "w") as file:
        # Without a date: equal models give equal files.
        file.writestr(zipfile.ZipInfo(_HEAD), head, zipfile.ZIP_DEFLATED)
        for name, array in arrays.items():
            content = io.BytesIO()
            np.save(content, array, allow_pickle=False)
            file.writestr(zipfile.ZipInfo(f"{name}.npy"), content.getvalue(), zipfile.ZIP_DEFLATED)


def open_model(path: str | PathLike[str]) -> Any:
    """Open a model that was saved.

    A model of a class of your own can be opened once the module that defines it is imported.

    Examples
    --------
    >>> import satsuma
    >>> satsuma.open_model("absent.satsuma")
    Traceback (most recent call last):
        ...
    satsuma.errors.ReadError: absent.satsuma: there is no such file
    """
    try:
        with zipfile.ZipFile(path) as file:
            head = json.loads(file.read(_HEAD))
            arrays = {
                name.removesuffix(".npy"): np.load(io.BytesIO(file.read(name)), allow_pickle=False)
                for name in file.namelist()
                if name.endswith(".npy")
            }
        if head["satsuma"] != _FORMAT:
            raise ReadError(
                f"the model was saved in format {head['satsuma']!r}, and this is {_FORMAT}",
                file=fspath(path),
                remedy="Open it with the version of Satsuma that saved it.",
            )
        return _hear(head["model"], arrays, fspath(path))
    except FileNotFoundError:
        raise ReadError("there is no such file", file=fspath(path)) from None
    except SatsumaError:
        raise
    except _BROKEN as error:
        told = f"{type(error).__name__}: {error}"
        raise ReadError(f"this is not a saved model ({told})", file=fspath(path)) from None


def _tell(value: Any, arrays: Arrays) -> Any:
    """A value as JSON; arrays are put aside under a name."""
    if isinstance(value, np.generic):
        return _tell(cast("Any", value).item(), arrays)
    sort = cast("type[Any]", type(value))
    if isinstance(value, float) and not np.isfinite(value):
        return {"$float": repr(value)}
    if isinstance(value, _PLAIN):
        return value
    if isinstance(value, np.ndarray) and value.dtype != object:
        arrays[name := f"a{len(arrays)}"] = value
        return {"$array": name}
    if isinstance(value, list | tuple):
        told = [_tell(each, arrays) for each in cast("list[Any]", value)]
        return told if isinstance(value, list) else {"$tuple": told}
    if isinstance(value, Mapping):
        pairs = cast("Mapping[Any, Any]", value).items()
        return {"$dict": [[_tell(k, arrays), _tell(v, arrays)] for k, v in pairs]}
    for name, kind, parts in _KINDS:
        if issubclass(sort, kind):
            return {name: _name(sort), "of": _tell(parts(value), arrays)}
    if is_estimator(cast("Any", value)):
        return {"$estimator": _tell(dumped(cast("Any", value)), arrays)["$array"]}
    raise WriteError(
        f"A {sort.__name__} cannot be saved in a model. Keep arrays, numbers, strings, "
        f"lists, dicts, tallies, blocks, evidence, learners and models in it."
    )


def _parts(value: Model | Evidence) -> dict[str, Any]:
    return value.__getstate__()


def _parameters(value: Any) -> dict[str, Any]:
    return {field.name: getattr(value, field.name) for field in fields(value)}


def _variable(value: Any) -> list[Any]:
    return [value.name, value.kind, list(value.values), value.role, value.goal]


#: What can be inside a model beside plain values: its mark, its type, and what it consists of.
_KINDS: tuple[tuple[str, type, Callable[[Any], Any]], ...] = (
    ("$model", Model, _parts),
    ("$learner", Learner, _parameters),
    ("$block", AnyBlock, _parameters),
    ("$cutting", Cutting, _parameters),
    ("$evidence", Evidence, _parts),
    ("$tally", Tally, lambda tally: tally.state()),
    ("$domain", Domain, list[Variable]),
    ("$variable", Variable, _variable),
)


def _name(kind: type) -> str:
    return f"{kind.__module__}.{kind.__qualname__}"


def _hear(told: Any, arrays: Arrays, file: str) -> Any:
    """The value that JSON tells of."""
    if isinstance(told, list):
        return [_hear(each, arrays, file) for each in cast("list[Any]", told)]
    if not isinstance(told, dict):
        return told
    (mark, said), *rest = cast("dict[str, Any]", told).items()
    if mark == "$float":
        return float(said)
    if mark == "$array":
        return arrays[said]
    if mark == "$estimator":
        return loaded(arrays[said], file)
    if mark == "$tuple":
        return tuple(_hear(said, arrays, file))
    if mark == "$dict":
        return {_hear(k, arrays, file): _hear(v, arrays, file) for k, v in said}
    return _build(mark, said, _hear(rest[0][1], arrays, file), file)


def _build(mark: str, name: str, parts: Any, file: str) -> Any:
    if mark == "$variable":
        return Variable(parts[0], parts[1], tuple(parts[2]), parts[3], parts[4])
    if mark == "$domain":
        return Domain(parts)
    kind = _known(mark, name, file)
    if mark == "$tally":
        return kind.from_state(parts)
    if mark in ("$learner", "$block", "$cutting"):
        return kind(**parts)
    made = object.__new__(kind)
    vars(made).update(parts)
    return made


def _known(mark: str, name: str, file: str) -> Any:
    """A class by its name: one of ours, or one that is there already. Nothing new is run."""
    top: type = {known: kind for known, kind, _ in _KINDS}[mark]
    module = name.rpartition(".")[0]
    if _OURS.fullmatch(module) and find_spec(module) is not None:
        import_module(module)
    waiting: list[type] = [top]
    while waiting:
        kind = waiting.pop()
        if _name(kind) == name:
            return kind
        waiting += kind.__subclasses__()
    raise ReadError(
        f"the model needs {name}, which is not known here",
        file=file,
        remedy=f"Import {module} first.",
    )
