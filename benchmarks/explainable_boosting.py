"""The figures of InterpretML's explainable boosting machine, on the same folds and rows.

It takes minutes for a table, so its figures are kept in `explainable_boosting.json`, each with its
processor seconds. `python -m benchmarks.explainable_boosting` measures those that are missing
there; take some out to have them measured anew.
"""

import json
import time
from pathlib import Path
from typing import Any

import numpy as np

#: Where they are kept.
FILE = Path(__file__).with_suffix(".json")


def kept(name: str) -> tuple[float, float]:
    """The score of a table and processor seconds, as they were measured last."""
    score, seconds = json.loads(FILE.read_text("utf-8"))["figures"][name]
    return score, seconds


def fit(frame: Any, truth: Any, kinds: list[str], *, classes: bool) -> Any:
    """A machine with its defaults, on one thread."""
    from interpret.glassbox import ExplainableBoostingClassifier, ExplainableBoostingRegressor

    kind = ExplainableBoostingClassifier if classes else ExplainableBoostingRegressor
    return kind(feature_types=kinds, random_state=0, n_jobs=1).fit(frame, truth)


def predicted(table: Any, train: Any, test: Any, *, classes: bool) -> Any:
    """What it predicts for rows: probabilities by code, or numbers."""
    import pandas as pd

    columns, kinds = {}, []
    for v in table.domain.attributes:
        cells = table.column(v.name)
        number = v.kind == "num"
        kinds.append("continuous" if number else "nominal")
        columns[v.name] = cells if number else np.where(cells < 0, None, cells.astype(str))
    frame, truth = pd.DataFrame(columns), table.column(table.domain.target.name)
    model = fit(frame.iloc[train], truth[train], kinds, classes=classes)
    if not classes:
        return model.predict(frame.iloc[test])
    found = np.zeros((len(test), len(table.domain.target.values)))
    found[:, model.classes_.astype(int)] = model.predict_proba(frame.iloc[test])
    return found


def large(*, classes: bool) -> tuple[Any, Any]:
    """100,000 rows of 20 numbers, four of which tell something, and their target."""
    rng = np.random.default_rng(0)
    x = rng.normal(size=(100_000, 20))
    truth = np.sin(2 * x[:, 0]) + x[:, 1] * x[:, 2] + np.abs(x[:, 3]) / 2 + 0.3 * x[:, 4]
    if classes:
        return x, np.where(rng.random(len(x)) < 1 / (1 + np.exp(-truth)), "b", "a")
    return x, truth + rng.normal(size=len(x))


def main() -> None:
    """Measure what is missing."""
    from importlib.metadata import version

    from benchmarks import accuracy

    found = json.loads(FILE.read_text("utf-8")) if FILE.exists() else {"figures": {}}
    found["version"] = version("interpret-core")
    todo = [(path, True) for path in accuracy.CLASSES] + [
        (path, False) for path in accuracy.NUMBERS
    ]
    for path, classes in todo:
        if path not in found["figures"]:
            start = time.process_time()
            score = accuracy.score(None, *accuracy.read(path), classes=classes)
            found["figures"][path] = [round(score, 6), round(time.process_time() - start, 1)]
            _keep(found)
    for name, classes in (("large, classes", True), ("large, numbers", False)):
        if name not in found["figures"]:
            x, truth = large(classes=classes)
            start = time.process_time()
            fit(x, truth, ["continuous"] * x.shape[1], classes=classes)
            found["figures"][name] = [None, round(time.process_time() - start, 1)]
            _keep(found)


def _keep(found: Any) -> None:
    FILE.write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")
    print(list(found["figures"].items())[-1], flush=True)


if __name__ == "__main__":
    main()
