"""The command: from a file to an answer in one line. A thin shell over the library."""

import sys
from collections.abc import Sequence

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command, and return its exit code: 0, 1 for bad input, 2 for a wrong call.

    Parameters
    ----------
    arguments
        What stands behind ``satsuma``; that of the process unless given.
    """
    from satsuma.cli.app import run

    return run(list(sys.argv[1:] if arguments is None else arguments))
