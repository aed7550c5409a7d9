"""Run the peers' side of the pages for people who come from elsewhere.

In a table whose last column is called Satsuma, what is set as code in the first column is run, each
peer in a process of its own. What stands there for short is written out below. Options of commands
are not run. Weka and R (mlr3) are the part of `tools.docs.debian_peers`.

``python -m tools.docs.peers scikit_learn river``; without names, all of them.
"""

import re
import subprocess
import sys
import tempfile
from contextlib import chdir
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

PAGES = Path(__file__).parents[2] / "docs" / "coming_from"

_CODE = re.compile(r"`([^`]+)`")
_RULE = re.compile(r"\|[\s:|-]+\|")


@dataclass(frozen=True)
class Peer:
    """A page, and what its first column needs.

    Parameters
    ----------
    heading
        Of the column; other tables are of something else.
    before
        What is run first: imports, and what is called by a name.
    instead
        What is run for what stands there for short; nothing if it is no code.
    """

    heading: str
    before: str
    instead: dict[str, str] = field(default_factory=dict[str, str])


PEERS = {
    "scikit_learn": Peer(
        "in scikit-learn",
        """\
import joblib, scipy.sparse, sklearn
from sklearn.datasets import load_iris
from sklearn.utils.discovery import all_displays, all_estimators, all_functions
globals().update([*all_estimators(), *all_displays(), *all_functions()])
sklearn.set_config(enable_metadata_routing=True)
X, y = load_iris(return_X_y=True)
c, alpha, l1_ratio, path = [0, 1, 2], 0.1, 0.5, "clf.joblib"
sparse_matrix = scipy.sparse.csr_array(X)
clf, est, ests = MultinomialNB().fit(X, y), GaussianNB(), [("nb", GaussianNB())]
lr, lda, km = LogisticRegression(max_iter=1000).fit(X, y), LinearDiscriminantAnalysis(), KMeans(3)
forest = RandomForestClassifier(n_estimators=5).fit(X, y)
""",
    ),
    "orange": Peer(
        "in Orange 3",
        """\
from Orange.base import Model
from Orange.classification import *
from Orange.clustering import KMeans
from Orange.data import ContinuousVariable, DiscreteVariable, StringVariable, Table
from Orange.evaluation import CA, CrossValidation, LeaveOneOut, TestOnTestData
from Orange.preprocess import Discretize, SelectBestFeatures
from Orange.preprocess.discretize import EntropyMDL, EqualFreq, EqualWidth
from Orange.preprocess.score import GainRatio, InfoGain, ReliefF
from Orange.regression import MeanLearner
data = Table("iris")
learners = [NaiveBayesLearner(), MajorityLearner()]
model, row = NaiveBayesLearner()(data), data[0]
results = CrossValidation(k=2)(data, learners)
""",
        {
            "Orange.data.Table": "Table",
            ".class_var": "data.domain.class_var",
            ".metas": "data.domain.metas",
            "Explain": "",
        },
    ),
    "river": Peer(
        "in river",
        """\
from itertools import islice
import pandas as pd
from river import (
    active, anomaly, cluster, compose, datasets, drift, ensemble, evaluate, linear_model, metrics,
    naive_bayes, neighbors, preprocessing, stats, tree, utils,
)
from river.naive_bayes import MultinomialNB
stream = list(islice(datasets.Phishing(), 200))
x, label = stream[0]
X, y = pd.DataFrame([row for row, _ in stream]), pd.Series([each for _, each in stream])
model, metric = linear_model.LogisticRegression(), metrics.Accuracy()
mean, other_mean, adwin, error = stats.Mean(), stats.Mean(), drift.ADWIN(), 1
mean.update(1.0)
""",
        {
            "utils.Rolling(…, window_size=100)": "utils.Rolling(stats.Mean(), window_size=100)",
            "model.learn_one(x, y)": "model.learn_one(x, label)",
        },
    ),
    "ezr": Peer(
        "in ezr (0.5)",
        """\
from ezr.ezr import *
file = "cars.csv"
with open(file, "w") as written:
    written.write("Clndrs,Origin,Lbs-,Mpg+\\n")
    for at in range(40):
        written.write(f"{4 + at % 3},{at % 2},{2000 + 10 * at},{40 - at % 20}\\n")
data, col, n = Data(csv(file)), adds([1, 2]), Num()
row, a, b = data.rows[2], *data.rows[:2]
tree = Tree(data)
""",
        dict.fromkeys(["xploit", "xplor", "adapt"], ""),  # values of an option
    ),
}


def snippets(text: str, heading: str) -> list[tuple[int, str]]:
    """The code in the first column of the tables with this heading, each with its line."""
    found, theirs, lines = list[tuple[int, str]](), False, text.splitlines()
    for line, row in enumerate(lines):
        cells = [cell.strip() for cell in row.strip().strip("|").split(" | ")]
        if not row.startswith("|"):
            theirs = False
        elif line + 1 < len(lines) and _RULE.fullmatch(lines[line + 1]):
            theirs = cells[0] == heading and cells[-1] == "Satsuma"
        elif theirs:
            found += [(line + 1, code) for code in _CODE.findall(cells[0])]
    return found


def run(text: str, peer: Peer) -> list[str]:
    """What fails of a page; an option of a command is not run."""
    names, failures = dict[str, Any](), list[str]()
    exec(peer.before, names)  # noqa: S102 (ours)
    for line, shown in snippets(text, peer.heading):
        code = "" if shown.startswith("-") else peer.instead.get(shown, shown)
        try:
            exec(compile(code, "<table>", "exec"), names)  # noqa: S102 (pages of our own)
        except Exception as error:  # noqa: BLE001 (whatever it is, the page is wrong)
            failures.append(f"line {line}: `{shown}`: {type(error).__name__}: {error}")
    return failures


def main(asked: list[str]) -> None:
    """One peer here, or each of several in a process of its own."""
    if len(asked) != 1:
        calls = ([sys.executable, "-m", __spec__.name, name] for name in asked or PEERS)
        codes = [subprocess.run(call, check=False).returncode for call in calls]  # noqa: S603
        raise SystemExit(max(codes))
    path, peer = PAGES / f"{asked[0]}.md", PEERS[asked[0]]
    text = path.read_text("utf-8")
    with tempfile.TemporaryDirectory() as folder, chdir(folder):
        failures = run(text, peer)
    if failures:
        raise SystemExit("\n".join(f"{path.name}, {failure}" for failure in failures))
    print(f"{path.name}: {len(snippets(text, peer.heading))} lines of {peer.heading[3:]} run")


if __name__ == "__main__":
    main(sys.argv[1:])
