"""Estimators of scikit-learn in saved models: through skops, which executes nothing unknown."""

import io
import json
import zipfile
from hashlib import sha256
from typing import Any, cast

import numpy as np

from satsuma.errors import ReadError, WriteError, require_extra
from satsuma.numerics.arrays import Array

_SCHEMA = "schema.json"


def is_estimator(value: object) -> bool:
    """Whether something looks like an estimator; a class of them is none."""
    verbs = ("fit", "get_params", "set_params")
    return not isinstance(value, type) and all(hasattr(value, verb) for verb in verbs)


def skops_io() -> Any:
    """The package that writes estimators down, or an error that says how to get it."""
    what = "To save or open a model that holds an estimator of scikit-learn"
    with require_extra("skops", what, "skops"):
        from skops import io as found
    return cast("Any", found)


def dumped(estimator: Any) -> Array:
    """An estimator as bytes; an error if it holds types that may not be opened again."""
    skops = skops_io()
    content: bytes = skops.dumps(estimator)
    if unknown := skops.get_untrusted_types(data=content):
        raise WriteError(
            f"{type(estimator).__name__} cannot be saved: it holds {', '.join(unknown)}, which "
            f"could do anything when it is opened. Use a learner of Satsuma's instead."
        )
    return np.frombuffer(_without_addresses(content), np.uint8)


def loaded(content: Array, file: str) -> Any:
    """The estimator that bytes tell of, if all of its types are known to be harmless."""
    skops, told = skops_io(), content.tobytes()
    if unknown := skops.get_untrusted_types(data=told):
        raise ReadError(
            f"the model holds types that could do anything: {', '.join(unknown)}",
            file=file,
            remedy="Learn it anew.",
        )
    found = skops.loads(told)
    if not is_estimator(found):
        raise ReadError(f"the model holds a {type(found).__name__} for an estimator", file=file)
    return found


def _without_addresses(content: bytes) -> bytes:
    """The same without dates and addresses in memory: equal estimators give equal bytes."""
    with zipfile.ZipFile(io.BytesIO(content)) as file:
        parts = {name: file.read(name) for name in file.namelist()}
    names = {name: f"{sha256(part).hexdigest()}.npy" for name, part in parts.items()}
    schema = json.loads(parts.pop(_SCHEMA))
    _renumber(schema, names, iter(range(1, 1 << 62)))
    told = io.BytesIO()
    with zipfile.ZipFile(told, "w") as file:
        for name, part in sorted({names[name]: part for name, part in parts.items()}.items()):
            file.writestr(zipfile.ZipInfo(name), part)
        file.writestr(zipfile.ZipInfo(_SCHEMA), json.dumps(schema))
    return told.getvalue()


def _renumber(node: Any, names: dict[str, str], numbers: Any) -> None:
    """Give every object in a schema a number of its own, and every file its new name."""
    if isinstance(node, list):
        for each in cast("list[Any]", node):
            _renumber(each, names, numbers)
    elif isinstance(node, dict):
        held = cast("dict[str, Any]", node)
        if "__loader__" in held and "__id__" in held:
            held["__id__"] = next(numbers)
        if "__loader__" in held and isinstance(held.get("file"), str):
            held["file"] = names[held["file"]]
        for each in held.values():
            _renumber(each, names, numbers)
