"""The package on other versions of CPython: a wheel for each that is here, and tests of it.

``python -m tools.pythons TESTS`` looks for each version below on the path and in pyenv's folder. It
builds a wheel with it, installs that where nothing else is, and runs the smoke tests and TESTS.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
MADE = ROOT / "build" / "pythons"

VERSIONS = ("3.12", "3.13")
EXTRAS = "plot,report,label,sklearn"


def candidates(version: str) -> Iterator[str]:
    """Programs that may be an interpreter of a version."""
    if found := shutil.which(f"python{version}"):
        yield found
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
    yield from map(str, sorted(pyenv.glob(f"versions/{version}.*/bin/python")))


def interpreter(version: str) -> str | None:
    """One that runs, and is CPython of that version; a shim of pyenv may be neither."""
    asked = "import sys; print(sys.implementation.name, '%d.%d' % sys.version_info[:2])"
    for path in candidates(version):
        ran = subprocess.run([path, "-c", asked], capture_output=True, text=True, check=False)  # noqa: S603
        if ran.stdout.split() == ["cpython", version]:
            return path
    return None


def run(*words: object) -> None:
    """Run a program; its failure ends all."""
    environment = os.environ | {"PYTHONDONTWRITEBYTECODE": "", "PYTHONHASHSEED": "0"}
    subprocess.run([*map(str, words)], check=True, cwd=ROOT, env=environment)  # noqa: S603


def try_version(version: str, path: str, tests: list[str]) -> None:
    """Build, install and test."""
    folder = MADE / version
    shutil.rmtree(folder, ignore_errors=True)
    run(path, "-m", "venv", folder)
    python = folder / "bin" / "python"
    pip = (python, "-m", "pip", "--quiet", "--disable-pip-version-check")
    run(*pip, "install", "--upgrade", "pip")
    run(*pip, "wheel", "--no-deps", "--wheel-dir", folder / "wheel", ROOT)
    (wheel,) = (folder / "wheel").glob("*.whl")
    package = f"satsuma[{EXTRAS}] @ {wheel.as_uri()}"
    run(*pip, "install", "--constraint", "constraints.txt", package, "--group", "lowest")
    run(python, "tools/smoke.py", "report")
    run(python, "-m", "pytest", "--hypothesis-profile=quick", *tests)


def main(tests: list[str]) -> None:
    """Each version that is here."""
    for version in VERSIONS:
        path = interpreter(version)
        if path is None:
            print(f"CPython {version} is not installed here.")
            continue
        try_version(version, path, tests)
        print(f"CPython {version}: built, installed and tested by {path}.", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
