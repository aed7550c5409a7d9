# Written by: python -m tools.stub
from satsuma import extend, measures, plot
from satsuma.measures.adwin import ADWIN
from satsuma.active.active_learning import Active
from satsuma.learners.additive.additive import Additive
from satsuma.learners.row_clusters.agglomerative import Agglomerative
from satsuma.learners.generative.averaged_dependence import AnDE
from satsuma.learners.anomaly.anomaly import Anomaly
from satsuma.active.oracle import Answer
from satsuma.learners.ensembles.bagging import Bagging
from satsuma.likelihoods.binned import Binned
from satsuma.learners.kmeans.bisect import BisectingKMeans
from satsuma.learners.boosted_trees.boosted_trees import BoostedTrees
from satsuma.learners.ensembles.boosting import Boosting
from satsuma.active.bubbles import Bubbles
from satsuma.learners.calibration.calibrated import Calibrated
from satsuma.likelihoods.categorical import Categorical
from satsuma.prepare.chi_merge import ChiMerge
from satsuma.active.cluster_then_label import ClusterThenLabel
from satsuma.learners.row_clusters.consensus import Consensus
from satsuma.evaluate.cost_scores import Cost
from satsuma.learners.row_clusters.dbscan import DBSCAN
from satsuma.learners.wrappers.discretized import Discretized
from satsuma.learners.predictions import Distribution
from satsuma.data.domain import Domain
from satsuma.active.em import EM
from satsuma.prepare.discretizers import EqualFrequency
from satsuma.prepare.discretizers import EqualWidth
from satsuma.learners.rules.fft import FFT
from satsuma.measures.projection import FastMap
from satsuma.learners.tree.forest import Forest
from satsuma.likelihoods.gaussian import Gaussian
from satsuma.learners.neighbours.gaussian_process import GaussianProcess
from satsuma.learners.generative.naive_bayes import Generative
from satsuma.learners.predictions import GetBoth
from satsuma.learners.predictions import GetProbabilities
from satsuma.learners.predictions import GetValue
from satsuma.learners.tree.decision_tree import ID3
from satsuma.likelihoods.kde import KDE
from satsuma.learners.kmeans.kmeans import KMeans
from satsuma.learners.neighbours.knn import KNN
from satsuma.learners.generative.discriminant import LDA
from satsuma.likelihoods.probability_estimates import Laplace
from satsuma.learners.linear.lasso import Lasso
from satsuma.learners.learner import Learner
from satsuma.learners.linear.linear_svm import LinearSVM
from satsuma.likelihoods.loess import Loess
from satsuma.learners.linear.logistic import Logistic
from satsuma.prepare.discretizers import MDL
from satsuma.likelihoods.probability_estimates import MEstimate
from satsuma.learners.baselines import Majority
from satsuma.learners.baselines import Mean
from satsuma.learners.kmeans.minibatch import MiniBatchKMeans
from satsuma.learners.model import Model
from satsuma.learners.model_tree.model_tree import ModelTree
from satsuma.likelihoods.multivariate_gaussian import MultivariateGaussian
from satsuma.learners.generative.naive_bayes import NaiveBayes
from satsuma.tallies.num import Num
from satsuma.learners.one_r import OneR
from satsuma.learners.streaming.online import Online
from satsuma.plan.optimiser import Optimiser
from satsuma.active.oracle import Oracle
from satsuma.learners.privacy.private_learning import PrivacyBudget
from satsuma.evaluate.cost_scores import Profit
from satsuma.learners.generative.discriminant import QDA
from satsuma.learners.rp0.rp0 import RP0
from satsuma.learners.wrappers.regression import Regression
from satsuma.learners.tree.forest import RegressionForest
from satsuma.learners.tree.decision_tree import RegressionTree
from satsuma.likelihoods.probability_estimates import RelativeFrequency
from satsuma.learners.linear.ridge import Ridge
from satsuma.learners.learner import RoundsLearner
from satsuma.data.row import Row
from satsuma.learners.rules.rules import Rules
from satsuma.learners.linear.svm import SVM
from satsuma.errors import SatsumaError
from satsuma.learners.wrappers.select import Select
from satsuma.active.self_training import SelfTraining
from satsuma.learners.ensembles.stacking import Stacking
from satsuma.active.stop_advice import StopAdvice
from satsuma.tallies.sym import Sym
from satsuma.data.table import Table
from satsuma.learners.learner import TallyLearner
from satsuma.learners.text.text import Text
from satsuma.learners.tree.decision_tree import Tree
from satsuma.data.variable import Variable
from satsuma.active.weak_rules import WeakRule
from satsuma.plan.advice import advise
from satsuma.active.agreement import agreement
from satsuma.measures.attribute_scores import best_attribute
from satsuma.learners.kmeans.choose_k import choose_k
from satsuma.evaluate.comparison import compare
from satsuma.plan.contrast import contrast
from satsuma.evaluate.cross_validation import cross_validate
from satsuma.active.dawid_skene import dawid_skene
from satsuma.measures.distance import distance
from satsuma.measures.ideal_point import distance_to_ideal
from satsuma.learners.row_explanations import explain
from satsuma.measures.projection import fastmap
from satsuma.data.orange_tables import from_orange
from satsuma.evaluate.hold_out import hold_out
from satsuma.evaluate.importances import importances
from satsuma.active.reliability import krippendorff_alpha
from satsuma.app.notebook import label
from satsuma.active.cluster_labels import label_clusters
from satsuma.learners.privacy.private_learning import learn_privately
from satsuma.evaluate.learning_curve import learning_curve
from satsuma.evaluate.cross_validation import leave_one_out
from satsuma.data.shipped import load
from satsuma.learners.privacy.private_learning import merge_models
from satsuma.learners.privacy.row_mutation import mutate_rows
from satsuma.learners.model_files.saved_model import open_model
from satsuma.plan.optimisation import optimise
from satsuma.learners.privacy.row_mutation import privacy_ratio
from satsuma.data.read import read
from satsuma.evaluate.rejection import reject
from satsuma.learners.representatives import representatives
from satsuma.engines.scan import scan
from satsuma.measures.attribute_scores import score_attributes
from satsuma.active.simulation import simulate
from satsuma.plan.space import space
from satsuma.active.stopping_rule import stop_advice
from satsuma.active.label_errors import suspicious
from satsuma.evaluate.hold_out import test_on
from satsuma.evaluate.thresholds import threshold
from satsuma.data.orange_tables import to_orange
from satsuma.active.weak_labels import weak_labels
from satsuma.engines.timed_source import with_time_features
from satsuma.learners.wrappers.wrap import wrap
from satsuma.data.write import write
from satsuma.report.report_file import write_report

