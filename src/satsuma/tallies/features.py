"""Features: the columns that attributes come to, a symbol being one for each of its values."""

from satsuma.data.domain import Domain
from satsuma.data.variable import Variable

#: The name of an attribute, and one of its values where it is symbolic.
Feature = tuple[str, str | None]


#: The one class of rows that have no symbolic target.
NO_CLASS = ("",)


def classes_of(domain: Domain) -> tuple[str, ...]:
    """The values of a symbolic target; one nameless class where there is none.

    Examples
    --------
    >>> classes_of(Domain([Variable("play", "sym", ("no", "yes"), "target")]))
    ('no', 'yes')
    """
    target = domain.target
    return target.values if target is not None and target.kind == "sym" else NO_CLASS


def numbers_of(domain: Domain) -> tuple[Variable, ...]:
    """The numeric attributes, in order."""
    return tuple(v for v in domain.attributes if v.kind == "num")


def symbols_of(domain: Domain) -> tuple[Variable, ...]:
    """The symbolic attributes, in order."""
    return tuple(v for v in domain.attributes if v.kind == "sym")


def attributes_of(domain: Domain) -> tuple[Variable, ...]:
    """The attributes that vary together: numbers and symbols."""
    return tuple(v for v in domain.attributes if v.kind in ("num", "sym"))


def features_of(domain: Domain) -> tuple[Feature, ...]:
    """A column for each number and for each value of a symbol, in order.

    Examples
    --------
    >>> features_of(Domain([Variable("heat"), Variable("sky", "sym", ("rain", "sun"))]))
    (('heat', None), ('sky', 'rain'), ('sky', 'sun'))
    """
    each: list[Feature] = []
    for variable in attributes_of(domain):
        values = (None,) if variable.kind == "num" else variable.values
        each += [(variable.name, value) for value in values]
    return tuple(each)


def levels_of(domain: Domain) -> list[int | None]:
    """How many values each attribute has; None for a number."""
    return [None if v.kind == "num" else len(v.values) for v in attributes_of(domain)]
