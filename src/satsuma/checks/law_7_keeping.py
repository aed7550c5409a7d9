"""Law 7: learners and models can be written down, and read again as they were."""

import copy
import math
import pickle
import tempfile
from dataclasses import is_dataclass
from pathlib import Path
from typing import Any, cast

from satsuma.checks.fingerprints import fingerprint
from satsuma.checks.law_broken import LawBroken, on
from satsuma.checks.law_predictions import check_same, predictions, queries
from satsuma.checks.law_tables import tables
from satsuma.checks.variants import fit_arguments, fresh, importable, with_seed
from satsuma.learners.learner import Learner
from satsuma.learners.model_files.saved_model import open_model
from satsuma.learners.model_files.sklearn_estimators import is_estimator
from satsuma.learners.parameters import parameter_values


def _check_parameters(learner: Learner, again: Any, doing: str) -> None:
    if type(again) is not type(learner):
        raise LawBroken(f"{doing} gives {type(again).__name__}")
    was, now = parameter_values(learner), parameter_values(again)
    for name, value in was.items():
        if fingerprint(value) != fingerprint(now[name]):
            raise LawBroken(f"{doing} gives {name}={now[name]!r} instead of {value!r}")


def _scope(learner: Learner) -> dict[str, Any]:
    """The names that a learner's `repr` may use: its class, and those of what it is made of."""
    scope: dict[str, Any] = {"nan": math.nan, "inf": math.inf}
    waiting: list[Any] = [learner]
    while waiting:
        each = waiting.pop()
        scope[type(each).__name__] = scope[type(each).__qualname__] = type(each)
        inside = each.get_params(deep=False) if is_estimator(each) else parameter_values(each)
        for value in inside.values():
            waiting += [one for one in _held(value) if is_dataclass(one) or is_estimator(one)]
    return scope


def _held(value: Any) -> list[Any]:
    """A parameter, or what is in it, however deep."""
    if isinstance(value, dict):
        value = list(cast("dict[Any, Any]", value).values())
    if isinstance(value, list | tuple):
        return [one for each in cast("list[Any]", value) for one in _held(each)]
    return [value]


def repr_round_trips(learner: Learner) -> None:
    """``repr`` of a learner is what one would type to make it."""
    table = tables(learner.takes)[0]
    with on(table, "repr"):
        spelled = repr(learner)
        # A dataclass spells a class of a function with the function before it.
        code = spelled.replace(f"{type(learner).__qualname__}(", f"{type(learner).__name__}(")
        again = eval(code, _scope(learner))  # noqa: S307 - what a learner says of itself
        _check_parameters(learner, again, f"what its repr {spelled!r} makes")
        repr(learner(table))


def models_can_be_saved(learner: Learner) -> None:
    """A model that was saved and opened gives the same predictions to the last bit, and file."""
    with tempfile.TemporaryDirectory() as folder:
        path, second = Path(folder, "model.satsuma"), Path(folder, "again.satsuma")
        for table in tables(learner.takes):
            asked = queries(table, learner.takes)
            with on(table, "saving and opening"):
                model = learner(table)
                model.save(path)
                opened = open_model(path, trust_estimators=True)
                doing = "a model, and the same saved and opened,"
                check_same(predictions(model, asked), predictions(opened, asked), doing)
                opened.save(second)
                if path.read_bytes() != second.read_bytes():
                    raise LawBroken("a model that was saved and opened is saved as another file")
                if repr(opened) != repr(model):
                    raise LawBroken(f"repr of the opened model is {opened!r}, not {model!r}")
                _check_parameters(learner, opened.learner, "the learner of the opened model")


def pickles(learner: Learner) -> None:
    """Learners, fitted ones too, and models survive pickle and copy."""
    if not importable(type(learner)):
        return  # pickle looks a class up by its name: one that cannot be found is no fault of it
    for table in tables(learner.takes):
        asked = queries(table, learner.takes)
        with on(table, "pickle"):
            _check_parameters(learner, _pickled(learner), "pickle")
            _check_parameters(learner, copy.deepcopy(learner), "deepcopy")
            model: Any = learner(table)
            plain = predictions(model, asked)
            check_same(plain, predictions(copy.deepcopy(model), asked), "a model and its copy")
            if importable(model.__class__):
                check_same(plain, predictions(_pickled(model), asked), "a model, pickled and not")
                fitted = fresh(learner).fit(**fit_arguments(learner, table))
                plain = predictions(fitted.model_, asked)
                doing = "a fitted learner, pickled and not"
                check_same(plain, predictions(_pickled(fitted).model_, asked), doing)


def _pickled(value: Any) -> Any:
    return pickle.loads(pickle.dumps(value))  # noqa: S301 - our own


def clones(learner: Learner) -> None:
    """``sklearn.clone`` makes a learner with the same parameters that has learned nothing."""
    try:
        from sklearn import base
    except ImportError:
        return
    clone: Any = cast("Any", base).clone
    table = tables(learner.takes)[0]
    with on(table, "clone"):
        _check_parameters(learner, clone(learner), "clone")
        sure = with_seed(learner)
        fitted = fresh(sure).fit(**fit_arguments(learner, table))
        again = clone(fitted)
        if left := [name for name in _names(again) if name.endswith("_")]:
            raise LawBroken(f"the clone of a fitted learner has {', '.join(left)}")
        asked = queries(table, learner.takes)
        doing = "a learner and its clone"
        check_same(predictions(sure(table), asked), predictions(again(table), asked), doing)


def _names(value: object) -> list[str]:
    return list(vars(value))


CHECKS = (repr_round_trips, models_can_be_saved, pickles, clones)
