"""Build the sdist and the wheel, check them, and try the wheel where there is nothing else.

``python -m tools.wheel`` leaves them in ``dist``; it needs the packages of the group ``wheel``.
``python -m tools.wheel again`` builds once more and compares: the same sources give the same bytes.
"""

import hashlib
import os
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
DIST, BUILT, EMPTY = ROOT / "dist", ROOT / "build" / "wheel", ROOT / "build" / "wheel-env"

#: What stands at the top of the sdist: what is built, and what tells of it.
IN_SDIST = {
    "CHANGELOG.md", "CITATION.cff", "LICENSE", "PKG-INFO", "README.md", "SECURITY.md",
    "meson.build", "meson.options", "pyproject.toml", "src",
}  # fmt: skip

#: Endings of what is made on the way, and has no place in an sdist.
MADE = (".pyc", ".so", ".pyd", ".o")


def run(*words: object, **environment: str) -> None:
    """Run a program; its failure ends all."""
    subprocess.run([*map(str, words)], check=True, cwd=ROOT, env=os.environ | environment)  # noqa: S603


def build(folder: Path) -> list[Path]:
    """An sdist of what is committed, and a wheel of the sdist, with the time of the commit."""
    shutil.rmtree(folder, ignore_errors=True)
    asked = ("git", "log", "-1", "--format=%ct")
    made = subprocess.check_output(asked, cwd=ROOT, text=True)  # noqa: S603
    epoch = os.environ.get("SOURCE_DATE_EPOCH", made.strip())
    run(sys.executable, "-m", "build", "--outdir", folder, SOURCE_DATE_EPOCH=epoch)
    (wheel,) = folder.glob("*.whl")
    if sys.platform == "linux":
        # For any Linux that is not older than what the wheel asks of its C library.
        tools = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
        repair = ("-m", "auditwheel", "repair", "--wheel-dir", folder, wheel)
        run(sys.executable, *repair, PATH=tools, SOURCE_DATE_EPOCH=epoch)
        wheel.unlink()
    return sorted(folder.iterdir())


def check_sdist(path: Path) -> None:
    """It has what is needed, and nothing else."""
    with tarfile.open(path) as archive:
        names = [name.partition("/")[2] for name in archive.getnames() if "/" in name]
    top = {name.partition("/")[0] for name in names}
    made = [name for name in names if name.endswith(MADE)]
    if top != IN_SDIST or made:
        raise SystemExit(f"{path.name} has {sorted(top ^ IN_SDIST)} too many or too few, {made}.")
    print(f"{path.name}: {len(names)} files, {path.stat().st_size / 1e6:.1f} MB")


def megabytes(folder: Path) -> float:
    """What the files below a folder hold."""
    files = (path for path in folder.rglob("*") if path.is_file() and not path.is_symlink())
    return sum(path.stat().st_size for path in files) / 1e6


def try_wheel(wheel: Path) -> None:
    """Install it into an empty environment, with no compiler to be found, and use it."""
    shutil.rmtree(EMPTY, ignore_errors=True)
    run(sys.executable, "-m", "venv", EMPTY)
    scripts = EMPTY / ("Scripts" if sys.platform == "win32" else "bin")
    alone = {"PATH": str(scripts), "CC": "no-compiler", "PYTHONDONTWRITEBYTECODE": "1"}
    python, before = scripts / "python", megabytes(EMPTY)
    install = (python, "-m", "pip", "install", "--quiet", "--no-compile", "--only-binary", ":all:")
    run(*install, wheel, **alone)
    lean = megabytes(EMPTY) - before
    run(python, "-W", "error", ROOT / "tools" / "smoke.py", **alone)
    run(*install, f"satsuma[report] @ {wheel.as_uri()}", **alone)
    report = megabytes(EMPTY) - before
    run(python, ROOT / "tools" / "smoke.py", "report", **alone)
    print(f"installed: {lean:.0f} MB beyond Python, {report:.0f} MB with satsuma[report]")


def hashes(paths: list[Path]) -> dict[str, str]:
    """By which the same files are told."""
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in paths}


def main(arguments: list[str]) -> None:
    """Build, check and try; or build again and compare."""
    if "again" in arguments:
        first, second = hashes(sorted(DIST.iterdir())), hashes(build(BUILT))
        for name in sorted(first | second):
            print(f"{name}: {'the same' if first.get(name) == second.get(name) else 'different'}")
        raise SystemExit(first != second)
    made = build(DIST)
    run(sys.executable, "-m", "twine", "check", "--strict", *made)
    (sdist,), (wheel,) = ([p for p in made if p.suffix == end] for end in (".gz", ".whl"))
    check_sdist(sdist)
    print(f"{wheel.name}: {wheel.stat().st_size / 1e6:.1f} MB")
    try_wheel(wheel)


if __name__ == "__main__":
    main(sys.argv[1:])
