"""Verbs that take `sample_weight` only where the learner takes weights, as its signature says.

scikit-learn's tools look at the signature of `fit`, and hand weights to whatever has a parameter
for them.
"""

from collections.abc import Callable
from functools import wraps
from inspect import Parameter, signature
from types import MethodType
from typing import Any, Concatenate, Generic, ParamSpec, TypeVar, overload

from satsuma.errors import ParameterError

P = ParamSpec("P")
R = TypeVar("R")


class WeightedVerb(Generic[P, R]):
    """A method whose parameter `sample_weight` is there for learners that take weights alone.

    Examples
    --------
    >>> from inspect import signature
    >>> from satsuma import RP0, NaiveBayes
    >>> [*signature(NaiveBayes().fit).parameters], [*signature(RP0().fit).parameters]
    (['X', 'y', 'sample_weight'], ['X', 'y'])
    >>> RP0().fit([[1.0]], sample_weight=[2])
    Traceback (most recent call last):
        ...
    satsuma.errors.ParameterError: RP0 does not take weights. Leave sample_weight out, or use \
another learner.
    """

    def __init__(self, method: Callable[Concatenate[Any, P], R]) -> None:
        self.method, self.plain = method, _without_weights(method)
        self.__doc__ = method.__doc__

    @overload
    def __get__(self, one: None, kind: type) -> Callable[Concatenate[Any, P], R]: ...
    @overload
    def __get__(self, one: object, kind: type) -> Callable[P, R]: ...
    def __get__(self, one: Any, kind: Any) -> Callable[..., R]:
        owner = kind if one is None else one
        method = self.method if owner.takes.weights else self.plain
        return method if one is None else MethodType(method, one)


def _without_weights(method: Callable[..., Any]) -> Callable[..., Any]:
    known = signature(method)
    kept = [
        each.replace(annotation=Parameter.empty)
        for each in known.parameters.values()
        if each.name != "sample_weight"
    ]

    @wraps(method)
    def plain(learner: Any, *given: Any, **named: Any) -> Any:
        if known.bind(learner, *given, **named).arguments.get("sample_weight") is not None:
            raise ParameterError(
                f"{type(learner).__name__} does not take weights. Leave sample_weight out, or use "
                f"another learner."
            )
        return method(learner, *given, **named)

    plain.__signature__ = known.replace(parameters=kept)  # pyright: ignore[reportAttributeAccessIssue, reportFunctionMemberAccess]
    return plain
