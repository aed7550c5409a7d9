"""Refusals: what cannot leave Python as something, with what can."""

from satsuma.errors import SatsumaError


def refuse_part(part: object, known: str) -> SatsumaError:
    """The error for a model one part of which has no such form."""
    return SatsumaError(
        f"The model has a part that cannot be exported: {part!r}. Parts that can: {known}. "
        f"model.to_json() writes any model."
    )
