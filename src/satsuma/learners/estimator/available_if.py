"""Methods that only some learners have: `hasattr` tells which, as scikit-learn's tools expect."""

from collections.abc import Callable
from types import MethodType
from typing import Any, Concatenate, Generic, ParamSpec, TypeVar, overload

P = ParamSpec("P")
R = TypeVar("R")


class AvailableIf(Generic[P, R]):
    """A method that is there if a learner passes a test, and absent if not.

    Examples
    --------
    >>> class Number(float):
    ...     @available_if(lambda number: number > 0, "it is not positive")
    ...     def logarithm(self) -> float:
    ...         return __import__("math").log(self)
    >>> Number(1.0).logarithm(), hasattr(Number(-1.0), "logarithm")
    (0.0, False)
    """

    def __init__(
        self, method: Callable[Concatenate[Any, P], R], test: Callable[[Any], bool], reason: str
    ) -> None:
        self.method, self.test, self.reason = method, test, reason
        self.__doc__ = method.__doc__

    @overload
    def __get__(self, one: None, kind: type) -> Callable[Concatenate[Any, P], R]: ...
    @overload
    def __get__(self, one: object, kind: type) -> Callable[P, R]: ...
    def __get__(self, one: object, kind: type) -> Callable[..., R]:
        if one is None:
            return self.method
        if not self.test(one):
            raise AttributeError(
                f"{kind.__name__} has no {self.method.__name__}: {self.reason}.",
                name=self.method.__name__,
                obj=one,
            )
        return MethodType(self.method, one)


def available_if(
    test: Callable[[Any], bool], reason: str
) -> Callable[[Callable[Concatenate[Any, P], R]], AvailableIf[P, R]]:
    """Make a method absent from a learner that does not pass a test; see `AvailableIf`."""
    return lambda method: AvailableIf(method, test, reason)