__version__: str

__all__ = [
    "ADWIN",
    "Active",
    "Additive",
    "Agglomerative",
    "AnDE",
    "Anomaly",
    "Answer",
    "Bagging",
    "Binned",
    "BisectingKMeans",
    "BoostedTrees",
    "Boosting",
    "Bubbles",
    "Calibrated",
    "Categorical",
    "ChiMerge",
    "ClusterThenLabel",
    "Consensus",
    "Cost",
    "DBSCAN",
    "Discretized",
    "Distribution",
    "Domain",
    "EM",
    "EqualFrequency",
    "EqualWidth",
    "FFT",
    "FastMap",
    "Forest",
    "Gaussian",
    "GaussianProcess",
    "Generative",
    "GetBoth",
    "GetProbabilities",
    "GetValue",
    "ID3",
    "KDE",
    "KMeans",
    "KNN",
    "LDA",
    "Laplace",
    "Lasso",
    "Learner",
    "LinearSVM",
    "Loess",
    "Logistic",
    "MDL",
    "MEstimate",
    "Majority",
    "Mean",
    "MiniBatchKMeans",
    "Model",
    "ModelTree",
    "MultivariateGaussian",
    "NaiveBayes",
    "Num",
    "OneR",
    "Online",
    "Optimiser",
    "Oracle",
    "PrivacyBudget",
    "Profit",
    "QDA",
    "RP0",
    "Regression",
    "RegressionForest",
    "RegressionTree",
    "RelativeFrequency",
    "Ridge",
    "RoundsLearner",
    "Row",
    "Rules",
    "SVM",
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
    "WeakRule",
    "__version__",
    "advise",
    "agreement",
    "best_attribute",
    "choose_k",
    "compare",
    "contrast",
    "cross_validate",
    "dawid_skene",
    "distance",
    "distance_to_ideal",
    "explain",
    "extend",
    "fastmap",
    "from_orange",
    "hold_out",
    "importances",
    "krippendorff_alpha",
    "label",
    "label_clusters",
    "learn_privately",
    "learning_curve",
    "leave_one_out",
    "load",
    "measures",
    "merge_models",
    "mutate_rows",
    "open_model",
    "optimise",
    "plot",
    "privacy_ratio",
    "read",
    "reject",
    "representatives",
    "scan",
    "score_attributes",
    "simulate",
    "space",
    "stop_advice",
    "suspicious",
    "test_on",
    "threshold",
    "to_orange",
    "weak_labels",
    "with_time_features",
    "wrap",
    "write",
    "write_report",
]
