"""Saving: models as arrays and JSON in a zip. Nothing in such a file is executed."""

import re
from collections.abc import Callable, Mapping
from dataclasses import fields
from importlib import import_module
from importlib.util import find_spec
from os import PathLike, fspath
from typing import Any, NoReturn, cast
from zipfile import BadZipFile

import numpy as np

from satsuma.data.domain import Domain
from satsuma.data.fields import Instance, Many
from satsuma.data.files import replacing
from satsuma.data.schema import VARIABLE_PARTS, check_state, variable_of, variable_parts
from satsuma.data.variable import Variable
from satsuma.errors import ReadError, SatsumaError, WriteError
from satsuma.learners.learner import Learner
from satsuma.learners.model import Model
from satsuma.learners.model_files.archive import BROKEN, LIMIT, Archive, pack
from satsuma.learners.model_files.sklearn_estimators import dumped, is_estimator, loaded
from satsuma.learners.parameters import parameter_values
from satsuma.likelihoods.block import AnyBlock, Evidence
from satsuma.measures.marginals import Marginals
from satsuma.prepare.discretizers import Discretizer
from satsuma.tallies.base import Tally

_FORMAT = 1
_PLAIN = (str, bool, int, float, type(None))

#: How deep values may be inside others: enough for a dozen models, each inside the next.
_DEPTH = 200

#: Rooms whose modules may be imported to open a model.
_OURS = re.compile(r"satsuma\.(learners|tallies|prepare|likelihoods|active|plan)(\.[a-z]\w*)+")

_DAMAGED = "The file is damaged or was not saved by Satsuma. Save the model again."

Arrays = dict[str, np.ndarray[Any, Any]]


def save(model: Model, path: str | PathLike[str]) -> None:
    """Write a model to a file; see `Model.save`."""
    head, arrays = model_parts(model)
    with replacing(path) as stream:
        pack(head, arrays, stream)


def model_parts(model: Model) -> tuple[dict[str, Any], Arrays]:
    """A model as JSON, and its arrays by the names that they have there."""
    arrays: Arrays = {}
    head = {"satsuma": _FORMAT, "model": _tell(model, arrays)}
    if model.has_marginals:
        head["marginals"] = _tell(model.marginals.state(), arrays)
    return head, arrays


def open_model(
    path: str | PathLike[str], *, limit: float = LIMIT, trust_estimators: bool = False
) -> Any:
    """Open a model that was saved.

    Whatever the file, nothing in it is executed, and all of it is checked before the model can be
    asked: the size and the type of every array, the range of its numbers, and that what refers to
    something else finds it. A file that is not right raises a `ReadError`.

    A model of a class of your own can be opened once the module that defines it is imported. It is
    checked as far as its class has a `schema`.

    Parameters
    ----------
    path
        The file.
    limit
        Bytes that the model may hold, a gibibyte unless given. A small file can hold a lot.
    trust_estimators
        Whether to open a model that holds an estimator of scikit-learn, see `wrap`. The types in
        it are known to be harmless, but its arrays cannot be checked: wrong ones may end the
        process. Only for a file whose origin you know.

    Examples
    --------
    >>> import satsuma
    >>> satsuma.open_model("absent.satsuma")
    Traceback (most recent call last):
        ...
    satsuma.errors.ReadError: absent.satsuma: there is no such file
    """
    file = fspath(path)
    try:
        with Archive(path, limit) as archive:
            head = archive.head()
            if head["satsuma"] != _FORMAT:
                raise ReadError(
                    f"the model was saved in format {head['satsuma']!r}, and this is {_FORMAT}",
                    remedy="Open it with the version of Satsuma that saved it.",
                )
            hearing = _Hearing(archive, file, trust_estimators)
            found = hearing.hear(head["model"])
            kept = hearing.hear(head["marginals"]) if "marginals" in head else None
            archive.check_used()
            Instance(Model).check(found, "what was saved", {})
            if kept is not None:
                found.keep_marginals(Marginals.from_state(kept))
    except FileNotFoundError:
        raise ReadError("there is no such file", file=file) from None
    except SatsumaError as error:
        _refuse(error, file)
    except BROKEN as error:
        zipped = not isinstance(error, BadZipFile)
        reason = f"{type(error).__name__}: {error}" if zipped else "it is no zip archive"
        raise ReadError(f"this is not a saved model ({reason})", file=file) from None
    return found


