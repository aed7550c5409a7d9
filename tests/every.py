"""Every learner there is, to be crossed with the laws and with the checks of scikit-learn."""

import importlib
import inspect
import pkgutil

from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.linear_model import LinearRegression, Ridge
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import PolynomialFeatures
from sklearn.svm import SVC

import satsuma.active
import satsuma.learners
from satsuma import (
    EM,
    FFT,
    KNN,
    LDA,
    RP0,
    Additive,
    AnDE,
    Anomaly,
    Bagging,
    BoostedTrees,
    Boosting,
    Bubbles,
    Calibrated,
    ChiMerge,
    ClusterThenLabel,
    Discretized,
    EqualFrequency,
    EqualWidth,
    Forest,
    KMeans,
    Logistic,
    Mean,
    MiniBatchKMeans,
    ModelTree,
    NaiveBayes,
    Regression,
    RegressionForest,
    Rules,
    Select,
    SelfTraining,
    Stacking,
    Text,
    Tree,
    wrap,
)
from satsuma.learners.learner import Learner

#: What others are made of: one that does not calibrate itself, which would take six times as long
#: and is put to the laws alone.
BAYES = NaiveBayes(calibrate=False)

#: Learners with other parameters than the usual ones, or that take less time, by name.
EXAMPLES: dict[str, list[Learner]] = {
    "Additive": [Additive(pairs=2, bins=4)],
    "AnDE": [AnDE(), AnDE(number=None), AnDE(number="frequency", parents="information", m=2)],
    "Anomaly": [Anomaly(trees=3, M=8), Anomaly(trees=2, M=4, rows=30, k=1, p=1.0)],
    "Bagging": [
        Bagging(NaiveBayes(), t=3),
        Bagging(KNN(k=3), t=3, vote="votes"),
        Bagging(t=2),
        Bagging(NaiveBayes(), t=2, share=0.9, replace=False),
        Bagging(Mean(), t=2),
    ],
    "BoostedTrees": [
        BoostedTrees(rounds=2, min_leaf=2),
        BoostedTrees(
            rounds=3,
            leaves=4,
            learning_rate=0.5,
            min_leaf=1,
            row_sample=0.7,
            column_sample=0.5,
            early_stopping=False,
        ),
    ],
    "Bubbles": [Bubbles(BAYES, draws=2), Bubbles(KNN(k=3), M=4, most=0.3, draws=2)],
    "Boosting": [
        Boosting(BAYES, t=2),
        Boosting(t=2),
        Boosting(KNN(k=3), t=3, learning_rate=0.5, calibrate=False),
        Boosting(Discretized(BAYES), t=3, calibrate=False),
        Boosting(Bagging(BAYES, t=2), t=2, calibrate=False),
    ],
    "Calibrated": [
        Calibrated(BAYES),
        Calibrated(BAYES, method="isotonic", folds=2),
        Calibrated(KNN(k=3), method="sigmoid", folds=3, seed=1),
    ],
    "Discretized": [
        Discretized(BAYES),
        Discretized(BAYES, method=ChiMerge(confidence=0.9)),
        Discretized(KNN(k=3), method=EqualWidth(3)),
        Discretized(Mean(), method=EqualFrequency(3)),
    ],
    "EM": [EM(BAYES, folds=3), EM(LDA(), folds=2, keep_shares=False)],
    "FFT": [FFT(questions=3), FFT(questions=1, balanced=True)],
    "Forest": [Forest(trees=3, out_of_bag=True)],
    "Regression": [Regression(KNN(k=3)), Regression(Tree(max_depth=3))],
    "RegressionForest": [RegressionForest(trees=3, cuts="random")],
    "RP0": [
        RP0(M=8),
        RP0(M=8, keep=0.8),
        RP0(M=8, keep=0.8, spread="poles", p=1.0),
        RP0(M=8, boring=0.3),
        RP0(M=16, model=BAYES),
        RP0(M=16, model=KNN(k=3)),
        RP0(M=8, keep=0.9, boring=0.1, model=satsuma.Ridge()),
    ],
    "KMeans": [KMeans(k=3), KMeans(k=4, init="random", scale=None, starts=2)],
    "Logistic": [Logistic(), Logistic(l1=0.5, l2=0.5)],
    "MiniBatchKMeans": [
        MiniBatchKMeans(k=3),
        MiniBatchKMeans(k=4, batch=7, init="random", scale=None),
    ],
    "ModelTree": [ModelTree(min_leaf=3, prune=0.5, max_depth=1, bins=4)],
    "Select": [
        Select(BAYES, n=2),
        Select(KNN(k=3), measure="relief", threshold=0.0),
        Select(satsuma.Ridge(), n=2),
    ],
    "Rules": [Rules(max_rules=2)],
    "SelfTraining": [SelfTraining(BAYES, folds=3), SelfTraining(KNN(k=3), folds=2)],
    "NaiveBayes": [NaiveBayes(), NaiveBayes(m=1, number="auto", calibrate=False)],
    "ClusterThenLabel": [
        ClusterThenLabel(BAYES, folds=2, t=3),
        ClusterThenLabel(KNN(k=3), clusters=RP0(M=2), folds=2, t=2),
    ],
    "Text": [Text(), Text(model="bayes", alpha=1), Text(model="squares", pairs=False, least=1)],
    "Wrapped": [
        wrap(Ridge()),
        wrap(SVC(gamma=0.3, tol=1e-10)),
        wrap(LinearDiscriminantAnalysis()),
        wrap(make_pipeline(PolynomialFeatures(), LinearRegression())),
    ],
    "Stacking": [
        Stacking([BAYES, KNN(k=3)]),
        Stacking([BAYES, KNN(k=3), NaiveBayes(m=0, calibrate=False)], learner=BAYES, folds=3),
        Stacking([KNN(k=2), KNN(k=7)], learner=KNN(k=5), folds=2),
        Stacking([KNN(k=2), Mean()]),
    ],
}


#: Learners that are no public name: there is a function that makes them.
UNLISTED = {"Wrapped"}


def kinds():
    """Every class of learners in the rooms that have some."""
    modules = [
        importlib.import_module(each.name)
        for room in (satsuma.learners, satsuma.active)
        for each in pkgutil.walk_packages(room.__path__, f"{room.__name__}.")
    ]
    found = {
        kind
        for module in modules
        for kind in vars(module).values()
        if inspect.isclass(kind)
        and issubclass(kind, Learner)
        and not inspect.isabstract(kind)
        and kind.__module__.startswith(("satsuma.learners.", "satsuma.active."))
        and not kind.__name__.startswith("_")
    }
    return sorted(found, key=lambda kind: kind.__name__)


def example(kind):
    """A learner of a class; one that is made of others is made of some."""
    inside = {"learner": BAYES, "learners": [BAYES, KNN(k=3)]}
    needed = [
        each.name
        for each in inspect.signature(kind).parameters.values()
        if each.default is inspect.Parameter.empty
    ]
    lost = [name for name in needed if name not in inside]
    assert not lost, f"{kind.__name__} needs {lost}: give it an entry in EXAMPLES, tests/every.py"
    return kind(**{name: inside[name] for name in needed})


LEARNERS = [one for kind in kinds() for one in EXAMPLES.get(kind.__name__) or [example(kind)]]
