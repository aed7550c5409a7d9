"""Learner specs: learners by name, with their parameters, as in ``tree:max_depth=3``.

A learner of one's own is named by its module and its class: ``mine:OneR``, ``mine:OneR:min=3``.
"""

from inspect import Parameter, signature
from typing import Any, cast

from satsuma.cli.own_learners import own_class
from satsuma.cli.parameter_values import declared_value, literal
from satsuma.errors import ParameterError, hint
from satsuma.registry import LEARNERS, Record

#: Learners that can be named. Those that take another learner take it by name too.
_KNOWN = {each.name.lower(): each for each in LEARNERS if each.in_command}
_ALIASES = {alias: each for each in _KNOWN.values() for alias in each.aliases}


def learner_of(spec: str) -> Any:
    """A learner, by its name in letters of any size and its parameters.

    Examples
    --------
    >>> learner_of("knn:k=3")
    KNN(k=3, weights=None, p=2.0)
    >>> learner_of("naive-bayes").m
    2.0
    >>> learner_of("satsuma.learners.baselines:Mean")
    Mean()
    >>> learner_of("knn:q=3")
    Traceback (most recent call last):
        ...
    satsuma.errors.ParameterError: KNN has no parameter 'q'. There are: 'k', 'weights', ...
    >>> learner_of("florest")
    Traceback (most recent call last):
        ...
    satsuma.errors.ParameterError: There is no learner 'florest'. Did you mean 'forest'?
    """
    kind, rest = _class_and_rest(spec)
    given = [each for each in rest.split(",") if each]
    parameters = dict(_parameter(kind, each) for each in given)
    _check_complete(kind, parameters, spec)
    return kind(**parameters)


def learners_of(specs: list[str]) -> dict[str, Any] | None:
    """Learners by the names they were given; None if none was."""
    listed = [each.strip() for words in specs for each in _split(words) if each.strip()]
    if not listed:
        return None
    made = {each: learner_of(each) for each in listed}
    plain = [type(one).__name__ for one in made.values()]
    return {
        kind if plain.count(kind) == 1 else each: one
        for (each, one), kind in zip(made.items(), plain, strict=True)
    }


def spec_of(learner: Any) -> str:
    """A learner as it would be named, with those parameters that are not as usual.

    Examples
    --------
    >>> spec_of(learner_of("knn:k=3")), spec_of(learner_of("forest"))
    ('knn:k=3', 'forest')
    >>> spec_of(learner_of("stacking:learners=tree+knn"))
    'stacking:learners=tree+knn'
    """
    kind = cast("type[Any]", type(learner))
    changed = [
        f"{each.name}={_spelling(getattr(learner, each.name))}"
        for each in signature(kind).parameters.values()
        if getattr(learner, each.name) != each.default
    ]
    ours = any(each.fetch() is kind for each in LEARNERS if each.name == kind.__name__)
    name = kind.__name__.lower() if ours else f"{kind.__module__}:{kind.__name__}"
    return ":".join([name, *([",".join(changed)] if changed else [])])


def _spelling(value: Any) -> str:
    if isinstance(value, list):
        return "+".join(_spelling(each) for each in cast("list[Any]", value))
    return spec_of(value) if _is_learner(value) else str(value)


def _is_learner(value: Any) -> bool:
    from satsuma.learners.learner import Learner

    return isinstance(value, Learner)


def _class_and_rest(spec: str) -> tuple[Any, str]:
    """The class that a spec names, and its parameters as they were given."""
    name, _, rest = spec.partition(":")
    record = _record(name)
    if record is not None:
        return record.fetch(), rest
    inside, _, after = rest.partition(":")
    if inside.strip() and "=" not in inside:
        return own_class(name.strip(), inside.strip(), known=list(_KNOWN)), after
    own = " A learner of your own is named as MODULE:CLASS." if "." in name else ""
    hinted = hint(_plain(name), _KNOWN, most=len(_KNOWN))
    raise ParameterError(f"There is no learner {name!r}.{own} {hinted}")


def _plain(name: str) -> str:
    return name.strip().lower().replace("-", "").replace("_", "").replace(" ", "")


def _record(name: str) -> Record | None:
    plain = _plain(name)
    return _KNOWN.get(plain) or _ALIASES.get(plain)


def _split(words: str) -> list[str]:
    """Learners between commas; a comma that goes on with parameters does not part them."""
    found: list[str] = []
    for each in words.split(","):
        goes_on = "=" in each and ":" not in each.partition("=")[0]
        if found and goes_on:
            found[-1] += f",{each}"
        else:
            found.append(each)
    return found


def _parameter(kind: Any, given: str) -> tuple[str, Any]:
    name, mark, value = given.partition("=")
    name = name.strip()
    if not mark:
        raise ParameterError(
            f"{kind.__name__} takes parameters as NAME=VALUE. Got {given!r} instead."
        )
    known = list(signature(kind).parameters)
    if name not in known:
        raise ParameterError(f"{kind.__name__} has no parameter {name!r}. {hint(name, known)}")
    if name == "learner" or (name == "model" and kind.__name__ == "RP0"):
        return name, learner_of(value)
    if name == "learners":
        return name, [learner_of(each) for each in value.split("+")]
    if kind.__module__.partition(".")[0] == "satsuma":
        return name, literal(value.strip())  # the learner checks it, and says more
    return name, declared_value(kind, name, value.strip())


def _check_complete(kind: Any, parameters: dict[str, Any], spec: str) -> None:
    """Raise if a parameter that must be given is not."""
    usual = {"learner": "tree", "learners": "tree+knn"}
    for each in signature(kind).parameters.values():
        if each.default is Parameter.empty and each.name not in parameters:
            mark = "," if parameters else ":"
            example = f"{spec.rstrip(':')}{mark}{each.name}={usual.get(each.name, 'VALUE')}"
            raise ParameterError(
                f"{kind.__name__} needs its parameter {each.name!r}, as in {example}."
            )
