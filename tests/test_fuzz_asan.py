"""A short run of the fuzzer, so that it stays alive; `make fuzz` gives it its time."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SCANNER = Path("src", "satsuma", "kernels", "csv")
SECONDS = 3
HELLO = "int main(void) { return 0; }\n"
FUZZER = "int LLVMFuzzerTestOneInput(const char *b, unsigned long n) { return b && n && 0; }\n"


def builds(folder, compiler, source, options):
    """Whether a small program can be built, with the libraries of the sanitizers, and run."""
    if shutil.which(compiler) is None:
        return False
    (folder / "hello.c").write_text(source)
    command = [compiler, f"-fsanitize={options}", "hello.c", "-o", "hello"]
    if subprocess.run(command, cwd=folder, capture_output=True, check=False).returncode:
        return False
    ran = subprocess.run([folder / "hello", "-runs=1"], capture_output=True, check=False)
    return ran.returncode == 0


@pytest.fixture(scope="module")
def sanitizers(tmp_path_factory):
    """Skip unless gcc is there, with the libraries of its sanitizers."""
    if not builds(tmp_path_factory.mktemp("hello"), "gcc", HELLO, "address,undefined"):
        pytest.skip("no gcc with AddressSanitizer here (libasan and libubsan)")


@pytest.fixture(scope="module")
def libfuzzer(tmp_path_factory):
    """Skip unless clang is there, with libFuzzer."""
    if not builds(tmp_path_factory.mktemp("hello"), "clang", FUZZER, "fuzzer,address,undefined"):
        pytest.skip("no clang with libFuzzer here (libclang-rt)")


def run(folder, seconds, flags="", compiler="gcc", root=ROOT):
    environment = {"COMPILER": compiler, "FUZZ_BUILD": str(folder), "FUZZ_FLAGS": flags}
    return subprocess.run(
        ["bash", root / "fuzz" / "run.sh", "csv", str(seconds)],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture
def planted(tmp_path):
    """The fuzzer and the scanner with some words of a source replaced."""

    def plant(source, right, wrong):
        root = tmp_path / "planted"
        shutil.copytree(ROOT / "fuzz", root / "fuzz")
        (root / SCANNER).mkdir(parents=True)
        for path in (ROOT / SCANNER).glob("*.[ch]"):
            shutil.copy(path, root / SCANNER)
        text = (root / SCANNER / source).read_text()
        assert text.count(right) == 1
        (root / SCANNER / source).write_text(text.replace(right, wrong))
        return root

    return plant


@pytest.mark.usefixtures("sanitizers")
def test_a_short_run_finds_nothing(tmp_path):
    done = run(tmp_path, SECONDS, "-Werror")
    assert done.returncode == 0, done.stdout + done.stderr
    last = done.stdout.splitlines()[-1]
    assert last.endswith("inputs, none of them a trouble")
    assert int(last.split()[0]) >= 256  # the clock is read after so many
    for found in sorted((ROOT / "fuzz" / "found").iterdir()):  # what once did harm
        again = [tmp_path / "drive", found]
        done = subprocess.run(again, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr


@pytest.mark.usefixtures("sanitizers")
def test_it_would_find_something(tmp_path):
    """Given less room than promised, the scanner writes outside: seen, and the input is kept."""
    done = run(tmp_path, 60, "-DROWS_WITHHELD=1")
    assert done.returncode != 0
    assert "AddressSanitizer: heap-buffer-overflow" in done.stderr
    again = [tmp_path / "drive", tmp_path / "crash"]
    told = subprocess.run(again, capture_output=True, check=False).stderr
    assert b"heap-buffer-overflow" in told


WIDE = "scan.c", "sc->batch < FEW_ROWS ? sc->batch : FEW_ROWS", "FEW_ROWS"
SEEN = r"ERROR: AddressSanitizer|runtime error:|does not hold:"  # by a sanitizer, or in the result


@pytest.mark.usefixtures("sanitizers")
@pytest.mark.parametrize(("flags", "told"), [("", "Assertion .* failed"), ("-DNDEBUG", SEEN)])
def test_it_would_find_a_wide_overflow(tmp_path, planted, flags, told):
    """More rows of many columns than there is room for: asserted, and seen where it is not."""
    done = run(tmp_path, 60, flags, root=planted(*WIDE))
    assert done.returncode != 0
    assert re.search(told, done.stderr)
    assert (tmp_path / "crash").exists()


@pytest.mark.usefixtures("libfuzzer")
@pytest.mark.parametrize(
    "mistake",
    [
        WIDE,
        ("columns.h", " && d->quote != '-'", ""),  # cells of two quotes that look like a minus
        ("lines.h", "a != 'y' && b != 'y' ? 'y' : 'z'", "'y'"),  # a delimiter as a filler
    ],
    ids=["wide", "minus", "filler"],
)
def test_libfuzzer_would_find_it_from_its_seeds(tmp_path, planted, mistake):
    done = run(tmp_path, 60, "-DNDEBUG", "clang", planted(*mistake))
    assert done.returncode != 0
    assert re.search(SEEN, done.stderr)
    assert list(tmp_path.glob("crash-*"))
