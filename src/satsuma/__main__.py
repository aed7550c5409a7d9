"""``python -m satsuma`` is the command."""

import sys

from satsuma.cli import main

if __name__ == "__main__":
    sys.exit(main())
