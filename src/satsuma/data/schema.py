"""Schema: what an object that can be saved consists of, to be checked when it is opened.

A class says in `schema` what each of its attributes is; those of its parents are added to it.
Sizes are numbers or names: ``FloatArray("nodes", "classes")`` is as long as every other array of
``nodes``. Some names follow from the columns, such as ``classes``; others are declared in front of
the attributes. What attributes have to do with each other is checked in a method ``check_state``.
"""

from collections.abc import Mapping
from dataclasses import astuple
from dataclasses import fields as fields_of
from typing import Any, cast

from satsuma.data.fields import Field, Many, Maybe, Sizes, Word
from satsuma.data.variable import DECIMALS, KINDS, ROLES, Variable
from satsuma.errors import ContractError, ReadError
from satsuma.kernels.csv import TimeFormat


class Schema:
    """The attributes of a class by name, and what each may be.

    Parameters
    ----------
    own_sizes
        Names of sizes that do not follow from the columns.
    fields
        The attributes.

    Examples
    --------
    >>> import numpy as np
    >>> from satsuma.data.fields import FloatArray, IntArray
    >>> counts = FloatArray("nodes", "classes", low=0)
    >>> schema = Schema("nodes", counts=counts, first=IntArray("nodes"))
    >>> held = {"counts": np.ones((3, 2)), "first": np.arange(2, dtype=np.int32)}
    >>> schema.check(held, {}, "Tree")
    Traceback (most recent call last):
        ...
    satsuma.errors.ReadError: Tree.first must be of shape (3,), and is (2,)
    """

    def __init__(self, *own_sizes: str, **fields: Field) -> None:
        self.own_sizes, self.fields = own_sizes, fields

    def check(self, parts: Mapping[str, Any], sizes: Sizes, owner: str) -> None:
        """Raise a `ReadError` unless all attributes are there, and are what they may be."""
        for name, field in self.fields.items():
            if name in parts:
                field.check(parts[name], f"{owner}.{name}", sizes)
            elif not field.optional:
                raise ReadError(f"{owner}.{name} is missing")


def schema_of(kind: type) -> Schema:
    """What a class and all its parents say of their attributes."""
    sizes: dict[str, None] = {}
    fields: dict[str, Field] = {}
    for each in reversed(kind.__mro__):
        declared: Schema | None = vars(each).get("schema")
        if declared is not None:
            sizes |= dict.fromkeys(declared.own_sizes)
            fields |= declared.fields
    return Schema(*sizes, **fields)


def check_sizes(kind: type, given: tuple[str, ...]) -> None:
    """Raise a `ContractError` if a class names a size that follows from nothing.

    Parameters
    ----------
    kind
        The class.
    given
        Names of sizes that follow from the columns.
    """
    schema = schema_of(kind)
    for name, field in schema.fields.items():
        for size in field.sizes():
            base = str(size).partition("+")[0]
            if isinstance(size, str) and base not in (*given, *schema.own_sizes):
                raise ContractError(_undeclared(kind, name, base, given, schema.own_sizes))


def _undeclared(
    kind: type, name: str, size: str, given: tuple[str, ...], own: tuple[str, ...]
) -> str:
    *most, last = map(repr, given)
    others = "".join(f", {each!r}" for each in own)
    return (
        f"{kind.__name__}.schema: the size {size!r} of {name!r} is not declared. It can be "
        f"{', '.join(most)} or {last}, which follow from the columns{others}. A size of the "
        f"model's own is declared first: Schema({size!r}, {name}=…)."
    )


def check_state(made: Any, parts: Mapping[str, Any]) -> None:
    """Raise a `ReadError` unless an object that was opened is what its class says.

    Parameters
    ----------
    made
        The object.
    parts
        Its attributes. One that the class does not know of may be there, for a user's sake, if it
        hides nothing that the class has.
    """
    kind = cast("type[Any]", type(made))
    schema, owner = schema_of(kind), kind.__name__
    for name in parts.keys() - schema.fields.keys():
        if name.startswith("_") or _is_hidden(kind, name):
            raise ReadError(f"{owner} cannot have an attribute {name!r}")
    sizes: Sizes = dict(made.dimensions()) if hasattr(kind, "dimensions") else {}
    schema.check(parts, sizes, owner)
    if hasattr(kind, "check_state"):
        made.check_state()


def _is_hidden(kind: type, name: str) -> bool:
    """Whether an attribute would hide a method, or anything that a class of ours has."""
    owner = next((each for each in kind.__mro__ if name in vars(each)), None)
    if owner is None:
        return False
    ours = owner is object or owner.__module__.partition(".")[0] == "satsuma"
    return ours or callable(vars(owner)[name]) or hasattr(vars(owner)[name], "__get__")


_VARIABLE: tuple[Field, ...] = (
    Word(),
    Word(*KINDS),
    Many(Word()),
    Word(*ROLES),
    Maybe(Word("+", "-")),
    Maybe(Many(Word())),
    Word(*DECIMALS),
)


#: What a variable consists of, in order.
VARIABLE_PARTS = tuple(each.name for each in fields_of(Variable))


def variable_parts(variable: Variable) -> dict[str, Any]:
    """A variable as JSON has it."""
    form = variable.format
    return {
        "name": variable.name,
        "kind": variable.kind,
        "values": list(variable.values),
        "role": variable.role,
        "goal": variable.goal,
        "format": list(astuple(form)) if isinstance(form, TimeFormat) else None,
        "decimal": variable.decimal,
    }


def variable_of(parts: Mapping[str, Any]) -> Variable:
    """A variable of what was read, see `variable_parts`; a `ReadError` where it is none."""
    if tuple(parts) != VARIABLE_PARTS:
        told = ", ".join(map(str, parts))
        raise ReadError(f"a column has {', '.join(VARIABLE_PARTS)}, and not {told}")
    for field, name in zip(_VARIABLE, VARIABLE_PARTS, strict=True):
        field.check(parts[name], f"the {name} of a column", {})
    try:
        form = None if parts["format"] is None else TimeFormat(*parts["format"])
    except (TypeError, ValueError) as error:
        raise ReadError(f"the format of a column is none ({error})") from None
    whole: dict[str, Any] = {**parts, "values": tuple(parts["values"]), "format": form}
    return Variable(**whole)
