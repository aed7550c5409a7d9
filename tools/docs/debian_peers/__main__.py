"""Run Weka's and R's side of the pages, and compare.

``python -m tools.docs.debian_peers``; `make peers-debian` installs what that needs.
"""

import tempfile
from pathlib import Path

from tools.docs.debian_peers import r, weka
from tools.docs.debian_peers.same import write_tables


def main() -> None:
    """Say what was run and what is the same; an error if something is not."""
    with tempfile.TemporaryDirectory() as name:
        write_tables(Path(name))
        wrong = list(weka.failures(Path(name)))
        print(f"weka.md: {len(weka.lines()) - len(weka.NEWER)} lines of Weka run")
        found = [*weka.figures(Path(name)), *r.figures()]
    for each in found:
        print(each)
    wrong += [str(each) for each in found if not each.holds]
    if wrong:
        raise SystemExit("\n".join(wrong))


if __name__ == "__main__":
    main()
