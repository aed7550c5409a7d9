"""Remedies: what the library advises in Python, as options of the command."""

import ast
import re
import shlex
from collections.abc import Callable

_QUOTED = r"(?P<q>['\"])(?P<name>.*?)(?P=q)"

#: Options of reading that the library names as keywords.
_READING = (
    "delimiter|quote|escape|comment|skip|header|footer|encoding|decimal|thousands|dates|strip|"
    "marks|sheet|format|bad_rows|table"
)


def _name(found: re.Match[str]) -> str:
    return shlex.quote(found["name"])


def _learn(found: re.Match[str]) -> str:
    spec = shlex.quote(_spec(ast.parse(found["call"], mode="eval").body))
    return f"satsuma learn FILE --learner {spec} -o model.satsuma"


def _spec(node: ast.expr) -> str:
    """A learner that is made in Python, as an option names it: ``Forest:trees=50``."""
    if isinstance(node, ast.Call):
        given = ",".join(f"{each.arg}={_spec(each.value)}" for each in node.keywords)
        name = ast.unparse(node.func).removeprefix("satsuma.")
        return f"{name}:{given}" if given else name
    if isinstance(node, ast.List):
        return "+".join(map(_spec, node.elts))
    return str(ast.literal_eval(node))


_CHANGES: tuple[tuple[str, str | Callable[[re.Match[str]], str]], ...] = (
    (r"table\.with_roles\(target=…\)(, or target= when reading)?", "--target NAME"),
    (r"table\.with_roles\(\{'Mpg': '\+', 'Lbs': '-'\}\)", "--more Mpg --less Lbs"),
    (rf"table\.with_roles\(\{{{_QUOTED}: 'meta'\}}\)", lambda m: f"--ignore {_name(m)}"),
    (rf"table\.with_roles\(\{{{_QUOTED}: 'x'\}}\)", lambda m: f"--use {_name(m)}"),
    (
        rf"(table\.with_kinds\(|kinds=)\{{{_QUOTED}: '(?P<kind>\w+)'\}}\)?",
        lambda m: f"--kind {_name(m)}={m['kind']}",
    ),
    (
        r"storage_options=\{'(?P<option>anonymous|endpoint|region)': (?P<value>True|…)\}",
        lambda m: f"--read {m['option']}={m['value'].lower()}",
    ),
    (r", or by storage_options=;", ";"),
    (r", or pass storage_options=\{'\w+': …\}", ""),
    (r" and storage_options=\.", "."),
    (r"with key=", "with --key"),
    (r"(?<![\w-])marks=True", "--marks"),
    (r" and find such rows in table\.aside", ""),
    (r"Say which one it is with target=", "Say which one it is with --target"),
    (
        rf"(?<![\w-])(?P<option>{_READING})=(?P<value>'[^']*'|\"[^\"]*\"|None|False|True|\d+)?",
        lambda m: f"--read {m['option']}={_value(m['value'])}",
    ),
    (r"missing=\['(?P<name>[^']*)'(, …)?\]", lambda m: f"--read missing={_name(m)}"),
    (r"Give some the role 'x': table\.with_roles\(\{…: 'x'\}\)", "Ignore fewer columns"),
    (r"Import (?P<module>[\w.]+) first", lambda m: f"Name its module: --import {m['module']}"),
    (r"name the learners", "name them: --learners"),
    (
        r"model = (?P<call>satsuma\.\w+\(.*\))\(table\)",
        _learn,
    ),
    (r"\.\. ", ". "),
    (r"Take a sample that fits: source\.sample\(n\)", "Take a part of the file"),
    (r"For others, take source\.sample\(n\)", "For others, take a part of the file"),
)


#: An option at the end of a sentence, behind a colon: it is all that is to be done.
_OPTION = re.compile(r"(?<=: )(?=--(?:ignore|use|kind|target|limit) )")


def _value(said: str | None) -> str:
    if said is None:
        return "…"
    if said == "'\\\\'":
        return "'\\'"
    return said.lower() if said[0] not in "'\"" else shlex.quote(said[1:-1])


def as_options(message: str) -> str:
    """A message of the library, with the options that do what it advises.

    Examples
    --------
    >>> as_options("Leave it out: table.with_roles({'id': 'meta'}).")
    'Leave it out: --ignore id.'
    >>> as_options("Pass its encoding, such as encoding='latin-1'.")
    'Pass its encoding, such as --read encoding=latin-1.'
    >>> as_options("Use kinds={'zip code': 'sym'}, or another learner.")
    "Use --kind 'zip code'=sym, or another learner."
    >>> as_options("model = satsuma.Forest(trees=50)(table)")
    'satsuma learn FILE --learner Forest:trees=50 -o model.satsuma'
    """
    for pattern, said in _CHANGES:
        message = re.sub(pattern, said, message)
    return message


def as_commands(message: str, command: str, table: str) -> str:
    """A message with options, as whole commands on a table: to be typed, or pasted, as they are.

    Parameters
    ----------
    message
        What `as_options` makes.
    command
        The command that is to be given again with an option.
    table
        The file and the options about its columns.

    Examples
    --------
    >>> as_commands("Leave it out: --ignore id.", "report", "ward.csv --target died")
    'Leave it out: satsuma report ward.csv --target died --ignore id.'
    >>> as_commands("satsuma learn FILE --learner Tree -o model.satsuma", "report", "ward.csv")
    'satsuma learn ward.csv --learner Tree -o model.satsuma'
    """
    again = f"satsuma {command} {table} "
    message = _OPTION.sub(lambda _: again, message)
    return message.replace("satsuma learn FILE ", f"satsuma learn {table} ")
