"""Starting cold: fresh processes, to a first prediction, and from a file to a model."""

import subprocess
import sys

from benchmarks.harness import OURS, Report, compare
from benchmarks.tables import mixed_csv

_IRIS = {
    OURS: """
import satsuma
table = satsuma.load("iris")
print(satsuma.NaiveBayes(table)(table[0]))
""",
    "scikit-learn": """
from sklearn.datasets import load_iris
from sklearn.naive_bayes import GaussianNB
X, y = load_iris(return_X_y=True)
print(GaussianNB().fit(X, y).predict(X[:1]))
""",
}

_FILE = {
    OURS: """
import sys, satsuma
print(satsuma.NaiveBayes(satsuma.read(sys.argv[1], target="s0")))
""",
    "pandas + ColumnTransformer + scikit-learn": """
import sys, pandas as pd
from sklearn.compose import ColumnTransformer
from sklearn.impute import SimpleImputer
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder
frame = pd.read_csv(sys.argv[1]).dropna(subset=["s0"])
y = frame.pop("s0")
numbers = [c for c in frame if c.startswith("x")]
symbols = [c for c in frame if c.startswith("s")]
prepare = ColumnTransformer([
    ("n", SimpleImputer(), numbers),
    ("s", OneHotEncoder(sparse_output=False), symbols),
])
print(make_pipeline(prepare, GaussianNB()).fit(frame, y))
""",
    "duckdb, aggregates in SQL": """
import sys, duckdb
duckdb.sql("set threads = 2")
file = f"read_csv('{sys.argv[1]}')"
sums = ", ".join(f"count(x{j}), avg(x{j}), var_samp(x{j})" for j in range(10))
duckdb.sql(f"create table t as select * from {file}")
print(len(duckdb.sql(f"select s0, count(*), {sums} from t group by s0").fetchall()))
for j in range(1, 10):
    duckdb.sql(f"select s0, s{j}, count(*) from t group by s0, s{j}").fetchall()
""",
}


def run(report: Report) -> None:
    """Iris, and the 147 MB file."""

    def process(code: str, *arguments: str) -> None:
        subprocess.run(
            [sys.executable, "-c", code, *arguments], check=True, stdout=subprocess.DEVNULL
        )

    iris = {who: lambda code=code: process(code) for who, code in _IRIS.items()}
    compare(report, "cold, iris to a first prediction", iris, {"scikit-learn": 5}, 7)
    path = str(mixed_csv())
    file = {who: lambda code=code: process(code, path) for who, code in _FILE.items()}
    asked = {"pandas + ColumnTransformer + scikit-learn": 15, "duckdb, aggregates in SQL": 1}
    compare(report, "cold, CSV to a naive Bayes model", file, asked, 3)
