"""Parameters: those of a class of learners are the arguments of its `__init__`."""

from abc import ABCMeta
from dataclasses import MISSING, Field, dataclass, field
from inspect import Parameter, Signature, signature
from types import FunctionType
from typing import Any, ClassVar, cast, dataclass_transform, get_origin

from satsuma.errors import ContractError, ParameterError, hint


@dataclass_transform(kw_only_default=True, eq_default=False, field_specifiers=(field,))
class LearnerMeta(ABCMeta):
    """``Learner(data, **parameters)`` beside ``Learner(**parameters)(data)``.

    A class that has fields becomes a dataclass with keyword-only parameters, decorated or not. One
    with an `__init__` of its own is left as it is.

    A learner in the place of the data is the parameter `learner`, and a list the parameter
    `learners`.
    """

    def __call__(cls, data: Any = None, /, **parameters: Any) -> Any:
        """A learner with these parameters, or what it learns from the data if there are some."""
        known = parameter_names(cls)
        if isinstance(type(data), LearnerMeta) and "learner" in known:  # the one inside this one
            data, parameters = None, {"learner": data, **parameters}
        if isinstance(data, list) and "learners" in known:
            data, parameters = None, {"learners": data, **parameters}
        for name in parameters:
            if name not in known:
                raise ParameterError(
                    f"{cls.__name__} has no parameter {name!r}. {_meant(cls, name)}"
                )
        learner = super().__call__(**parameters)
        return learner if data is None else learner(data)

    @property
    def __signature__(cls) -> Signature:
        # The parameters alone: scikit-learn takes whatever it finds here for one.
        names = parameter_names(cls)
        known = signature(cls.__init__).parameters.values()
        return Signature([each for each in known if each.name in names])


def parameter_names(kind: type) -> tuple[str, ...]:
    """The names of the parameters of a class of learners, in order.

    Examples
    --------
    >>> from satsuma import KNN
    >>> parameter_names(KNN)
    ('k', 'weights', 'p', 'scale', 'm')
    """
    found: tuple[str, ...] | None = vars(kind).get("_parameter_names")
    if found is None:
        _make_dataclass(kind)
        named = (Parameter.KEYWORD_ONLY, Parameter.POSITIONAL_OR_KEYWORD)
        arguments = list(signature(cast("Any", kind).__init__).parameters.values())[1:]
        found = tuple(each.name for each in arguments if each.kind in named)
        type.__setattr__(kind, "_parameter_names", found)
    return found


def parameter_values(learner: Any) -> dict[str, Any]:
    """The parameters of a learner by name."""
    kind = cast("type[Any]", type(learner))
    names = parameter_names(kind)
    try:
        return {name: getattr(learner, name) for name in names}
    except AttributeError:
        lost = next(name for name in names if not hasattr(learner, name))
        raise ContractError(
            f"{type(learner).__name__} does not keep its parameter {lost!r}. "
            f"Write self.{lost} = {lost} in its __init__, unchanged."
        ) from None


def parameters_text(learner: Any) -> str:
    """The parameters as in a call; a field with ``repr=False`` only if it is not the default."""
    kind = cast("type[Any]", type(learner))
    fields: dict[str, Field[Any]] = getattr(kind, "__dataclass_fields__", {})
    values = parameter_values(learner)
    return ", ".join(
        f"{name}={value!r}" for name, value in values.items() if _is_shown(fields.get(name), value)
    )


def _is_shown(declared: Field[Any] | None, value: Any) -> bool:
    return (
        declared is None
        or declared.repr
        or declared.default is MISSING
        or value != declared.default
    )


def _make_dataclass(kind: type) -> None:
    """Make a dataclass of a class that has fields of its own and is none yet."""
    for base in kind.__mro__[1:]:  # whose fields are inherited, if nobody has asked for them yet
        if isinstance(base, LearnerMeta):
            parameter_names(base)
    own = vars(kind)
    if "__dataclass_fields__" in own or "__init__" in own:
        return
    if anew := _set_anew(kind):
        type.__setattr__(kind, "__annotations__", {**own.get("__annotations__", {}), **anew})
    if not _fields_of(kind):
        return
    for each in kind.__mro__[1:]:
        if (
            "__init__" in vars(each)
            and each is not object
            and "__dataclass_fields__" not in vars(each)
        ):
            raise ContractError(
                f"{kind.__name__} has fields ({', '.join(_fields_of(kind))}), and {each.__name__} "
                f"has an __init__ of its own. Give {kind.__name__} an __init__ too."
            )
    # The text of a learner is that of its base class; a dataclass would write another.
    dataclass(kw_only=True, eq=False, repr=False)(kind)


def _set_anew(kind: type) -> dict[str, Any]:
    """The types of inherited fields that a class gives another default, without their types."""
    own, inherited = vars(kind), getattr(kind, "__dataclass_fields__", {})
    return {
        name: declared.type
        for name, declared in inherited.items()
        if name in own and name not in own.get("__annotations__", {}) and not _is_method(own[name])
    }


def _is_method(value: Any) -> bool:
    return isinstance(value, property | FunctionType)


def _fields_of(kind: type) -> list[str]:
    """The attributes with a type in the body of a class that are not of the class itself."""
    return [
        name for name, its in vars(kind).get("__annotations__", {}).items() if not _of_class(its)
    ]


def _of_class(annotation: Any) -> bool:
    if isinstance(annotation, str):
        return annotation.startswith(("ClassVar", "typing.ClassVar"))
    return annotation is ClassVar or get_origin(annotation) is ClassVar


def _meant(kind: type, name: str) -> str:
    if name == "weights":
        return f"Weights of rows go with the data: {kind.__name__}()(table, weights=…)."
    value = getattr(kind, name, None)
    if name.startswith("_") or value is None or callable(value) or isinstance(value, property):
        return hint(name, parameter_names(kind))
    return (
        f"{name!r} is an attribute of the class without a type: "
        f"write {name}: {type(value).__name__} = {value!r} to make it one."
    )