def _refuse(error: SatsumaError, file: str) -> NoReturn:
    """Say in which file something is wrong."""
    if not isinstance(error, ReadError):
        raise ReadError(str(error).removesuffix("."), file=file, remedy=_DAMAGED) from None
    remedy = "" if error.what.startswith("this is not a saved model") else _DAMAGED
    raise ReadError(error.what, file=file, remedy=error.remedy or remedy) from None


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
        items = [_tell(each, arrays) for each in cast("list[Any]", value)]
        return items if isinstance(value, list) else {"$tuple": items}
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
    return list(variable_parts(value).values())


#: What can be inside a model beside plain values: its mark, its type, and what it consists of.
_KINDS: tuple[tuple[str, type, Callable[[Any], Any]], ...] = (
    ("$model", Model, _parts),
    ("$learner", Learner, parameter_values),
    ("$block", AnyBlock, _parameters),
    ("$cutting", Discretizer, _parameters),
    ("$evidence", Evidence, _parts),
    ("$tally", Tally, lambda tally: tally.state()),
    ("$domain", Domain, list[Variable]),
    ("$variable", Variable, _variable),
)


def _name(kind: type) -> str:
    return f"{kind.__module__}.{kind.__qualname__}"


class _Hearing:
    """Makes the values that JSON tells of, each checked before it becomes part of another."""

    def __init__(self, archive: Any, file: str, trust_estimators: bool) -> None:
        self.archive, self.file, self.trust_estimators = archive, file, trust_estimators
        self.depth = 0

    def hear(self, value: Any) -> Any:
        """The value that JSON tells of."""
        if isinstance(value, str):
            value.encode()  # half of a character cannot be printed
        if not isinstance(value, list | dict):
            return value
        if self.depth >= _DEPTH:
            raise ReadError(f"the model is nested more than {_DEPTH} deep")
        self.depth += 1
        try:
            if isinstance(value, list):
                return [self.hear(each) for each in cast("list[Any]", value)]
            return self._marked(cast("dict[str, Any]", value))
        finally:
            self.depth -= 1

    def _marked(self, marked: dict[str, Any]) -> Any:
        (mark, content), *rest = marked.items()
        if mark == "$float":
            return float(content)
        if mark == "$array":
            return self.archive.array(content)
        if mark == "$estimator":
            return self._estimator(content)
        if mark == "$tuple":
            return tuple(self.hear(_list(content)))
        if mark == "$dict":
            return {self.hear(k): self.hear(v) for k, v in _list(content)}
        return _build(mark, content, self.hear(rest[0][1]))

    def _estimator(self, name: Any) -> Any:
        if not self.trust_estimators:
            raise ReadError(
                "the model holds an estimator of scikit-learn, whose arrays cannot be checked",
                remedy="If you trust the file, open it in Python: satsuma.open_model(…, "
                "trust_estimators=True).",
            )
        return loaded(self.archive.array(name), self.file)


def _list(value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise ReadError("this is not a saved model (a list is missing)")
    return cast("list[Any]", value)


def _build(mark: str, name: str, parts: Any) -> Any:
    if mark == "$variable":
        return variable_of(dict(zip(VARIABLE_PARTS, _list(parts), strict=False)))
    if mark == "$domain":
        Many(Instance(Variable)).check(parts, "the model's domain", {})
        return Domain(parts)
    kind = _known(mark, name)
    if mark == "$tally":
        return kind.from_state(parts)
    if mark in ("$learner", "$block", "$cutting"):
        made = kind(**parts)
        made.check()
        return made
    made = object.__new__(kind)
    vars(made).update(parts)
    check_state(made, parts)
    return made


def _known(mark: str, name: str) -> Any:
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
        remedy=f"Import {module} first.",
    )
