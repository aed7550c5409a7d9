"""A decision: something that is decided without being asked for, and how to have it otherwise."""

from dataclasses import dataclass


def kind_remedies(kind: str, otherwise: str) -> tuple[str, str]:
    """How to have a column as another kind, in Python and in the command."""
    return (
        f"Pass kinds={{{{{{name!r}}: '{kind}'}}}} {otherwise}.",
        f"Pass --kind {{word}}={kind} {otherwise}.",
    )


def option_remedies(name: str, value: str, otherwise: str) -> tuple[str, str]:
    """How to read with an option, in Python and in the command."""
    return f"Pass {name}={value} {otherwise}.", f"Pass --read {name}={value.lower()} {otherwise}."


@dataclass(frozen=True)
class Decision:
    """Something that is decided without being asked for.

    Parameters
    ----------
    code
        What it is called.
    sentence
        What is told, with the facts in braces.
    python, command
        How to have it otherwise, in Python and with options of the command; empty where nothing
        was lost.
    """

    code: str
    sentence: str
    python: str = ""
    command: str = ""
