"""Notes: what was decided without being asked for, and how to have it otherwise.

Every decision is one of `DECISIONS`. A note tells it in a sentence, with a remedy in Python;
`Note.command` has the remedy in options of the command.
"""

import shlex
from collections.abc import Sequence
from typing import Any, Self

from satsuma.data.decisions import DECISIONS


class Note(str):
    """What was decided, with its remedy in Python; `command` has it in options of the command.

    Examples
    --------
    >>> told = note("large numbers", name="zip code")
    >>> told.code, told.endswith("Pass kinds={'zip code': 'num'} to have numbers all the same.")
    ('large numbers', True)
    >>> told.command.endswith("Pass --kind 'zip code'=num to have numbers all the same.")
    True
    """

    __slots__ = ("code", "command")
    code: str
    command: str

    def __new__(cls, text: str, code: str, command: str) -> Self:
        """A note of a decision."""
        made = super().__new__(cls, text)
        made.code, made.command = code, command
        return made

    def __reduce__(self) -> tuple[object, ...]:
        return Note, (str(self), self.code, self.command)


def note(code: str, **facts: Any) -> Note:
    """The note of a decision, given its facts."""
    decision = DECISIONS[code]
    if "name" in facts:
        facts["word"] = shlex.quote(facts["name"])
    sentence = decision.sentence.format_map(facts)
    sentence = sentence[0].upper() + sentence[1:]
    python, command = (
        f" {remedy.format_map(facts)}" if remedy else ""
        for remedy in (decision.python, decision.command)
    )
    return Note(sentence + python, code, sentence + command)


def column_list(names: Sequence[str], verb: str = "") -> str:
    """Some columns as the subject of a sentence, with the verb in their number.

    Examples
    --------
    >>> column_list(["a"], "is"), column_list(["a", "b"], "is")
    ("Column 'a' is", "Columns 'a' and 'b' are")
    >>> column_list(list("abcdef"))
    "columns 'a', 'b', 'c' and 3 more"
    """
    plural = {"is": "are", "holds": "hold", "names": "name"}.get(verb, verb)
    shown = (
        [repr(name) for name in names[:4]]
        if len(names) <= 4
        else [
            *map(repr, names[:3]),
            f"{len(names) - 3} more",
        ]
    )
    listed = shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}"
    if not verb:
        return f"column{'' if len(names) == 1 else 's'} {listed}"
    return f"Column{'' if len(names) == 1 else 's'} {listed} {verb if len(names) == 1 else plural}"
