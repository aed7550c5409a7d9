"""The lowest versions that pyproject.toml allows, as constraints for pip.

``python tools/lowest.py plot,report`` prints them for the default install and these extras.
"""

import re
import sys
import tomllib
from pathlib import Path

PROJECT = Path(__file__).parents[1] / "pyproject.toml"

_LOWEST = re.compile(r"([\w.-]+)(?:\[[\w,]+\])?>=([\w.]+)")


def lowest(extras: list[str]) -> list[str]:
    """One constraint for each package that has a lowest version."""
    project = tomllib.loads(PROJECT.read_text("utf-8"))["project"]
    asked = [*project["dependencies"]]
    for extra in extras:
        asked += project["optional-dependencies"][extra]
    found = (_LOWEST.fullmatch(each) for each in asked)
    return sorted({f"{match[1]}=={match[2]}" for match in found if match})


if __name__ == "__main__":
    print("\n".join(lowest(sys.argv[1].split(",") if len(sys.argv) > 1 else [])))
