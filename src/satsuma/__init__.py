"""Satsuma: models you can read, trust and act on, from tables with holes and few labels."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from satsuma.data.domain import Domain
from satsuma.data.read import read
from satsuma.data.row import Row
from satsuma.data.shipped import load
from satsuma.data.table import Table
from satsuma.data.variable import Variable
from satsuma.data.write import write
from satsuma.errors import SatsumaError

if TYPE_CHECKING:
    from satsuma import plot
    from satsuma.active.agreement import agreement
    from satsuma.active.bubbles import Bubbles
    from satsuma.active.cluster_then_label import ClusterThenLabel
    from satsuma.active.em import EM
    from satsuma.active.label_errors import suspicious
    from satsuma.active.learner import Active
    from satsuma.active.oracle import Answer, Oracle
    from satsuma.active.self_training import SelfTraining
    from satsuma.active.simulate import simulate
    from satsuma.active.stopping_rule import StopAdvice, stop_advice
    from satsuma.app.notebook import label
    from satsuma.engines.scanning import scan
    from satsuma.evaluate.comparing import compare
    from satsuma.evaluate.growing import learning_curve
    from satsuma.evaluate.validation import cross_validate, hold_out, leave_one_out, test_on
    from satsuma.learners.anomaly.learner import Anomaly
    from satsuma.learners.baselines import Majority, Mean
    from satsuma.learners.distribution import Distribution, GetBoth, GetProbabilities, GetValue
    from satsuma.learners.ensembles.bagging import Bagging
    from satsuma.learners.ensembles.boosting import Boosting
    from satsuma.learners.ensembles.stacking import Stacking
    from satsuma.learners.generative.bayes import NaiveBayes
    from satsuma.learners.generative.classifier import Generative
    from satsuma.learners.generative.discriminant import LDA, QDA
    from satsuma.learners.kmeans.bisect import BisectingKMeans
    from satsuma.learners.kmeans.choose_k import choose_k
    from satsuma.learners.kmeans.learner import KMeans
    from satsuma.learners.kmeans.minibatch import MiniBatchKMeans
    from satsuma.learners.learner import Learner, RoundsLearner, TallyLearner
    from satsuma.learners.linear.logistic import Logistic
    from satsuma.learners.linear.ridge import Ridge
    from satsuma.learners.linear.svm import SVM, LinearSVM
    from satsuma.learners.model import Model
    from satsuma.learners.model_files.saved_model import open_model
    from satsuma.learners.neighbours.gaussian_process import GaussianProcess
    from satsuma.learners.neighbours.knn import KNN
    from satsuma.learners.rp0.learner import RP0
    from satsuma.learners.text.learner import Text
    from satsuma.learners.tree.forest import Forest
    from satsuma.learners.tree.learner import ID3, RegressionTree, Tree
    from satsuma.learners.wrappers.discretized import Discretized
    from satsuma.learners.wrappers.select import Select
    from satsuma.learners.wrappers.wrap import wrap
    from satsuma.likelihoods.binned import Binned
    from satsuma.likelihoods.categorical import Categorical
    from satsuma.likelihoods.gaussian import Gaussian
    from satsuma.likelihoods.given_value import Laplace, MEstimate, RelativeFrequency
    from satsuma.likelihoods.kde import KDE
    from satsuma.likelihoods.loess import Loess
    from satsuma.likelihoods.normal import MultivariateGaussian
    from satsuma.measures.distance import distance
    from satsuma.measures.heaven import disty
    from satsuma.measures.scores import best_attribute, score_attributes
    from satsuma.plan.advice import advise
    from satsuma.plan.contrast import contrast
    from satsuma.plan.optimisation import optimise
    from satsuma.prepare.chi_merge import ChiMerge
    from satsuma.prepare.equal import EqualFrequency, EqualWidth
    from satsuma.prepare.mdl import MDL
    from satsuma.report.page import write_report
    from satsuma.tallies.num import Num
    from satsuma.tallies.sym import Sym

    __version__: str

#: Where the rest is: imported when it is asked for, so that reading a table does not wait for it.
_ELSEWHERE = {
    "Active": "active.learner",
    "advise": "plan.advice",
    "agreement": "active.agreement",
    "Anomaly": "learners.anomaly.learner",
    "Answer": "active.oracle",
    "Bagging": "learners.ensembles.bagging",
    "best_attribute": "measures.scores",
    "Binned": "likelihoods.binned",
    "BisectingKMeans": "learners.kmeans.bisect",
    "Boosting": "learners.ensembles.boosting",
    "Bubbles": "active.bubbles",
    "Categorical": "likelihoods.categorical",
    "ChiMerge": "prepare.chi_merge",
    "choose_k": "learners.kmeans.choose_k",
    "ClusterThenLabel": "active.cluster_then_label",
    "compare": "evaluate.comparing",
    "contrast": "plan.contrast",
    "cross_validate": "evaluate.validation",
    "Discretized": "learners.wrappers.discretized",
    "distance": "measures.distance",
    "Distribution": "learners.distribution",
    "disty": "measures.heaven",
    "EM": "active.em",
    "EqualFrequency": "prepare.equal",
    "EqualWidth": "prepare.equal",
    "Forest": "learners.tree.forest",
    "Gaussian": "likelihoods.gaussian",
    "GaussianProcess": "learners.neighbours.gaussian_process",
    "Generative": "learners.generative.classifier",
    "GetBoth": "learners.distribution",
    "GetProbabilities": "learners.distribution",
    "GetValue": "learners.distribution",
    "hold_out": "evaluate.validation",
    "ID3": "learners.tree.learner",
    "KDE": "likelihoods.kde",
    "KMeans": "learners.kmeans.learner",
    "KNN": "learners.neighbours.knn",
    "label": "app.notebook",
    "Laplace": "likelihoods.given_value",
    "LDA": "learners.generative.discriminant",
    "Learner": "learners.learner",
    "learning_curve": "evaluate.growing",
    "leave_one_out": "evaluate.validation",
    "LinearSVM": "learners.linear.svm",
    "Loess": "likelihoods.loess",
    "Logistic": "learners.linear.logistic",
    "Majority": "learners.baselines",
    "MDL": "prepare.mdl",
    "Mean": "learners.baselines",
    "MEstimate": "likelihoods.given_value",
    "MiniBatchKMeans": "learners.kmeans.minibatch",
    "Model": "learners.model",
    "MultivariateGaussian": "likelihoods.normal",
    "NaiveBayes": "learners.generative.bayes",
    "Num": "tallies.num",
    "open_model": "learners.model_files.saved_model",
    "optimise": "plan.optimisation",
    "Oracle": "active.oracle",
    "QDA": "learners.generative.discriminant",
    "RegressionTree": "learners.tree.learner",
    "RelativeFrequency": "likelihoods.given_value",
    "Ridge": "learners.linear.ridge",
    "RoundsLearner": "learners.learner",
    "RP0": "learners.rp0.learner",
    "scan": "engines.scanning",
    "score_attributes": "measures.scores",
    "Select": "learners.wrappers.select",
    "SelfTraining": "active.self_training",
    "simulate": "active.simulate",
    "Stacking": "learners.ensembles.stacking",
    "stop_advice": "active.stopping_rule",
    "StopAdvice": "active.stopping_rule",
    "suspicious": "active.label_errors",
    "SVM": "learners.linear.svm",
    "Sym": "tallies.sym",
    "TallyLearner": "learners.learner",
    "test_on": "evaluate.validation",
    "Text": "learners.text.learner",
    "Tree": "learners.tree.learner",
    "wrap": "learners.wrappers.wrap",
    "write_report": "report.page",
}


def __getattr__(name: str) -> Any:
    if name in _ELSEWHERE:
        found = getattr(import_module(f"satsuma.{_ELSEWHERE[name]}"), name)
        globals()[name] = found  # found without a detour the next time
        return found
    if name == "plot":
        return import_module("satsuma.plot")
    # The version is looked up when it is asked for: that takes longer than all of the above.
    if name == "__version__":
        from importlib.metadata import PackageNotFoundError, version

        try:
            return version("satsuma")
        except PackageNotFoundError:
            return "not installed"
    raise AttributeError(f"module 'satsuma' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


__all__ = [
    "EM",
    "ID3",
    "KDE",
    "KNN",
    "LDA",
    "MDL",
    "QDA",
    "RP0",
    "SVM",
    "Active",
    "Anomaly",
    "Answer",
    "Bagging",
    "Binned",
    "BisectingKMeans",
    "Boosting",
    "Bubbles",
    "Categorical",
    "ChiMerge",
    "ClusterThenLabel",
    "Discretized",
    "Distribution",
    "Domain",
    "EqualFrequency",
    "EqualWidth",
    "Forest",
    "Gaussian",
    "GaussianProcess",
    "Generative",
    "GetBoth",
    "GetProbabilities",
    "GetValue",
    "KMeans",
    "Laplace",
    "Learner",
    "LinearSVM",
    "Loess",
    "Logistic",
    "MEstimate",
    "Majority",
    "Mean",
    "MiniBatchKMeans",
    "Model",
    "MultivariateGaussian",
    "NaiveBayes",
    "Num",
    "Oracle",
    "RegressionTree",
    "RelativeFrequency",
    "Ridge",
    "RoundsLearner",
    "Row",
    "SatsumaError",
    "Select",
    "SelfTraining",
    "Stacking",
    "StopAdvice",
    "Sym",
    "Table",
    "TallyLearner",
    "Text",
    "Tree",
    "Variable",
    "__version__",
    "advise",
    "agreement",
    "best_attribute",
    "choose_k",
    "compare",
    "contrast",
    "cross_validate",
    "distance",
    "disty",
    "hold_out",
    "label",
    "learning_curve",
    "leave_one_out",
    "load",
    "open_model",
    "optimise",
    "plot",
    "read",
    "scan",
    "score_attributes",
    "simulate",
    "stop_advice",
    "suspicious",
    "test_on",
    "wrap",
    "write",
    "write_report",
]
