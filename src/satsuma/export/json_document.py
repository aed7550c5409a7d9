"""JSON: all that a model consists of, as `save` writes it, with its arrays as lists."""

import json
from functools import cache
from importlib.resources import files
from typing import Any, cast

import numpy as np

from satsuma.learners.model_files.saved_model import model_parts

#: Where the schema of the documents is.
SCHEMA = "model.schema.json"


def to_json(model: Any, *, indent: int | None = None) -> str:
    """A model as JSON; see `Model.to_json`.

    Examples
    --------
    >>> import json, satsuma
    >>> found = json.loads(to_json(satsuma.Majority(satsuma.load("tennis"))))
    >>> found["model"]["$model"], found["model"]["of"]["shares"]["data"]
    ('satsuma.learners.baselines.MajorityModel', [0.35714285714285715, 0.6428571428571429])
    """
    head, arrays = model_parts(model)
    written = {name: _array(each) for name, each in arrays.items()}
    return json.dumps(_inlined(head, written), ensure_ascii=False, allow_nan=False, indent=indent)


@cache
def json_schema() -> dict[str, Any]:
    """The schema of what `to_json` writes (JSON Schema 2020-12)."""
    text = files("satsuma.export").joinpath(SCHEMA).read_text(encoding="utf-8")
    return cast("dict[str, Any]", json.loads(text))


def _inlined(value: Any, arrays: dict[str, Any]) -> Any:
    """The same with arrays in place of their names, and dicts as objects where they can be."""
    if isinstance(value, list):
        return [_inlined(each, arrays) for each in cast("list[Any]", value)]
    if not isinstance(value, dict):
        return value
    marked = cast("dict[str, Any]", value)
    if "$array" in marked:
        return arrays[marked["$array"]]
    if "$tuple" in marked:
        return _inlined(marked["$tuple"], arrays)
    if "$dict" in marked:
        pairs = [(_inlined(k, arrays), _inlined(v, arrays)) for k, v in marked["$dict"]]
        plain = all(isinstance(k, str) and not k.startswith("$") for k, _ in pairs)
        return dict(pairs) if plain else {"$pairs": [list(pair) for pair in pairs]}
    return {name: _inlined(each, arrays) for name, each in marked.items()}


def _array(array: np.ndarray[Any, Any]) -> dict[str, Any]:
    """An array: its type, its shape, and its cells in rows; what is no number is null."""
    flat = array.ravel().tolist()
    cells = [_cell(each) for each in flat]
    return {"dtype": str(array.dtype), "shape": list(array.shape), "data": cells}


def _cell(cell: Any) -> Any:
    if isinstance(cell, float) and not np.isfinite(cell):
        return {"$float": repr(cell)}
    return cell if isinstance(cell, str | int | float | bool) else str(cell)
