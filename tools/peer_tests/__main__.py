"""Run scikit-learn's own test files with our learners in the place of its estimators.

``python -m tools.peer_tests`` runs all of them, ``python -m tools.peer_tests tree`` those with
that in their name. It prints a row of docs/checked.md for each, and what is yet to be looked at;
what was found is kept in ``build/peer_tests``. It needs the packages of the tests, and takes
minutes.
"""

import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

from tools.peer_tests.causes import ASKS, cause
from tools.peer_tests.swaps import FILES

ROOT = Path(__file__).parents[2]
RESULTS = ROOT / "build" / "peer_tests"

HEAD = (
    "| its tests of | learn by ours | ask for what is not there | others that pass | what fails |"
)


def run(name: str, folder: Path = RESULTS) -> list[dict[str, str]]:
    """What became of the tests of a module, in which one of ours learned."""
    folder.mkdir(parents=True, exist_ok=True)
    kept, log = folder / f"{name}.json", folder / f"{name}.txt"
    kept.unlink(missing_ok=True)
    words = ["-m", "pytest", "-c", os.devnull, "-q", "--tb=no", "--pyargs", name]
    for plugin in ("no:cacheprovider", "no:randomly", "no:xdist", "tools.peer_tests.plugin"):
        words += ["-p", plugin]
    more = {"PEER_TESTS_RESULTS": str(kept), "PYTHONPATH": str(ROOT), "MPLBACKEND": "agg"}
    with log.open("w") as told:
        command = [sys.executable, *words]
        done = subprocess.run(  # noqa: S603 (our own pytest)
            command, check=False, cwd=folder, stdout=told, stderr=told, env=os.environ | more
        )
    if done.returncode not in (0, 1):
        raise SystemExit(f"{name} was not run: see {log}.")
    return json.loads(kept.read_text("utf-8"))


def causes(found: list[dict[str, str]]) -> Counter[str]:
    """How many tests passed, ask for what is not there, or fail, by cause."""
    return Counter(
        cause(each["test"], each["why"]) if each["outcome"] == "failed" else each["outcome"]
        for each in found
    )


def row(name: str, counted: Counter[str]) -> str:
    """A row of the table in docs/checked.md."""
    total, asks, passed = counted.total(), counted[ASKS], counted["passed"]
    failed = [(why or "**unknown**", n) for why, n in counted.most_common()]
    reasons = "; ".join(f"{why} ({n})" for why, n in failed if why not in ("passed", ASKS))
    short = name.rpartition("test_")[2].replace("_", " ")
    return f"| {short} | {total} | {asks} | {passed} of {total - asks} | {reasons} |"


def main(names: list[str]) -> None:
    """Run files, print what came of them, and fail where something is not known."""
    print(HEAD, "|---|---|---|---|---|", sep="\n")
    unknown: list[str] = []
    for name in FILES:
        if not names or any(each in name for each in names):
            found = run(f"sklearn.{name}")
            print(row(name, causes(found)), flush=True)
            failed = [each for each in found if each["outcome"] == "failed"]
            unknown += [
                f"{e['test']}: {e['why']}" for e in failed if not cause(e["test"], e["why"])
            ]
    sys.exit("\n\n".join(["Not looked at yet:", *unknown]) if unknown else None)


if __name__ == "__main__":
    main(sys.argv[1:])
