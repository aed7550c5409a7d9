"""What a refusal tells the user to pass: its remedies, tried one after the other."""

import ast
import re
from collections import deque

import satsuma

_OPTION = re.compile(
    r"\b([a-z_]+)=("
    r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"|True|False|None|-?\d+|\[[^\]]*\]|\{[^}]*\}|(?=[\s,.;:)]|$))"
)
_TRIES = 20


def remedies(message, known=None):
    """The options that a message names, each as a dict; all of them together come last.

    >>> remedies("Pass header=False if there are no names, or name another delimiter=.")
    [{'header': False}]
    >>> remedies("Name another delimiter= (',' was taken).", {"delimiter": ";"})
    [{'delimiter': ';'}]

    Parameters
    ----------
    message
        What the error says.
    known
        What the user knows of the file, for options that are named without a value.
    """
    found = []
    for name, value in _OPTION.findall(message):
        if value:
            try:
                option = {name: ast.literal_eval(value)}
            except (ValueError, SyntaxError):
                continue
        elif name in (known or {}):
            option = {name: known[name]}
        else:
            continue
        if option not in found:
            found.append(option)
    # Rows are kept aside by those who cannot mend them.
    found.sort(key=lambda option: "bad_rows" in option)
    together = {name: value for option in found for name, value in option.items()}
    return [*found, together] if len({*together}) == len(found) > 1 else found


def attempts(path, known=None, **options):
    """What comes of a file, plainly and by the remedies of every refusal on the way.

    Yields options and what came of them: a table or an error.
    """
    ahead, seen = deque([options]), [options]
    for _ in range(_TRIES):
        if not ahead:
            return
        tried = ahead.popleft()
        try:
            yield tried, satsuma.read(path, **tried)
        except satsuma.SatsumaError as error:
            yield tried, error
            for option in remedies(str(error), known):
                more = tried | option
                if more not in seen:
                    seen.append(more)
                    ahead.append(more)
