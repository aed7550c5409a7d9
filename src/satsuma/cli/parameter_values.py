"""Parameter values: what the words of a command say, as what a parameter takes."""

import ast
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from satsuma.errors import ParameterError

_WORDS = {"true": True, "false": False, "none": None}

#: What a parameter of a type takes, in a sentence.
_TAKES = {
    int: "a whole number",
    float: "a number",
    bool: "true or false",
    str: "a string",
    NoneType: "none",
}


def literal(text: str) -> Any:
    """A number, true, false, none, or whatever else Python writes so; else the text itself.

    Examples
    --------
    >>> literal("3"), literal("True"), literal("gini")
    (3, True, 'gini')
    """
    if text.lower() in _WORDS:
        return _WORDS[text.lower()]
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return text


def declared_value(kind: type, name: str, text: str) -> Any:
    """A value for a parameter, refused if it is not of the type that its class declares.

    Examples
    --------
    >>> class Stump:
    ...     def __init__(self, least: int = 1, name: str = "", size: float | None = None): ...
    >>> declared_value(Stump, "size", "2"), declared_value(Stump, "name", "2")
    (2, '2')
    >>> declared_value(Stump, "size", "big")
    Traceback (most recent call last):
        ...
    satsuma.errors.ParameterError: The 'size' parameter of Stump must be a number or none. Got \
'big' instead.
    """
    value, choices = literal(text), _choices(kind, name)
    if choices is None or any(_is_one(value, each) for each in choices):
        return value
    if str in choices or text in choices:
        return text
    *most, last = [_TAKES.get(each, repr(each)) for each in choices]
    must = f"{', '.join(most)} or {last}" if most else last
    raise ParameterError(
        f"The {name!r} parameter of {kind.__name__} must be {must}. Got {value!r} instead."
    )


def _choices(kind: Any, name: str) -> list[Any] | None:
    """The types and values that a parameter is declared to take; None where that is not known."""
    try:
        hints = get_type_hints(kind.__init__)
    except Exception:  # noqa: BLE001 - a name in it may be anything, and be known to nobody
        return None
    found = _parts(hints[name]) if name in hints else [Any]
    types = [each for each in found if isinstance(each, type) or get_origin(each) or each is Any]
    return None if any(each not in _TAKES for each in types) else found


def _parts(declared: Any) -> list[Any]:
    if get_origin(declared) in (Union, UnionType):
        return [part for each in get_args(declared) for part in _parts(each)]
    return list(get_args(declared)) if get_origin(declared) is Literal else [declared]


def _is_one(value: Any, choice: Any) -> bool:
    """Whether a value is of a type, or is the value; a whole number is a number, True is not."""
    if not isinstance(choice, type):
        return value == choice and type(value) is type(choice)
    wanted = (int, float) if choice is float else (choice,)
    return type(value) in wanted
