import tarfile

import pytest

from tests.tables import SHARED


@pytest.fixture(scope="session")
def unpacked(tmp_path_factory):
    """The folder of a collection, as in unpacked("arff"), and its files by their names."""
    folder = tmp_path_factory.mktemp("suites")

    def found(collection, under=""):
        place = folder / collection
        if not place.exists():
            with tarfile.open(SHARED.parent / "suites" / f"{collection}.tar.xz") as files:
                files.extractall(place, filter="data")
        files = sorted(path for path in (place / under).rglob("*") if path.is_file())
        return {path.relative_to(place / under).as_posix(): path for path in files}

    return found
