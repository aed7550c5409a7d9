"""Failures: bad input gets one line that says what, where and what to do. Never a traceback."""

import os
import sys
import warnings
from collections.abc import Callable
from functools import wraps
from typing import Any

import typer

from satsuma.cli.own_learners import own_failure
from satsuma.cli.remedies import as_options
from satsuma.data.summary import cut
from satsuma.data.urls import public_name
from satsuma.errors import ParameterError, SatsumaError

#: The exit codes: bad input, and what shells give to a command that was interrupted.
BAD, INTERRUPTED = 1, 130

#: Characters of a message; what cannot be printed is spelled out, so that no name of a file and
#: no cell can steer a terminal.
MOST = 10_000

#: Whether tracebacks are wanted; `run` sets it.
debug = False


def one_line_errors(command: Callable[..., Any]) -> Callable[..., Any]:
    """A command whose errors end in one line on stderr and an exit code."""

    @wraps(command)
    def run(*given: Any, **named: Any) -> None:
        if debug:
            command(*given, **named)
            return
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                command(*given, **named)
        except SatsumaError as error:
            raise fail(_placed(error, named)) from None
        except BrokenPipeError:
            # Whoever was reading has seen enough; nothing more can be said to them.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        except KeyboardInterrupt:
            raise typer.Exit(INTERRUPTED) from None
        except MemoryError:
            raise fail("There is not enough memory. Take a part of the file.") from None
        except OSError as error:
            raise fail(f"{error.filename or 'a file'}: {error.strerror or error}.") from None
        except (typer.Exit, typer.Abort, typer.BadParameter):
            raise
        except Exception as error:  # noqa: BLE001 - a person at a terminal is spared the rest
            raise fail(own_failure(error) or _unexpected(error)) from None

    return run


def _unexpected(error: Exception) -> str:
    return (
        f"Something went wrong that should not: {type(error).__name__}: {error}. To see where, "
        f"call it again with --debug; please report it."
    )


def _placed(error: SatsumaError, named: dict[str, Any]) -> str:
    """What is wrong, with the file in front where the message names none."""
    message, file = str(error), named.get("file")
    files = [named[each] for each in ("file", "model", "output") if named.get(each)]
    known = [each for file in files for each in (file, public_name(file))]
    if not file or isinstance(error, ParameterError) or any(each in message for each in known):
        return as_options(message)
    return f"{public_name(file)}: {as_options(message)}"


def fail(message: str) -> typer.Exit:
    """Write what is wrong on stderr in one line; the exit to raise, with its code."""
    line = cut(" ".join(message.split()), MOST)
    sys.stderr.write(f"satsuma: {line}\n")
    return typer.Exit(BAD)
