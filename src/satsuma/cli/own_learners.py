"""Own learners: classes of learners that a module outside of the library defines."""

import importlib
import inspect
import os
import sys
import traceback
from pathlib import Path
from types import ModuleType
from typing import Any

from satsuma.errors import ParameterError, hint

#: Names of modules that were imported for a command.
_imported: set[str] = set()


def own_class(module: str, name: str, known: list[str]) -> Any:
    """A class of learners, by its module and its name.

    Parameters
    ----------
    module
        In the folder where the command was called, or among those that are installed.
    name
        The class.
    known
        Names of learners that may have been meant instead of the module.
    """
    from satsuma.learners.learner import Learner

    found = own_module(module, f":{name}", known)
    kind: Any = vars(found).get(name)
    learners = {each for each, value in vars(found).items() if _is_below(value, Learner)}
    if kind is None:
        raise ParameterError(
            f"The module {module!r} has no learner {name!r}. {hint(name, sorted(learners))}"
        )
    if name not in learners:
        what = f"a {type(kind).__name__}" if not inspect.isclass(kind) else "a class"
        raise ParameterError(
            f"{module}:{name} is {what}, and no learner: a learner is a class that is derived "
            f"from satsuma.Learner."
        )
    if inspect.isabstract(kind):
        lacking = ", ".join(sorted(kind.__abstractmethods__))
        raise ParameterError(f"{module}:{name} cannot learn: it does not define {lacking}.")
    return kind


def own_module(name: str, rest: str = "", known: list[str] | None = None) -> ModuleType:
    """A module from the folder where the command was called, or an installed one.

    Parameters
    ----------
    name
        Its name, with dots between packages.
    rest
        What stood behind the name, for messages.
    known
        Other words that may have been meant.
    """
    if name.endswith(".py"):
        raise ParameterError(f"Name the module without .py: {name.removesuffix('.py')}{rest}.")
    here = os.getcwd()  # noqa: PTH109 - entries of the path are strings
    if here not in sys.path:
        sys.path.append(here)  # last, so that no file hides a library
    importlib.invalidate_caches()
    if all(name.split(".")):
        try:
            found = importlib.import_module(name)
        except ModuleNotFoundError as error:
            if error.name is None or not f"{name}.".startswith(f"{error.name}."):
                raise _broken(name, error) from None
        except (Exception, SystemExit) as error:  # noqa: BLE001 - it may raise whatever it likes
            raise _broken(name, error) from None
        else:
            _imported.add(name)
            return found
    raise _lost(name, known or [])


def _lost(name: str, known: list[str]) -> ParameterError:
    """The error for a module that is not there."""
    hinted = hint(name, [*known, *(path.stem for path in Path().glob("*.py"))])
    what = "learner or module" if known else "module"
    meant = f" {hinted}" if hinted.startswith("Did") else ""
    return ParameterError(
        f"There is no {what} {name!r}, neither in this folder nor installed.{meant}"
    )


def _is_below(value: Any, top: type) -> bool:
    return inspect.isclass(value) and issubclass(value, top)


def _broken(name: str, error: BaseException) -> ParameterError:
    """The error for a module that raises when it is imported, with the line that does."""
    if isinstance(error, SyntaxError):
        file, line, told = error.filename or name, error.lineno, error.msg
    else:
        last = traceback.extract_tb(error.__traceback__)[-1]
        file, line, told = last.filename, last.lineno, str(error)
    return ParameterError(
        f"The module {name!r} cannot be imported: {type(error).__name__}: {told} "
        f"({Path(file).name}, line {line})."
    )


def own_failure(error: BaseException) -> str | None:
    """What failed in a module that was imported for a command, and where; None if none did."""
    frames = [
        (frame.f_code, line)
        for frame, line in traceback.walk_tb(error.__traceback__)
        if frame.f_globals.get("__name__") in _imported
    ]
    if not frames:
        return None
    code, line = frames[-1]
    return (
        f"{code.co_qualname} failed: {type(error).__name__}: {error} "
        f"({Path(code.co_filename).name}, line {line}). To see more, call it again with --debug."
    )
