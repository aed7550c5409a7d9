"""A short run of the fuzzer, so that it stays alive; `make fuzz` gives it its time."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

FUZZ = Path(__file__).parents[1] / "fuzz"
SECONDS = 8
HELLO = "int main(void) { return 0; }\n"


@pytest.fixture(scope="module")
def sanitizers(tmp_path_factory):
    """Skip unless gcc is there, with the libraries of its sanitizers."""
    if shutil.which("gcc") is None:
        pytest.skip("no gcc: the fuzzer cannot be built")
    folder = tmp_path_factory.mktemp("hello")
    (folder / "hello.c").write_text(HELLO)
    options = ["-fsanitize=address,undefined", "hello.c", "-o", "hello"]
    built = subprocess.run(["gcc", *options], cwd=folder, capture_output=True, check=False)
    if built.returncode or subprocess.run([folder / "hello"], check=False).returncode:
        pytest.skip("gcc has no AddressSanitizer here (libasan and libubsan)")


def run(folder, seconds, flags=""):
    environment = {"COMPILER": "gcc", "FUZZ_BUILD": str(folder), "FUZZ_FLAGS": flags}
    return subprocess.run(
        ["bash", FUZZ / "run.sh", str(seconds)],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.usefixtures("sanitizers")
def test_a_short_run_finds_nothing(tmp_path):
    done = run(tmp_path, SECONDS, "-Werror")
    assert done.returncode == 0, done.stdout + done.stderr
    last = done.stdout.splitlines()[-1]
    assert last.endswith("inputs, none of them a trouble")
    assert int(last.split()[0]) > 1000


@pytest.mark.usefixtures("sanitizers")
def test_it_would_find_something(tmp_path):
    """Given less room than promised, the scanner writes outside: seen, and the input is kept."""
    done = run(tmp_path, 60, "-DROWS_WITHHELD=1")
    assert done.returncode != 0
    assert "AddressSanitizer: heap-buffer-overflow" in done.stderr
    again = [tmp_path / "drive", tmp_path / "crash"]
    told = subprocess.run(again, capture_output=True, check=False).stderr
    assert b"heap-buffer-overflow" in told
