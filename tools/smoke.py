"""Smoke tests of an installed package, for an environment that has nothing else.

``python tools/smoke.py`` looks, learns, predicts, saves and opens, by the command and in Python;
with ``report``, it writes a report too.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

import satsuma
from satsuma.kernels import compiled


def command(*words: str) -> str:
    """What ``satsuma`` prints; an error unless it ends well."""
    call = [sys.executable, "-m", "satsuma", *words]
    done = subprocess.run(call, capture_output=True, text=True, encoding="utf-8", check=False)  # noqa: S603
    if done.returncode:
        raise SystemExit(f"satsuma {' '.join(words)} failed:\n{done.stdout}{done.stderr}")
    return done.stdout


def by_command(folder: str) -> None:
    """From a file to predictions."""
    file, model, out = (f"{folder}/{name}" for name in ("iris.csv", "m.satsuma", "out.csv"))
    satsuma.write(satsuma.load("iris"), file)
    assert "150 rows" in command("look", file)
    command("compare", file, "-t", "Species", "--folds", "2", "-l", "naive-bayes,tree,majority")
    command("learn", file, "-t", "Species", "-l", "tree", "-o", model)
    command("predict", model, file, "-o", out)
    assert len(satsuma.read(out)) == 150


def in_python(folder: str) -> None:
    """The same, and what was saved predicts the same."""
    iris = satsuma.load("iris")
    for learner in (satsuma.NaiveBayes(), satsuma.Tree(), satsuma.Logistic(), satsuma.KNN()):
        model = learner(iris)
        model.save(f"{folder}/model.satsuma")
        again = satsuma.open_model(f"{folder}/model.satsuma")
        assert (again(iris) == model(iris)).all()
        assert (model(iris) == iris["Species"]).mean() > 0.9
    print(satsuma.cross_validate([satsuma.NaiveBayes(), satsuma.Tree()], iris, folds=3))


def main(arguments: list[str]) -> None:
    """Run all of it in a folder of its own."""
    version = command("--version").strip()
    print(version)
    assert ("pure Python" in version) is not compiled
    assert satsuma.__file__.startswith(sys.prefix), "another installation than the one to be tried"
    with tempfile.TemporaryDirectory() as folder:
        by_command(folder)
        in_python(folder)
        if "report" in arguments:
            command("report", "iris", "-o", f"{folder}/iris.html")
            assert "<h1>iris</h1>" in Path(folder, "iris.html").read_text("utf-8")
    print("smoke tests passed")


if __name__ == "__main__":
    main(sys.argv[1:])
