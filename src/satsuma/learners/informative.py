"""Informative columns of a model: those whose missing cells tell something of the target."""

from collections.abc import Sequence

from satsuma.data.domain import Domain
from satsuma.errors import ReadError

#: Columns that are named when a model is printed.
_NAMES = 12


def check_informative(domain: Domain, informative: Sequence[str]) -> None:
    """Raise a `ReadError` unless names are of attributes, each once."""
    known = {v.name for v in domain.attributes}
    if len(set(informative)) < len(informative) or not known.issuperset(informative):
        raise ReadError("the informative columns of the model are not attributes, each once")


def missing_note(informative: Sequence[str]) -> list[str]:
    """A line on the columns whose missing cells tell something of the target, if there are any.

    Examples
    --------
    >>> missing_note(["age", "size"])
    ['A missing value tells something in: age, size']
    """
    if not informative:
        return []
    more = [f"and {len(informative) - _NAMES} more"] if len(informative) > _NAMES else []
    return [f"A missing value tells something in: {', '.join([*informative[:_NAMES], *more])}"]
