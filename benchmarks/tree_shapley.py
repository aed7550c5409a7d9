"""Shapley values of forests beside shap's TreeExplainer: differences, and time.

`python -m benchmarks tree_shapley`. Three forests, of numbers and of two and three classes; the
trees are handed over to shap as arrays.
"""

from functools import partial
from typing import Any

import numpy as np

from benchmarks.harness import OURS, Report, Row, compare

PEER = "shap, TreeExplainer"
ROWS, TREES = 50, 30


def run(report: Report) -> None:
    """The largest difference of any value, and how long both take."""
    import satsuma

    for name in ("housing", "iris", "heart_disease"):
        table = satsuma.load(name)
        numbers = [v.name for v in table.domain.attributes if v.kind == "num"]
        table = table.select([*numbers, table.domain.target.name])
        model = satsuma.Forest(trees=TREES, missing="ignore")(table)
        known = ~np.isnan(table.to_numpy(numbers)).any(axis=1)
        rows = table[np.flatnonzero(known)[:ROWS]]
        apart = np.abs(_ours(model, rows) - _theirs(model, rows, numbers)).max()
        figure = f"{apart:.1e}"
        report.add(Row(f"TreeSHAP, {name}, largest difference", OURS, figure, "", "1e-9"))
        asked = {OURS: partial(_ours, model, rows), PEER: partial(_theirs, model, rows, numbers)}
        compare(report, f"TreeSHAP, {name}, {ROWS} rows, {TREES} trees", asked, {}, 3)


def _ours(model: Any, rows: Any) -> np.ndarray:
    """(rows, outputs, columns and what is expected)."""
    return model.contributions(rows)


def _theirs(model: Any, rows: Any, names: list[str]) -> np.ndarray:
    import shap

    trees = [_tree(flat, says, TREES) for flat, says in model.trees()]
    explainer = shap.TreeExplainer({"trees": trees}, feature_perturbation="tree_path_dependent")
    x = rows.to_numpy(names)
    found = np.asarray(explainer.shap_values(x, check_additivity=False))
    found = found[:, :, None] if found.ndim == 2 else found
    base = np.broadcast_to(np.atleast_1d(explainer.expected_value), (len(x), found.shape[2]))
    return np.concatenate([found.transpose(0, 2, 1), base[:, :, None]], axis=2)


def _tree(flat: Any, says: np.ndarray, trees: int) -> dict[str, np.ndarray]:
    """A tree of binary divisions of numbers as shap takes it; its part of the mean of all."""
    nodes = len(flat.column)
    left, right = np.full(nodes, -1), np.full(nodes, -1)
    inner = np.flatnonzero(flat.column >= 0)
    left[inner] = flat.branches[flat.first[inner]]
    right[inner] = flat.branches[flat.first[inner] + 1]
    weight = np.ones(nodes)
    for node in inner.tolist():  # each comes before its branches
        for child in (left[node], right[node]):
            weight[child] = weight[node] * flat.share[child]
    return {
        "children_left": left,
        "children_right": right,
        "children_default": left,
        "features": np.where(flat.column >= 0, flat.column, -2),
        "thresholds": np.where(flat.column >= 0, flat.threshold, 0.0),
        "values": says / trees,
        "node_sample_weight": weight,
    }
