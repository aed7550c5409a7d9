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
    from satsuma.active.em import EM
    from satsuma.active.loop import Active
    from satsuma.active.oracle import Answer, Oracle
    from satsuma.active.self_training import SelfTraining
    from satsuma.active.semi import Semi
    from satsuma.active.simulate import simulate
    from satsuma.active.stopping import Advice, stop_advice
    from satsuma.active.suspicious import suspicious
    from satsuma.app.notebook import label
    from satsuma.engines.scanning import scan
    from satsuma.evaluate.comparison import compare
    from satsuma.evaluate.cross_validation import cross_validate, leave_one_out
    from satsuma.evaluate.hold_out import hold_out, test_on
    from satsuma.evaluate.learning_curve import learning_curve
    from satsuma.learners.behind.discretized import Discretized
    from satsuma.learners.behind.select import Select
    from satsuma.learners.behind.wrap import wrap
    from satsuma.learners.clusters.anomaly import Anomaly
    from satsuma.learners.clusters.bisect import Bisect
    from satsuma.learners.clusters.choose import choose_k
    from satsuma.learners.clusters.kmeans import KMeans
    from satsuma.learners.clusters.minibatch import MiniBatchKMeans
    from satsuma.learners.clusters.rp0 import RP0
    from satsuma.learners.distribution import Distribution, GetBoth, GetProbabilities, GetValue
    from satsuma.learners.ensembles.bagging import Bagging
    from satsuma.learners.ensembles.boosting import Boosting
    from satsuma.learners.ensembles.stacking import Stacking
    from satsuma.learners.generative.bayes import NaiveBayes
    from satsuma.learners.generative.classifier import Generative
    from satsuma.learners.generative.discriminant import LDA, QDA
    from satsuma.learners.learner import Learner, RoundsLearner, TallyLearner
    from satsuma.learners.linear.logistic import Logistic
    from satsuma.learners.linear.ridge import Ridge
    from satsuma.learners.linear.vectors import SVM, LinearSVM
    from satsuma.learners.majority import Majority, Mean
    from satsuma.learners.model import Model
    from satsuma.learners.nearby.neighbours import KNN
    from satsuma.learners.nearby.process import Process
    from satsuma.learners.saving import open_model
    from satsuma.learners.text.learners import Text
    from satsuma.learners.tree.forest import Forest
    from satsuma.learners.tree.learner import ID3, RegressionTree, Tree
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
    from satsuma.plan.advise import advise
    from satsuma.plan.contrast import contrast
    from satsuma.plan.optimise import optimise
    from satsuma.prepare.chi_merge import ChiMerge
    from satsuma.prepare.equal import EqualFrequency, EqualWidth
    from satsuma.prepare.mdl import MDL
    from satsuma.report.page import write_report
    from satsuma.tallies.num import Num
    from satsuma.tallies.sym import Sym

    __version__: str

#: Where the rest is: imported when it is asked for, so that reading a table does not wait for it.
_ELSEWHERE = {
    "Active": "active.loop",
    "Advice": "active.stopping",
    "advise": "plan.advise",
    "agreement": "active.agreement",
    "Anomaly": "learners.clusters.anomaly",
    "Answer": "active.oracle",
    "Bagging": "learners.ensembles.bagging",
    "best_attribute": "measures.scores",
    "Binned": "likelihoods.binned",
    "Bisect": "learners.clusters.bisect",
    "Boosting": "learners.ensembles.boosting",
    "Bubbles": "active.bubbles",
    "Categorical": "likelihoods.categorical",
    "ChiMerge": "prepare.chi_merge",
    "choose_k": "learners.clusters.choose",
    "compare": "evaluate.comparison",
    "contrast": "plan.contrast",
    "cross_validate": "evaluate.cross_validation",
    "Discretized": "learners.behind.discretized",
    "distance": "measures.distance",
    "Distribution": "learners.distribution",
    "disty": "measures.heaven",
    "EM": "active.em",
    "EqualFrequency": "prepare.equal",
    "EqualWidth": "prepare.equal",
    "Forest": "learners.tree.forest",
    "Gaussian": "likelihoods.gaussian",
    "Generative": "learners.generative.classifier",
    "GetBoth": "learners.distribution",
    "GetProbabilities": "learners.distribution",
    "GetValue": "learners.distribution",
    "hold_out": "evaluate.hold_out",
    "ID3": "learners.tree.learner",
    "KDE": "likelihoods.kde",
    "KMeans": "learners.clusters.kmeans",
    "KNN": "learners.nearby.neighbours",
    "label": "app.notebook",
    "Laplace": "likelihoods.given_value",
    "LDA": "learners.generative.discriminant",
    "Learner": "learners.learner",
    "learning_curve": "evaluate.learning_curve",
    "leave_one_out": "evaluate.cross_validation",
    "LinearSVM": "learners.linear.vectors",
    "Loess": "likelihoods.loess",
    "Logistic": "learners.linear.logistic",
    "Majority": "learners.majority",
    "MDL": "prepare.mdl",
    "Mean": "learners.majority",
    "MEstimate": "likelihoods.given_value",
    "MiniBatchKMeans": "learners.clusters.minibatch",
    "Model": "learners.model",
    "MultivariateGaussian": "likelihoods.normal",
    "NaiveBayes": "learners.generative.bayes",
    "Num": "tallies.num",
    "open_model": "learners.saving",
    "optimise": "plan.optimise",
    "Oracle": "active.oracle",
    "Process": "learners.nearby.process",
    "QDA": "learners.generative.discriminant",
    "RegressionTree": "learners.tree.learner",
    "RelativeFrequency": "likelihoods.given_value",
    "Ridge": "learners.linear.ridge",
    "RoundsLearner": "learners.learner",
    "RP0": "learners.clusters.rp0",
    "scan": "engines.scanning",
    "score_attributes": "measures.scores",
    "Select": "learners.behind.select",
    "SelfTraining": "active.self_training",
    "Semi": "active.semi",
    "simulate": "active.simulate",
    "Stacking": "learners.ensembles.stacking",
    "stop_advice": "active.stopping",
    "suspicious": "active.suspicious",
    "SVM": "learners.linear.vectors",
    "Sym": "tallies.sym",
    "TallyLearner": "learners.learner",
    "test_on": "evaluate.hold_out",
    "Text": "learners.text.learners",
    "Tree": "learners.tree.learner",
    "wrap": "learners.behind.wrap",
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
    "Advice",
    "Anomaly",
    "Answer",
    "Bagging",
    "Binned",
    "Bisect",
    "Boosting",
    "Bubbles",
    "Categorical",
    "ChiMerge",
    "Discretized",
    "Distribution",
    "Domain",
    "EqualFrequency",
    "EqualWidth",
    "Forest",
    "Gaussian",
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
    "Process",
    "RegressionTree",
    "RelativeFrequency",
    "Ridge",
    "RoundsLearner",
    "Row",
    "SatsumaError",
    "Select",
    "SelfTraining",
    "Semi",
    "Stacking",
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
