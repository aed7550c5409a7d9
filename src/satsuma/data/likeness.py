"""Likeness: rows that are to be read as those of another table were, or as a model learned them."""

from collections.abc import Collection
from typing import Any

from satsuma.data.domain import Domain
from satsuma.data.recognition import Hints
from satsuma.data.time_recognition import date_order
from satsuma.errors import ParameterError


def domain_of(like: Any) -> Domain | None:
    """The columns of what is passed as ``like=``: a domain, or anything that has one."""
    found = getattr(like, "domain", like)
    if found is None or isinstance(found, Domain):
        return found
    raise ParameterError(
        f"The 'like' parameter must be a model, a table or a domain. Got a "
        f"{type(like).__qualname__} instead."
    )


def kinds_like(like: Domain | None, names: Collection[str]) -> dict[str, str]:
    """The kinds of the columns that are there too; what is predicted need not be known yet.

    Examples
    --------
    >>> from satsuma import Variable
    >>> kinds_like(Domain([Variable("zip", "sym"), Variable("age")]), ["zip", "name"])
    {'zip': 'sym'}
    """
    known = like or ()
    return {v.name: v.kind for v in known if v.name in names and v.role != "target"}


def hints_like(like: Domain | None) -> Hints:
    """How its numbers and dates were written, where its columns agree."""
    known = like or ()
    decimals = {variable.decimal for variable in known} - {""}
    orders = {date_order(v.time_format) for v in known if v.kind == "time"} - {None}
    return Hints(
        decimal=decimals.pop() if len(decimals) == 1 else None,
        dates=orders.pop() if len(orders) == 1 else None,
    )
