"""Every file of the shared data goes through a look and a comparison."""

from pathlib import Path

import pytest

from tests.cli.running import ran
from tests.tables import FILES

#: Lines of a large file that are taken: a comparison of all rows belongs to the benchmarks.
LINES = 400

#: Files that cannot be compared, each for a reason that is told in its one line.
UNFIT = {
    "always_unknown_class": "two rows",
    "always_unknown_class___class_defined": "two rows",
    "always_unknown_class___continuous": "two rows",
    "cont_attribute___constant_class___continuous": "two rows",  # it is not known either
}


def cut(path, folder):
    """The first rows of a large file; whole where cutting could leave a record open."""
    content = path.read_text("utf-8")
    if path.suffix == ".csv" and len(content) > 100_000 and '"' not in content:
        path = folder / path.name
        path.write_text("".join(content.splitlines(keepends=True)[:LINES]), "utf-8")
    return path


def target_of(capfd, path, marks):
    """The target that the file names, a goal, or its last column."""
    found = ran(capfd, "look", path, "--json", *marks).json
    if found["target"] is not None:
        return []
    goals = [each["name"] for each in found["columns"] if each["role"].startswith("goal")]
    return ["--target", goals[0] if goals else found["columns"][-1]["name"]]


@pytest.mark.parametrize("name", FILES)
def test_a_look_and_a_comparison(capfd, shared, tmp_path, name):
    path = cut(shared(name), tmp_path)
    marks = ["--marks"] if name.startswith("moot") else []
    looked = ran(capfd, "look", path, *marks)
    assert (looked.code, looked.err) == (0, "")
    assert max(map(len, looked.out.splitlines())) <= 80
    words = [*target_of(capfd, path, marks), *marks]
    small = [] if "text" in name or "screening" in name else ["-l", "majority,naive-bayes,tree"]
    numbers = any(
        each["kind"] == "num" and (each["role"] == "target" or each["name"] in words[1:])
        for each in ran(capfd, "look", path, *words, "--json").json["columns"]
    )
    small = ["-l", "mean,ridge,tree"] if numbers else small
    compared = ran(capfd, "compare", path, *words, *small, "--folds", 2)
    assert "Traceback" not in compared.err
    unfit = next((told for part, told in UNFIT.items() if Path(name).stem.endswith(part)), None)
    if unfit is None:
        assert (compared.code, compared.err) == (0, ""), compared
        assert "Take " in compared.out or "Nothing is significantly better" in " ".join(
            compared.out.split()
        )
    else:
        assert compared.code == 1
        assert unfit in compared.err
        assert compared.err.count("\n") == 1
