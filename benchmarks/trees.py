"""Trees: growing and asking beside scikit-learn and LightGBM, with the same limits for all."""

import warnings
from functools import partial

import numpy as np

from benchmarks.harness import OURS, Report, Row, compare

N, WIDTH, CLASSES, LEVELS, THREADS = 1_000_000, 20, 3, 10, 2
DEPTH, LEAF, LEAVES = 12, 20, 4096


def run(report: Report) -> None:
    """A tree of numbers, one of symbols, answers of a tree, and a forest."""
    warnings.simplefilter("ignore")
    rng = np.random.default_rng(0)
    numbers, labels = _numbers(rng, N)
    _tree(report, rng, numbers, labels)
    _multiway(report, rng)
    _forest(report, np.ascontiguousarray(numbers[: N // 5]), labels[: N // 5])
    _deep_forests(report, rng)


def _numbers(rng: np.random.Generator, n: int) -> tuple[np.ndarray, np.ndarray]:
    """A sharp rule of four columns, and a tenth of the labels at random."""
    x = rng.normal(size=(n, WIDTH))
    y = (x[:, 0] > 0.3).astype(int) + ((x[:, 1] * x[:, 2] > 0.1) & (x[:, 3] < 1))
    return x, _noisy(rng, y)


def _noisy(rng: np.random.Generator, labels: np.ndarray) -> np.ndarray:
    wrong = rng.random(len(labels)) < 0.1
    labels[wrong] = rng.integers(0, CLASSES, int(wrong.sum()))
    return labels


def _lightgbm(**parameters: object) -> object:
    from lightgbm import LGBMClassifier

    return LGBMClassifier(
        num_leaves=LEAVES,
        max_depth=DEPTH,
        min_child_samples=LEAF,
        n_jobs=THREADS,
        verbose=-1,
        **parameters,
    )


def _tree(report: Report, rng: np.random.Generator, x: np.ndarray, y: np.ndarray) -> None:
    from sklearn.tree import DecisionTreeClassifier

    from satsuma import Tree

    ours = Tree(measure="entropy", min_leaf=LEAF, max_depth=DEPTH)
    theirs = DecisionTreeClassifier(
        criterion="entropy", min_samples_leaf=LEAF, max_depth=DEPTH, random_state=0
    )
    exact, boosted = "scikit-learn exact tree", "LightGBM, one round, 2 threads"
    compare(
        report,
        "tree, 1e6 x 20 numbers, fit",
        {
            OURS: lambda: ours.fit(x, y),
            boosted: lambda: _lightgbm(n_estimators=1).fit(x, y),
        },
        {boosted: 4},
        3,
    )
    workloads = {OURS: lambda: ours.fit(x, y), exact: lambda: theirs.fit(x, y)}
    compare(report, "tree, 1e6 x 20 numbers, fit", workloads, {exact: 80}, 2)
    asked = {OURS: partial(ours.predict, x), exact: partial(theirs.predict, x)}
    compare(report, "tree, 1e6 x 20 numbers, predict", asked, {exact: 2}, 7)
    fresh, truth = _numbers(rng, 200_000)
    for who, model, wanted in ((OURS, ours, "within 0.5 points"), (exact, theirs, "")):
        right = float(np.mean(model.predict(fresh) == truth))
        report.add(Row("tree, right on fresh rows", who, f"{right:.2%}", "", wanted))


def _multiway(report: Report, rng: np.random.Generator) -> None:
    from sklearn.tree import DecisionTreeClassifier

    from satsuma import ID3, Domain, Table, Tree, Variable

    s = rng.integers(0, LEVELS, (N, WIDTH))
    y = _noisy(rng, (s[:, 0] % 3 + (s[:, 1] > 6) * (s[:, 2] < 4) + (s[:, 3] * s[:, 4] > 50)) % 3)
    values = tuple(map(str, range(LEVELS)))
    variables = [Variable(f"s{j}", "sym", values) for j in range(WIDTH)]
    variables.append(Variable("y", "sym", values[:CLASSES], "target"))
    columns = [np.ascontiguousarray(s[:, j], np.int32) for j in range(WIDTH)]
    table = Table(Domain(variables), [*columns, y.astype(np.int32)])
    codes = s.astype(np.float32)
    ordinal, categorical = "scikit-learn on ordinal codes", "LightGBM, categories"
    learner = Tree(measure="gain", min_leaf=LEAF, max_depth=DEPTH)
    theirs = DecisionTreeClassifier(
        criterion="entropy", min_samples_leaf=LEAF, max_depth=DEPTH, random_state=0
    )
    named = list(range(WIDTH))
    compare(
        report,
        "tree, 1e6 x 20 symbols, a branch a value",
        {
            OURS: lambda: learner(table),
            ordinal: lambda: theirs.fit(codes, y),
            categorical: lambda: _lightgbm(n_estimators=1).fit(s, y, categorical_feature=named),
        },
        {ordinal: 40, categorical: 4},
        3,
    )
    unlimited = DecisionTreeClassifier(criterion="entropy", random_state=0)
    compare(
        report,
        "ID3, 1e6 x 20 symbols, no limits",
        {OURS: lambda: ID3()(table), ordinal: lambda: unlimited.fit(codes, y)},
        {ordinal: 40},
        1,
    )


def _forest(report: Report, x: np.ndarray, y: np.ndarray) -> None:
    from sklearn.ensemble import RandomForestClassifier

    from satsuma import Forest

    theirs, boosted = "scikit-learn, 2 jobs", "LightGBM rf, 2 threads"
    limits = {"max_depth": DEPTH, "min_samples_leaf": LEAF, "n_jobs": THREADS}
    sampled = {"bagging_freq": 1, "bagging_fraction": 0.632, "feature_fraction_bynode": 0.22}
    compare(
        report,
        "forest of 10 trees, 2e5 x 20, fit",
        {
            OURS: lambda: Forest(trees=10, max_depth=DEPTH, min_leaf=LEAF).fit(x, y),
            theirs: lambda: RandomForestClassifier(10, **limits).fit(x, y),
            boosted: lambda: _lightgbm(boosting_type="rf", n_estimators=10, **sampled).fit(x, y),
        },
        {theirs: 12, boosted: 4},
        3,
    )


def _deep_forests(report: Report, rng: np.random.Generator) -> None:
    """Forests without limits, of noisy rows: most nodes have few rows."""
    from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor

    from satsuma import Forest, RegressionForest

    jobs = "scikit-learn, 2 jobs"
    x = rng.normal(size=(300_000, 25))
    signal = x[:, 0] + x[:, 1] * x[:, 2] + rng.normal(size=len(x))
    labels = np.digitize(signal, [-1, 1])
    ours, theirs = Forest(trees=10), RandomForestClassifier(10, n_jobs=THREADS, random_state=0)
    runs = {OURS: lambda: ours.fit(x, labels), jobs: lambda: theirs.fit(x, labels)}
    compare(report, "forest of 10 trees without limits, 3e5 x 25", runs, {jobs: 8}, 1)
    small, numbers = x[:100_000, :10].copy(), signal[:100_000]
    tried = {"max_features": 0.5, "n_jobs": THREADS, "random_state": 0}
    means, peer = RegressionForest(trees=10), RandomForestRegressor(10, **tried)
    runs = {OURS: lambda: means.fit(small, numbers), jobs: lambda: peer.fit(small, numbers)}
    compare(report, "the same for numbers, 1e5 x 10", runs, {jobs: 8}, 1)
